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

/* Negative, 0 or positive: by class, name and signature. */
int
method_name_compare(const struct method_name *a, const struct method_name *b);

/* Puts names in order, and sets bare in those whose class and name no other one
 * of them has: text then needs no signature. */
void
method_names_sort(struct method_name *names, size_t count);

/* What bare is in names, which are sorted, of the one that equals name. */
int
method_names_bare(const struct method_name *names, size_t count,
    const struct method_name *name);

/* As the language of the method writes it: "package.Class.name(I)V", or
 * "space::Class::name(int)". */
void
method_name_put(struct strbuf *buffer, const struct method_name *name);

/* The cells class, name and signature; an empty text is absent. */
void
method_name_cells(struct table *table, struct dmtrace_text class_name,
    struct dmtrace_text name, struct dmtrace_text signature);

/* Writes "package.Class.name" and a NUL, as much as size bytes hold. */
void
method_name_dotted(char *out, size_t size, struct dmtrace_text class_name,
    struct dmtrace_text name);

#endif
