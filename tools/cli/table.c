/* table.c - prints a report of rows and columns in each output form */

#include "cli/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/decimal.h"
#include "cmd.h"
#include "private/status.h"

#define NAME_COLUMNS 32		/* enough for most classes and methods */
#define NAME_COLUMNS_MIN 20	/* on a narrow terminal */

const char *const form_names[] = {
	[FORM_TEXT] = "text",
	[FORM_TSV] = "tsv",
	[FORM_CSV] = "csv",
	[FORM_JSONL] = "jsonl",
	[FORM_JSON] = "json",
	[FORM_JSON + 1] = NULL
};

/* What is written around cells, rows and the document, and how cells are
 * escaped. */
static const struct {
	const char *begin, *separator, *end;	/* of a row */
	const char *between;			/* rows */
	const char *first, *last;		/* of the document; if it has
						   no rows, last + 1 */
	const char *absent;
	escape_fn *escape;
	bool has_names;			/* the first line has the column
					   names */
} forms[] = {
	[FORM_TSV] = { "", "\t", "\n", "", "", "", "", escape_plain, true },
	[FORM_CSV] = { "", ",", "\r\n", "", "", "", "", escape_csv, true },
	[FORM_JSONL] = { "{", ",", "}\n", "", "", "", "null", escape_json,
	    false },
	[FORM_JSON] = { "{", ",", "}", ",\n", "[\n", "\n]\n", "null",
	    escape_json, false },
};

bool
table_open(struct table *table, const char *output)
{
	return out_open(&table->out, output);
}

void
table_at(struct table *table, size_t column)
{
	table->next = column;
	table->has_rows = false;
}

const char *
table_between_rows(const struct table *table)
{
	return forms[table->form].between;
}

const char *
table_absent_value(const struct table *table)
{
	return forms[table->form].absent;
}

void
table_begin_cell(struct table *table)
{
	if (table->next == 0 && table->has_rows)
		dmt_put(&table->buffer, table->nested ? "," :
		    forms[table->form].between);
	table->has_rows = true;
	dmt_put(&table->buffer, table->next == 0 ?
	    forms[table->form].begin : forms[table->form].separator);
	if (form_is_json(table->form))
		dmt_put_format(&table->buffer, "\"%s\":",
		    table->columns[table->next]);
	table->next++;
}

void
table_set_columns(struct table *table, const char *const *columns)
{
	table->columns = columns;
	table->next = 0;
	if (!table_has_rows(table))
		return;
	dmt_put(&table->buffer, forms[table->form].first);
	if (!forms[table->form].has_names)
		return;
	for (size_t i = 0; columns[i] != NULL; i++)
		table_string(table, columns[i]);
	table_end_row(table);
}

void
table_text(struct table *table, const char *bytes, size_t len)
{
	table_begin_cell(table);
	escape_put(&table->buffer, forms[table->form].escape, bytes, len);
}

void
table_string(struct table *table, const char *string)
{
	if (string == NULL)
		table_absent(table, 1);
	else
		table_text(table, string, strlen(string));
}

void
table_name(struct table *table, struct dmtrace_text name)
{
	if (name.len == 0)
		table_absent(table, 1);
	else
		table_text(table, name.bytes, name.len);
}

void
table_number(struct table *table, uint64_t number)
{
	table_begin_cell(table);
	dmt_put_format(&table->buffer, "%" PRIu64, number);
}

void
table_signed(struct table *table, int64_t number)
{
	table_begin_cell(table);
	dmt_put_format(&table->buffer, "%" PRId64, number);
}

void
table_number_if(struct table *table, bool present, uint64_t number)
{
	if (present)
		table_number(table, number);
	else
		table_absent(table, 1);
}

void
table_printf(struct table *table, const char *format, ...)
{
	char number[512];
	va_list args;

	va_start(args, format);
	vsnprintf(number, sizeof(number), format, args);
	va_end(args);
	table_begin_cell(table);
	dmt_put(&table->buffer, number);
}

void
table_truth(struct table *table, bool truth)
{
	table_begin_cell(table);
	dmt_put(&table->buffer, truth ? "true" : "false");
}

void
table_place_cells(struct table *table, enum dmtrace_place place, uint64_t at)
{
	table_number_if(table, place == DMTRACE_PLACE_LINE, at);
	table_number_if(table, place == DMTRACE_PLACE_OFFSET, at);
}

void
table_absent(struct table *table, size_t count)
{
	for (; count > 0; count--) {
		table_begin_cell(table);
		dmt_put(&table->buffer, forms[table->form].absent);
	}
}

