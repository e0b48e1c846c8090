/* engine.c - adds the calls and times of a trace's events to a profile */

/*
 * The events of a source are read once, in order. The call-stack engine
 * (lib/events/callstacks.h) decides which calls an event enters and exits. The
 * frame of an open call has its start time, the edge from its caller (which has
 * the method), its path, and its exclusive time so far: at each event, the time
 * since the thread's event before is added to the innermost frame. When the
 * call ends, its inclusive and exclusive times are added to the totals of
 * these. A call is recursive if another call of the same method of the profile
 * is open in its thread; each thread has a bit per method for that.
 *
 * Nearly all events enter a call, or leave the innermost one. Which of the two
 * comes next is hard to predict. Therefore profile_events does the same for
 * both, without a branch, and leaves everything else to profile_slowly.
 *
 * If edges are kept, a call is added to its edge only, because access to memory
 * is slow: at the end, the times of a method are computed from the inclusive
 * times of the edges to it and from it.
 *
 * A trace may begin in the middle of calls. Such a call is known only when an
 * exit without an enter comes, too late to count the earlier events as part of
 * it. Therefore the call stacks note such exits. If there are any, the totals
 * are dropped, and the events are read a second time, with these calls open
 * from the start. If the first pass failed, there is no second one, and the
 * totals lack these calls. The frame below the outermost call stands for the
 * time outside of methods.
 *
 * Totals are collected for each trace and added to those of the profile at the
 * end of the trace. All threads of a trace share one table unless totals of
 * each thread are kept. Paths are kept for each thread, and added in the order
 * of the threads.
 *
 * Sums of times are kept modulo 2^64. They are correct if every time is below
 * 2^63, and if two sums of absolute values, which are floating point numbers,
 * are also below 2^63. The sum over all steps from one event of a thread to the
 * next is a bound for the times of methods: it is the time from the first event
 * to the last one, plus twice the time by which the clock was set back. The sum
 * over all calls is a bound for the times of edges and paths.
 */

#include "profile/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "events/callstacks.h"
#include "events/select.h"
#include "format/layout.h"

#define UNKNOWN_INDEX (UINT32_MAX - 1)	/* an index that no method has */

/* An open call, or the time outside of all calls. */
struct profile_frame {
	struct dmt_call_frame call;
	uint32_t path;			/* index of the path */
	uint64_t edge;			/* from its caller: see dmt_edge_key */
	uint64_t opened;		/* the bit of its method in open, if
					   this call set it; 0: recursive */
	uint64_t start[DMT_CLOCKS];
	uint64_t self[DMT_CLOCKS];	/* exclusive time so far */
};

/* A call that has ended and is not counted yet: see count_left_calls. */
struct left_call {
	struct dmt_totals *totals;
	uint64_t edge;			/* see dmt_edge_key */
	uint64_t inclusive[DMT_CLOCKS];
	uint64_t exclusive[DMT_CLOCKS];
};

enum { LEFT_CALLS = 64 };

/* A thread of the trace; zero before its first event. */
struct profile_thread {
	struct profile_frame *innermost;	/* the frame at the depth of
					   the stack, which may be out of date
					   while this is not */
	struct profile_frame *full;	/* if it is innermost, an enter needs
					   a slow step */
	uint64_t *open;			/* a bit for each method: a call of it
					   is open */
	uint64_t last[DMT_CLOCKS];	/* times of the last event */
	uint64_t steps[2];		/* number of events that entered a call,
					   and that left one; without the
					   others: */
	uint64_t slow_records;		/* see profile_slowly */
	uint64_t slow_calls;		/* that these ended */
	struct dmt_totals *totals;	/* own, or those of the engine */
	size_t words;			/* of 64 bits, in open */
	bool begun;
	bool partial;			/* it used CPU time after its last
					   event, nobody knows how much */
	uint32_t row;			/* index of the thread in the profile */
	struct dmt_totals *own;		/* with DMTRACE_PROFILE_THREADS */
	struct dmt_call_paths paths;
	uint64_t first[DMT_CLOCKS];	/* times of the first event */
	uint64_t overhead[DMT_CLOCKS];	/* subtracted so far */
	uint64_t corrected[DMT_CLOCKS];	/* times of the last event from which
					   it was subtracted */
	double back_ns[DMT_CLOCKS];	/* by how much clocks were set back */
};

/* The clocks that a trace has, from first to end - 1. Where this is a constant,
 * no code is made for a clock that is missing. */
struct clock_range {
	int first;
	int end;
};

