/* names.c - names of methods, as text and as cells */

#include "names.h"

#include <string.h>

static int
compare(const struct dmtrace_text *a, const struct dmtrace_text *b)
{
	const size_t len = a->len < b->len ? a->len : b->len;
	const int order = len == 0 ? 0 : memcmp(a->bytes, b->bytes, len);

	return order != 0 ? order : (a->len > b->len) - (a->len < b->len);
}

int
names_compare(const struct names *a, const struct names *b)
{
	int order = compare(&a->class_name, &b->class_name);

	if (order == 0)
		order = compare(&a->name, &b->name);
	return order != 0 ? order : compare(&a->signature, &b->signature);
}

static void
put(struct buffer *buffer, const struct dmtrace_text *text)
{
	buffer_text(buffer, text_plain, text->bytes, text->len);
}

void
names_put(struct buffer *buffer, const struct names *names)
{
	const bool has_class = names->class_name.len > 0;

	put(buffer, &names->class_name);
	if (has_class && names->name.len > 0)
		buffer_string(buffer, ".");
	put(buffer, &names->name);
	if (!has_class && names->name.len == 0)
		buffer_string(buffer, names->listed ? "(none)" :
		    "(unknown)");
	if (names->signature.len > 0)
		buffer_string(buffer, " ");
	put(buffer, &names->signature);
}

void
names_cell(struct row *row, const char *name, struct dmtrace_text text)
{
	if (text.len == 0)
		row_absent(row, name);
	else
		row_text(row, name, text.bytes, text.len);
}
