/* dmtrace/shift.h - a trace's times, moved and stretched */
#ifndef DMTRACE_SHIFT_H
#define DMTRACE_SHIFT_H

#include <dmtrace/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In the order of the members, a time becomes less, then more or less by
 * scale, then later or earlier. */
struct dmtrace_shift_options {
	size_t size;		/* sizeof(struct dmtrace_shift_options) */
	int to_zero;		/* not 0: less the least time of its clock */
	uint64_t scale_up;	/* by scale_up / scale_down, each from */
	uint64_t scale_down;	/* 1 to 10^9 */
	int64_t by_ns;		/* whole microseconds */
};

/* Options that change no time. */
DMTRACE_API void
dmtrace_shift_options_init(struct dmtrace_shift_options *options);

/*
 * Writes the records of an open reader, none of which was read yet, to an
 * open writer that is like it (dmtrace_writer_set_like), with their times
 * changed as the options say: both where a record has two, cut to whole
 * microseconds, and not modulo 2^32: unwrapped times are changed, and have to
 * fit their fields. Where threads do not share a clock, its least time is
 * each thread's own. A new start time of the header is the caller's to set,
 * by dmtrace_writer_set_start. All else is kept.
 *
 * With to_zero the records are read twice, those of what is neither a regular
 * file nor memory by way of a temporary in TMPDIR, else /tmp. The caller
 * closes the writer; after a failure he does not. Findings are the reader's: of
 * the key, the header and the times.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_STATE  reader or writer is not as said
 *   DMTRACE_ERR_RANGE  an option is not as said, or a time would be below 0
 *                      or not below 2^32 us; op's error says which
 */
DMTRACE_API enum dmtrace_status
dmtrace_shift(struct dmtrace_op *op, struct dmtrace_reader *reader,
    struct dmtrace_writer *writer,
    const struct dmtrace_shift_options *options);

#ifdef __cplusplus
}
#endif

#endif
