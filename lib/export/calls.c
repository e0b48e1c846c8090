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

#include "base/error.h"
#include "format/layout.h"
#include "private/array.h"
#include "private/select.h"

#define CLOCKS DMTRACE_PROFILE_CLOCKS
#define CALL_COLUMNS (DMT_COLUMN_THREAD | DMT_COLUMN_METHOD | DMT_COLUMN_ACTION)

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

static unsigned
time_columns(const struct dmt_calls *calls)
{
	return (calls->has_clock[DMTRACE_PROFILE_CPU] ? DMT_COLUMN_CPU : 0) |
	    (calls->has_clock[DMTRACE_PROFILE_WALL] ? DMT_COLUMN_WALL : 0);
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

/* Notes the time of an event of a thread. */
static void
note_event_time(struct dmt_calls *calls, const struct dmt_batch *batch,
    size_t at)
{
	struct dmt_calls_thread *const thread =
	    &calls->threads[batch->thread[at]];
	struct call_times *const last = &thread->last;

	if (calls->has_clock[DMTRACE_PROFILE_CPU])
		last->ns[DMTRACE_PROFILE_CPU] = batch->cpu_ns[at];
	if (calls->has_clock[DMTRACE_PROFILE_WALL])
		last->ns[DMTRACE_PROFILE_WALL] = batch->wall_ns[at];
	if (thread->begun)
		return;
	*dmt_push(&calls->order, &calls->no_memory) = batch->thread[at];
	thread->begun = true;
	thread->first = *last;
}

/* Runs the first pass. */
static enum dmtrace_status
note_unentered_calls(struct dmt_calls *calls, bool looks)
{
	struct dmt_batch *batch;
	struct dmt_step step;

	calls->stacks.notes = true;
	dmt_want_pass(calls->source, 1);
	dmt_want(calls->source, CALL_COLUMNS |
	    (looks ? time_columns(calls) : 0));
	for (;;) {
		if (dmt_pull(calls->source, &batch) != DMTRACE_OK)
			return fail_source(calls);
		if (batch == NULL)
			break;
		for (size_t i = 0; i < batch->kept; i++) {
			if (take_step(calls, batch, batch->keep[i], &step) !=
			    DMTRACE_OK)
				return calls->error.status;
			calls->counts->unentered +=
			    step.kind == DMT_STEP_BEFORE;
			calls->count += step.kind == DMT_STEP_BEFORE ||
			    step.kind == DMT_STEP_ENTERED;
			if (looks)
				note_event_time(calls, batch, batch->keep[i]);
		}
	}
	calls->stacks.notes = false;
	return calls->no_memory ? fail_memory(calls) : DMTRACE_OK;
}

/* Returns to the first step. */
static enum dmtrace_status
rewind_calls(struct dmt_calls *calls)
{
	dmt_want(calls->source, CALL_COLUMNS | DMT_COLUMN_FLAGS |
	    time_columns(calls));
	dmt_callstacks_reset(&calls->stacks);
	return dmt_source_rewind(calls->source) == DMTRACE_OK ?
	    DMTRACE_OK : fail_source(calls);
}

enum dmtrace_status
dmt_calls_init(struct dmt_calls *calls, struct dmtrace_source *source,
    struct dmtrace_export_counts *counts,
    const struct dmt_calls_options *options)
{
	*calls = (struct dmt_calls){
		.source = source, .counts = counts, .rising = options->rising,
		.has_clock = { dmt_layout_has_cpu(source->layout),
		    dmt_layout_has_wall(source->layout) }
	};
	dmt_callstacks_attach(&calls->stacks, source, options->frame_size);
	dmt_attach(source, &calls->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*calls->threads) });
	if (note_unentered_calls(calls, options->looks) != DMTRACE_OK)
		return calls->error.status;
	return options->looks ? DMTRACE_OK : rewind_calls(calls);
}

enum dmtrace_status
dmt_calls_again(struct dmt_calls *calls, unsigned weight)
{
	for (size_t i = 0; i < calls->source->indexes->thread_count; i++)
		calls->threads[i] = (struct dmt_calls_thread){ .begun = false };
	calls->order.count = calls->ended = calls->steps.count = 0;
	if (rewind_calls(calls) != DMTRACE_OK)
		return calls->error.status;
	dmt_weigh_pass(calls->source, weight);
	return DMTRACE_OK;
}

static inline void
add_step(struct dmt_calls *calls, uint32_t index, uint32_t method,
    struct call_times now, uint32_t depth, bool enters, bool added)
{
	struct dmt_calls_thread *const thread = &calls->threads[index];

	*dmt_push(&calls->steps, &calls->no_memory) = (struct dmt_call_step){
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

	if (!dmt_callstack_begin(&calls->stacks, stack))
		return false;
	*dmt_push(&calls->order, &calls->no_memory) = index;
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
 * innermost one. */
static void
take_unusual(struct dmt_calls *calls, uint32_t index, uint32_t method,
    struct call_times now, const struct dmt_step *step)
{
	switch (step->kind) {
	case DMT_STEP_UNWOUND:
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
	    take_step(calls, batch, at, &step) != DMTRACE_OK)
		return false;
	if (step.kind > DMT_STEP_LEFT) {
		take_unusual(calls, index, batch->method[at], now, &step);
		return true;
	}
	add_step(calls, index, batch->method[at], now, step.depth,
	    step.kind == DMT_STEP_ENTERED, false);
	return true;
}

/* Ends the calls that are still open, with the thread. */
static void
end_thread(struct dmt_calls *calls, uint32_t index)
{
	const struct dmt_calls_thread *const thread = &calls->threads[index];
	const struct dmt_callstack *const stack = &calls->stacks.items[index];

	calls->counts->unended += stack->depth;
	for (uint32_t depth = stack->depth; depth > 0; depth--)
		add_step(calls, index, dmt_callstack_method(&calls->stacks,
		    stack, depth), thread->last, depth, false, true);
}

enum dmtrace_status
dmt_calls_next(struct dmt_calls *calls)
{
	struct dmt_batch *batch = NULL;

	calls->steps.count = 0;
	while (calls->steps.count == 0 && calls->ended == 0) {
		if (dmt_pull(calls->source, &batch) != DMTRACE_OK)
			return fail_source(calls);
		if (batch == NULL)
			break;
		calls->counts->events += batch->kept;
		for (size_t i = 0; i < batch->kept; i++)
			if (!take_event(calls, batch, batch->keep[i]))
				return fail_memory(calls);
		if (calls->no_memory)
			return fail_memory(calls);
	}
	while (calls->steps.count == 0 && calls->ended < calls->order.count)
		end_thread(calls, calls->order.items[calls->ended++]);
	return calls->no_memory ? fail_memory(calls) : DMTRACE_OK;
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
	free(calls->order.items);
	free(calls->steps.items);
	dmt_callstacks_fini(&calls->stacks);
}
