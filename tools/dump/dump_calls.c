/* dump_calls.c - prints the calls of a trace with their durations */

/*
 * A call is printed at its enter, with its duration, which is known at its
 * exit. So the events are read twice: the first pass stores for each call, in
 * the order of the enters, its duration, that of its callees and whether it
 * made calls; the second pass prints. Both follow the open calls of each thread
 * with a stack of the calls' numbers; the depth of an exit says which calls it
 * ends. This takes 32 bytes of memory for each call, so a trace of a billion
 * calls needs a selection.
 *
 * A window cuts calls: they begin or end with an event that was added at its
 * edge. Their whole durations are found in another pass, before all others,
 * over all events of the trace (find_whole_calls).
 */

#include "dump/dump_lines.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/method_name.h"
#include "cli/msg.h"
#include "cmd.h"
#include "private/array.h"
#include "private/key.h"
#include "private/select.h"
#include "private/trace.h"

enum {
	ROWS = 1024,			/* rows that are read at a time */
	INDENT_MAX = 40,		/* levels; deeper ones are printed as a
					   number */
	WIDTH_DURATION = 11
};

/* Values of whole_ns: the call is not cut; it has no exit in the trace. */
#define NOT_CUT INT64_MIN
#define NO_EXIT INT64_MAX

struct call {
	int64_t ns;
	int64_t inner_ns;		/* of the calls that it made */
	int64_t whole_ns;		/* of a call that the window cut */
	bool ended;
	bool has_callees;
};

struct open_call {
	size_t call;
	uint64_t start_ns;
	uint64_t method;		/* its id */
	uint32_t method_index;
	bool added;			/* its enter was added */
};

/* The open calls of a thread, the outermost first. */
struct open_calls {
	struct open_call *items;
	size_t count;
	size_t capacity;
};

/* A call of the trace that is open at an edge of the window. */
struct whole_call {
	uint32_t thread;		/* its number */
	uint64_t method;
	uint64_t start_ns;
	int64_t ns;			/* NO_EXIT: it has no exit */
};

struct calls {
	struct table *table;
	const struct dmtrace_source *source;
	const struct dmtrace_key *key;
	const struct dmt_layout *layout;
	const struct dmtrace_thread *only;	/* NULL: several threads */
	struct log_marks *marks;
	bool prints;			/* this is the second pass */
	bool has_wall;
	struct call *items;		/* in the order of the enters */
	size_t count;
	size_t capacity;
	size_t next;			/* next call of the second pass */
	struct open_calls *threads;	/* by thread index */
	size_t thread_capacity;
	uint64_t from_ns, to_ns;	/* the window */
	struct whole_call *whole;	/* by thread and start */
	size_t whole_count;
	size_t whole_capacity;
	bool cuts;			/* a call is cut */
};

static const char *const call_columns[] = {
	"thread", "thread_name", "start_ns", "duration_ns", "exclusive_ns",
	"whole_ns", "depth", "id", "class", "name", "signature",
	"caller_class", "caller_name", NULL
};

/* Writes a line up to the name: times, thread and indentation. call is NULL if
 * there is no duration. */
static void
begin_call_line(struct calls *calls, const struct dmtrace_event *event,
    uint64_t time_ns, const struct call *call, size_t depth)
{
	struct dmt_output *const buffer = &calls->table->buffer;
	char seconds[DECIMAL_ROOM + 1];

	*decimal_put_seconds(seconds, time_ns) = '\0';
	dmt_put_format(buffer, "%s s", seconds);
	if (call == NULL)
		column_blank(buffer, WIDTH_DURATION);
	else if (call->ended)
		column_duration(buffer, WIDTH_DURATION, call->ns);
	else
		column_string(buffer, WIDTH_DURATION, "-");
	if (calls->cuts && call != NULL && call->whole_ns == NO_EXIT)
		column_string(buffer, WIDTH_DURATION, "no exit");
	else if (calls->cuts && call != NULL && call->whole_ns != NOT_CUT)
		column_duration(buffer, WIDTH_DURATION, call->whole_ns);
	else if (calls->cuts)
		column_blank(buffer, WIDTH_DURATION);
	if (calls->only == NULL)
		dmt_put_format(buffer, "  %5" PRIu32, event->thread);
	column_blank(buffer, 2 + 2 * (depth < INDENT_MAX ? depth :
	    INDENT_MAX));
	if (depth > INDENT_MAX)
		dmt_put_format(buffer, "[%zu] ", depth);
}

