/* traceview.c - the calls of a trace, as Traceview computes them */

#include "report/traceview.h"

#include <stdlib.h>
#include <string.h>

#include "private/key.h"
#include "private/text.h"
#include "private/trace.h"

#define SWITCH_US 100		/* that much without CPU is a switch */

/*
 * With a CPU clock alone, a wall clock is computed: all threads take turns on
 * one CPU. For that every begin and end is noted in its order: twice the call
 * and 1 for an end, or from here on, a thread that begins.
 */
#define NOTE_THREAD (UINT32_C(1) << 31)

static bool
view_reserve(void *items, size_t count, size_t *capacity, size_t item_size)
{
	const size_t wanted = *capacity * 2 + 16;
	void *old, *grown;

	if (count < *capacity)
		return true;
	memcpy(&old, items, sizeof(old));
	grown = wanted > SIZE_MAX / item_size ? NULL :
	    realloc(old, wanted * item_size);
	if (grown == NULL)
		return false;
	memcpy(items, &grown, sizeof(grown));
	*capacity = wanted;
	return true;
}

static bool
add_view_thread(struct view *view, uint32_t number,
    const struct dmtrace_thread *listed)
{
	if (view->thread_count >= VIEW_ROOT ||
	    !view_reserve(&view->threads, view->thread_count,
	    &view->thread_capacity, sizeof(*view->threads)))
		return false;
	view->threads[view->thread_count] = (struct view_thread){
		.number = number, .listed = listed,
		.root = { .thread = (uint32_t)view->thread_count,
		    .method = VIEW_TOP, .caller = VIEW_ROOT }
	};
	view->thread_count++;
	return true;
}

/* The one of the key that it belongs to, or a new one. */
static bool
find_view_thread(struct view *view, uint32_t number)
{
	const struct dmtrace_thread *listed =
	    dmt_key_thread_match(view->key, view->layout, number);

	for (size_t i = 0; listed != NULL && i < view->thread_count; i++)
		if (view->threads[i].listed == listed) {
			view->direct[number] = (uint32_t)i + 1;
			return true;
		}
	view->direct[number] = (uint32_t)view->thread_count + 1;
	return add_view_thread(view, number, NULL);
}

static uint32_t
view_thread(struct view *view, uint32_t number)
{
	if (number >= VIEW_THREADS || (view->direct[number] == 0 &&
	    !find_view_thread(view, number)))
		return VIEW_ROOT;
	return view->direct[number] - 1;
}

/* The slot of an id, or the free one where it belongs. */
static uint32_t *
find_method_slot(const struct view *view, uint64_t id)
{
	uint64_t hash = (id ^ (uintptr_t)view->slots) *
	    UINT64_C(0x9e3779b97f4a7c15);

	hash ^= hash >> 32;
	size_t at = (size_t)hash & (view->slot_count - 1);
	while (view->slots[at] != 0 &&
	    view->methods[view->slots[at]].id != id)
		at = (at + 1) & (view->slot_count - 1);
	return &view->slots[at];
}

/* Half of the slots stay free. */
static bool
reserve_slots(struct view *view)
{
	const size_t wanted = view->slot_count == 0 ? 64 :
	    2 * view->slot_count;

	if (2 * view->method_count < view->slot_count)
		return true;
	uint32_t *slots = calloc(wanted, sizeof(*slots));
	if (slots == NULL)
		return false;
	free(view->slots);
	view->slots = slots;
	view->slot_count = wanted;
	for (size_t i = VIEW_LISTED; i < view->method_count; i++)
		*find_method_slot(view, view->methods[i].id) = (uint32_t)i;
	return true;
}

static bool
add_view_method(struct view *view, uint64_t id,
    const struct dmtrace_method *listed, const char *special)
{
	if (view->method_count >= VIEW_ROOT || !reserve_slots(view) ||
	    !view_reserve(&view->methods, view->method_count,
	    &view->method_capacity, sizeof(*view->methods)))
		return false;
	view->methods[view->method_count] = (struct view_method){
		.id = id, .listed = listed, .special = special
	};
	if (special == NULL)
		*find_method_slot(view, id) = (uint32_t)view->method_count;
	view->method_count++;
	return true;
}

