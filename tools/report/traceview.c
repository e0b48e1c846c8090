/* traceview.c - prints the tables of "traceview -r" */

/*
 * Traceview stores every call of a trace, with its times in microseconds on
 * two clocks, and prints them all; this does the same, and needs as much
 * memory. The time between two records of a thread belongs to the innermost
 * call. The inclusive time of a call is known at its end. A call is stored
 * after its caller, so one pass from the last call to the first adds the times
 * to callers and methods.
 *
 * Time during which a thread did not run becomes calls of a method named
 * "(context switch)". With both clocks, that is wall time without CPU time.
 * With CPU time alone, a switch happens where the next record is of another
 * thread. All threads then share one CPU, whose clock serves as the wall
 * clock: begins and ends of calls are recorded in order, and replayed at the
 * end.
 */

#include "report/traceview.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/msg.h"
#include "cli/table.h"
#include "cli/trace_events.h"
#include "private/array.h"
#include "private/key.h"
#include "private/select.h"
#include "private/tables.h"
#include "private/text.h"
#include "private/trace.h"

#define ROWS 1024		/* rows that are read at a time */
#define SWITCH_US 100		/* longer wall time without CPU time is a
				   switch */
#define ROOT UINT32_MAX		/* no call, or no thread */

/* Actions of the replay: twice the call, plus 1 for an end; from this value
 * on, a thread that begins. */
#define NOTE_THREAD (UINT32_C(1) << 31)

/* Indexes of clocks in a struct view_call. */
enum { VIEW_CPU, VIEW_WALL, VIEW_CLOCKS };

/* The first methods. */
enum { METHOD_TOP, METHOD_SWITCH, METHOD_FIRST };

/* A call, or the root of a thread. Times are in microseconds. */
struct view_call {
	uint32_t thread;
	uint32_t method;
	uint32_t caller;		/* ROOT: called by the root */
	bool recursive;
	int64_t start[VIEW_CLOCKS];
	int64_t end[VIEW_CLOCKS];
	int64_t inclusive[VIEW_CLOCKS];
	int64_t exclusive[VIEW_CLOCKS];
};

struct view_indexes {
	uint32_t *items;
	size_t count;
	size_t capacity;
	uint32_t spare;
};

struct view_thread {
	uint32_t id;			/* of its row, else of its records */
	const struct dmtrace_thread *listed;	/* NULL: not listed */
	bool has_calls;
	bool has_time[VIEW_CLOCKS];
	int64_t start[VIEW_CLOCKS];
	int64_t end[VIEW_CLOCKS];
	int64_t current;		/* current time of a single clock, in
					   the replay */
	struct view_call root;
	struct view_indexes open;	/* calls, the outermost first */
	bool *is_open;			/* by method: it has an open call */
	size_t method_capacity;
};

/* A thread in the events; several may have the same row. */
struct view_alias {
	uint32_t thread;		/* 1 + its index; 0: not seen yet */
	uint32_t depth;			/* number of open calls */
};

struct view_method {
	uint64_t id;
	size_t name;			/* in names, at the end */
	int64_t inclusive[VIEW_CLOCKS];
	int64_t exclusive[VIEW_CLOCKS];
	uint64_t calls[2];		/* outermost, recursive */
};

struct view {
	const struct job *job;
	const struct dmtrace_key *key;
	const struct dmt_layout *layout;
	bool has_clock[VIEW_CLOCKS];
	bool takes_first;		/* the only clock is the first time of
					   a record */
	struct view_threads {
		struct view_thread *items;	/* those in the key first */
		size_t count;
		size_t capacity;
		struct view_thread spare;
	} threads;
	struct view_alias *aliases;	/* by thread index */
	struct view_methods {
		struct view_method *items;	/* index + METHOD_FIRST */
		size_t count;
		size_t capacity;
		struct view_method spare;
	} methods;
	struct dmt_output names;	/* each with a NUL */
	struct view_calls {
		struct view_call *items;	/* in the order of their
						   begins */
		size_t count;
		size_t capacity;
		struct view_call spare;
	} calls;
	struct view_indexes actions;	/* for a CPU clock alone */
	uint32_t last_thread;		/* ROOT: none yet */
	bool no_memory;			/* or too many calls: no further event
					   may be added */
	struct dmtrace_error error;
};

