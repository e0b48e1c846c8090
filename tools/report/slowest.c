/* slowest.c - prints the slowest calls of traces */

/*
 * The events are read once, with a stack of the open calls of each thread. Of
 * the calls that end, up to twice as many are kept as are printed; when the
 * space is full, they are sorted, and the faster half is dropped. From then on,
 * calls that are faster than the last one that was kept are ignored. So memory
 * does not depend on the number of calls, and names are copied for few of them.
 * A call without an exit lasts until the last event of its thread; the whole
 * durations of calls that a window cuts are found before (cli/whole_calls.h).
 * With --jobs, a worker does this for its traces, and passes on what it kept.
 */

#include "report/slowest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/clock_option.h"
#include "cli/decimal.h"
#include "cli/jobs.h"
#include "cli/method_name.h"
#include "cli/msg.h"
#include "cli/table.h"
#include "cli/trace_events.h"
#include "cli/whole_calls.h"
#include "private/array.h"
#include "private/key.h"
#include "private/select.h"
#include "private/tables.h"
#include "private/trace.h"

enum {
	ROWS = 1024,			/* rows that are read at a time */
	WIDTH_TIME = 10,
	WIDTH_START = 13,
	WIDTH_TRACE = 6,
	WIDTH_THREAD = 7,
	WIDTH_DEPTH = 6,
	WIDTH_NAME = 26			/* with less, depths are left out */
};

struct open_slow {
	uint64_t at_ns;			/* on the wall clock if there is one */
	uint64_t start_ns;		/* on the clock of the durations */
	int64_t inner_ns;		/* of the calls that it made */
	uint64_t id;
	uint32_t method;		/* index */
	bool added;			/* its enter was added */
};

struct slow_stack {
	struct open_slow *items;
	size_t count;
	size_t capacity;
	struct open_slow spare;
	uint32_t thread;		/* number */
	uint64_t last_ns;		/* the last time of the thread */
};

enum { OF_THREAD, OF_CLASS, OF_NAME, OF_SIGNATURE, OF_CALLER_CLASS,
	OF_CALLER, OF_CALLER_SIGNATURE, SLOW_NAMES };

/* A call that is kept. The names are in one allocation. */
struct slow_call {
	size_t trace;			/* index of the operand */
	uint64_t at_ns;			/* when it begins */
	int64_t ns, inner_ns, whole_ns;
	uint64_t id;
	uint64_t number;		/* of the calls in the order in which
					   they end: the last criterion */
	uint32_t thread;
	size_t depth;
	char *bytes;
	struct dmtrace_text names[SLOW_NAMES];
};

struct slowest {
	const struct slowest_options *options;
	struct job *job;
	struct selection *selection;
	char **files;
	size_t trace;			/* index of the current operand */
	int status;			/* the worst of an operand */
	bool has_traces;		/* there are several */
	struct trace_events events;
	struct whole_calls whole;	/* of the current trace */
	struct table table;
	struct slow_call *calls;
	size_t count, capacity;
	uint64_t ended;			/* calls so far */
	size_t most;			/* so many are kept */
	size_t limit;			/* so many are printed */
	int64_t least_ns;		/* of those that may be printed */
	struct slow_stack *stacks;	/* by thread index of the trace */
	char *found;			/* by method index: 'y' or 'n' if --find
					   was asked */
	bool cpu;			/* durations of the current trace are
					   CPU time */
	bool has_wall;			/* its calls begin by the wall clock */
	const char *missing;		/* a trace without the clock */
	bool stopped;			/* there can be no report, which was
					   reported */
};

static int64_t
slow_weight(const struct slowest *slowest, int64_t ns, int64_t inner_ns)
{
	return slowest->options->by_exclusive ? ns - inner_ns : ns;
}

static int
compare_calls(const struct slow_call *a, const struct slow_call *b,
    bool by_exclusive)
{
	const int64_t one = a->ns - (by_exclusive ? a->inner_ns : 0);
	const int64_t other = b->ns - (by_exclusive ? b->inner_ns : 0);

	if (one != other)
		return one > other ? -1 : 1;
	if (a->at_ns != b->at_ns)
		return a->at_ns < b->at_ns ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth > b->depth ? 1 : -1;
	return (a->number > b->number) - (a->number < b->number);
}

