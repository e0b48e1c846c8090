/* import_rows.c - reads events as "dump" writes them: TSV, CSV, JSON lines */

/*
 * Each row is an event, and becomes one of the trace as it is, so that what was
 * dumped comes back; only what would make the trace invalid is changed, as the
 * rows may have been edited. Nothing is sorted. TSV and CSV name their
 * columns in the first line, JSON in each; other columns are ignored and the
 * order is free, as other programs may have written them. The cells of a row
 * are collected without quotes and escapes, and then interpreted alike.
 */

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/escape.h"
#include "base/json.h"
#include "events/callstacks.h"
#include "import/import.h"
#include "private/text.h"

enum { COLUMNS_MAX = 256 };

enum field {
	FIELD_THREAD, FIELD_THREAD_NAME, FIELD_ACTION, FIELD_ID, FIELD_CPU,
	FIELD_TIME, FIELD_CLASS, FIELD_NAME, FIELD_SIGNATURE, FIELDS
};

static const struct {
	const char *name;
	enum field field;
} column_names[] = {
	{ "thread", FIELD_THREAD },
	{ "thread_name", FIELD_THREAD_NAME },
	{ "action", FIELD_ACTION },
	{ "method", FIELD_ID },
	{ "id", FIELD_ID },
	{ "cpu_ns", FIELD_CPU },
	{ "wall_ns", FIELD_TIME },
	{ "time_ns", FIELD_TIME },
	{ "class", FIELD_CLASS },
	{ "name", FIELD_NAME },
	{ "signature", FIELD_SIGNATURE },
};

/* The cells of a row that are fields, in one text. */
struct row {
	char *bytes;
	size_t len, capacity;
	struct {
		bool present;
		size_t at, len;
	} cells[FIELDS];
};

/* The last times of a thread. */
struct row_thread {
	int64_t time_ns, cpu_ns;
};

struct rows_import {
	struct dmt_import *import;
	struct dmt_callstacks stacks;
	struct row_thread *threads;	/* by index */
	size_t thread_count, thread_capacity;
	struct dmt_json *json;		/* NULL: lines */
	struct row row;
	enum field columns[COLUMNS_MAX];	/* FIELDS: ignored */
	size_t column_count;
	bool has_time, begun;		/* of the first event */
};

/* Fails at the line or, in JSON, at the byte. */
static bool
fail_row(struct rows_import *self, const char *what, struct dmtrace_text found)
{
	char shown[DMT_ESCAPED_MAX];

	dmt_escape(shown, sizeof(shown), found.bytes, found.len);
	if (self->json == NULL)
		return dmt_import_fail(self->import, "%s%s", what, shown);
	dmt_error_at(&self->import->error, DMTRACE_ERR_CORRUPT,
	    DMTRACE_PLACE_OFFSET, self->json->at, "%s%s", what, shown);
	return false;
}

static bool
fail_row_plainly(struct rows_import *self, const char *what)
{
	return fail_row(self, what, (struct dmtrace_text){ "", 0 });
}

static enum field
find_column(struct dmtrace_text name)
{
	for (size_t i = 0; i < sizeof(column_names) / sizeof(column_names[0]);
	    i++)
		if (dmt_text_is(name, column_names[i].name))
			return column_names[i].field;
	return FIELDS;
}

/* Begins a cell of len bytes at most. NULL: no memory. */
static char *
begin_cell(struct rows_import *self, enum field field, size_t len)
{
	struct row *const row = &self->row;
	char *const bytes = dmt_array_grow(row->bytes, &row->capacity,
	    row->len + len + 1, 1);

	if (bytes == NULL) {
		dmt_error_memory(&self->import->error);
		return NULL;
	}
	row->bytes = bytes;
	row->cells[field].present = len > 0;
	row->cells[field].at = row->len;
	return bytes + row->len;
}

static void
end_cell(struct rows_import *self, enum field field, size_t len)
{
	self->row.cells[field].len = len;
	self->row.len += len;
}

static struct dmtrace_text
cell_of(const struct rows_import *self, enum field field)
{
	const struct row *const row = &self->row;

	return row->cells[field].present ? (struct dmtrace_text){
	    row->bytes + row->cells[field].at, row->cells[field].len } :
	    (struct dmtrace_text){ "", 0 };
}

/* Undoes the escapes of TSV: \t \n \\ and \xNN; other text is unchanged.
 * Returns the length. */