static bool
add_thread(struct view *view, uint32_t id,
    const struct dmtrace_thread *listed)
{
	const uint32_t number = (uint32_t)view->threads.count;

	*dmt_push(&view->threads, &view->no_memory) = (struct view_thread){
		.id = id, .listed = listed,
		.root = { .thread = number, .method = METHOD_TOP,
		    .caller = ROOT }
	};
	return !view->no_memory;
}

/* Returns the thread of an event: that of its row in the key, or a new one.
 * NULL: no memory. */
static struct view_alias *
find_alias(struct view *view, const struct dmtrace_row *row)
{
	struct view_alias *const alias = &view->aliases[row->thread_index];

	if (alias->thread != 0)
		return alias;

	const struct dmtrace_thread *const listed = dmt_key_thread_match(
	    view->key, view->layout, row->event.thread);
	size_t i = listed == NULL ? view->threads.count : 0;
	while (i < view->threads.count &&
	    view->threads.items[i].listed != listed)
		i++;
	if (i == view->threads.count &&
	    !add_thread(view, row->event.thread, NULL))
		return NULL;
	alias->thread = (uint32_t)i + 1;
	return alias;
}

/*
 * Reads the threads of the key, and its clock: Traceview uses the last clock
 * line that it knows, not the records. Without one, and for other clocks, it
 * takes the first time for thread CPU time. false: no memory.
 */
static bool
init_view(struct view *view, const struct dmtrace_reader *reader)
{
	enum dmtrace_clock clock = DMTRACE_CLOCK_THREAD_CPU;

	view->key = dmtrace_reader_key(reader);
	view->layout = dmt_reader_layout(reader);
	view->last_thread = ROOT;
	for (size_t i = 0; i < dmtrace_key_option_count(view->key); i++) {
		const struct dmtrace_option *const option =
		    dmtrace_key_option_get(view->key, i);

		if (!dmt_text_is(option->name, DMT_OPTION_CLOCK))
			continue;
		if (dmt_text_is(option->value, "wall"))
			clock = DMTRACE_CLOCK_WALL;
		else if (dmt_text_is(option->value, "dual"))
			clock = DMTRACE_CLOCK_DUAL;
		else if (dmt_text_is(option->value, "thread-cpu"))
			clock = DMTRACE_CLOCK_THREAD_CPU;
	}
	/* With records of one time, it would read into the next record. */
	if (clock == DMTRACE_CLOCK_DUAL &&
	    dmt_layout_clock(view->layout) != DMTRACE_CLOCK_DUAL)
		clock = dmt_layout_clock(view->layout);
	view->has_clock[VIEW_CPU] = clock != DMTRACE_CLOCK_WALL;
	view->has_clock[VIEW_WALL] = clock == DMTRACE_CLOCK_WALL ||
	    clock == DMTRACE_CLOCK_DUAL;
	view->takes_first = clock != DMTRACE_CLOCK_DUAL;

	for (size_t i = 0; i < dmtrace_key_thread_count(view->key); i++) {
		const struct dmtrace_thread *row =
		    dmtrace_key_thread_get(view->key, i);

		if (dmtrace_key_thread_find(view->key, row->id) == row &&
		    !add_thread(view, row->id, row))
			return false;
	}
	return true;
}

static void
fini_view(struct view *view)
{
	for (size_t i = 0; i < view->threads.count; i++) {
		free(view->threads.items[i].open.items);
		free(view->threads.items[i].is_open);
	}
	free(view->threads.items);
	free(view->methods.items);
	dmt_output_fini(&view->names);
	free(view->calls.items);
	free(view->actions.items);
}

/* Records an action for the replay, which only a single CPU clock needs. */
static void
note_action(struct view *view, uint32_t what)
{
	if (!view->has_clock[VIEW_WALL])
		*dmt_push(&view->actions, &view->no_memory) = what;
}