static uint32_t
view_method(struct view *view, uint64_t id)
{
	const uint32_t method = *find_method_slot(view, id);

	if (method != 0)
		return method;
	return add_view_method(view, id, NULL, NULL) ?
	    (uint32_t)view->method_count - 1 : VIEW_ROOT;
}

static bool
add_key_methods(struct view *view)
{
	const size_t count = dmtrace_key_method_count(view->key);

	if (!add_view_method(view, 0, NULL, "(toplevel)") ||
	    !add_view_method(view, 0, NULL, "(context switch)"))
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_method *row =
		    dmtrace_key_method_get(view->key, i);
		const uint64_t id = row->id & ~(uint64_t)3;

		if (*find_method_slot(view, id) == 0 && !add_view_method(view,
		    id, row, NULL))
			return false;
	}
	return true;
}

/*
 * Traceview goes by the last clock line that it knows, not by the records:
 * without one, and for any other clock, it takes the first time for thread
 * CPU.
 */
static void
find_clocks(struct view *view)
{
	enum dmtrace_clock clock = DMTRACE_CLOCK_THREAD_CPU;

	for (size_t i = 0; i < dmtrace_key_option_count(view->key); i++) {
		const struct dmtrace_option *const option =
		    dmtrace_key_option_get(view->key, i);

		if (dmt_text_is(option->name, "clock") &&
		    dmt_text_is(option->value, "wall"))
			clock = DMTRACE_CLOCK_WALL;
		else if (dmt_text_is(option->name, "clock") &&
		    dmt_text_is(option->value, "dual"))
			clock = DMTRACE_CLOCK_DUAL;
		else if (dmt_text_is(option->name, "clock") &&
		    dmt_text_is(option->value, "thread-cpu"))
			clock = DMTRACE_CLOCK_THREAD_CPU;
	}
	/* Of records with one time it would read on into the next ones. */
	if (clock == DMTRACE_CLOCK_DUAL &&
	    dmt_layout_clock(view->layout) != DMTRACE_CLOCK_DUAL)
		clock = dmt_layout_clock(view->layout);
	view->has_clock[VIEW_CPU] = clock != DMTRACE_CLOCK_WALL;
	view->has_clock[VIEW_WALL] = clock == DMTRACE_CLOCK_WALL ||
	    clock == DMTRACE_CLOCK_DUAL;
	view->takes_first = clock != DMTRACE_CLOCK_DUAL;
}

bool
view_init(struct view *view, const struct dmtrace_reader *reader)
{
	*view = (struct view){
		.key = dmtrace_reader_key(reader),
		.layout = dmt_reader_layout(reader),
		.last_thread = VIEW_ROOT,
		.direct = calloc(VIEW_THREADS, sizeof(*view->direct)),
		.depths = calloc(VIEW_THREADS, sizeof(*view->depths))
	};
	find_clocks(view);
	if (view->depths == NULL || view->direct == NULL ||
	    !add_key_methods(view))
		return false;
	for (size_t i = 0; i < dmtrace_key_thread_count(view->key); i++) {
		const struct dmtrace_thread *row =
		    dmtrace_key_thread_get(view->key, i);

		if (dmtrace_key_thread_find(view->key, row->id) == row &&
		    !add_view_thread(view, row->id, row))
			return false;
	}
	return true;
}

void
view_fini(struct view *view)
{
	for (size_t i = 0; i < view->thread_count; i++) {
		free(view->threads[i].open);
		free(view->threads[i].methods);
	}
	free(view->threads);
	free(view->direct);
	free(view->methods);
	free(view->slots);
	free(view->calls);
	free(view->actions);
	free(view->depths);
}

