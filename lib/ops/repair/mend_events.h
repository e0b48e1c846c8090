/* mend_events.h - a stage that repairs the events of damaged records */
#ifndef DMT_OPS_REPAIR_MEND_EVENTS_H
#define DMT_OPS_REPAIR_MEND_EVENTS_H

#include <dmtrace/ops.h>

#include "events/pipeline.h"
#include "format/change.h"

/* Indexes of threads or methods without repetitions, for dmt_push. */
struct dmt_index_list {
	uint32_t *items;
	size_t count;
	size_t capacity;
	uint32_t spare;
};

/* The result of the first pass. */
struct dmt_mended {
	struct dmt_changes changes;
	uint64_t records;		/* number that is read, without a
					   tail */
	uint64_t records_out;		/* including inserted ones: */
	uint64_t opened;		/* number inserted at the beginning */
	uint64_t closed;		/* and at the end */
	uint64_t latest_ns;		/* the latest time of either clock */
	uint32_t deepest;		/* the most open calls of a thread */
	struct dmt_index_list threads;	/* by their first events */
	struct dmt_index_list unlisted;	/* methods, by their first events */
};

struct dmt_mend_input {
	struct dmtrace_source *source;	/* NULL: no memory was left to make
					   it */
	bool wraps;			/* its times are stored modulo 2^32
					   us */
	bool bare;			/* made by dmt_records_source_new,
					   and */
	uint64_t records;		/* has that many records */
	bool moved;			/* its bytes are not where they were in
					   the file: changes have no place */
};

/* Returns a stage over the input. NULL: no memory; then the source is freed. */
struct dmtrace_source *
dmt_mend_events(const struct dmt_mend_input *input,
    const struct dmtrace_repair_options *options);

/*
 * Runs the first pass, or two; call it after dmt_want and before the first
 * pull. The result belongs to the stage. After that the key may be changed;
 * events can be pulled after dmt_source_rewind.
 *
 * Returns DMTRACE_OK, or the status of the stage's error: that of the source
 * below, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT  too many open calls, or methods that are not listed
 */
enum dmtrace_status
dmt_mend_learn(struct dmtrace_source *stage);

const struct dmt_mended *
dmt_mend_found(const struct dmtrace_source *stage);

/* After the first pass: repairs nothing in the passes that follow. */
void
dmt_mend_skip(struct dmtrace_source *stage);

/*
 * mend_key.c: adds rows to the key for threads and methods that have events but
 * no row; fills: and one to an empty table. Then sets the options that count
 * events and changes, from records_in events on. Return the status of error, in
 * which a failure is set.
 */
enum dmtrace_status
dmt_mend_key(struct dmtrace_key *key, const struct dmtrace_source *stage,
    bool fills, struct dmt_changes *changes, struct dmtrace_error *error);
enum dmtrace_status
dmt_mend_key_sign(struct dmtrace_key *key, const struct dmt_mended *mended,
    uint64_t records_in, struct dmt_changes *changes,
    struct dmtrace_error *error);

#endif