static int
compare_durations(const void *left, const void *right)
{
	return compare_calls(left, right, false);
}

static int
compare_exclusive(const void *left, const void *right)
{
	return compare_calls(left, right, true);
}

/* Sorts the calls, and drops those that are not printed. */
static void
prune_calls(struct slowest *slowest)
{
	if (slowest->count > 1)
		qsort(slowest->calls, slowest->count, sizeof(*slowest->calls),
		    slowest->options->by_exclusive ? compare_exclusive :
		    compare_durations);
	while (slowest->count > slowest->limit)
		free(slowest->calls[--slowest->count].bytes);
	if (slowest->count == slowest->limit) {
		const struct slow_call *const last =
		    &slowest->calls[slowest->count - 1];

		slowest->least_ns =
		    slow_weight(slowest, last->ns, last->inner_ns);
	}
}

/* Keeps a call, with copies of its names. false: no memory. */
static bool
keep_call(struct slowest *slowest, const struct slow_call *call,
    const struct dmtrace_text names[SLOW_NAMES])
{
	size_t size = 1;

	if (slowest->count == slowest->most)
		prune_calls(slowest);
	struct slow_call *const calls = dmt_array_grow(slowest->calls,
	    &slowest->capacity, slowest->count + 1, sizeof(*calls));
	if (calls == NULL)
		return false;
	slowest->calls = calls;
	for (int i = 0; i < SLOW_NAMES; i++)
		size += names[i].len;
	char *at = malloc(size);
	if (at == NULL)
		return false;
	struct slow_call *const kept = &calls[slowest->count++];
	*kept = *call;
	kept->bytes = at;
	for (int i = 0; i < SLOW_NAMES; i++) {
		kept->names[i] = (struct dmtrace_text){ at, names[i].len };
		if (names[i].len > 0)
			memcpy(at, names[i].bytes, names[i].len);
		at += names[i].len;
	}
	return true;
}

/* Returns true if --find names the method; NULL: no row lists it. */
static bool
is_found(struct slowest *slowest, const struct dmtrace_method *method,
    const struct open_slow *open)
{
	const struct dmtrace_method unlisted = { .id = open->id };
	char *const found = &slowest->found[open->method];

	if (slowest->options->find->asked == NULL)
		return true;
	if (*found == 0) {
		if (method == NULL)
			method = &unlisted;
		*found = find_rows_wants(slowest->options->find,
		    method->class_name, method->name, method->signature,
		    method->id) ? 'y' : 'n';
	}
	return *found == 'y';
}

/* Returns the whole duration of a call whose enter or exit was added. */
static int64_t
get_whole_ns(const struct slowest *slowest, const struct slow_stack *stack,
    const struct open_slow *open)
{
	struct cut_call call = {
		stack->thread, open->id, open->start_ns, open->added, 0
	};

	for (size_t i = 0; open->added && i < stack->count; i++)
		call.around += stack->items[i].id == open->id;
	return whole_calls_get(&slowest->whole, &call);
}

/* Ends the innermost call of a thread. exit is NULL at the end of the trace.
 * false: no memory. */
static bool
end_call(struct slowest *slowest, struct slow_stack *stack,
    struct dmtrace_source *source, const struct dmtrace_row *exit)
{
	const struct open_slow *const open = &stack->items[--stack->count];
	const struct open_slow *const caller = stack->count == 0 ? NULL :
	    &stack->items[stack->count - 1];
	const struct dmtrace_reader *const reader = slowest->job->reader;
	const int64_t ns = (int64_t)(stack->last_ns - open->start_ns);

