/* parse.h - the lines of a key, one after the other, and what each one is */
#ifndef DMT_KEY_PARSE_H
#define DMT_KEY_PARSE_H

#include "key/line_decode.h"

enum dmt_section {
	DMT_SECTION_VERSION,	/* "*version", its number and the options */
	DMT_SECTION_THREADS,
	DMT_SECTION_METHODS,
	DMT_SECTION_END,
	DMT_SECTION_UNKNOWN	/* any other line that begins with '*' */
};

/* "*threads" for DMT_SECTION_THREADS and so on; not for _UNKNOWN. */
const char *
dmt_section_name(enum dmt_section section);

/* Where the parser is in the text. */
struct dmt_lines {
	struct dmtrace_text text;
	struct dmt_line line;
	size_t at;			/* where the line begins in text */
	size_t next;			/* and where the one after it does */
	bool mends;			/* CR CR LF, as in a copy of a copy, is
					   a line end, too */
	bool begun;			/* it is the first one, or later */
	bool blank;			/* nothing is in it */
	bool crlf;			/* the first one ended in CR LF */
};

enum dmt_item {
	DMT_ITEM_BLANK,
	DMT_ITEM_ZEROED,		/* only where lines.mends */
	DMT_ITEM_HEADING,		/* of section */
	DMT_ITEM_NUMBER,		/* below "*version" */
	DMT_ITEM_OPTION,
	DMT_ITEM_THREAD,
	DMT_ITEM_METHOD,
	DMT_ITEM_STRAY			/* of no section that is known */
};

/* Set lines.text, perhaps lines.line.findings and lines.mends, for which lines
 * of zeros are none; the rest is zero. */
struct dmt_parse {
	struct dmt_lines lines;
	bool begun;
	enum dmt_section section;	/* that the line is in */
	unsigned seen;			/* a bit for each section so far */
	bool wants_number;
	enum dmt_item item;
	bool is_row;			/* the next is what it says: */
	uint32_t number;
	bool is_plain;			/* the number has no blanks or zeros */
	struct dmtrace_option option;
	struct dmtrace_thread thread;
	struct dmtrace_method method;
	struct dmt_found found;		/* in this line */
};

/*
 * Goes on to the next line, the first one that is not blank at first. Without
 * its line end, and the first without what may precede "*version", it is in
 * lines.line. Of what was found only what is in this line stays in found; the
 * blank lines before the first count as a part of it. false: there is no line
 * left, or "*end" was the last one.
 */
bool
dmt_parse_next(struct dmt_parse *parse);

#endif
