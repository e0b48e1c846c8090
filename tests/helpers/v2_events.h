/* v2_events.h - a block of trace format V2 as events, for tests */
#ifndef V2_EVENTS_H
#define V2_EVENTS_H

#include <dmtrace.h>

#include "data/v2_decode.h"

#define V2_EVENTS_MAX 512

/* As dmt_v2_block_decode, to events: their times are nanoseconds, but not
 * unwrapped, and an exit that does not say what it leaves has method 0. */
static inline enum dmtrace_status
decode_events(struct dmt_v2_block *block, struct dmtrace_event *events,
    size_t capacity, size_t *count)
{
	uint64_t words[V2_EVENTS_MAX], cpu[V2_EVENTS_MAX];
	uint64_t wall[V2_EVENTS_MAX];
	const struct dmt_v2_columns to = { words, cpu, wall };
	const unsigned unit_ns = block->form.stage < DMT_STAGE_E ? 1000 : 1;
	const enum dmtrace_status status = dmt_v2_block_decode(block, &to,
	    capacity < V2_EVENTS_MAX ? capacity : V2_EVENTS_MAX, count);

	for (size_t i = 0; i < *count; i++)
		events[i] = (struct dmtrace_event){
			.method = words[i] & ~UINT64_C(3),
			.cpu_ns = block->form.cpu ? cpu[i] * unit_ns :
			    DMTRACE_NO_TIME,
			.wall_ns = block->form.wall ? wall[i] * unit_ns :
			    DMTRACE_NO_TIME,
			.thread = block->thread,
			.action = (enum dmtrace_action)(words[i] & 3)
		};
	return status;
}

#endif