/* NULL: no memory, or too many calls. */
static struct view_call *
begin_call(struct view *view, struct view_thread *thread, uint32_t method)
{
	const uint32_t index = (uint32_t)view->calls.count;
	const uint32_t number = (uint32_t)(thread - view->threads.items);
	const uint32_t caller = thread->open.count == 0 ? ROOT :
	    thread->open.items[thread->open.count - 1];

	if (view->calls.count >= NOTE_THREAD / 2)
		return NULL;
	bool *const is_open = dmt_array_grow_zero(thread->is_open,
	    &thread->method_capacity, (size_t)method + 1, sizeof(*is_open));
	if (is_open == NULL)
		return NULL;
	thread->is_open = is_open;
	if (!thread->has_calls)
		note_action(view, NOTE_THREAD | number);
	note_action(view, 2 * index);

	struct view_call *const call =
	    dmt_push(&view->calls, &view->no_memory);
	*call = (struct view_call){
		.thread = number, .method = method, .caller = caller,
		.recursive = is_open[method]
	};
	*dmt_push(&thread->open, &view->no_memory) = index;
	thread->has_calls = true;
	is_open[method] = true;
	return view->no_memory ? NULL : call;
}

/* Ends the innermost call. */
static struct view_call *
end_call(struct view *view, struct view_thread *thread)
{
	const uint32_t index = thread->open.items[--thread->open.count];
	struct view_call *const call = &view->calls.items[index];

	note_action(view, 2 * index + 1);
	if (!call->recursive)
		thread->is_open[call->method] = false;
	return call;
}

static struct view_call *
innermost_call(struct view *view, struct view_thread *thread)
{
	return thread->open.count == 0 ? &thread->root :
	    &view->calls.items[thread->open.items[thread->open.count - 1]];
}

/* Another thread continues: the previous one is switched off, and this one on,
 * in the middle of the time in between. */
static bool
switch_threads(struct view *view, struct view_thread *thread, int64_t passed)
{
	const uint32_t number = (uint32_t)(thread - view->threads.items);
	const uint32_t last = view->last_thread;

	if (last == ROOT || last == number)
		return true;
	struct view_thread *before = &view->threads.items[last];
	struct view_call *call = begin_call(view, before, METHOD_SWITCH);
	if (call == NULL)
		return false;
	call->start[VIEW_CPU] = before->end[VIEW_CPU];
	if (innermost_call(view, thread)->method != METHOD_SWITCH)
		return true;
	call = end_call(view, thread);
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
	struct view_call *call = begin_call(view, thread, METHOD_SWITCH);
	if (call == NULL)
		return false;
	call->start[VIEW_WALL] =
	    thread->end[VIEW_WALL] - passed[VIEW_WALL] + before;
	call->end[VIEW_WALL] = thread->end[VIEW_WALL] - after;
	call->start[VIEW_CPU] = thread->end[VIEW_CPU] - after;
	call->end[VIEW_CPU] = call->start[VIEW_CPU];
	end_call(view, thread);
	return true;
}

/* Applies the times of an event: the time since the last event of the thread
 * belongs to the innermost call. false: no memory. */
static bool
take_times(struct view *view, struct view_thread *thread,
    const struct dmtrace_event *event)
{
	const bool dual =
	    view->has_clock[VIEW_CPU] && view->has_clock[VIEW_WALL];
	/* At the end of a window, the CPU time may be unknown. */
	const uint64_t first_ns = event->cpu_ns != DMTRACE_NO_TIME ?
	    event->cpu_ns : dual && thread->has_time[VIEW_CPU] ?
	    (uint64_t)thread->end[VIEW_CPU] * 1000 : event->wall_ns;
	const uint64_t now_ns[VIEW_CLOCKS] =
	    { first_ns, view->takes_first ? first_ns : event->wall_ns };
	int64_t passed[VIEW_CLOCKS] = { 0, 0 };

	for (int clock = 0; clock < VIEW_CLOCKS; clock++) {
		const int64_t now = (int64_t)(now_ns[clock] / 1000);

		if (!view->has_clock[clock])
			continue;
		if (thread->has_time[clock]) {
			passed[clock] = now - thread->end[clock];
		} else {
			thread->start[clock] = now;
			thread->has_time[clock] = true;
			if (clock == VIEW_CPU)
				thread->current = now;
		}
		thread->end[clock] = now;
	}
	if (!view->has_clock[VIEW_CPU])
		return true;
	if (view->has_clock[VIEW_WALL] ?
	    !note_sleep(view, thread, passed) :
	    !switch_threads(view, thread, passed[VIEW_CPU]))
		return false;
	struct view_call *const call = innermost_call(view, thread);
	call->exclusive[VIEW_CPU] += passed[VIEW_CPU];
	call->inclusive[VIEW_CPU] += passed[VIEW_CPU];
	return true;
}

