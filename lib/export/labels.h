/* labels.h - texts by index that are made once */
#ifndef DMT_EXPORT_LABELS_H
#define DMT_EXPORT_LABELS_H

#include <dmtrace/profile.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/sink.h"
#include "events/indexes.h"
#include "export/put.h"
#include "key/rows.h"

#define DMT_LABEL_STRIDE 32	/* bytes that are copied at once */
#define DMT_LABEL_USUAL 1024	/* longer ones are not copied by strides */

/*
 * What a format writes for a method or a thread, each time that it occurs:
 * escaped once. To make one, write it to draft by the functions of put.h, and
 * keep it.
 */
struct dmt_labels {
	struct dmtrace_text *items;	/* bytes is NULL: not made yet */
	size_t count;
	size_t capacity;
	struct dmt_arena arena;
	struct dmt_sink draft;	/* to memory */
};

void
dmt_labels_init(struct dmt_labels *labels);

/* Makes room for items of so many indexes. false: no memory. */
bool
dmt_labels_reserve(struct dmt_labels *labels, size_t count);

/* The draft is the text of an index. false: no memory. */
bool
dmt_labels_keep(struct dmt_labels *labels, size_t index);

/*
 * Copies a label to at, where DMT_LABEL_STRIDE bytes more than it has fit;
 * returns where it ends. Labels are most of what is written for an event: by
 * strides, the last one beyond the label's end, they take half the time of a
 * memcpy that has to look at their length.
 */
static inline char *
dmt_labels_copy(char *at, struct dmtrace_text label)
{
	for (size_t i = 0; i < label.len; i += DMT_LABEL_STRIDE)
		memcpy(at + i, label.bytes + i, DMT_LABEL_STRIDE);
	return at + label.len;
}

/* Writes a label of any length, and returns room for that many bytes more,
 * which dmt_output_advance then counts; NULL after a failure. */
static inline char *
dmt_labels_put(struct dmt_output *output, struct dmtrace_text label,
    size_t more)
{
	if (label.len > DMT_LABEL_USUAL) {
		dmt_output_write(output, label.bytes, label.len);
		return (char *)dmt_output_reserve(output, more);
	}
	char *const at = (char *)dmt_output_reserve(output, label.len +
	    DMT_LABEL_STRIDE + more);

	if (at != NULL)
		dmt_output_advance(output, label.len);
	return at == NULL ? NULL : dmt_labels_copy(at, label);
}

/* Frees the labels, which are then as after init. */
void
dmt_labels_fini(struct dmt_labels *labels);

/* The package of a class: what precedes its last slash or, without one, its
 * last dot; all of a class that is a file. */
struct dmtrace_text
dmt_class_package(struct dmtrace_text class_name);

/* Returns a method of a source as profiles name it. The texts belong to the
 * key, and to number. */
struct dmtrace_profile_method
dmt_labels_method(const struct dmt_indexed_method *indexed,
    char number[DMT_NUMBER_MAX]);

/* Puts a thread's name, or "thread 7" if it has none. */
void
dmt_labels_put_thread(struct dmt_sink *sink, enum dmt_put_form form,
    struct dmtrace_text name, uint32_t number);

static inline struct dmtrace_text
dmt_labels_thread_name(const struct dmt_indexed_thread *indexed)
{
	return indexed->row != NULL ? indexed->row->name :
	    (struct dmtrace_text){ "", 0 };
}

#endif
