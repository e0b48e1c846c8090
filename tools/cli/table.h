/* table.h - the forms of a report, and its cells in those for machines */
#ifndef TABLE_H
#define TABLE_H

#include <stdint.h>

#include "cli/opt.h"
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
	OPT_CHOICE('f', "format", "FORM", v, form_words, \
	    "text, tsv, csv or json [text]")
#define OPT_OUTPUT(v) \
	OPT_STRING('o', "output", "FILE", v, "write to FILE")
#define OPT_QUIET(v) \
	OPT_FLAG('q', "quiet", v, "no findings on standard error")

extern const char *const form_words[];

/* A row of cells in TSV, CSV or JSON, at the end of a buffer. */
struct row {
	struct strbuf *buffer;
	enum form form;
	size_t cells;
};

void
row_begin(struct row *row, struct strbuf *buffer, enum form form);

/* Each puts a cell; name is its key in JSON. An absent value is an empty cell
 * or null; what is JSON already stays so in every form. */
void
row_text(struct row *row, const char *name, const char *bytes, size_t len);
void
row_string(struct row *row, const char *name, const char *string);
void
row_number(struct row *row, const char *name, uint64_t number);
void
row_signed(struct row *row, const char *name, int64_t number);
void
row_absent(struct row *row, const char *name);
void
row_json(struct row *row, const char *name, const struct strbuf *json);

/* Ends the row: within JSON; or with its line. */
void
row_end(struct row *row);
void
row_line(struct row *row);

#endif
