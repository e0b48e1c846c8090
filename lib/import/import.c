/* import.c - makes a trace from the calls of another format */

/*
 * The input is read to the end, as its events need not be in order: threads
 * and methods get indexes, and events stay in memory. Then the events of each
 * thread, sorted by time, become enters and exits that nest: begins and ends
 * are matched with a stack; calls with an end are sorted so that an outer call
 * precedes those inside it, and a call that ends after the call around it is
 * shortened. Finally the events of all threads are written, ordered by time.
 */

#include "import/import.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/layout.h"
#include "private/key.h"
#include "private/trace.h"
#include "trace/writer.h"

enum { THREADS_MAX = 65535, BATCH = 1024 };
#define US_MAX ((int64_t)UINT32_MAX)

/* An open call, while the events of a thread are matched. */
struct open_call {
	uint32_t method;
	int64_t end_ns, end_cpu_ns;
};

/* An event to be written, and its position among events of the same time,
 * which follows the input; the events made from one input event keep their
 * order. */
struct timed_event {
	int64_t time_ns, cpu_ns;
	uint64_t order, own_order;
	uint32_t thread, method;
	enum dmtrace_action action;
};

struct import_output {
	struct dmt_import *import;
	struct timed_event *events;
	size_t count, capacity;
	uint64_t order;			/* the highest of the thread so far */
	struct open_call *open;
	size_t depth, open_capacity;
	bool failed;			/* no memory is left */
};

bool
dmt_import_name(struct dmt_import *import, struct dmtrace_text *name,
    struct dmtrace_text value)
{
	const char *const copy = dmt_arena_copy(&import->thread_keys.arena,
	    value.bytes, value.len);

	if (copy == NULL)
		return false;
	*name = (struct dmtrace_text){ copy, value.len };
	return true;
}

uint32_t
dmt_import_process_find(struct dmt_import *import, struct dmtrace_text process)
{
	const size_t count = import->processes.count;
	struct dmtrace_text *const names = dmt_array_grow(
	    import->process_names, &import->process_capacity, count + 1,
	    sizeof(*names));

	if (names == NULL)
		return DMT_NO_NAME;
	import->process_names = names;
	const uint32_t index = dmt_name_table_intern(&import->processes,
	    &(struct dmt_name){ .name = process });
	if (index == count)
		names[index] = (struct dmtrace_text){ NULL, 0 };
	return index;
}

uint32_t
dmt_import_thread_find(struct dmt_import *import, struct dmtrace_text process,
    struct dmtrace_text thread, int64_t number)
{
	const size_t count = import->thread_keys.count;
	const uint32_t owner = dmt_import_process_find(import, process);
	struct dmt_import_thread *const threads = dmt_array_grow(
	    import->threads, &import->thread_capacity, count + 1,
	    sizeof(*threads));
	char key[160];

	if (threads == NULL)
		return DMT_NO_NAME;
	import->threads = threads;
	if (owner == DMT_NO_NAME)
		return DMT_NO_NAME;
	const int len = snprintf(key, sizeof(key), "%" PRIu32 "/%.*s", owner,
	    (int)(thread.len < 128 ? thread.len : 128), thread.bytes);
	const uint32_t index = dmt_name_table_intern(&import->thread_keys,
	    &(struct dmt_name){ .name = { key, (size_t)len } });
	if (index == count)
		threads[index] = (struct dmt_import_thread){
			.number = number, .process = owner
		};
	return index;
}

bool
dmt_import_add(struct dmt_import *import, const struct dmt_import_event *event)
{
	struct dmt_import_event *const events = dmt_array_grow(import->events,
	    &import->capacity, import->count + 1, sizeof(*events));

	if (events == NULL)
		return false;
	import->events = events;
	events[import->count] = *event;
	events[import->count].order = import->count;
	import->count++;
	if (event->cpu_ns == DMT_NO_CPU ||
	    (event->kind == DMT_IMPORT_CALL && event->end_cpu_ns == DMT_NO_CPU))
		import->lacks_cpu = true;
	else
		import->has_cpu = true;
	return true;
}

