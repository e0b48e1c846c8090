/* labels.c - a cache of escaped names, by index */

#include "export/labels.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "private/text.h"

void
dmt_labels_init(struct dmt_labels *labels)
{
	*labels = (struct dmt_labels){ .count = 0 };
}

bool
dmt_labels_reserve(struct dmt_labels *labels, size_t count)
{
	if (count <= labels->count)
		return true;
	struct dmtrace_text *const items = dmt_array_grow_zero(labels->items,
	    &labels->capacity, count, sizeof(*items));
	if (items == NULL)
		return false;
	labels->items = items;
	labels->count = count;
	return true;
}

static bool
begin_labels(void *owner, uint32_t index, void *item)
{
	struct dmt_labels *const labels = owner;

	(void)item;
	return dmt_labels_reserve(labels, (index + (size_t)1) * labels->each);
}

void
dmt_labels_attach(struct dmt_labels *labels, struct dmtrace_source *source,
    enum dmt_index_kind by, size_t each)
{
	dmt_labels_fini(labels);
	labels->each = each;
	dmt_attach(source, NULL, &(struct dmt_table){ .by = by,
	    .init = begin_labels, .owner = labels });
}

bool
dmt_labels_keep(struct dmt_labels *labels, size_t index)
{
	struct dmt_output *const draft = &labels->draft;
	char *const bytes = dmt_arena_alloc(&labels->arena,
	    draft->len + DMT_LABEL_STRIDE);

	if (bytes == NULL || draft->error.status != DMTRACE_OK)
		return false;
	if (draft->len > 0)
		memcpy(bytes, draft->bytes, draft->len);
	labels->items[index] = (struct dmtrace_text){ bytes, draft->len };
	dmt_output_clear(draft);
	return true;
}

void
dmt_labels_fini(struct dmt_labels *labels)
{
	free(labels->items);
	dmt_arena_fini(&labels->arena);
	dmt_output_fini(&labels->draft);
	dmt_labels_init(labels);
}

struct dmtrace_profile_method
dmt_labels_method(const struct dmt_indexed_method *indexed,
    char number[DMT_NUMBER_MAX])
{
	const struct dmtrace_method named =
	    dmt_method_named(indexed->row, indexed->id, number);

	return (struct dmtrace_profile_method){
		.class_name = named.class_name, .name = named.name,
		.signature = named.signature, .file = named.file,
		.line = named.line, .id = indexed->id,
		.listed = indexed->row != NULL
	};
}

void
dmt_put_method(struct dmt_output *out, enum dmt_put_form form,
    const struct dmtrace_profile_method *method, size_t max)
{
	const struct dmt_method_scope scope =
	    dmt_method_scope(method->class_name, method->signature);

	dmt_put_name(out, form == DMT_PUT_DOT && scope.separator[0] == '.' ?
	    DMT_PUT_DOT_CLASS : form, scope.text, max);
	if (method->name.len > 0)
		dmt_put(out, scope.separator);
	dmt_put_name(out, form, method->name, max);
	if (method->class_name.len == 0 && method->name.len == 0)
		dmt_put(out, method->listed ? "(none)" : "(unknown)");
}

void
dmt_labels_put_thread(struct dmt_output *out, enum dmt_put_form form,
    struct dmtrace_text name, uint32_t number)
{
	if (name.len > 0)
		dmt_put_name(out, form, name, SIZE_MAX);
	else
		dmt_put_format(out, "thread %" PRIu32, number);
}
