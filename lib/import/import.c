/* import.c - makes a trace of the calls or events of another format */

/*
 * A reader of the format, a row of rows, adds threads, methods and events as it
 * finds them; nest.c makes enters and exits of them, and import_write.c writes
 * the trace.
 */

#include "import/import.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/packing.h"
#include "format/other_format.h"
#include "private/import.h"
#include "private/text.h"

#define MEMORY ((size_t)16 << 20)	/* bytes of each sorter's block */
#define WINDOW 4096			/* bytes that show the format */

static const struct dmt_import_row *const rows[] = {
	[DMTRACE_IMPORT_CHROME] = &dmt_import_chrome,
	[DMTRACE_IMPORT_COLLAPSED] = &dmt_import_collapsed,
	[DMTRACE_IMPORT_SIMPLEPERF] = &dmt_import_simpleperf,
	[DMTRACE_IMPORT_PERFETTO] = &dmt_import_perfetto,
	[DMTRACE_IMPORT_FTRACE] = &dmt_import_ftrace,
	[DMTRACE_IMPORT_TSV] = &dmt_import_tsv,
	[DMTRACE_IMPORT_CSV] = &dmt_import_csv,
	[DMTRACE_IMPORT_JSONL] = &dmt_import_jsonl,
	[DMTRACE_IMPORT_LINES] = &dmt_import_lines,
};

const char *const dmt_import_names[] = {
	"chrome", "collapsed", "simpleperf", "perfetto", "ftrace", "tsv",
	"csv", "jsonl", "lines", NULL
};

/* The order in which formats are tried: chrome takes any JSON, and collapsed
 * any text. */
static const enum dmtrace_import_format tried[] = {
	DMTRACE_IMPORT_SIMPLEPERF, DMTRACE_IMPORT_PERFETTO,
	DMTRACE_IMPORT_TSV, DMTRACE_IMPORT_CSV, DMTRACE_IMPORT_JSONL,
	DMTRACE_IMPORT_CHROME, DMTRACE_IMPORT_FTRACE,
	DMTRACE_IMPORT_COLLAPSED
};

static uint32_t
fail_reading(struct dmt_import *import)
{
	dmt_error_memory(&import->error);
	return DMT_NO_NAME;
}

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

/* Threads and methods. */

/* Returns the index of a method, which is added unless there is one of these
 * names; append: in any case. */
static uint32_t
intern_method(struct dmt_import *import, const struct dmt_name *name,
    bool append)
{
	const size_t count = import->methods.count;
	struct dmt_import_method *const methods = dmt_array_grow(
	    import->method_rows, &import->method_capacity, count + 1,
	    sizeof(*methods));

	if (methods == NULL)
		return fail_reading(import);
	import->method_rows = methods;
	const uint32_t index = append ?
	    dmt_name_table_append(&import->methods, name) :
	    dmt_name_table_intern(&import->methods, name);
	if (index == DMT_NO_NAME)
		return fail_reading(import);
	if (index == count)
		methods[index] = (struct dmt_import_method){
			.id = DMT_NO_ID, .plain = index
		};
	return index;
}

uint32_t
dmt_import_method_find(struct dmt_import *import, struct dmtrace_text name,
    struct dmtrace_text signature)
{
	if (!unescape_name(import, &name))
		return fail_reading(import);
	const struct dmt_name plain = { .name = name };
	const uint32_t index = intern_method(import, &plain, false);

	return index == DMT_NO_NAME ? index : dmt_import_method_full(import,
	    index, (struct dmtrace_text){ "", 0 }, signature);
}

uint32_t
dmt_import_method_full(struct dmt_import *import, uint32_t method,
    struct dmtrace_text category, struct dmtrace_text signature)
{
	const uint32_t plain = import->method_rows[method].plain;
	const bool in_file = dmt_class_is_file(category);

	if (!in_file && signature.len == 0)
		return plain;
	char *const text = dmt_array_grow(import->name,
	    &import->name_capacity, category.len + signature.len, 1);
	if (text == NULL)
		return fail_reading(import);
	import->name = text;
	const size_t class_len = in_file ?
	    dmt_unescape(text, category.bytes, category.len) : 0;
	const size_t len =
	    dmt_unescape(text + class_len, signature.bytes, signature.len);
	const struct dmt_name full = {
		.class_name = { text, class_len },
		.name = import->methods.items[plain].name,
		.signature = len == 0 ? dmt_text_of("()V") :
		    (struct dmtrace_text){ text + class_len, len },
		.listed = in_file
	};
	const uint32_t own = intern_method(import, &full, false);
	if (own != DMT_NO_NAME)
		import->method_rows[own].plain = plain;
	return own;
}

