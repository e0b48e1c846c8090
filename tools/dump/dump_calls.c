/* dump_calls.c - prints the calls of a trace with their durations */

/*
 * A call is printed at its enter, with its duration, which is known at its
 * exit. So the events are read twice: the first pass stores for each call, in
 * the order of the enters, its duration and whether it made calls; the second
 * pass prints. Both follow the open calls of each thread with a stack of the
 * calls' numbers; the depth of an exit says which calls it ends. This takes 16
 * bytes of memory for each call, so a trace of a billion calls needs a
 * selection.
 */

#include "dump/dump_lines.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>

#include "cli/msg.h"
#include "cmd.h"
#include "private/array.h"
#include "private/select.h"
#include "private/trace.h"

enum {
	ROWS = 1024,			/* rows that are read at a time */
	INDENT_MAX = 40,		/* levels; deeper ones are printed as a
					   number */
	WIDTH_DURATION = 11
};

struct call {
	int64_t ns;
	bool ended;
	bool has_callees;
};

struct open_call {
	size_t call;
	uint64_t start_ns;
};

/* The open calls of a thread, the outermost first. */
struct open_calls {
	struct open_call *items;
	size_t count;
	size_t capacity;
};

struct calls {
	struct table *table;
	const struct dmtrace_source *source;
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
};

/* Writes a line up to the name: times, thread and indentation. call is NULL if
 * there is no duration. */
static void
begin_call_line(struct calls *calls, const struct dmtrace_event *event,
    uint64_t time_ns, const struct call *call, size_t depth)
{
	struct strbuf *const buffer = &calls->table->buffer;
	char seconds[DECIMAL_ROOM + 1];

	*decimal_put_seconds(seconds, time_ns) = '\0';
	strbuf_printf(buffer, "%s s", seconds);
	if (call == NULL)
		column_blank(buffer, WIDTH_DURATION);
	else if (call->ended)
		column_duration(buffer, WIDTH_DURATION, call->ns);
	else
		column_string(buffer, WIDTH_DURATION, "-");
	if (calls->only == NULL)
		strbuf_printf(buffer, "  %5" PRIu32, event->thread);
	column_blank(buffer, 2 + 2 * (depth < INDENT_MAX ? depth :
	    INDENT_MAX));
	if (depth > INDENT_MAX)
		strbuf_printf(buffer, "[%zu] ", depth);
}

static bool
print_enter(struct calls *calls, const struct dmtrace_row *row,
    uint64_t time_ns, const struct call *call, size_t depth)
{
	struct strbuf *const buffer = &calls->table->buffer;
	const size_t begin = buffer->len;

	begin_call_line(calls, &row->event, time_ns, call, depth);
	const size_t name = buffer->len;
	dump_put_method_name(buffer, calls->source, row, true);
	strbuf_string(buffer, call->ended && !call->has_callees ? ";" : " {");
	table_end_line(calls->table, begin, name);
	return table_flush(calls->table);
}

/* Prints the end of a call that was printed with a brace, or whose begin is
 * not in the trace. */
static bool
print_exit(struct calls *calls, const struct dmtrace_row *row,
    uint64_t time_ns, size_t depth, bool was_entered)
{
	struct strbuf *const buffer = &calls->table->buffer;

	begin_call_line(calls, &row->event, time_ns, NULL, depth);
	strbuf_string(buffer, "}");
	if (!was_entered) {
		strbuf_string(buffer, " ");
		dump_put_method_name(buffer, calls->source, row, true);
	}
	strbuf_string(buffer, "\n");
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
	items[open->count++] = (struct open_call){ number, time_ns };
	if (calls->prints)
		return number >= calls->count || print_enter(calls, row,
		    time_ns, &calls->items[number], open->count - 1);
	struct call *const grown = dmt_array_grow(calls->items,
	    &calls->capacity, calls->count + 1, sizeof(*grown));
	if (grown == NULL)
		return false;
	calls->items = grown;
	grown[calls->count++] = (struct call){ .ended = false };
	if (open->count > 1)
		grown[items[open->count - 2].call].has_callees = true;
	return true;
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
	struct strbuf *const buffer = &calls->table->buffer;
	const struct dmt_export_instant *entry;
	uint64_t time_ns;

	while ((entry = log_marks_next(calls->marks, before_ns, &time_ns)) !=
	    NULL) {
		const struct dmtrace_event event = { .thread = entry->thread };
		const size_t begin = buffer->len;

		begin_call_line(calls, &event, time_ns, NULL, 0);
		const size_t text = buffer->len;
		strbuf_string(buffer, "/* ");
		dump_put_entry(buffer, entry);
		strbuf_string(buffer, " */");
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

bool
dump_calls(struct table *table, struct dmtrace_source *source,
    const struct dmtrace_reader *reader, const struct dmtrace_thread *only,
    struct log_marks *marks, enum dmtrace_status *status)
{
	struct calls calls = {
		.table = table, .source = source,
		.layout = dmt_reader_layout(reader), .only = only,
		.marks = marks
	};
	bool fine;

	calls.has_wall = dmt_layout_clock(calls.layout) !=
	    DMTRACE_CLOCK_THREAD_CPU;
	fine = pass_calls(&calls, source, status);
	if (fine && *status == DMTRACE_OK)
		*status = dmt_source_rewind(source);
	if (fine && *status == DMTRACE_OK) {
		for (size_t i = 0; i < calls.thread_capacity; i++)
			calls.threads[i].count = 0;
		calls.prints = true;
		strbuf_printf(&table->buffer, "%14s%*s%s  call\n", "start",
		    WIDTH_DURATION, "duration", only == NULL ? " thread" : "");
		fine = table_flush(table) &&
		    pass_calls(&calls, source, status);
	}
	for (size_t i = 0; i < calls.thread_capacity; i++)
		free(calls.threads[i].items);
	free(calls.threads);
	free(calls.items);
	return fine;
}