static const struct clock_range all_clocks = { 0, DMT_CLOCKS };

struct engine {
	struct dmtrace_profile *profile;
	struct dmtrace_source *source;
	unsigned keep;
	struct clock_range clocks;
	uint64_t overhead_ns;		/* to subtract before each event */
	bool noted;			/* an exit without an enter was noted */
	struct dmt_callstacks stacks;
	struct profile_thread *threads;	/* by index */
	struct thread_order {
		uint32_t *items;	/* indexes of threads, in the order of
					   their first events */
		size_t count;
		size_t capacity;
		uint32_t spare;
	} order;
	bool no_memory;
	size_t first_row;		/* the method of the profile for the
					   first row of the key */
	size_t row_count;		/* rows of the key */
	uint32_t *methods;		/* methods of the profile, by index; 0:
					   not seen yet */
	size_t methods_found;
	size_t method_room;		/* methods for which all totals and
					   bits have space */
	struct dmt_totals totals;
	struct left_call left[LEFT_CALLS];
	size_t left_count;
	double calls_ns[DMT_CLOCKS];	/* sum over all calls: see above */
};

static bool
fail_engine_memory(struct engine *engine)
{
	dmt_error_memory(&engine->profile->error);
	return false;
}

enum dmtrace_status
dmt_profile_fail_long_times(struct dmtrace_profile *profile)
{
	return dmt_error_set(&profile->error, DMTRACE_ERR_LIMIT,
	    "times add up to more than 2^63 ns (292 years)");
}

static bool
fail_long_times(struct engine *engine)
{
	dmt_profile_fail_long_times(engine->profile);
	return false;
}

static double
magnitude_ns(uint64_t time)
{
	const double ns = (double)(int64_t)time;

	return ns < 0 ? -ns : ns;
}

/* Returns one if first is 1, other if it is 0, without a branch. */
DMT_INLINE uint64_t
choose(unsigned first, uint64_t one, uint64_t other)
{
	const uint64_t mask = 0 - (uint64_t)first;

	return (one & mask) | (other & ~mask);
}

/* Calls. */

/*
 * Adds the ended calls to their edges. These are scattered over memory; so all
 * of them are fetched, at the same time, before the first is used. A search for
 * an edge that is not in the cache yet would also delay the correction of wrong
 * guesses in it. false: no memory.
 */
DMT_INLINE bool
count_edges(struct engine *engine, struct clock_range clocks)
{
	size_t homes[LEFT_CALLS];

	for (size_t i = 0; i < engine->left_count; i++) {
		const struct left_call *const left = &engine->left[i];
		const struct dmt_edges *const edges = &left->totals->edges;

		homes[i] = dmt_edge_home(edges, left->edge);
		DMT_FETCH(&edges->places[homes[i]]);
	}
	for (size_t i = 0; i < engine->left_count; i++) {
		const struct dmt_edges *const edges =
		    &engine->left[i].totals->edges;

		DMT_FETCH(&edges->items[edges->places[homes[i]]]);
	}
	for (size_t i = 0; i < engine->left_count; i++) {
		const struct left_call *const left = &engine->left[i];
		struct dmt_edge *const edge = dmt_edge_at(
		    &left->totals->edges, left->edge, homes[i]);

		if (edge == NULL)
			return fail_engine_memory(engine);
		edge->calls++;
		for (int c = clocks.first; c < clocks.end; c++)
			edge->inclusive[c] += left->inclusive[c];
	}
	return true;
}

/* Adds the ended calls to the cells of their methods. */
DMT_INLINE void
count_cells(struct engine *engine, struct clock_range clocks)
{
	for (size_t i = 0; i < engine->left_count; i++) {
		const struct left_call *const left = &engine->left[i];
		struct dmt_cell *const cell =
		    &left->totals->cells[dmt_edge_callee(left->edge)];
		const unsigned recursive = left->edge & 1;

		cell->calls[recursive]++;
		for (int c = clocks.first; c < clocks.end; c++) {
			cell->inclusive[c] +=
			    choose(recursive, 0, left->inclusive[c]);
			cell->exclusive[recursive][c] += left->exclusive[c];
		}
	}
}