static bool
note_action(struct view *view, uint32_t what)
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
innermost_call(struct view *view, struct view_thread *thread)
{
	return thread->depth == 0 ? &thread->root :
	    &view->calls[thread->open[thread->depth - 1]];
}

/* NULL: no memory, or too many. */
static struct view_call *
begin_view_call(struct view *view, struct view_thread *thread, uint32_t method)
{
	const uint32_t index = (uint32_t)view->call_count;
	const uint32_t number = (uint32_t)(thread - view->threads);

	if (view->call_count >= NOTE_THREAD / 2 ||
	    !view_reserve(&view->calls, view->call_count,
	    &view->call_capacity, sizeof(*view->calls)) ||
	    !view_reserve(&thread->open, thread->depth, &thread->capacity,
	    sizeof(*thread->open)))
		return NULL;
	if (!thread->has_calls && !note_action(view, NOTE_THREAD | number))
		return NULL;
	thread->has_calls = true;
	struct view_call *call = &view->calls[index];
	*call = (struct view_call){
		.thread = number, .method = method,
		.caller = thread->depth == 0 ? VIEW_ROOT :
		    thread->open[thread->depth - 1],
		.recursive = is_open(thread, method)
	};
	if (!set_open(thread, method) || !note_action(view, 2 * index))
		return NULL;
	thread->open[thread->depth++] = index;
	view->call_count++;
	return call;
}

/* Ends the innermost call. NULL: no memory. */
static struct view_call *
end_view_call(struct view *view, struct view_thread *thread)
{
	const uint32_t index = thread->open[thread->depth - 1];
	struct view_call *call = &view->calls[index];

	if (!note_action(view, 2 * index + 1))
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
	struct view_call *call = begin_view_call(view, before, VIEW_SWITCH);
	if (call == NULL)
		return false;
	call->start[VIEW_CPU] = before->end[VIEW_CPU];
	if (innermost_call(view, thread)->method != VIEW_SWITCH)
		return true;
	call = end_view_call(view, thread);
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
	struct view_call *call = begin_view_call(view, thread, VIEW_SWITCH);
	if (call == NULL)
		return false;
	call->start[VIEW_WALL] =
	    thread->end[VIEW_WALL] - passed[VIEW_WALL] + before;
	call->end[VIEW_WALL] = thread->end[VIEW_WALL] - after;
	call->start[VIEW_CPU] = thread->end[VIEW_CPU] - after;
	call->end[VIEW_CPU] = call->start[VIEW_CPU];
	return end_view_call(view, thread) != NULL;
}

static bool
take_view_times(struct view *view, struct view_thread *thread,
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
	struct view_call *call = innermost_call(view, thread);
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
step_view(struct view *view, struct view_thread *thread,
    const struct dmtrace_row *row)
{
	uint32_t *const depth = &view->depths[row->event.thread];

	if (row->depth == 0)
		return true;
	if (row->event.action == DMTRACE_ENTER) {
		const uint32_t method = view_method(view, row->event.method);
		struct view_call *call = method == VIEW_ROOT ? NULL :
		    begin_view_call(view, thread, method);

		if (call == NULL)
			return false;
		for (int clock = 0; clock < VIEW_CLOCKS; clock++)
			call->start[clock] = thread->end[clock];
		*depth = row->depth;
		return true;
	}
	for (; *depth >= row->depth; --*depth) {
		struct view_call *call = end_view_call(view, thread);

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
	    !take_view_times(view, &view->threads[number], &row->event))
		return false;
	view->last_thread = number;
	return step_view(view, &view->threads[number], row);
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

/* Computes the wall clock. */
static void
replay_actions(struct view *view)
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
	replay_actions(view);
	for (size_t i = view->call_count; i-- > 0; )
		sum_call(view, &view->calls[i]);
	for (size_t i = 0; i < view->thread_count; i++)
		add_to_method(view, &view->threads[i].root);
}
