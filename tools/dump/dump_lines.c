/* dump_lines.c - prints records as lines of text, TSV, CSV or JSON */

/*
 * Most of a line only depends on its thread and its method: numbers, padding,
 * escaped names, and the separators around them. These labels are made when a
 * thread or method first occurs, one after the other in a single text, and
 * found by index in two arrays. A line is then copied from its labels; only
 * times and depth are converted each time. Memory is needed for the names that
 * occur in events.
 */

#include "dump/dump_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/method_name.h"
#include "cli/msg.h"
#include "private/key.h"
#include "private/put.h"
#include "private/select.h"
#include "private/tables.h"
#include "private/trace.h"

#define NARROW 100		/* columns of a terminal on which ... */
#define NAME_WIDTH_NARROW 8	/* ... names of threads are cut to these */
#define NAME_MIN 20		/* columns that names of methods have */
#define DEPTH_ROOM 8		/* of a depth as a number */
#define INDENT_MAX 64		/* columns; then the depth is a number */
#define NAME_WIDTH_MAX 15	/* as much as Linux stores of a thread's name */
#define NAMES_ROOM 3072		/* longer tails are written separately */
#define LINE_ROOM (NAMES_ROOM + 1024)
#define HEADING_MIN 6		/* width of "thread" */
#define CPU_WIDTH 13		/* of CPU time, with a preceding blank */
#define HEAD_USUAL 40		/* bytes that are copied at once */
#define TAIL_USUAL 128

/* The cells of a row: indexes of columns. */
enum cell {
	CELL_THREAD, CELL_ACTION, CELL_ID, CELL_CPU, CELL_WALL, CELL_DEPTH,
	CELL_CLASS, CELL_NAME, CELL_SIGNATURE, CELL_THREAD_NAME
};

#define EVENT_COLUMNS \
	"thread", "action", "id", "cpu_ns", "wall_ns", "depth", "class", \
	"name", "signature", "thread_name"

static const char *const event_columns[] = { EVENT_COLUMNS, NULL };

/* The last two are those of entries. */
static const char *const log_columns[] =
    { EVENT_COLUMNS, "tag_name", "value", NULL };

/* Adds padding, as put_label_part may read beyond the end of the last label. */
static void
pad_labels(struct dump_lines *lines)
{
	static const char padding[TAIL_USUAL];
	struct dmt_output *const bytes = &lines->labels.buffer;
	const size_t len = bytes->len;

	dmt_output_write(bytes, padding, sizeof(padding));
	dmt_output_truncate(bytes, len);
}

/* Writes the first columns of a thread's name, at most so many, escaped.
 * Returns the bytes; *columns is their number of columns. */
static size_t
cut_name(char *out, const struct dmtrace_text *name, int most, int *columns)
{
	const size_t looked_at = NAME_WIDTH_MAX * 4;
	char escaped[NAME_WIDTH_MAX * 4 * ESCAPE_GROWTH + 2];
	const size_t escaped_len = (size_t)(escape_plain(escaped,
	    name->len == 0 ? "" : name->bytes,
	    name->len < looked_at ? name->len : looked_at) - escaped);
	size_t len = 0;

	/* A column is a character of UTF-8. */
	for (*columns = 0; len < escaped_len && *columns < most; ++*columns)
		do
			len++;
		while (len < escaped_len &&
		    ((unsigned char)escaped[len] & 0xc0) == 0x80);
	memcpy(out, escaped, len);
	return len;
}

static void
put_thread_column(const struct dump_lines *lines, struct dmt_output *bytes,
    uint32_t number, const struct dmtrace_thread *thread)
{
	char name[NAME_WIDTH_MAX * 4];
	int columns = 0;

	dmt_put_format(bytes, "  %*" PRIu32 " ", lines->number_width, number);
	if (thread != NULL)
		dmt_output_write(bytes, name,
		    cut_name(name, &thread->name, lines->name_max, &columns));
	if (columns < lines->name_width)
		dmt_put_format(bytes, "%*s", lines->name_width - columns, "");
}

