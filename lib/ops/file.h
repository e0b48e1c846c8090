/* file.h - the files of an operation, opened and copied */
#ifndef DMT_OPS_FILE_H
#define DMT_OPS_FILE_H

#include <sys/stat.h>

#include "ops/op.h"

/*
 * Open the file for the operation; what was opened, or could not be, is
 * ended by its fini. flags are those of dmtrace_join.
 */
enum dmtrace_status
dmt_file_read(struct dmtrace_op *op, struct dmt_input *input,
    const struct dmtrace_file *file);
enum dmtrace_status
dmt_file_write(struct dmtrace_op *op, struct dmt_output *output,
    const struct dmtrace_file *file, unsigned flags);

/*
 * Refuses path as a part of the output out if it leads to the file of the
 * input that in is about. path may be NULL.
 */
enum dmtrace_status
dmt_file_check_other(struct dmtrace_op *op, const struct stat *in,
    const char *path, const struct dmtrace_file *out);

/*
 * Copies len bytes of the source, which then has to have so many, or what is
 * left of it if len is UINT64_MAX; unless source or output fails, or progress,
 * in bytes of the source, cancels.
 */
void
dmt_file_copy(struct dmtrace_op *op, struct dmt_output *output,
    struct dmt_input *input, uint64_t len);

#endif
