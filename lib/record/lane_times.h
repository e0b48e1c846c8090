/* lane_times.h - when an event of a lane is */
#ifndef DMT_RECORD_LANE_TIMES_H
#define DMT_RECORD_LANE_TIMES_H

#include "record/lane.h"

/* The lane's, which may be read while it is not busy. */
DMT_INLINE enum dmt_time_source
dmt_lane_source(const struct dmt_lane *lane)
{
	return atomic_load_explicit(&lane->source, memory_order_relaxed);
}

/* Microseconds, which may be more than the file holds; 0 before its start. */
DMT_INLINE uint64_t
dmt_lane_wall_us(const struct dmt_lane *lane)
{
	const uint64_t us = dmt_clock_us();

	return us < lane->start_us ? 0 : us - lane->start_us;
}

DMT_INLINE uint64_t
dmt_lane_cpu_us(const struct dmt_lane *lane)
{
	const uint64_t ns = dmt_clock_cpu_ns();

	return ns < lane->cpu_start_ns ? 0 :
	    (ns - lane->cpu_start_ns) / 1000;
}

/* false: the file is too old for the time. */
DMT_INLINE bool
dmt_lane_system_times(const struct dmt_lane *lane, struct dmt_times *times)
{
	const enum dmt_time_source source = dmt_lane_source(lane);
	const uint64_t cpu_us = source == DMT_TIME_MONOTONIC ? 0 :
	    dmt_lane_cpu_us(lane);
	const uint64_t wall_us = source == DMT_TIME_CPU ? 0 :
	    dmt_lane_wall_us(lane);

	times->cpu_us = (uint32_t)cpu_us;
	times->wall_us = (uint32_t)wall_us;
	return cpu_us <= lane->limit_us && wall_us <= lane->limit_us;
}

/* false: the anchor is too old. */
DMT_INLINE bool
dmt_lane_read_ticks(const struct dmt_lane *lane, struct dmt_times *times)
{
	const uint64_t ticks = dmt_ticks() - lane->anchor.ticks;

	times->cpu_us = 0;
	times->wall_us = dmt_anchor_us(&lane->anchor, ticks);
	return ticks <= lane->anchor.limit;
}

DMT_INLINE bool
dmt_lane_read_times(const struct dmt_lane *lane, struct dmt_times *times)
{
	return dmt_lane_source(lane) == DMT_TIME_TICKS ?
	    dmt_lane_read_ticks(lane, times) :
	    dmt_lane_system_times(lane, times);
}

/*
 * Now, never before the thread's last time. false: recording has ended, and
 * the lane is not busy any more.
 */
DMT_INLINE bool
dmt_lane_now(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    struct dmt_times *times)
{
	if (DMT_UNLIKELY(!dmt_lane_read_times(lane, times)) &&
	    !dmt_lane_late(recorder, lane, times))
		return false;
	if (times->cpu_us < lane->last.cpu_us)
		times->cpu_us = lane->last.cpu_us;
	if (times->wall_us < lane->last.wall_us)
		times->wall_us = lane->last.wall_us;
	return true;
}

/* By ticks. false: a time that dmt_lane_now has to look at, such as one before
 * the last. */
DMT_INLINE bool
dmt_lane_read_wall(const struct dmt_lane *lane, uint32_t *wall_us)
{
	const uint64_t ticks = dmt_ticks() - lane->anchor.ticks;

	*wall_us = dmt_anchor_us(&lane->anchor, ticks);
	return ticks <= lane->anchor.limit && *wall_us >= lane->last.wall_us;
}

#endif
