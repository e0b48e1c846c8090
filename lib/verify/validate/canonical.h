/* canonical.h - writes a valid trace in a form that every reader accepts */
#ifndef DMT_VERIFY_CANONICAL_H
#define DMT_VERIFY_CANONICAL_H

#include "base/arena.h"
#include "base/idmap.h"
#include "base/name_table.h"
#include "format/change.h"
#include "ops/op.h"
#include "trace/reader.h"
#include "trace/writer.h"

#define DMT_NO_ID UINT64_MAX

/* The caller sets the first five members; the others must be zero. */
struct dmt_canonical {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;	/* open on a valid trace, no event read
					   yet */
	struct dmtrace_writer *writer;	/* a new one, not open */
	struct dmt_changes *changes;
	unsigned cures;			/* bits of enum dmt_cure */

	struct dmt_layout layout;	/* of the output */
	struct dmt_idmap threads;	/* old number to new number, of threads
					   that get another one */
	uint64_t *method_ids;		/* by row of the reader's key: the id in
					   the output; DMT_NO_ID: none */
	uint64_t last_method;		/* the id that was given last */
	struct dmt_name_table thread_names;	/* in the output */
	struct dmt_arena names;		/* texts of the current row */
	uint64_t next_thread;		/* lowest number that may be free */
	uint64_t moved_us;		/* subtracted from all wall times, if
					   they can be compared */
	uint64_t written;		/* number of events */
	uint64_t dropped;		/* number of events */
	uint64_t opened_dropped;	/* of these, events that a filter had */
	uint64_t closed_dropped;	/* added at the start and at the end */
};

/* Writes the trace to fd, from its current position on. Returns the status. */
enum dmtrace_status
dmt_canonical_write(struct dmt_canonical *canonical, int fd);

void
dmt_canonical_fini(struct dmt_canonical *canonical);

/* Fills the writer's key, except the counts of events, and the maps of threads
 * and methods. */
enum dmtrace_status
dmt_canonical_put_key(struct dmt_canonical *canonical);

/* Sets the counts of events in the key, after the last event is written. */
enum dmtrace_status
dmt_canonical_put_counts(struct dmt_canonical *canonical);

#endif