/* Fills the row of a call; caller is the open call around it, or NULL. */
static bool
print_call_row(struct calls *calls, const struct dmtrace_row *row,
    uint64_t time_ns, const struct call *call, size_t depth,
    const struct open_call *caller)
{
	static const struct dmtrace_method nameless;
	struct table *const table = calls->table;
	const struct dmtrace_thread *const thread = dmt_key_thread_match(
	    calls->key, calls->layout, row->event.thread);
	const struct dmtrace_method *method = dmt_source_method(calls->source,
	    row->method_index, row->event.method);
	char id[24];

	snprintf(id, sizeof(id), "0x%" PRIx64, row->event.method);
	method = method == NULL ? &nameless : method;
	table_number(table, row->event.thread);
	table_name(table, thread == NULL ? (struct dmtrace_text){ "", 0 } :
	    thread->name);
	table_number(table, time_ns);
	if (call->ended) {
		table_signed(table, call->ns);
		table_signed(table, call->ns - call->inner_ns);
	} else {
		table_absent(table, 2);
	}
	if (call->whole_ns == NOT_CUT || call->whole_ns == NO_EXIT)
		table_absent(table, 1);
	else
		table_signed(table, call->whole_ns);
	table_number(table, depth + 1);
	table_string(table, id);
	method_name_cells(table, method->class_name, method->name,
	    method->signature);
	method = caller == NULL ? NULL : dmt_source_method(calls->source,
	    caller->method_index, caller->method);
	table_name(table, method == NULL ? nameless.class_name :
	    method->class_name);
	table_name(table, method == NULL ? nameless.name : method->name);
	table_end_row(table);
	return table_flush(table);
}

static bool
print_enter(struct calls *calls, const struct dmtrace_row *row,
    uint64_t time_ns, const struct call *call, size_t depth,
    const struct open_call *caller)
{
	if (table_has_rows(calls->table))
		return print_call_row(calls, row, time_ns, call, depth,
		    caller);
	struct dmt_output *const buffer = &calls->table->buffer;
	const size_t begin = buffer->len;

	begin_call_line(calls, &row->event, time_ns, call, depth);
	const size_t name = buffer->len;
	dump_put_method_name(buffer, calls->source, row, true);
	dmt_put(buffer, call->ended && !call->has_callees ? ";" : " {");
	table_end_line(calls->table, begin, name);
	return table_flush(calls->table);
}

/* Prints the end of a call that was printed with a brace, or whose begin is
 * not in the trace. */
static bool
print_exit(struct calls *calls, const struct dmtrace_row *row,
    uint64_t time_ns, size_t depth, bool was_entered)
{
	struct dmt_output *const buffer = &calls->table->buffer;

	if (table_has_rows(calls->table))
		return true;
	begin_call_line(calls, &row->event, time_ns, NULL, depth);
	dmt_put(buffer, "}");
	if (!was_entered) {
		dmt_put(buffer, " ");
		dump_put_method_name(buffer, calls->source, row, true);
	}
	dmt_put(buffer, "\n");
	return table_flush(calls->table);
}

static bool
push_open_call(struct calls *calls, struct open_calls *open,
    const struct dmtrace_row *row, uint64_t time_ns)
{
	struct open_call *const items = dmt_array_grow(open->items,
	    &open->capacity, open->count + 1, sizeof(*items));
	const size_t number = calls->prints ? calls->next++ : calls->count;

	if (items == NULL)
		return false;
	open->items = items;
	items[open->count++] = (struct open_call){
		number, time_ns, row->event.method, row->method_index,
		row->offset == 0
	};
	if (calls->prints)
		return number >= calls->count || print_enter(calls, row,
		    time_ns, &calls->items[number], open->count - 1,
		    open->count < 2 ? NULL : &items[open->count - 2]);
	struct call *const grown = dmt_array_grow(calls->items,
	    &calls->capacity, calls->count + 1, sizeof(*grown));
	if (grown == NULL)
		return false;
	calls->items = grown;
	grown[calls->count++] = (struct call){ .whole_ns = NOT_CUT };
	if (open->count > 1)
		grown[items[open->count - 2].call].has_callees = true;
	return true;
}

/* Sorts by thread, then the outermost call first. */
static int
compare_whole_calls(const void *left, const void *right)
{
	const struct whole_call *const a = left, *const b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return a->ns == b->ns ? 0 : a->ns > b->ns ? -1 : 1;
}

/* Finds the whole duration of a call whose enter or exit was added: that began
 * at the same time or, if its enter was added, before the window. */
