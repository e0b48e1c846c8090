/* line_encode.c - encodes rows as lines of a key; mirror of line_decode.c */

#include "key/line_encode.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/escape.h"
#include "key/number.h"
#include "key/line_text.h"

enum { PARTS_MAX = 6 };

/* The texts that a line consists of, with a separator between them. */
struct line_parts {
	struct dmtrace_text *texts[PARTS_MAX];
	size_t count;
};

static enum dmtrace_status
refuse_text(struct dmtrace_error *error, const char *what,
    struct dmtrace_text text)
{
	char shown[DMT_ESCAPED_MAX];

	return dmt_error_set(error, DMTRACE_ERR_RANGE, "%s: \"%s\"", what,
	    dmt_escape(shown, sizeof(shown), text.bytes, text.len));
}

/* Concatenates the parts in the arena, and sets the texts to their copies. */
static enum dmtrace_status
join_parts(struct dmtrace_text *line, const struct line_parts *parts,
    char separator, const struct dmt_encoder *encoder)
{
	size_t len = parts->count - 1 + strlen(encoder->line_end);

	for (size_t i = 0; i < parts->count; i++) {
		if (parts->texts[i]->len > SIZE_MAX / 2 - len)
			return dmt_error_memory(encoder->error);
		len += parts->texts[i]->len;
	}
	char *out = dmt_arena_alloc(encoder->arena, len);
	if (out == NULL)
		return dmt_error_memory(encoder->error);
	*line = (struct dmtrace_text){ out, len };
	for (size_t i = 0; i < parts->count; i++) {
		struct dmtrace_text *text = parts->texts[i];
		if (i > 0)
			*out++ = separator;
		if (text->len > 0)
			memcpy(out, text->bytes, text->len);
		text->bytes = out;
		out += text->len;
	}
	memcpy(out, encoder->line_end, strlen(encoder->line_end));
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_line_encode(struct dmtrace_text *line, struct dmtrace_text text,
    const struct dmt_encoder *encoder)
{
	const struct line_parts parts = { { &text }, 1 };

	return join_parts(line, &parts, '\t', encoder);
}

/* Returns true if the text has none of the bytes that end a line or a column,
 * and no CR. */
static bool
has_no_ends(struct dmtrace_text text, bool tab_allowed)
{
	return !dmt_text_holds(text, '\n') && !dmt_text_holds(text, '\r') &&
	    !dmt_text_holds(text, '\0') &&
	    (tab_allowed || !dmt_text_holds(text, '\t'));
}

static bool
is_option_name(struct dmtrace_text name)
{
	for (size_t i = 0; i < name.len; i++)
		if (name.bytes[i] < '!' || name.bytes[i] > '~' ||
		    name.bytes[i] == '=')
			return false;
	return name.len > 0 && name.bytes[0] != '*';
}

bool
dmt_option_fits(const char *name, const char *value)
{
	return is_option_name(dmt_text_of(name)) &&
	    has_no_ends(dmt_text_of(value), true);
}

enum dmtrace_status
dmt_option_encode(struct dmtrace_text *line, struct dmtrace_option *option,
    const struct dmt_encoder *encoder)
{
	const struct line_parts parts =
	    { { &option->name, &option->value }, 2 };

	if (!is_option_name(option->name))
		return refuse_text(encoder->error,
		    "invalid option name", option->name);
	if (!has_no_ends(option->value, true))
		return refuse_text(encoder->error,
		    "CR, LF or NUL in the value of an option", option->value);
	return join_parts(line, &parts, '=', encoder);
}

enum dmtrace_status
dmt_thread_encode(struct dmtrace_text *line, struct dmtrace_thread *thread,
    const struct dmt_encoder *encoder)
{
	char digits[16];
	struct dmtrace_text id = { digits, 0 };
	const struct line_parts parts = { { &id, &thread->name }, 2 };

	if (!has_no_ends(thread->name, false))
		return refuse_text(encoder->error,
		    "TAB, CR, LF or NUL in the name of a thread",
		    thread->name);
	id.len = (size_t)snprintf(digits, sizeof(digits), "%" PRIu32,
	    thread->id);
	return join_parts(line, &parts, '\t', encoder);
}

/* Returns how many columns the row needs; a method with a class has at least
 * four. */
static size_t
method_columns(const struct dmtrace_method *method)
{
	if (method->line != DMTRACE_NO_LINE)
		return 6;
	if (method->file.len > 0)
		return 5;
	return method->class_name.len > 0 || method->signature.len > 0 ? 4 : 2;
}

/* The number of columns decides what they are, so a method whose columns would
 * be read as others is refused. */
static enum dmtrace_status
check_method(const struct dmtrace_method *method,
    struct dmtrace_error *error)
{
	const struct dmtrace_text texts[] = { method->class_name,
	    method->name, method->signature, method->file };
	int32_t line;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!has_no_ends(texts[i], false))
			return refuse_text(error,
			    "TAB, CR, LF or NUL in a column of a method",
			    texts[i]);
	if ((method->id & 3) != 0)
		return dmt_error_set(error, DMTRACE_ERR_RANGE, "method id 0x%"
		    PRIx64 " has one of its two low bits set", method->id);
	if (method->name.len == 0)
		return refuse_text(error, "method without a name",
		    method->class_name);
	if (method->class_name.len == 0 && method_columns(method) > 2)
		return refuse_text(error,
		    "method with other columns but no class", method->name);
	if (method->line != DMTRACE_NO_LINE && method->file.len == 0)
		return refuse_text(error, "method with a line but no file",
		    method->name);
	if (method_columns(method) == 4 &&
	    dmt_line_number_decode(&line, method->signature))
		return refuse_text(error, "signature that is a number",
		    method->signature);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_method_encode(struct dmtrace_text *line, struct dmtrace_method *method,
    const struct dmt_encoder *encoder)
{
	char id_digits[24], line_digits[16];
	struct dmtrace_text id = { id_digits, 0 };
	struct dmtrace_text line_number = { line_digits, 0 };

	if (method->file.len == 0 && method->line == 0)
		method->line = DMTRACE_NO_LINE;
	struct line_parts parts = { { &id, &method->class_name, &method->name,
	    &method->signature, &method->file, &line_number },
	    method_columns(method) };
	const enum dmtrace_status status =
	    check_method(method, encoder->error);

	if (status != DMTRACE_OK)
		return status;
	if (parts.count == 2)
		parts.texts[1] = &method->name;
	id.len = (size_t)snprintf(id_digits, sizeof(id_digits),
	    "0x%" PRIx64, method->id);
	line_number.len = (size_t)snprintf(line_digits, sizeof(line_digits),
	    "%" PRId32, method->line);
	return join_parts(line, &parts, '\t', encoder);
}
