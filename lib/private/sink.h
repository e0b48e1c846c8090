/* sink.h - bytes to a file that appears whole, or to a descriptor */
#ifndef DMT_PRIVATE_SINK_H
#define DMT_PRIVATE_SINK_H

#include <dmtrace/status.h>

/*
 * Where reports go: buffered; the first failure is reported at the close. The
 * order of calls is: new, open, write, close, free. Used by one thread at a
 * time.
 */
struct dmt_sink;

/* The most that dmt_sink_reserve gives. */
#define DMT_SINK_ROOM (256 * 1024)

/* NULL: no memory. */
struct dmt_sink *
dmt_sink_new(void);

/* Frees the sink. If it was not closed, its file is removed. NULL is allowed.
 * */
void
dmt_sink_free(struct dmt_sink *sink);

/* The first failure; belongs to the sink. */
const struct dmtrace_error *
dmt_sink_error(const struct dmt_sink *sink);

/*
 * open_path: the file appears under its name whole, at close, in place of an
 * old one; sync, if not 0, forces it to the disk before. What is not a
 * regular file is written as it is. open_fd: the descriptor stays the
 * caller's.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE: open already, or
 *   DMTRACE_ERR_IO  the file, or a temporary beside it, cannot be made
 */
enum dmtrace_status
dmt_sink_open_path(struct dmt_sink *sink, const char *path, int sync);
enum dmtrace_status
dmt_sink_open_fd(struct dmt_sink *sink, int fd);

/* Writes the bytes; does nothing after a failure. */
void
dmt_sink_write(struct dmt_sink *sink, const void *bytes, size_t len);

/*
 * Room for len bytes, at most DMT_SINK_ROOM, until the next call; NULL
 * after a failure. dmt_sink_advance says how many of them were filled.
 */
void *
dmt_sink_reserve(struct dmt_sink *sink, size_t len);
void
dmt_sink_advance(struct dmt_sink *sink, size_t len);

/*
 * Writes what is buffered and gives the file its name.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_STATE: not open, or the status of the first
 * call that failed; then there is no file
 */
enum dmtrace_status
dmt_sink_close(struct dmt_sink *sink);

#endif
