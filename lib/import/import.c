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
#include "base/escape.h"
#include "events/callstacks.h"
#include "format/layout.h"
#include "key/line_text.h"
#include "private/key.h"
#include "private/text.h"
#include "private/trace.h"
#include "private/utf8.h"
#include "trace/writer.h"

enum { BATCH = 1024 };
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
	bool failed;			/* see import->error */
};

/* Undoes the escapes of exports. The result is valid until the next call.
 * false: no memory. */
static bool
unescape_name(struct dmt_import *import, struct dmtrace_text *name)
{
	if (!dmt_text_holds(*name, '\\'))
		return true;
	char *const plain = dmt_array_grow(import->name,
	    &import->name_capacity, name->len, 1);
	if (plain == NULL)
		return false;
	import->name = plain;
	*name = (struct dmtrace_text){
		plain, dmt_unescape(plain, name->bytes, name->len)
	};
	return true;
}

uint32_t
dmt_import_method_find(struct dmt_import *import, struct dmtrace_text name)
{
	return unescape_name(import, &name) ?
	    dmt_name_table_intern(&import->methods,
	    &(struct dmt_name){ .name = name }) : DMT_NO_NAME;
}

bool
dmt_import_name(struct dmt_import *import, struct dmtrace_text *name,
    struct dmtrace_text value)
{
	const char *const copy = unescape_name(import, &value) ?
	    dmt_arena_copy(&import->thread_keys.arena, value.bytes,
	    value.len) : NULL;

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
fail_output_memory(struct import_output *out)
{
	dmt_error_memory(&out->import->error);
	out->failed = true;
}

static void
put_timed(struct import_output *out, const struct dmt_import_event *event,
    uint32_t method, int64_t time_ns, int64_t cpu_ns,
    enum dmtrace_action action)
{
	struct timed_event *const events = dmt_array_grow(out->events,
	    &out->capacity, out->count + 1, sizeof(*events));

