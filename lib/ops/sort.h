/* sort.h - one sort, as long as it lasts */
#ifndef DMT_OPS_SORT_H
#define DMT_OPS_SORT_H

#include "ops/op.h"
#include "ops/runs.h"
#include "ops/sort_key.h"
#include "trace/reader.h"
#include "trace/replay.h"
#include "trace/writer.h"

struct dmt_sort {
	struct dmtrace_op *op;
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;
	uint64_t memory;
	struct dmt_sort_keys keys;
	struct dmt_replay replay;
	struct dmt_runs runs;		/* as they stand in the file */
	size_t runs_max;
	struct dmt_run run;		/* the one that is being read */
	uint64_t opened, closed;	/* records that were added at the
					   edges, where they stay */
	bool ordered;			/* no time was below the one before */
	bool many;			/* more runs than there may be */
	bool copies;			/* what was read is written */
};

/* Reads all records: finds the runs, and copies to the writer as long as they
 * are in order. */
enum dmtrace_status
dmt_sort_scan(struct dmt_sort *sort);

/* Bytes of data to be read: a file is read twice unless it is in order. */
uint64_t
dmt_sort_total(const struct dmt_sort *sort);

/* The status of the sort, which takes over a failure of the reader or the
 * writer. */
enum dmtrace_status
dmt_sort_read_fail(struct dmt_sort *sort);
enum dmtrace_status
dmt_sort_write_fail(struct dmt_sort *sort);

#endif
