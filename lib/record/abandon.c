/* abandon.c - events that a signal handler has jumped out of */

#define _DEFAULT_SOURCE		/* SS_ONSTACK */

#include <signal.h>

#include "record/lane_event.h"

/* A handler's frame is farther than that below what it has interrupted: the
 * system has put the registers in between. Functions of an event are not. */
#define HANDLER_MIN 512

static bool
is_within(const stack_t *stack, uintptr_t place)
{
	return (stack->ss_flags & SS_DISABLE) == 0 &&
	    place - (uintptr_t)stack->ss_sp < stack->ss_size;
}

/* Whether what is at place cannot have interrupted an event at busy. Stacks
 * grow downward; the one for signals is another, which has nothing to do with
 * the rest unless both are on it. */
static bool
has_gone(uintptr_t busy, uintptr_t place)
{
	stack_t stack;

	if (sigaltstack(NULL, &stack) == 0 && stack.ss_sp != NULL &&
	    is_within(&stack, busy) != is_within(&stack, place))
		return is_within(&stack, busy);
	return place + HANDLER_MIN > busy;
}

int64_t
dmt_lane_balance(const struct dmtrace_recorder *recorder,
    const struct dmt_lane *lane)
{
	const struct dmtrace_layout *layout = recorder->layout;
	int64_t balance = 0;

	for (const uint8_t *at = lane->buffer; at < lane->at;
	    at += layout->record_size)
		balance += (dmt_field_get(layout->method, at) & 3) ==
		    DMTRACE_ENTER ? 1 : -1;
	return balance;
}

/* The record comes first, the frame behind it. */
static void
settle_frames(const struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	const struct dmtrace_layout *layout = recorder->layout;
	const int64_t depth = lane->base_depth +
	    dmt_lane_balance(recorder, lane);

	if (recorder->options.mismatch == DMTRACE_MISMATCH_AS_IS)
		return;			/* exits need no frames */
	if (depth == (int64_t)lane->depth - 1)
		lane->depth--;
	if (depth == (int64_t)lane->depth + 1)
		lane->frames[lane->depth++] = (struct dmt_frame){
			.method = (uint32_t)dmt_field_get(layout->method,
			    lane->at - layout->record_size)
		};
}

/* The time of the last record may not be noted, the anchor be half set. */
static void
settle_times(const struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	const struct dmtrace_layout *layout = recorder->layout;
	const uint8_t *record = lane->at - layout->record_size;

	lane->anchor.limit = 0;
	lane->anchor.ticks = 0;
	if (lane->at == lane->buffer)
		return;
	lane->last.cpu_us = (uint32_t)dmt_field_get(layout->cpu, record);
	lane->last.wall_us = (uint32_t)dmt_field_get(layout->wall, record);
}

void
dmt_lane_settle(const struct dmtrace_recorder *recorder,
    struct dmt_lane *lane)
{
	if (lane->epoch != DMT_EPOCH_OFF && lane->thread != 0) {
		settle_frames(recorder, lane);
		settle_times(recorder, lane);
	}
	dmt_lane_release(lane);
}

bool
dmt_lane_recover(const struct dmtrace_recorder *recorder,
    struct dmt_lane *lane, uintptr_t place)
{
	if (!has_gone(atomic_load(&lane->busy), place))
		return false;
	dmt_lane_settle(recorder, lane);
	return true;
}
