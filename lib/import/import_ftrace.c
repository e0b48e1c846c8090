/* import_ftrace.c - reads function_graph of ftrace, and "uftrace replay" */

/*
 * A line has columns, a '|', and a call in the syntax of C: "f() {" begins
 * one, "f();" is a whole one with its duration, and "}" ends one, often with
 * its duration. The columns depend on options of the tracer; they are told
 * apart by their form, not by their place:
 *
 *	   0.985 us [ 23380] | main() {			uftrace
 *	 0)   1.382 us    |  vfs_read() {		ftrace: CPU, duration
 *	 6641.155234 |   0)   bash-4251   |    |  f();	time, CPU, task
 *
 * Without timestamps each thread has a clock of its own, which durations move:
 * a whole call by its own, and an end to its begin plus its duration, the rest
 * being the time of the call itself after those inside it. A thread begins when
 * the others are at their latest time. Durations are rounded for people, so a
 * whole call ends no later than the next line of its thread begins.
 */

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "events/callstacks.h"
#include "import/import.h"
#include "key/line_text.h"
#include "private/text.h"

struct graph_thread {
	int64_t now_ns;
	int64_t *starts;		/* of the open calls */
	size_t depth, capacity;
	bool ending;			/* a whole call is to be ended, */
	int64_t ends_ns;		/* at this time or earlier */
};

/* What the columns of a line say. */
struct graph_line {
	bool has_time, has_duration;
	int64_t time_ns, duration_ns;
	bool has_cpu;
	struct dmtrace_text cpu, tid, task;	/* empty: none */
	struct dmtrace_text call;
};

struct graph_import {
	struct dmt_import *import;
	struct graph_thread *threads;	/* by index */
	size_t thread_count, thread_capacity;
	uint32_t *cpu_tasks;		/* by index of the CPU's own thread:
					   1 + the thread that it runs; 0:
					   not known */
	size_t cpu_capacity;
	bool no_durations;		/* the columns of the header lack
					   them */
	int64_t latest_ns;
};

static const struct {
	const char *name;
	uint64_t ns;
} units[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
	{ "s", 1000000000 }, { "m", UINT64_C(60000000000) },
	{ "h", UINT64_C(3600000000000) },
};

/* Returns the first word, and removes it and the blanks around it. */
static struct dmtrace_text
take_column_word(struct dmtrace_text *rest)
{
	size_t first = 0, end;

	while (first < rest->len && rest->bytes[first] == ' ')
		first++;
	for (end = first; end < rest->len && rest->bytes[end] != ' ';)
		end++;
	const struct dmtrace_text word = { rest->bytes + first, end - first };
	while (end < rest->len && rest->bytes[end] == ' ')
		end++;
	*rest = dmt_text_after(*rest, end);
	return word;
}

static bool
is_digits(struct dmtrace_text word)
{
	bool digits = word.len > 0;

	for (size_t i = 0; i < word.len; i++)
		digits = digits && isdigit((unsigned char)word.bytes[i]);
	return digits;
}

/* Returns true for digits, perhaps with a point between them. */
static bool
is_decimal(struct dmtrace_text word)
{
	const char *const point = word.len == 0 ? NULL :
	    memchr(word.bytes, '.', word.len);
	const size_t whole = point == NULL ? word.len :
	    (size_t)(point - word.bytes);

	return is_digits((struct dmtrace_text){ word.bytes, whole }) &&
	    (point == NULL || is_digits(dmt_text_after(word, whole + 1)));
}

static bool
fail_number(const struct graph_import *self, const char *what,
    struct dmtrace_text found)
{
	char shown[DMT_ESCAPED_MAX];

	return dmt_import_fail(self->import, "%s that is too long: %s", what,
	    dmt_escape(shown, sizeof(shown), found.bytes, found.len));
}

/* Returns true for words before the end of a column, or before a thread in
 * brackets, of which the last is a unit: a duration that is no number. */
static bool
is_bad_duration(struct dmtrace_text words)
{
	struct dmtrace_text last = { "", 0 };
	size_t count = 0;

	for (; words.len > 0 && words.bytes[0] != '['; count++)
		last = take_column_word(&words);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (count > 1 && dmt_text_is(last, units[i].name))
			return true;
	return false;
}

/* Takes a duration, "1.382 us", perhaps after a mark of long ones as in
 * "+ 15.1 us". false: no duration is here, or it is an error. */
