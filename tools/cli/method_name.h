/* method_name.h - names of methods, as text and as cells */
#ifndef METHOD_NAME_H
#define METHOD_NAME_H

#include <dmtrace.h>

#include "cli/table.h"

/* What a method is called; texts may be empty. */
struct method_name {
	struct dmtrace_text class_name, name, signature;
	int listed;
	int bare;			/* text has no signature */
};

/* Negative, 0 or positive: by what text shows, and then by the rest. */
int
method_name_compare(const struct method_name *a, const struct method_name *b);

/* Sorts names, and sets bare in those that no other one looks like without
 * its signature. */
void
method_names_sort(struct method_name *names, size_t count);

/* What bare is in names, which are sorted, of the one that equals name. */
int
method_names_bare(const struct method_name *names, size_t count,
    const struct method_name *name);

/* As the language of the method writes it: "package.Class.name(I)V" or
 * "space::Class::name(int)", and of C "name() [file]". */
void
method_name_put(struct strbuf *buffer, const struct method_name *name);

/* The cells class, name and signature; an empty text is absent. */
void
method_name_cells(struct table *table, struct dmtrace_text class_name,
    struct dmtrace_text name, struct dmtrace_text signature);

/* Writes the same without the signature, and a NUL, as much as size bytes
 * hold. */
void
method_name_bare(char *out, size_t size, struct dmtrace_text class_name,
    struct dmtrace_text name, struct dmtrace_text signature);

#endif