static void
find_whole(struct calls *calls, uint32_t thread, const struct open_call *open,
    size_t depth, struct call *call)
{
	size_t low = 0, high = calls->whole_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (calls->whole[middle].thread < thread)
			low = middle + 1;
		else
			high = middle;
	}
	/* Of several calls of one method, recursive ones, take the one with
	 * as many of them around it. */
	size_t around = 0;
	for (size_t i = 0; open->added && i < depth; i++)
		around += open[-1 - (ptrdiff_t)i].method == open->method;
	for (; low < calls->whole_count &&
	    calls->whole[low].thread == thread; low++) {
		const struct whole_call *const whole = &calls->whole[low];

		if (whole->method != open->method || (open->added ?
		    whole->start_ns >= calls->from_ns :
		    whole->start_ns != open->start_ns))
			continue;
		if (around-- > 0)
			continue;
		call->whole_ns = whole->ns;
		calls->cuts = true;
		return;
	}
}

/* An exit ends the call at its depth, and all deeper ones. */
static bool
leave_calls(struct calls *calls, struct open_calls *open,
    const struct dmtrace_row *row, uint64_t time_ns, uint32_t depth)
{
	if (depth == 0)
		return !calls->prints ||
		    row->event.action == DMTRACE_RESERVED ||
		    print_exit(calls, row, time_ns, 0, false);
	while (open->count >= depth) {
		const struct open_call *const top =
		    &open->items[--open->count];
		struct call *const call = &calls->items[top->call];

		if (!calls->prints) {
			call->ns = (int64_t)(time_ns - top->start_ns);
			call->ended = true;
			if (open->count > 0)
				calls->items[top[-1].call].inner_ns +=
				    call->ns;
			if (top->added || row->offset == 0)
				find_whole(calls, row->event.thread, top,
				    open->count, call);
		} else if (call->has_callees && !print_exit(calls, row,
		    time_ns, open->count, true)) {
			return false;
		}
	}
	return true;
}

/* Prints the entries of the log up to a time. */
static bool
print_log_entries(struct calls *calls, uint64_t before_ns)
{
	struct dmt_output *const buffer = &calls->table->buffer;
	const struct dmt_export_instant *entry;
	uint64_t time_ns;

	while ((entry = log_marks_next(calls->marks, before_ns, &time_ns)) !=
	    NULL) {
		const struct dmtrace_event event = { .thread = entry->thread };
		const size_t begin = buffer->len;

		begin_call_line(calls, &event, time_ns, NULL, 0);
		const size_t text = buffer->len;
		dmt_put(buffer, "/* ");
		dump_put_entry(buffer, entry);
		dmt_put(buffer, " */");
		table_end_line(calls->table, begin, text);
		if (!table_flush(calls->table))
			return false;
	}
	return true;
}

/* Reads all events once. false: no memory, which was reported. *status is that
 * of the source. */
static bool
pass_calls(struct calls *calls, struct dmtrace_source *source,
    enum dmtrace_status *status)
{
	struct dmtrace_row rows[ROWS];
	uint64_t last_ns = 0;
	size_t count;
	bool fine = true;

	do {
		*status = dmtrace_source_read(source, rows, ROWS, &count);
		for (size_t i = 0; fine && *status == DMTRACE_OK && i < count;
		    i++) {
			const struct dmtrace_event *const event =
			    &rows[i].event;
			const size_t index = rows[i].thread_index;
			struct open_calls *const threads = dmt_array_grow_zero(
			    calls->threads, &calls->thread_capacity, index + 1,
			    sizeof(*threads));
			const uint64_t time_ns = calls->has_wall ?
			    event->wall_ns : event->cpu_ns;

			if (time_ns > last_ns)
				last_ns = time_ns;
			if (threads != NULL)
				calls->threads = threads;
			fine = threads != NULL && (!calls->prints ||
			    print_log_entries(calls, time_ns)) &&
			    (event->action == DMTRACE_ENTER ?
			    push_open_call(calls, &threads[index], &rows[i],
			    time_ns) : leave_calls(calls, &threads[index],
			    &rows[i], time_ns, rows[i].depth));
		}
	} while (fine && *status == DMTRACE_OK && count > 0 &&
	    out_room(&calls->table->out, 1) != NULL);
	if (fine && calls->prints && *status == DMTRACE_OK && count == 0) {
		fine = print_log_entries(calls, last_ns + 1);
		log_marks_end(calls->marks);
	}
	if (!fine && !calls->table->lost)
		msg_memory();
	return fine;
}

/* Stores a call that is open at an edge of the window. */
static bool
add_whole_call(struct calls *calls, uint32_t thread,
    const struct open_call *open, uint64_t end_ns, bool ended)
{
	const uint64_t start_ns = open->start_ns;

	if ((start_ns >= calls->from_ns || end_ns < calls->from_ns) &&
	    (start_ns >= calls->to_ns || end_ns < calls->to_ns))
		return true;
	struct whole_call *const grown = dmt_array_grow(calls->whole,
	    &calls->whole_capacity, calls->whole_count + 1, sizeof(*grown));
	if (grown == NULL)
		return false;
	calls->whole = grown;
	grown[calls->whole_count++] = (struct whole_call){
		thread, open->method, start_ns,
		ended ? (int64_t)(end_ns - start_ns) : NO_EXIT
	};
	return true;
}

