/* suite.c - files as the cases of a test suite, in TAP or JUnit */

#include "suite.h"

#include <string.h>

#include "cmd.h"
#include "text.h"

/* TAP takes "#" in a name for a directive. */
static void
put_name(struct buffer *buffer, const char *name)
{
	struct buffer text = { 0 };

	buffer_text(&text, text_message, name, strlen(name));
	for (size_t i = 0; i < text.len; i++) {
		if (text.bytes[i] == '#')
			buffer_string(buffer, "\\");
		buffer_put(buffer, &text.bytes[i], 1);
	}
	buffer->failed |= text.failed;
	buffer_fini(&text);
}

static void
put_tap(const struct suite *suite, struct buffer *buffer, const char *name,
    int status)
{
	const char *line = suite->lines.len == 0 ? "" : suite->lines.bytes;
	const char *const end = line + suite->lines.len;

	buffer_printf(buffer, "%sok %zu - ", status == CMD_OK ? "" : "not ",
	    suite->count);
	put_name(buffer, name);
	buffer_string(buffer, "\n");
	while (line < end) {
		const char *const lf = memchr(line, '\n',
		    (size_t)(end - line));
		const size_t len = (size_t)((lf == NULL ? end : lf + 1) -
		    line);

		buffer_string(buffer, "# ");
		buffer_put(buffer, line, len);
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
put_xml(struct buffer *buffer, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const char *const name = entity(bytes[i]);

		if (name != NULL)
			buffer_string(buffer, name);
		else
			buffer_put(buffer, &bytes[i], 1);
	}
}

static void
put_xml_name(struct buffer *buffer, const char *name)
{
	struct buffer text = { 0 };

	buffer_text(&text, text_message, name, strlen(name));
	put_xml(buffer, text.bytes, text.len);
	buffer->failed |= text.failed;
	buffer_fini(&text);
}

/* What failed, without the end of the line. */
static void
put_message(struct suite *suite)
{
	const struct buffer *const from = suite->message.len > 0 ?
	    &suite->message : &suite->lines;
	const char *const end = from->len == 0 ? NULL :
	    memchr(from->bytes, '\n', from->len);

	put_xml(&suite->cases, from->bytes,
	    end == NULL ? from->len : (size_t)(end - from->bytes));
}

static void
put_junit(struct suite *suite, const char *name, int status)
{
	struct buffer *const cases = &suite->cases;
	const char *const tag = status == CMD_OK ? "system-out" :
	    status == CMD_NO ? "failure" : "error";

	buffer_printf(cases, "  <testcase classname=\"dmtrace.%s\" name=\"",
	    suite->command);
	put_xml_name(cases, name);
	buffer_printf(cases, "\" time=\"0\">\n    <%s", tag);
	if (status != CMD_OK) {
		buffer_string(cases, " message=\"");
		put_message(suite);
		buffer_printf(cases, "\" type=\"%s\"", status == CMD_NO ?
		    suite->failure : "unreadable");
	}
	buffer_string(cases, ">");
	put_xml(cases, suite->lines.bytes, suite->lines.len);
	buffer_printf(cases, "</%s>\n  </testcase>\n", tag);
}

void
suite_case(struct suite *suite, struct buffer *buffer, const char *name,
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
suite_end(struct suite *suite, struct buffer *buffer)
{
	if (!suite->junit) {
		buffer_printf(buffer, "1..%zu\n", suite->count);
		return;
	}
	buffer_printf(buffer, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<testsuite name=\"dmtrace %s\" tests=\"%zu\""
	    " failures=\"%zu\" errors=\"%zu\" time=\"0\">\n", suite->command,
	    suite->count, suite->failures, suite->errors);
	buffer_put(buffer, suite->cases.bytes, suite->cases.len);
	buffer_string(buffer, "</testsuite>\n");
	buffer->failed |= suite->cases.failed;
}

void
suite_fini(struct suite *suite)
{
	buffer_fini(&suite->lines);
	buffer_fini(&suite->message);
	buffer_fini(&suite->cases);
}
