/* labels.h - a cache of escaped names, by index */
#ifndef DMT_EXPORT_LABELS_H
#define DMT_EXPORT_LABELS_H

#include <dmtrace/profile.h>
#include <stdbool.h>

#include "base/arena.h"
#include "base/output.h"
#include "events/indexes.h"
#include "events/tables.h"
#include "key/rows.h"
#include "private/put.h"

#define DMT_LABEL_STRIDE 32	/* bytes per copy */
#define DMT_LABEL_USUAL 1024	/* longer labels are copied by memcpy */

/*
 * The text that a format writes for a method or a thread each time that it
 * occurs, escaped only once. To make a label, write it to draft with the
 * functions of put.h, then call dmt_labels_keep.
 */
struct dmt_labels {
	struct dmtrace_text *items;	/* bytes is NULL if not made yet */
	size_t count;
	size_t capacity;
	size_t each;		/* labels for each index of a source */
	struct dmt_arena arena;
	struct dmt_output draft;	/* an output to memory */
};

void
dmt_labels_init(struct dmt_labels *labels);

/* Begins the labels of a source, which there are for each index of a batch
 * (tables.h), and drops all others. */
void
dmt_labels_attach(struct dmt_labels *labels, struct dmtrace_source *source,
    enum dmt_index_kind by, size_t each);

/* Makes sure that there are count items, without a source. false: no
 * memory. */
bool
dmt_labels_reserve(struct dmt_labels *labels, size_t count);

/* Makes the draft the label of an index. false: no memory. */
bool
dmt_labels_keep(struct dmt_labels *labels, size_t index);

/*
 * Copies a label to at, where DMT_LABEL_STRIDE more bytes must fit; returns
 * its end. Labels are most of the bytes written for an event: copying in
 * strides, the last one beyond the label's end, takes half the time of a
 * memcpy whose size varies.
 */
static inline char *
dmt_labels_copy(char *at, struct dmtrace_text label)
{
	for (size_t i = 0; i < label.len; i += DMT_LABEL_STRIDE)
		memcpy(at + i, label.bytes + i, DMT_LABEL_STRIDE);
	return at + label.len;
}

/* Writes a label of any length, and returns space for that many more bytes, to
 * be followed by dmt_output_advance; NULL after a failure. */
static inline char *
dmt_labels_put(struct dmt_output *output, struct dmtrace_text label,
    size_t more)
{
	if (label.len > DMT_LABEL_USUAL) {
		dmt_output_write(output, label.bytes, label.len);
		return dmt_output_reserve(output, more);
	}
	char *const at = dmt_output_reserve(output, label.len +
	    DMT_LABEL_STRIDE + more);

	if (at != NULL)
		dmt_output_advance(output, label.len);
	return at == NULL ? NULL : dmt_labels_copy(at, label);
}

/* Frees the labels; the struct is then as after init. */
void
dmt_labels_fini(struct dmt_labels *labels);

/* Returns a method of a source, named as in profiles. The texts belong to the
 * key and to number. */
struct dmtrace_profile_method
dmt_labels_method(const struct dmt_indexed_method *indexed,
    char number[DMT_NUMBER_MAX]);

/* Writes class.name, each of at most max bytes. */
void
dmt_put_method(struct dmt_output *out, enum dmt_put_form form,
    const struct dmtrace_profile_method *method, size_t max);

/* Writes a thread's name, or "thread 7" if it has none. */
void
dmt_labels_put_thread(struct dmt_output *out, enum dmt_put_form form,
    struct dmtrace_text name, uint32_t number);

static inline struct dmtrace_text
dmt_labels_thread_name(const struct dmt_indexed_thread *indexed)
{
	return indexed->row != NULL ? indexed->row->name :
	    (struct dmtrace_text){ "", 0 };
}

#endif
