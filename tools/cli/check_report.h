/* check_report.h - the report of a check: text, rows, or test cases */
#ifndef CHECK_REPORT_H
#define CHECK_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/out.h"
#include "cli/table.h"
#include "cli/test_suite.h"

/* Behind those of form.h: a case for all that is checked. */
enum {
	FORM_TAP = FORM_JSON + 1,
	FORM_JUNIT
};

extern const char *const check_report_form_names[];

#define OPT_CHECKS_FORM(v) \
	OPT_CHOICE('f', "format", "FORM", v, check_report_form_names, \
	    "text, tsv, csv, json, tap or junit [text]")

/* Begin with form and the suite's command, and an out that is open. */
struct check_report {
	unsigned form;			/* enum form, FORM_TAP or FORM_JUNIT */
	struct out out;
	struct test_suite suite;
	bool lost;			/* it is not whole, which is said */
};

/* A row for each thing that is told, not a line for people. */
static inline bool
check_report_are_rows(const struct check_report *checks)
{
	return checks->form >= FORM_TSV && checks->form <= FORM_JSON;
}

static inline bool
check_report_are_cases(const struct check_report *checks)
{
	return checks->form > FORM_JSON;
}

/* The line of column names, where the form has one. */
void
check_report_put_names(struct check_report *checks, const char *const *names,
    size_t count);

/* Both end the buffer. put is for lines, which stand in the report, or in what
 * is told of the case under way; flush is for the report in any form. */
void
check_report_put(struct check_report *checks, struct strbuf *buffer);
void
check_report_flush(struct check_report *checks, struct strbuf *buffer);

/* What failed in the case under way, in a line; without, its first line. */
void
check_report_set_message(struct check_report *checks,
    const struct strbuf *line);

/* Ends the case under way, if there are cases, with an exit status of
 * cmd.h. */
void
check_report_end_case(struct check_report *checks, const char *name,
    int status);

/* All is checked: ends the suite, if it is one. */
void
check_report_end(struct check_report *checks);

/* Ends the report, as out_close_report does; it is whole unless some of it was
 * lost: what could not be read is in it. */
int
check_report_close(struct check_report *checks, int status);

#endif
