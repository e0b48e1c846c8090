/* line_decode.h - lines to rows; the mirror of line_encode.h */
#ifndef DMT_KEY_LINE_DECODE_H
#define DMT_KEY_LINE_DECODE_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "format/finding.h"

/* What was found in one line; more than that is as good as that. */
struct dmt_found {
	enum dmt_finding items[16];
	size_t count;
};

static inline bool
dmt_was_found(const struct dmt_found *found, enum dmt_finding which)
{
	for (size_t i = 0; i < found->count; i++)
		if (found->items[i] == which)
			return true;
	return false;
}

/* The line being decoded, without its line end, and where it stands. */
struct dmt_line {
	struct dmtrace_text text;
	uint64_t number;		/* from 1 */
	struct dmt_findings *findings;	/* NULL: nobody asks */
	struct dmt_found *found;	/* so far in the line; NULL: the same */
};

/*
 * Each decodes a line to a row whose texts point into it. What is odd goes
 * to the findings. false: no row can be made of it, which is one too.
 */
bool
dmt_option_decode(struct dmtrace_option *option, const struct dmt_line *line);
bool
dmt_thread_decode(struct dmtrace_thread *thread, const struct dmt_line *line);
bool
dmt_method_decode(struct dmtrace_method *method, const struct dmt_line *line);

/* A finding in this line, with its text behind the words. */
void
dmt_line_note(const struct dmt_line *line, enum dmt_finding which);

#endif
