/* method_name.c - prints and compares names of methods */

#include "cli/method_name.h"

#include <stdlib.h>
#include <string.h>

#include "private/text.h"

static struct dmt_method_scope
scope_of_name(const struct method_name *names)
{
	return dmt_method_scope(names->class_name, names->signature);
}

/* Compares what text shows without signatures. */
static int
compare_bare_names(const struct method_name *a, const struct method_name *b)
{
	const int order = dmt_class_compare(dmt_scope_text(a->class_name),
	    dmt_scope_text(b->class_name));

	return order != 0 ? order : dmt_text_compare(a->name, b->name);
}

int
method_name_compare(const struct method_name *a, const struct method_name *b)
{
	int order = compare_bare_names(a, b);

	if (order == 0)
		order = dmt_text_compare(a->signature, b->signature);
	return order != 0 ? order : dmt_class_compare(a->class_name,
	    b->class_name);
}

/* Any order in which equal names are neighbours will do: that by method first
 * is found faster, since few classes differ in their first bytes. */
static int
compare_by_name(const void *left, const void *right)
{
	const struct method_name *const a = left, *const b = right;
	const int order = dmt_text_compare(a->name, b->name);

	return order != 0 ? order : method_name_compare(a, b);
}

void
method_names_sort(struct method_name *names, size_t count)
{
	if (count > 1)
		qsort(names, count, sizeof(*names), compare_by_name);
	for (size_t i = 0; i < count; i++)
		names[i].bare = (i == 0 ||
		    compare_bare_names(&names[i - 1], &names[i]) != 0) &&
		    (i + 1 == count ||
		    compare_bare_names(&names[i], &names[i + 1]) != 0);
}

int
method_names_bare(const struct method_name *names, size_t count,
    const struct method_name *name)
{
	const struct method_name *const found = count == 0 ? NULL :
	    bsearch(name, names, count, sizeof(*names), compare_by_name);

	return found != NULL && found->bare;
}

static void
put_name_part(struct dmt_output *buffer, const struct dmtrace_text *text)
{
	escape_put(buffer, escape_plain, text->bytes, text->len);
}

void
method_name_put(struct dmt_output *buffer, const struct method_name *names)
{
	struct dmt_method_scope scope = scope_of_name(names);
	const size_t begin = buffer->len;

	if (names->brief && scope.separator[0] == '.')
		for (size_t i = scope.text.len; i-- > 0; )
			if (scope.text.bytes[i] == '/' ||
			    scope.text.bytes[i] == '.') {
				scope.text.bytes += i + 1;
				scope.text.len -= i + 1;
				break;
			}
	put_name_part(buffer, &scope.text);
	for (size_t i = begin; scope.separator[0] == '.' && i < buffer->len;
	    i++)
		if (buffer->bytes[i] == '/')
			buffer->bytes[i] = '.';
	if (names->name.len > 0)
		dmt_put(buffer, scope.separator);
	put_name_part(buffer, &names->name);
	if (names->class_name.len == 0 && names->name.len == 0)
		dmt_put(buffer, names->listed ? "(none)" :
		    "(unknown)");
	if (names->bare || names->brief)
		return;
	put_name_part(buffer, &names->signature);
	if (dmt_class_is_file(names->class_name)) {
		dmt_put(buffer, " ");
		put_name_part(buffer, &names->class_name);
	}
}

void
method_name_cells(struct table *table, struct dmtrace_text class_name,
    struct dmtrace_text name, struct dmtrace_text signature)
{
	table_name(table, class_name);
	table_name(table, name);
	table_name(table, signature);
}

void
method_name_bare(char *out, size_t size, struct dmtrace_text class_name,
    struct dmtrace_text name, struct dmtrace_text signature)
{
	const struct dmt_method_scope scope =
	    dmt_method_scope(class_name, signature);
	const struct dmtrace_text separator = dmt_text_of(scope.separator);
	const struct dmtrace_text *const parts[] =
	    { &scope.text, &separator, &name };
	size_t used = 0;

	for (int part = 0; part < 3; part++)
		for (size_t i = 0; i < parts[part]->len && used + 1 < size;
		    i++) {
			const char byte = parts[part]->bytes[i];

			out[used++] = byte == '/' && part == 0 ? '.' : byte;
		}
	out[used] = '\0';
}