/* Follows an event of the whole trace. false: no memory. */
static bool
follow_whole_call(struct calls *calls, const struct dmtrace_row *row)
{
	const struct dmtrace_event *const event = &row->event;
	struct open_calls *const threads = dmt_array_grow_zero(calls->threads,
	    &calls->thread_capacity, row->thread_index + (size_t)1,
	    sizeof(*threads));
	const uint64_t time_ns = calls->has_wall ? event->wall_ns :
	    event->cpu_ns;

	if (threads == NULL)
		return false;
	calls->threads = threads;
	struct open_calls *const open = &threads[row->thread_index];
	if (event->action != DMTRACE_ENTER) {
		while (row->depth > 0 && open->count >= row->depth)
			if (!add_whole_call(calls, event->thread,
			    &open->items[--open->count], time_ns, true))
				return false;
		return true;
	}
	struct open_call *const items = dmt_array_grow(open->items,
	    &open->capacity, open->count + 1, sizeof(*items));
	if (items == NULL)
		return false;
	open->items = items;
	items[open->count++] = (struct open_call){
		.start_ns = time_ns, .method = event->method,
		.call = event->thread
	};
	return true;
}

/* Reads all events of the trace, and stores the calls that are open at an edge
 * of the window. A failure to read is reported by the passes that follow.
 * false: no memory. */
static bool
find_whole_calls(struct calls *calls, struct dmtrace_reader *reader)
{
	struct dmtrace_source *const all = dmtrace_source_new(reader);
	struct dmtrace_row rows[ROWS];
	size_t count = 1;
	bool fine = all != NULL;

	while (fine && count > 0 && dmtrace_source_read(all, rows, ROWS,
	    &count) == DMTRACE_OK)
		for (size_t i = 0; fine && i < count; i++)
			fine = follow_whole_call(calls, &rows[i]);
	for (size_t i = 0; i < calls->thread_capacity; i++) {
		struct open_calls *const open = &calls->threads[i];

		while (fine && open->count > 0) {
			open->count--;
			fine = add_whole_call(calls,
			    (uint32_t)open->items[open->count].call,
			    &open->items[open->count], UINT64_MAX, false);
		}
		open->count = 0;
	}
	if (calls->whole_count > 1)
		qsort(calls->whole, calls->whole_count, sizeof(*calls->whole),
		    compare_whole_calls);
	dmtrace_source_free(all);
	return fine && dmt_reader_rewind(reader) == DMTRACE_OK;
}

bool
dump_calls(struct table *table, struct dmtrace_source *source,
    struct dmtrace_reader *reader, const struct dmt_selection *selection,
    const struct dmtrace_thread *only, struct log_marks *marks,
    enum dmtrace_status *status)
{
	struct calls calls = {
		.table = table, .source = source,
		.key = dmtrace_reader_key(reader),
		.layout = dmt_reader_layout(reader), .only = only,
		.marks = marks
	};
	bool fine = true;

	calls.has_wall = dmt_layout_clock(calls.layout) !=
	    DMTRACE_CLOCK_THREAD_CPU;
	dmt_selection_get_window(selection, &calls.from_ns, &calls.to_ns);
	if (calls.from_ns > 0 || calls.to_ns < UINT64_MAX)
		fine = find_whole_calls(&calls, reader);
	if (!fine)
		msg_memory();
	fine = fine && pass_calls(&calls, source, status);
	if (fine && *status == DMTRACE_OK)
		*status = dmt_source_rewind(source);
	if (fine && *status == DMTRACE_OK) {
		for (size_t i = 0; i < calls.thread_capacity; i++)
			calls.threads[i].count = 0;
		calls.prints = true;
		if (table_has_rows(table))
			table_set_columns(table, call_columns);
		else
			dmt_put_format(&table->buffer, "%14s%*s%s%s  call\n",
			    "start", WIDTH_DURATION, "duration",
			    calls.cuts ? "   in whole" : "",
			    only == NULL ? " thread" : "");
		fine = table_flush(table) &&
		    pass_calls(&calls, source, status);
	}
	for (size_t i = 0; i < calls.thread_capacity; i++)
		free(calls.threads[i].items);
	free(calls.threads);
	free(calls.items);
	free(calls.whole);
	return fine;
}
