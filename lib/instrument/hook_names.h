/* hook_names.h - class, name and signature of a function, from its address */
#ifndef DMT_INSTRUMENT_HOOK_NAMES_H
#define DMT_INSTRUMENT_HOOK_NAMES_H

#include <dmtrace/recorder.h>
#include <stdbool.h>

/* Where a name is made; its own pages grow as they must. Zero is empty. */
struct dmt_hook_name {
	char *text;
	size_t size;
	bool plain;		/* no demangler, which calls malloc */
	struct dmtrace_recorder_method method;	/* in text */
};

/*
 * Class and name: scope and name of a C++ function, if the process has a
 * demangler; else "[file]" and the symbol, or "file+0xOFFSET" without one.
 * false: no object has the address, or there is no memory.
 */
bool
dmt_name_find(struct dmt_hook_name *name, uintptr_t address);

/* The same, as a recorder wants it; context is a struct dmt_hook_name. */
int
dmt_name_supply(void *context, uint64_t key,
    struct dmtrace_recorder_method *method);

/* Parts of the text given, which is cut into them; NULL: it has none. */
struct dmt_cxx_name {
	const char *scope;		/* "ns::Class" */
	const char *name;		/* "operator()" */
	const char *signature;		/* "(int) const" */
};

/*
 * "void ns::Class<int>::run(char const*) const" is "run" with the signature
 * "(char const*) const" in "ns::Class<int>". What is not understood is the
 * name as a whole. After the NUL of the text there is room for one byte more.
 */
void
dmt_cxx_name_split(struct dmt_cxx_name *parts, char *text);

#endif
