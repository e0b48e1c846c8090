/* parse.c - the lines of a key, one after the other, for what they are */

/*
 * The one parser of keys. It takes what is there: any line end, blanks for
 * TABs, sections in any order, numbers in any form, and goes on where a line
 * makes no sense. Each line becomes an item: a heading, the number, an option,
 * a row, or nothing; what is odd about it is noted in the item, and told as a
 * finding with its line where somebody asks. What becomes of an item is for
 * those that take it: the key (key_decode.c) has its rows, a repair
 * (key_mend.c) writes it as it should be, and the verdicts of readers
 * (lib/verify/traits_key.c) compare it with what other parsers would read.
 * Nothing is kept from line to line but the section, so that the cost is that
 * of one look at each byte.
 */

#include "key/parse.h"

#include "key/number.h"

static void
note_line(const struct dmt_parse *parse, enum dmt_finding which)
{
	dmt_line_note(&parse->lines.line, which);
}

/* The first one is "*version", whatever it looks like. */
static void
begin_section(struct dmt_parse *parse)
{
	const struct dmtrace_text text = parse->lines.line.text;

	if (parse->wants_number)
		note_line(parse, DMT_KEY_VERSION_BAD);
	parse->item = DMT_ITEM_HEADING;
	parse->section = parse->seen == 0 ? DMT_SECTION_VERSION :
	    dmt_section_find(text);
	parse->wants_number = parse->seen == 0;
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
	    text.len != strlen(dmt_section_name(parse->section)))
		note_line(parse, DMT_KEY_SECTION_BLANKS);
}

/* The line below "*version" is its number, unless it is an option. */
static bool
take_number(struct dmt_parse *parse)
{
	const struct dmtrace_text text = parse->lines.line.text;
	bool odd = true;

	parse->wants_number = false;
	parse->is_row = !dmt_text_holds(text, '=') &&
	    dmt_number_decode(&parse->number, &odd, text);
	parse->is_plain = parse->is_row && !odd;
	if (!parse->is_plain)
		note_line(parse, DMT_KEY_VERSION_BAD);
	if (dmt_text_holds(text, '='))
		return false;
	parse->item = DMT_ITEM_NUMBER;
	return true;
}

static void
take_row(struct dmt_parse *parse)
{
	const struct dmt_line *const line = &parse->lines.line;

	if (parse->wants_number && take_number(parse))
		return;
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

/* More NULs than a name may have by right: zeros of a block that never
 * reached the disk. */
static bool
is_zeroed(struct dmtrace_text text)
{
	size_t nuls = 0;

	if (memchr(text.bytes, '\0', text.len) == NULL)
		return false;
	for (size_t i = 0; i < text.len; i++)
		nuls += text.bytes[i] == '\0';
	return nuls >= 4;
}

bool
dmt_parse_next(struct dmt_parse *parse)
{
	if (!parse->begun)
		parse->section = DMT_SECTION_UNKNOWN;
	parse->begun = true;
	parse->lines.line.found = &parse->found;
	if (parse->section == DMT_SECTION_END || !dmt_lines_next(&parse->lines))
		return false;
	parse->is_row = false;
	const bool zeroed = is_zeroed(parse->lines.line.text);
	if (zeroed)
		dmt_line_note(&parse->lines.line, DMT_KEY_LINE_ZEROED);
	if (parse->lines.blank)
		parse->item = DMT_ITEM_BLANK;
	else if (parse->lines.mends && zeroed)
		parse->item = DMT_ITEM_ZEROED;
	else if (parse->lines.line.text.bytes[0] == '*')
		begin_section(parse);
	else
		take_row(parse);
	return true;
}
