/* dmtrace/sort.h - a trace's events in the order of their times */
#ifndef DMTRACE_SORT_H
#define DMTRACE_SORT_H

#include <dmtrace/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The least that dmtrace_sort works with. */
#define DMTRACE_SORT_MEMORY_MIN 10485760

struct dmtrace_sort_options {
	size_t size;		/* sizeof(struct dmtrace_sort_options) */
	uint64_t memory;	/* bytes, with those of reader and writer; at
				   least the minimum */
	int any_clock;		/* not 0: compare times of different threads
				   whatever clock they are of */
};

/* 256 MiB, and clocks that threads share. */
DMTRACE_API void
dmtrace_sort_options_init(struct dmtrace_sort_options *options);

/*
 * Writes the records of an open reader, none of which was read yet, to an
 * open writer that is like it (dmtrace_writer_set_like), in the order of
 * their wall times, or of the only times that there are. It is a stable sort,
 * and each thread's events stay in their order: one whose time is below an
 * earlier one of its thread counts as of that one's time. A record keeps all
 * its bytes. Records that are in order already are copied; those that the
 * options dmtrace-opened and dmtrace-closed of the key call added stay first
 * and last.
 *
 * At least a megabyte is for records, whatever the key takes. What does not
 * fit in the memory goes to a temporary beside the output, or
 * in TMPDIR, else /tmp; there go the records of what is neither a regular file
 * nor memory. The caller closes the writer. Findings are the reader's.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_STATE        reader or writer is not as said
 *   DMTRACE_ERR_RANGE        less memory than the minimum
 *   DMTRACE_ERR_UNSUPPORTED  times of different threads cannot be compared
 */
DMTRACE_API enum dmtrace_status
dmtrace_sort(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_sort_options *options);

#ifdef __cplusplus
}
#endif

#endif
