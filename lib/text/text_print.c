/* text_print.c - statements and events as lines */

#include "text/text_print.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/bytes.h"
#include "base/escape.h"
#include "data/header_decode.h"
#include "data/v2_encode.h"
#include "format/header.h"
#include "key/line_text.h"
#include "private/names.h"

static void
print_string(struct dmt_output *out, const char *string)
{
	dmt_output_write(out, string, strlen(string));
}

static void
print_text(struct dmt_output *out, struct dmtrace_text text)
{
	dmt_output_write(out, text.bytes, text.len);
}

static void
put_quoted(struct dmt_output *out, struct dmtrace_text text)
{
	print_string(out, "\"");
	while (text.len > 0) {
		char unit[DMT_UNIT_MAX + 1];
		size_t used;
		const size_t taken =
		    dmt_escape_first(unit, &used, text.bytes, text.len);

		if (unit[0] == '"')
			print_string(out, "\\");
		dmt_output_write(out, unit, used);
		text = dmt_text_after(text, taken);
	}
	print_string(out, "\"");
}

static bool
is_number(struct dmtrace_text text, const char *digits)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.bytes[i] == '\0' ||
		    strchr(digits, text.bytes[i]) == NULL)
			return false;
	return text.len > 0 && text.len <= 10;
}

static void
print_name(struct dmt_output *out, struct dmtrace_text name)
{
	print_string(out, " ");
	if (dmt_text_is_words(name))
		print_text(out, name);
	else
		put_quoted(out, name);
}

static void
print_thread(struct dmt_output *out, const struct text_statement *statement,
    bool packet)
{
	struct dmtrace_text rest = statement->line;
	char number[24];

	print_string(out, "thread ");
	if (packet) {
		snprintf(number, sizeof(number), "%" PRIu64, statement->id);
		print_string(out, number);
		print_name(out, rest);
		return;
	}
	const struct dmtrace_text id = dmt_text_cut(&rest, '\t');
	if (rest.bytes == NULL || !is_number(id, "0123456789")) {
		put_quoted(out, statement->line);
		return;
	}
	print_text(out, id);
	print_name(out, rest);
}

enum { COLUMNS = 5 };

/* Returns true if the text after the id can be read back from the form
 * class.name(signature) file:line. */
static bool
is_usual_method(const struct dmtrace_text columns[COLUMNS], size_t count)
{
	const struct dmtrace_text *const name = &columns[count > 1];

	if (count == 2 || count > COLUMNS || !dmt_text_is_word(*name) ||
	    dmt_text_holds(*name, '.') || dmt_text_holds(*name, '('))
		return false;
	if (count == 1)
		return true;
	if ((columns[0].len > 0 && !dmt_text_is_word(columns[0])) ||
	    dmt_text_holds(columns[0], '(') ||
	    !dmt_text_is_word(columns[2]) || columns[2].bytes[0] != '(')
		return false;
	if (count > 3 && (!dmt_text_is_word(columns[3]) ||
	    dmt_text_holds(columns[3], ':')))
		return false;
	return count < 5 || is_number(columns[4], "-0123456789");
}

static void
print_method_name(struct dmt_output *out, struct dmtrace_text text)
{
	struct dmtrace_text columns[COLUMNS], rest = text;
	size_t count = 0;

	while (rest.bytes != NULL && count < COLUMNS)
		columns[count++] = dmt_text_cut(&rest, '\t');
	print_string(out, " ");
	if (rest.bytes != NULL || !is_usual_method(columns, count)) {
		put_quoted(out, text);
		return;
	}
	print_text(out, columns[0]);
	if (count > 1) {
		print_string(out, ".");
		print_text(out, columns[1]);
		print_text(out, columns[2]);
	}
	if (count > 3) {
		print_string(out, " ");
		print_text(out, columns[3]);
	}
	if (count > 4) {
		print_string(out, ":");
		print_text(out, columns[4]);
	}
}

static void
print_method(struct dmt_output *out, const struct text_statement *statement,
    bool v2)
{
	struct dmtrace_text rest = statement->line;
	char number[24];

	print_string(out, "method ");
	if (v2) {
		snprintf(number, sizeof(number), "0x%" PRIx64, statement->id);
		print_string(out, number);
		print_method_name(out, rest);
		return;
	}
	const struct dmtrace_text id = dmt_text_cut(&rest, '\t');
	if (rest.bytes == NULL || !dmt_text_is_word(id)) {
		put_quoted(out, statement->line);
		return;
	}
	print_text(out, id);
	print_method_name(out, rest);
}