/* Makes calls that nest. */

static void
put_timed(struct import_output *out, const struct dmt_import_event *event,
    uint32_t method, int64_t time_ns, int64_t cpu_ns,
    enum dmtrace_action action)
{
	struct timed_event *const events = dmt_array_grow(out->events,
	    &out->capacity, out->count + 1, sizeof(*events));

	if (events == NULL) {
		out->failed = true;
		return;
	}
	out->events = events;
	if (event->order > out->order)
		out->order = event->order;
	events[out->count] = (struct timed_event){
		.time_ns = time_ns, .cpu_ns = cpu_ns, .order = out->order,
		.own_order = out->count, .thread = event->thread,
		.method = method, .action = action
	};
	out->count++;
}

/* Opens a call; NULL: no memory. */
static struct open_call *
push_call(struct import_output *out)
{
	struct open_call *const open = dmt_array_grow(out->open,
	    &out->open_capacity, out->depth + 1, sizeof(*open));

	if (open == NULL) {
		out->failed = true;
		return NULL;
	}
	out->open = open;
	return &open[out->depth++];
}

static void
begin_call(struct import_output *out, const struct dmt_import_event *event,
    int64_t end_ns, int64_t end_cpu_ns)
{
	struct open_call *const call = push_call(out);

	if (call == NULL)
		return;
	*call = (struct open_call){
		.method = event->method, .end_ns = end_ns,
		.end_cpu_ns = end_cpu_ns
	};
	out->import->result.calls++;
	put_timed(out, event, event->method, event->time_ns, event->cpu_ns,
	    DMTRACE_ENTER);
}

/* An end without a name ends the innermost call. */
static void
end_call(struct import_output *out, const struct dmt_import_event *event)
{
	struct dmtrace_import_result *const result = &out->import->result;
	size_t depth = out->depth;

	while (depth > 0 && event->method != DMT_NO_NAME &&
	    out->open[depth - 1].method != event->method)
		depth--;
	if (depth == 0) {
		result->strays++;
		return;
	}
	result->unwound += out->depth - depth;
	for (; out->depth >= depth; out->depth--)
		put_timed(out, event, out->open[out->depth - 1].method,
		    event->time_ns, event->cpu_ns, DMTRACE_EXIT);
}

/* Ends the calls that have ended by that time. */
static void
end_calls_until(struct import_output *out,
    const struct dmt_import_event *event, int64_t time_ns)
{
	while (out->depth > 0 && out->open[out->depth - 1].end_ns <= time_ns) {
		const struct open_call *const call =
		    &out->open[--out->depth];

		put_timed(out, event, call->method, call->end_ns,
		    call->end_cpu_ns, DMTRACE_EXIT);
	}
}

/* Matches begins and ends to calls with an end; the stack has indexes of
 * events. */
static void
pair_events(struct import_output *out, struct dmt_import_event *events,
    size_t *count)
{
	struct dmtrace_import_result *const result = &out->import->result;
	size_t kept = 0;

	out->depth = 0;
	for (size_t i = 0; i < *count; i++) {
		const struct dmt_import_event event = events[i];
		size_t depth = out->depth;

		if (event.kind == DMT_IMPORT_END) {
			while (depth > 0 && event.method != DMT_NO_NAME &&
			    events[out->open[depth - 1].method].method !=
			    event.method)
				depth--;
			result->strays += depth == 0;
			result->unwound += depth == 0 ? 0 : out->depth - depth;
			for (; depth > 0 && out->depth >= depth;
			    out->depth--) {
				struct dmt_import_event *const call =
				    &events[out->open[out->depth - 1].method];

				call->end_ns = event.time_ns;
				call->end_cpu_ns = event.cpu_ns;
			}
			continue;
		}
		events[kept] = event;
		if (event.kind == DMT_IMPORT_BEGIN) {
			struct open_call *const call = push_call(out);

			if (call == NULL)
				return;
			call->method = (uint32_t)kept;
			events[kept].end_ns = DMT_NO_END;
			events[kept].end_cpu_ns = DMT_NO_CPU;
		}
		kept++;
	}
	*count = kept;
	out->depth = 0;
}