struct table
table_nested(const char *const *columns)
{
	return (struct table){
		.form = FORM_JSON, .columns = columns, .nested = true
	};
}

void
table_json(struct table *table, const struct dmt_output *json)
{
	table_begin_cell(table);
	if (dmt_output_failed(json))
		dmt_output_fail_memory(&table->buffer);
	else if (form_is_json(table->form))
		dmt_output_write(&table->buffer, json->bytes, json->len);
	else
		escape_put(&table->buffer, forms[table->form].escape,
		    json->bytes, json->len);
}

static void
put_nested_rows(struct table *table, struct table *nested, const char *begin,
    const char *end)
{
	struct dmt_output json = { 0 };

	dmt_put(&json, begin);
	dmt_put_output(&json, &nested->buffer);
	dmt_put(&json, end);
	table_json(table, &json);
	dmt_output_fini(&json);
	dmt_output_fini(&nested->buffer);
}

void
table_array(struct table *table, struct table *nested)
{
	put_nested_rows(table, nested, "[", "]");
}

void
table_object(struct table *table, struct table *nested)
{
	put_nested_rows(table, nested, "", "");
}

void
table_end_row(struct table *table)
{
	table->next = 0;
	dmt_put(&table->buffer, forms[table->form].end);
}

bool
table_flush(struct table *table)
{
	if (dmt_output_failed(&table->buffer) && !table->lost) {
		msg_memory();
		table->lost = true;
	}
	if (!dmt_output_failed(&table->buffer))
		out_put(&table->out, table->buffer.bytes, table->buffer.len);
	dmt_output_clear(&table->buffer);
	return !table->lost;
}

void
table_begin_part(struct table *table, int fd)
{
	out_redirect(&table->out, fd);
	out_block(&table->out);
	dmt_output_clear(&table->buffer);	/* the other process has it */
	table->has_rows = true;
}

bool
table_end_part(struct table *table)
{
	const bool is_whole = table_flush(table);

	return out_close(&table->out, CMD_OK, true) == CMD_OK && is_whole;
}

void
table_take_part(struct table *table, const char *between, const char *bytes,
    size_t len)
{
	const size_t skip = strlen(table_has_rows(table) ?
	    forms[table->form].between : between);

	table_flush(table);
	for (; !table->has_rows && len > 0 && table->skipped < skip; len--) {
		table->skipped++;
		bytes++;
	}
	out_put(&table->out, bytes, len);
	table->has_rows |= table->skipped == skip;
}

void
table_put_end(struct table *table, bool has_rows)
{
	dmt_put(&table->buffer, forms[table->form].last +
	    (!has_rows && table->form == FORM_JSON));
}

int
table_close(struct table *table, int status)
{
	if (table_has_rows(table) && table->columns != NULL)
		table_put_end(table, table->has_rows);
	else if (table->form == FORM_JSON && table->out.block == NULL)
		dmt_put(&table->buffer, "[\n]\n");
	table_flush(table);
	dmt_output_fini(&table->buffer);
	return out_close(&table->out, table->lost ? CMD_TROUBLE : status,
	    !table->lost);
}

int
table_print(struct table *table, int status)
{
	if (table->printed)
		return status;
	table->printed = true;
	if (status == CMD_TROUBLE) {
		dmt_output_clear(&table->buffer);
		table->columns = NULL;
	}
	return table_open(table, NULL) ? table_close(table, status) :
	    CMD_TROUBLE;
}

void
table_unreadable_text(struct table *table, const char *file,
    const char *message)
{
	struct dmt_output *const buffer = &table->buffer;

	if (!table_shows_errors(table))
		return;
	dmt_put(buffer, "unreadable  ");
	escape_put(buffer, escape_plain, file, strlen(file));
	dmt_put(buffer, ": ");
	escape_put(buffer, escape_message, message, strlen(message));
	dmt_put(buffer, "\n");
}

void
table_use_colours(struct table *table)
{
	table->out.coloured = table->out.terminal &&
	    table->form == FORM_TEXT && msg_may_colour();
}

const char *
table_colour_text(const struct table *table, char *out,
    enum table_colour colour)
{
	out[0] = '\0';
	if (table->out.coloured)
		snprintf(out, TABLE_COLOUR_MAX, "\033[%dm", colour);
	return out;
}

void
table_colour(struct table *table, enum table_colour colour)
{
	char text[TABLE_COLOUR_MAX];

	dmt_put(&table->buffer, table_colour_text(table, text, colour));
	table->colour_len += strlen(text);
}

/* Returns true for the first byte of a UTF-8 character, which takes a
 * column. */
