/* names.h - the words of a function, from its address */
#ifndef DMT_INSTRUMENT_NAMES_H
#define DMT_INSTRUMENT_NAMES_H

#include <dmtrace/recorder.h>
#include <stdbool.h>

/* Where words are made; its own pages grow as they must. Zero is empty. */
struct dmt_hook_name {
	char *text;
	size_t size;
	bool plain;		/* no demangler, which calls malloc */
	struct dmtrace_method_words words;	/* in text */
};

/*
 * Class and name: scope and name of a C++ function, if the process has a
 * demangler; else the file and the symbol, or "file+0xOFFSET" without one.
 * false: no object has the address, or there is no memory.
 */
bool
dmt_name_find(struct dmt_hook_name *name, uintptr_t address);

/* The same, as a recorder wants it; context is a struct dmt_hook_name. */
int
dmt_name_supply(void *context, uint64_t key,
    struct dmtrace_method_words *words);

#endif
