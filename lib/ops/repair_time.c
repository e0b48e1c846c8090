/* repair_time.c - the times of one thread, made to rise */

#include "ops/repair_time.h"

/* The time that a reader makes of the field: it counts the wraps, and keeps
 * other steps back. */
static uint64_t
unwrap(struct dmt_clock *in, uint32_t field_us)
{
	const uint32_t wraps_max = (uint32_t)(UINT64_MAX / 1000 >> 32) - 1;

	if (field_us < in->low_us && in->low_us - field_us > 1u << 31 &&
	    in->wraps < wraps_max)
		in->wraps++;
	in->low_us = field_us;
	return dmt_clock_us(in);
}

/*
 * A field that is lower than the last, though not by enough to have wrapped,
 * would be read as a step back: the highest time before the wrap will do.
 */
uint64_t
dmt_lane_clock_reach(const struct dmt_lane_clock *clock, uint64_t us)
{
	const uint32_t last = (uint32_t)clock->last;
	const uint32_t next = (uint32_t)us;
	const uint64_t jump = us - clock->last;

	if (us <= clock->last)
		return clock->last;
	if (jump >> 32 != 0 || (next < last && last - next <= 1u << 31))
		return clock->last | UINT32_MAX;
	return us;
}

struct dmt_lane_time
dmt_lane_clock_next(struct dmt_lane_clock *clock, uint32_t field_us,
    enum dmtrace_repair_time strategy)
{
	const uint64_t own = unwrap(&clock->in, field_us);
	struct dmt_lane_time time = { own, 0, own < clock->last };

	if (strategy == DMTRACE_REPAIR_SHIFT) {
		time.shift = clock->shift;
		if (own + time.shift < clock->last)
			time.shift = clock->last - own;
		time.us = own + time.shift;
	}
	time.us = dmt_lane_clock_reach(clock, time.us);
	return time;
}
