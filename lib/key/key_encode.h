/* key_encode.h - rows to lines; the mirror of key_decode.h */
#ifndef DMT_KEY_KEY_ENCODE_H
#define DMT_KEY_KEY_ENCODE_H

#include "base/arena.h"
#include "key/key.h"

/*
 * Each encodes a row to a line with its LF, in the arena, and refuses what
 * would not come back the same.
 *
 * Return DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_RANGE.
 */
enum dmtrace_status
dmt_option_encode(struct dmt_line *line, struct dmt_arena *arena,
    const struct dmtrace_option *option);
enum dmtrace_status
dmt_thread_encode(struct dmt_line *line, struct dmt_arena *arena,
    const struct dmtrace_thread *thread);
enum dmtrace_status
dmt_method_encode(struct dmt_line *line, struct dmt_arena *arena,
    const struct dmtrace_method *method);

#endif