static size_t
unescape_tsv(char *out, struct dmtrace_text cell)
{
	size_t len = 0;

	for (size_t i = 0; i < cell.len; i++) {
		const char *const in = cell.bytes + i;
		const size_t left = cell.len - i;

		out[len] = *in;
		if (*in == '\\' && left >= 2) {
			if (in[1] == 't' || in[1] == 'n' || in[1] == '\\') {
				out[len] = in[1] == 't' ? '\t' :
				    in[1] == 'n' ? '\n' : '\\';
				i++;
			} else if (left >= 4 && in[1] == 'x' &&
			    isxdigit((unsigned char)in[2]) &&
			    isxdigit((unsigned char)in[3])) {
				dmt_unescape(out + len, in, 4);
				i += 3;
			}
		}
		len++;
	}
	return len;
}

/* Removes the quotes of CSV, and one of two in them. Returns the length. */
static size_t
unquote_csv(char *out, struct dmtrace_text cell)
{
	bool inside = false;
	size_t len = 0;

	for (size_t i = 0; i < cell.len; i++) {
		if (cell.bytes[i] != '"') {
			out[len++] = cell.bytes[i];
		} else if (inside && i + 1 < cell.len &&
		    cell.bytes[i + 1] == '"') {
			out[len++] = '"';
			i++;
		} else {
			inside = !inside;
		}
	}
	return len;
}

/* Removes the first cell from the line, as dmt_import_part does; a comma in
 * quotes is no separator. */
static struct dmtrace_text
take_cell(struct dmtrace_text *line, bool csv)
{
	bool inside = false;
	size_t end = 0;

	if (!csv)
		return dmt_import_part(line, '\t');
	while (end < line->len && (inside || line->bytes[end] != ',')) {
		inside ^= line->bytes[end] == '"';
		end++;
	}
	const struct dmtrace_text cell = { line->bytes, end };
	*line = end == line->len ? (struct dmtrace_text){ NULL, 0 } :
	    dmt_text_after(*line, end + 1);
	return cell;
}

static bool
read_columns(struct rows_import *self, struct dmtrace_text line, bool csv)
{
	bool has[FIELDS + 1] = { false };
	char name[32];

	while (line.bytes != NULL) {
		const struct dmtrace_text cell = take_cell(&line, csv);
		const size_t len = cell.len > sizeof(name) ? 0 :
		    unquote_csv(name, cell);
		const enum field field =
		    find_column((struct dmtrace_text){ name, len });

		if (self->column_count == COLUMNS_MAX)
			return dmt_import_fail(self->import,
			    "more than %d columns", COLUMNS_MAX);
		self->columns[self->column_count++] =
		    has[field] ? FIELDS : field;
		has[field] = true;
	}
	if (has[FIELD_THREAD] && has[FIELD_ACTION] &&
	    (has[FIELD_TIME] || has[FIELD_CPU]) &&
	    (has[FIELD_ID] || has[FIELD_NAME]))
		return true;
	return dmt_import_fail(self->import, "the first line does not name "
	    "the columns thread, action, time_ns or cpu_ns, and id or name");
}

static bool
read_cells(struct rows_import *self, struct dmtrace_text line, bool csv)
{
	size_t count = 0;

	for (; line.bytes != NULL; count++) {
		const struct dmtrace_text cell = take_cell(&line, csv);
		const enum field field = count < self->column_count ?
		    self->columns[count] : FIELDS;

		if (field == FIELDS)
			continue;
		char *const out = begin_cell(self, field, cell.len);
		if (out == NULL)
			return false;
		end_cell(self, field, csv ? unquote_csv(out, cell) :
		    unescape_tsv(out, cell));
	}
	return count == self->column_count || dmt_import_fail(self->import,
	    "%zu columns, the first line names %zu", count,
	    self->column_count);
}

/* Reads the members of an object that began. */
static bool
read_members(struct rows_import *self)
{
	struct dmt_json *const json = self->json;
	enum dmt_json_token token;

	while ((token = dmt_json_next(json)) == DMT_JSON_NAME) {
		const enum field field = find_column(
		    (struct dmtrace_text){ json->text, json->len });

		token = dmt_json_next(json);
		if (token == DMT_JSON_OBJECT || token == DMT_JSON_ARRAY)
			return fail_row_plainly(self,
			    "a member that is an object or an array");
		if (field == FIELDS || (token != DMT_JSON_STRING &&
		    token != DMT_JSON_INTEGER && token != DMT_JSON_REAL))
			continue;
		char *const out = begin_cell(self, field, json->len);
		if (out == NULL)
			return false;
		memcpy(out, json->text, json->len);
		end_cell(self, field, json->len);
	}
	return token == DMT_JSON_OBJECT_END;
}