	slowest->ended++;
	if (stack->count > 0)
		stack->items[stack->count - 1].inner_ns += ns;
	if (slow_weight(slowest, ns, open->inner_ns) < slowest->least_ns)
		return true;
	const struct dmtrace_method *const method =
	    dmt_source_method(source, open->method, open->id);
	if (!is_found(slowest, method, open))
		return true;
	const struct slow_call call = {
		.trace = slowest->trace, .at_ns = open->at_ns, .ns = ns,
		.inner_ns = open->inner_ns,
		.whole_ns = exit == NULL ? WHOLE_NO_EXIT :
		    open->added || exit->offset == 0 ?
		    get_whole_ns(slowest, stack, open) : WHOLE_NOT_CUT,
		.id = open->id, .number = slowest->ended,
		.thread = stack->thread, .depth = stack->count + 1
	};
	const struct dmtrace_thread *const thread = dmt_key_thread_match(
	    dmtrace_reader_key(reader), dmt_reader_layout(reader),
	    stack->thread);
	const struct dmtrace_method *const outer = caller == NULL ? NULL :
	    dmt_source_method(source, caller->method, caller->id);
	struct dmtrace_text names[SLOW_NAMES] = { { "", 0 } };
	if (thread != NULL)
		names[OF_THREAD] = thread->name;
	if (method != NULL) {
		names[OF_CLASS] = method->class_name;
		names[OF_NAME] = method->name;
		names[OF_SIGNATURE] = method->signature;
	}
	if (outer != NULL) {
		names[OF_CALLER_CLASS] = outer->class_name;
		names[OF_CALLER] = outer->name;
		names[OF_CALLER_SIGNATURE] = outer->signature;
	}
	return keep_call(slowest, &call, names);
}

/* false: no memory. */
static bool
take_event(struct slowest *slowest, struct dmtrace_source *source,
    const struct dmtrace_row *row)
{
	const struct dmtrace_event *const event = &row->event;
	struct slow_stack *const stack = &slowest->stacks[row->thread_index];
	bool no_memory = false;

	stack->thread = event->thread;
	stack->last_ns = slowest->cpu ? event->cpu_ns : event->wall_ns;
	if (event->action == DMTRACE_ENTER)
		*dmt_push(stack, &no_memory) = (struct open_slow){
			slowest->has_wall ? event->wall_ns : event->cpu_ns,
			stack->last_ns, 0, event->method, row->method_index,
			row->offset == 0
		};
	else
		while (!no_memory && row->depth > 0 &&
		    stack->count >= row->depth)
			no_memory = !end_call(slowest, stack, source,
			    row);
	return !no_memory;
}

static void
fini_stack(void *item)
{
	free(((struct slow_stack *)item)->items);
}

/* Calls that are open at the end last until the last event of their thread. */
static enum dmtrace_status
take_calls(void *context, struct dmtrace_source *source)
{
	struct slowest *const slowest = context;
	const struct dmt_layout *const layout =
	    dmt_reader_layout(slowest->job->reader);
	const bool has_cpu = dmt_layout_clock(layout) != DMTRACE_CLOCK_WALL;
	const bool has_wall =
	    dmt_layout_clock(layout) != DMTRACE_CLOCK_THREAD_CPU;
	struct dmtrace_row rows[ROWS];
	enum dmtrace_status status;
	size_t count;

	dmt_attach(source, &slowest->stacks, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*slowest->stacks),
	    .fini = fini_stack });
	dmt_attach(source, &slowest->found, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .item_size = 1 });
	slowest->has_wall = has_wall;
	slowest->cpu = slowest->options->clock == DMTRACE_PROFILE_CPU ||
	    !has_wall;
	if ((slowest->options->clock == DMTRACE_PROFILE_WALL && !has_wall) ||
	    (slowest->cpu && !has_cpu)) {
		slowest->missing = slowest->job->name;
		return DMTRACE_OK;
	}
	whole_calls_fini(&slowest->whole);
	slowest->stopped = !whole_calls_find(&slowest->whole,
	    slowest->job->reader, slowest->events.selection->asked,
	    slowest->cpu);
	do {
		status = dmtrace_source_read(source, rows, ROWS, &count);
		for (size_t i = 0; status == DMTRACE_OK && i < count &&
		    !slowest->stopped; i++)
			slowest->stopped = !take_event(slowest, source,
			    &rows[i]);
	} while (status == DMTRACE_OK && count > 0 && !slowest->stopped);
	const size_t threads = status != DMTRACE_OK ? 0 :
	    dmt_index_count(source, DMT_BY_THREAD);
	for (size_t i = 0; i < threads; i++)
		while (slowest->stacks[i].count > 0 && !slowest->stopped)
			slowest->stopped = !end_call(slowest,
			    &slowest->stacks[i], source, NULL);
	if (slowest->stopped)
		msg_memory();
	return status;
}

