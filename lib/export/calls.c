/* calls.c - the events of a source as calls that all begin and end */

/*
 * Viewers require an end for each begin. But a trace begins and ends in the
 * middle of calls, an exception ends several calls with one event, and some
 * exits are of no open call. The steps here are those that a profile counts
 * (lib/profile/engine.c), so that the sums in a viewer are those of "dmtrace
 * report": a call without an enter begins with its thread, a call without an
 * exit ends with its thread, an exit of an outer call ends the calls inside
 * it, and an exit of a method that is not open makes no step.
 *
 * Calls that were open before the trace are only known by their exits. So the
 * events are read twice: in the first pass the call stacks store such exits,
 * and in the second pass the first steps of each thread enter these calls.
 */

#include "export/calls.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "format/layout.h"
#include "private/select.h"

#define CLOCKS DMTRACE_PROFILE_CLOCKS

struct call_times {
	uint64_t ns[CLOCKS];		/* 0 for a clock that the trace lacks */
	bool no_cpu;
	bool cut;			/* made at the edge of a window */
};

struct dmt_calls_thread {
	struct call_times first;
	struct call_times last;
	bool begun;
	bool stepped;			/* it has a first step */
};

static enum dmtrace_status
fail_memory(struct dmt_calls *calls)
{
	return dmt_error_memory(&calls->error);
}

static enum dmtrace_status
fail_source(struct dmt_calls *calls)
{
	calls->error = *dmtrace_source_error(calls->source);
	return calls->error.status;
}

/* Makes sure that the stacks and the array of threads cover all threads. */
static bool
take_threads(struct dmt_calls *calls)
{
	const size_t count = calls->source->indexes->thread_count;

	if (!dmt_callstacks_reserve(&calls->stacks, count))
		return false;
	if (count <= calls->thread_count)
		return true;
	struct dmt_calls_thread *const threads = dmt_array_grow_zero(
	    calls->threads, &calls->thread_capacity, count,
	    sizeof(*threads));
	if (threads == NULL)
		return false;
	calls->threads = threads;
	calls->thread_count = count;
	return true;
}

static inline enum dmtrace_status
take_step(struct dmt_calls *calls, const struct dmt_batch *batch, size_t at,
    struct dmt_step *step)
{
	const uint32_t index = batch->thread[at];
	struct dmt_callstack *const stack = &calls->stacks.items[index];
	const enum dmtrace_status status = dmt_callstack_step(&calls->stacks,
	    stack, batch->method[at], batch->action[at], step);

	return status == DMTRACE_OK ? DMTRACE_OK :
	    dmt_callstack_fail(&calls->stacks, stack, status,
	    calls->source->indexes->threads[index].number, 0, &calls->error);
}

/* Runs the first pass. */
static enum dmtrace_status
note_unentered_calls(struct dmt_calls *calls)
{
	struct dmt_batch *batch;
	struct dmt_step step;

	calls->stacks.notes = true;
	dmt_want_pass(calls->source, 1);
	dmt_want(calls->source, DMT_COLUMN_THREAD | DMT_COLUMN_METHOD |
	    DMT_COLUMN_ACTION);
	for (;;) {
		if (dmt_pull(calls->source, &batch) != DMTRACE_OK)
			return fail_source(calls);
		if (batch == NULL)
			break;
		if (!take_threads(calls))
			return fail_memory(calls);
		for (size_t i = 0; i < batch->kept; i++) {
			if (take_step(calls, batch, batch->keep[i], &step) !=
			    DMTRACE_OK)
				return calls->error.status;
			calls->counts->unentered +=
			    step.kind == DMT_STEP_BEFORE;
		}
	}
	calls->stacks.notes = false;
	dmt_callstacks_reset(&calls->stacks);
	return dmt_source_rewind(calls->source) == DMTRACE_OK ?
	    DMTRACE_OK : fail_source(calls);
}