/* Sets the id of a method: a number, in hexadecimal after "0x". false: it is
 * none. */
static bool
read_method_id(struct dmtrace_text cell, uint64_t *id)
{
	const bool hex = dmt_text_begins(cell, "0x");
	const unsigned base = hex ? 16 : 10;

	*id = 0;
	for (size_t i = hex ? 2 : 0; i < cell.len; i++) {
		const char digit = (char)tolower((unsigned char)cell.bytes[i]);
		const unsigned value = isdigit((unsigned char)digit) ?
		    (unsigned)(digit - '0') :
		    isxdigit((unsigned char)digit) ?
		    (unsigned)(digit - 'a') + 10 : base;

		if (value >= base || *id > (UINT64_MAX - value) / base)
			return false;
		*id = *id * base + value;
	}
	return cell.len > (hex ? 2u : 0u);
}

/* Sets the times of the step. That of one clock alone is its time. */
static bool
read_times(struct rows_import *self, struct dmt_import_step *step)
{
	struct dmt_import *const import = self->import;
	const bool has_time = self->row.cells[FIELD_TIME].present;
	const bool has_cpu = self->row.cells[FIELD_CPU].present;

	if (!has_time && !has_cpu)
		return fail_row_plainly(self,
		    "an event without time_ns and cpu_ns");
	if (self->begun && has_time != self->has_time)
		return fail_row_plainly(self, has_time ?
		    "an event with a time_ns, after others without" :
		    "an event without a time_ns, after others with one");
	if (has_time && !dmt_import_time(cell_of(self, FIELD_TIME), 1,
	    &step->time_ns))
		return fail_row(self, "a time that is not a number: ",
		    cell_of(self, FIELD_TIME));
	if (has_cpu && !dmt_import_time(cell_of(self, FIELD_CPU), 1,
	    &step->cpu_ns))
		return fail_row(self, "a time that is not a number: ",
		    cell_of(self, FIELD_CPU));
	if (!has_time) {
		step->time_ns = step->cpu_ns;
		step->cpu_ns = DMT_NO_CPU;
	}
	self->begun = true;
	self->has_time = has_time;
	import->cpu_only = !has_time;
	if (step->cpu_ns == DMT_NO_CPU)
		import->lacks_cpu = true;
	else
		import->has_cpu = true;
	return true;
}

/* Returns the last times of a thread; NULL: no memory, which is in error. */
static struct row_thread *
get_row_thread(struct rows_import *self, uint32_t index)
{
	struct row_thread *const threads = dmt_array_grow(self->threads,
	    &self->thread_capacity, index + (size_t)1, sizeof(*threads));
	bool fine = threads != NULL;

	self->threads = fine ? threads : self->threads;
	while (fine && self->thread_count <= index) {
		fine = dmt_callstacks_reserve(&self->stacks,
		    self->thread_count + 1) &&
		    dmt_callstack_begin(&self->stacks,
		    &self->stacks.items[self->thread_count]);
		threads[self->thread_count] =
		    (struct row_thread){ INT64_MIN, INT64_MIN };
		self->thread_count += fine;
	}
	if (fine)
		return &threads[index];
	dmt_error_memory(&self->import->error);
	return NULL;
}

static void
raise_time(struct rows_import *self, int64_t *last_ns, int64_t *ns)
{
	if (*ns < *last_ns) {
		*ns = *last_ns;
		self->import->result.raised++;
	}
	*last_ns = *ns;
}

/* Adds the event. Times that go back in a thread become the one before, calls
 * inside one that ends get exits, and an exit of a call that is not open, while
 * others are, is left out: all of this is an error for validate. */
