/* parse.h - the lines of a key, one after the other, for what they are */
#ifndef DMT_KEY_PARSE_H
#define DMT_KEY_PARSE_H

#include "key/lines.h"
#include "key/section.h"

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

/* Goes on to the next line. false: there is none, or "*end" was it. */
bool
dmt_parse_next(struct dmt_parse *parse);

#endif