static int
compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Orders by thread, then time, then position in the input. */
static int
compare_import_events(const void *a, const void *b)
{
	const struct dmt_import_event *const one = a, *const other = b;

	if (one->thread != other->thread)
		return one->thread < other->thread ? -1 : 1;
	const int by_time = compare_numbers(one->time_ns, other->time_ns);
	return by_time != 0 ? by_time : one->order < other->order ? -1 : 1;
}

/* Orders the calls of a thread, an outer call before those inside it. */
static int
compare_calls(const void *a, const void *b)
{
	const struct dmt_import_event *const one = a, *const other = b;
	int by = compare_numbers(one->time_ns, other->time_ns);

	if (by == 0)
		by = compare_numbers(other->end_ns, one->end_ns);
	return by != 0 ? by : one->order < other->order ? -1 : 1;
}

static void
nest_calls(struct import_output *out, struct dmt_import_event *events,
    size_t count)
{
	pair_events(out, events, &count);
	qsort(events, count, sizeof(*events), compare_calls);
	for (size_t i = 0; i < count && !out->failed; i++) {
		struct dmt_import_event *const event = &events[i];

		end_calls_until(out, event, event->time_ns);
		if (out->depth > 0 &&
		    event->end_ns > out->open[out->depth - 1].end_ns) {
			out->import->result.overlapping +=
			    event->end_ns != DMT_NO_END;
			event->end_ns = out->open[out->depth - 1].end_ns;
			event->end_cpu_ns =
			    out->open[out->depth - 1].end_cpu_ns;
		}
		begin_call(out, event, event->end_ns, event->end_cpu_ns);
	}
	if (count > 0)
		end_calls_until(out, &events[count - 1], DMT_NO_END - 1);
}

/* Orders the events of one thread by time and makes them nest. */
static void
match_thread(struct import_output *out, struct dmt_import_event *events,
    size_t count)
{
	bool calls = false;

	out->order = 0;
	for (size_t i = 0; i < count; i++)
		calls |= events[i].kind == DMT_IMPORT_CALL;
	out->depth = 0;
	if (calls)
		nest_calls(out, events, count);
	for (size_t i = 0; !calls && i < count && !out->failed; i++) {
		if (events[i].kind == DMT_IMPORT_BEGIN)
			begin_call(out, &events[i], DMT_NO_END, DMT_NO_CPU);
		else
			end_call(out, &events[i]);
	}
	out->import->result.open += out->depth;
}

static int
compare_timed(const void *a, const void *b)
{
	const struct timed_event *const one = a, *const other = b;
	const int by = compare_numbers(one->time_ns, other->time_ns);

	if (by != 0)
		return by;
	if (one->order != other->order)
		return one->order < other->order ? -1 : 1;
	return one->own_order < other->own_order ? -1 : 1;
}

static bool
match_threads(struct import_output *out)
{
	struct dmt_import_event *const events = out->import->events;
	const size_t count = out->import->count;

	if (count > 0)
		qsort(events, count, sizeof(*events), compare_import_events);
	for (size_t i = 0, end; i < count && !out->failed; i = end) {
		for (end = i; end < count &&
		    events[end].thread == events[i].thread;)
			end++;
		match_thread(out, events + i, end - i);
	}
	if (out->count > 0)
		qsort(out->events, out->count, sizeof(out->events[0]),
		    compare_timed);
	return !out->failed;
}

/* Writes the trace. */

