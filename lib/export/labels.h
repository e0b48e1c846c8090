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

/* There are items for so many indexes. false: no memory. */
bool
dmt_labels_reserve(struct dmt_labels *labels, size_t count);

/* The draft is the text of an index. false: no memory. */
bool
dmt_labels_keep(struct dmt_labels *labels, size_t index);

/* They are as after init then. */
void
dmt_labels_fini(struct dmt_labels *labels);

/* A method of a source, as profiles name it. The texts belong to the key, and
 * to number. */
struct dmtrace_profile_method
dmt_labels_method(const struct dmt_indexed_method *indexed,
    char number[DMT_NUMBER_MAX]);

/* A thread's name, or "thread 7" if it has none. */
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