static const char *const slow_columns[] = {
	"file", "thread", "thread_name", "start_ns", "duration_ns",
	"exclusive_ns", "cut", "whole_ns", "depth", "id", "class", "name",
	"signature", "caller_class", "caller_name", "error", NULL
};

enum { COLUMNS = sizeof(slow_columns) / sizeof(slow_columns[0]) - 1 };

static void
put_row(struct table *table, const struct slow_call *call,
    const char *file)
{
	char id[24];

	snprintf(id, sizeof(id), "0x%" PRIx64, call->id);
	table_string(table, file);
	table_number(table, call->thread);
	table_name(table, call->names[OF_THREAD]);
	table_number(table, call->at_ns);
	table_signed(table, call->ns);
	table_signed(table, call->ns - call->inner_ns);
	whole_calls_cells(table, call->whole_ns);
	table_number(table, call->depth);
	table_string(table, id);
	method_name_cells(table, call->names[OF_CLASS], call->names[OF_NAME],
	    call->names[OF_SIGNATURE]);
	table_name(table, call->names[OF_CALLER_CLASS]);
	table_name(table, call->names[OF_CALLER]);
	table_absent(table, 1);
	table_end_row(table);
}

/* Columns that only some lists have. */
struct slow_columns {
	bool whole, trace, depth;
};

/* Names are brief, so that both fit on a line. */
static void
put_text(struct table *table, const struct slow_columns *columns,
    const struct slow_call *call)
{
	struct dmt_output *const buffer = &table->buffer;
	const size_t begin = buffer->len;
	char text[DECIMAL_ROOM + 3], id[24];
	const struct dmtrace_text *const names = call->names;
	struct method_name name = {
		names[OF_CLASS], names[OF_NAME], names[OF_SIGNATURE],
		.listed = 1, .brief = true
	};
	const struct method_name caller = {
		names[OF_CALLER_CLASS], names[OF_CALLER],
		names[OF_CALLER_SIGNATURE],
		.listed = 1, .brief = true
	};

	if (name.name.len == 0)
		name.name = (struct dmtrace_text){ id, (size_t)snprintf(id,
		    sizeof(id), "0x%" PRIx64, call->id) };
	column_duration(buffer, WIDTH_TIME, call->ns);
	column_duration(buffer, WIDTH_TIME, call->ns - call->inner_ns);
	if (columns->whole)
		whole_calls_put(buffer, WIDTH_TIME, call->whole_ns);
	memcpy(decimal_put_seconds(text, call->at_ns), " s", 3);
	column_string(buffer, WIDTH_START, text + strspn(text, " "));
	if (columns->trace) {
		snprintf(text, sizeof(text), "%zu", call->trace + 1);
		column_string(buffer, WIDTH_TRACE, text);
	}
	snprintf(text, sizeof(text), "%" PRIu32, call->thread);
	column_string(buffer, WIDTH_THREAD, text);
	if (columns->depth) {
		snprintf(text, sizeof(text), "%zu", call->depth);
		column_string(buffer, WIDTH_DEPTH, text);
	}
	dmt_put(buffer, "  ");
	const size_t at = buffer->len;
	if (call->depth > 1) {
		method_name_put(buffer, &caller);
		dmt_put(buffer, " > ");
	}
	method_name_put(buffer, &name);
	table_end_line(table, begin, at);
}

/* Writes the numbers of the traces, if there are several, and the names of the
 * columns. */
