/* label_method.c - what "dump" prints of methods, prepared once */

#include "label.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ACTION_BITS UINT64_C(3)	/* a row's id may have them set */
#define RECENT_BITS_MAX 20

static void
put_name(struct method_labels *labels, const struct method_label *label,
    enum cell cell, const struct dmtrace_text *name)
{
	const struct frame *frame = &label_frames[labels->form];
	struct buffer *bytes = &labels->bytes;

	if (labels->form == FORM_TEXT && name->len == 0)
		return;
	if (labels->form != FORM_TEXT || bytes->len > label->at)
		buffer_string(bytes, frame->before[cell]);
	buffer_text(bytes, frame->text, name->bytes, name->len);
}

static void
put_head(struct method_labels *labels, uint64_t id)
{
	if (labels->form != FORM_TEXT)
		buffer_printf(&labels->bytes, "0x%" PRIx64 "%s", id,
		    label_frames[labels->form].before[CELL_CPU]);
}

static void
put_tail(struct method_labels *labels, const struct method_label *label,
    const struct dmtrace_method *method)
{
	char number[24];
	struct dmtrace_text name = method->name;

	/* Other forms have the id in a column of its own. */
	if (labels->form == FORM_TEXT && name.len == 0)
		name = (struct dmtrace_text){ number, (size_t)snprintf(number,
		    sizeof(number), "0x%" PRIx64, label->id) };
	put_name(labels, label, CELL_CLASS, &method->class_name);
	put_name(labels, label, CELL_NAME, &name);
	put_name(labels, label, CELL_SIGNATURE, &method->signature);
	buffer_string(&labels->bytes,
	    label_frames[labels->form].before[CELL_END]);
}

/* Its bytes go behind those that are there. */
static struct method_label
make(struct method_labels *labels, uint64_t id,
    const struct dmtrace_method *method)
{
	struct method_label label = { .id = id, .at = labels->bytes.len };

	put_head(labels, id);
	label.head_len = labels->bytes.len - label.at;
	put_tail(labels, &label, method);
	label.tail_len = labels->bytes.len - label.at - label.head_len;
	return label;
}

static void
make_unlisted(struct method_labels *labels, uint64_t id)
{
	static const struct dmtrace_method nameless;

	labels->bytes.len = labels->unlisted.at;
	labels->unlisted = make(labels, id, &nameless);
}

static int
compare(const void *left, const void *right)
{
	const struct method_label *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->at < b->at ? -1 : 1;
}

static void
make_listed(struct method_labels *labels, const struct dmtrace_key *key)
{
	for (size_t i = 0; i < labels->count; i++) {
		const struct dmtrace_method *method =
		    dmtrace_key_method_get(key, i);

		labels->items[i] = make(labels, method->id & ~ACTION_BITS,
		    method);
	}
	qsort(labels->items, labels->count, sizeof(*labels->items), compare);
}

bool
method_labels_init(struct method_labels *labels, enum form form,
    const struct dmtrace_key *key)
{
	static const char padding[LABEL_STEP_LONG];
	const size_t count = dmtrace_key_method_count(key);

	*labels = (struct method_labels){
		.form = form, .count = count, .recent_bits = 1
	};
	while (labels->recent_bits < RECENT_BITS_MAX &&
	    (size_t)1 << labels->recent_bits < 2 * count)
		labels->recent_bits++;
	labels->items = calloc(count + 1, sizeof(*labels->items));
	labels->recent = calloc((size_t)1 << labels->recent_bits,
	    sizeof(*labels->recent));
	if (labels->items == NULL || labels->recent == NULL)
		return false;
	make_listed(labels, key);
	labels->unlisted.at = labels->bytes.len;
	make_unlisted(labels, UINT64_MAX);	/* the longest */
	buffer_put(&labels->bytes, padding, sizeof(padding));
	return !labels->bytes.failed;
}

/* The first row of id, NULL if there is none. */
static const struct method_label *
search(const struct method_labels *labels, uint64_t id)
{
	size_t low = 0, high = labels->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (labels->items[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < labels->count && labels->items[low].id == id ?
	    &labels->items[low] : NULL;
}

const struct method_label *
method_labels_find(struct method_labels *labels, uint64_t id)
{
	const uint64_t hash = id * UINT64_C(0x9e3779b97f4a7c15);
	struct method_label *recent =
	    &labels->recent[hash >> (64 - labels->recent_bits)];

	if (recent->id == id && recent->tail_len > 0)
		return recent;
	const struct method_label *label = search(labels, id);
	if (label != NULL) {
		*recent = *label;
		return recent;
	}
	if (labels->unlisted.id != id)
		make_unlisted(labels, id);
	return &labels->unlisted;
}

void
method_labels_fini(struct method_labels *labels)
{
	free(labels->recent);
	free(labels->items);
	buffer_fini(&labels->bytes);
}