/* Counts the calls in left, and empties it. false: no memory. */
DMT_INLINE bool
count_left_calls(struct engine *engine, struct clock_range clocks)
{
	const unsigned keep = engine->keep;
	const struct left_call *const end = engine->left + engine->left_count;

	if (!(keep & DMTRACE_PROFILE_EDGES))
		count_cells(engine, clocks);
	else if (!count_edges(engine, clocks))
		return false;
	if (keep & (DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_TREE))
		for (const struct left_call *left = engine->left; left < end;
		    left++)
			for (int c = clocks.first; c < clocks.end; c++)
				engine->calls_ns[c] +=
				    magnitude_ns(left->inclusive[c]);
	if (keep & DMTRACE_PROFILE_CALLS)
		for (const struct left_call *left = engine->left; left < end;
		    left++)
			if (!dmt_durations_take(left->totals,
			    dmt_edge_callee(left->edge), (int64_t)
			    left->inclusive[engine->profile->clock]))
				return fail_engine_memory(engine);
	engine->left_count = 0;
	return true;
}

/* The same, whatever clocks there are. */
static bool
count_calls(struct engine *engine)
{
	return count_left_calls(engine, all_clocks);
}

/*
 * Enters a call from the innermost one, or leaves that (leaves is 0 or 1). Both
 * are the same steps, without a branch: the frame above the innermost one is
 * always filled, and *left is always set to the innermost call; the caller of
 * this function keeps it if the call has ended. false: no memory.
 */
DMT_INLINE bool
step_profile_call(struct engine *engine, struct profile_thread *thread,
    struct profile_frame *innermost, uint32_t method, unsigned leaves,
    const uint64_t now[DMT_CLOCKS], struct clock_range clocks,
    struct left_call *left)
{
	struct profile_frame *const above = innermost + 1;
	uint64_t *const word = &thread->open[method / 64];

	above->opened = UINT64_C(1) << method % 64 & ~*word;
	above->edge = dmt_edge_key((uint32_t)innermost->edge,
	    dmt_edge_end(method, above->opened == 0));
	*word ^= above[-(ptrdiff_t)leaves].opened;
	left->totals = thread->totals;
	left->edge = innermost->edge;
	for (int c = clocks.first; c < clocks.end; c++) {
		left->inclusive[c] = now[c] - innermost->start[c];
		left->exclusive[c] = innermost->self[c];
		above->start[c] = now[c];
		above->self[c] = 0;
	}
	if (!(engine->keep & DMTRACE_PROFILE_TREE))
		return true;
	if (leaves) {
		struct dmt_path *const path =
		    &thread->paths.items[innermost->path];

		path->calls++;
		for (int c = clocks.first; c < clocks.end; c++)
			path->exclusive[c] += innermost->self[c];
		return true;
	}
	above->path = dmt_path_index(&thread->paths, innermost->path, method);
	return above->path != UINT32_MAX || fail_engine_memory(engine);
}

/* The same, whatever clocks there are; puts the call in left if it ended. */
static bool
step_any_call(struct engine *engine, struct profile_thread *thread,
    struct profile_frame *innermost, uint32_t method, unsigned leaves,
    const uint64_t now[DMT_CLOCKS])
{
	if (engine->left_count == LEFT_CALLS && !count_calls(engine))
		return false;
	struct left_call *const left = &engine->left[engine->left_count];
	engine->left_count += leaves;
	thread->slow_calls += leaves;
	return step_profile_call(engine, thread, innermost, method, leaves,
	    now, all_clocks, left);
}

/* Counts an exit without an enter as dmtracedump does: the call starts at time
 * 0, and its exclusive time is the time since the last event. false: no
 * memory. */
static bool
leave_as_dmtracedump(struct engine *engine, struct profile_thread *thread,
    struct profile_frame *outside, uint32_t method,
    const uint64_t now[DMT_CLOCKS])
{
	struct dmt_cell *const cells = thread->totals->cells;
	struct profile_frame *const frame = outside + 1;
	const uint64_t zero[DMT_CLOCKS] = { 0 };

	if (!step_any_call(engine, thread, outside, method, 0, zero))
		return false;
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		const uint64_t took = now[clock] - thread->last[clock];

		frame->self[clock] += took;
		outside->self[clock] -= took;
		/* edges have only the inclusive time */
		cells[method].exclusive[0][clock] -= thread->last[clock];
	}
	return step_any_call(engine, thread, frame, method, 1, now);
}

/*
 * Marks the totals of a call whose CPU time is not known, since a window ends
 * it after the last event of its thread. The calls that it made have ended by
 * then: for the first one of a thread, the unknown part is exclusive; for its
 * callers it is inclusive only. false: no memory.
 */
