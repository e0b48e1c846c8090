/* check_report.c - the report of a check: text, rows, or test cases */

#include "cli/check_report.h"

#include "cli/msg.h"
#include "cmd.h"

const char *const check_report_form_names[] = {
	[FORM_TEXT] = "text",
	[FORM_TSV] = "tsv",
	[FORM_CSV] = "csv",
	[FORM_JSON] = "json",
	[FORM_TAP] = "tap",
	[FORM_JUNIT] = "junit",
	[FORM_JUNIT + 1] = NULL
};

void
check_report_put_names(struct check_report *checks, const char *const *names,
    size_t count)
{
	struct strbuf buffer = { 0 };
	struct row row;

	if (checks->form != FORM_TSV && checks->form != FORM_CSV)
		return;
	row_begin(&row, &buffer, (enum form)checks->form);
	for (size_t i = 0; i < count; i++)
		row_string(&row, names[i], names[i]);
	row_line(&row);
	check_report_flush(checks, &buffer);
}

void
check_report_flush(struct check_report *checks, struct strbuf *buffer)
{
	if (buffer->failed && !checks->lost) {
		msg_memory();
		checks->lost = true;
	}
	out_put(&checks->out, buffer->bytes, buffer->len);
	strbuf_fini(buffer);
}

void
check_report_put(struct check_report *checks, struct strbuf *buffer)
{
	struct strbuf *const lines = &checks->suite.lines;

	if (!check_report_are_cases(checks)) {
		check_report_flush(checks, buffer);
		return;
	}
	strbuf_put(lines, buffer->bytes, buffer->len);
	lines->failed |= buffer->failed;
	strbuf_fini(buffer);
}

void
check_report_set_message(struct check_report *checks, const struct strbuf *line)
{
	struct strbuf *const message = &checks->suite.message;

	message->len = 0;
	strbuf_put(message, line->bytes, line->len);
}

void
check_report_end_case(struct check_report *checks, const char *name, int status)
{
	struct strbuf buffer = { 0 };

	if (!check_report_are_cases(checks))
		return;
	checks->suite.junit = checks->form == FORM_JUNIT;
	test_suite_case(&checks->suite, &buffer, name, status);
	check_report_flush(checks, &buffer);
}

void
check_report_end(struct check_report *checks)
{
	struct strbuf buffer = { 0 };

	checks->suite.junit = checks->form == FORM_JUNIT;
	if (check_report_are_cases(checks))
		test_suite_end(&checks->suite, &buffer);
	check_report_flush(checks, &buffer);
	test_suite_fini(&checks->suite);
}

int
check_report_close(struct check_report *checks, int status)
{
	return out_close_report(&checks->out,
	    checks->lost ? CMD_TROUBLE : status, !checks->lost);
}
