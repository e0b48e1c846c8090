/* weave.h - runs of records to one trace, in the order of their keys */
#ifndef DMT_OPS_WEAVE_H
#define DMT_OPS_WEAVE_H

#include "ops/op.h"
#include "ops/runs.h"
#include "trace/replay.h"
#include "trace/writer.h"

#define DMT_KEY_SIZE 8		/* bytes, before a record that has one */

struct dmt_weave {
	struct dmt_replay *replay;	/* where the records are */
	const struct dmtrace_layout *layout;
	const struct dmt_runs *runs;	/* of equal keys, the first run's go
					   first */
	bool keyed;			/* each record has its key before it */
	uint64_t memory;		/* for buffers, in bytes */
	struct dmtrace_writer *writer;
	uint64_t done, total;		/* bytes, for progress */
};

/*
 * Only the runs that overlap have buffers, of a record at least: the caller
 * sees that there are not too many. order and overlap are from
 * dmt_runs_order.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO or
 * DMTRACE_ERR_CANCELLED; the op has the failure
 */
enum dmtrace_status
dmt_weave(struct dmtrace_op *op, struct dmt_weave *weave,
    const size_t *order, size_t overlap);

#endif