static bool
mark_partial(struct engine *engine, struct profile_thread *thread,
    const struct profile_frame *frame)
{
	struct dmt_totals *const totals = thread->totals;
	struct dmt_cell *const cell =
	    &totals->cells[dmt_edge_callee(frame->edge)];

	cell->inclusive_partial++;
	cell->exclusive_partial += !thread->partial;
	if (engine->keep & DMTRACE_PROFILE_EDGES) {
		struct dmt_edge *const edge = dmt_edge_get(&totals->edges,
		    frame->edge);

		if (edge == NULL)
			return fail_engine_memory(engine);
		edge->calls |= DMT_EDGE_PARTIAL;
	}
	if (engine->keep & DMTRACE_PROFILE_TREE)
		thread->paths.items[frame->path].exclusive_partial |=
		    !thread->partial;
	thread->partial = true;
	return true;
}

/* Corrects the times of a batch: subtracts from each the overhead of its
 * thread's events so far. The overhead of an event is at most the time since
 * the event before, so that corrected times do not go back. false: the profile
 * has the error. */
static bool
subtract_overhead(struct engine *engine, struct dmt_batch *batch)
{
	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		struct profile_thread *const thread =
		    &engine->threads[batch->thread[at]];

		for (int c = engine->clocks.first; c < engine->clocks.end;
		    c++) {
			uint64_t *const now = c == 0 ? &batch->cpu_ns[at] :
			    &batch->wall_ns[at];
			const uint64_t took = *now - thread->overhead[c] -
			    thread->corrected[c];

			if (*now > INT64_MAX)
				return fail_long_times(engine);
			if ((int64_t)took > 0)
				thread->overhead[c] +=
				    took < engine->overhead_ns ? took :
				    engine->overhead_ns;
			*now -= thread->overhead[c];
			thread->corrected[c] = *now;
		}
	}
	return true;
}

static void
get_times(const struct engine *engine, const struct dmt_batch *batch,
    size_t at, uint64_t now[DMT_CLOCKS])
{
	now[0] = engine->clocks.first == 0 ? batch->cpu_ns[at] : 0;
	now[1] = engine->clocks.end == DMT_CLOCKS ? batch->wall_ns[at] : 0;
}

static struct profile_frame *
stack_frames(const struct dmt_callstack *stack)
{
	return (struct profile_frame *)(void *)stack->frames;
}

/* Takes over what a step has changed in the stack of a thread. */
static void
set_innermost(struct profile_thread *thread, const struct dmt_callstack *stack)
{
	thread->innermost = stack_frames(stack) + stack->depth;
	thread->full =
	    stack_frames(stack) + (stack->counted ? 0 : stack->room);
}

/* Returns the stack of a thread, with its present depth. */
static struct dmt_callstack *
get_stack(const struct engine *engine, uint32_t index)
{
	struct dmt_callstack *const stack = &engine->stacks.items[index];

	stack->depth = (uint32_t)(engine->threads[index].innermost -
	    stack_frames(stack));
	return stack;
}

/* Enters and ends the calls of the profile that an event does. false: the
 * profile has the error. */
static bool
profile_event(struct engine *engine, struct profile_thread *thread,
    struct dmt_callstack *stack, uint32_t index, unsigned action,
    const uint64_t now[DMT_CLOCKS])
{
	struct dmtrace_profile *const profile = engine->profile;
	struct dmt_callstacks *const stacks = &engine->stacks;
	const uint32_t method = engine->methods[index];
	struct dmt_step step;
	/* For dmtracedump, all unlisted ids are one method. */
	const enum dmtrace_status status = dmt_callstack_step(stacks, stack,
	    method == profile->unknown ? UNKNOWN_INDEX : index, action, &step);

	if (status != DMTRACE_OK) {
		dmt_callstack_fail(stacks, stack, status,
		    profile->threads[thread->row]->thread.number, 0,
		    &profile->error);
		return false;
	}
	struct profile_frame *const frame =
	    dmt_frame_at(stacks, stack, step.depth);
	switch (step.kind) {
	case DMT_STEP_ENTERED:
		return step_any_call(engine, thread, frame - 1, method, 0,
		    now);
	case DMT_STEP_LEFT:
	case DMT_STEP_UNWOUND:
		for (uint32_t i = step.dropped + 1; i-- > 0; )
			if (!step_any_call(engine, thread, frame + i,
			    dmt_edge_callee(frame[i].edge), 1, now))
				return false;
		return true;
	case DMT_STEP_BEFORE:
		engine->noted |= stacks->notes;
		return !(engine->keep & DMTRACE_PROFILE_AS_DMTRACEDUMP) ||
		    leave_as_dmtracedump(engine, thread, frame, method, now);
	default:
		return true;
	}
}