static bool
take_duration(const struct graph_import *self, struct dmtrace_text *rest,
    int64_t *ns)
{
	struct dmtrace_text left = *rest;
	struct dmtrace_text word = take_column_word(&left);

	if (word.len == 1 && strchr("+!#*@$", word.bytes[0]) != NULL)
		word = take_column_word(&left);
	const struct dmtrace_text unit = take_column_word(&left);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!dmt_text_is(unit, units[i].name) || !is_decimal(word))
			continue;
		*rest = left;
		return dmt_import_time(word, units[i].ns, ns) ||
		    fail_number(self, "a duration", word);
	}
	return false;
}

/* Reads a column between bars. Returns true if the call follows it. false also
 * if it failed. */
static bool
read_column(const struct graph_import *self, struct graph_line *line,
    struct dmtrace_text column)
{
	bool is_last = false, has_task = false;
	char shown[DMT_ESCAPED_MAX];
	int64_t ns;

	column = dmt_text_trim(column);
	if (column.len == 0)
		return true;
	while (column.len > 0) {
		struct dmtrace_text left = column;
		const struct dmtrace_text word = take_column_word(&left);

		if (take_duration(self, &column, &ns)) {
			if (!line->has_duration && !self->no_durations) {
				line->has_duration = true;
				line->duration_ns = ns;
			}
			is_last = true;
			continue;
		}
		if (self->import->error.status != DMTRACE_OK)
			return false;
		column = left;
		if (word.bytes[0] == '[') {
			struct dmtrace_text id = word.len > 1 ?
			    dmt_text_after(word, 1) : take_column_word(&column);

			id.len -= id.len > 0 && id.bytes[id.len - 1] == ']';
			if (is_digits(id))
				line->tid = id;
			is_last = true;
		} else if (word.bytes[word.len - 1] == ')' && is_digits(
		    (struct dmtrace_text){ word.bytes, word.len - 1 })) {
			line->has_cpu = true;
			line->cpu = (struct dmtrace_text){
				word.bytes, word.len - 1
			};
			is_last = column.len == 0;
		} else if (!line->has_time &&
		    dmt_text_holds(word, '.') && is_decimal(word)) {
			if (!dmt_import_time(word, 1000000000,
			    &line->time_ns))
				return fail_number(self, "a time", word);
			line->has_time = true;
		} else if (is_bad_duration((struct dmtrace_text){ word.bytes,
		    (size_t)(column.bytes + column.len - word.bytes) })) {
			return dmt_import_fail(self->import, "a duration that "
			    "is not a number: %s", dmt_escape(shown,
			    sizeof(shown), word.bytes, word.len));
		} else if (line->has_cpu && !has_task && line->task.len == 0) {
			/* The name of a task may have blanks. */
			line->task = (struct dmtrace_text){ word.bytes,
			    (size_t)(column.bytes + column.len - word.bytes) };
			has_task = true;
			column.len = 0;
			is_last = false;
		}
	}
	return is_last;
}

/* Reads all columns. false: the line has no call, or it failed. */
static bool
read_graph_line(const struct graph_import *self, struct graph_line *line,
    struct dmtrace_text text)
{
	*line = (struct graph_line){ .call = text };
	while (dmt_text_holds(line->call, '|')) {
		struct dmtrace_text rest = line->call;
		const struct dmtrace_text column =
		    dmt_import_part(&rest, '|');
		const struct dmtrace_text trimmed = dmt_text_trim(column);

		/* A bar in a call, of a line without columns. */
		if (trimmed.len > 0 &&
		    strchr("{;", trimmed.bytes[trimmed.len - 1]) != NULL)
			break;
		const bool is_last = read_column(self, line, column);

		if (self->import->error.status != DMTRACE_OK)
			return false;
		line->call = rest;
		/* A time is followed by more columns, or by the call. */
		if (is_last || (!line->has_cpu && !dmt_text_holds(rest, '|')))
			break;
	}
	line->call = dmt_text_trim(line->call);
	return line->call.len > 0;
}

static struct graph_thread *
get_graph_thread(struct graph_import *self, uint32_t index)
{
	struct graph_thread *const threads = dmt_array_grow_zero(
	    self->threads, &self->thread_capacity, index + (size_t)1,
	    sizeof(*threads));

	if (threads == NULL) {
		dmt_error_memory(&self->import->error);
		return NULL;
	}
	self->threads = threads;
	for (; self->thread_count <= index; self->thread_count++)
		threads[self->thread_count].now_ns = self->latest_ns;
	return &threads[index];
}