static void
make_thread_label(struct dump_lines *lines, struct label *label,
    uint32_t number)
{
	const struct dmtrace_thread *const thread =
	    dmt_key_thread_match(lines->key, lines->layout, number);
	struct table *const labels = &lines->labels;
	struct dmt_output *const bytes = &labels->buffer;

	label->at = bytes->len;
	if (lines->form == FORM_TEXT) {
		put_thread_column(lines, bytes, number, thread);
		label->head_len = (uint32_t)(bytes->len - label->at);
		label->tail_len = 0;
	} else {
		table_at(labels, CELL_THREAD);
		table_number(labels, number);
		label->head_len = (uint32_t)(bytes->len - label->at);
		table_at(labels, CELL_THREAD_NAME);
		table_name(labels, thread == NULL ?
		    (struct dmtrace_text){ "", 0 } : thread->name);
		if (lines->has_log)
			table_absent(labels, 2);
		table_end_row(labels);
		label->tail_len = (uint32_t)(bytes->len - label->at -
		    label->head_len);
	}
	pad_labels(lines);
}

void
dump_put_method_name(struct dmt_output *buffer,
    const struct dmtrace_source *source, const struct dmtrace_row *row,
    bool bare)
{
	const struct dmtrace_method *const method = dmt_source_method(source,
	    row->method_index, row->event.method);
	struct method_name shown = { .listed = method != NULL, .bare = bare };
	char number[24];

	if (method != NULL)
		shown = (struct method_name){
			method->class_name, method->name, method->signature,
			.listed = 1, .bare = bare
		};
	if (shown.name.len == 0)
		shown.name = (struct dmtrace_text){ number, (size_t)snprintf(
		    number, sizeof(number), "0x%" PRIx64,
		    row->event.method) };
	method_name_put(buffer, &shown);
}

static void
make_method_label(struct dump_lines *lines, struct label *label,
    const struct dmtrace_row *row)
{
	static const struct dmtrace_method nameless;
	const uint64_t id = row->event.method;
	const struct dmtrace_method *method =
	    dmt_source_method(lines->source, row->method_index, id);
	struct table *const labels = &lines->labels;
	struct dmt_output *const bytes = &labels->buffer;
	char number[24];

	label->at = bytes->len;
	if (lines->form == FORM_TEXT) {
		label->head_len = 0;
		dump_put_method_name(bytes, lines->source, row, false);
		dmt_put(bytes, "\n");
	} else {
		/* Other forms have the id in a separate column. */
		snprintf(number, sizeof(number), "0x%" PRIx64, id);
		table_at(labels, CELL_ID);
		table_string(labels, number);
		table_begin_cell(labels);
		label->head_len = (uint32_t)(bytes->len - label->at);
		method = method == NULL ? &nameless : method;
		table_at(labels, CELL_CLASS);
		table_name(labels, method->class_name);
		table_name(labels, method->name);
		table_name(labels, method->signature);
	}
	label->tail_len =
	    (uint32_t)(bytes->len - label->at - label->head_len);
	pad_labels(lines);
}

static struct mark
make_mark(const char *string)
{
	struct mark mark;

	mark.len = (size_t)snprintf(mark.bytes, sizeof(mark.bytes), "%s",
	    string);
	return mark;
}

/* Makes what was added to the labels a mark. */
static struct mark
take_mark(struct table *labels)
{
	dmt_output_write(&labels->buffer, "", 1);
	const struct mark mark = make_mark(dmt_output_failed(
	    &labels->buffer) ? "" : labels->buffer.bytes);
	dmt_output_clear(&labels->buffer);
	return mark;
}

static char *
put_mark(char *out, const struct mark *mark)
{
	memcpy(out, mark->bytes, MARK_MAX);
	return out + mark->len;
}