/* Profiles an event of any kind. false: the profile has the error. */
static DMT_COLD bool
profile_slowly(struct engine *engine, const struct dmt_batch *batch, size_t at)
{
	const uint32_t index = batch->thread[at];
	struct profile_thread *const thread = &engine->threads[index];
	struct dmt_callstack *const stack = get_stack(engine, index);
	const unsigned action =
	    (engine->keep & DMTRACE_PROFILE_AS_DMTRACEDUMP) &&
	    batch->action[at] == DMTRACE_RESERVED ? DMTRACE_EXIT :
	    batch->action[at];
	uint64_t now[DMT_CLOCKS];

	get_times(engine, batch, at, now);
	if ((now[0] | now[1]) > INT64_MAX && engine->overhead_ns == 0)
		return fail_long_times(engine);
	thread->slow_records++;
	for (int c = 0; c < DMT_CLOCKS; c++) {
		const uint64_t took = now[c] - thread->last[c];

		if ((int64_t)took < 0)
			thread->back_ns[c] += magnitude_ns(took);
		thread->innermost->self[c] += took;
	}
	if ((batch->flags[at] & DMT_EVENT_NO_CPU) &&
	    action == DMTRACE_EXIT && stack->depth > 0 &&
	    !mark_partial(engine, thread,
	    dmt_frame_at(&engine->stacks, stack, stack->depth)))
		return false;
	if (!profile_event(engine, thread, stack, batch->method[at], action,
	    now))
		return false;
	set_innermost(thread, stack);
	memcpy(thread->last, now, sizeof(now));
	return true;
}

/* Profiles the events of a batch, after prepare_batch. false: the profile has
 * the error. */
DMT_INLINE bool
profile_events(struct engine *engine, const struct dmt_batch *batch,
    struct clock_range clocks)
{
	const uint64_t *const times[] = { batch->cpu_ns, batch->wall_ns };
	const uint32_t unknown = engine->profile->unknown;
	const uint32_t *const methods = engine->methods;
	struct profile_thread *const threads = engine->threads;

	for (size_t i = 0, end = 0; i < batch->kept; ) {
		struct left_call *left = engine->left;

		end += LEFT_CALLS;
		if (end > batch->kept)
			end = batch->kept;
		for (; i < end; i++) {
			const size_t at = batch->keep[i];
			struct profile_thread *const thread =
			    &threads[batch->thread[at]];
			struct profile_frame *const innermost =
			    thread->innermost;
			const uint32_t index = batch->method[at];
			const uint32_t method = methods[index];
			const uint32_t id =
			    method == unknown ? UNKNOWN_INDEX : index;
			const unsigned action = batch->action[at];
			const unsigned leaves = action != DMTRACE_ENTER;
			uint64_t now[DMT_CLOCKS] = { 0 };
			bool goes_back = false;

			for (int c = clocks.first; c < clocks.end; c++) {
				now[c] = times[c][at];
				goes_back |= (int64_t)now[c] <
				    (int64_t)thread->last[c];
			}
			/* A time that is out of range goes back, as it is
			 * signed. */
			if (DMT_UNLIKELY(goes_back) ||
			    DMT_UNLIKELY(batch->flags[at] &
			    DMT_EVENT_NO_CPU) ||
			    DMT_UNLIKELY(action == DMTRACE_RESERVED) ||
			    DMT_UNLIKELY(innermost >= thread->full) ||
			    DMT_UNLIKELY(((innermost->call.method ^ id) &
			    (0 - leaves)) != 0)) {
				engine->left_count =
				    (size_t)(left - engine->left);
				if (!profile_slowly(engine, batch, at) ||
				    !count_calls(engine))
					return false;
				left = engine->left;
				continue;
			}

			for (int c = clocks.first; c < clocks.end; c++) {
				innermost->self[c] += now[c] - thread->last[c];
				thread->last[c] = now[c];
			}
			innermost[1].call.method = id;
			thread->innermost =
			    innermost + 1 - 2 * (ptrdiff_t)leaves;
			thread->steps[leaves]++;
			if (!step_profile_call(engine, thread, innermost,
			    method, leaves, now, clocks, left))
				return false;
			left += leaves;
		}
		engine->left_count = (size_t)(left - engine->left);
		if (!count_left_calls(engine, clocks))
			return false;
	}
	return true;
}

/* Profiles the events of a batch; the code depends on which clocks there are.
 * false: the profile has the error. */
