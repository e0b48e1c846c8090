/* checks.h - a report on what was checked: text, rows, or cases of a suite */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdbool.h>
#include <stddef.h>

#include "form.h"
#include "out.h"
#include "suite.h"

/* Behind those of form.h: a case for all that is checked. */
enum {
	FORM_TAP = FORM_JSON + 1,
	FORM_JUNIT
};

extern const char *const checks_form_words[];

#define OPT_CHECKS_FORM(v) \
	OPT_CHOICE('f', "format", "FORM", v, checks_form_words, \
	    "text, tsv, csv, json, tap or junit [text]")

/* Begin with form and the suite's command, and an out that is open. */
struct checks {
	unsigned form;			/* enum form, FORM_TAP or FORM_JUNIT */
	struct out out;
	struct suite suite;
	bool lost;			/* it is not whole, which is said */
};

/* A row for each thing that is told, not a line for people. */
static inline bool
checks_are_rows(const struct checks *checks)
{
	return checks->form >= FORM_TSV && checks->form <= FORM_JSON;
}

static inline bool
checks_are_cases(const struct checks *checks)
{
	return checks->form > FORM_JSON;
}

/* The line of column names, where the form has one. */
void
checks_put_names(struct checks *checks, const char *const *names,
    size_t count);

/* Both end the buffer. put is for lines, which stand in the report, or in what
 * is told of the case under way; flush is for the report in any form. */
void
checks_put(struct checks *checks, struct buffer *buffer);
void
checks_flush(struct checks *checks, struct buffer *buffer);

/* What failed in the case under way, in a line; without, its first line. */
void
checks_set_message(struct checks *checks, const struct buffer *line);

/* Ends the case under way, if there are cases, with an exit status of
 * cmd.h. */
void
checks_end_case(struct checks *checks, const char *name, int status);

/* All is checked: ends the suite, if it is one. */
void
checks_end(struct checks *checks);

/* Ends the report, as out_close_report does; it is whole unless some of it was
 * lost: what could not be read is in it. */
int
checks_close(struct checks *checks, int status);

#endif
