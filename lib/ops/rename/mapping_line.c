/* mapping_line.c - a line of a mapping of R8 or ProGuard */

/*
 * The lines that matter:
 *
 *	com.app.Main -> a.b:
 *	    int count -> a
 *	    void run(int,com.app.Item[]) -> b
 *	    3:7:void com.app.Other.stop():40:44 -> c
 *	# {"id":"sourceFile","fileName":"Main.kt"}
 *	    # {"id":"com.android.tools.r8.residualsignature","signature":"()V"}
 *
 * The numbers before a method are its lines in the release, those after it its
 * lines in the source, of which the last one or both may be missing. A method
 * that was inlined or moved names its class. Other comments say nothing that a
 * trace has.
 */

#include "ops/rename/mapping_line.h"

#include "key/line_text.h"
#include "private/text.h"

static struct dmtrace_text
trim(struct dmtrace_text text)
{
	while (text.len > 0 && (*text.bytes == ' ' || *text.bytes == '\t')) {
		text.bytes++;
		text.len--;
	}
	while (text.len > 0 && (text.bytes[text.len - 1] == ' ' ||
	    text.bytes[text.len - 1] == '\t' ||
	    text.bytes[text.len - 1] == '\r'))
		text.len--;
	return text;
}

static struct dmtrace_text
part(struct dmtrace_text text, size_t from, size_t to)
{
	return (struct dmtrace_text){ text.bytes + from, to - from };
}

/* Returns where a string is in the text; text.len: nowhere. */
static size_t
find_in(struct dmtrace_text text, const char *string)
{
	const size_t len = strlen(string);

	for (size_t i = 0; i + len <= text.len; i++) {
		const char *const at = memchr(text.bytes + i, string[0],
		    text.len - len + 1 - i);

		if (at == NULL)
			break;
		i = (size_t)(at - text.bytes);
		if (memcmp(at, string, len) == 0)
			return i;
	}
	return text.len;
}

/* Returns the value of a member with that name, of an object in JSON with
 * strings as values; quotes are " or '. Empty: it has none. */
static struct dmtrace_text
find_member(struct dmtrace_text object, const char *name)
{
	const size_t len = strlen(name);

	for (size_t i = 0; i + len + 2 < object.len; i++) {
		const char quote = object.bytes[i];

		if ((quote != '"' && quote != '\'') ||
		    memcmp(object.bytes + i + 1, name, len) != 0 ||
		    object.bytes[i + 1 + len] != quote)
			continue;
		struct dmtrace_text rest =
		    trim(part(object, i + len + 2, object.len));
		if (!dmt_text_begins(rest, ":"))
			continue;
		rest = trim(part(rest, 1, rest.len));
		if (rest.len == 0 ||
		    (*rest.bytes != '"' && *rest.bytes != '\''))
			break;
		const char *const end = rest.len < 2 ? NULL :
		    memchr(rest.bytes + 1, *rest.bytes, rest.len - 1);
		if (end == NULL)
			break;
		return part(rest, 1, (size_t)(end - rest.bytes));
	}
	return (struct dmtrace_text){ NULL, 0 };
}

static void
parse_comment(struct dmt_mapping_line *out, struct dmtrace_text comment)
{
	const struct dmtrace_text id = find_member(comment, "id");

	out->kind = DMT_MAPPING_EMPTY;
	if (dmt_text_is(id, "sourceFile")) {
		out->original = find_member(comment, "fileName");
		if (out->original.len > 0 &&
		    dmt_text_is_plain(out->original) &&
		    !dmt_text_holds(out->original, '\t'))
			out->kind = DMT_MAPPING_FILE;
	} else if (dmt_text_is(id,
	    "com.android.tools.r8.residualsignature")) {
		out->renamed = find_member(comment, "signature");
		if (out->renamed.len > 0)
			out->kind = DMT_MAPPING_RESIDUAL;
	}
}

