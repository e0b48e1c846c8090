/* table.h - the report of a command: rows and columns, in each form */
#ifndef TABLE_H
#define TABLE_H

#include <stdint.h>

#include "cli/msg.h"
#include "cli/opt.h"
#include "cli/out.h"
#include "cli/strbuf.h"

enum form {
	FORM_TEXT,			/* for people; the rest are stable */
	FORM_TSV,
	FORM_CSV,
	FORM_JSON
};

/* The options that go with every report, bound to an unsigned and a
 * const char *. */
#define OPT_FORM(v) \
	OPT_CHOICE('f', "format", "FORM", v, form_names, \
	    "text, tsv, csv or json [text]")
#define OPT_OUTPUT(v) \
	OPT_STRING('o', "output", "FILE", v, "write to FILE")
#define OPT_QUIET(v) \
	OPT_FLAG('q', "quiet", v, "do not print findings on standard error")

extern const char *const form_names[];

/*
 * A report on its way to a file. Set the form, and call table_open. For
 * machines a command sets the columns once, then fills cell after cell and
 * ends each row: what is around the cells, how they are escaped and what an
 * absent one looks like is known here. Text for people is put to the buffer,
 * with the columns below; table_flush sends it on its way.
 */
struct table {
	unsigned form;			/* enum form; more is the command's */
	struct out out;
	struct strbuf buffer;		/* what goes to out next */
	bool lost;			/* it is not whole, which is reported */

	/* Private. */
	const char *const *columns;	/* NULL ends them */
	size_t next;			/* the column of the next cell */
	bool nested;			/* its rows are values of a cell */
	size_t colour_len;		/* bytes of the line that set colours */
};

/* False, which is reported: the output of -o cannot be opened. */
bool
table_open(struct table *table, const char *output);

/* Whether the form has a row for each thing, not lines for people. */
static inline bool
table_has_rows(const struct table *table)
{
	return table->form >= FORM_TSV && table->form <= FORM_JSON;
}

/* Sets the columns, and puts the line of their names if the form has one.
 * columns must live as long as the rows. */
void
table_set_columns(struct table *table, const char *const *columns);

/* Each fills the next cell of the row. */
void
table_text(struct table *table, const char *bytes, size_t len);
void
table_string(struct table *table, const char *string);	/* NULL: absent */
void
table_name(struct table *table, struct dmtrace_text name); /* empty: absent */
void
table_number(struct table *table, uint64_t number);
void
table_signed(struct table *table, int64_t number);
void
table_number_if(struct table *table, bool present, uint64_t number);
void
table_printf(struct table *table, const char *format, ...) /* a number */
    MSG_PRINTF(2, 3);
void
table_truth(struct table *table, bool truth);

/* "line 12", "byte 64", or absent. */
void
table_place(struct table *table, enum dmtrace_place place, uint64_t at);

/* Leaves so many cells empty. */
void
table_absent(struct table *table, size_t count);

/* Fills the next cell with JSON, in every form. */
void
table_json(struct table *table, const struct strbuf *json);

/* Rows for a cell, as JSON objects: fill it like a table, then table_array or
 * table_object makes a cell of table of them, and frees them. */
struct table
table_nested(const char *const *columns);
void
table_array(struct table *table, struct table *nested);
void
table_object(struct table *table, struct table *nested);

/* Ends the row. */
void
table_end_row(struct table *table);

/* Sends the buffer on its way. False, which is reported once: some of the
 * report is lost, for memory. */
bool
table_flush(struct table *table);

/* Ends the report: a file gets its name unless something is lost. Returns
 * status, or CMD_TROUBLE if it could not be written or is not whole. */
int
table_close(struct table *table, int status);

/*
 * Columns of text, right-aligned. Each puts as many bytes as width says or,
 * where these do not hold the cell and a blank before it, more.
 */
void
column_string(struct strbuf *buffer, size_t width, const char *cell);

void
column_blank(struct strbuf *buffer, size_t width);

void
column_count(struct strbuf *buffer, size_t width, uint64_t number);

void
column_duration(struct strbuf *buffer, size_t width, int64_t ns);

void
column_share(struct strbuf *buffer, size_t width, int64_t part, int64_t whole);

/* Whether there is room for a name beside so many columns of figures: always,
 * where the output is no terminal. */
bool
table_has_room(const struct table *table, size_t columns);

/* Text will have colours, if it goes to a terminal that is to have them; its
 * names must be escaped. */
void
table_use_colours(struct table *table);

enum table_colour {
	TABLE_DEFAULT = 0,
	TABLE_RED = 31,
	TABLE_GREEN = 32,
	TABLE_YELLOW = 33
};

/* What sets the colour of the text that follows, into out; "" without colours.
 * Returns out, which has room for TABLE_COLOUR_MAX bytes. */
#define TABLE_COLOUR_MAX 8
const char *
table_colour_text(const struct table *table, char *out,
    enum table_colour colour);

/* Puts that in the buffer. */
void
table_colour(struct table *table, enum table_colour colour);

/* Ends a line of text: where the output is a terminal, the name that ends it is
 * cut to its width. Both say where in the buffer they begin. */
void
table_end_line(struct table *table, size_t line, size_t name);

/* Whether the report says what could not be read. In text on a terminal the
 * message is there already. */
static inline bool
table_shows_errors(const struct table *table)
{
	return table->form != FORM_TEXT || !table->out.terminal;
}

/* "unreadable  FILE: MESSAGE", where the report says that. */
void
table_unreadable_text(struct table *table, const char *file,
    const char *message);

#endif
