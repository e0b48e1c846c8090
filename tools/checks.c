/* checks.c - a report on what was checked: text, rows, or cases of a suite */

#include "checks.h"

#include "cmd.h"
#include "msg.h"

const char *const checks_form_words[] = {
	[FORM_TEXT] = "text",
	[FORM_TSV] = "tsv",
	[FORM_CSV] = "csv",
	[FORM_JSON] = "json",
	[FORM_TAP] = "tap",
	[FORM_JUNIT] = "junit",
	[FORM_JUNIT + 1] = NULL
};

void
checks_put_names(struct checks *checks, const char *const *names,
    size_t count)
{
	struct buffer buffer = { 0 };
	struct row row;

	if (checks->form != FORM_TSV && checks->form != FORM_CSV)
		return;
	row_begin(&row, &buffer, (enum form)checks->form);
	for (size_t i = 0; i < count; i++)
		row_string(&row, names[i], names[i]);
	row_line(&row);
	checks_flush(checks, &buffer);
}

void
checks_flush(struct checks *checks, struct buffer *buffer)
{
	if (buffer->failed && !checks->lost) {
		msg_memory();
		checks->lost = true;
	}
	out_put(&checks->out, buffer->bytes, buffer->len);
	buffer_fini(buffer);
}

void
checks_put(struct checks *checks, struct buffer *buffer)
{
	struct buffer *const lines = &checks->suite.lines;

	if (!checks_are_cases(checks)) {
		checks_flush(checks, buffer);
		return;
	}
	buffer_put(lines, buffer->bytes, buffer->len);
	lines->failed |= buffer->failed;
	buffer_fini(buffer);
}

void
checks_set_message(struct checks *checks, const struct buffer *line)
{
	struct buffer *const message = &checks->suite.message;

	message->len = 0;
	buffer_put(message, line->bytes, line->len);
}

void
checks_end_case(struct checks *checks, const char *name, int status)
{
	struct buffer buffer = { 0 };

	if (!checks_are_cases(checks))
		return;
	checks->suite.junit = checks->form == FORM_JUNIT;
	suite_case(&checks->suite, &buffer, name, status);
	checks_flush(checks, &buffer);
}

void
checks_end(struct checks *checks)
{
	struct buffer buffer = { 0 };

	checks->suite.junit = checks->form == FORM_JUNIT;
	if (checks_are_cases(checks))
		suite_end(&checks->suite, &buffer);
	checks_flush(checks, &buffer);
	suite_fini(&checks->suite);
}

int
checks_close(struct checks *checks, int status)
{
	return out_close_report(&checks->out,
	    checks->lost ? CMD_TROUBLE : status, !checks->lost);
}
