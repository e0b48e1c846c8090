/* traceview.c - the calls of a trace, as Traceview works them out */

#include "report/traceview.h"

#include <stdlib.h>
#include <string.h>

#define SWITCH_US 100		/* that much without CPU is a switch */

/*
 * With a CPU clock alone, a wall clock is made up: all threads take turns on
 * one CPU. For that every begin and end is noted in its order: twice the call
 * and 1 for an end, or from here on, a thread that begins.
 */
#define NOTE_THREAD (UINT32_C(1) << 31)

static bool
note(struct view *view, uint32_t what)
{
	if (view->has_clock[VIEW_WALL])
		return true;
	if (!view_reserve(&view->actions, view->action_count,
	    &view->action_capacity, sizeof(*view->actions)))
		return false;
	view->actions[view->action_count++] = what;
	return true;
}

static bool
is_open(const struct view_thread *thread, uint32_t method)
{
	return method / 64 < thread->words &&
	    (thread->methods[method / 64] >> method % 64 & 1);
}

static bool
set_open(struct view_thread *thread, uint32_t method)
{
	const size_t words = method / 64 + 1;

	if (words > thread->words) {
		uint64_t *grown = realloc(thread->methods,
		    2 * words * sizeof(*grown));

		if (grown == NULL)
			return false;
		memset(grown + thread->words, 0,
		    (2 * words - thread->words) * sizeof(*grown));
		thread->methods = grown;
		thread->words = 2 * words;
	}
	thread->methods[method / 64] |= UINT64_C(1) << method % 64;
	return true;
}

static struct view_call *
innermost(struct view *view, struct view_thread *thread)
{
	return thread->depth == 0 ? &thread->root :
	    &view->calls[thread->open[thread->depth - 1]];
}

/* NULL: no memory, or too many. */
static struct view_call *
enter(struct view *view, struct view_thread *thread, uint32_t method)
{
	const uint32_t index = (uint32_t)view->call_count;
	const uint32_t number = (uint32_t)(thread - view->threads);

	if (view->call_count >= NOTE_THREAD / 2 ||
	    !view_reserve(&view->calls, view->call_count,
	    &view->call_capacity, sizeof(*view->calls)) ||
	    !view_reserve(&thread->open, thread->depth, &thread->capacity,
	    sizeof(*thread->open)))
		return NULL;
	if (!thread->has_calls && !note(view, NOTE_THREAD | number))
		return NULL;
	thread->has_calls = true;
	struct view_call *call = &view->calls[index];
	*call = (struct view_call){
		.thread = number, .method = method,
		.caller = thread->depth == 0 ? VIEW_ROOT :
		    thread->open[thread->depth - 1],
		.recursive = is_open(thread, method)
	};
	if (!set_open(thread, method) || !note(view, 2 * index))
		return NULL;
	thread->open[thread->depth++] = index;
	view->call_count++;
	return call;
}

/* Ends the innermost call. NULL: no memory. */
static struct view_call *
leave(struct view *view, struct view_thread *thread)
{
	const uint32_t index = thread->open[thread->depth - 1];
	struct view_call *call = &view->calls[index];

	if (!note(view, 2 * index + 1))
		return NULL;
	thread->depth--;
	if (!call->recursive)
		thread->methods[call->method / 64] &=
		    ~(UINT64_C(1) << call->method % 64);
	return call;
}

/* Takes the time of a clock and returns what went by since the last event of
 * the thread. */
static int64_t
take_time(struct view_thread *thread, int clock, int64_t now)
{
	int64_t passed = 0;

	if (!thread->has_time[clock]) {
		thread->start[clock] = now;
		thread->has_time[clock] = true;
		if (clock == VIEW_CPU)
			thread->current = now;
	} else {
		passed = now - thread->end[clock];
	}
	thread->end[clock] = now;
	return passed;
}

/* Another thread goes on: the one before was switched off, this one on, in
 * the middle of the time that it had meanwhile. */
static bool
switch_threads(struct view *view, struct view_thread *thread, int64_t passed)
{
	const uint32_t number = (uint32_t)(thread - view->threads);
	const uint32_t last = view->last_thread;

	if (last == VIEW_ROOT || last == number)
		return true;
	struct view_thread *before = &view->threads[last];
	struct view_call *call = enter(view, before, VIEW_SWITCH);
	if (call == NULL)
		return false;
	call->start[VIEW_CPU] = before->end[VIEW_CPU];
	if (innermost(view, thread)->method != VIEW_SWITCH)
		return true;
	call = leave(view, thread);
	if (call == NULL)
		return false;
	call->start[VIEW_CPU] += passed / 2;
	call->end[VIEW_CPU] = call->start[VIEW_CPU];
	return true;
}

/* Wall time without CPU time is a switch. */
static bool
note_sleep(struct view *view, struct view_thread *thread,
    const int64_t passed[VIEW_CLOCKS])
{
	const int64_t before = passed[VIEW_CPU] / 2;
	const int64_t after = passed[VIEW_CPU] - before;

	if (passed[VIEW_WALL] - passed[VIEW_CPU] <= SWITCH_US)
		return true;
	struct view_call *call = enter(view, thread, VIEW_SWITCH);
	if (call == NULL)
		return false;
	call->start[VIEW_WALL] =
	    thread->end[VIEW_WALL] - passed[VIEW_WALL] + before;
	call->end[VIEW_WALL] = thread->end[VIEW_WALL] - after;
	call->start[VIEW_CPU] = thread->end[VIEW_CPU] - after;
	call->end[VIEW_CPU] = call->start[VIEW_CPU];
	return leave(view, thread) != NULL;
}

