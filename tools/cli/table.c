/* table.c - the forms of a report, and its cells in those for machines */

#include "cli/table.h"

#include <inttypes.h>
#include <string.h>

const char *const form_words[] = {
	[FORM_TEXT] = "text",
	[FORM_TSV] = "tsv",
	[FORM_CSV] = "csv",
	[FORM_JSON] = "json",
	[FORM_JSON + 1] = NULL
};

/* What stands around the cells, and how they are escaped. */
static const struct {
	const char *begin, *separator, *end, *line_end;
	const char *absent;
	escape_fn *text;
} frames[] = {
	[FORM_TSV] = { "", "\t", "", "\n", "", escape_plain },
	[FORM_CSV] = { "", ",", "", "\r\n", "", escape_csv },
	[FORM_JSON] = { "{", ",", "}", "\n", "null", escape_json },
};

void
row_begin(struct row *row, struct strbuf *buffer, enum form form)
{
	*row = (struct row){ .buffer = buffer, .form = form };
	strbuf_string(buffer, frames[form].begin);
}

static void
begin_cell(struct row *row, const char *name)
{
	if (row->cells++ > 0)
		strbuf_string(row->buffer, frames[row->form].separator);
	if (row->form == FORM_JSON)
		strbuf_printf(row->buffer, "\"%s\":", name);
}

void
row_text(struct row *row, const char *name, const char *bytes, size_t len)
{
	begin_cell(row, name);
	strbuf_text(row->buffer, frames[row->form].text, bytes, len);
}

void
row_string(struct row *row, const char *name, const char *string)
{
	row_text(row, name, string, strlen(string));
}

void
row_number(struct row *row, const char *name, uint64_t number)
{
	begin_cell(row, name);
	strbuf_printf(row->buffer, "%" PRIu64, number);
}

void
row_signed(struct row *row, const char *name, int64_t number)
{
	begin_cell(row, name);
	strbuf_printf(row->buffer, "%" PRId64, number);
}

void
row_absent(struct row *row, const char *name)
{
	begin_cell(row, name);
	strbuf_string(row->buffer, frames[row->form].absent);
}

void
row_json(struct row *row, const char *name, const struct strbuf *json)
{
	begin_cell(row, name);
	if (json->failed)
		row->buffer->failed = true;
	else if (row->form == FORM_JSON)
		strbuf_put(row->buffer, json->bytes, json->len);
	else
		strbuf_text(row->buffer, frames[row->form].text, json->bytes,
		    json->len);
}

void
row_end(struct row *row)
{
	strbuf_string(row->buffer, frames[row->form].end);
}

void
row_line(struct row *row)
{
	row_end(row);
	strbuf_string(row->buffer, frames[row->form].line_end);
}
