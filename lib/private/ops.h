/* ops.h - operations on open readers and writers */
#ifndef DMT_PRIVATE_OPS_H
#define DMT_PRIVATE_OPS_H

#include <dmtrace/ops.h>

#include "private/select.h"

struct dmt_filter_options {
	struct dmt_selection *selection;	/* resolved for the reader's
				   key and layout; NULL: everything */
	int keep_tables;	/* also rows of what does not occur any more */
	int allow_empty;	/* what is left may be no record */
};

/*
 * Fills an open writer, which writes like the reader
 * (dmtrace_writer_set_like), with the records that are selected. Without a
 * condition all is as it was. With one the key has the rows that still occur;
 * frames that a window cuts are opened before the other records and closed
 * after them, and the options dmtrace-opened and dmtrace-closed say how many
 * such records there are; num-method-calls, if there is one, is put right.
 *
 * Of the reader no record was read yet. Where its records must be read twice
 * it is held (dmt_reader_hold). The caller closes the writer, or without
 * a close leaves no output.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_CANCELLED, a status of
 * the reader, the writer or dmtrace_source_read, or
 *   DMTRACE_END        nothing is selected: to be closed with allow_empty
 *                      alone
 *   DMTRACE_ERR_RANGE  a thread's or method's id is neither listed nor in a
 *                      record: see dmt_selection_unmatched
 *   DMTRACE_ERR_STATE  the writer does not write like the reader, or has its
 *                      tables; records were read; the selection is not
 *                      resolved
 */
enum dmtrace_status
dmt_filter(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmt_filter_options *options);

/* Says what a loss is, as a text to follow a count. Thread-safe. */
const char *
dmt_loss_text(enum dmtrace_loss loss);

/* *sum = *sum + *other modulo 2^128. Thread-safe. */
void
dmt_sum_add(struct dmtrace_sum *sum, const struct dmtrace_sum *other);

#endif