void
dump_lines_init(struct dump_lines *lines, enum form form,
    struct dmtrace_source *source, const struct dmtrace_key *key,
    const struct dmt_layout *layout, bool has_log, size_t columns)
{
	const enum dmtrace_clock clock = dmt_layout_clock(layout);
	const bool is_text = form == FORM_TEXT;
	struct table *const labels = &lines->labels;

	*lines = (struct dump_lines){
		.form = form,
		.labels = { .form = form, .columns = has_log && !is_text ?
		    log_columns : event_columns },
		.source = source, .key = key,
		.layout = layout,
		.has_cpu = clock != DMTRACE_CLOCK_WALL,
		.has_wall = clock != DMTRACE_CLOCK_THREAD_CPU,
		.has_log = has_log && !is_text,
		.name_max = columns > 0 && columns < NARROW ?
		    NAME_WIDTH_NARROW : NAME_WIDTH_MAX
	};
	dmt_attach(source, &lines->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*lines->threads) });
	dmt_attach(source, &lines->methods, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .item_size = sizeof(*lines->methods) });
	for (unsigned i = 0; i < 4; i++) {
		const char *const name = dmtrace_action_name(
		    (enum dmtrace_action)i);

		table_at(labels, CELL_ACTION);
		if (is_text)
			dmt_put_format(&labels->buffer, "  %-9s", name);
		else
			table_string(labels, name);
		lines->actions[i] = take_mark(labels);
	}
	lines->absent = make_mark(is_text ? "            " :
	    table_absent_value(labels));
	if (!is_text) {
		lines->between = make_mark(table_between_rows(labels));
		table_at(labels, CELL_WALL);
		table_begin_cell(labels);
		lines->wall = take_mark(labels);
		table_at(labels, CELL_DEPTH);
		table_begin_cell(labels);
		lines->depth = take_mark(labels);
	}

	/* Find the widest number and name of the key's threads. */
	for (size_t i = 0; i < dmtrace_key_thread_count(key); i++) {
		const struct dmtrace_thread *const thread =
		    dmtrace_key_thread_get(key, i);
		const int digits = snprintf(NULL, 0, "%" PRIu32, thread->id);
		char name[NAME_WIDTH_MAX * 4];
		int width;

		cut_name(name, &thread->name, lines->name_max, &width);
		if (digits > lines->number_width)
			lines->number_width = digits;
		if (width > lines->name_width)
			lines->name_width = width;
	}
	if (lines->number_width + 1 + lines->name_width < HEADING_MIN)
		lines->name_width = HEADING_MIN - 1 - lines->number_width;
}

void
dump_lines_widen(struct dump_lines *lines)
{
	const int number_width = 5;	/* of usual ids */

	if (lines->number_width < number_width)
		lines->number_width = number_width;
	lines->name_width = lines->name_max;
}

void
dump_lines_rename(struct dump_lines *lines)
{
	for (size_t i = 0; i < dmt_index_count(lines->source, DMT_BY_THREAD);
	    i++)
		lines->threads[i].head_len = 0;
}

bool
dump_put_heading(struct out *out, const struct dmtrace_reader *reader,
    const struct dmtrace_thread *only, bool calls, bool by_time)
{
	const enum dmtrace_clock clock =
	    dmt_layout_clock(dmt_reader_layout(reader));
	struct dmt_output buffer = { 0 };

	if (only != NULL) {
		dmt_put_format(&buffer, "thread %" PRIu32 " ", only->id);
		escape_put(&buffer, escape_plain, only->name.bytes,
		    only->name.len);
		dmt_put(&buffer, ", ");
	}
	dmt_put(&buffer, clock == DMTRACE_CLOCK_DUAL && !calls ?
	    "wall and CPU time" : clock == DMTRACE_CLOCK_THREAD_CPU ?
	    "CPU time" : "wall time");
	dmt_put(&buffer, by_time ? ", ordered by time\n" :
	    dmt_reader_is_sortable(reader) ? ", in file order\n" :
	    ", in file order: threads have no time in common\n");
	const bool fine = !dmt_output_failed(&buffer);
	if (fine)
		out_put(out, buffer.bytes, buffer.len);
	else
		msg_memory();
	dmt_output_fini(&buffer);
	return fine;
}

/* Prints what was added to the labels. false: no memory for it. */
static bool
print_added(struct dump_lines *lines, struct out *out, size_t begin)
{
	struct dmt_output *const bytes = &lines->labels.buffer;

	if (dmt_output_failed(bytes))
		return false;
	out_put(out, bytes->bytes + begin, bytes->len - begin);
	dmt_output_truncate(bytes, begin);
	return true;
}