static void
put_heading(struct slowest *slowest, struct slow_columns *columns)
{
	struct table *const table = &slowest->table;
	struct dmt_output *const buffer = &table->buffer;

	for (size_t i = 0; slowest->has_traces && slowest->files[i] != NULL;
	    i++) {
		size_t at = 0;

		while (at < slowest->count && slowest->calls[at].trace != i)
			at++;
		if (at == slowest->count)
			continue;
		const size_t begin = buffer->len;
		dmt_put_format(buffer, "trace %zu: ", i + 1);
		const size_t name = buffer->len;
		escape_put(buffer, escape_plain, slowest->files[i],
		    strlen(slowest->files[i]));
		table_end_line(table, begin, name);
	}
	columns->trace = slowest->has_traces;
	for (size_t i = 0; i < slowest->count; i++)
		columns->whole |=
		    slowest->calls[i].whole_ns != WHOLE_NOT_CUT;
	const size_t used = 2 * WIDTH_TIME + WIDTH_START + WIDTH_THREAD +
	    WIDTH_DEPTH + 2 + WIDTH_NAME +
	    (columns->whole ? WIDTH_TIME : 0) +
	    (columns->trace ? WIDTH_TRACE : 0);
	columns->depth = table->out.columns == 0 ||
	    used <= table->out.columns;
	column_string(buffer, WIDTH_TIME, "duration");
	column_string(buffer, WIDTH_TIME, "exclusive");
	if (columns->whole)
		column_string(buffer, WIDTH_TIME, "in whole");
	column_string(buffer, WIDTH_START, "start");
	if (columns->trace)
		column_string(buffer, WIDTH_TRACE, "trace");
	column_string(buffer, WIDTH_THREAD, "thread");
	if (columns->depth)
		column_string(buffer, WIDTH_DEPTH, "depth");
	dmt_put(buffer, "  caller > method\n");
}

static void
put_calls(struct slowest *slowest)
{
	struct table *const table = &slowest->table;
	struct slow_columns columns = { false, false, false };

	prune_calls(slowest);
	if (!table_has_rows(table))
		put_heading(slowest, &columns);
	for (size_t i = 0; i < slowest->count; i++)
		if (table_has_rows(table))
			put_row(table, &slowest->calls[i],
			    slowest->files[slowest->calls[i].trace]);
		else
			put_text(table, &columns, &slowest->calls[i]);
	table_flush(table);
}

/* Reads a trace. *failure: why it could not be read completely. */
static int
read_trace(struct slowest *slowest, size_t index,
    struct dmtrace_error *failure)
{
	int status = CMD_TROUBLE;

	*failure = (struct dmtrace_error){ .status = DMTRACE_OK };
	if (slowest->stopped)
		return status;
	slowest->trace = index;
	status = trace_events_add(&slowest->events, slowest->files[index]);
	if (slowest->missing != NULL) {
		msg_error("%s: --clock: there is no %s time in it",
		    slowest->missing, clock_names[slowest->options->clock]);
		slowest->stopped = true;
	}
	if (status == CMD_TROUBLE)
		*failure = slowest->events.failure;
	slowest->stopped |= status == CMD_TROUBLE &&
	    (failure->status == DMTRACE_OK ||
	    failure->status == DMTRACE_ERR_MEMORY);
	return slowest->stopped ? CMD_TROUBLE : status;
}

/* Writes a line or row for an operand if it could not be read completely. */
static void
put_failure(struct slowest *slowest, const char *file,
    const struct dmtrace_error *failure)
{
	struct table *const table = &slowest->table;

	if (failure->status == DMTRACE_OK || slowest->stopped)
		return;
	if (!table_has_rows(table)) {
		table_unreadable_text(table, file, failure->message);
		return;
	}
	table_string(table, file);
	table_absent(table, COLUMNS - 2);
	table_string(table, failure->message);
	table_end_row(table);
}

static int
handle_trace(void *context, size_t index)
{
	struct slowest *const slowest = context;
	struct dmtrace_error failure;
	const int status = read_trace(slowest, index, &failure);

	put_failure(slowest, slowest->files[index], &failure);
	return status;
}

/* What a worker passes on: this, and each call with the bytes of its names. */
struct slow_result {
	bool stopped;
	size_t found;			/* rows that --find has matched */
	size_t count;
	struct dmtrace_error failure;
};

static int
work_on_trace(void *context, size_t index, bool last,
    struct dmt_output *out)
{
	struct slowest *const slowest = context;
	struct find_option *const find = slowest->options->find;
	struct slow_result result = { .count = 0 };

