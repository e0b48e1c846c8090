/* merge_united.h - the times of threads that several inputs share */
#ifndef DMT_OPS_MERGE_UNITED_H
#define DMT_OPS_MERGE_UNITED_H

#include "events/pipeline.h"
#include "ops/op.h"

/* The last times of a thread of the output. */
struct dmt_merge_last {
	uint64_t cpu_ns;
	uint64_t wall_ns;
};

struct dmt_merge_united {
	const struct dmtrace_source *merger;
	struct dmt_merge_last *lasts;	/* by thread index */
	uint64_t wrap_ns;		/* times of the output are below this */
	uint64_t backs;			/* events whose time goes back */
	uint32_t thread;		/* of the first such event */
	bool is_wall;			/* which clock went back */
	uint64_t from_ns, to_ns;
};

/* Follows the events of the merger, which has thread numbers, CPU and wall
 * times for this. */
void
dmt_merge_united_init(struct dmt_merge_united *united,
    struct dmtrace_source *merger);

/* Takes the times of the merger's next events. */
void
dmt_merge_united_follow(struct dmt_merge_united *united,
    const struct dmt_batch *batch);

/*
 * After the last event: own is how often times go back in the inputs, by_time
 * that the output is in the order of time.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE: a time goes back that does not in
 * its input
 */
enum dmtrace_status
dmt_merge_united_check(const struct dmt_merge_united *united, uint64_t own,
    bool by_time, struct dmtrace_error *error);

#endif
