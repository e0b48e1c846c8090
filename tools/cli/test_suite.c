/* test_suite.c - files as the cases of a test suite, in TAP or JUnit */

#include "cli/test_suite.h"

#include <string.h>

#include "cli/escapes.h"
#include "cmd.h"

/* TAP takes "#" in a name for a directive. */
static void
put_name(struct strbuf *buffer, const char *name)
{
	struct strbuf text = { 0 };

	strbuf_text(&text, escape_message, name, strlen(name));
	for (size_t i = 0; i < text.len; i++) {
		if (text.bytes[i] == '#')
			strbuf_string(buffer, "\\");
		strbuf_put(buffer, &text.bytes[i], 1);
	}
	buffer->failed |= text.failed;
	strbuf_fini(&text);
}

static void
put_tap(const struct test_suite *suite, struct strbuf *buffer, const char *name,
    int status)
{
	const char *line = suite->lines.len == 0 ? "" : suite->lines.bytes;
	const char *const end = line + suite->lines.len;

	strbuf_printf(buffer, "%sok %zu - ", status == CMD_OK ? "" : "not ",
	    suite->count);
	put_name(buffer, name);
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

static const char *
entity(char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	}
	return NULL;
}

/* Of text that has no control bytes but LF. */
static void
put_xml(struct strbuf *buffer, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const char *const name = entity(bytes[i]);

		if (name != NULL)
			strbuf_string(buffer, name);
		else
			strbuf_put(buffer, &bytes[i], 1);
	}
}

static void
put_xml_name(struct strbuf *buffer, const char *name)
{
	struct strbuf text = { 0 };

	strbuf_text(&text, escape_message, name, strlen(name));
	put_xml(buffer, text.bytes, text.len);
	buffer->failed |= text.failed;
	strbuf_fini(&text);
}

/* What failed, without the end of the line. */
static void
put_message(struct test_suite *suite)
{
	const struct strbuf *const from = suite->message.len > 0 ?
	    &suite->message : &suite->lines;
	const char *const end = from->len == 0 ? NULL :
	    memchr(from->bytes, '\n', from->len);

	put_xml(&suite->cases, from->bytes,
	    end == NULL ? from->len : (size_t)(end - from->bytes));
}

static void
put_junit(struct test_suite *suite, const char *name, int status)
{
	struct strbuf *const cases = &suite->cases;
	const char *const tag = status == CMD_OK ? "system-out" :
	    status == CMD_NO ? "failure" : "error";

	strbuf_printf(cases, "  <testcase classname=\"dmtrace.%s\" name=\"",
	    suite->command);
	put_xml_name(cases, name);
	strbuf_printf(cases, "\" time=\"0\">\n    <%s", tag);
	if (status != CMD_OK) {
		strbuf_string(cases, " message=\"");
		put_message(suite);
		strbuf_printf(cases, "\" type=\"%s\"", status == CMD_NO ?
		    suite->failure : "unreadable");
	}
	strbuf_string(cases, ">");
	put_xml(cases, suite->lines.bytes, suite->lines.len);
	strbuf_printf(cases, "</%s>\n  </testcase>\n", tag);
}

void
test_suite_case(struct test_suite *suite, struct strbuf *buffer,
    const char *name,
    int status)
{
	suite->count++;
	suite->failures += status == CMD_NO;
	suite->errors += status == CMD_TROUBLE;
	if (suite->junit)
		put_junit(suite, name, status);
	else
		put_tap(suite, buffer, name, status);
	buffer->failed |= suite->lines.failed || suite->message.failed;
	suite->lines.len = 0;
	suite->message.len = 0;
}

void
test_suite_end(struct test_suite *suite, struct strbuf *buffer)
{
	if (!suite->junit) {
		strbuf_printf(buffer, "1..%zu\n", suite->count);
		return;
	}
	strbuf_printf(buffer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<testsuite name=\"dmtrace %s\" tests=\"%zu\""
	    " failures=\"%zu\" errors=\"%zu\" time=\"0\">\n", suite->command,
	    suite->count, suite->failures, suite->errors);
	strbuf_put(buffer, suite->cases.bytes, suite->cases.len);
	strbuf_string(buffer, "</testsuite>\n");
	buffer->failed |= suite->cases.failed;
}

void
test_suite_fini(struct test_suite *suite)
{
	strbuf_fini(&suite->lines);
	strbuf_fini(&suite->message);
	strbuf_fini(&suite->cases);
}