	(void)last;
	find->found = 0;
	slowest->count = 0;		/* the calls that the parent has */
	const int status = read_trace(slowest, index, &result.failure);
	prune_calls(slowest);
	result.stopped = slowest->stopped;
	result.found = find->found;
	result.count = slowest->count;
	dmt_output_write(out, &result, sizeof(result));
	for (size_t i = 0; i < slowest->count; i++) {
		const struct slow_call *const call = &slowest->calls[i];

		dmt_output_write(out, call, sizeof(*call));
		for (int name = 0; name < SLOW_NAMES; name++)
			dmt_output_write(out, call->names[name].bytes,
			    call->names[name].len);
		free(call->bytes);
	}
	return status;
}

static void
take_trace(void *context, size_t index, const char *bytes)
{
	struct slowest *const slowest = context;
	struct slow_result result;

	memcpy(&result, bytes, sizeof(result));
	bytes += sizeof(result);
	slowest->options->find->found += result.found;
	slowest->stopped |= result.stopped;
	put_failure(slowest, slowest->files[index], &result.failure);
	for (size_t i = 0; i < result.count && !slowest->stopped; i++) {
		struct slow_call call;

		memcpy(&call, bytes, sizeof(call));
		bytes += sizeof(call);
		for (int name = 0; name < SLOW_NAMES; name++) {
			call.names[name].bytes = bytes;
			bytes += call.names[name].len;
		}
		call.number = slowest->ended++;
		if (slow_weight(slowest, call.ns, call.inner_ns) <
		    slowest->least_ns)
			continue;
		slowest->stopped = !keep_call(slowest, &call, call.names);
		if (slowest->stopped)
			msg_memory();
	}
}

static int
report_slowest(struct slowest *slowest)
{
	const struct dmtrace_file first = files_input(slowest->files[0]);
	struct selection *const selection = slowest->selection;
	struct progress *const progress = &slowest->job->progress;
	struct jobs jobs = {
		.workers = dmt_selection_is_all(selection->asked) ?
		    slowest->options->workers : 1,
		.context = slowest, .status = &slowest->status,
		.progress = progress,
		.handle = handle_trace, .work = work_on_trace,
		.take_result = take_trace, .stop = &slowest->stopped
	};

	table_set_columns(&slowest->table, slow_columns);
	while (slowest->files[jobs.operands] != NULL)
		jobs.operands++;
	progress_init(progress, slowest->job->quiet, slowest->job->asked);
	slowest->job->begun = true;
	progress->files = jobs.workers > 1 && jobs.operands > 1;
	slowest->stopped |= !jobs_run(&jobs);
	progress_erase(progress);
	if (slowest->stopped)
		return CMD_TROUBLE;
	const int status = cmd_worse(slowest->status,
	    selection_finish(selection, files_name(&first)));
	put_calls(slowest);
	return cmd_worse(status, find_rows_finish(slowest->options->find));
}

int
slowest_files(struct job *job, struct selection *selection,
    const struct slowest_options *options, char **files)
{
	static const struct trace_events_sink sink = { take_calls, NULL };
	struct slowest slowest = {
		.options = options, .job = job, .selection = selection,
		.files = files, .least_ns = INT64_MIN,
		.limit = options->count > SIZE_MAX / 4 ? SIZE_MAX / 4 :
		    (size_t)options->count
	};
	int status = CMD_TROUBLE;

	slowest.table.form = options->form;
	slowest.events = (struct trace_events){
		.job = job, .selection = selection, .sink = &sink,
		.context = &slowest
	};
	slowest.has_traces = selection->several = files[1] != NULL;
	slowest.most = 2 * slowest.limit;
	if (table_open(&slowest.table, job->output)) {
		status = report_slowest(&slowest);
		slowest.table.lost |= slowest.stopped;
		status = table_close(&slowest.table, status);
	}
	for (size_t i = 0; i < slowest.count; i++)
		free(slowest.calls[i].bytes);
	free(slowest.calls);
	whole_calls_fini(&slowest.whole);
	job_fini(job);
	return status;
}
