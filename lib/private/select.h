/* select.h - selections; sources that are read more than once */
/* layer: events */
#ifndef DMT_PRIVATE_SELECT_H
#define DMT_PRIVATE_SELECT_H

#include <dmtrace/select.h>
#include <stdbool.h>

#include "private/event.h"

/*
 * Conditions on events: an event is selected if all of them hold. Conditions
 * of the same kind are alternatives: one of them must hold. Each is judged on
 * the unchanged trace: its depths, durations and callers. A selection or a
 * source is used by one thread at a time.
 */
struct dmt_selection;

/* What a condition is about. */
enum dmt_condition_kind {
	DMT_SELECT_THREAD = 0,	/* an id, if it is a number, listed or in a
				   record; otherwise a name or a pattern; or a
				   comma-separated list, unless a thread has
				   the whole text as its name */
	DMT_SELECT_METHOD = 1,	/* the method's own events */
	DMT_SELECT_UNDER = 2,	/* its calls, and all calls inside */
	DMT_SELECT_HIDE = 3		/* without the method's events, also
					   with invert */
};

/* Returns true if the text, as a pattern, is a name: no character in it is
 * special. */
bool
dmt_pattern_is_name(struct dmtrace_text text);

/*
 * A pattern for names that belong to no trace: tags of event logs. It is used
 * by one thread at a time. NULL: error is set, as by dmt_pattern_check.
 */
struct dmt_pattern;

struct dmt_pattern *
dmt_pattern_new(const char *text, struct dmtrace_error *error);

/* pattern may be NULL. */
void
dmt_pattern_free(struct dmt_pattern *pattern);

/* Returns true if there is a "!" in front. */
bool
dmt_pattern_is_negated(const struct dmt_pattern *pattern);

/* Sets *matches: the pattern matches the whole name or, if negated, does not.
 * false: no memory. */
bool
dmt_pattern_match_name(const struct dmt_pattern *pattern,
    struct dmtrace_text name, bool *matches);

/* Returns the length of the first pattern of a list: up to a comma that is
 * neither in brackets nor in a regular expression. */
size_t
dmt_pattern_list_len(const char *list);

/*
 * Checks a pattern before it is used.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_RANGE, with error set
 */
enum dmtrace_status
dmt_pattern_check(const char *text, struct dmtrace_error *error);

/* NULL: no memory. */
struct dmt_selection *
dmt_selection_new(void);

/* selection may be NULL. */
void
dmt_selection_free(struct dmt_selection *selection);

/* Returns the failure of the last call that failed; it belongs to the
 * selection. */
const struct dmtrace_error *
dmt_selection_error(const struct dmt_selection *selection);

/*
 * Adds a condition; value is copied. It is a glob, in which only * and ? are
 * special, or, between two slashes, a POSIX extended regular expression; "!" in
 * front negates. For a method it is for class.name or class.name(signature),
 * with or without the return type, and / and . in classes are equivalent. A
 * method that no row lists is named by its id as it is printed, such as 0x40,
 * also for patterns.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  the value is empty, or an invalid pattern
 */
enum dmtrace_status
dmt_selection_add(struct dmt_selection *selection,
    enum dmt_condition_kind condition, const char *value);

/*
 * Selects the events from from_ns up to, but not including, to_ns (UINT64_MAX:
 * the end), on the wall clock if there is one, otherwise on each thread's CPU
 * clock. An event whose time goes back counts as at the latest time of its
 * thread. raw: it counts as at its own time, and no calls are opened or closed
 * at the edges (dmt_source_select). Unless raw, the source needs a bit of
 * memory per event.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE: the window is empty
 */
enum dmtrace_status
dmt_selection_set_window(struct dmt_selection *selection,
    uint64_t from_ns, uint64_t to_ns, int raw);

/* Gets the window; 0 and UINT64_MAX if there is none. */
void
dmt_selection_get_window(const struct dmt_selection *selection,
    uint64_t *from_ns, uint64_t *to_ns);

/*
 * Selects calls of depths first to last; the outermost call has depth 1.
 *
 * Returns DMTRACE_OK, or DMTRACE_ERR_RANGE: first is 0 or more than last
 */
enum dmtrace_status
dmt_selection_set_depth(struct dmt_selection *selection,
    uint32_t first, uint32_t last);

/* The same for "A", "A..B", "A.." or "..B". DMTRACE_ERR_RANGE also if it is
 * malformed. */
enum dmtrace_status
dmt_selection_parse_depth(struct dmt_selection *selection, const char *text);

/*
 * Selects calls that last at least that long, on the clock of the window; a
 * call without an end lasts until the last event of its thread. The source
 * needs a bit of memory per event.
 */
void
dmt_selection_set_min_time(struct dmt_selection *selection,
    uint64_t min_ns);

/* Selects all events for which the conditions do not hold. */
void
dmt_selection_set_invert(struct dmt_selection *selection, int invert);

/* Returns 1 if it has no condition, so that it selects everything. */
int
dmt_selection_is_all(const struct dmt_selection *selection);

