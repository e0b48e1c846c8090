/* lines.h - the lines of a key, one after the other */
#ifndef DMT_KEY_LINES_H
#define DMT_KEY_LINES_H

#include <stdbool.h>

#include "key/line_decode.h"

/* A walk over a text: zero but for text and line.findings at first. */
struct dmt_lines {
	struct dmtrace_text text;
	struct dmt_line line;
	size_t at;			/* where the line begins in text */
	size_t next;			/* and where the one behind it does */
	bool mends;			/* CR CR LF, as in a copy of a copy, is
					   a line end, too */
	bool begun;			/* it is the first one, or later */
	bool blank;			/* nothing is in it */
	bool crlf;			/* the first one ended in CR LF */
};

/*
 * Goes on to the next line, the first one that is not blank at first. Without
 * its line end, and the first without what may stand before "*version", it is
 * in line. Such oddities go to the findings; of those in line.found only what
 * is in this line stays, and before the first one. false: there is none left.
 */
bool
dmt_lines_next(struct dmt_lines *lines);

#endif
