/* check_report.c - the report of a check: text, rows, or test cases */

#include "cli/check_report.h"

#include <string.h>

#include "cmd.h"

const char *const check_report_form_names[] = {
	[FORM_TEXT] = "text",
	[FORM_TSV] = "tsv",
	[FORM_CSV] = "csv",
	[FORM_JSONL] = "jsonl",
	[FORM_JSON] = "json",
	[FORM_TAP] = "tap",
	[FORM_JUNIT] = "junit",
	[FORM_JUNIT + 1] = NULL
};

void
check_report_put_lines(struct check_report *report, struct dmt_output *lines)
{
	struct dmt_output *const to = check_report_has_cases(report) ?
	    &report->lines : &report->table.buffer;

	dmt_put_output(to, lines);
	dmt_output_fini(lines);
	if (!check_report_has_cases(report))
		table_flush(&report->table);
}

void
check_report_set_message(struct check_report *report,
    const struct dmt_output *line)
{
	dmt_output_clear(&report->message);
	dmt_output_write(&report->message, line->bytes, line->len);
}

static void
put_tap_case(struct check_report *report, const char *name, int status)
{
	struct dmt_output *const buffer = &report->table.buffer;
	const char *line = report->lines.len == 0 ? "" : report->lines.bytes;
	const char *const end = line + report->lines.len;
	struct dmt_output text = { 0 };

	/* A "#" in a name would begin a directive in TAP. */
	dmt_put_format(buffer, "%sok %zu - ", status == CMD_OK ? "" : "not ",
	    report->count);
	escape_put(&text, escape_message, name, strlen(name));
	for (size_t i = 0; i < text.len; i++) {
		if (text.bytes[i] == '#')
			dmt_put(buffer, "\\");
		dmt_output_write(buffer, &text.bytes[i], 1);
	}
	if (dmt_output_failed(&text))
		dmt_output_fail_memory(buffer);
	dmt_output_fini(&text);
	dmt_put(buffer, "\n");
	while (line < end) {
		const char *const lf = memchr(line, '\n',
		    (size_t)(end - line));
		const size_t len = (size_t)((lf == NULL ? end : lf + 1) -
		    line);

		dmt_put(buffer, "# ");
		dmt_output_write(buffer, line, len);
		line += len;
	}
}

/* Writes text, which has no control bytes except LF, as XML. */
static void
put_xml(struct dmt_output *buffer, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		switch (bytes[i]) {
		case '&':
			dmt_put(buffer, "&amp;");
			break;
		case '<':
			dmt_put(buffer, "&lt;");
			break;
		case '>':
			dmt_put(buffer, "&gt;");
			break;
		case '"':
			dmt_put(buffer, "&quot;");
			break;
		default:
			dmt_output_write(buffer, &bytes[i], 1);
			break;
		}
	}
}

static void
put_junit_case(struct check_report *report, const char *name, int status)
{
	struct dmt_output *const cases = &report->cases;
	const char *const tag = status == CMD_OK ? "system-out" :
	    status == CMD_NO ? "failure" : "error";
	struct dmt_output text = { 0 };

	dmt_put_format(cases, "  <testcase classname=\"dmtrace.%s\" name=\"",
	    report->command);
	escape_put(&text, escape_message, name, strlen(name));
	put_xml(cases, text.bytes, text.len);
	if (dmt_output_failed(&text))
		dmt_output_fail_memory(cases);
	dmt_output_fini(&text);
	if (status == CMD_OK && report->lines.len == 0) {
		dmt_put(cases, "\" time=\"0\"/>\n");
		return;
	}
	dmt_put_format(cases, "\" time=\"0\">\n    <%s", tag);
	if (status != CMD_OK) {
		/* The message, without a line end. */
		const struct dmt_output *const from = report->message.len > 0 ?
		    &report->message : &report->lines;
		const char *const end = from->len == 0 ? NULL :
		    memchr(from->bytes, '\n', from->len);

		dmt_put(cases, " message=\"");
		put_xml(cases, from->bytes, end == NULL ? from->len :
		    (size_t)(end - from->bytes));
		dmt_put_format(cases, "\" type=\"%s\"", status == CMD_NO ?
		    report->failure : "unreadable");
	}
	dmt_put(cases, ">");
	put_xml(cases, report->lines.bytes, report->lines.len);
	dmt_put_format(cases, "</%s>\n  </testcase>\n", tag);
}

void
check_report_count(struct check_report *report, int status)
{
	report->count++;
	report->failures += status == CMD_NO;
	report->errors += status == CMD_TROUBLE;
}

void
check_report_begin_part(struct check_report *report, size_t first, int fd)
{
	table_begin_part(&report->table, fd);
	dmt_output_clear(&report->cases);
	report->count = first;
}

bool
check_report_end_part(struct check_report *report)
{
	struct dmt_output *const buffer = &report->table.buffer;

	dmt_put_output(buffer, &report->cases);
	return table_end_part(&report->table);
}

void
check_report_take_part(struct check_report *report, const char *bytes,
    size_t len)
{
	if (report->table.form == FORM_JUNIT)
		dmt_output_write(&report->cases, bytes, len);
	else
		table_take_part(&report->table, "", bytes, len);
}

void
check_report_end_case(struct check_report *report, const char *name,
    int status)
{
	if (!check_report_has_cases(report))
		return;
	check_report_count(report, status);
	if (report->table.form == FORM_JUNIT)
		put_junit_case(report, name, status);
	else
		put_tap_case(report, name, status);
	if (dmt_output_failed(&report->lines) ||
	    dmt_output_failed(&report->message))
		dmt_output_fail_memory(&report->table.buffer);
	dmt_output_clear(&report->lines);
	dmt_output_clear(&report->message);
	table_flush(&report->table);
}

int
check_report_close(struct check_report *report, int status)
{
	struct dmt_output *const buffer = &report->table.buffer;

	if (report->table.form == FORM_TAP) {
		dmt_put_format(buffer, "1..%zu\n", report->count);
	} else if (report->table.form == FORM_JUNIT) {
		dmt_put_format(buffer, "<?xml version=\"1.0\" encoding="
		    "\"UTF-8\"?>\n<testsuite name=\"dmtrace %s\" tests="
		    "\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"0\">\n",
		    report->command, report->count, report->failures,
		    report->errors);
		dmt_put_output(buffer, &report->cases);
		dmt_put(buffer, "</testsuite>\n");
	}
	dmt_output_fini(&report->lines);
	dmt_output_fini(&report->message);
	dmt_output_fini(&report->cases);
	return table_close(&report->table, status);
}