static bool
is_usual_option(struct dmtrace_text line)
{
	size_t i = 0;

	while (i < line.len && (dmt_text_holds(dmt_text_of("-_."),
	    line.bytes[i]) || (line.bytes[i] >= 'a' && line.bytes[i] <= 'z')))
		i++;
	return i > 0 && i < line.len && line.bytes[i] == '=' &&
	    dmt_text_is_words(line);
}

static void
put_field(struct dmt_output *out, const char *name, uint64_t value,
    const char *unit)
{
	char text[64];

	snprintf(text, sizeof(text), " %s=%" PRIu64 "%s", name, value, unit);
	print_string(out, text);
}

static void
print_header(struct dmt_output *out, const struct text_state *state,
    const struct text_header *header)
{
	const struct dmt_version *const row =
	    dmt_version_find(header->version);
	const unsigned dialect = row == NULL ? 0 : row->dialect;
	const struct text_header usual =
	    dmt_text_header_of(state, header->version);
	static const char *const stages[] = { "b", "c", "e", "f" };
	char text[64];

	if (header->stage == DMT_STAGE_LONG) {
		print_string(out, "header long");
		return;
	}
	if (dialect != 0)
		snprintf(text, sizeof(text), "header %s",
		    dmt_dialect_names[dialect - 1]);
	else
		snprintf(text, sizeof(text), "header version=0x%x",
		    header->version);
	print_string(out, text);
	if (dmt_version_container(header->version) ==
	    DMTRACE_CONTAINER_PACKETS) {
		const bool ns = dmt_v2_has_ns(header->stage);

		print_string(out, " stage=");
		print_string(out, stages[header->stage]);
		put_field(out, "start", header->start, ns ? "ns" : "us");
		if (header->start_ticks != 0)
			put_field(out, "ticks", header->start_ticks, "");
		if (header->tick_hz != 0)
			put_field(out, "hz", header->tick_hz, "");
		if (header->mark != dmt_v2_stage_mark(header->stage))
			put_field(out, "mark", header->mark, "");
	} else {
		put_field(out, "start", header->start, "us");
		if (header->offset != usual.offset)
			put_field(out, "offset", header->offset, "");
		if (header->size != usual.size)
			put_field(out, "size", header->size, "");
		if (header->distance != (header->size != usual.size ?
		    header->size : usual.distance))
			put_field(out, "records", header->distance, "");
		if (header->wide)
			put_field(out, "ids", 8, "");
	}
}

/* Writes the decimal number before end. Returns where it begins. */
static char *
put_decimal(char *end, uint64_t value)
{
	do
		*--end = (char)('0' + value % 10);
	while ((value /= 10) > 0);
	return end;
}

static char *
put_text_time(char *end, uint64_t time_ns)
{
	*--end = 's';
	if (time_ns % 1000 != 0) {
		*--end = 'n';
		return put_decimal(end, time_ns);
	}
	*--end = 'u';
	return put_decimal(end, time_ns / 1000);
}

static void
print_finish(struct dmt_output *out, const struct text_statement *statement)
{
	const uint64_t times[] = {
		statement->end_ns, statement->monotonic_ns
	};

	print_string(out, "finish");
	for (size_t i = 0; i < 2; i++) {
		char text[32], *const end = text + sizeof(text);
		char *at = put_text_time(end, times[i]);

		*--at = ' ';
		dmt_output_write(out, at, (size_t)(end - at));
	}
}

void
dmt_text_print(struct dmt_output *out, const struct text_state *state,
    const struct text_statement *statement)
{
	const bool data = state->data != TEXT_NO_DATA && !state->in_summary;

	switch (statement->word) {
	case TEXT_NUMBER:
		print_string(out, "key");
		print_name(out, statement->line);
		break;
	case TEXT_HEADING:
		print_string(out, statement->section == DMT_SECTION_UNKNOWN ?
		    "*" : dmt_section_name(statement->section));
		if (statement->section == DMT_SECTION_UNKNOWN ||
		    !dmt_text_is(statement->line,
		    dmt_section_name(statement->section))) {
			print_string(out, " ");
			put_quoted(out, statement->line);
		}
		break;
	case TEXT_OPTION:
		if (is_usual_option(statement->line)) {
			print_text(out, statement->line);
			break;
		}
		print_string(out, "option ");
		put_quoted(out, statement->line);
		break;
	case TEXT_THREAD:
		print_thread(out, statement, data);
		break;
	case TEXT_METHOD:
		print_method(out, statement,
		    data && state->data == TEXT_PACKETS);
		break;
	case TEXT_HEADER:
		print_header(out, state, &statement->header);
		break;
	case TEXT_SUMMARY:
		print_string(out, "summary");
		break;
	case TEXT_SUMMARY_END:
		print_string(out, "end");
		break;
	case TEXT_BLOCK:
		print_string(out, "block");
		break;
	case TEXT_FINISH:
		print_finish(out, statement);
		break;
	}
	print_string(out, "\n");
}

