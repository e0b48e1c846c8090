/* check_report.h - the report of a check: text, rows, or test cases */
#ifndef CHECK_REPORT_H
#define CHECK_REPORT_H

#include "cli/table.h"

/* In addition to those of table.h; they have a test case for each check. */
enum {
	FORM_TAP = FORM_JSON + 1,
	FORM_JUNIT
};

extern const char *const check_report_form_names[];

#define OPT_CHECK_FORM(v) \
	OPT_CHOICE('f', "format", "FORM", v, check_report_form_names, \
	    "text, tsv, csv, json, jsonl, tap, junit [text]")

/* Set an open table, command and failure, and zero the rest. */
struct check_report {
	struct table table;
	const char *command;		/* name of the test suite */
	const char *failure;		/* the type of a failure: "invalid" */

	/* Private members. */
	struct dmt_output lines;		/* of the current case */
	struct dmt_output message;	/* one line; if empty, the first line
					   of lines is used */
	struct dmt_output cases;	/* for JUnit, whose counts come first */
	size_t count;
	size_t failures;
	size_t errors;
};

static inline bool
check_report_has_cases(const struct check_report *report)
{
	return report->table.form > FORM_JSON;
}

/* Adds lines to the report, or to the current case, and frees them. */
void
check_report_put_lines(struct check_report *report, struct dmt_output *lines);

/* Sets the message of the current case: a line that says what failed. By
 * default it is the case's first line. */
void
check_report_set_message(struct check_report *report,
    const struct dmt_output *line);

/* Ends the current case, if the form has cases, with an exit status of
 * cmd.h. */
void
check_report_end_case(struct check_report *report, const char *name,
    int status);

/* See table_begin_part; first is the number of cases before it. */
void
check_report_begin_part(struct check_report *report, size_t first, int fd);
bool
check_report_end_part(struct check_report *report);
void
check_report_take_part(struct check_report *report, const char *bytes,
    size_t len);

/* Counts a case that ended in a part. */
void
check_report_count(struct check_report *report, int status);

/* Ends the report, like table_close. */
int
check_report_close(struct check_report *report, int status);

#endif