	if (events == NULL) {
		fail_output_memory(out);
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

/* Opens a call; NULL: it failed. */
static struct open_call *
push_call(struct import_output *out)
{
	struct open_call *open;

	if (out->depth == DMT_OPEN_CALLS_MAX) {
		dmt_error_set(&out->import->error, DMTRACE_ERR_LIMIT,
		    "more than %d nested calls", DMT_OPEN_CALLS_MAX);
		out->failed = true;
		return NULL;
	}
	open = dmt_array_grow(out->open, &out->open_capacity, out->depth + 1,
	    sizeof(*open));
	if (open == NULL) {
		fail_output_memory(out);
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

/* Orders the calls of a thread, an outer call before those inside it. If wall
 * times are the same, CPU times say which was first. */
static int
compare_calls(const void *a, const void *b)
{
	const struct dmt_import_event *const one = a, *const other = b;
	int by = compare_numbers(one->time_ns, other->time_ns);

	if (by == 0)
		by = compare_numbers(one->cpu_ns, other->cpu_ns);
	if (by == 0)
		by = compare_numbers(other->end_ns, one->end_ns);
	if (by == 0)
		by = compare_numbers(other->end_cpu_ns, one->end_cpu_ns);
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

/* Orders the events of one thread by time and makes them nest. A CPU time that
 * is earlier than the one before it becomes the same. */
static void
match_thread(struct import_output *out, struct dmt_import_event *events,
    size_t count)
{
	const size_t first = out->count;
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
	for (size_t i = first + 1; i < out->count; i++) {
		const int64_t cpu_ns = out->events[i - 1].cpu_ns;

		if (out->events[i].cpu_ns >= cpu_ns)
			continue;
		out->events[i].cpu_ns = cpu_ns;
		out->import->result.cpu_raised++;
	}
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

	for (size_t i = 0; out->import->lacks_cpu && i < count; i++)
		events[i].cpu_ns = events[i].end_cpu_ns = DMT_NO_CPU;
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

static const char replacement[] = "\xef\xbf\xbd";	/* U+FFFD */

/* Returns the size of the first character if a key should have it; 0: it is not
 * UTF-8, not visible, or U+FFFD, which in a key is a sign of damage. */
static size_t
character_size(struct dmtrace_text text)
{
	uint32_t code;
	const size_t size = dmt_utf8_decode(&code, text.bytes, text.len);

	return size > 0 && (dmt_utf8_is_unsafe(code) ||
	    dmt_text_begins(text, replacement)) ? 0 : size;
}

/* Returns a name for a key: without blanks around it, with U+FFFD as '?', and
 * other such characters as \t, \x00 and so on. bytes is NULL: no memory. */
static struct dmtrace_text
clean_name(struct dmt_import *import, struct dmtrace_text name)
{
	struct dmtrace_text text = dmt_text_trim(name);
	size_t bad = 0, len = 0;

	for (size_t i = 0, size; i < text.len; i += size > 0 ? size : 1) {
		size = character_size(dmt_text_after(text, i));
		bad += size == 0;
	}
	import->result.renamed += bad > 0 || text.len < name.len ||
	    text.len == 0;
	if (text.len == 0)
		return dmt_text_of("(none)");
	if (bad == 0)
		return text;
	char *const clean = dmt_arena_alloc(&import->methods.arena,
	    text.len + (DMT_UNIT_MAX + 1) * bad);
	if (clean == NULL)
		return (struct dmtrace_text){ NULL, 0 };
	while (text.len > 0) {
		size_t size = character_size(text), used = size;

		if (size > 0) {
			memcpy(clean + len, text.bytes, size);
		} else if (dmt_text_begins(text, replacement)) {
			clean[len] = '?';
			size = strlen(replacement);
			used = 1;
		} else {
			size = dmt_escape_first(clean + len, &used,
			    text.bytes, 1);
		}
		len += used;
		text = dmt_text_after(text, size);
	}
	return (struct dmtrace_text){ clean, len };
}

/*
 * Sets the class and the name so that reports join them to the text that was
 * imported: the class is what precedes the last "::" or else the last dot. Both
 * are looked for before brackets, which begin a signature or the arguments of
 * a template. Functions without a class are in "native", as the recorder's.
 */
static void
split_name(struct dmtrace_method *row, struct dmtrace_text text)
{
	size_t dot = 0, colons = 0;

	for (size_t i = 1; i + 1 < text.len &&
	    strchr("(<[ ", text.bytes[i]) == NULL; i++) {
		if (text.bytes[i] == '.')
			dot = i;
		else if (memcmp(text.bytes + i, "::", 2) == 0 &&
		    i + 2 < text.len)
			colons = i;
	}
	row->class_name = (struct dmtrace_text){
		text.bytes, colons > 0 ? colons : dot
	};
	row->signature = dmt_text_of("()V");
	const struct dmt_method_scope scope =
	    dmt_method_scope(row->class_name, row->signature);
	row->name = dmt_text_after(text, row->class_name.len);
	if (scope.text.len > 0 && dmt_text_begins(row->name, scope.separator)) {
		row->name = dmt_text_after(row->name,
		    strlen(scope.separator));
		return;
	}
	row->class_name = dmt_text_of("native");
	row->name = text;
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
		struct dmtrace_method row = {
			.id = 4 * (i + 1), .line = DMTRACE_NO_LINE
		};

		if (name.bytes == NULL) {
			dmt_error_memory(&import->error);
			break;
		}
		if (!used[i])
			continue;
		import->result.methods++;
		split_name(&row, name);
		if (dmtrace_key_method_add(key, &row) != DMTRACE_OK)
			break;
	}
	free(used);
	return import->error.status != DMTRACE_OK ? import->error.status :
	    dmt_key_error(key)->status;
}

/* Adds the threads. A thread keeps its number if it fits and is unique. */
static enum dmtrace_status
add_thread_rows(struct dmt_import *import, struct dmtrace_key *key,
    uint32_t *numbers)
{
	const size_t count = import->thread_keys.count;
	const size_t numbers_end =
	    dmt_layout_thread_numbers(&import->format->layout);
	bool *const taken = dmt_array_new(numbers_end, sizeof(*taken));
	uint32_t next = 1;

	if (taken == NULL)
		return dmt_error_memory(&import->error);
	for (size_t i = 0; i < count; i++) {
		const int64_t number = import->threads[i].number;

		if (number > 0 && (uint64_t)number < numbers_end &&
		    !taken[number])
			taken[numbers[i] = (uint32_t)number] = true;
	}
	for (size_t i = 0; i < count; i++) {
		const struct dmt_import_thread *const thread =
		    &import->threads[i];
		const struct dmtrace_text process =
		    import->process_names[thread->process];
		char name[512];
		int len = 0;

		while (numbers[i] == 0 && next < numbers_end && taken[next])
			next++;
		if (numbers[i] == 0) {
			taken[numbers[i] = next] = true;
			import->result.renumbered += thread->number >= 0;
		}
		if (import->processes.count > 1 && process.len > 0)
			len = snprintf(name, sizeof(name), "%.*s: ",
			    (int)(process.len < 200 ? process.len : 200),
			    process.bytes);
		if (thread->name.len > 0)
			len += snprintf(name + len, sizeof(name) - (size_t)len,
			    "%.*s", (int)(thread->name.len < 200 ?
			    thread->name.len : 200), thread->name.bytes);
		else
			len += snprintf(name + len, sizeof(name) - (size_t)len,
			    "thread %" PRId64, thread->number >= 0 ?
			    thread->number : (int64_t)numbers[i]);
		const struct dmtrace_thread row = { numbers[i], clean_name(
		    import, (struct dmtrace_text){ name, (size_t)len }) };
		if (row.name.bytes == NULL) {
			dmt_error_memory(&import->error);
			break;
		}
		if (dmtrace_key_thread_add(key, &row) != DMTRACE_OK)
			break;
	}
	free(taken);
	return import->error.status != DMTRACE_OK ? import->error.status :
	    dmt_key_error(key)->status;
}

/* Returns the time since the base, rounded down to microseconds if the format
 * has no nanoseconds; times that are rounded are counted. */
static uint64_t
trace_ns(struct dmt_import *import, int64_t time_ns, int64_t base_ns)
{
	const uint64_t ns = (uint64_t)time_ns - (uint64_t)base_ns;

	if (import->format->ns)
		return ns;
	import->result.rounded += ns % 1000 != 0;
	return ns / 1000 * 1000;
}

/* Times are not changed if records can hold them; otherwise they begin at 0. */
static enum dmtrace_status
choose_base(struct dmt_import *import, int64_t first_ns, int64_t last_ns,
    const char *clock, int64_t *base_ns)
{
	const bool limited = !import->format->ns;

	*base_ns = 0;
	if (first_ns < 0 || (limited && last_ns / 1000 > US_MAX))
		*base_ns = first_ns / 1000 * 1000 -
		    (first_ns % 1000 < 0 ? 1000 : 0);
	if (limited && (last_ns - *base_ns) / 1000 > US_MAX)
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
				.thread = numbers[event->thread],
				.action = event->action
			};
			events[count].cpu_ns = cpu ? trace_ns(import,
			    event->cpu_ns, cpu_base_ns) :
			    events[count].wall_ns;
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
	const bool cpu = import->has_cpu && !import->lacks_cpu &&
	    dmt_layout_has_cpu(&import->format->layout);
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
	const struct dmt_layout *const layout = &import->format->layout;
	const size_t most = dmt_layout_thread_numbers(layout) - 1;
	import->result.cpu_dropped = import->has_cpu && !cpu;
	import->result.cpu_invented =
	    !cpu && dmt_layout_has_cpu(layout) ? out->count : 0;
	if (import->thread_keys.count > most)
		return dmt_error_set(&import->error, DMTRACE_ERR_RANGE,
		    "%zu threads, more than the %zu that version %u can "
		    "number", import->thread_keys.count, most,
		    layout->version);
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

	if (writer == NULL || numbers == NULL)
		dmt_error_memory(&import->error);
	if (import->error.status != DMTRACE_OK || !match_threads(&out)) {
		dmt_op_fail(import->op, import->file, &import->error);
		goto end;
	}
	enum dmtrace_status status = dmtrace_writer_set_dialect(writer,
	    import->options.dialect != 0 ? import->options.dialect : cpu ?
	    DMTRACE_DIALECT_V3 : DMTRACE_DIALECT_V2, DMTRACE_STAGE_ANY,
	    DMTRACE_CLOCK_MISSING);
	import->format = &writer->writing->format;
	dmtrace_writer_set_sync(writer,
	    (import->options.flags & DMTRACE_SYNC) != 0);
	if (status == DMTRACE_OK)
		status = file->path != NULL ?
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
	const uint8_t *front;
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
	if (dmt_input_peek(&import.input, 3, &front) >= 3 &&
	    memcmp(front, "\xef\xbb\xbf", 3) == 0)
		dmt_input_skip(&import.input, 3);
	if (import.input.error.status != DMTRACE_OK)
		import.error = import.input.error;
	else if (import.options.format == DMTRACE_IMPORT_CHROME)
		dmt_import_chrome(&import);
	else
		dmt_import_collapsed(&import);
	if (import.error.status == DMTRACE_OK &&
	    dmt_input_check_packed(&import.input) != DMTRACE_OK)
		import.error = import.input.error;
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
	free(import.name);
	return status;
}
