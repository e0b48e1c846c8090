/* dmtrace/select.h - which events of a trace are meant */
#ifndef DMTRACE_SELECT_H
#define DMTRACE_SELECT_H

#include <dmtrace/key.h>

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

/* What is told in words. */
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
 * Adds a condition. words is copied. A method's words are a glob over
 * class.name or class.name(signature), the return type being left out or not,
 * in which only * and ? are special and / and . of a class match each other,
 * or, between two slashes, a POSIX extended regular expression. A method that
 * no row lists is called by its id, as in 0x40.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  the words are empty, or no regular expression
 */
DMTRACE_API enum dmtrace_status
dmtrace_selection_add(struct dmtrace_selection *selection,
    enum dmtrace_condition condition, const char *words);

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
	const char *words;		/* belongs to the selection */
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

#ifdef __cplusplus
}
#endif

#endif
