/* repair_edges.c - calls that the beginning or the end of a trace cuts */

#include "ops/repair_walk.h"

#include <inttypes.h>

/* The lowest first, or the highest last, wall time there is. */
static uint64_t
bound(const struct dmt_walked *walk, bool last)
{
	uint64_t found = last ? 0 : UINT64_MAX;

	for (size_t i = 0; i < walk->order.count; i++) {
		const struct dmt_lane_clock *const wall =
		    &dmt_walked_lane(walk, walk->order.items[i])->wall;

		if (last ? wall->last > found : wall->first < found)
			found = last ? wall->last : wall->first;
	}
	return found;
}

/* Exits for what is open, at the end of the trace or, where that cannot be
 * compared, of its thread. */
void
dmt_walked_close(struct dmt_walked *walk)
{
	const uint64_t end_us = bound(walk, true);

	if (dmt_repair_keeps_edges(walk->repair))
		return;
	for (size_t i = 0; i < walk->order.count; i++) {
		struct dmtrace_event event =
		    { .thread = (uint32_t)walk->order.items[i],
		    .action = DMTRACE_EXIT };
		const struct dmt_repair_lane *const lane =
		    dmt_walked_lane(walk, event.thread);
		const uint64_t wall_us = walk->comparable ?
		    dmt_lane_clock_reach(&lane->wall, end_us) :
		    lane->wall.last;

		for (uint32_t depth = dmtrace_stacks_depth(walk->stacks,
		    event.thread); depth > 0; depth--) {
			event.method = dmtrace_stacks_method(walk->stacks,
			    event.thread, depth);
			dmt_walked_put_new(walk, &event, lane->cpu.last,
			    wall_us);
			dmt_change_add(&walk->changes, DMT_CALL_OPEN, 1,
			    DMTRACE_PLACE_NONE, 0, "thread %" PRIu32
			    ", method 0x%" PRIx64, event.thread,
			    event.method);
			walk->closed++;
		}
	}
}

/* Enters of what was open at the beginning: the same walk, done before, has
 * found it. */
void
dmt_walked_open(struct dmt_walked *walk, const struct dmt_walked *before)
{
	const uint64_t start_us = bound(before, false);

	for (size_t i = 0; i < before->order.count; i++) {
		struct dmtrace_event event =
		    { .thread = (uint32_t)before->order.items[i],
		    .action = DMTRACE_ENTER };
		const struct dmt_repair_lane *const lane =
		    dmt_walked_lane(before, event.thread);

		for (size_t j = lane->opened_count; j > 0; j--) {
			event.method = lane->opened[j - 1];
			dmt_walked_put_new(walk, &event, lane->cpu.first,
			    walk->comparable ? start_us : lane->wall.first);
		}
	}
}
