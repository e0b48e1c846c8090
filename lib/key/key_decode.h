/* key_decode.h - lines to rows; the mirror of key_encode.h */
#ifndef DMT_KEY_KEY_DECODE_H
#define DMT_KEY_KEY_DECODE_H

#include "key/key.h"

/* The line being decoded, without its line end, and where it stands. */
struct dmt_line_at {
	const char *bytes;
	size_t len;
	uint64_t number;		/* from 1 */
	struct dmt_findings *findings;
};

/*
 * Each decodes a line to a row whose texts point into it. What is odd goes
 * to the findings; false: no row can be made of it, which is one too.
 */
bool
dmt_option_decode(struct dmtrace_option *option,
    const struct dmt_line_at *line);
bool
dmt_thread_decode(struct dmtrace_thread *thread,
    const struct dmt_line_at *line);
bool
dmt_method_decode(struct dmtrace_method *method,
    const struct dmt_line_at *line);

#endif
