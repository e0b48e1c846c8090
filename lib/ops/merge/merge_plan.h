/* merge_plan.h - what a merge is asked for, its inputs and its output */
#ifndef DMT_OPS_MERGE_PLAN_H
#define DMT_OPS_MERGE_PLAN_H

#include "ops/merge/merge_input.h"
#include "ops/merge/merge_methods.h"
#include "ops/merge/merge_options.h"
#include "ops/merge/merge_threads.h"

/* What the inputs' events become. */
struct dmt_merge_output {
	struct dmt_layout layout;
	struct dmt_merge_threads threads;
	struct dmt_merge_methods methods;
	struct dmtrace_merge_result result;
};

struct dmt_merge_plan {
	struct dmtrace_op *op;
	struct dmtrace_merge_options options;
	struct dmt_trace_format asked;	/* what the caller asked for; its
					   dialect is NULL if nothing */
	bool again;			/* the second attempt, with a version
					   above 1 */
	struct dmt_merge_input *inputs;
	size_t count;
	struct dmt_merge_common common;	/* options of the inputs */
	struct dmt_merge_output output;
};

/* Returns true if the output has wide numbers: the caller asked for them, or
 * an input requires them. */
bool
dmt_merge_plan_is_wide(const struct dmt_merge_plan *plan);

/* After planning: returns true if vm=dalvik would mislead: in version 1 it says
 * that wall times start anew in each thread. */
bool
dmt_merge_plan_misleads(const struct dmt_merge_plan *plan);

/*
 * Chooses clocks, version, order, and the time line of each input: sets these
 * in the writer and its key, in the inputs and in the output. highest: of the
 * threads' numbers.
 */
enum dmtrace_status
dmt_merge_plan_make(struct dmt_merge_plan *plan, struct dmtrace_writer *writer,
    uint32_t highest);

#endif
