/* sink.h - buffered output to a file that appears complete, or a descriptor */
/* layer: base */
#ifndef DMT_PRIVATE_SINK_H
#define DMT_PRIVATE_SINK_H

#include <dmtrace/status.h>

/*
 * A buffered output for reports. The first failure is returned by the close.
 * The order of calls is new, open, write, close, free. Used by one thread at a
 * time.
 */
struct dmt_sink;

/* The most that dmt_sink_reserve can be asked for. */
#define DMT_SINK_ROOM (256 * 1024)

/* NULL: no memory. */
struct dmt_sink *
dmt_sink_new(void);

/* Frees the sink. If it was not closed, its file is removed. sink may be
 * NULL. */
void
dmt_sink_free(struct dmt_sink *sink);

/* Returns the first failure; it belongs to the sink. */
const struct dmtrace_error *
dmt_sink_error(const struct dmt_sink *sink);

/*
 * dmt_sink_open_path: the file gets its name when it is complete, at the
 * close, and replaces an older one; if sync is not 0, it is forced to the disk
 * before. A file that is not regular is written directly. dmt_sink_open_fd:
 * writes to a descriptor that the caller closes.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE: open already, or
 *   DMTRACE_ERR_IO  the file, or its temporary, cannot be created
 */
enum dmtrace_status
dmt_sink_open_path(struct dmt_sink *sink, const char *path, int sync);
enum dmtrace_status
dmt_sink_open_fd(struct dmt_sink *sink, int fd);

/*
 * After dmt_sink_open_path: the file is compressed if its name says so (see
 * private/packing.h).
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_IO  the program cannot be started
 */
enum dmtrace_status
dmt_sink_pack(struct dmt_sink *sink);

/* For a sink that was opened by path: the close fails if a file of that name
 * exists by then. */
void
dmt_sink_keep_old(struct dmt_sink *sink);

/* Writes the bytes; does nothing after a failure. */
void
dmt_sink_write(struct dmt_sink *sink, const void *bytes, size_t len);

/*
 * Returns space for len bytes, at most DMT_SINK_ROOM, which is valid until the
 * next call; NULL after a failure. Then call dmt_sink_advance with the number
 * of bytes that were filled.
 */
void *
dmt_sink_reserve(struct dmt_sink *sink, size_t len);
void
dmt_sink_advance(struct dmt_sink *sink, size_t len);

/*
 * Writes the buffered bytes and gives the file its final name.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_STATE: not open, or the status of the first
 * call that failed; then there is no file
 */
enum dmtrace_status
dmt_sink_close(struct dmt_sink *sink);

#endif