/* Applies an event. An exit of a method that is not innermost also ends the
 * calls inside it; Traceview refuses such a trace. false: no memory, or more
 * than 2^30 calls. */
static bool
take_event(struct view *view, const struct dmtrace_row *row)
{
	struct view_alias *const alias = find_alias(view, row);

	if (alias == NULL)
		return false;
	struct view_thread *const thread =
	    &view->threads.items[alias->thread - 1];
	if (!take_times(view, thread, &row->event))
		return false;
	view->last_thread = alias->thread - 1;
	if (row->depth == 0)
		return true;

	if (row->event.action == DMTRACE_ENTER) {
		const size_t method = (size_t)row->method_index + METHOD_FIRST;

		view->methods.items[method].id = row->event.method;
		struct view_call *const call = begin_call(view, thread,
		    (uint32_t)method);
		if (call == NULL)
			return false;
		memcpy(call->start, thread->end, sizeof(call->start));
		alias->depth = row->depth;
		return true;
	}
	for (; alias->depth >= row->depth; alias->depth--) {
		struct view_call *const call = end_call(view, thread);

		memcpy(call->end, thread->end, sizeof(call->end));
	}
	return !view->no_memory;
}

/* Computes a wall clock for a trace that has none. */
static void
replay_actions(struct view *view)
{
	int64_t clock = 0;

	for (size_t i = 0; i < view->actions.count; i++) {
		const uint32_t action = view->actions.items[i];
		const bool is_root = (action & NOTE_THREAD) != 0;
		const bool is_end = !is_root && action % 2 == 1;
		struct view_call *const call = is_root ?
		    &view->threads.items[action & ~NOTE_THREAD].root :
		    &view->calls.items[action / 2];
		struct view_thread *const thread =
		    &view->threads.items[call->thread];
		const int64_t now = is_end ?
		    call->end[VIEW_CPU] : call->start[VIEW_CPU];

		clock += now - thread->current;
		thread->current = now;
		if (is_end) {
			call->end[VIEW_WALL] = thread->end[VIEW_WALL] = clock;
			continue;
		}
		call->start[VIEW_WALL] = clock;
		if (!thread->has_time[VIEW_WALL])
			thread->start[VIEW_WALL] = clock;
		thread->has_time[VIEW_WALL] = true;
	}
}

static void
add_to_method(struct view *view, const struct view_call *call)
{
	struct view_method *const method = &view->methods.items[call->method];

	method->calls[call->recursive]++;
	for (int clock = 0; clock < VIEW_CLOCKS; clock++) {
		method->exclusive[clock] += call->exclusive[clock];
		if (!call->recursive)
			method->inclusive[clock] += call->inclusive[clock];
	}
}

/* Ends the open calls after the last event, and sums up. */
static void
sum_view(struct view *view)
{
	for (size_t i = 0; i < view->threads.count; i++) {
		struct view_thread *const thread = &view->threads.items[i];
		struct view_indexes *const open = &thread->open;

		while (open->count > 0)
			memcpy(view->calls.items[open->items[--open->count]]
			    .end, thread->end, sizeof(thread->end));
	}
	replay_actions(view);

	for (size_t i = view->calls.count; i-- > 0; ) {
		struct view_call *const call = &view->calls.items[i];
		struct view_call *const caller = call->caller == ROOT ?
		    &view->threads.items[call->thread].root :
		    &view->calls.items[call->caller];
		const int64_t wall =
		    call->end[VIEW_WALL] - call->start[VIEW_WALL];
		const int64_t own = wall - call->inclusive[VIEW_WALL];

		call->exclusive[VIEW_WALL] = own > 0 ? own : 0;
		call->inclusive[VIEW_WALL] = wall;
		for (int clock = 0; clock < VIEW_CLOCKS; clock++)
			caller->inclusive[clock] += call->inclusive[clock];
		add_to_method(view, call);
	}
	for (size_t i = 0; i < view->threads.count; i++)
		add_to_method(view, &view->threads.items[i].root);
}

/* Makes the names of all methods that have calls: "class.name signature", or
 * as much of that as is known. */
