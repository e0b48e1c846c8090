/* dmtrace/sink.h - bytes to a file that appears whole, or to a descriptor */
#ifndef DMTRACE_SINK_H
#define DMTRACE_SINK_H

#include <dmtrace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Where reports go: buffered, its first failure kept, told at the close. The
 * order of calls is: new, open, write, close, free. Used by one thread at a
 * time.
 */
struct dmtrace_sink;

/* The most that dmtrace_sink_reserve gives. */
#define DMTRACE_SINK_ROOM (256 * 1024)

/* NULL: no memory. */
DMTRACE_API struct dmtrace_sink *
dmtrace_sink_new(void);

/* Without a close before it, no file that the sink made is left. NULL is
 * allowed. */
DMTRACE_API void
dmtrace_sink_free(struct dmtrace_sink *sink);

/* The first failure; belongs to the sink. */
DMTRACE_API const struct dmtrace_error *
dmtrace_sink_error(const struct dmtrace_sink *sink);

/*
 * open_path: the file appears under its name whole, at close, in place of an
 * old one; sync, if not 0, forces it to the disk before. What is not a
 * regular file is written as it is. open_fd: the descriptor stays the
 * caller's.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE: open already, or
 *   DMTRACE_ERR_IO  the file, or a temporary beside it, cannot be made
 */
DMTRACE_API enum dmtrace_status
dmtrace_sink_open_path(struct dmtrace_sink *sink, const char *path, int sync);
DMTRACE_API enum dmtrace_status
dmtrace_sink_open_fd(struct dmtrace_sink *sink, int fd);

/* After a failure this does nothing. */
DMTRACE_API void
dmtrace_sink_write(struct dmtrace_sink *sink, const void *bytes, size_t len);

/*
 * Room for len bytes, at most DMTRACE_SINK_ROOM, until the next call; NULL
 * after a failure. dmtrace_sink_advance says how many of them were filled.
 */
DMTRACE_API void *
dmtrace_sink_reserve(struct dmtrace_sink *sink, size_t len);
DMTRACE_API void
dmtrace_sink_advance(struct dmtrace_sink *sink, size_t len);

/*
 * Writes what is buffered and gives the file its name.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_STATE: not open, or the status of the first
 * call that failed; then there is no file
 */
DMTRACE_API enum dmtrace_status
dmtrace_sink_close(struct dmtrace_sink *sink);

#ifdef __cplusplus
}
#endif

#endif
