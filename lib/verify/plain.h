/* plain.h - a valid trace in the form that every reader takes */
#ifndef DMT_VERIFY_PLAIN_H
#define DMT_VERIFY_PLAIN_H

#include "base/arena.h"
#include "base/idmap.h"
#include "ops/op.h"
#include "format/change.h"
#include "trace/reader.h"
#include "verify/check_events.h"

/* One thread number of the reader. */
struct dmt_plain_lane {
	uint32_t number;		/* in the output */
	uint32_t depth;
	uint32_t skipped;		/* calls below it that are left out */
	bool came;
	uint64_t cpu_ns, wall_ns;	/* what its times lose */
};

/* Set the first six, the others are zero. */
struct dmt_plain {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;	/* of a valid trace, held */
	struct dmtrace_writer *writer;	/* new */
	struct dmt_changes *changes;
	unsigned cures;
	uint64_t records;		/* that the reader will give */

	struct dmtrace_layout layout;	/* of the output */
	struct dmt_plain_lane *lanes;	/* by thread number */
	struct dmt_idmap methods;	/* index in the key, by id */
	struct dmt_idmap thread_names;	/* their hashes */
	struct dmt_arena names;		/* of the row in hand */
	uint64_t next_thread;		/* that may be free */
	uint64_t moved_us;		/* all wall times, if they can be
					   compared */
	uint64_t opened, closed;	/* records that an earlier tool added */
	uint64_t dropped, opened_dropped, closed_dropped;
};

/* Writes the trace to fd, where it stands. */
enum dmtrace_status
dmt_plain_write(struct dmt_plain *plain, int fd);

void
dmt_plain_fini(struct dmt_plain *plain);

/* The layout of the output, and what is told of it. */
void
dmt_plain_set_layout(struct dmt_plain *plain);

/* The writer's key, but for the numbers that only its records tell. */
enum dmtrace_status
dmt_plain_put_key(struct dmt_plain *plain);

/* Those numbers. */
enum dmtrace_status
dmt_plain_put_counts(struct dmt_plain *plain);

/* A name as it is to be, which may be the same bytes. tabs: one stays one.
 * false: no memory. */
bool
dmt_plain_name(struct dmt_plain *plain, struct dmtrace_text *name,
    bool tabs);

#endif
