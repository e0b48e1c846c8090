/* select.h - selections, and sources that are read more than once */
#ifndef DMT_PRIVATE_SELECT_H
#define DMT_PRIVATE_SELECT_H

#include <dmtrace/select.h>

#include "private/event.h"

/*
 * Conditions on events: one is selected if all of them hold. Those of the
 * same kind are alternatives: of two threads, either. Each is judged on the
 * trace as it is: its depths, durations and callers. One selection or
 * source is used by one thread at a time.
 */
struct dmt_selection;

/* What a condition is about. */
enum dmt_condition_kind {
	DMT_SELECT_THREAD = 0,	/* a number: an id, listed or in a
					   record; else a name, or a glob of
					   names; or a list of them with
					   commas, if no thread has the whole
					   for a name */
	DMT_SELECT_METHOD = 1,	/* the method's own records */
	DMT_SELECT_UNDER = 2,	/* its calls, and all that they call */
	DMT_SELECT_HIDE = 3		/* never the method's records, also
					   with invert */
};

/* NULL: no memory. */
struct dmt_selection *
dmt_selection_new(void);

/* NULL is allowed. */
void
dmt_selection_free(struct dmt_selection *selection);

/* The failure of the last call that failed; belongs to the selection. */
const struct dmtrace_error *
dmt_selection_error(const struct dmt_selection *selection);

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
enum dmtrace_status
dmt_selection_add(struct dmt_selection *selection,
    enum dmt_condition_kind condition, const char *value);

/*
 * Events from from_ns up to, and without, to_ns (UINT64_MAX: the end), on
 * the wall clock where there is one, else on each thread's own. An event
 * whose time goes back counts with the latest of its thread. raw: it counts
 * with its own, and no frame is opened or closed (dmt_source_select). Unless
 * raw, a source that selects by it keeps a bit for each event in memory.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE: there is nothing in between
 */
enum dmtrace_status
dmt_selection_set_window(struct dmt_selection *selection,
    uint64_t from_ns, uint64_t to_ns, int raw);

/* The window: 0 and UINT64_MAX without one. */
void
dmt_selection_get_window(const struct dmt_selection *selection,
    uint64_t *from_ns, uint64_t *to_ns);

/*
 * Frames of these depths, both included; the outermost is 1.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE: first is 0 or more than last
 */
enum dmtrace_status
dmt_selection_set_depth(struct dmt_selection *selection,
    uint32_t first, uint32_t last);

/*
 * Calls that last at least so long, on the window's clock; one without an
 * end lasts until the last event of its thread. A source that selects by it
 * keeps a bit for each event in memory.
 */
void
dmt_selection_set_min_time(struct dmt_selection *selection,
    uint64_t min_ns);

/* Everything but what the conditions say. */
void
dmt_selection_set_invert(struct dmt_selection *selection, int invert);

/* Whether it has no condition, and so selects everything. */
int
dmt_selection_is_all(const struct dmt_selection *selection);

/*
 * Looks names and patterns up in the key of a trace. Both belong to the
 * caller and are not needed any more. It can be done again, for another one.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  invert with a window that is not raw: no frames can be
 *                      opened and closed for what is left out
 */
enum dmtrace_status
dmt_selection_resolve(struct dmt_selection *selection,
    const struct dmtrace_key *key, const struct dmt_layout *layout);

/* A condition that nothing in the key matches. */
struct dmt_unmatched {
	enum dmt_condition_kind condition;
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
int
dmt_selection_unmatched(const struct dmt_selection *selection,
    size_t index, struct dmt_unmatched *unmatched);

/* How many events the last source of the selection has selected, with those
 * that a window opens and closes. 0: the selection is empty. */
uint64_t
dmt_selection_count(const struct dmt_selection *selection);

/* Whether the conditions on threads, or on methods (METHOD and HIDE), hold
 * for that number or id of a record, as resolved. */
int
dmt_selection_wants_thread(const struct dmt_selection *selection,
    uint32_t thread);
int
dmt_selection_wants_method(const struct dmt_selection *selection,
    uint64_t method);

/* The same of a method by its names, whatever row its id has; -1: no memory. */
int
dmt_selection_wants_row(struct dmt_selection *selection,
    const struct dmtrace_method *row);

/*
 * The selected events of another source, which belongs to the new one from
 * here on. Calls that a window cuts are entered at its start, before all
 * other events, and left at its end, after them. Where events must be seen
 * before they can be judged (a window, durations) they are read twice; input
 * that cannot be read twice is copied to a temporary in TMPDIR, else /tmp.
 *
 * The selection must be resolved for the key of the source's trace
 * (dmt_selection_resolve), live until the source is freed, and not be
 * changed before.
 *
 * NULL: from is NULL, or there is no memory; then from is freed.
 */
struct dmtrace_source *
dmt_source_select(struct dmtrace_source *from,
    struct dmt_selection *selection);

/*
 * Calls progress now and then, with the bytes done and in all passes
 * together (0: not known; it grows with a pass that was not foreseen); if it
 * returns non-zero, reading fails with DMTRACE_ERR_CANCELLED. Before the first
 * read.
 */
void
dmt_source_set_progress(struct dmtrace_source *source,
    dmtrace_progress_fn *progress, void *context);

/*
 * Back to the first event. Input that is neither a regular file nor memory
 * must have been announced by dmt_source_keep.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE  the input cannot be read again
 */
enum dmtrace_status
dmt_source_rewind(struct dmtrace_source *source);

/* Before the first read: the events will be read times times in all, so that
 * what cannot be read again is copied to a temporary. */
void
dmt_source_keep(struct dmtrace_source *source, unsigned times);

/*
 * The method of an event that was read, by its index and its id: the row that
 * the id had when the event was recorded, where a stream redefines it. NULL:
 * none is listed. Lives until the source is freed.
 */
const struct dmtrace_method *
dmt_source_method(const struct dmtrace_source *source, uint32_t index,
    uint64_t id);

/* Whether the wall times of different threads can be compared: not where the
 * clock begins anew in each, or where there is CPU time alone. */
int
dmt_reader_is_sortable(const struct dmtrace_reader *reader);

/*
 * The events of the source of a reader, which belongs to the new one from here
 * on, in the order that dmtrace_sort gives them. They are read twice, and once
 * more if they are not in order; input that cannot be read again must have
 * been announced by dmt_reader_hold. What does not fit in so many bytes of
 * memory goes to a temporary in TMPDIR, else /tmp; 0 is the default of
 * dmtrace_sort. NULL: from is NULL, or there is no memory; then from is freed.
 */
struct dmtrace_source *
dmt_source_sort(struct dmtrace_source *from, uint64_t memory);

#endif
