/* dmtrace/filter.h - a trace of some of another's events */
#ifndef DMTRACE_FILTER_H
#define DMTRACE_FILTER_H

#include <dmtrace/ops.h>
#include <dmtrace/select.h>

#ifdef __cplusplus
extern "C" {
#endif

struct dmtrace_filter_options {
	size_t size;		/* sizeof(struct dmtrace_filter_options) */
	struct dmtrace_selection *selection;	/* resolved for the reader's
				   key and layout; NULL: everything */
	int keep_tables;	/* also rows of what does not occur any more */
	int allow_empty;	/* what is left may be no record */
};

/* Everything, and no flags. */
DMTRACE_API void
dmtrace_filter_options_init(struct dmtrace_filter_options *options);

/*
 * Fills an open writer, which writes like the reader
 * (dmtrace_writer_set_like), with the records that are selected. Without a
 * condition all is as it was. With one the key has the rows that still occur;
 * frames that a window cuts are opened before the other records and closed
 * behind them, and the options dmtrace-opened and dmtrace-closed say how many
 * such records there are; num-method-calls, if there is one, is put right.
 *
 * Of the reader no record was read yet. Where its records must be read twice
 * it is held (dmtrace_reader_hold). The caller closes the writer, or without
 * a close leaves no output.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_CANCELLED, a status of
 * the reader, the writer or dmtrace_source_read, or
 *   DMTRACE_END        nothing is selected: to be closed with allow_empty
 *                      alone
 *   DMTRACE_ERR_RANGE  a thread's or method's id is neither listed nor in a
 *                      record: see dmtrace_selection_unmatched
 *   DMTRACE_ERR_STATE  the writer does not write like the reader, or has its
 *                      tables; records were read; the selection is not
 *                      resolved
 */
DMTRACE_API enum dmtrace_status
dmtrace_filter(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_filter_options *options);

#ifdef __cplusplus
}
#endif

#endif
