/* dmtrace/select.h - the events of a trace, selected and in order */
#ifndef DMTRACE_SELECT_H
#define DMTRACE_SELECT_H

#include <dmtrace/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Conditions on events: one is selected if all of them hold. Those of the
 * same kind are alternatives: of two threads, either. Each is judged on the
 * trace as it is: its depths, durations and callers. One selection or
 * source is used by one thread at a time.
 */
struct dmtrace_selection;

/* What a condition is about. */
enum dmtrace_condition {
	DMTRACE_SELECT_THREAD = 0,	/* a number: an id, listed or in a
					   record; else a name, or a glob of
					   names; or a list of them with
					   commas, if no thread has the whole
					   for a name */
	DMTRACE_SELECT_METHOD = 1,	/* the method's own records */
	DMTRACE_SELECT_UNDER = 2,	/* its calls, and all that they call */
	DMTRACE_SELECT_HIDE = 3		/* never the method's records, also
					   with invert */
};

/* NULL: no memory. */
DMTRACE_API struct dmtrace_selection *
dmtrace_selection_new(void);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_selection_free(struct dmtrace_selection *selection);

/* The failure of the last call that failed; belongs to the selection. */
DMTRACE_API const struct dmtrace_error *
dmtrace_selection_error(const struct dmtrace_selection *selection);

/*
 * Adds a condition. value is copied. A method's value is a glob over
 * class.name or class.name(signature), the return type being left out or not,
 * in which only * and ? are special and / and . of a class match each other,
 * or, between two slashes, a POSIX extended regular expression. A method that
 * no row lists is called by its id, as in 0x40.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  the value is empty, or no regular expression
 */
DMTRACE_API enum dmtrace_status
dmtrace_selection_add(struct dmtrace_selection *selection,
    enum dmtrace_condition condition, const char *value);

/*
 * Events from from_ns up to, and without, to_ns (UINT64_MAX: the end), on
 * the wall clock where there is one, else on each thread's own. An event
 * whose time goes back counts with the latest of its thread. raw: it counts
 * with its own, and no frame is opened or closed (dmtrace_select).
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE: there is nothing in between
 */
DMTRACE_API enum dmtrace_status
dmtrace_selection_set_window(struct dmtrace_selection *selection,
    uint64_t from_ns, uint64_t to_ns, int raw);

/* The window: 0 and UINT64_MAX without one. */
DMTRACE_API void
dmtrace_selection_get_window(const struct dmtrace_selection *selection,
    uint64_t *from_ns, uint64_t *to_ns);

/*
 * Frames of these depths, both included; the outermost is 1.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE: first is 0 or more than last
 */
DMTRACE_API enum dmtrace_status
dmtrace_selection_set_depth(struct dmtrace_selection *selection,
    uint32_t first, uint32_t last);

/*
 * Calls that last at least so long, on the window's clock; one without an
 * end lasts until the last event of its thread. A source that selects by it
 * keeps a bit for each call in memory.
 */
DMTRACE_API void
dmtrace_selection_set_min_time(struct dmtrace_selection *selection,
    uint64_t min_ns);

/* Everything but what the conditions say. */
DMTRACE_API void
dmtrace_selection_set_invert(struct dmtrace_selection *selection, int invert);

/* Whether it has no condition, and so selects everything. */
DMTRACE_API int
dmtrace_selection_is_all(const struct dmtrace_selection *selection);

/*
 * Looks names and patterns up in the key of a trace. Both belong to the
 * caller and are not needed any more. It can be done again, for another one.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  invert with a window that is not raw: no frames can be
 *                      opened and closed for what is left out
 */
DMTRACE_API enum dmtrace_status
dmtrace_selection_resolve(struct dmtrace_selection *selection,
    const struct dmtrace_key *key, const struct dmtrace_layout *layout);

/* A condition that nothing in the key matches. */
struct dmtrace_unmatched {
	enum dmtrace_condition condition;
	const char *value;		/* belongs to the selection */
	int is_pattern;			/* a glob or regular expression */
	int is_number;			/* a thread's, or a method's id (0x40):
					   a record may have it */
};

/*
 * Those of the last resolve, by index from 0. A number that the events of a
 * source had is not among them any more. Returns 0, or 1 past the last one,
 * and then *unmatched is as it was.
 */
DMTRACE_API int
dmtrace_selection_unmatched(const struct dmtrace_selection *selection,
    size_t index, struct dmtrace_unmatched *unmatched);

/* How many events the last source of the selection has selected, with those
 * that a window opens and closes. 0: the selection is empty. */
DMTRACE_API uint64_t
dmtrace_selection_count(const struct dmtrace_selection *selection);

/* Whether the conditions on threads, or on methods (METHOD and HIDE), hold
 * for that number or id of a record, as resolved. */
DMTRACE_API int
dmtrace_selection_has_thread(const struct dmtrace_selection *selection,
    uint32_t thread);
DMTRACE_API int
dmtrace_selection_has_method(const struct dmtrace_selection *selection,
    uint64_t method);

/* The events of a trace, selected and in order */

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

/* The same for one event; DMTRACE_END when there is none left. */
DMTRACE_API enum dmtrace_status
dmtrace_source_next(struct dmtrace_source *source,
    struct dmtrace_event *event);

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
