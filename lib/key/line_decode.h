/* line_decode.h - lines to rows; the mirror of line_encode.h */
#ifndef DMT_KEY_LINE_DECODE_H
#define DMT_KEY_LINE_DECODE_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "format/finding.h"

/* What was found in one line; no more than that counts. */
struct dmt_found {
	enum dmt_finding items[16];
	size_t count;
};

/* The line being decoded, without its line end, and where it is. */
struct dmt_line {
	struct dmtrace_text text;
	uint64_t number;		/* from 1 */
	struct dmt_findings *findings;	/* NULL: not asked for */
	struct dmt_found *found;	/* so far in the line; NULL: likewise */
};

/*
 * Each decodes a line to a row whose texts point into it. What is wrong or
 * unusual goes to the findings. false: no row can be made of it, which is a
 * finding too.
 */
bool
dmt_option_decode(struct dmtrace_option *option, const struct dmt_line *line);
bool
dmt_thread_decode(struct dmtrace_thread *thread, const struct dmt_line *line);
bool
dmt_method_decode(struct dmtrace_method *method, const struct dmt_line *line);

/* Reports a finding in this line, which it quotes. */
void
dmt_line_note(const struct dmt_line *line, enum dmt_finding which);

#endif
