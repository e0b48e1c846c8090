/* hook_names.h - class, name and signature of a function, from its address */
#ifndef DMT_INSTRUMENT_HOOK_NAMES_H
#define DMT_INSTRUMENT_HOOK_NAMES_H

#include <dmtrace/recorder.h>
#include <stdbool.h>

/* A buffer for a name, in mapped memory that grows as needed. A zeroed struct
 * is valid and empty. */
struct dmt_hook_name {
	char *text;
	size_t size;
	bool plain;		/* do not use the demangler, which calls
				   malloc */
	struct dmtrace_recorder_method method;	/* points into text */
};

/*
 * Finds class and name: scope and name of a C++ function, if the process has a
 * demangler; else "[file]" and the symbol, or "file+0xOFFSET" without one.
 * false: no object contains the address, or there is no memory.
 */
bool
dmt_name_find(struct dmt_hook_name *name, uintptr_t address);

/* The same as a call-back for the recorder; context is a struct
 * dmt_hook_name. */
int
dmt_name_supply(void *context, uint64_t key,
    struct dmtrace_recorder_method *method);

/* The parts of a C++ name, in the text that was split; NULL: it has no such
 * part. */
struct dmt_cxx_name {
	const char *scope;		/* "ns::Class" */
	const char *name;		/* "operator()" */
	const char *signature;		/* "(int) const" */
};

/*
 * Splits text in place: "void ns::Class<int>::run(char const*) const" is "run"
 * with the signature "(char const*) const" in "ns::Class<int>". If it cannot
 * be split, all of it is the name. One byte after the NUL of the text must be
 * writable.
 */
void
dmt_cxx_name_split(struct dmt_cxx_name *parts, char *text);

#endif
