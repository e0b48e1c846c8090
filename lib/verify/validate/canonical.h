/* canonical.h - writes a valid trace in a form that every reader accepts */
#ifndef DMT_VERIFY_CANONICAL_H
#define DMT_VERIFY_CANONICAL_H

#include "base/arena.h"
#include "base/idmap.h"
#include "base/name_table.h"
#include "format/change.h"
#include "ops/convert/convert_stage.h"
#include "ops/op.h"
#include "trace/reader.h"
#include "trace/writer.h"

/* The caller sets the first five members; the others must be zero. */
struct dmt_canonical {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;	/* open on a valid trace, no event read
					   yet */
	struct dmtrace_writer *writer;	/* a new one, not open */
	struct dmt_changes *changes;
	unsigned cures;			/* bits of enum dmt_cure */

	struct dmt_conversion to;
	uint64_t last_method;		/* the id that was given last */
	struct dmt_name_table option_names;	/* in the output */
	struct dmt_name_table thread_names;
	struct dmt_idmap numbers;	/* of threads in the output */
	struct dmt_arena names;		/* texts of the current row */
	uint64_t next_thread;		/* lowest number that may be free */
	uint64_t written;		/* number of events */
};

/* Writes the trace to fd, from its current position on. Returns the status. */
enum dmtrace_status
dmt_canonical_write(struct dmt_canonical *canonical, int fd);

void
dmt_canonical_fini(struct dmt_canonical *canonical);

/* Makes the key, except the counts of events, and decides numbers and ids.
 * NULL: the failure is in the operation. */
struct dmtrace_key *
dmt_canonical_key(struct dmt_canonical *canonical);

/* Sets the counts of events in the key, after the last event is written. */
enum dmtrace_status
dmt_canonical_put_counts(struct dmt_canonical *canonical,
    struct dmtrace_key *key);

#endif