static bool
profile_batch(struct engine *engine, struct dmt_batch *batch)
{
	const struct clock_range cpu = { 0, 1 }, wall = { 1, 2 };

	if (engine->overhead_ns != 0 && !subtract_overhead(engine, batch))
		return false;
	if (engine->clocks.end == 1)
		return profile_events(engine, batch, cpu);
	if (engine->clocks.first == 1)
		return profile_events(engine, batch, wall);
	return profile_events(engine, batch, all_clocks);
}

/* Preparations for the next events. */

/* Makes space for all methods in the thread's totals and bits. false: no
 * memory. */
static bool
reserve_methods(struct engine *engine, struct profile_thread *thread)
{
	const size_t methods = engine->profile->names.count;
	uint64_t *const open = dmt_array_grow_zero(thread->open,
	    &thread->words, engine->method_room / 64 + 1, sizeof(*open));

	if (open == NULL)
		return fail_engine_memory(engine);
	thread->open = open;
	return (dmt_totals_reserve(thread->totals, methods) &&
	    (!(engine->keep & DMTRACE_PROFILE_EDGES) ||
	    dmt_edges_begin(&thread->totals->edges))) ||
	    fail_engine_memory(engine);
}

/* Prepares a thread for its first event, whose times are now, and enters the
 * calls that are open before it. false: the profile has the error. */
static bool
begin_profile_thread(struct engine *engine, uint32_t index,
    const uint64_t now[DMT_CLOCKS])
{
	struct profile_thread *const thread = &engine->threads[index];
	struct dmt_callstack *const stack = &engine->stacks.items[index];

	if ((now[0] | now[1]) > INT64_MAX)
		return fail_long_times(engine);
	*dmt_push(&engine->order, &engine->no_memory) = index;
	thread->begun = true;
	thread->row = dmt_profile_get_thread(engine->profile,
	    &engine->source->indexes->threads[index]);
	if (thread->row == UINT32_MAX)
		return false;
	if (engine->keep & DMTRACE_PROFILE_THREADS)
		thread->own = dmt_array_new(1, sizeof(*thread->own));
	thread->totals = engine->keep & DMTRACE_PROFILE_THREADS ?
	    thread->own : &engine->totals;
	memcpy(thread->first, now, sizeof(thread->first));
	memcpy(thread->last, now, sizeof(thread->last));
	memcpy(thread->corrected, now, sizeof(thread->corrected));
	if (engine->no_memory || thread->totals == NULL ||
	    !reserve_methods(engine, thread) ||
	    ((engine->keep & DMTRACE_PROFILE_TREE) &&
	    !dmt_paths_begin(&thread->paths)) ||
	    !dmt_callstack_begin(&engine->stacks, stack))
		return fail_engine_memory(engine);

	struct profile_frame *const bottom =
	    dmt_frame_at(&engine->stacks, stack, 0);
	*bottom = (struct profile_frame){ .call.method = DMT_NO_METHOD };
	memcpy(bottom->start, now, sizeof(bottom->start));
	for (uint32_t depth = 1; depth <= stack->depth; depth++)
		if (!step_any_call(engine, thread, bottom + depth - 1,
		    engine->methods[dmt_callstack_method(&engine->stacks,
		    stack, depth)], 0, now))
			return false;
	set_innermost(thread, stack);
	return true;
}

static void
fini_profile_thread(void *item)
{
	struct profile_thread *const thread = item;

	if (thread->own != NULL)
		dmt_totals_fini(thread->own);
	free(thread->own);
	dmt_paths_fini(&thread->paths);
	free(thread->open);
}

/* Returns the method of the profile for an index of the source: that of the row
 * which the id had when it was recorded, since a stream may redefine an id. If
 * each row of the key is a method, it is the first row with the id, as in old
 * tools. 0: no memory. */
static uint32_t
find_profile_method(struct engine *engine, uint32_t index)
{
	const struct dmt_indexed_method *const method =
	    &engine->source->indexes->methods[index];
	const struct dmtrace_key *const key = engine->source->key;

	if (engine->profile->options.by == DMTRACE_PROFILE_BY_ROW) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_find(key, method->id);
		const size_t at = row == NULL ? SIZE_MAX :
		    (size_t)(row - dmtrace_key_method_get(key, 0));

		if (at < engine->row_count)
			return (uint32_t)(engine->first_row + at);
	} else if (method->row != NULL) {
		return dmt_profile_add_listed(engine->profile, method->row);
	}
	return dmt_profile_add_unlisted(engine->profile, method->id);
}

/* Adds the methods and prepares the threads that the batch is the first to
 * have, in the order of their events. false: the profile has the error. */
