/* repair_time.h - the times of one thread, made to rise */
#ifndef DMT_OPS_REPAIR_TIME_H
#define DMT_OPS_REPAIR_TIME_H

#include "data/unwrap.h"

#include <dmtrace/repair.h>

/* One clock of a thread, in microseconds. */
struct dmt_lane_clock {
	struct dmt_clock in;		/* as a reader unwraps it */
	uint64_t last;			/* that was written */
	uint64_t first;
	uint64_t shift;			/* what times are moved on by */
};

/* A time as it is to be written; it counts from dmt_lane_clock_set on. */
struct dmt_lane_time {
	uint64_t us;
	uint64_t shift;
	bool back;			/* the record's own is lower */
};

/* The time of the thread's next record. */
struct dmt_lane_time
dmt_lane_clock_next(struct dmt_lane_clock *clock, uint32_t field_us,
    enum dmtrace_repair_time strategy);

/* From last to us: a step that a reader will see as one. */
uint64_t
dmt_lane_clock_reach(const struct dmt_lane_clock *clock, uint64_t us);

static inline void
dmt_lane_clock_set(struct dmt_lane_clock *clock,
    const struct dmt_lane_time *time)
{
	clock->last = time->us;
	clock->shift = time->shift;
}

#endif