static bool
begins_column(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

static size_t
count_columns(const struct dmt_output *buffer, size_t begin, size_t end)
{
	size_t columns = 0;

	for (size_t i = begin; i < end; i++)
		columns += begins_column(buffer->bytes[i]);
	return columns;
}

size_t
column_width(const struct dmt_output *buffer, size_t begin)
{
	return dmt_output_failed(buffer) ? 0 :
	    count_columns(buffer, begin, buffer->len);
}

/* The end of a name is more informative than its beginning, and both more than
 * the signature. */
void
column_shorten(struct dmt_output *buffer, size_t begin, size_t columns)
{
	static const char dots[] = "...";
	const size_t dots_len = sizeof(dots) - 1;

	if (columns <= dots_len || dmt_output_failed(buffer) ||
	    count_columns(buffer, begin, buffer->len) <= columns)
		return;
	const char *const signature = memchr(buffer->bytes + begin, '(',
	    buffer->len - begin);
	if (signature != NULL && signature > buffer->bytes + begin) {
		const size_t end = (size_t)(signature - buffer->bytes);
		size_t used = count_columns(buffer, begin, end);
		size_t kept = end;

		if (used + dots_len <= columns) {
			while (used < columns - dots_len)
				used += begins_column(buffer->bytes[++kept]);
			memcpy(buffer->bytes + kept, dots, dots_len);
			kept += dots_len;
		}
		dmt_output_truncate(buffer, kept);
		if (used <= columns)
			return;
	}
	size_t kept = buffer->len;
	for (size_t left = columns - dots_len; left > 0; )
		left -= begins_column(buffer->bytes[--kept]);
	memcpy(buffer->bytes + begin, dots, dots_len);
	memmove(buffer->bytes + begin + dots_len, buffer->bytes + kept,
	    buffer->len - kept);
	dmt_output_truncate(buffer,
	    buffer->len - (kept - begin - dots_len));
}

void
column_shorten_more(struct dmt_output *buffer, size_t begin, size_t columns)
{
	static const char dots[] = "…";
	const size_t dots_len = sizeof(dots) - 1;

	if (columns < 2 || column_width(buffer, begin) <= columns)
		return;
	char *const bytes = buffer->bytes;
	size_t kept = buffer->len;
	for (size_t left = columns - 1; left > 0; )
		left -= begins_column(bytes[--kept]);
	/* One column of dots is more bytes than a column of the name may be. */
	while (kept < buffer->len && (kept - begin < dots_len ||
	    !begins_column(bytes[kept])))
		kept++;
	memmove(bytes + begin + dots_len, bytes + kept, buffer->len - kept);
	memcpy(bytes + begin, dots, dots_len);
	dmt_output_truncate(buffer, buffer->len - (kept - begin - dots_len));
}

bool
table_has_room(const struct table *table, size_t columns)
{
	return table->out.columns == 0 ||
	    columns + NAME_COLUMNS <= table->out.columns;
}

void
table_end_line(struct table *table, size_t line, size_t name)
{
	const size_t columns = table->out.columns;
	const size_t used = name - line - table->colour_len;

	table->colour_len = 0;
	if (columns > 0)
		column_shorten(&table->buffer, name, columns > used +
		    NAME_COLUMNS_MIN ? columns - used : NAME_COLUMNS_MIN);
	dmt_put(&table->buffer, "\n");
}

void
column_blank(struct dmt_output *buffer, size_t width)
{
	static const char blanks[] = "                                ";
	const size_t most = sizeof(blanks) - 1;

	for (; width > most; width -= most)
		dmt_output_write(buffer, blanks, most);
	dmt_output_write(buffer, blanks, width);
}

void
column_string(struct dmt_output *buffer, size_t width, const char *cell)
{
	const size_t len = strlen(cell);

	column_blank(buffer, len < width ? width - len : 1);
	dmt_output_write(buffer, cell, len);
}

void
column_count(struct dmt_output *buffer, size_t width, uint64_t number)
{
	char cell[COUNT_MAX];

	column_string(buffer, width, count_format(cell, number));
}

void
column_time(struct dmt_output *buffer, size_t width, uint64_t ns)
{
	char cell[DURATION_MAX];

	column_string(buffer, width, dmt_time_format(cell, ns));
}

void
column_duration(struct dmt_output *buffer, size_t width, int64_t ns)
{
	char cell[DURATION_MAX];

	column_string(buffer, width, duration_round(cell, ns));
}

void
column_share(struct dmt_output *buffer, size_t width, int64_t part,
    int64_t whole)
{
	char cell[DMT_FIGURE_MAX];

	column_string(buffer, width, dmt_share_format(cell, part, whole));
}
