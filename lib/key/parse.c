/* parse.c - the lenient parser of keys, line by line */

/*
 * This is the only parser of keys. It accepts any line end, blanks for TABs,
 * sections in any order and numbers in any form, and continues after a line
 * that makes no sense. Each line becomes an item: a heading, the version
 * number, an option, a row, or nothing. Everything wrong or unusual in the
 * line is recorded in the item, and reported as a finding with the line's
 * number if the caller asks for findings. The callers use the items in
 * different ways: key_decode.c adds rows to a key, key_mend.c writes them in
 * the correct form, and lib/verify/validate/ compares them with what other
 * parsers would read. The only state between lines is the section, so each
 * byte is looked at about once.
 */

#include "key/parse.h"

#include <string.h>

#include "key/number.h"
#include "key/line_text.h"
#include "private/utf8.h"

#define BOM "\xef\xbb\xbf"
#define REPLACEMENT "\xef\xbf\xbd"	/* U+FFFD, which replaced bytes that
					   were not UTF-8 */

static const char *const section_names[] = {
	[DMT_SECTION_VERSION] = "*version",
	[DMT_SECTION_THREADS] = "*threads",
	[DMT_SECTION_METHODS] = "*methods",
	[DMT_SECTION_END] = "*end",
};

const char *
dmt_section_name(enum dmt_section section)
{
	return section_names[section];
}

/* Notes bytes that are not UTF-8, and replacement characters. */
static void
check_encoding(const struct dmt_line *line)
{
	struct dmtrace_text rest = line->text;

	if (!dmt_utf8_valid(line->text.bytes, line->text.len))
		dmt_line_note(line, DMT_KEY_NOT_UTF8);
	while (rest.len > 0) {
		const char *const first =
		    memchr(rest.bytes, REPLACEMENT[0], rest.len);

		if (first == NULL)
			break;
		rest = dmt_text_after(rest, (size_t)(first - rest.bytes));
		if (dmt_text_begins(rest, REPLACEMENT)) {
			dmt_line_note(line, DMT_KEY_DAMAGED);
			break;
		}
		rest = dmt_text_after(rest, 1);
	}
}

/* Moves to the next line; before the first one, blank lines are skipped.
 * false: there is none. */
static bool
go_to_next_line(struct dmt_lines *lines)
{
	struct dmt_line *const line = &lines->line;
	struct dmtrace_text *const text = &line->text;

	while (lines->next < lines->text.len) {
		if (lines->begun)
			line->found->count = 0;

		const struct dmtrace_text rest =
		    dmt_text_after(lines->text, lines->next);
		const char *const lf = memchr(rest.bytes, '\n', rest.len);
		size_t len = lf == NULL ? rest.len : (size_t)(lf - rest.bytes);
		lines->at = lines->next;
		lines->next += len + (lf != NULL);
		line->number++;

		/* The CR belongs to the line end; findings quote the line
		 * without it. */
		const bool crlf =
		    lf != NULL && len > 0 && rest.bytes[len - 1] == '\r';
		if (crlf)
			len--;
		while ((crlf || lf == NULL) && lines->mends && len > 0 &&
		    rest.bytes[len - 1] == '\r')
			len--;
		*text = (struct dmtrace_text){ rest.bytes, len };
		lines->crlf |= crlf && line->number == 1;
		if (crlf)
			dmt_line_note(line, DMT_KEY_CRLF);
		check_encoding(line);

		/* Removes a byte order mark and blanks before "*version". */
		if (line->number == 1 && dmt_text_begins(*text, BOM)) {
			*text = dmt_text_after(*text, strlen(BOM));
			dmt_line_note(line, DMT_KEY_BOM);
		}
		if (!lines->begun) {
			size_t blanks = 0;

			while (blanks < text->len &&
			    memchr(" \t\r", text->bytes[blanks], 3))
				blanks++;
			if (blanks > 0 || text->len == 0)
				dmt_line_note(line, DMT_KEY_LEADING_BLANK);
			*text = dmt_text_after(*text, blanks);
		}

		lines->blank = dmt_text_trim(*text).len == 0;
		if (lines->blank && lines->begun)
			dmt_line_note(line, DMT_KEY_BLANK_LINE);
		lines->begun |= !lines->blank;
		if (lines->begun)
			return true;
	}
	return false;
}

static void
note_line(const struct dmt_parse *parse, enum dmt_finding which)
{
	dmt_line_note(&parse->lines.line, which);
}