static void
name_methods(struct view *view, const struct dmtrace_source *source)
{
	struct dmt_output *const names = &view->names;

	for (size_t i = 0; i < view->methods.count; i++) {
		struct view_method *const method = &view->methods.items[i];
		const struct dmtrace_method *const row = i < METHOD_FIRST ?
		    NULL : dmt_source_method(source,
		    (uint32_t)(i - METHOD_FIRST), method->id);

		if (method->calls[0] == 0)
			continue;
		method->name = names->len;
		if (i == METHOD_TOP) {
			dmt_put(names, "(toplevel)");
		} else if (i == METHOD_SWITCH) {
			dmt_put(names, "(context switch)");
		} else if (row == NULL) {
			dmt_put_format(names, "(0x%" PRIx64 ")", method->id);
		} else {
			const struct dmtrace_text sign = row->signature;

			dmt_output_write(names, row->class_name.bytes,
			    row->class_name.len);
			if (row->class_name.len > 0 && sign.len > 0)
				dmt_put(names, ".");
			if (row->class_name.len == 0 || sign.len > 0)
				dmt_output_write(names, row->name.bytes,
				    row->name.len);
			if (sign.len > 0)
				dmt_put(names, " ");
			dmt_output_write(names, sign.bytes, sign.len);
		}
		dmt_output_write(names, "", 1);
	}
}

/* For a struct dmt_table: the methods outlive the source, so view has them. */
static bool
add_method(void *owner, uint32_t index, void *item)
{
	struct view *const view = owner;

	(void)index;
	(void)item;
	*dmt_push(&view->methods, &view->no_memory) =
	    (struct view_method){ .id = 0 };
	return !view->no_memory;
}

/* The function of a struct trace_events_sink. */
static enum dmtrace_status
add_to_view(void *context, struct dmtrace_source *source)
{
	struct view *const view = context;
	struct dmtrace_row rows[ROWS];
	size_t count;
	bool fine = init_view(view, view->job->reader);

	for (uint32_t i = 0; i < METHOD_FIRST && fine; i++)
		fine = add_method(view, i, NULL);
	dmt_attach(source, &view->aliases, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*view->aliases) });
	dmt_attach(source, NULL, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .init = add_method, .owner = view });
	do {
		const enum dmtrace_status status = dmtrace_source_read(
		    source, rows, ROWS, &count);

		if (status != DMTRACE_OK)
			return status;
		for (size_t i = 0; fine && i < count; i++)
			fine = take_event(view, &rows[i]);
	} while (fine && count > 0);
	if (fine) {
		sum_view(view);
		name_methods(view, source);
		fine = !dmt_output_failed(&view->names);
	}
	if (fine)
		return DMTRACE_OK;
	view->error.status = DMTRACE_ERR_MEMORY;
	snprintf(view->error.message, sizeof(view->error.message),
	    "no memory for so many or so deep calls");
	return DMTRACE_ERR_MEMORY;
}

static const struct dmtrace_error *
get_view_error(void *context)
{
	const struct view *const view = context;

	return &view->error;
}

/* A method to sort, with the name that decides between equal times. */
struct ranked {
	const struct view_method *method;
	int64_t inclusive;
	const char *name;
};

static int
compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->inclusive != b->inclusive)
		return a->inclusive < b->inclusive ? 1 : -1;
	const int order = strcmp(a->name, b->name);
	return order != 0 ? order :
	    (a->method->id > b->method->id) - (a->method->id < b->method->id);
}

/* Prints the methods with inclusive time, sorted by it. false: no memory,
 * which was reported. */
static bool
print_methods(const struct view *view, struct table *table)
{
	const int clock = view->has_clock[VIEW_CPU] ? VIEW_CPU : VIEW_WALL;
	/* In Traceview's table a method with id 0 replaces the top. */
	const bool has_top = dmtrace_key_method_find(view->key, 0) == NULL;
	struct ranked *const ranked = calloc(view->methods.count,
	    sizeof(*ranked));
	size_t count = 0;
	bool fine = ranked != NULL;

	if (!fine)
		msg_memory();
	for (size_t i = 0; fine && i < view->methods.count; i++) {
		const struct view_method *const method =
		    &view->methods.items[i];

		if (method->inclusive[clock] != 0 &&
		    (i != METHOD_TOP || has_top))
			ranked[count++] = (struct ranked){
				method, method->inclusive[clock],
				view->names.bytes + method->name
			};
	}
	if (count > 1)
		qsort(ranked, count, sizeof(*ranked), compare_ranked);

	dmt_put(&table->buffer, "\nMethod Stats\nExcl Cpu  Incl Cpu  "
	    "Excl Real Incl Real    Calls  Method\n");
	for (size_t i = 0; fine && i < count; i++) {
		const struct view_method *const method = ranked[i].method;
		char calls[48];

		snprintf(calls, sizeof(calls), "%" PRIu64 "+%" PRIu64,
		    method->calls[0], method->calls[1]);
		dmt_put_format(&table->buffer, "%9" PRId64 " %9" PRId64 " %9"
		    PRId64 " %9" PRId64 " %9s  %zu ",
		    method->exclusive[VIEW_CPU], method->inclusive[VIEW_CPU],
		    method->exclusive[VIEW_WALL], method->inclusive[VIEW_WALL],
		    calls, i);
		dmt_put(&table->buffer, ranked[i].name);
		dmt_put(&table->buffer, "\n");
		fine = table_flush(table);
	}
	free(ranked);
	return fine && table_flush(table);
}

