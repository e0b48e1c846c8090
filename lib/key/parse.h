/* parse.h - the lenient parser of keys, line by line */
#ifndef DMT_KEY_PARSE_H
#define DMT_KEY_PARSE_H

#include "key/line_decode.h"

enum dmt_section {
	DMT_SECTION_VERSION,	/* "*version": the number and the options */
	DMT_SECTION_THREADS,
	DMT_SECTION_METHODS,
	DMT_SECTION_END,
	DMT_SECTION_UNKNOWN	/* any other line that begins with '*' */
};

/* Returns "*threads" for DMT_SECTION_THREADS and so on; not for
 * DMT_SECTION_UNKNOWN. */
const char *
dmt_section_name(enum dmt_section section);

/* The text and the current line. */
struct dmt_lines {
	struct dmtrace_text text;
	struct dmt_line line;
	size_t at;			/* offset of the line in text */
	size_t next;			/* offset of the next line */
	bool mends;			/* CR CR LF, made by two conversions,
					   is one line end */
	bool begun;			/* the first line has been reached */
	bool blank;			/* the line is empty or blank */
	bool crlf;			/* the first line ended in CR LF */
};

enum dmt_item {
	DMT_ITEM_BLANK,
	DMT_ITEM_ZEROED,		/* a block of zeros; only if
					   lines.mends */
	DMT_ITEM_HEADING,		/* the heading of a section */
	DMT_ITEM_NUMBER,		/* the version number */
	DMT_ITEM_OPTION,
	DMT_ITEM_THREAD,
	DMT_ITEM_METHOD,
	DMT_ITEM_STRAY			/* in no known section */
};

/* Set lines.text, and optionally lines.line.findings and lines.mends (lines of
 * zeros are then DMT_ITEM_ZEROED); zero the rest. */
struct dmt_parse {
	struct dmt_lines lines;
	bool begun;
	enum dmt_section section;	/* of the current line */
	unsigned seen;			/* a bit for each section seen so far */
	bool wants_number;
	enum dmt_item item;
	bool is_row;			/* one of the following is set: */
	uint32_t number;
	bool is_plain;			/* the number has no blanks or leading
					   zeros */
	struct dmtrace_option option;
	struct dmtrace_thread thread;
	struct dmtrace_method method;
	struct dmt_found found;		/* in the current line */
};

/* Returns true for a line with four or more NULs. A name never has so many:
 * this is a block of zeros that never reached the disk, or not text at all. */
bool
dmt_line_is_zeroed(struct dmtrace_text line);

/*
 * Moves to the next line; at first, to the first line that is not blank.
 * lines.line has the line without its line end, and the first line without
 * what may precede "*version". found has the findings of this line only; blank
 * lines before the first line count as a part of it. false: there is no line
 * left, or the last one was "*end".
 */
bool
dmt_parse_next(struct dmt_parse *parse);

#endif
