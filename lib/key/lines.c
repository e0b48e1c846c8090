/* lines.c - the lines of a key, one after the other */

#include "key/lines.h"

#include <string.h>

#include "base/utf8.h"
#include "key/text.h"

#define BOM "\xef\xbb\xbf"
#define REPLACEMENT "\xef\xbf\xbd"	/* U+FFFD, for what was not UTF-8 */

static struct dmtrace_text
behind(struct dmtrace_text text, size_t len)
{
	return (struct dmtrace_text){ text.bytes + len, text.len - len };
}

/* The text from the first byte of needle on; empty if there is none. */
static struct dmtrace_text
search_first(struct dmtrace_text text, const char *needle)
{
	const char *found = text.len == 0 ? NULL :
	    memchr(text.bytes, needle[0], text.len);

	return behind(text, found == NULL ? text.len :
	    (size_t)(found - text.bytes));
}

static bool
holds(struct dmtrace_text text, const char *needle)
{
	text = search_first(text, needle);
	while (text.len > 0 && !dmt_text_begins(text, needle))
		text = search_first(behind(text, 1), needle);
	return text.len > 0;
}

static void
check_encoding(const struct dmt_line *line)
{
	if (!dmt_utf8_valid(line->text.bytes, line->text.len))
		dmt_line_note(line, DMT_KEY_NOT_UTF8);
	if (holds(line->text, REPLACEMENT))
		dmt_line_note(line, DMT_KEY_DAMAGED);
}

/* Takes the line end off. */
static void
cut_end(struct dmt_lines *lines)
{
	struct dmtrace_text *text = &lines->line.text;

	if (text->bytes[text->len - 1] != '\n')
		return;
	text->len--;
	if (text->len == 0 || text->bytes[text->len - 1] != '\r')
		return;
	do
		text->len--;
	while (lines->mends && text->len > 0 &&
	    text->bytes[text->len - 1] == '\r');
	lines->crlf |= lines->line.number == 1;
	dmt_line_note(&lines->line, DMT_KEY_CRLF);
}

/* Takes off what may stand before "*version". */
static void
cut_lead(struct dmt_line *line)
{
	struct dmtrace_text *text = &line->text;
	size_t blanks = 0;

	if (line->number == 1 && dmt_text_begins(*text, BOM)) {
		*text = behind(*text, strlen(BOM));
		dmt_line_note(line, DMT_KEY_BOM);
	}
	while (blanks < text->len && memchr(" \t\r", text->bytes[blanks], 3))
		blanks++;
	if (blanks > 0 || text->len == 0)
		dmt_line_note(line, DMT_KEY_LEADING_BLANK);
	*text = behind(*text, blanks);
}

/* The next line, blank or not. */
static void
take(struct dmt_lines *lines)
{
	const struct dmtrace_text rest = behind(lines->text, lines->next);
	const char *lf = memchr(rest.bytes, '\n', rest.len);
	const size_t len =
	    lf == NULL ? rest.len : (size_t)(lf - rest.bytes) + 1;

	lines->at = lines->next;
	lines->next += len;
	lines->line.number++;
	lines->line.text = (struct dmtrace_text){ rest.bytes, len };
	cut_end(lines);
	check_encoding(&lines->line);
}

bool
dmt_lines_next(struct dmt_lines *lines)
{
	while (lines->next < lines->text.len) {
		if (lines->begun && lines->line.found != NULL)
			lines->line.found->count = 0;
		take(lines);
		if (!lines->begun)
			cut_lead(&lines->line);
		lines->blank = dmt_text_trim(lines->line.text).len == 0;
		if (lines->blank && lines->begun)
			dmt_line_note(&lines->line, DMT_KEY_BLANK_LINE);
		lines->begun |= !lines->blank;
		if (lines->begun)
			return true;
	}
	return false;
}