/* Methods of one name with several ids are several methods. An id that is used
 * for another name again is ignored, as of redefinitions. */
uint32_t
dmt_import_method_split(struct dmt_import *import, uint64_t id,
    struct dmtrace_text class_name, struct dmtrace_text name,
    struct dmtrace_text signature)
{
	const struct dmt_name full = {
		.class_name = class_name, .name = name,
		.signature = signature, .listed = true
	};
	const uint32_t *const known = id == DMT_NO_ID ? NULL :
	    dmt_idmap_find(&import->method_ids, id);

	if (known != NULL) {
		const struct dmt_name *const old =
		    &import->methods.items[*known];

		if (dmt_text_equal(old->class_name, class_name) &&
		    dmt_text_equal(old->name, name) &&
		    dmt_text_equal(old->signature, signature))
			return *known;
	}
	const bool append = id != DMT_NO_ID && known == NULL;
	const uint32_t index = intern_method(import, &full, append);
	if (index != DMT_NO_NAME && known != NULL)
		import->method_rows[index].other_id = true;
	if (index == DMT_NO_NAME || !append)
		return index;
	import->method_rows[index].id = id;
	return dmt_idmap_add(&import->method_ids, id, index) ? index :
	    fail_reading(import);
}

bool
dmt_import_name(struct dmt_import *import, struct dmtrace_text *name,
    struct dmtrace_text value)
{
	const char *const copy = unescape_name(import, &value) ?
	    dmt_arena_copy(&import->thread_keys.arena, value.bytes,
	    value.len) : NULL;

	if (copy == NULL) {
		fail_reading(import);
		return false;
	}
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
		return fail_reading(import);
	import->process_names = names;
	const uint32_t index = dmt_name_table_intern(&import->processes,
	    &(struct dmt_name){ .name = process });
	if (index == DMT_NO_NAME)
		return fail_reading(import);
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
	char owner_key[16];

	if (threads == NULL)
		return fail_reading(import);
	import->threads = threads;
	if (owner == DMT_NO_NAME)
		return DMT_NO_NAME;
	snprintf(owner_key, sizeof(owner_key), "%" PRIu32, owner);
	const uint32_t index = dmt_name_table_intern(&import->thread_keys,
	    &(struct dmt_name){ .class_name = dmt_text_of(owner_key),
	    .name = thread });
	if (index == DMT_NO_NAME)
		return fail_reading(import);
	if (index == DMT_IMPORT_THREADS_MAX) {
		dmt_error_set(&import->error, DMTRACE_ERR_RANGE,
		    "more than %d threads, which no version can number",
		    DMT_IMPORT_THREADS_MAX);
		return DMT_NO_NAME;
	}
	if (index == count)
		threads[index] = (struct dmt_import_thread){
			.number = number, .process = owner
		};
	return index;
}

uint32_t
dmt_import_thread_named(struct dmt_import *import,
    struct dmtrace_text process, struct dmtrace_text id)
{
	int64_t number = 0;
	const size_t count = import->thread_keys.count;

	for (size_t i = 0; i < id.len && number >= 0; i++)
		number = !isdigit((unsigned char)id.bytes[i]) || i > 9 ? -1 :
		    number * 10 + (id.bytes[i] - '0');
	const uint32_t index = dmt_import_thread_find(import, process, id,
	    id.len == 0 ? -1 : number);
	if (index == count && number < 0 && !dmt_import_name(import,
	    &import->threads[index].name, id))
		return DMT_NO_NAME;
	return index;
}

/* Events. */

static bool
check_sorted(struct dmt_import *import, const struct dmt_sorter *sorter,
    bool added)
{
	if (!added && import->error.status == DMTRACE_OK)
		import->error = sorter->error;
	return added;
}

bool
dmt_import_add(struct dmt_import *import, const struct dmt_import_event *event)
{
	const bool is_call = event->kind == DMT_IMPORT_CALL;
	struct dmt_sorter *const sorter =
	    is_call ? &import->calls : &import->ends;
	struct dmt_import_event added = *event;

	added.order = import->count++;
	if (event->cpu_ns == DMT_NO_CPU ||
	    (is_call && event->end_cpu_ns == DMT_NO_CPU))
		import->lacks_cpu = true;
	else
		import->has_cpu = true;
	if (is_call)
		import->threads[event->thread].has_calls = true;
	else
		import->threads[event->thread].has_begins = true;
	return check_sorted(import, sorter, dmt_sorter_add(sorter, &added));
}

