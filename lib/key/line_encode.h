/* line_encode.h - rows to lines; the mirror of line_decode.h */
#ifndef DMT_KEY_LINE_ENCODE_H
#define DMT_KEY_LINE_ENCODE_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "base/arena.h"

struct dmt_encoder {
	struct dmt_arena *arena;
	const char *line_end;
	struct dmtrace_error *error;
};

/* Encodes a line of that text, whatever it holds. Returns DMTRACE_OK or
 * DMTRACE_ERR_MEMORY. */
enum dmtrace_status
dmt_line_encode(struct dmtrace_text *line, struct dmtrace_text text,
    const struct dmt_encoder *encoder);

/*
 * Each encodes a row to a line in the arena, with line_end after it, and
 * refuses what would not come back the same. The row's texts then point into
 * the line. Line 0 without a file is what an initialiser leaves: no line.
 *
 * Return DMTRACE_OK, DMTRACE_ERR_MEMORY, or DMTRACE_ERR_RANGE with the reason
 * in error.
 */
enum dmtrace_status
dmt_option_encode(struct dmtrace_text *line, struct dmtrace_option *option,
    const struct dmt_encoder *encoder);
enum dmtrace_status
dmt_thread_encode(struct dmtrace_text *line, struct dmtrace_thread *thread,
    const struct dmt_encoder *encoder);
enum dmtrace_status
dmt_method_encode(struct dmtrace_text *line, struct dmtrace_method *method,
    const struct dmt_encoder *encoder);

/* Whether a key takes them as an option, and does not refuse them. */
bool
dmt_option_fits(const char *name, const char *value);

#endif
