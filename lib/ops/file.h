/* file.h - opens and copies the files of an operation */
#ifndef DMT_OPS_FILE_H
#define DMT_OPS_FILE_H

#include <sys/stat.h>

#include "ops/op.h"

/*
 * Open a file for the operation. Call the fini of the input or output in any
 * case. flags are those of dmtrace_join.
 */
enum dmtrace_status
dmt_file_read(struct dmtrace_op *op, struct dmt_input *input,
    const struct dmtrace_file *file);
enum dmtrace_status
dmt_file_write(struct dmtrace_op *op, struct dmt_output *output,
    const struct dmtrace_file *file, unsigned flags);

/* The same for a writer. */
enum dmtrace_status
dmt_file_open_writer(struct dmtrace_op *op, struct dmtrace_writer *writer,
    const struct dmtrace_file *file);

/*
 * Fails if path, a part of the output out, leads to the input file that in
 * describes. path may be NULL.
 */
enum dmtrace_status
dmt_file_check_other(struct dmtrace_op *op, const struct stat *in,
    const char *path, const struct dmtrace_file *out);

/*
 * Copies len bytes of the source, which must have that many, or the rest of
 * the source if len is UINT64_MAX. Stops if source or output fails, or if
 * progress, in bytes of the source, cancels.
 */
void
dmt_file_copy(struct dmtrace_op *op, struct dmt_output *output,
    struct dmt_input *input, uint64_t len);

#endif