static bool
prepare_batch(struct engine *engine, const struct dmt_batch *batch)
{
	const struct dmt_indexes *const indexes = engine->source->indexes;

	for (size_t i = 0; i < batch->kept &&
	    engine->methods_found < indexes->method_count; i++) {
		const uint32_t index = batch->method[batch->keep[i]];
		if (engine->methods[index] != 0)
			continue;
		engine->methods_found++;
		engine->methods[index] = find_profile_method(engine, index);
		if (engine->methods[index] == 0)
			return false;
	}
	if (engine->method_room < engine->profile->names.count) {
		engine->method_room = engine->profile->names.count;
		for (size_t i = 0; i < engine->order.count; i++)
			if (!reserve_methods(engine,
			    &engine->threads[engine->order.items[i]]))
				return false;
	}
	for (size_t i = 0; i < batch->kept &&
	    engine->order.count < indexes->thread_count; i++) {
		const size_t at = batch->keep[i];
		uint64_t now[DMT_CLOCKS];

		if (engine->threads[batch->thread[at]].begun)
			continue;
		get_times(engine, batch, at, now);
		if (!begin_profile_thread(engine, batch->thread[at], now))
			return false;
	}
	return true;
}

/* Passes, and the end of the trace. */

/* Returns DMTRACE_OK, the status of the source, or that of the profile. */
static enum dmtrace_status
profile_all_batches(struct engine *engine)
{
	struct dmt_batch *batch;

	for (;;) {
		if (dmt_pull(engine->source, &batch) != DMTRACE_OK)
			return engine->source->error.status;
		if (batch == NULL)
			return DMTRACE_OK;
		if (!prepare_batch(engine, batch) ||
		    !profile_batch(engine, batch))
			return engine->profile->error.status;
	}
}

/* Reads all events again, with the calls that the first pass has noted open
 * from the start. All other results of the first pass are dropped. */
static enum dmtrace_status
begin_second_pass(struct engine *engine)
{
	engine->stacks.notes = false;
	dmt_callstacks_reset(&engine->stacks);
	dmt_totals_fini(&engine->totals);
	engine->left_count = 0;
	engine->order.count = 0;
	engine->method_room = 0;
	memset(engine->calls_ns, 0, sizeof(engine->calls_ns));
	for (size_t i = 0; i < engine->source->indexes->thread_count; i++) {
		fini_profile_thread(&engine->threads[i]);
		engine->threads[i] = (struct profile_thread){ .begun = false };
	}
	return dmt_source_rewind(engine->source) != DMTRACE_OK ?
	    engine->source->error.status : profile_all_batches(engine);
}

/* Ends the open calls of a thread at its last event, and adds its sums to the
 * profile. false: the profile has the error. */
static bool
end_profile_thread(struct engine *engine, uint32_t index)
{
	struct dmtrace_profile *const profile = engine->profile;
	struct profile_thread *const thread = &engine->threads[index];
	struct dmt_callstack *const stack = get_stack(engine, index);
	struct dmtrace_profile_thread *const row =
	    &profile->threads[thread->row]->thread;
	struct dmt_cell *const top =
	    &thread->totals->cells[DMTRACE_PROFILE_TOP];

	struct profile_frame *const bottom =
	    dmt_frame_at(&engine->stacks, stack, 0);
	for (uint32_t depth = stack->depth; depth > 0; depth--)
		if (!step_any_call(engine, thread, bottom + depth,
		    dmt_edge_callee(bottom[depth].edge), 1, thread->last))
			return false;
	if (!count_calls(engine))
		return false;

	/* All sums of times must still fit their 64 bits. */
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		profile->steps_ns[clock] += 2 * thread->back_ns[clock] +
		    (double)(int64_t)(thread->last[clock] -
		    thread->first[clock]);
		if (profile->steps_ns[clock] > DMT_PROFILE_TIMES_MAX ||
		    profile->calls_ns[clock] + engine->calls_ns[clock] >
		    DMT_PROFILE_TIMES_MAX)
			return fail_long_times(engine);
	}

	const uint64_t records =
	    thread->steps[0] + thread->steps[1] + thread->slow_records;
	row->records += records;
	row->calls += thread->steps[1] + thread->slow_calls;
	profile->summary.records += records;
	profile->summary.total_partial |= thread->partial;
	row->total_partial |= thread->partial;
	top->inclusive_partial += thread->partial;
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		const uint64_t total =
		    thread->last[clock] - thread->first[clock];
		const uint64_t outside = bottom->self[clock];

		row->total_ns[clock] += (int64_t)total;
		row->top_ns[clock] += (int64_t)outside;
		profile->summary.total_ns[clock] += (int64_t)total;
		profile->summary.overhead_ns[clock] +=
		    (int64_t)thread->overhead[clock];
		top->inclusive[clock] += total;
		top->exclusive[0][clock] += outside;
		if (engine->keep & DMTRACE_PROFILE_TREE)
			thread->paths.items[0].exclusive[clock] += outside;
	}
	if (!dmt_paths_add(&thread->totals->paths, &thread->paths))
		return fail_engine_memory(engine);
	if (!(engine->keep & DMTRACE_PROFILE_THREADS))
		return true;
	dmt_totals_count_callees(thread->totals);
	return (dmt_totals_add_copy(profile->all, thread->totals, NULL) &&
	    dmt_totals_add(&profile->threads[thread->row]->totals,
	    thread->totals)) || fail_engine_memory(engine);
}