/* Chooses the indentation of an event and its sign: none if the indentation
 * alone says what the event is (text_line.c). */
static char
place_event(uint32_t *indent, const struct text_thread *thread,
    const struct dmtrace_event *event)
{
	const struct text_frame *const top =
	    thread->depth == 0 ? NULL : &thread->frames[thread->depth - 1];
	const size_t depth = thread->depth;

	*indent = depth < TEXT_INDENT_MAX ? (uint32_t)depth : TEXT_INDENT_MAX;
	switch (event->action) {
	case DMTRACE_ENTER:
		return top == NULL || *indent > top->indent ? '\0' : '>';
	case DMTRACE_RESERVED:
		return '?';
	default:
		break;
	}
	const size_t found = dmt_text_thread_find(thread, event->method);
	if (found > 0)
		*indent = thread->frames[found - 1].indent;
	if (event->action == DMTRACE_UNROLL)
		return '!';
	return found > 0 && found == depth ? '\0' : '<';
}

bool
dmt_text_print_event(struct dmt_output *out, struct text_state *state,
    const struct dmtrace_event *event, bool ends_innermost)
{
	struct text_thread *const thread =
	    dmt_text_thread_get(state, event->thread);
	struct dmtrace_event shown = *event;
	uint32_t indent;
	enum { FRONT = 96 };		/* two times and a number */
	char head[FRONT + TEXT_INDENT_MAX + 1];
	char *at = head + FRONT;

	if (thread == NULL)
		return false;
	if (ends_innermost)
		shown.method = thread->depth == 0 ? UINT64_MAX :
		    thread->frames[thread->depth - 1].method;
	const char sign = place_event(&indent, thread, &shown);
	const struct dmtrace_text name = shown.method == UINT64_MAX ?
	    dmt_text_of("-") : dmt_text_names_show(&state->names, shown.method);

	/* The time and the thread are written in front of at, the rest after
	 * it. */
	char *end = at;
	*--at = ' ';
	at = put_decimal(at, event->thread);
	*--at = ' ';
	const bool both = event->cpu_ns != DMTRACE_NO_TIME &&
	    event->wall_ns != DMTRACE_NO_TIME;
	if (both && event->cpu_ns != event->wall_ns) {
		at = put_text_time(at, event->cpu_ns);
		*--at = '/';
	}
	at = put_text_time(at, event->wall_ns != DMTRACE_NO_TIME ?
	    event->wall_ns : event->cpu_ns);
	memset(end, ' ', indent);
	end += indent;
	if (sign != '\0')
		*end++ = sign;
	dmt_output_write(out, at, (size_t)(end - at));
	print_text(out, name);
	print_string(out, "\n");
	return dmt_text_thread_apply(thread, event->action, shown.method,
	    indent);
}

bool
dmt_text_is_printed(const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((bytes[i] < ' ' || bytes[i] >= 0x7f) &&
		    bytes[i] != '\t' && bytes[i] != '\r')
			return false;
	return true;
}

/* Returns how many bytes the next line has, and if it quotes them: a line of
 * text. */
static size_t
next_bytes_line(const uint8_t *bytes, size_t len, bool *quote)
{
	if (len > TEXT_BYTES_LINE)
		len = TEXT_BYTES_LINE;
	const uint8_t *const lf = len == 0 ? NULL : memchr(bytes, '\n', len);
	const size_t text = lf == NULL ? len : (size_t)(lf - bytes);

	*quote = dmt_text_is_printed(bytes, text);
	return *quote && lf != NULL ? text + 1 : len;
}

void
dmt_text_print_bytes(struct dmt_output *out, const uint8_t *bytes, size_t len,
    bool replace)
{
	const char *word = replace ? "= " : "bytes ";
	char hex[2 * TEXT_BYTES_LINE];
	bool quote;

	do {
		const size_t count = next_bytes_line(bytes, len, &quote);

		print_string(out, word);
		if (quote)
			put_quoted(out, (struct dmtrace_text){
			    (const char *)bytes, count });
		for (size_t i = 0; !quote && i < count; i++) {
			hex[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
			hex[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
		}
		if (!quote)
			dmt_output_write(out, hex, 2 * count);
		print_string(out, "\n");
		bytes += count;
		len -= count;
		word = "bytes ";
	} while (len > 0);
}