/* Returns the thread of a task, "bash-4251". */
static uint32_t
find_task(struct graph_import *self, struct dmtrace_text task)
{
	struct dmt_import *const import = self->import;
	size_t dash;

	task = dmt_text_trim(task);
	for (dash = task.len; dash > 0 && task.bytes[dash - 1] != '-';)
		dash--;
	if (dash == 0 || !is_digits(dmt_text_after(task, dash)))
		return dmt_import_thread_named(import,
		    (struct dmtrace_text){ "", 0 }, task);
	const uint32_t thread = dmt_import_thread_named(import,
	    (struct dmtrace_text){ "", 0 }, dmt_text_after(task, dash));
	if (thread != DMT_NO_NAME && import->threads[thread].name.len == 0 &&
	    !dmt_import_name(import, &import->threads[thread].name,
	    (struct dmtrace_text){ task.bytes, dash - 1 }))
		return DMT_NO_NAME;
	return thread;
}

/* Returns the cell of cpu_tasks; NULL: it failed. CPUs are threads of a process
 * of their own, as calls of unknown tasks are in them. */
static uint32_t *
get_cpu(struct graph_import *self, struct dmtrace_text cpu, uint32_t *own)
{
	char name[40];
	const int len = snprintf(name, sizeof(name), "CPU %.*s",
	    (int)(cpu.len < 20 ? cpu.len : 20), cpu.bytes);

	*own = dmt_import_thread_named(self->import,
	    (struct dmtrace_text){ "", 0 },
	    (struct dmtrace_text){ name, (size_t)len });
	uint32_t *const tasks = *own == DMT_NO_NAME ? NULL :
	    dmt_array_grow_zero(self->cpu_tasks, &self->cpu_capacity,
	    *own + (size_t)1, sizeof(*tasks));
	if (tasks == NULL) {
		dmt_error_memory(&self->import->error);
		return NULL;
	}
	self->cpu_tasks = tasks;
	return &tasks[*own];
}

static uint32_t
find_graph_thread(struct graph_import *self, const struct graph_line *line)
{
	uint32_t own;

	if (line->task.len > 0)
		return find_task(self, line->task);
	if (line->tid.len > 0)
		return dmt_import_thread_named(self->import,
		    (struct dmtrace_text){ "", 0 }, line->tid);
	if (!line->has_cpu)
		return dmt_import_thread_named(self->import,
		    (struct dmtrace_text){ "", 0 }, dmt_text_of("main"));
	const uint32_t *const task = get_cpu(self, line->cpu, &own);
	return task == NULL ? DMT_NO_NAME : *task > 0 ? *task - 1 : own;
}

/* " 0)   bash-1234   =>   kworker-33": the CPU runs another task from here. */
static bool
switch_task(struct graph_import *self, struct dmtrace_text line)
{
	const struct dmtrace_text cpu = take_column_word(&line);
	uint32_t own;

	while (line.len > 2 && !dmt_text_begins(line, "=>"))
		line = dmt_text_after(line, 1);
	if (cpu.len < 2 || cpu.bytes[cpu.len - 1] != ')' || line.len <= 2) {
		dmt_import_drop(self->import, "lines that are no calls", 1);
		return true;
	}
	const uint32_t task = find_task(self, dmt_text_after(line, 2));
	if (task == DMT_NO_NAME)
		return false;
	uint32_t *const cell = get_cpu(self,
	    (struct dmtrace_text){ cpu.bytes, cpu.len - 1 }, &own);
	if (cell != NULL)
		*cell = task + 1;
	return cell != NULL;
}

/* Does the word "operator" end there, as in "operator()"? */
static bool
ends_operator(struct dmtrace_text call, size_t end)
{
	const size_t begin = end - 8;

	return end >= 8 && memcmp(call.bytes + begin, "operator", 8) == 0 &&
	    (begin == 0 || (call.bytes[begin - 1] != '_' &&
	    !isalnum((unsigned char)call.bytes[begin - 1])));
}

/* Returns the name of a call: what precedes its arguments, whose bracket is not
 * that of "operator()" or "(anonymous namespace)". "f [module]()" is a function
 * of a module. */
