/* names.h - names of methods, as text and as cells */
#ifndef NAMES_H
#define NAMES_H

#include <dmtrace.h>

#include "form.h"

/* What a method is called; texts may be empty. */
struct names {
	struct dmtrace_text class_name, name, signature;
	int listed;
};

/* Negative, 0 or positive: by class, name and signature. */
int
names_compare(const struct names *a, const struct names *b);

/* "class.name signature" as text. */
void
names_put(struct buffer *buffer, const struct names *names);

/* A cell; an empty text is absent. */
void
names_cell(struct row *row, const char *name, struct dmtrace_text text);

#endif