bool
dump_lines_put_names(struct dump_lines *lines, struct out *out)
{
	struct table *const labels = &lines->labels;
	const size_t begin = labels->buffer.len;

	if (lines->form == FORM_TEXT)
		dmt_put_format(&labels->buffer, "%s%s%s  %-*s  %-9s %s\n",
		    lines->has_wall ? "      wall s" : "",
		    lines->has_wall && lines->has_cpu ? " " : "",
		    lines->has_cpu ? "       CPU s" : "",
		    lines->number_width + 1 + lines->name_width, "thread",
		    "action", "method");
	else
		table_set_columns(labels, labels->columns);
	return print_added(lines, out, begin);
}

/*
 * Copies a part of a label. If it has no more than usual bytes, usual bytes
 * are copied, which both places must have: a copy of constant size takes half
 * the time, and the length of a name is hard to predict.
 */
static inline char *
put_label_part(char *out, const char *part, size_t len, size_t usual)
{
	if (len <= usual)
		memcpy(out, part, usual);
	else
		memcpy(out, part, len);
	return out + len;
}

static inline char *
put_label_head(char *at, const struct dump_lines *lines,
    const struct label *label)
{
	return put_label_part(at, lines->labels.buffer.bytes + label->at,
	    label->head_len, HEAD_USUAL);
}

static inline void
put_label_tail(struct out *out, const struct dump_lines *lines,
    const struct label *label)
{
	const char *const tail = lines->labels.buffer.bytes + label->at +
	    label->head_len;

	if (label->tail_len > NAMES_ROOM)
		out_put(out, tail, label->tail_len);
	else if (out_room(out, LINE_ROOM) != NULL)
		out->at = put_label_part(out->at, tail, label->tail_len,
		    TAIL_USUAL);
}

static char *
put_line_time(char *at, const struct dump_lines *lines, uint64_t ns)
{
	return ns == DMTRACE_NO_TIME ? put_mark(at, &lines->absent) :
	    dmt_put_uint(at, ns);
}

/* Writes the cells of a line whose names were formatted before. */
static char *
put_line_cells_fast(char *at, struct dump_lines *lines,
    const struct dmtrace_event *event, uint32_t depth,
    const struct label *thread, const struct label *method)
{
	if (lines->has_rows)
		at = put_mark(at, &lines->between);
	lines->has_rows = true;
	at = put_label_head(at, lines, thread);
	at = put_mark(at, &lines->actions[event->action]);
	at = put_label_head(at, lines, method);
	at = put_line_time(at, lines, event->cpu_ns);
	at = put_mark(at, &lines->wall);
	at = put_line_time(at, lines, event->wall_ns);
	at = put_mark(at, &lines->depth);
	return dmt_put_uint(at, depth);
}

/* The same in columns, for people. On a terminal of that many columns, names
 * keep some space. */
static char *
put_text_columns(char *at, struct dump_lines *lines, size_t columns,
    const struct dmtrace_event *event,
    uint32_t depth, const struct label *thread)
{
	const char *const begin = at;

	if (lines->has_wall)
		at = decimal_put_seconds(at, event->wall_ns);
	if (lines->has_wall && lines->has_cpu)
		*at++ = ' ';
	if (lines->has_cpu && event->cpu_ns == DMTRACE_NO_TIME)
		at = put_mark(at, &lines->absent);
	else if (lines->has_cpu)
		at = decimal_put_seconds(at, event->cpu_ns);
	at = put_label_head(at, lines, thread);
	at = put_mark(at, &lines->actions[event->action]);
	memset(at, ' ', INDENT_MAX);
	if (columns == 0 && depth <= INDENT_MAX)
		return at + depth;
	const size_t used = (size_t)(at - begin) + DEPTH_ROOM + NAME_MIN;
	const size_t most = columns == 0 ? INDENT_MAX : columns < used ? 0 :
	    columns - used < INDENT_MAX ? columns - used : INDENT_MAX;
	if (depth <= most)
		return at + depth;
	at[most] = '[';
	at = dmt_put_uint(at + most + 1, depth);
	memcpy(at, "] ", 2);
	return at + 2;
}

/* Writes the end of a line on a terminal, with the name shortened to its
 * width. */
