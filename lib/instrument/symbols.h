/* symbols.h - the functions that an ELF file names */
#ifndef DMT_INSTRUMENT_SYMBOLS_H
#define DMT_INSTRUMENT_SYMBOLS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In pages of its own: names are looked up inside of any function, and that
 * may be malloc. Zero is empty. */
struct dmt_symbols {
	ElfW(Sym) *rows;		/* by value; the best name first */
	size_t count;
	size_t rows_size;		/* bytes of pages */
	char *names;			/* NUL-terminated */
	size_t names_size;
};

/* Of program headers, to recognize a file that has been replaced. */
uint64_t
dmt_symbols_identity(const void *headers, size_t len);

/*
 * Reads .symtab, or .dynsym of a stripped file. false: the file cannot be
 * read, is none for this machine, or not the one with this identity; then it
 * has no symbols.
 */
bool
dmt_symbols_read(struct dmt_symbols *symbols, const char *path,
    uint64_t identity);

void
dmt_symbols_fini(struct dmt_symbols *symbols);

/* The name of the function at an address of the file, or NULL. */
const char *
dmt_symbols_find(const struct dmt_symbols *symbols, uintptr_t value);

#endif
