/* sort_copy.h - a trace that is in order, copied while that is found out */
#ifndef DMT_OPS_SORT_COPY_H
#define DMT_OPS_SORT_COPY_H

#include "ops/op.h"
#include "trace/reader.h"
#include "trace/writer.h"

/*
 * Of records with one clock each, of a reader that is held, to a writer that
 * is complete and can rewind: for others, false. Copies them as long as each
 * time is at least the one before it, and nothing about them is odd. false:
 * that is not so to the end; reader and writer are at the first record again.
 * A failure is in op, with true.
 */
bool
dmt_sort_copy(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer);

#endif
