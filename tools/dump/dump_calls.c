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
 * A call without an exit lasts until the last event of its thread, as in all
 * profiles, and is marked. The whole durations of calls that a window cuts are
 * found in another pass, before all others (cli/whole_calls.h).
 */

#include "dump/dump_lines.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/method_name.h"
#include "cli/msg.h"
#include "cli/whole_calls.h"
#include "cmd.h"
#include "private/array.h"
#include "private/key.h"
#include "private/select.h"
#include "private/tables.h"
#include "private/trace.h"

enum {
	ROWS = 1024,			/* rows that are read at a time */
	INDENT_MAX = 40,		/* levels; deeper ones are printed as a
					   number */
	WIDTH_DURATION = 11,
	WIDTH_NAME = 31			/* of a name with the depth as a number
					   before it */
};

struct call {
	int64_t ns;
	int64_t inner_ns;		/* of the calls that it made */
	int64_t whole_ns;		/* WHOLE_NOT_CUT, WHOLE_NO_EXIT, or the
					   duration of a call that the window
					   cut */
	bool ended;			/* its exit is printed */
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
	struct open_call spare;
	uint64_t last_ns;		/* the last time of the thread */
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
	struct call spare;
	size_t next;			/* next call of the second pass */
	struct open_calls *threads;	/* by index */
	bool no_memory;			/* for a call: no further event may be
					   added */
	struct whole_calls whole;
	bool cuts;			/* a call is cut */
};

static const char *const call_columns[] = {
	"thread", "thread_name", "start_ns", "duration_ns", "exclusive_ns",
	"cut", "whole_ns", "depth", "id", "class", "name", "signature",
	"caller_class", "caller_name", NULL
};

/* Writes a line up to the name: times, thread and indentation. call is NULL if
 * there is no duration. */
static void
begin_call_line(struct calls *calls, const struct dmtrace_event *event,
    uint64_t time_ns, const struct call *call, size_t depth)
{
	struct dmt_output *const buffer = &calls->table->buffer;
	const size_t begin = buffer->len;
	char seconds[DECIMAL_ROOM + 1];

	*decimal_put_seconds(seconds, time_ns) = '\0';
	dmt_put_format(buffer, "%s s", seconds);
	if (call == NULL)
		column_blank(buffer, WIDTH_DURATION);
	else
		column_duration(buffer, WIDTH_DURATION, call->ns);
	if (calls->cuts)
		whole_calls_put(buffer, WIDTH_DURATION, call == NULL ?
		    WHOLE_NOT_CUT : call->whole_ns);
	if (calls->only == NULL)
		dmt_put_format(buffer, "  %5" PRIu32, event->thread);

	/* On a terminal, names keep some space. */
	const size_t columns = calls->table->out.columns;
	const size_t used = buffer->len - begin + WIDTH_NAME;
	const size_t most = columns == 0 ? INDENT_MAX : columns < used ? 0 :
	    (columns - used) / 2 < INDENT_MAX ? (columns - used) / 2 :
	    INDENT_MAX;
	column_blank(buffer, 2 + 2 * (depth < most ? depth : most));
	if (depth > most)
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
	table_signed(table, call->ns);
	table_signed(table, call->ns - call->inner_ns);
	whole_calls_cells(table, call->whole_ns);
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
	const size_t begin = buffer->len;

	if (table_has_rows(calls->table))
		return true;
	begin_call_line(calls, &row->event, time_ns, NULL, depth);
	dmt_put(buffer, was_entered ? "}" : "} ");
	const size_t name = buffer->len;
	if (!was_entered)
		dump_put_method_name(buffer, calls->source, row, true);
	table_end_line(calls->table, begin, name);
	return table_flush(calls->table);
}

static bool
push_open_call(struct calls *calls, struct open_calls *open,
    const struct dmtrace_row *row, uint64_t time_ns)
{
	const size_t number = calls->prints ? calls->next++ : calls->count;
	const size_t depth = open->count;

	*dmt_push(open, &calls->no_memory) = (struct open_call){
		number, time_ns, row->event.method, row->method_index,
		row->offset == 0
	};
	if (!calls->prints)
		*dmt_push(calls, &calls->no_memory) =
		    (struct call){ .whole_ns = WHOLE_NOT_CUT };
	if (calls->no_memory)
		return false;
	const struct open_call *const caller =
	    depth == 0 ? NULL : &open->items[depth - 1];
	if (calls->prints)
		return number >= calls->count || print_enter(calls, row,
		    time_ns, &calls->items[number], depth, caller);
	if (caller != NULL)
		calls->items[caller->call].has_callees = true;
	return true;
}

/* Ends the innermost call of a thread, in the first pass. cut: its enter or its
 * exit was added. */
static void
end_call(struct calls *calls, struct open_calls *open, uint32_t thread,
    uint64_t time_ns, bool cut)
{
	const struct open_call *const top = &open->items[--open->count];
	struct call *const call = &calls->items[top->call];
	struct cut_call asked = {
		thread, top->method, top->start_ns, top->added, 0
	};

	call->ns = (int64_t)(time_ns - top->start_ns);
	if (open->count > 0)
		calls->items[top[-1].call].inner_ns += call->ns;
	if (!call->ended) {
		call->whole_ns = WHOLE_NO_EXIT;
	} else if (cut) {
		for (size_t i = 0; top->added && i < open->count; i++)
			asked.around += open->items[i].method == top->method;
		call->whole_ns = whole_calls_get(&calls->whole, &asked);
	}
	calls->cuts |= call->whole_ns != WHOLE_NOT_CUT;
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
		    &open->items[open->count - 1];
		struct call *const call = &calls->items[top->call];

		if (!calls->prints) {
			call->ended = true;
			end_call(calls, open, row->event.thread, time_ns,
			    top->added || row->offset == 0);
			continue;
		}
		open->count--;
		if (call->has_callees && !print_exit(calls, row, time_ns,
		    open->count, true))
			return false;
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
			struct open_calls *const open =
			    &calls->threads[rows[i].thread_index];
			const uint64_t time_ns = calls->has_wall ?
			    event->wall_ns : event->cpu_ns;

			if (time_ns > last_ns)
				last_ns = time_ns;
			open->last_ns = time_ns;
			fine = (!calls->prints ||
			    print_log_entries(calls, time_ns)) &&
			    (event->action == DMTRACE_ENTER ?
			    push_open_call(calls, open, &rows[i], time_ns) :
			    leave_calls(calls, open, &rows[i], time_ns,
			    rows[i].depth));
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

static void
fini_open_calls(void *item)
{
	free(((struct open_calls *)item)->items);
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
	fine = whole_calls_find(&calls.whole, reader, selection,
	    !calls.has_wall);
	if (!fine)
		msg_memory();
	dmt_attach(source, &calls.threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*calls.threads),
	    .fini = fini_open_calls });
	fine = fine && pass_calls(&calls, source, status);
	if (fine && *status == DMTRACE_OK)
		*status = dmt_source_rewind(source);
	if (fine && *status == DMTRACE_OK) {
		const size_t threads = dmt_index_count(source, DMT_BY_THREAD);

		for (size_t i = 0; i < threads; i++) {
			struct open_calls *const open = &calls.threads[i];

			while (open->count > 0)
				end_call(&calls, open, 0, open->last_ns, true);
		}
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
	free(calls.items);
	whole_calls_fini(&calls.whole);
	return fine;
}
