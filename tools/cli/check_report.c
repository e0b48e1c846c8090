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
check_report_put_lines(struct check_report *report, struct strbuf *lines)
{
	struct strbuf *const to = check_report_has_cases(report) ?
	    &report->lines : &report->table.buffer;

	strbuf_put(to, lines->bytes, lines->len);
	to->failed |= lines->failed;
	strbuf_fini(lines);
	if (!check_report_has_cases(report))
		table_flush(&report->table);
}

void
check_report_set_message(struct check_report *report,
    const struct strbuf *line)
{
	report->message.len = 0;
	strbuf_put(&report->message, line->bytes, line->len);
}

static void
put_tap_case(struct check_report *report, const char *name, int status)
{
	struct strbuf *const buffer = &report->table.buffer;
	const char *line = report->lines.len == 0 ? "" : report->lines.bytes;
	const char *const end = line + report->lines.len;
	struct strbuf text = { 0 };

	/* A "#" in a name would begin a directive in TAP. */
	strbuf_printf(buffer, "%sok %zu - ", status == CMD_OK ? "" : "not ",
	    report->count);
	strbuf_text(&text, escape_message, name, strlen(name));
	for (size_t i = 0; i < text.len; i++) {
		if (text.bytes[i] == '#')
			strbuf_string(buffer, "\\");
		strbuf_put(buffer, &text.bytes[i], 1);
	}
	buffer->failed |= text.failed;
	strbuf_fini(&text);
	strbuf_string(buffer, "\n");
	while (line < end) {
		const char *const lf = memchr(line, '\n',
		    (size_t)(end - line));
		const size_t len = (size_t)((lf == NULL ? end : lf + 1) -
		    line);

		strbuf_string(buffer, "# ");
		strbuf_put(buffer, line, len);
		line += len;
	}
}

/* Writes text, which has no control bytes except LF, as XML. */
static void
put_xml(struct strbuf *buffer, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		switch (bytes[i]) {
		case '&':
			strbuf_string(buffer, "&amp;");
			break;
		case '<':
			strbuf_string(buffer, "&lt;");
			break;
		case '>':
			strbuf_string(buffer, "&gt;");
			break;
		case '"':
			strbuf_string(buffer, "&quot;");
			break;
		default:
			strbuf_put(buffer, &bytes[i], 1);
			break;
		}
	}
}

static void
put_junit_case(struct check_report *report, const char *name, int status)
{
	struct strbuf *const cases = &report->cases;
	const char *const tag = status == CMD_OK ? "system-out" :
	    status == CMD_NO ? "failure" : "error";
	struct strbuf text = { 0 };

	strbuf_printf(cases, "  <testcase classname=\"dmtrace.%s\" name=\"",
	    report->command);
	strbuf_text(&text, escape_message, name, strlen(name));
	put_xml(cases, text.bytes, text.len);
	cases->failed |= text.failed;
	strbuf_fini(&text);
	if (status == CMD_OK && report->lines.len == 0) {
		strbuf_string(cases, "\" time=\"0\"/>\n");
		return;
	}
	strbuf_printf(cases, "\" time=\"0\">\n    <%s", tag);
	if (status != CMD_OK) {
		/* The message, without a line end. */
		const struct strbuf *const from = report->message.len > 0 ?
		    &report->message : &report->lines;
		const char *const end = from->len == 0 ? NULL :
		    memchr(from->bytes, '\n', from->len);

		strbuf_string(cases, " message=\"");
		put_xml(cases, from->bytes, end == NULL ? from->len :
		    (size_t)(end - from->bytes));
		strbuf_printf(cases, "\" type=\"%s\"", status == CMD_NO ?
		    report->failure : "unreadable");
	}
	strbuf_string(cases, ">");
	put_xml(cases, report->lines.bytes, report->lines.len);
	strbuf_printf(cases, "</%s>\n  </testcase>\n", tag);
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
	report->cases.len = 0;
	report->count = first;
}

bool
check_report_end_part(struct check_report *report)
{
	struct strbuf *const buffer = &report->table.buffer;

	strbuf_put(buffer, report->cases.bytes, report->cases.len);
	buffer->failed |= report->cases.failed;
	return table_end_part(&report->table);
}

void
check_report_take_part(struct check_report *report, const char *bytes,
    size_t len)
{
	if (report->table.form == FORM_JUNIT)
		strbuf_put(&report->cases, bytes, len);
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
	report->table.buffer.failed |= report->lines.failed ||
	    report->message.failed;
	report->lines.len = 0;
	report->message.len = 0;
	table_flush(&report->table);
}

int
check_report_close(struct check_report *report, int status)
{
	struct strbuf *const buffer = &report->table.buffer;

	if (report->table.form == FORM_TAP) {
		strbuf_printf(buffer, "1..%zu\n", report->count);
	} else if (report->table.form == FORM_JUNIT) {
		strbuf_printf(buffer, "<?xml version=\"1.0\" encoding="
		    "\"UTF-8\"?>\n<testsuite name=\"dmtrace %s\" tests="
		    "\"%zu\" failures=\"%zu\" errors=\"%zu\" time=\"0\">\n",
		    report->command, report->count, report->failures,
		    report->errors);
		strbuf_put(buffer, report->cases.bytes, report->cases.len);
		strbuf_string(buffer, "</testsuite>\n");
		buffer->failed |= report->cases.failed;
	}
	strbuf_fini(&report->lines);
	strbuf_fini(&report->message);
	strbuf_fini(&report->cases);
	return table_close(&report->table, status);
}
