/* mend_events.h - the stage that makes events of damaged records valid */
#ifndef DMT_OPS_REPAIR_MEND_EVENTS_H
#define DMT_OPS_REPAIR_MEND_EVENTS_H

#include <dmtrace/ops.h>

#include "events/pipeline.h"
#include "format/change.h"

/* Indexes of threads or methods, each once. */
struct dmt_index_list {
	uint32_t *items;
	size_t count;
	size_t capacity;
};

/* What the first pass has found. */
struct dmt_mended {
	struct dmt_changes changes;
	uint64_t records;		/* that are read: those before a tail */
	uint64_t records_out;		/* with those that are added: */
	uint64_t opened;		/* so many at the beginning, */
	uint64_t closed;		/* and so many at the end */
	struct dmt_index_list threads;	/* in the order of their first events */
	struct dmt_index_list unlisted;	/* methods, in that order */
};

struct dmt_mend_input {
	struct dmtrace_source *source;	/* NULL: there was no memory for it */
	bool wraps;			/* its times are stored modulo 2^32
					   microseconds */
	bool bare;			/* it is of dmt_records_source_new, */
	uint64_t records;		/* with so many of them */
};

/* A stage over the input. NULL: no memory, and the source is freed. */
struct dmtrace_source *
dmt_mend_events(const struct dmt_mend_input *input,
    const struct dmtrace_repair_options *options);

/*
 * Takes the first pass, or two: after dmt_want, before anything is pulled. What
 * was found belongs to the stage. From then on the key may be changed; events
 * are there after dmt_source_rewind.
 *
 * Returns DMTRACE_OK, or the status of the stage's error: what the source below
 * fails with, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT  too many open calls, or methods that are not listed
 */
enum dmtrace_status
dmt_mend_learn(struct dmtrace_source *stage);

const struct dmt_mended *
dmt_mend_found(const struct dmtrace_source *stage);

#endif