/* Returns the section for a line that begins with '*'. "*end" need only be a
 * prefix of the line; other names must be the whole line, except for blanks at
 * its end. */
static enum dmt_section
find_section_named(struct dmtrace_text line)
{
	const struct dmtrace_text bare = dmt_text_trim(line);

	if (dmt_text_begins(line, section_names[DMT_SECTION_END]))
		return DMT_SECTION_END;
	for (unsigned i = 0; i < DMT_SECTION_END; i++)
		if (dmt_text_is(bare, section_names[i]))
			return (enum dmt_section)i;
	return DMT_SECTION_UNKNOWN;
}

/* The first heading counts as "*version", whatever it says. */
static void
parse_heading(struct dmt_parse *parse)
{
	const struct dmtrace_text text = parse->lines.line.text;

	parse->item = DMT_ITEM_HEADING;
	parse->section = parse->seen == 0 ? DMT_SECTION_VERSION :
	    find_section_named(text);
	/* If "*version" occurs twice, the number may follow the second one. */
	if (parse->wants_number && parse->section != DMT_SECTION_VERSION)
		note_line(parse, DMT_KEY_VERSION_BAD);
	parse->wants_number = parse->seen == 0 || (parse->wants_number &&
	    parse->section == DMT_SECTION_VERSION);
	if (parse->section == DMT_SECTION_UNKNOWN) {
		note_line(parse, DMT_KEY_SECTION_UNKNOWN);
		return;
	}
	if ((parse->seen & 1u << parse->section) != 0)
		note_line(parse, DMT_KEY_SECTION_REPEATED);
	else if (parse->seen >> parse->section != 0)
		note_line(parse, DMT_KEY_SECTION_ORDER);
	parse->seen |= 1u << parse->section;
	if (parse->section != DMT_SECTION_END &&
	    text.len != strlen(section_names[parse->section]))
		note_line(parse, DMT_KEY_SECTION_BLANKS);
}

static void
parse_row(struct dmt_parse *parse)
{
	const struct dmt_line *const line = &parse->lines.line;

	/* The line after "*version" is the number, unless it is an option. */
	if (parse->wants_number) {
		const bool is_option = dmt_text_holds(line->text, '=');
		bool unusual = true;

		parse->wants_number = false;
		parse->is_row = !is_option && dmt_number_decode(
		    &parse->number, &unusual, line->text);
		parse->is_plain = parse->is_row && !unusual;
		if (!parse->is_plain)
			note_line(parse, DMT_KEY_VERSION_BAD);
		parse->item = DMT_ITEM_NUMBER;
		if (!is_option)
			return;
	}
	switch (parse->section) {
	case DMT_SECTION_VERSION:
		parse->item = DMT_ITEM_OPTION;
		parse->is_row = dmt_option_decode(&parse->option, line);
		break;
	case DMT_SECTION_THREADS:
		parse->item = DMT_ITEM_THREAD;
		parse->is_row = dmt_thread_decode(&parse->thread, line);
		break;
	case DMT_SECTION_METHODS:
		parse->item = DMT_ITEM_METHOD;
		parse->is_row = dmt_method_decode(&parse->method, line);
		break;
	default:
		parse->item = DMT_ITEM_STRAY;
	}
}

bool
dmt_line_is_zeroed(struct dmtrace_text line)
{
	size_t nuls = 0;

	if (dmt_text_holds(line, '\0'))
		for (size_t i = 0; i < line.len; i++)
			nuls += line.bytes[i] == '\0';
	return nuls >= 4;
}

bool
dmt_parse_next(struct dmt_parse *parse)
{
	if (!parse->begun)
		parse->section = DMT_SECTION_UNKNOWN;
	parse->begun = true;
	parse->lines.line.found = &parse->found;
	if (parse->section == DMT_SECTION_END ||
	    !go_to_next_line(&parse->lines))
		return false;
	parse->is_row = false;

	const struct dmtrace_text text = parse->lines.line.text;
	const bool zeroed = dmt_line_is_zeroed(text);
	if (zeroed)
		note_line(parse, DMT_KEY_LINE_ZEROED);
	if (parse->lines.blank)
		parse->item = DMT_ITEM_BLANK;
	else if (parse->lines.mends && zeroed)
		parse->item = DMT_ITEM_ZEROED;
	else if (text.bytes[0] == '*')
		parse_heading(parse);
	else
		parse_row(parse);
	return true;
}