static bool
put_valid(struct rows_import *self, struct dmt_import_step *event)
{
	struct dmt_import *const import = self->import;
	struct row_thread *const thread = get_row_thread(self, event->thread);
	struct dmt_step step;

	if (thread == NULL)
		return false;
	struct dmt_callstack *const stack =
	    &self->stacks.items[event->thread];
	const enum dmtrace_status status = dmt_callstack_step(&self->stacks,
	    stack, event->method, event->action, &step);
	if (status != DMTRACE_OK) {
		dmt_callstack_fail(&self->stacks, stack, status,
		    event->thread, 0, &import->error);
		return false;
	}
	if (step.kind == DMT_STEP_STRAY) {
		import->result.strays++;
		return true;
	}
	raise_time(self, &thread->time_ns, &event->time_ns);
	if (event->cpu_ns != DMT_NO_CPU)
		raise_time(self, &thread->cpu_ns, &event->cpu_ns);
	const uint32_t dropped =
	    step.kind == DMT_STEP_UNWOUND ? step.dropped : 0;
	for (uint32_t i = dropped; i > 0; i--) {
		const struct dmt_call_frame *const frame = dmt_frame_at(
		    &self->stacks, stack, step.depth + i);
		struct dmt_import_step exit = *event;

		exit.method = frame->method;
		exit.action = DMTRACE_EXIT;
		import->result.unwound++;
		if (!dmt_import_put(import, &exit))
			return false;
	}
	import->result.calls += step.kind == DMT_STEP_ENTERED;
	return dmt_import_put(import, event);
}

/* Makes an event of the row. */
static bool
put_row_event(struct rows_import *self)
{
	struct dmt_import *const import = self->import;
	const struct dmtrace_text thread = cell_of(self, FIELD_THREAD);
	const struct dmtrace_text thread_name =
	    cell_of(self, FIELD_THREAD_NAME);
	const struct dmtrace_text action = cell_of(self, FIELD_ACTION);
	const struct dmtrace_text id_cell = cell_of(self, FIELD_ID);
	struct dmt_import_step step = { .cpu_ns = DMT_NO_CPU };
	uint64_t id = DMT_NO_ID;

	if (dmt_text_is(action, "enter"))
		step.action = DMTRACE_ENTER;
	else if (dmt_text_is(action, "exit"))
		step.action = DMTRACE_EXIT;
	else if (dmt_text_is(action, "unroll"))
		step.action = DMTRACE_UNROLL;
	else if (!dmt_text_is(action, "reserved") &&
	    !dmt_text_is(action, "log"))
		return fail_row(self, "an action that is neither enter nor "
		    "exit nor unroll: ", action);
	else {
		dmt_import_drop(import, dmt_text_is(action, "log") ?
		    "events with the action log" :
		    "events with the action reserved", 1);
		return true;
	}
	if (id_cell.len == 0 && !self->row.cells[FIELD_NAME].present)
		return fail_row_plainly(self, "an event without id and name");
	if (thread.len == 0)
		return fail_row_plainly(self, "an event without a thread");
	if (id_cell.len > 0 && !read_method_id(id_cell, &id))
		return fail_row(self, "an id that is not a number: ", id_cell);
	if (!read_times(self, &step))
		return false;
	/* Rows that dump did not write may have the class in the name. */
	step.method = id == DMT_NO_ID && !self->row.cells[FIELD_CLASS].present ?
	    dmt_import_method_find(import, cell_of(self, FIELD_NAME),
	    cell_of(self, FIELD_SIGNATURE)) :
	    dmt_import_method_split(import, id, cell_of(self, FIELD_CLASS),
	    cell_of(self, FIELD_NAME), cell_of(self, FIELD_SIGNATURE));
	if (step.method == DMT_NO_NAME)
		return false;
	step.thread = dmt_import_thread_named(import,
	    (struct dmtrace_text){ "", 0 }, thread);
	if (step.thread == DMT_NO_NAME || (thread_name.len > 0 &&
	    import->threads[step.thread].name.len == 0 &&
	    !dmt_import_name(import, &import->threads[step.thread].name,
	    thread_name)))
		return false;
	return put_valid(self, &step);
}

static void
clear_row(struct row *row)
{
	row->len = 0;
	memset(row->cells, 0, sizeof(row->cells));
}

static void
fini_rows(struct rows_import *self)
{
	dmt_callstacks_fini(&self->stacks);
	free(self->threads);
	free(self->row.bytes);
}

