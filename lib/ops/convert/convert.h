/* convert.h - a conversion with cures for other readers */
#ifndef DMT_OPS_CONVERT_H
#define DMT_OPS_CONVERT_H

#include "format/change.h"
#include "ops/op.h"
#include "trace/reader.h"

/* Writes the trace of an open reader, none of whose events was read yet, in a
 * layout that other readers accept and with a key in canonical form, changed as
 * the cures say, which are bits of enum dmt_cure. The trace must be valid.
 * Returns the status of the operation. */
enum dmtrace_status
dmt_convert_cured(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_file *out, unsigned cures,
    struct dmt_changes *changes);

#endif
