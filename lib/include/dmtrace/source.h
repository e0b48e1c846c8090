/* dmtrace/source.h - the events of a trace, selected and in order */
#ifndef DMTRACE_SOURCE_H
#define DMTRACE_SOURCE_H

#include <dmtrace/ops.h>
#include <dmtrace/select.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Hands out events. One made from a reader has all events of the trace;
 * dmtrace_select makes one that leaves events out. A source is used by one
 * thread at a time.
 */
struct dmtrace_source;

/*
 * The events of an open reader, of which no event was read yet (else the
 * first read is DMTRACE_ERR_STATE). The reader must live until the source is
 * freed; nobody else reads from it or rewinds it, but after the source's end
 * and before a rewind of the source. NULL: no memory.
 */
DMTRACE_API struct dmtrace_source *
dmtrace_source_new(struct dmtrace_reader *reader);

/*
 * The selected events of another source, which belongs to the new one from
 * here on. Calls that a window cuts are entered at its start, before all
 * other events, and left at its end, after them. Where events must be seen
 * before they can be judged (a window, durations) they are read twice; input
 * that cannot be read twice is copied to a temporary in TMPDIR, else /tmp.
 *
 * The selection must be resolved for the key of the source's trace
 * (dmtrace_selection_resolve), live until the source is freed, and not be
 * changed before.
 *
 * NULL: from is NULL, or there is no memory; then from is freed.
 */
DMTRACE_API struct dmtrace_source *
dmtrace_select(struct dmtrace_source *from,
    struct dmtrace_selection *selection);

/* Frees the source and those it was made from, but no reader. NULL is
 * allowed. */
DMTRACE_API void
dmtrace_source_free(struct dmtrace_source *source);

/* The first failure; belongs to the source. */
DMTRACE_API const struct dmtrace_error *
dmtrace_source_error(const struct dmtrace_source *source);

/*
 * Calls progress now and then, with the bytes done and in all passes
 * together (0: not known; it grows with a pass that was not foreseen); if it
 * returns non-zero, reading fails with DMTRACE_ERR_CANCELLED. Before the first
 * read.
 */
DMTRACE_API void
dmtrace_source_set_progress(struct dmtrace_source *source,
    dmtrace_progress_fn *progress, void *context);

/*
 * Reads up to capacity events, at least 1, and sets *count: 0 at the end. On
 * failure *count is 0; a source that has failed fails for good.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO,
 * DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_LIMIT  a thread has more open calls than DMTRACE_LIMIT_DEPTH
 *   DMTRACE_ERR_STATE  the reader is not open at its first record, or was
 *                      used by others
 */
DMTRACE_API enum dmtrace_status
dmtrace_source_read(struct dmtrace_source *source,
    struct dmtrace_event *events, size_t capacity, size_t *count);

/*
 * An event, and what its source knows of it. An index stands for a thread
 * number or a method id as long as the source lives: the first one that is
 * read has 0, the next other one 1, and so on, listed in the key or not. What
 * is known of threads and methods fits an array by index.
 */
struct dmtrace_row {
	struct dmtrace_event event;
	uint32_t thread_index;
	uint32_t method_index;
	uint32_t depth;		/* of its call, the outermost is 1; 0: it is
				   an exit that ends no call, or reserved */
	uint64_t offset;	/* of its record in its file; 0: it has none */
};

/*
 * The same as dmtrace_source_read, with more of each event. Depths are those
 * of calls among the events that the source hands out. A source is read by one
 * of the two. Returns what dmtrace_source_read does, and
 *   DMTRACE_ERR_LIMIT  a thread has more open calls than DMTRACE_LIMIT_DEPTH
 */
DMTRACE_API enum dmtrace_status
dmtrace_source_read_rows(struct dmtrace_source *source,
    struct dmtrace_row *rows, size_t capacity, size_t *count);

/*
 * Back to the first event. Input that is neither a regular file nor memory
 * must have been announced by dmtrace_source_keep.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE  the input cannot be read again
 */
DMTRACE_API enum dmtrace_status
dmtrace_source_rewind(struct dmtrace_source *source);

/* Before the first read: the events will be read times times in all, so that
 * what cannot be read again is copied to a temporary. */
DMTRACE_API void
dmtrace_source_keep(struct dmtrace_source *source, unsigned times);

#ifdef __cplusplus
}
#endif

#endif