static bool
put_cut_tail(struct out *out, char *at, const char *tail, size_t tail_len)
{
	const size_t used = (size_t)(at - out->at);
	struct dmt_output name = { 0 };

	dmt_output_write(&name, tail, tail_len - 1);
	column_shorten(&name, 0, out->columns > used + NAME_MIN ?
	    out->columns - used : NAME_MIN);
	dmt_put(&name, "\n");
	out->at = at;
	if (!dmt_output_failed(&name))
		out_put(out, name.bytes, name.len);
	dmt_output_fini(&name);
	return !dmt_output_failed(&name);
}

bool
dump_lines_put(struct dump_lines *lines, struct out *out,
    const struct dmtrace_row *row)
{
	const struct dmtrace_event *const event = &row->event;

	struct label *const thread = &lines->threads[row->thread_index];
	struct label *const method = &lines->methods[row->method_index];
	if (thread->head_len == 0)
		make_thread_label(lines, thread, event->thread);
	if (method->tail_len == 0)
		make_method_label(lines, method, row);
	if (dmt_output_failed(&lines->labels.buffer))
		return false;

	char *at = out_room(out, LINE_ROOM);
	if (at == NULL)
		return true;
	at = lines->form == FORM_TEXT ?
	    put_text_columns(at, lines, out->columns, event, row->depth,
	    thread) :
	    put_line_cells_fast(at, lines, event, row->depth, thread, method);
	if (out->columns > 0 && lines->form == FORM_TEXT)
		return put_cut_tail(out, at, lines->labels.buffer.bytes +
		    method->at + method->head_len, method->tail_len);
	out->at = at;
	put_label_tail(out, lines, method);
	if (lines->form != FORM_TEXT)
		put_label_tail(out, lines, thread);
	return true;
}

void
dump_put_entry(struct dmt_output *buffer,
    const struct dmt_export_instant *entry)
{
	escape_put(buffer, escape_plain, entry->name.bytes, entry->name.len);
	if (entry->detail.len > 0)
		dmt_put(buffer, ": ");
	escape_put(buffer, escape_plain, entry->detail.bytes,
	    entry->detail.len);
}

bool
dump_lines_put_entry(struct dump_lines *lines, struct out *out,
    const struct dmt_export_instant *entry, uint64_t time_ns)
{
	const struct dmtrace_thread *const thread =
	    dmtrace_key_thread_find(lines->key, entry->thread);
	struct table row = {
		.form = lines->form, .columns = lines->labels.columns,
		.has_rows = lines->has_rows
	};
	struct dmt_output *const line = &row.buffer;

	if (lines->form == FORM_TEXT) {
		char seconds[DECIMAL_ROOM + 1];

		*decimal_put_seconds(seconds, time_ns) = '\0';
		dmt_put(line, seconds);
		if (lines->has_cpu)
			dmt_put_format(line, "%*s", CPU_WIDTH, "");
		put_thread_column(lines, line, entry->thread, thread);
		dmt_put_format(line, "  %-9s ", "log");
		const size_t begin = line->len;
		dump_put_entry(line, entry);
		if (out->columns > begin)
			column_shorten(line, begin, out->columns - begin);
		dmt_put(line, "\n");
	} else {
		const struct dmtrace_text nameless = { "", 0 };

		table_number(&row, entry->thread);
		table_string(&row, "log");
		table_absent(&row, 2);	/* id and CPU time */
		table_number(&row, time_ns);
		table_number(&row, 0);
		table_absent(&row, 3);	/* the method */
		table_name(&row, thread == NULL ? nameless : thread->name);
		table_name(&row, entry->name);
		table_name(&row, entry->detail);
		table_end_row(&row);
		lines->has_rows = true;
	}
	const bool fine = !dmt_output_failed(line);
	if (fine)
		out_put(out, line->bytes, line->len);
	dmt_output_fini(line);
	return fine;
}

bool
dump_lines_put_end(struct dump_lines *lines, struct out *out)
{
	const size_t begin = lines->labels.buffer.len;

	if (lines->form != FORM_TEXT)
		table_put_end(&lines->labels, lines->has_rows);
	return print_added(lines, out, begin);
}

void
dump_lines_fini(struct dump_lines *lines)
{
	dmt_output_fini(&lines->labels.buffer);
}