/* A key cannot have these bytes in a name: they are written as \t and so on. */
static struct dmtrace_text
clean_name(struct dmt_import *import, struct dmtrace_text name)
{
	static const char bad[] = "\t\r\n", letters[] = "trn0";
	size_t extra = 0;

	for (size_t i = 0; i < name.len; i++)
		extra += memchr(bad, name.bytes[i], sizeof(bad)) != NULL;
	if (extra == 0)
		return name;
	import->result.renamed++;
	char *const clean = dmt_arena_alloc(&import->methods.arena,
	    name.len + extra);
	size_t len = 0;
	for (size_t i = 0; clean != NULL && i < name.len; i++) {
		const char *const at =
		    memchr(bad, name.bytes[i], sizeof(bad));

		clean[len++] = at == NULL ? name.bytes[i] : '\\';
		if (at != NULL)
			clean[len++] = letters[at - bad];
	}
	return (struct dmtrace_text){ clean, len };
}

/* The class is the text before the last dot that is not inside brackets;
 * brackets begin a signature or the arguments of a template. */
static size_t
class_len(struct dmtrace_text name)
{
	size_t len = 0;

	for (size_t i = 0; i < name.len &&
	    strchr("(<[ ", name.bytes[i]) == NULL; i++)
		if (name.bytes[i] == '.' && i > 0 && i + 1 < name.len)
			len = i;
	return len;
}

static enum dmtrace_status
add_method_rows(struct dmt_import *import, struct dmtrace_key *key,
    const struct import_output *out)
{
	const size_t count = import->methods.count;
	bool *const used = dmt_array_new(count, sizeof(*used));

	if (used == NULL)
		return dmt_error_memory(&import->error);
	for (size_t i = 0; i < out->count; i++)
		used[out->events[i].method] = true;
	for (size_t i = 0; i < count; i++) {
		const struct dmtrace_text name =
		    clean_name(import, import->methods.items[i].name);
		const size_t class = class_len(name);
		const struct dmtrace_method row = {
			.id = 4 * (i + 1), .class_name = { name.bytes, class },
			.name = { name.bytes + class + (class > 0),
			    name.len - class - (class > 0) },
			.line = DMTRACE_NO_LINE
		};

		if (!used[i])
			continue;
		import->result.methods++;
		if (name.bytes == NULL ||
		    dmtrace_key_method_add(key, &row) != DMTRACE_OK)
			break;
	}
	free(used);
	return dmt_key_error(key)->status;
}

/* Adds the threads. A thread keeps its number if it fits and is unique. */
static enum dmtrace_status
add_thread_rows(struct dmt_import *import, struct dmtrace_key *key,
    uint32_t *numbers)
{
	const size_t count = import->thread_keys.count;
	bool *const taken = dmt_array_new(THREADS_MAX + 1, sizeof(*taken));
	uint32_t next = 1;

	if (taken == NULL)
		return dmt_error_memory(&import->error);
	for (size_t i = 0; i < count; i++) {
		const int64_t number = import->threads[i].number;

		if (number > 0 && number <= THREADS_MAX && !taken[number])
			taken[numbers[i] = (uint32_t)number] = true;
	}
	for (size_t i = 0; i < count; i++) {
		const struct dmt_import_thread *const thread =
		    &import->threads[i];
		const struct dmtrace_text process =
		    import->process_names[thread->process];
		char name[512];
		int len = 0;

		while (numbers[i] == 0 && next <= THREADS_MAX && taken[next])
			next++;
		if (numbers[i] == 0) {
			taken[numbers[i] = next] = true;
			import->result.renumbered += thread->number >= 0;
		}
		if (import->processes.count > 1 && process.len > 0)
			len = snprintf(name, sizeof(name), "%.*s: ",
			    (int)(process.len < 200 ? process.len : 200),
			    process.bytes);
		len += snprintf(name + len, sizeof(name) - (size_t)len,
		    "%.*s", (int)(thread->name.len < 200 ?
		    thread->name.len : 200),
		    thread->name.len > 0 ? thread->name.bytes : "");
		const struct dmtrace_thread row = { numbers[i], clean_name(
		    import, (struct dmtrace_text){ name, (size_t)len }) };
		if (dmtrace_key_thread_add(key, &row) != DMTRACE_OK)
			break;
	}
	free(taken);
	return dmt_key_error(key)->status;
}