bool
dmt_import_put(struct dmt_import *import, const struct dmt_import_step *step)
{
	struct dmt_import_step added = *step;
	const bool first = import->steps.total == 0;

	added.own_order = import->steps.total;
	if (first || step->time_ns < import->first_ns)
		import->first_ns = step->time_ns;
	if (first || step->time_ns > import->last_ns)
		import->last_ns = step->time_ns;
	if (first || step->cpu_ns < import->first_cpu_ns)
		import->first_cpu_ns = step->cpu_ns;
	if (first || step->cpu_ns > import->last_cpu_ns)
		import->last_cpu_ns = step->cpu_ns;
	import->method_rows[step->method].used = true;
	return check_sorted(import, &import->steps,
	    dmt_sorter_add(&import->steps, &added));
}

static int
compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int
compare_positions(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int
compare_ends(const void *a, const void *b)
{
	const struct dmt_import_event *const one = a, *const other = b;
	const int by = compare_numbers(one->time_ns, other->time_ns);

	return by != 0 ? by : compare_positions(one->order, other->order);
}

/* Orders calls by thread, an outer call before those inside it. If wall times
 * are the same, CPU times say which was first. */
static int
compare_calls(const void *a, const void *b)
{
	const struct dmt_import_event *const one = a, *const other = b;

	if (one->thread != other->thread)
		return one->thread < other->thread ? -1 : 1;
	int by = compare_numbers(one->time_ns, other->time_ns);
	if (by == 0)
		by = compare_numbers(one->cpu_ns, other->cpu_ns);
	if (by == 0)
		by = compare_numbers(other->end_ns, one->end_ns);
	if (by == 0)
		by = compare_numbers(other->end_cpu_ns, one->end_cpu_ns);
	return by != 0 ? by : compare_positions(one->order, other->order);
}

static int
compare_steps(const void *a, const void *b)
{
	const struct dmt_import_step *const one = a, *const other = b;
	int by = compare_numbers(one->time_ns, other->time_ns);

	if (by == 0)
		by = compare_positions(one->order, other->order);
	return by != 0 ? by :
	    compare_positions(one->own_order, other->own_order);
}

/* Of a format whose events are as they are. */
static int
compare_own_orders(const void *a, const void *b)
{
	const struct dmt_import_step *const one = a, *const other = b;

	return compare_positions(one->own_order, other->own_order);
}

/* What readers share. */

bool
dmt_import_fail_at(struct dmt_import *import, enum dmtrace_status status,
    const char *what)
{
	dmt_error_at(&import->error, status, DMTRACE_PLACE_OFFSET, import->at,
	    "%s", what);
	return false;
}

bool
dmt_import_fail_memory(struct dmt_import *import)
{
	dmt_error_memory(&import->error);
	return false;
}

bool
dmt_import_fail(struct dmt_import *import, const char *format, ...)
{
	char message[DMTRACE_MESSAGE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	dmt_error_at(&import->error, DMTRACE_ERR_CORRUPT, DMTRACE_PLACE_LINE,
	    import->line, "%s", message);
	return false;
}

void
dmt_import_drop(struct dmt_import *import, const char *kind, uint64_t count)
{
	struct dmtrace_import_result *const result = &import->result;
	size_t i = 0;

	if (count == 0)
		return;
	while (i < DMTRACE_IMPORT_DROPPED - 1 &&
	    result->dropped[i].kind != NULL && result->dropped[i].kind != kind)
		i++;
	result->others += count;
	result->dropped[i].kind =
	    i < DMTRACE_IMPORT_DROPPED - 1 ? kind : "things of more kinds";
	result->dropped[i].count += count;
}

void
dmt_import_drop_phase(struct dmt_import *import, char phase)
{
	static const struct {
		const char *phases, *kind;
	} kinds[] = {
		{ "iIR", "instant events" },
		{ "stf", "flow events" },
		{ "P", "samples" },
		{ "NOD", "events of objects" },
		{ "vV", "memory dumps" },
		{ "()", "events of contexts" },
		{ "c", "clock synchronizations" },
		{ "", "events of unknown phases" },
	};
	size_t i = 0;

	if (phase == 'C') {
		import->result.counters++;
	} else if (phase != '\0' && strchr("bneSTpF", phase) != NULL) {
		import->result.async++;
	} else {
		while (kinds[i].phases[0] != '\0' && (phase == '\0' ||
		    strchr(kinds[i].phases, phase) == NULL))
			i++;
		dmt_import_drop(import, kinds[i].kind, 1);
	}
}

bool
dmt_import_progress(struct dmt_import *import)
{
	if (dmt_op_progress(import->op, import->input.offset,
	    dmt_input_size(&import->input)) == DMTRACE_OK)
		return true;
	import->error = import->op->error;
	return false;
}

/* Returns where the line ends that begins at bytes, len if it does not, from
 * *seen on, which continues there. */
static size_t
find_line_end(const uint8_t *bytes, size_t len, size_t seen, bool quoted,
    bool *inside)
{
	if (!quoted) {
		const uint8_t *const end = memchr(bytes + seen, '\n',
		    len - seen);

		return end == NULL ? len : (size_t)(end - bytes);
	}
	for (; seen < len && (*inside || bytes[seen] != '\n'); seen++)
		*inside ^= bytes[seen] == '"';
	return seen;
}

/* The last line lacks its end, which all formats of lines have: it may be part
 * of one, even if it can be read. */
static void
cut_line(struct dmt_import *import)
{
	if (import->line == 1) {
		dmt_error_at(&import->error, DMTRACE_ERR_TRUNCATED,
		    DMTRACE_PLACE_LINE, 1, "the file ends within its first "
		    "line: if it is complete, it needs a newline");
		return;
	}
	dmt_import_cut(import, import->input.offset);
	import->result.cut_line = import->line;
}

bool
dmt_import_line(struct dmt_import *import, bool quoted,
    struct dmtrace_text *line)
{
	struct dmt_input *const input = &import->input;
	const uint8_t *bytes;
	size_t len, seen = 0, end;
	bool inside = false;

	dmt_input_skip(input, import->line_used);
	import->line_used = 0;
	if (++import->line % 1024 == 0 && !dmt_import_progress(import))
		return false;
	for (;;) {
		len = dmt_input_peek(input, seen + 1, &bytes);
		end = find_line_end(bytes, len, seen, quoted, &inside);
		if (end < len || len <= seen)
			break;
		seen = len;
		if (len > DMT_IMPORT_LINE_MAX) {
			dmt_error_at(&import->error, DMTRACE_ERR_LIMIT,
			    DMTRACE_PLACE_LINE, import->line,
			    "the line has more than 16 MiB");
			return false;
		}
	}
	if (input->error.status != DMTRACE_OK)
		import->error = input->error;
	if (len == 0 || input->error.status != DMTRACE_OK)
		return false;
	if (end == len) {
		cut_line(import);
		return false;
	}
	*line = (struct dmtrace_text){ (const char *)bytes, end };
	import->line_used = end + 1;
	if (line->len > 0 && line->bytes[line->len - 1] == '\r')
		line->len--;
	return true;
}

struct dmtrace_text
dmt_import_part(struct dmtrace_text *rest, char separator)
{
	const char *const end = rest->len == 0 ? NULL :
	    memchr(rest->bytes, separator, rest->len);
	const struct dmtrace_text part = { rest->bytes,
	    end == NULL ? rest->len : (size_t)(end - rest->bytes) };

	*rest = end == NULL ? (struct dmtrace_text){ NULL, 0 } :
	    dmt_text_after(*rest, part.len + 1);
	return part;
}

bool
dmt_import_time(struct dmtrace_text text, uint64_t unit_ns, int64_t *ns)
{
	const uint64_t most = INT64_MAX / 2;
	const bool negative = dmt_text_begins(text, "-");
	uint64_t value = 0, place = unit_ns;
	size_t i = negative, digits = 0;
	int exponent = 0;

	/* A small exponent is a larger or smaller unit. */
	for (size_t at = i; at < text.len; at++) {
		if (text.bytes[at] != 'e' && text.bytes[at] != 'E')
			continue;
		const bool down = at + 1 < text.len &&
		    text.bytes[at + 1] == '-';
		const bool sign = down || (at + 1 < text.len &&
		    text.bytes[at + 1] == '+');

		for (size_t j = at + 1 + sign; j < text.len; j++) {
			if (!isdigit((unsigned char)text.bytes[j]) ||
			    exponent > 100)
				return false;
			exponent = exponent * 10 + (text.bytes[j] - '0');
		}
		if (at + 1 + sign == text.len)
			return false;
		exponent = down ? -exponent : exponent;
		text.len = at;
		break;
	}
	for (; exponent > 0; exponent--) {
		if (place > most / 1000)
			return false;
		place *= 10;
	}
	for (; i < text.len && text.bytes[i] != '.'; i++, digits++) {
		const unsigned digit = (unsigned char)text.bytes[i] - '0';

		if (digit > 9 || value > most / place / 10)
			return false;
		value = value * 10 + digit;
	}
	value *= place;
	for (i++; i < text.len; i++, digits++) {
		const unsigned digit = (unsigned char)text.bytes[i] - '0';

		if (digit > 9)
			return false;
		/* Rounded to the nearest; units are powers of ten. */
		value += place >= 10 ? digit * (place / 10) :
		    place == 1 && digit >= 5;
		place /= 10;
	}
	for (; exponent < 0; exponent++)
		value /= 10;
	*ns = negative ? -(int64_t)value : (int64_t)value;
	return digits > 0 && value <= most;
}

/* Returns the row of the format that was named, or that the input has; NULL: it
 * is compressed, or not known. */
static const struct dmt_import_row *
choose_row(struct dmt_import *import)
{
	const uint8_t *bytes;
	const size_t len = dmt_input_peek(&import->input, WINDOW, &bytes);
	const bool packed = dmt_packing_of_bytes(bytes, len) != NULL;

	if (!packed && import->options.format != DMTRACE_IMPORT_ANY)
		return rows[import->options.format];
	for (size_t i = 0; !packed && i < sizeof(tried) / sizeof(tried[0]);
	    i++) {
		if (!rows[tried[i]]->recognises(bytes, len))
			continue;
		import->result.format = tried[i];
		return rows[tried[i]];
	}
	if (!dmt_other_format_name(&import->error, bytes, len))
		dmt_error_at(&import->error, DMTRACE_ERR_CORRUPT,
		    DMTRACE_PLACE_OFFSET, import->input.offset, "the format "
		    "is not recognized: name it with --from-format");
	return NULL;
}

static bool
check_import_options(struct dmtrace_op *op,
    const struct dmtrace_import_options *options)
{
	const bool is_lines = options->format == DMTRACE_IMPORT_LINES;

	if ((unsigned)options->format > DMTRACE_IMPORT_LINES)
		dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "dmtrace_import: unknown format");
	else if (is_lines != (options->lines != NULL) ||
	    is_lines != (options->fields != NULL))
		dmt_error_set(&op->error, DMTRACE_ERR_RANGE,
		    "dmtrace_import: a pattern and its fields are needed for "
		    "lines, and only for them");
	return op->error.status == DMTRACE_OK;
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
	    DMTRACE_SYNC) != DMTRACE_OK ||
	    !check_import_options(op, &import.options))
		return op->error.status;
	dmt_input_open_file(&import.input, in);
	if (dmt_input_peek(&import.input, 3, &front) >= 3 &&
	    memcmp(front, "\xef\xbb\xbf", 3) == 0)
		dmt_input_skip(&import.input, 3);
	import.result.format = import.options.format;
	import.row = import.input.error.status != DMTRACE_OK ? NULL :
	    choose_row(&import);
	dmt_sorter_init(&import.ends, sizeof(struct dmt_import_event),
	    compare_ends, MEMORY);
	dmt_sorter_init(&import.calls, sizeof(struct dmt_import_event),
	    compare_calls, MEMORY);
	const bool as_is = import.row != NULL && import.row->as_is;
	dmt_sorter_init(&import.steps, sizeof(struct dmt_import_step),
	    as_is ? compare_own_orders : compare_steps, MEMORY);
	if (import.input.error.status != DMTRACE_OK)
		import.error = import.input.error;
	else if (import.row != NULL && import.row->read(&import) ==
	    DMTRACE_OK && dmt_input_check_packed(&import.input) != DMTRACE_OK)
		import.error = import.input.error;
	else if (import.error.status == DMTRACE_OK)
		dmt_import_nest(&import);
	status = import.error.status != DMTRACE_OK ?
	    dmt_op_fail(op, in, &import.error) :
	    dmt_import_write(&import, out);
	if (status == DMTRACE_OK && result != NULL)
		*result = import.result;
	dmt_input_fini(&import.input);
	dmt_name_table_fini(&import.methods);
	dmt_name_table_fini(&import.processes);
	dmt_name_table_fini(&import.thread_keys);
	dmt_idmap_fini(&import.method_ids);
	dmt_sorter_fini(&import.ends);
	dmt_sorter_fini(&import.calls);
	dmt_sorter_fini(&import.steps);
	free(import.method_rows);
	free(import.process_names);
	free(import.threads);
	free(import.name);
	return status;
}
