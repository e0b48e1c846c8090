/* line_encode.h - encodes rows as lines of a key; mirror of line_decode.h */
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

/* Encodes any text as a line. Returns DMTRACE_OK or DMTRACE_ERR_MEMORY. */
enum dmtrace_status
dmt_line_encode(struct dmtrace_text *line, struct dmtrace_text text,
    const struct dmt_encoder *encoder);

/*
 * Each function encodes a row as a line in the arena, ended by line_end, and
 * refuses a row that would be decoded differently. The texts of the row then
 * point into the line. Line number 0 without a file counts as no line number,
 * as a zeroed struct has it.
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

/* Returns true if a key accepts this option. */
bool
dmt_option_fits(const char *name, const char *value);

#endif
