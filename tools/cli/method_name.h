/* method_name.h - prints and compares names of methods */
#ifndef METHOD_NAME_H
#define METHOD_NAME_H

#include <dmtrace.h>

#include "cli/table.h"

/* The names of a method; texts may be empty. */
struct method_name {
	struct dmtrace_text class_name, name, signature;
	int listed;
	int bare;			/* print it without the signature */
	int brief;			/* the same, and without the package */
};

/* Returns a negative number, 0 or a positive one. Compares class and name as
 * printed, then the rest. */
int
method_name_compare(const struct method_name *a, const struct method_name *b);

/* Sorts names, and sets bare in those that are unambiguous without a
 * signature. */
void
method_names_sort(struct method_name *names, size_t count);

/* Returns bare of the element of names, which are sorted, that equals name. */
int
method_names_bare(const struct method_name *names, size_t count,
    const struct method_name *name);

/* Writes the name in the form of its language: "package.Class.name(I)V",
 * "space::Class::name(int)", or in C "name() [file]". */
void
method_name_put(struct dmt_output *buffer, const struct method_name *name);

/* Fills the cells class, name and signature; an empty text is an absent
 * cell. */
void
method_name_cells(struct table *table, struct dmtrace_text class_name,
    struct dmtrace_text name, struct dmtrace_text signature);

/* Writes the name without the signature, and a NUL, truncated to size bytes. */
void
method_name_bare(char *out, size_t size, struct dmtrace_text class_name,
    struct dmtrace_text name, struct dmtrace_text signature);

#endif