/* Returns the wall time from the first event to the last one, over all threads;
 * 0 if their times cannot be compared. */
static int64_t
measure_span(const struct engine *engine)
{
	uint64_t first = UINT64_MAX, last = 0;

	if (!dmt_times_comparable(engine->source->key,
	    engine->source->layout))
		return 0;
	for (size_t i = 0; i < engine->order.count; i++) {
		const struct profile_thread *const thread =
		    &engine->threads[engine->order.items[i]];

		if (thread->first[DMTRACE_PROFILE_WALL] < first)
			first = thread->first[DMTRACE_PROFILE_WALL];
		if (thread->last[DMTRACE_PROFILE_WALL] > last)
			last = thread->last[DMTRACE_PROFILE_WALL];
	}
	return last > first ? (int64_t)(last - first) : 0;
}

static bool
end_trace(struct engine *engine)
{
	struct dmtrace_profile *const profile = engine->profile;

	profile->summary.span_ns = (int64_t)((uint64_t)
	    profile->summary.span_ns + (uint64_t)measure_span(engine));
	for (size_t i = 0; i < engine->order.count; i++)
		if (!end_profile_thread(engine, engine->order.items[i]))
			return false;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		profile->calls_ns[clock] += engine->calls_ns[clock];
	profile->summary.traces++;
	dmt_totals_count_callees(&engine->totals);
	if (!dmt_totals_add(profile->all, &engine->totals))
		return fail_engine_memory(engine);
	return dmt_profile_end_trace(profile) == DMTRACE_OK;
}

enum dmtrace_status
dmt_profile_add_events(struct dmtrace_profile *profile,
    struct dmtrace_source *source, uint64_t overhead_ns)
{
	const struct dmt_layout *const layout = source->layout;
	struct engine engine = {
		.profile = profile, .source = source, .keep = profile->keep,
		.clocks = { dmt_layout_has_cpu(layout) ? 0 : 1,
		    dmt_layout_has_wall(layout) ? DMT_CLOCKS : 1 },
		.overhead_ns = overhead_ns
	};

	dmt_callstacks_attach(&engine.stacks, source,
	    sizeof(struct profile_frame));
	dmt_attach(source, &engine.threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*engine.threads),
	    .fini = fini_profile_thread });
	dmt_attach(source, &engine.methods, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .item_size = sizeof(*engine.methods) });
	engine.stacks.limit = profile->options.max_depth;
	engine.stacks.notes = !(profile->keep & DMTRACE_PROFILE_AS_DMTRACEDUMP);
	dmt_want(source, DMT_COLUMN_THREAD | DMT_COLUMN_METHOD |
	    DMT_COLUMN_ACTION |
	    (dmt_layout_has_cpu(layout) ? DMT_COLUMN_CPU : 0) |
	    (dmt_layout_has_wall(layout) ? DMT_COLUMN_WALL : 0));
	engine.row_count = dmtrace_key_method_count(source->key);
	enum dmtrace_status status = !dmt_profile_add_methods(profile,
	    source->key, &engine.first_row) ? DMTRACE_ERR_MEMORY :
	    profile_all_batches(&engine);
	if (status == DMTRACE_OK && engine.noted)
		status = begin_second_pass(&engine);
	/* events before a failure of the source are added */
	if (profile->error.status == DMTRACE_OK && !end_trace(&engine))
		status = profile->error.status;
	dmt_detach(source);
	free(engine.order.items);
	dmt_callstacks_fini(&engine.stacks);
	dmt_totals_fini(&engine.totals);
	return status;
}
