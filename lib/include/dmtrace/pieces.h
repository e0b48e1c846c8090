/* dmtrace/pieces.h - a trace in pieces that are traces, and whole again */
#ifndef DMTRACE_PIECES_H
#define DMTRACE_PIECES_H

#include <dmtrace/ops.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What makes a piece. */
enum dmtrace_pieces_by {
	DMTRACE_PIECES_THREAD = 0,	/* the records of one thread */
	DMTRACE_PIECES_TIME = 1,	/* a window of time */
	DMTRACE_PIECES_RECORDS = 2,	/* a number of records */
	DMTRACE_PIECES_SIZE = 3		/* a number of bytes */
};

/* How a trace is split; see dmtrace-split.1. */
struct dmtrace_pieces_options {
	size_t size;		/* sizeof(struct dmtrace_pieces_options) */
	enum dmtrace_pieces_by by;
	uint64_t amount;	/* nanoseconds, records or bytes, at least 1 */
	const char *before;	/* names of files: before, the thread's name */
	const char *after;	/* or the piece's number, after */
	uint64_t max_files;
	unsigned flags;		/* DMTRACE_NO_REPLACE, DMTRACE_SYNC */
};

/* By thread, NO_REPLACE, 1,000 files, no names. */
DMTRACE_API void
dmtrace_pieces_options_init(struct dmtrace_pieces_options *options);

/*
 * Splits the trace of a reader that was opened, and nothing read, into files
 * that are traces of their own, and reads the reader to its end. All of them
 * get their names at the end or, after a failure, none; what they replaced by
 * then is lost. *count, unless count is NULL, is how many there are: after a
 * failure none or, where there are more than max_files, one more than that.
 *
 * But for DMTRACE_PIECES_THREAD a piece begins with the frames that are open,
 * entered once more, and ends with exits of those that are. The key of a
 * piece says so in option lines (dmtrace.5, PIECES).
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, DMTRACE_ERR_STATE (the reader is not open, or was
 * read), or
 *   DMTRACE_ERR_RANGE  the amount is 0; a piece of that size has no room for
 *                      the key, the open frames and a record
 *   DMTRACE_ERR_LIMIT  there are more than max_files pieces; a thread has
 *                      more than 1,048,576 open frames; the key grows over
 *                      its limit
 */
DMTRACE_API enum dmtrace_status
dmtrace_pieces(struct dmtrace_op *op, struct dmtrace_reader *reader,
    const struct dmtrace_pieces_options *options, uint64_t *count);

/*
 * Joins the count pieces of a trace, in any order, to what it was, as a
 * joined file, or as a pair if the path of out ends in ".key" or ".data".
 * flags are DMTRACE_NO_REPLACE and DMTRACE_SYNC. *exact, unless exact is
 * NULL, says whether that is the same to the byte; if not, each thread's
 * records are in their order, and those of different threads are ordered by
 * wall time, or stand thread by thread where times cannot be compared.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, a status of dmtrace_reader_open_path, or
 *   DMTRACE_ERR_FOREIGN    one of them is no piece, or one of another trace
 *                          or split, or is there twice
 *   DMTRACE_ERR_TRUNCATED  pieces are missing
 *   DMTRACE_ERR_CORRUPT    a piece was changed since the split
 */
DMTRACE_API enum dmtrace_status
dmtrace_rejoin(struct dmtrace_op *op, const char *const *paths, size_t count,
    const struct dmtrace_file *out, unsigned flags, int *exact);

#ifdef __cplusplus
}
#endif

#endif
