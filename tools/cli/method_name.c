/* method_name.c - names of methods, as text and as cells */

#include "cli/method_name.h"

#include <string.h>

static int
compare(const struct dmtrace_text *a, const struct dmtrace_text *b)
{
	const size_t len = a->len < b->len ? a->len : b->len;
	const int order = len == 0 ? 0 : memcmp(a->bytes, b->bytes, len);

	return order != 0 ? order : (a->len > b->len) - (a->len < b->len);
}

int
method_name_compare(const struct method_name *a, const struct method_name *b)
{
	int order = compare(&a->class_name, &b->class_name);

	if (order == 0)
		order = compare(&a->name, &b->name);
	return order != 0 ? order : compare(&a->signature, &b->signature);
}

static void
put(struct strbuf *buffer, const struct dmtrace_text *text)
{
	strbuf_text(buffer, escape_plain, text->bytes, text->len);
}

void
method_name_put(struct strbuf *buffer, const struct method_name *names)
{
	const bool has_class = names->class_name.len > 0;

	put(buffer, &names->class_name);
	if (has_class && names->name.len > 0)
		strbuf_string(buffer, ".");
	put(buffer, &names->name);
	if (!has_class && names->name.len == 0)
		strbuf_string(buffer, names->listed ? "(none)" :
		    "(unknown)");
	if (names->signature.len > 0)
		strbuf_string(buffer, " ");
	put(buffer, &names->signature);
}

void
method_name_cell(struct row *row, const char *name, struct dmtrace_text text)
{
	if (text.len == 0)
		row_absent(row, name);
	else
		row_text(row, name, text.bytes, text.len);
}
