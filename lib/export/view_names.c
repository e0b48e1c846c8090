/* view_names.c - the methods of a page, and how many of them have a name */

/*
 * A method has a row, a JSON array, with its class, name, signature, file and
 * line. Methods of the same name, but for dots and slashes of classes, have
 * their figures together. The names of some ten thousand methods have room on a
 * page. If there are more, those of most time have rows of their own, and all
 * others are one method, which has calls, times, paths and bars as any other:
 * "(940000 other methods)".
 */

#include "export/view_names.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/name_table.h"
#include "export/labels.h"
#include "export/view_page.h"

#define OTHERS_BYTES 60			/* of their row */

/* A name and the methods that have it. */
struct view_name {
	uint64_t ns;
	size_t bytes;			/* of their rows */
	uint32_t first;			/* method */
	bool kept;
};

static void
put_row(struct dmt_output *out, const struct dmtrace_profile_method *method)
{
	dmt_put(out, out->len > 0 ? ",\n[" : "\n[");
	dmt_view_put_string(out, method->class_name);
	dmt_put(out, ",");
	dmt_view_put_string(out, method->name);
	dmt_put(out, ",");
	dmt_view_put_string(out, method->signature);
	if (method->file.len > 0) {
		dmt_put(out, ",");
		dmt_view_put_string(out, method->file);
		if (method->line > 0)
			dmt_put_format(out, ",%" PRId32, method->line);
	}
	dmt_put(out, "]");
}

static int
compare_names(const void *a, const void *b)
{
	const struct view_name *const one = *(struct view_name *const *)a;
	const struct view_name *const other = *(struct view_name *const *)b;

	return one->ns != other->ns ? (one->ns > other->ns ? -1 : 1) :
	    (one->first > other->first) - (one->first < other->first);
}

/* Keeps the names of most time whose rows have so many bytes at most. false: no
 * memory. */
static bool
keep_names(struct view_name *items, size_t count, size_t most)
{
	struct view_name **const order = dmt_array_new(count, sizeof(*order));
	size_t bytes = OTHERS_BYTES;

	if (order == NULL)
		return false;
	for (size_t i = 0; i < count; i++)
		order[i] = &items[i];
	qsort(order, count, sizeof(*order), compare_names);
	for (size_t i = 0; i < count && bytes + order[i]->bytes <= most; i++) {
		bytes += order[i]->bytes;
		order[i]->kept = true;
	}
	free(order);
	return true;
}

static struct dmtrace_text
package_of(struct dmtrace_text class_name)
{
	while (class_name.len > 0 &&
	    class_name.bytes[class_name.len - 1] != '/' &&
	    class_name.bytes[class_name.len - 1] != '.')
		class_name.len--;
	return class_name;
}

bool
dmt_view_names_begin(struct dmt_view_names *names,
    const struct dmt_indexes *indexes, const uint64_t *ns, size_t most)
{
	const size_t count = indexes->method_count;
	struct dmt_name_table table = { .dots = true };
	struct dmt_name_table packages = { .dots = true };
	struct view_name *const items = dmt_array_new(count, sizeof(*items));
	struct dmt_output *const out = &names->rows;
	char number[DMT_NUMBER_MAX];
	size_t bytes = 0, others = 0;

	names->row = dmt_array_new(count, sizeof(*names->row));
	names->same = dmt_array_new(count, sizeof(*names->same));
	names->package = dmt_array_new(count, sizeof(*names->package));
	bool done = items != NULL && names->row != NULL &&
	    names->same != NULL && names->package != NULL;

	/* Find the methods of each name; until they have rows, .same is the
	 * name. */
	for (uint32_t i = 0; done && i < count &&
	    (ns != NULL || bytes <= most); i++) {
		const struct dmtrace_profile_method method =
		    dmt_labels_method(&indexes->methods[i], number);
		const size_t known = table.count;
		const uint32_t name = dmt_name_table_intern(&table,
		    &(struct dmt_name){ .class_name = method.class_name,
		    .name = method.name, .signature = method.signature });

		done = name != DMT_NO_NAME;
		if (!done)
			break;
		if (name == known)
			items[name] = (struct view_name){ .first = i };
		put_row(out, &method);
		items[name].ns += ns == NULL ? 0 : ns[i];
		items[name].bytes += out->len + 1;
		bytes += out->len + 1;
		names->same[i] = name;
		dmt_output_clear(out);
	}
	names->cut = bytes > most;
	if (done && names->cut && ns != NULL)
		done = keep_names(items, table.count, most);
	else
		for (size_t i = 0; i < table.count; i++)
			items[i].kept = true;

	for (uint32_t i = 0; done && i < count &&
	    (ns != NULL || bytes <= most); i++) {
		const struct view_name *const name = &items[names->same[i]];
		const struct dmtrace_profile_method method =
		    dmt_labels_method(&indexes->methods[i], number);

		names->package[i] = dmt_name_table_intern(&packages,
		    &(struct dmt_name){ .class_name = name->kept ?
		    package_of(method.class_name) : (struct dmtrace_text)
		    { "", 0 } });
		done = names->package[i] != DMT_NO_NAME;
		if (!name->kept) {
			others++;
			names->row[i] = names->same[i] = UINT32_MAX;
			continue;
		}
		put_row(out, &method);
		names->row[i] = (uint32_t)names->row_count++;
		names->same[i] = names->row[name->first];
	}
	for (uint32_t i = 0; others > 0 && i < count; i++)
		if (names->row[i] == UINT32_MAX)
			names->row[i] = names->same[i] =
			    (uint32_t)names->row_count;
	if (others > 0) {
		names->row_count++;
		dmt_put_format(out, "%s\n[\"\",\"(%zu other methods)\",\"\"]",
		    out->len > 0 ? "," : "", others);
	}
	names->package_count = packages.count;
	free(items);
	dmt_name_table_fini(&table);
	dmt_name_table_fini(&packages);
	return done && !dmt_output_failed(out);
}

void
dmt_view_names_fini(struct dmt_view_names *names)
{
	free(names->row);
	free(names->same);
	free(names->package);
	dmt_output_fini(&names->rows);
	*names = (struct dmt_view_names){ .row = NULL };
}