static uint32_t
find_function(struct graph_import *self, struct dmtrace_text call)
{
	struct dmt_import *const import = self->import;
	const struct dmtrace_text none = { "", 0 };
	size_t end = 0, module;

	while (end < call.len && (call.bytes[end] != '(' ||
	    dmt_text_begins(dmt_text_after(call, end), "(anonymous") ||
	    ends_operator(call, end)))
		end++;
	if (end < call.len && call.bytes[end] == '(')
		import->result.arguments += end + 1 < call.len &&
		    call.bytes[end + 1] != ')';
	const struct dmtrace_text name =
	    dmt_text_trim((struct dmtrace_text){ call.bytes, end });
	for (module = name.len; module > 0 && name.bytes[module - 1] != ' ';)
		module--;
	const struct dmtrace_text last = dmt_text_after(name, module);
	if (module > 1 && last.len > 2 && last.bytes[0] == '[' &&
	    last.bytes[last.len - 1] == ']')
		return dmt_import_method_split(import, DMT_NO_ID, last,
		    dmt_text_trim((struct dmtrace_text){ name.bytes,
		    module - 1 }), dmt_text_of("()V"));
	return dmt_import_method_find(import, name, none);
}

static bool
add_end(struct graph_import *self, uint32_t index, uint32_t method,
    int64_t time_ns, enum dmt_import_kind kind)
{
	const struct dmt_import_event event = {
		.time_ns = time_ns, .cpu_ns = DMT_NO_CPU, .thread = index,
		.method = method, .kind = kind
	};

	if (time_ns > self->latest_ns)
		self->latest_ns = time_ns;
	return dmt_import_add(self->import, &event);
}

/* Ends the whole call before this time. */
static bool
end_whole_call(struct graph_import *self, uint32_t index, int64_t time_ns)
{
	struct graph_thread *const thread = &self->threads[index];

	if (!thread->ending)
		return true;
	thread->ending = false;
	return add_end(self, index, DMT_NO_NAME, thread->ends_ns < time_ns ?
	    thread->ends_ns : time_ns, DMT_IMPORT_END);
}

static bool
begin_graph_call(struct graph_import *self, const struct graph_line *line,
    uint32_t index, bool is_whole)
{
	struct graph_thread *const thread = &self->threads[index];
	const uint32_t method = find_function(self, line->call);
	const int64_t duration_ns =
	    line->has_duration ? line->duration_ns : 0;

	if (method == DMT_NO_NAME)
		return false;
	if (thread->depth == DMT_OPEN_CALLS_MAX) {
		dmt_error_at(&self->import->error, DMTRACE_ERR_LIMIT,
		    DMTRACE_PLACE_LINE, self->import->line,
		    "more than %d nested calls", DMT_OPEN_CALLS_MAX);
		return false;
	}
	int64_t *const starts = dmt_array_grow(thread->starts,
	    &thread->capacity, thread->depth + 1, sizeof(*starts));
	if (starts == NULL)
		return dmt_import_fail_memory(self->import);
	thread->starts = starts;
	const int64_t start_ns = thread->now_ns;
	if (is_whole) {
		thread->ending = true;
		thread->ends_ns = start_ns + duration_ns;
		thread->now_ns = thread->ends_ns;
	} else {
		starts[thread->depth++] = start_ns;
	}
	return add_end(self, index, method, start_ns, DMT_IMPORT_BEGIN);
}

static bool
end_graph_call(struct graph_import *self, const struct graph_line *line,
    uint32_t index)
{
	struct graph_thread *const thread = &self->threads[index];

	if (thread->depth > 0) {
		const int64_t start_ns = thread->starts[--thread->depth];

		if (!line->has_time && line->has_duration &&
		    start_ns + line->duration_ns > thread->now_ns)
			thread->now_ns = start_ns + line->duration_ns;
	}
	return add_end(self, index, DMT_NO_NAME, thread->now_ns,
	    DMT_IMPORT_END);
}

/* Reads a number of lost events: "CPU:0 [LOST 12 EVENTS]". */
static bool
count_lost(struct graph_import *self, struct dmtrace_text text)
{
	uint64_t count = 0;

	while (text.len > 0 && !dmt_text_begins(text, "LOST "))
		text = dmt_text_after(text, 1);
	if (text.len == 0)
		return false;
	for (size_t i = 5; i < text.len && i < 20 &&
	    isdigit((unsigned char)text.bytes[i]); i++)
		count = count * 10 + (uint64_t)(text.bytes[i] - '0');
	self->import->result.lost += count == 0 ? 1 : count;
	return true;
}