enum dmtrace_status
dmt_calls_init(struct dmt_calls *calls, struct dmtrace_source *source,
    struct dmtrace_export_counts *counts, bool rising)
{
	*calls = (struct dmt_calls){
		.source = source, .counts = counts, .rising = rising,
		.has_clock = { dmt_layout_has_cpu(source->layout),
		    dmt_layout_has_wall(source->layout) }
	};
	dmt_callstacks_init(&calls->stacks, sizeof(struct dmt_call_frame));
	if (note_unentered_calls(calls) != DMTRACE_OK)
		return calls->error.status;
	dmt_want(source, DMT_COLUMN_THREAD | DMT_COLUMN_METHOD |
	    DMT_COLUMN_ACTION | DMT_COLUMN_FLAGS |
	    (calls->has_clock[DMTRACE_PROFILE_CPU] ? DMT_COLUMN_CPU : 0) |
	    (calls->has_clock[DMTRACE_PROFILE_WALL] ? DMT_COLUMN_WALL : 0));
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_calls_again(struct dmt_calls *calls, unsigned weight)
{
	dmt_callstacks_reset(&calls->stacks);
	for (size_t i = 0; i < calls->thread_count; i++)
		calls->threads[i] = (struct dmt_calls_thread){ .begun = false };
	calls->order_count = calls->ended = calls->count = 0;
	if (dmt_source_rewind(calls->source) != DMTRACE_OK)
		return fail_source(calls);
	dmt_weigh_pass(calls->source, weight);
	return DMTRACE_OK;
}

static inline bool
reserve_steps(struct dmt_calls *calls, size_t more)
{
	if (calls->capacity - calls->count >= more)
		return true;
	struct dmt_call_step *const steps = dmt_array_grow(calls->steps,
	    &calls->capacity, calls->count + more, sizeof(*steps));

	if (steps == NULL)
		return false;
	calls->steps = steps;
	return true;
}

/* Adds a step; there is space for it. */
static inline void
add_step(struct dmt_calls *calls, uint32_t index, uint32_t method,
    struct call_times now, uint32_t depth, bool enters, bool added)
{
	struct dmt_calls_thread *const thread = &calls->threads[index];