/* Returns the time since the base, rounded down to microseconds; times that
 * are rounded are counted. */
static uint64_t
trace_ns(struct dmt_import *import, int64_t time_ns, int64_t base_ns)
{
	const uint64_t ns = (uint64_t)time_ns - (uint64_t)base_ns;

	import->result.rounded += ns % 1000 != 0;
	return ns / 1000 * 1000;
}

/* Times are not changed if records can hold them; otherwise they begin at 0. */
static enum dmtrace_status
choose_base(struct dmt_import *import, int64_t first_ns, int64_t last_ns,
    const char *clock, int64_t *base_ns)
{
	*base_ns = 0;
	if (first_ns < 0 || last_ns / 1000 > US_MAX)
		*base_ns = first_ns / 1000 * 1000 -
		    (first_ns % 1000 < 0 ? 1000 : 0);
	if ((last_ns - *base_ns) / 1000 > US_MAX)
		return dmt_error_set(&import->error, DMTRACE_ERR_RANGE,
		    "%s times are more than 71 minutes apart: a trace has "
		    "room for 2^32 us", clock);
	return DMTRACE_OK;
}

static enum dmtrace_status
write_imported_events(struct dmt_import *import, struct dmtrace_writer *writer,
    const struct import_output *out, const uint32_t *numbers,
    int64_t base_ns, int64_t cpu_base_ns)
{
	const bool cpu = import->has_cpu && !import->lacks_cpu;
	struct dmtrace_event events[BATCH];
	enum dmtrace_status status = DMTRACE_OK;

	for (size_t i = 0; i < out->count && status == DMTRACE_OK;) {
		size_t count = 0;

		for (; count < BATCH && i < out->count; count++, i++) {
			const struct timed_event *const event =
			    &out->events[i];

			events[count] = (struct dmtrace_event){
				.method = 4 * ((uint64_t)event->method + 1),
				.wall_ns = trace_ns(import, event->time_ns,
				    base_ns),
				.cpu_ns = cpu ? trace_ns(import,
				    event->cpu_ns, cpu_base_ns) :
				    DMTRACE_NO_TIME,
				.thread = numbers[event->thread],
				.action = event->action
			};
		}
		status = dmtrace_writer_write(writer, events, count);
		if (status == DMTRACE_OK)
			status = dmt_op_progress(import->op, i, out->count);
	}
	return status;
}

static enum dmtrace_status
write_trace(struct dmt_import *import, struct dmtrace_writer *writer,
    const struct import_output *out, uint32_t *numbers)
{
	const bool cpu = import->has_cpu && !import->lacks_cpu;
	struct dmtrace_key *const key = dmtrace_writer_key(writer);
	int64_t base_ns = 0, cpu_base_ns = 0, first_cpu = INT64_MAX;
	int64_t last_cpu = INT64_MIN;

	for (size_t i = 0; cpu && i < out->count; i++) {
		const int64_t cpu_ns = out->events[i].cpu_ns;

		first_cpu = cpu_ns < first_cpu ? cpu_ns : first_cpu;
		last_cpu = cpu_ns > last_cpu ? cpu_ns : last_cpu;
	}
	if (out->count > 0 && choose_base(import, out->events[0].time_ns,
	    out->events[out->count - 1].time_ns, "wall", &base_ns) !=
	    DMTRACE_OK)
		return import->error.status;
	if (cpu && out->count > 0 && choose_base(import, first_cpu, last_cpu,
	    "CPU", &cpu_base_ns) != DMTRACE_OK)
		return import->error.status;
	import->result.cpu_dropped = import->has_cpu && import->lacks_cpu;
	if (import->thread_keys.count > THREADS_MAX)
		return dmt_error_set(&import->error, DMTRACE_ERR_RANGE,
		    "%zu threads, more than the %d that a trace can number",
		    import->thread_keys.count, THREADS_MAX);
	if (add_thread_rows(import, key, numbers) != DMTRACE_OK ||
	    add_method_rows(import, key, out) != DMTRACE_OK)
		return dmt_op_fail(import->op, import->file,
		    import->error.status != DMTRACE_OK ? &import->error :
		    dmt_key_error(key));
	import->result.threads = import->thread_keys.count;
	import->result.events = out->count;
	return write_imported_events(import, writer, out, numbers, base_ns,
	    cpu_base_ns);
}

