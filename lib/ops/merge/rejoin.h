/* rejoin.h - joins the pieces of one trace */
#ifndef DMT_OPS_MERGE_REJOIN_H
#define DMT_OPS_MERGE_REJOIN_H

#include "ops/op.h"

/* dmtrace_join_pieces as part of an operation that has begun. */
enum dmtrace_status
dmt_join_pieces(struct dmtrace_op *op, const char *const *paths,
    size_t count, const struct dmtrace_file *out, unsigned flags, int *exact);

#endif