static bool
print_view(const struct view *view, struct table *table)
{
	struct dmt_output *const buffer = &table->buffer;
	int64_t totals[VIEW_CLOCKS] = { 0, 0 };
	bool fine = true;

	for (size_t i = 0; i < view->threads.count; i++)
		for (int clock = 0; clock < VIEW_CLOCKS; clock++)
			totals[clock] +=
			    view->threads.items[i].root.inclusive[clock];
	dmt_put_format(buffer, "totalCpuTime %" PRId64 "us\n"
	    "totalRealTime %" PRId64 "us\n", totals[VIEW_CPU],
	    totals[VIEW_WALL]);

	dmt_put(buffer, "\nThread Times\n"
	    "id  t-start    t-end  g-start    g-end     name\n");
	for (size_t i = 0; fine && i < view->threads.count; i++) {
		const struct view_thread *const thread =
		    &view->threads.items[i];

		dmt_put_format(buffer, "%2" PRIu32 " %8" PRId64 " %8" PRId64
		    " %8" PRId64 " %8" PRId64 "  [%" PRIu32 "] ", thread->id,
		    thread->start[VIEW_CPU], thread->end[VIEW_CPU],
		    thread->start[VIEW_WALL], thread->end[VIEW_WALL],
		    thread->id);
		if (thread->listed == NULL)
			dmt_put_format(buffer, "[%" PRIu32 "]", thread->id);
		else
			dmt_output_write(buffer, thread->listed->name.bytes,
			    thread->listed->name.len);
		dmt_put(buffer, "\n");
		fine = table_flush(table);
	}

	dmt_put(buffer, "\nCall Times\nid  t-start    t-end  g-start"
	    "    g-end    excl.    incl.  method\n");
	for (size_t i = 0; fine && i < view->calls.count; i++) {
		const struct view_call *const call = &view->calls.items[i];

		dmt_put_format(buffer, "%2" PRIu32 " %8" PRId64 " %8" PRId64
		    " %8" PRId64 " %8" PRId64 " %8" PRId64 " %8" PRId64 "  ",
		    view->threads.items[call->thread].id,
		    call->start[VIEW_CPU], call->end[VIEW_CPU],
		    call->start[VIEW_WALL], call->end[VIEW_WALL],
		    call->exclusive[VIEW_CPU], call->inclusive[VIEW_CPU]);
		dmt_put(buffer, view->names.bytes +
		    view->methods.items[call->method].name);
		dmt_put(buffer, "\n");
		fine = table_flush(table);
	}
	return fine && print_methods(view, table);
}

int
view_file(struct job *job, const char *operand, struct selection *selection)
{
	static const struct trace_events_sink view_sink =
	    { add_to_view, get_view_error };
	struct table table = { .form = FORM_TEXT };
	struct view view = { .job = job };
	struct trace_events events = {
		.job = job, .sink = &view_sink, .context = &view,
		.selection = selection
	};
	int status = CMD_TROUBLE;

	if (table_open(&table, job->output)) {
		status = trace_events_add(&events, operand);
		if (status != CMD_TROUBLE) {
			table.lost |= !print_view(&view, &table);
			status = cmd_worse(status,
			    selection_finish(selection, job->name));
		}
		table.lost |= status == CMD_TROUBLE;
		status = table_close(&table, status);
	}
	fini_view(&view);
	job_fini(job);
	return status;
}