static enum dmtrace_status
write_import(struct dmt_import *import, const struct dmtrace_file *file)
{
	const bool cpu = import->has_cpu && !import->lacks_cpu;
	struct import_output out = { .import = import };
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	uint32_t *const numbers = dmt_array_new(
	    import->thread_keys.count + 1, sizeof(*numbers));

	if (writer == NULL || numbers == NULL || !match_threads(&out)) {
		dmt_error_memory(&import->op->error);
		goto end;
	}
	dmt_writer_set_layout(writer, dmt_layout_find(cpu ? 3 : 2,
	    cpu ? DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_WALL));
	dmtrace_writer_set_sync(writer,
	    (import->options.flags & DMTRACE_SYNC) != 0);
	enum dmtrace_status status = file->path != NULL ?
	    dmtrace_writer_open_path(writer, file->path) :
	    dmtrace_writer_open_fd(writer, file->fd);
	if (status == DMTRACE_OK)
		status = write_trace(import, writer, &out, numbers);
	if (status == DMTRACE_OK)
		status = dmtrace_writer_close(writer);
	if (import->error.status != DMTRACE_OK)
		dmt_op_fail(import->op, import->file, &import->error);
	else if (status != DMTRACE_OK)
		dmt_op_fail(import->op, file, dmtrace_writer_error(writer));
end:
	dmtrace_writer_free(writer);
	free(numbers);
	free(out.events);
	free(out.open);
	return import->op->error.status;
}

enum dmtrace_status
dmtrace_import(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_import_options *options,
    struct dmtrace_import_result *result)
{
	struct dmt_import import = { .op = op, .file = in };
	enum dmtrace_status status;

	if (dmt_op_begin_call(op, __func__, in == NULL || out == NULL) !=
	    DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (options != NULL)
		import.options = *options;
	if (dmt_op_check_flags(op, __func__, import.options.flags,
	    DMTRACE_SYNC) != DMTRACE_OK)
		return op->error.status;
	if ((unsigned)import.options.format > DMTRACE_IMPORT_COLLAPSED)
		return dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "%s: unknown format", __func__);
	if (in->path == NULL)
		dmt_input_open_fd(&import.input, in->fd);
	else
		dmt_input_open_path(&import.input, in->path);
	if (import.input.error.status != DMTRACE_OK)
		import.error = import.input.error;
	else if (import.options.format == DMTRACE_IMPORT_CHROME)
		dmt_import_chrome(&import);
	else
		dmt_import_collapsed(&import);
	status = import.error.status != DMTRACE_OK ?
	    dmt_op_fail(op, in, &import.error) : write_import(&import, out);
	if (status == DMTRACE_OK && result != NULL)
		*result = import.result;
	dmt_input_fini(&import.input);
	dmt_name_table_fini(&import.methods);
	dmt_name_table_fini(&import.processes);
	dmt_name_table_fini(&import.thread_keys);
	free(import.process_names);
	free(import.threads);
	free(import.events);
	return status;
}