static bool
read_call(struct graph_import *self, struct graph_line *line)
{
	struct dmtrace_text *const call = &line->call;
	const int64_t second = 1000000000;

	/* The comment at the end repeats the name. */
	if (call->bytes[0] != '/' && call->len > 4 &&
	    memcmp(call->bytes + call->len - 2, "*/", 2) == 0) {
		size_t at = call->len - 2;

		while (at > 1 && memcmp(call->bytes + at - 1, "/*", 2) != 0)
			at--;
		if (at > 1)
			*call = dmt_text_trim((struct dmtrace_text){
				call->bytes, at - 1 });
	}
	const char last = call->len == 0 ? '\0' : call->bytes[call->len - 1];
	const bool is_end = call->len > 0 && call->bytes[0] == '}';
	const bool is_comment = dmt_text_begins(*call, "/*");
	if (!is_end && !is_comment && last != '{' && last != ';') {
		if (!count_lost(self, *call))
			dmt_import_drop(self->import,
			    "lines that are no calls", 1);
		return true;
	}
	const uint32_t index = find_graph_thread(self, line);
	struct graph_thread *const thread = index == DMT_NO_NAME ? NULL :
	    get_graph_thread(self, index);
	if (thread == NULL)
		return false;
	if (line->has_time)
		thread->now_ns = line->time_ns;
	if (thread->now_ns > INT64_MAX / 4 - second ||
	    (line->has_duration && line->duration_ns > INT64_MAX / 4))
		return dmt_import_fail(self->import, "times of 73 years");
	if (!end_whole_call(self, index, thread->now_ns))
		return false;
	if (is_comment) {		/* such as linux:sched-in */
		if (!count_lost(self, *call))
			dmt_import_drop(self->import, "comments", 1);
		if (!line->has_time && line->has_duration)
			thread->now_ns += line->duration_ns;
		return true;
	}
	return is_end ? end_graph_call(self, line, index) :
	    begin_graph_call(self, line, index, last == ';');
}

static bool
read_graph_text(struct graph_import *self, struct dmtrace_text text)
{
	struct graph_line line;

	text = dmt_text_trim(text);
	if (text.len == 0 || dmt_text_begins(text, "-----"))
		return true;
	if (text.bytes[0] == '#') {
		bool durations = false, functions = false;

		for (size_t i = 0; i < text.len; i++) {
			const struct dmtrace_text at = dmt_text_after(text, i);

			durations |= dmt_text_begins(at, "DURATION");
			functions |= dmt_text_begins(at, "FUNCTION");
		}
		if (functions)
			self->no_durations = !durations;
		return true;
	}
	if (!dmt_text_holds(text, '|') && text.len > 2 &&
	    isdigit((unsigned char)text.bytes[0]))
		return switch_task(self, text);
	if (read_graph_line(self, &line, text))
		return read_call(self, &line);
	if (self->import->error.status != DMTRACE_OK)
		return false;
	dmt_import_drop(self->import, "lines that are no calls", 1);
	return true;
}

static enum dmtrace_status
read_ftrace(struct dmt_import *import)
{
	struct graph_import self = { .import = import };
	struct dmtrace_text line;
	bool fine = true;

	while (fine && dmt_import_line(import, false, &line))
		fine = read_graph_text(&self, line);
	for (uint32_t i = 0; i < self.thread_count; i++) {
		if (import->error.status == DMTRACE_OK)
			end_whole_call(&self, i, INT64_MAX);
		free(self.threads[i].starts);
	}
	free(self.threads);
	free(self.cpu_tasks);
	return import->error.status;
}

/* Returns true for the text after a bar: a call begins or ends, or a comment of
 * C. */
static bool
is_call_text(struct dmtrace_text text)
{
	text = dmt_text_trim(text);
	return text.len > 0 && (text.bytes[0] == '}' ||
	    dmt_text_begins(text, "/*") ||
	    strchr("{;", text.bytes[text.len - 1]) != NULL);
}

/* The comments at the top of both, or a line that has a bar and a call. */
static bool
recognises_ftrace(const uint8_t *bytes, size_t len)
{
	struct dmtrace_text line = { (const char *)bytes, 0 };
	bool function = false;

	if (len == 0)
		return false;
	while (line.len < len && bytes[line.len] != '\n')
		line.len++;
	if (dmt_text_begins(line, "# tracer: function_graph"))
		return true;
	for (size_t i = 0; i < line.len; i++)
		function |= dmt_text_begins(dmt_text_after(line, i),
		    "FUNCTION");
	if (bytes[0] == '#')
		return function;
	while (dmt_text_holds(line, '|')) {
		dmt_import_part(&line, '|');
		if (line.bytes != NULL && is_call_text(line))
			return true;
	}
	return false;
}

const struct dmt_import_row dmt_import_ftrace = {
	.recognises = recognises_ftrace, .read = read_ftrace
};
