/* method_name.c - names of methods, as text and as cells */

#include "cli/method_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "private/text.h"

int
method_name_compare(const struct method_name *a, const struct method_name *b)
{
	int order = dmt_text_compare(a->class_name, b->class_name);

	if (order == 0)
		order = dmt_text_compare(a->name, b->name);
	return order != 0 ? order : dmt_text_compare(a->signature,
	    b->signature);
}

static int
compare_method_names(const void *left, const void *right)
{
	return method_name_compare(left, right);
}

static bool
share_class_and_name(const struct method_name *a, const struct method_name *b)
{
	return dmt_text_equal(a->class_name, b->class_name) &&
	    dmt_text_equal(a->name, b->name);
}

void
method_names_sort(struct method_name *names, size_t count)
{
	if (count > 1)
		qsort(names, count, sizeof(*names), compare_method_names);
	for (size_t i = 0; i < count; i++)
		names[i].bare = (i == 0 ||
		    !share_class_and_name(&names[i - 1], &names[i])) &&
		    (i + 1 == count ||
		    !share_class_and_name(&names[i], &names[i + 1]));
}

int
method_names_bare(const struct method_name *names, size_t count,
    const struct method_name *name)
{
	const struct method_name *const found = count == 0 ? NULL :
	    bsearch(name, names, count, sizeof(*names), compare_method_names);

	return found != NULL && found->bare;
}

static void
put_name_part(struct strbuf *buffer, const struct dmtrace_text *text)
{
	strbuf_text(buffer, escape_plain, text->bytes, text->len);
}

/* Of C++: the class is in a scope or a template, or the signature is none of
 * the JVM, which has a return type after its last bracket. */
static bool
is_cxx_method(const struct method_name *names)
{
	const struct dmtrace_text class_name = names->class_name;
	const struct dmtrace_text signature = names->signature;

	for (size_t i = 0; i + 1 < class_name.len; i++)
		if (memcmp(class_name.bytes + i, "::", 2) == 0)
			return true;
	if (signature.len == 0 || signature.bytes[0] != '(')
		return false;
	size_t end = signature.len;
	while (signature.bytes[end - 1] != ')' && end > 1)
		end--;
	return end == signature.len ||
	    strchr("VZBCSIJFDL[", signature.bytes[end]) == NULL;
}

void
method_name_put(struct strbuf *buffer, const struct method_name *names)
{
	const bool has_class = names->class_name.len > 0;
	const bool is_cxx = has_class && is_cxx_method(names);
	const size_t begin = buffer->len;

	put_name_part(buffer, &names->class_name);
	for (size_t i = begin; !is_cxx && i < buffer->len; i++)
		if (buffer->bytes[i] == '/')
			buffer->bytes[i] = '.';
	if (has_class && names->name.len > 0)
		strbuf_string(buffer, is_cxx ? "::" : ".");
	put_name_part(buffer, &names->name);
	if (!has_class && names->name.len == 0)
		strbuf_string(buffer, names->listed ? "(none)" :
		    "(unknown)");
	if (!names->bare)
		put_name_part(buffer, &names->signature);
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
method_name_dotted(char *out, size_t size, struct dmtrace_text class_name,
    struct dmtrace_text name)
{
	const struct dmtrace_text dot = { ".", class_name.len > 0 };
	const struct dmtrace_text *const parts[] =
	    { &class_name, &dot, &name };
	size_t used = 0;

	for (int part = 0; part < 3; part++)
		for (size_t i = 0; i < parts[part]->len && used + 1 < size;
		    i++) {
			const char byte = parts[part]->bytes[i];

			out[used++] = byte == '/' && part == 0 ? '.' : byte;
		}
	out[used] = '\0';
}
