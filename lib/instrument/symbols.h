/* symbols.h - reads the symbols of functions from an ELF file */
#ifndef DMT_INSTRUMENT_SYMBOLS_H
#define DMT_INSTRUMENT_SYMBOLS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The symbols, in mapped memory: names are looked up inside any function,
 * which may be malloc. A zeroed struct is valid and empty. */
struct dmt_symbols {
	ElfW(Sym) *rows;		/* by value; the preferred name first */
	size_t count;
	size_t rows_size;		/* mapped bytes */
	char *names;			/* NUL-terminated */
	size_t names_size;
};

/* Returns a hash of program headers, to notice that a file was replaced. */
uint64_t
dmt_symbols_identity(const void *headers, size_t len);

/*
 * Reads .symtab, or .dynsym of a stripped file. false: the file cannot be
 * read, is not for this machine, or has another identity; then it has no
 * symbols.
 */
bool
dmt_symbols_read(struct dmt_symbols *symbols, const char *path,
    uint64_t identity);

void
dmt_symbols_fini(struct dmt_symbols *symbols);

/* Returns the name of the function at an address of the file, or NULL. */
const char *
dmt_symbols_find(const struct dmt_symbols *symbols, uintptr_t value);

#endif