static enum dmtrace_status
read_row_lines(struct dmt_import *import, bool csv)
{
	struct rows_import self = { .import = import };
	struct dmtrace_text line;
	bool fine = true;

	dmt_callstacks_init(&self.stacks, sizeof(struct dmt_call_frame));
	while (fine && dmt_import_line(import, csv, &line)) {
		if (line.len == 0)
			continue;
		clear_row(&self.row);
		fine = self.column_count == 0 ?
		    read_columns(&self, line, csv) :
		    read_cells(&self, line, csv) && put_row_event(&self);
	}
	if (self.column_count == 0 && import->error.status == DMTRACE_OK)
		dmt_import_fail(import, "no line with names of columns");
	fini_rows(&self);
	return import->error.status;
}

static enum dmtrace_status
read_tsv(struct dmt_import *import)
{
	return read_row_lines(import, false);
}

static enum dmtrace_status
read_csv(struct dmt_import *import)
{
	return read_row_lines(import, true);
}

static enum dmtrace_status
read_jsonl(struct dmt_import *import)
{
	struct dmt_json json = { .input = &import->input };
	struct rows_import self = { .import = import, .json = &json };
	enum dmt_json_token token;
	uint64_t count = 0;
	bool fine = true;

	dmt_callstacks_init(&self.stacks, sizeof(struct dmt_call_frame));
	while (fine && (token = dmt_json_next(&json)) != DMT_JSON_END) {
		const uint64_t begin = json.at;

		clear_row(&self.row);
		fine = token == DMT_JSON_OBJECT ?
		    read_members(&self) && put_row_event(&self) :
		    fail_row_plainly(&self, "a value that is not an object");
		if (json.error.status == DMTRACE_ERR_TRUNCATED && count > 0) {
			json.error = (struct dmtrace_error){ 0 };
			dmt_import_cut(import, begin);
			break;
		}
		if (fine && ++count % 1024 == 0)
			fine = dmt_import_progress(import);
	}
	if (import->error.status == DMTRACE_OK)
		import->error = json.error;
	dmt_json_fini(&json);
	fini_rows(&self);
	return import->error.status;
}

/* Do the bytes begin with a line of column names, or with an object that has
 * them? */
static bool
names_columns(const uint8_t *bytes, size_t len, char separator)
{
	struct dmtrace_text line = { (const char *)bytes, 0 };
	bool has_thread = false, has_action = false;

	while (line.len < len && bytes[line.len] != '\n' &&
	    bytes[line.len] != '\r')
		line.len++;
	while (line.bytes != NULL) {
		const struct dmtrace_text cell =
		    take_cell(&line, separator == ',');

		has_thread |= dmt_text_is(cell, "thread") ||
		    dmt_text_is(cell, "\"thread\"");
		has_action |= dmt_text_is(cell, "action") ||
		    dmt_text_is(cell, "\"action\"");
	}
	return has_thread && has_action;
}

static bool
recognises_tsv(const uint8_t *bytes, size_t len)
{
	return names_columns(bytes, len, '\t');
}

static bool
recognises_csv(const uint8_t *bytes, size_t len)
{
	return names_columns(bytes, len, ',');
}

static bool
recognises_jsonl(const uint8_t *bytes, size_t len)
{
	struct dmt_input input;
	struct dmt_json json = { .input = &input };
	enum dmt_json_token token;
	bool has_thread = false, has_action = false;

	dmt_input_open_memory(&input, bytes, len);
	token = dmt_json_next(&json);
	for (int i = 0; token == DMT_JSON_OBJECT && i < 64 &&
	    dmt_json_next(&json) == DMT_JSON_NAME; i++) {
		has_thread |= strcmp(json.text, "thread") == 0;
		has_action |= strcmp(json.text, "action") == 0;
		token = dmt_json_next(&json);
		token = token == DMT_JSON_OBJECT || token == DMT_JSON_ARRAY ?
		    DMT_JSON_END : DMT_JSON_OBJECT;
	}
	dmt_json_fini(&json);
	dmt_input_fini(&input);
	return has_thread && has_action;
}

const struct dmt_import_row dmt_import_tsv = {
	.recognises = recognises_tsv, .read = read_tsv, .as_is = true
};

const struct dmt_import_row dmt_import_csv = {
	.recognises = recognises_csv, .read = read_csv, .as_is = true
};

const struct dmt_import_row dmt_import_jsonl = {
	.recognises = recognises_jsonl, .read = read_jsonl, .as_is = true
};
