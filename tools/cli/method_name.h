/* method_name.h - names of methods, as text and as cells */
#ifndef METHOD_NAME_H
#define METHOD_NAME_H

#include <dmtrace.h>

#include "cli/table.h"

/* What a method is called; texts may be empty. */
struct method_name {
	struct dmtrace_text class_name, name, signature;
	int listed;
};

/* Negative, 0 or positive: by class, name and signature. */
int
method_name_compare(const struct method_name *a, const struct method_name *b);

/* "class.name signature" as text. */
void
method_name_put(struct strbuf *buffer, const struct method_name *names);

/* A cell; an empty text is absent. */
void
method_name_cell(struct row *row, const char *name, struct dmtrace_text text);

#endif
