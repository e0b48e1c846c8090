/* check_report.h - the report of a check: text, rows, or test cases */
#ifndef CHECK_REPORT_H
#define CHECK_REPORT_H

#include "cli/table.h"

/* After those of table.h: a test case for each thing that is checked. */
enum {
	FORM_TAP = FORM_JSON + 1,
	FORM_JUNIT
};

extern const char *const check_report_form_names[];

#define OPT_CHECK_FORM(v) \
	OPT_CHOICE('f', "format", "FORM", v, check_report_form_names, \
	    "text, tsv, csv, json, tap or junit [text]")

/* Begin with a table that is open, command and failure. */
struct check_report {
	struct table table;
	const char *command;		/* the test suite is about */
	const char *failure;		/* the type of a failure: "invalid" */

	/* Private. */
	struct strbuf lines;		/* about the current case */
	struct strbuf message;		/* what failed in it, in a line; empty:
					   the first of lines */
	struct strbuf cases;		/* of JUnit, which begins with counts */
	size_t count;
	size_t failures;
	size_t errors;
};

static inline bool
check_report_has_cases(const struct check_report *report)
{
	return report->table.form > FORM_JSON;
}

/* Puts lines to the report, or to the current case, and frees them. */
void
check_report_put_lines(struct check_report *report, struct strbuf *lines);

/* Sets the message of the current case, a line about what failed. Without it,
 * the case's first line is the message. */
void
check_report_set_message(struct check_report *report,
    const struct strbuf *line);

/* Ends the current case, if there are cases, with an exit status of cmd.h. */
void
check_report_end_case(struct check_report *report, const char *name,
    int status);

/* Ends the report, as table_close does. */
int
check_report_close(struct check_report *report, int status);

#endif
