/* canonical.h - a valid trace in the form that every reader takes */
#ifndef DMT_VERIFY_CANONICAL_H
#define DMT_VERIFY_CANONICAL_H

#include "base/arena.h"
#include "base/idmap.h"
#include "base/name_table.h"
#include "format/change.h"
#include "ops/op.h"
#include "trace/reader.h"
#include "trace/writer.h"

/* Set the first five, the others are zero. */
struct dmt_canonical {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;	/* of a valid trace, at its first
					   record */
	struct dmtrace_writer *writer;	/* new */
	struct dmt_changes *changes;
	unsigned cures;			/* bits of enum dmt_cure */

	struct dmt_layout layout;	/* of the output */
	struct dmt_idmap threads;	/* new numbers, by the old ones that
					   are not kept */
	struct dmt_idmap methods;	/* row in the key, by id; empty: ids
					   are kept */
	struct dmt_name_table thread_names;	/* of the output */
	struct dmt_arena names;		/* of the current row */
	uint64_t next_thread;		/* number that may be free */
	uint64_t moved_us;		/* what all wall times lose, if they
					   can be compared */
	uint64_t written;		/* events */
	uint64_t dropped;		/* events, and of them those that an
					   earlier filter added */
	uint64_t opened_dropped;
	uint64_t closed_dropped;
};

/* Writes the trace to fd, from its current position on. */
enum dmtrace_status
dmt_canonical_write(struct dmt_canonical *canonical, int fd);

void
dmt_canonical_fini(struct dmt_canonical *canonical);

/* Fills the writer's key, but for the numbers that depend on its events, and
 * the maps of threads and methods. */
enum dmtrace_status
dmt_canonical_put_key(struct dmt_canonical *canonical);

/* Those numbers, when all events are written. */
enum dmtrace_status
dmt_canonical_put_counts(struct dmt_canonical *canonical);

#endif
