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
	bool begun;			/* it is the first one, or later */
	bool crlf;			/* the first one ended in CR LF */
};

/*
 * Goes on to the next line that is not blank. Without its line end, and the
 * first without what may stand before "*version", it is in line. Such oddities
 * and blank lines go to the findings. false: there is none left.
 */
bool
dmt_lines_next(struct dmt_lines *lines);

#endif