static bool
take_times(struct view *view, struct view_thread *thread,
    const struct dmtrace_event *event)
{
	const uint64_t first_ns = event->cpu_ns != DMTRACE_NO_TIME ?
	    event->cpu_ns : event->wall_ns;
	const uint64_t now[VIEW_CLOCKS] =
	    { first_ns, view->takes_first ? first_ns : event->wall_ns };
	int64_t passed[VIEW_CLOCKS] = { 0, 0 };

	for (int clock = 0; clock < VIEW_CLOCKS; clock++)
		if (view->has_clock[clock])
			passed[clock] = take_time(thread, clock,
			    (int64_t)(now[clock] / 1000));
	if (!view->has_clock[VIEW_CPU])
		return true;
	if (view->has_clock[VIEW_WALL] ?
	    !note_sleep(view, thread, passed) :
	    !switch_threads(view, thread, passed[VIEW_CPU]))
		return false;
	struct view_call *call = innermost(view, thread);
	call->exclusive[VIEW_CPU] += passed[VIEW_CPU];
	call->inclusive[VIEW_CPU] += passed[VIEW_CPU];
	return true;
}

static void
set_ends(const struct view_thread *thread, struct view_call *call)
{
	for (int clock = 0; clock < VIEW_CLOCKS; clock++)
		call->end[clock] = thread->end[clock];
}

/* A method that is left and is not the innermost one takes those above it
 * along; Traceview refuses such a trace. */
static bool
step(struct view *view, struct view_thread *thread,
    const struct dmtrace_row *row)
{
	uint32_t *const depth = &view->depths[row->event.thread];

	if (row->depth == 0)
		return true;
	if (row->event.action == DMTRACE_ENTER) {
		const uint32_t method = view_method(view, row->event.method);
		struct view_call *call = method == VIEW_ROOT ? NULL :
		    enter(view, thread, method);

		if (call == NULL)
			return false;
		for (int clock = 0; clock < VIEW_CLOCKS; clock++)
			call->start[clock] = thread->end[clock];
		*depth = row->depth;
		return true;
	}
	for (; *depth >= row->depth; --*depth) {
		struct view_call *call = leave(view, thread);

		if (call == NULL)
			return false;
		set_ends(thread, call);
	}
	return true;
}

bool
view_take(struct view *view, const struct dmtrace_row *row)
{
	const uint32_t number = view_thread(view, row->event.thread);

	if (number == VIEW_ROOT ||
	    !take_times(view, &view->threads[number], &row->event))
		return false;
	view->last_thread = number;
	return step(view, &view->threads[number], row);
}

/* Calls that are open end with their thread. */
static void
close_all(struct view *view)
{
	for (size_t i = 0; i < view->thread_count; i++) {
		struct view_thread *thread = &view->threads[i];

		while (thread->depth > 0)
			set_ends(thread,
			    &view->calls[thread->open[--thread->depth]]);
	}
}

static void
replay_begin(struct view_thread *thread, struct view_call *call,
    int64_t *clock)
{
	*clock += call->start[VIEW_CPU] - thread->current;
	call->start[VIEW_WALL] = *clock;
	if (!thread->has_time[VIEW_WALL])
		thread->start[VIEW_WALL] = *clock;
	thread->has_time[VIEW_WALL] = true;
	thread->current = call->start[VIEW_CPU];
}

static void
replay_end(struct view_thread *thread, struct view_call *call,
    int64_t *clock)
{
	*clock += call->end[VIEW_CPU] - thread->current;
	call->end[VIEW_WALL] = *clock;
	thread->end[VIEW_WALL] = *clock;
	thread->current = call->end[VIEW_CPU];
}

/* Makes up the wall clock. */
static void
replay(struct view *view)
{
	int64_t clock = 0;

	for (size_t i = 0; i < view->action_count; i++) {
		const uint32_t action = view->actions[i];

		if (action & NOTE_THREAD) {
			struct view_thread *thread =
			    &view->threads[action & ~NOTE_THREAD];

			replay_begin(thread, &thread->root, &clock);
			continue;
		}
		struct view_call *call = &view->calls[action / 2];
		struct view_thread *thread = &view->threads[call->thread];
		if (action % 2 == 0)
			replay_begin(thread, call, &clock);
		else
			replay_end(thread, call, &clock);
	}
}

static void
add_to_method(struct view *view, const struct view_call *call)
{
	struct view_method *method = &view->methods[call->method];

	method->calls[call->recursive]++;
	for (int clock = 0; clock < VIEW_CLOCKS; clock++) {
		method->exclusive[clock] += call->exclusive[clock];
		if (!call->recursive)
			method->inclusive[clock] += call->inclusive[clock];
	}
}

/* The callees of a call come before it. */
static void
sum_call(struct view *view, struct view_call *call)
{
	struct view_call *caller = call->caller == VIEW_ROOT ?
	    &view->threads[call->thread].root : &view->calls[call->caller];
	const int64_t wall = call->end[VIEW_WALL] - call->start[VIEW_WALL];
	const int64_t own = wall - call->inclusive[VIEW_WALL];

	call->exclusive[VIEW_WALL] = own > 0 ? own : 0;
	call->inclusive[VIEW_WALL] = wall;
	for (int clock = 0; clock < VIEW_CLOCKS; clock++)
		caller->inclusive[clock] += call->inclusive[clock];
	add_to_method(view, call);
}

void
view_finish(struct view *view)
{
	close_all(view);
	replay(view);
	for (size_t i = view->call_count; i-- > 0; )
		sum_call(view, &view->calls[i]);
	for (size_t i = 0; i < view->thread_count; i++)
		add_to_method(view, &view->threads[i].root);
}
