/* table.h - prints a report of rows and columns in each output form */
#ifndef TABLE_H
#define TABLE_H

#include <stdint.h>

#include "cli/escapes.h"
#include "cli/msg.h"
#include "cli/opt.h"
#include "cli/out.h"

enum form {
	FORM_TEXT,			/* for people; the others are stable */
	FORM_TSV,
	FORM_CSV,
	FORM_JSONL,			/* a line for each row */
	FORM_JSON			/* one document: an array of rows */
};

/* Is it one of the two with names of columns in each row? */
static inline bool
form_is_json(unsigned form)
{
	return form == FORM_JSONL || form == FORM_JSON;
}

/* The options of every report, bound to an unsigned and a const char *. */
#define OPT_FORM(v) \
	OPT_CHOICE('f', "format", "FORM", v, form_names, \
	    "text, tsv, csv, json or jsonl [text]")
#define OPT_OUTPUT(v) \
	OPT_OUTPUT_FILE(v, "write to FILE", ".txt")
#define OPT_QUIET(v) \
	OPT_FLAG('q', "quiet", v, "do not print findings on standard error")

extern const char *const form_names[];

/*
 * A report that is written to a file. Set the form, and call table_open. In
 * the forms for machines a command sets the columns once, then fills cell
 * after cell and ends each row; the table knows what is written around cells,
 * how they are escaped and what an absent cell looks like. Text for people is
 * added to the buffer, with the functions for columns below; table_flush
 * writes it.
 */
struct table {
	unsigned form;			/* enum form, or a form of the
					   command */
	struct out out;
	struct dmt_output buffer;		/* what is written next */
	bool lost;			/* something is missing, which was
					   reported */

	/* Private members. */
	const char *const *columns;	/* ended by NULL */
	size_t next;			/* index of the next cell */
	bool nested;			/* rows are nested in a cell */
	bool has_rows;			/* a row was begun */
	bool printed;			/* by table_print */
	size_t skipped;			/* bytes of the first part's begin that
					   were left out */
	size_t colour_len;		/* bytes of the current line that set
					   colours */
};

/* false: the output of -o cannot be opened, which was reported. */
bool
table_open(struct table *table, const char *output);

/* Returns true if the form has rows, false for text for people. */
static inline bool
table_has_rows(const struct table *table)
{
	return table->form >= FORM_TSV && table->form <= FORM_JSON;
}

/* Sets the columns, and writes the line of their names, or the begin of the
 * document, if the form has one.
 * columns must stay valid until the last row. */
void
table_set_columns(struct table *table, const char *const *columns);

/* Each function fills the next cell of the row. */
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
table_printf(struct table *table, const char *format, ...) /* for numbers */
    DMT_PRINTF(2, 3);
void
table_truth(struct table *table, bool truth);

/* Fills the cells "line" and "byte", of which at least one is absent. */
void
table_place_cells(struct table *table, enum dmtrace_place place, uint64_t at);

/* Leaves that many cells absent. */
void
table_absent(struct table *table, size_t count);

/*
 * For lines that are put together from parts that were made before, as this is
 * faster: table_at makes the next cell that of a column, as in a first row;
 * table_begin_cell adds what precedes the value of the next cell to the buffer,
 * and the caller adds the value. Between rows, and for an absent value, a line
 * has the strings that the other two return.
 */
void
table_at(struct table *table, size_t column);
void
table_begin_cell(struct table *table);
const char *
table_between_rows(const struct table *table);
const char *
table_absent_value(const struct table *table);

/* Adds the end of the document to the buffer, if the form has one. has_rows:
 * there was a row. */
void
table_put_end(struct table *table, bool has_rows);

/* Fills the next cell with JSON, in every form. */
void
table_json(struct table *table, const struct dmt_output *json);

/* Makes a table for rows nested in a cell, as JSON objects: fill it like any
 * table; then table_array or table_object makes it a cell of table, and frees
 * it. */
