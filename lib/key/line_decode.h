/* line_decode.h - decodes lines of a key; mirror of line_encode.h */
#ifndef DMT_KEY_LINE_DECODE_H
#define DMT_KEY_LINE_DECODE_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "format/finding.h"

/* The findings in one line; more than 16 are not stored. */
struct dmt_found {
	enum dmt_finding items[16];
	size_t count;
};

/* A line to decode, without its line end, and its number. */
struct dmt_line {
	struct dmtrace_text text;
	uint64_t number;		/* from 1 on */
	struct dmt_findings *findings;	/* where to report; NULL: nowhere */
	struct dmt_found *found;	/* receives the findings of this line;
					   NULL: not needed */
};

/*
 * Each function decodes a line to a row whose texts point into it. What is
 * wrong or unusual is reported as a finding. false: the line is not such a
 * row, which is reported, too.
 */
bool
dmt_option_decode(struct dmtrace_option *option, const struct dmt_line *line);
bool
dmt_thread_decode(struct dmtrace_thread *thread, const struct dmt_line *line);
bool
dmt_method_decode(struct dmtrace_method *method, const struct dmt_line *line);

/* Reports a finding in this line, and quotes the line. */
void
dmt_line_note(const struct dmt_line *line, enum dmt_finding which);

#endif