/*
 * Compares names and patterns with the key of a trace. Key and layout belong
 * to the caller and are not needed afterwards. It can be repeated for another
 * trace.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  invert with a window that is not raw: calls cannot be
 *                      opened and closed for events that are left out
 */
enum dmtrace_status
dmt_selection_resolve(struct dmt_selection *selection,
    const struct dmtrace_key *key, const struct dmt_layout *layout);

/* A condition that matches nothing in the key. */
struct dmt_unmatched {
	enum dmt_condition_kind condition;
	const char *value;		/* belongs to the selection */
	int is_pattern;			/* a glob or regular expression */
	int is_number;			/* a thread number, or a method id
					   (0x40), which may be in a record */
	int is_late;			/* only the end of the events shows if
					   one matches: a number, or a pattern
					   for methods */
};

/*
 * Gets the unmatched conditions of the last resolve, by index from 0 on. A
 * number that an event had is not among them any more, nor is a pattern that
 * matches the id of a method that an event had and no row lists. Returns 0, or
 * 1 if index is past the last one; then *unmatched is unchanged.
 */
int
dmt_selection_unmatched(const struct dmt_selection *selection,
    size_t index, struct dmt_unmatched *unmatched);

/* Returns how many events the last source of the selection has selected,
 * including those that open and close calls at the edges of a window. 0:
 * nothing was selected. */
uint64_t
dmt_selection_count(const struct dmt_selection *selection);

/* Returns how many of them have no CPU time, although their trace has it: the
 * event of their thread that would follow the edge is missing. In records they
 * have the last known time. */
uint64_t
dmt_selection_no_cpu(const struct dmt_selection *selection);

/* Returns 1 if the conditions on threads hold for that number of a record; the
 * selection is resolved. */
int
dmt_selection_wants_thread(const struct dmt_selection *selection,
    uint32_t thread);

/* Returns 1 if the conditions on methods (METHOD and HIDE) hold for that id of
 * a record, as an event that has it; the selection is resolved. -1: no
 * memory. */
int
dmt_selection_wants_method(struct dmt_selection *selection, uint64_t method);

/* The same for a method by its names, whatever row its id has. */
int
dmt_selection_wants_row(struct dmt_selection *selection,
    const struct dmtrace_method *row);

/* The same for a class, whose "/" and "." are equivalent, or another name. */
int
dmt_selection_wants_name(struct dmt_selection *selection,
    struct dmtrace_text name, int is_class);

/*
 * Returns a source of the selected events of another source, which it then
 * owns. Calls that a window cuts are entered at its start, before all other
 * events, and exited at its end, after them; their CPU time is interpolated
 * between the events of the thread before and after the edge. If events must
 * be seen before they can be judged (a window, durations), they are read
 * twice; input that can be read only once is copied to a temporary file in
 * TMPDIR, else in /tmp.
 *
 * The selection must be resolved for the key of the source's trace
 * (dmt_selection_resolve), and must not be changed or freed before the source
 * is freed.
 *
 * NULL: from is NULL, or there is no memory; then from is freed.
 */
struct dmtrace_source *
dmt_source_select(struct dmtrace_source *from,
    struct dmt_selection *selection);

/*
 * Calls progress from time to time, with the bytes that are done, and the
 * total of all passes (0: unknown; a pass that was not foreseen increases it).
 * If it returns non-zero, reading fails with DMTRACE_ERR_CANCELLED. To be
 * called before the first read.
 */
void
dmt_source_set_progress(struct dmtrace_source *source,
    dmtrace_progress_fn *progress, void *context);

/*
 * Returns to the first event. Input that is neither a regular file nor memory
 * requires an earlier dmt_source_keep.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, or
 *   DMTRACE_ERR_STATE  the input cannot be read again
 */
enum dmtrace_status
dmt_source_rewind(struct dmtrace_source *source);

/* Announces, before the first read, that the events will be read times times
 * in all, so that input that can be read only once is copied to a temporary
 * file. */
void
dmt_source_keep(struct dmtrace_source *source, unsigned times);

/*
 * Returns the method of an event that was read, by its index and id: the row
 * that the id had at that event, if a stream redefines it. NULL: no row lists
 * it. Valid until the source is freed.
 */
const struct dmtrace_method *
dmt_source_method(const struct dmtrace_source *source, uint32_t index,
    uint64_t id);

/* Returns 1 if the wall times of different threads can be compared; 0 if the
 * clock begins anew in each thread, or there is only CPU time. */
int
dmt_reader_is_sortable(const struct dmtrace_reader *reader);

/*
 * Returns a source of the events of a reader's source, which it then owns, in
 * the order of dmtrace_sort. They are read twice, and once more if they are
 * not in order; input that can be read only once requires an earlier
 * dmt_reader_hold. What does not fit in memory bytes (0: the default of
 * dmtrace_sort) is stored in a temporary file in TMPDIR, else in /tmp. NULL:
 * from is NULL, or there is no memory; then from is freed.
 */
struct dmtrace_source *
dmt_source_sort(struct dmtrace_source *from, uint64_t memory);

#endif