/* Takes the digits at the beginning of *rest as a number. false: there are
 * none, or the number has no place in a line column. */
static bool
take_line_number(struct dmtrace_text *rest, uint32_t *number)
{
	uint64_t value = 0;
	size_t len = 0;

	while (len < rest->len && rest->bytes[len] >= '0' &&
	    rest->bytes[len] <= '9' && value <= INT32_MAX)
		value = value * 10 + (uint64_t)(rest->bytes[len++] - '0');
	if (len == 0 || value > INT32_MAX)
		return false;
	*number = (uint32_t)value;
	*rest = part(*rest, len, rest->len);
	return true;
}

static bool
take_colon(struct dmtrace_text *rest)
{
	if (!dmt_text_begins(*rest, ":"))
		return false;
	*rest = part(*rest, 1, rest->len);
	return true;
}

/* Parses what precedes the arrow of a member. false: it is none. */
static bool
parse_member(struct dmt_mapping_line *out, struct dmtrace_text text)
{
	if (take_line_number(&text, &out->from) && (!take_colon(&text) ||
	    !take_line_number(&text, &out->to) || !take_colon(&text) ||
	    out->from > out->to))
		return false;
	const size_t space = find_in(text, " ");
	if (space == text.len || space == 0)
		return false;
	out->result = part(text, 0, space);
	if (dmt_text_holds(out->result, ':') ||
	    (*text.bytes >= '0' && *text.bytes <= '9'))
		return false;
	text = trim(part(text, space, text.len));
	const size_t open = find_in(text, "("), close = find_in(text, ")");
	if (open == text.len && close == text.len) {
		out->kind = DMT_MAPPING_FIELD;
		return text.len > 0;
	}
	if (open == 0 || close == text.len || close < open)
		return false;
	out->parameters = part(text, open + 1, close);
	out->original = part(text, 0, open);
	for (size_t i = open; i > 1; i--)
		if (text.bytes[i - 1] == '.') {
			out->holder = part(text, 0, i - 1);
			out->original = part(text, i, open);
			break;
		}
	text = part(text, close + 1, text.len);
	if (text.len > 0 && (!take_colon(&text) ||
	    !take_line_number(&text, &out->original_from)))
		return false;
	if (text.len > 0 && (!take_colon(&text) ||
	    !take_line_number(&text, &out->original_to)))
		return false;
	out->kind = DMT_MAPPING_METHOD;
	return text.len == 0 && out->original.len > 0;
}

void
dmt_mapping_parse(struct dmt_mapping_line *out, struct dmtrace_text line)
{
	const struct dmtrace_text text = trim(line);
	const bool is_member = line.len > 0 &&
	    (*line.bytes == ' ' || *line.bytes == '\t');

	*out = (struct dmt_mapping_line){
		.kind = DMT_MAPPING_OTHER, .from = DMT_MAPPING_NO_LINE,
		.to = DMT_MAPPING_NO_LINE,
		.original_from = DMT_MAPPING_NO_LINE,
		.original_to = DMT_MAPPING_NO_LINE
	};
	if (text.len == 0) {
		out->kind = DMT_MAPPING_EMPTY;
		return;
	}
	if (*text.bytes == '#') {
		parse_comment(out, text);
		return;
	}
	const size_t arrow = find_in(text, " -> ");
	if (arrow == text.len || arrow == 0 || !dmt_text_is_plain(text) ||
	    dmt_text_holds(text, '\t'))
		return;
	const struct dmtrace_text left = trim(part(text, 0, arrow));
	out->renamed = trim(part(text, arrow + 4, text.len));
	if (out->renamed.len == 0)
		return;
	if (is_member) {
		if (!parse_member(out, left))
			out->kind = DMT_MAPPING_OTHER;
	} else if (out->renamed.bytes[out->renamed.len - 1] == ':' &&
	    out->renamed.len > 1) {
		out->kind = DMT_MAPPING_CLASS;
		out->original = left;
		out->renamed.len--;
	}
}