	calls->steps[calls->count++] = (struct dmt_call_step){
		.thread = index, .method = method,
		.ns = { now.ns[0], now.ns[1] },
		.depth = depth, .enters = enters, .no_cpu = now.no_cpu,
		.begins = !thread->stepped, .added = added,
		.cut = added || now.cut
	};
	thread->stepped = true;
}

/* Handles the first event of a thread. */
static bool
begin_thread(struct dmt_calls *calls, uint32_t index)
{
	struct dmt_calls_thread *const thread = &calls->threads[index];
	struct dmt_callstack *const stack = &calls->stacks.items[index];
	uint32_t *const order = dmt_array_grow(calls->order,
	    &calls->order_capacity, calls->order_count + 1, sizeof(*order));

	if (order == NULL || !dmt_callstack_begin(&calls->stacks, stack) ||
	    !reserve_steps(calls, stack->depth))
		return false;
	calls->order = order;
	order[calls->order_count++] = index;
	thread->begun = true;
	thread->first = thread->last;
	for (uint32_t depth = 1; depth <= stack->depth; depth++)
		add_step(calls, index, dmt_callstack_method(&calls->stacks,
		    stack, depth), thread->last, depth, true, true);
	return true;
}

/* Returns the times of an event, and makes them the last ones of its thread. */
static inline struct call_times
take_times(struct dmt_calls *calls, struct dmt_calls_thread *thread,
    const struct dmt_batch *batch, size_t at)
{
	const struct call_times last = thread->last;
	struct call_times now = {
		.ns = {
			[DMTRACE_PROFILE_CPU] =
			    calls->has_clock[DMTRACE_PROFILE_CPU] ?
			    batch->cpu_ns[at] : 0,
			[DMTRACE_PROFILE_WALL] =
			    calls->has_clock[DMTRACE_PROFILE_WALL] ?
			    batch->wall_ns[at] : 0
		},
		.no_cpu = (batch->flags[at] & DMT_EVENT_NO_CPU) != 0,
		.cut = (batch->flags[at] & (DMT_EVENT_OPENED |
		    DMT_EVENT_CLOSED)) != 0
	};

	if (now.ns[0] < last.ns[0] || now.ns[1] < last.ns[1]) {
		calls->counts->set_back++;
		for (int clock = 0; clock < CLOCKS; clock++)
			if (calls->rising && now.ns[clock] < last.ns[clock])
				now.ns[clock] = last.ns[clock];
	}
	thread->last = now;
	return now;
}

/* Makes the steps of an event that neither enters a call nor exits the
 * innermost one. false: no memory. */
static bool
take_unusual(struct dmt_calls *calls, uint32_t index, uint32_t method,
    struct call_times now, const struct dmt_step *step)
{
	switch (step->kind) {
	case DMT_STEP_UNWOUND:
		if (!reserve_steps(calls, step->dropped + (size_t)1))
			return false;
		for (uint32_t i = step->dropped + 1; i-- > 0; )
			add_step(calls, index, dmt_callstack_method(
			    &calls->stacks, &calls->stacks.items[index],
			    step->depth + i), now, step->depth + i, false,
			    false);
		calls->counts->unwound += step->dropped;
		break;
	case DMT_STEP_BEFORE:		/* the file has changed since */
		break;
	case DMT_STEP_STRAY:
		calls->counts->strays++;
		break;
	default:
		calls->counts->reserved++;
		break;
	}
	if (calls->strays && (step->kind == DMT_STEP_STRAY ||
	    step->kind == DMT_STEP_IGNORED))
		add_step(calls, index, method, now, 0, false, false);
	return true;
}

/* Makes the step of a usual event. It has no branch on whether the event
 * begins a call or ends the innermost one, which would be mispredicted. */
static inline bool
take_event(struct dmt_calls *calls, const struct dmt_batch *batch, size_t at)
{
	const uint32_t index = batch->thread[at];
	struct dmt_calls_thread *const thread = &calls->threads[index];
	const struct call_times now = take_times(calls, thread, batch, at);
	struct dmt_step step;

	if ((!thread->begun && !begin_thread(calls, index)) ||
	    take_step(calls, batch, at, &step) != DMTRACE_OK ||
	    !reserve_steps(calls, 1))
		return false;
	if (step.kind > DMT_STEP_LEFT)
		return take_unusual(calls, index, batch->method[at], now,
		    &step);
	add_step(calls, index, batch->method[at], now, step.depth,
	    step.kind == DMT_STEP_ENTERED, false);
	return true;
}

/* Ends the calls that are still open, with the thread. */
static bool
end_thread(struct dmt_calls *calls, uint32_t index)
{
	const struct dmt_calls_thread *const thread = &calls->threads[index];
	const struct dmt_callstack *const stack = &calls->stacks.items[index];

	if (!reserve_steps(calls, stack->depth))
		return false;
	calls->counts->unended += stack->depth;
	for (uint32_t depth = stack->depth; depth > 0; depth--)
		add_step(calls, index, dmt_callstack_method(&calls->stacks,
		    stack, depth), thread->last, depth, false, true);
	return true;
}

enum dmtrace_status
dmt_calls_next(struct dmt_calls *calls)
{
	struct dmt_batch *batch = NULL;

	calls->count = 0;
	while (calls->count == 0 && calls->ended == 0) {
		if (dmt_pull(calls->source, &batch) != DMTRACE_OK)
			return fail_source(calls);
		if (batch == NULL)
			break;
		calls->counts->events += batch->kept;
		if (!take_threads(calls) || !reserve_steps(calls, batch->kept))
			return fail_memory(calls);
		for (size_t i = 0; i < batch->kept; i++)
			if (!take_event(calls, batch, batch->keep[i]))
				return fail_memory(calls);
	}
	while (calls->count == 0 && calls->ended < calls->order_count)
		if (!end_thread(calls, calls->order[calls->ended++]))
			return fail_memory(calls);
	return DMTRACE_OK;
}

const uint64_t *
dmt_calls_first(const struct dmt_calls *calls, uint32_t thread)
{
	return calls->threads[thread].first.ns;
}

const uint64_t *
dmt_calls_last(const struct dmt_calls *calls, uint32_t thread)
{
	return calls->threads[thread].last.ns;
}

void
dmt_calls_fini(struct dmt_calls *calls)
{
	free(calls->threads);
	free(calls->order);
	free(calls->steps);
	dmt_callstacks_fini(&calls->stacks);
}
