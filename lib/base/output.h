/* output.h - bytes to a file, memory or the caller; files appear complete */
#ifndef DMT_BASE_OUTPUT_H
#define DMT_BASE_OUTPUT_H

#include "base/input.h"
#include "private/output.h"

/*
 * Opens one of many files that are written at the same time: a temporary in
 * the directory of path, which gets its final name by dmt_output_name, before
 * dmt_output_publish. number is unique among these files; room is the size of
 * the buffer in bytes. Between dmt_output_park and dmt_output_resume the
 * output has no descriptor, and can take only as many bytes as fit in the
 * buffer.
 */
enum dmtrace_status
dmt_output_open_part(struct dmt_output *output, const char *path,
    unsigned number, size_t room);
enum dmtrace_status
dmt_output_park(struct dmt_output *output);
enum dmtrace_status
dmt_output_resume(struct dmt_output *output);
enum dmtrace_status
dmt_output_name(struct dmt_output *output, const char *path);

/* The file of an output that was opened by path gets what translate makes of
 * the bytes, in dmt_output_finish; until then they are in a temporary. */
enum dmtrace_status
dmt_output_translate(struct dmt_output *output, dmt_translate_fn *translate);

/* The same for the bytes that were written so far to a temporary: translate
 * writes what takes their place. */
enum dmtrace_status
dmt_output_translate_now(struct dmt_output *output,
    dmt_translate_fn *translate);

void
dmt_output_open_callback(struct dmt_output *output,
    const struct dmtrace_output *call);

/* Writes the rest of the input; stops at a failure of either. */
void
dmt_output_copy(struct dmt_output *output, struct dmt_input *input);

/* Returns true if it has a descriptor of its own: it was opened by a path, and
 * is neither parked nor finished. */
static inline bool
dmt_output_has_fd(const struct dmt_output *output)
{
	return output->path != NULL && output->fd >= 0;
}

/* Writes the buffered bytes, unless the output is to memory. */
void
dmt_output_flush(struct dmt_output *output);

/* Replaces bytes at that offset of a file that has not been published, or of
 * memory. In a file they may also extend beyond the end. */
void
dmt_output_patch(struct dmt_output *output, uint64_t at, const void *bytes,
    size_t len);

/*
 * Opens input at the beginning of what was written to a temporary or to
 * memory. The input must be ended before the output, and nothing may be
 * written until then.
 */
enum dmtrace_status
dmt_output_reread(struct dmt_output *output, struct dmt_input *input);

/* Removes a published file, unless it replaced an older one. */
void
dmt_output_withdraw(struct dmt_output *output);

/* Publishes the data of a pair, then its key. If the key fails, which its error
 * says, the data is withdrawn; a file that it replaced is lost. key may be an
 * output that is not open. */
void
dmt_output_publish_pair(struct dmt_output *data, struct dmt_output *key);

#endif
