/* file.h - the files of an operation, opened and copied */
#ifndef DMT_OPS_FILE_H
#define DMT_OPS_FILE_H

#include "ops/op.h"

/*
 * Open the file for the operation; what was opened, or could not be, is
 * ended by its fini. flags are those of dmtrace_join.
 */
enum dmtrace_status
dmt_file_read(struct dmtrace_op *op, struct dmt_source *source,
    const struct dmtrace_file *file);
enum dmtrace_status
dmt_file_write(struct dmtrace_op *op, struct dmt_sink *sink,
    const struct dmtrace_file *file, unsigned flags);

/*
 * Copies what is left in the source of file, from the magic on, unless
 * source or sink fails, or progress, in bytes of the source, cancels.
 * A version that nobody knows is a finding.
 */
void
dmt_file_copy_data(struct dmtrace_op *op, struct dmt_sink *sink,
    struct dmt_source *source, const struct dmtrace_file *file);

#endif