struct table
table_nested(const char *const *columns);
void
table_array(struct table *table, struct table *nested);
void
table_object(struct table *table, struct table *nested);

/* Ends the row. */
void
table_end_row(struct table *table);

/* Writes the buffer. false: a part of the report is missing for lack of
 * memory, which is reported once. */
bool
table_flush(struct table *table);

/*
 * A part of a report that another process makes, for rows that follow others:
 * it calls table_begin_part, which directs the table to fd, and table_end_part,
 * which writes what is left, and returns false if something is missing, which
 * was reported. The process of the report passes the bytes to table_take_part.
 * between is what a part begins with in text, "" or a line end; the first part
 * is without it.
 */
void
table_begin_part(struct table *table, int fd);
bool
table_end_part(struct table *table);
void
table_take_part(struct table *table, const char *between, const char *bytes,
    size_t len);

/* Ends the report: a file is published unless something is missing. A report
 * in JSON is a document, even if nothing could be read. Returns status, or
 * CMD_TROUBLE if it is incomplete or could not be written. */
int
table_close(struct table *table, int status);

/* Prints a report on standard output whose rows were collected in the buffer,
 * while a trace was written to a file: it opens the table and closes it. If
 * status is CMD_TROUBLE there is no trace, and rows are left out. A second call
 * prints nothing. Returns the exit status. */
int
table_print(struct table *table, int status);

/*
 * Right-aligned columns of text. Each is width bytes wide, or wider if the
 * cell and a preceding blank need that.
 */
void
column_string(struct dmt_output *buffer, size_t width, const char *cell);

void
column_blank(struct dmt_output *buffer, size_t width);

void
column_count(struct dmt_output *buffer, size_t width, uint64_t number);

void
column_time(struct dmt_output *buffer, size_t width, uint64_t ns);

void
column_duration(struct dmt_output *buffer, size_t width, int64_t ns);

void
column_share(struct dmt_output *buffer, size_t width, int64_t part,
    int64_t whole);

/*
 * Shortens the text from begin on, a line without its line end, to that many
 * columns of a terminal: first its signature, from "(" on, which then ends
 * with "..." or is removed, then its beginning, which becomes "...". 0
 * columns: it is not shortened.
 */
void
column_shorten(struct dmt_output *buffer, size_t begin, size_t columns);

/* The same, with an ellipsis that takes one column, where others are around
 * it. */
void
column_shorten_more(struct dmt_output *buffer, size_t begin, size_t columns);

/* Returns how many columns the text from begin on takes. */
size_t
column_width(const struct dmt_output *buffer, size_t begin);

/* Returns true if there is space for a name next to that many columns of
 * figures; always true if the output is not a terminal. */
bool
table_has_room(const struct table *table, size_t columns);

/* Uses colours in text if the output is a terminal that supports them; names
 * must be escaped. */
void
table_use_colours(struct table *table);

enum table_colour {
	TABLE_DEFAULT = 0,
	TABLE_RED = 31,
	TABLE_GREEN = 32,
	TABLE_YELLOW = 33
};

/* Writes to out what sets the colour of the following text; "" without
 * colours. Returns out, which has TABLE_COLOUR_MAX bytes. */
#define TABLE_COLOUR_MAX 8
const char *
table_colour_text(const struct table *table, char *out,
    enum table_colour colour);

/* Adds the same to the buffer. */
void
table_colour(struct table *table, enum table_colour colour);

/* Ends a line of text. On a terminal, the name at its end is shortened to the
 * width. line and name are offsets in the buffer. */
void
table_end_line(struct table *table, size_t line, size_t name);

/* Returns true if the report contains messages about unreadable operands: rows
 * do, and text in a file. Who reads text on standard output has seen them. */
static inline bool
table_shows_errors(const struct table *table)
{
	return table->form != FORM_TEXT || table->out.file.path != NULL;
}

/* Adds "unreadable  FILE: MESSAGE", if the report contains such messages. */
void
table_unreadable_text(struct table *table, const char *file,
    const char *message);

#endif
