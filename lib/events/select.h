/* select.h - which events of a trace are meant, and the walk over them */
#ifndef DMT_EVENTS_SELECT_H
#define DMT_EVENTS_SELECT_H

#include <dmtrace/select.h>
#include <dmtrace/trace.h>

#include "base/idmap.h"
#include "events/indexes.h"
#include "events/pattern.h"
#include "private/event.h"
#include "private/select.h"

/* One condition: a number, a name or a pattern. */
struct dmt_condition {
	enum dmt_condition_kind kind;
	struct dmt_pattern pattern;
	bool is_number;			/* of a thread; or the id of a method
					   that no row lists */
	uint64_t number;
	size_t parts;			/* of a list of threads: so many items
					   follow; they count unless a thread
					   has the whole for a name */
	bool matched;			/* by a row of the key, or by a
					   record that has the number */
};

/* What the methods of a key are to the conditions, as bits. */
enum {
	DMT_METHOD_WANTED = 1,
	DMT_METHOD_UNDER = 2,
	DMT_METHOD_HIDDEN = 4,
	DMT_METHOD_SEEN = 8	/* an event has it */
};

struct dmt_selection {
	struct dmt_condition *items;
	size_t count;
	size_t capacity;
	size_t kinds[DMT_SELECT_HIDE + 1];	/* how many of each */
	bool windowed;
	bool raw;
	uint64_t from_ns;
	uint64_t to_ns;
	uint32_t first_depth;		/* 0: of any depth */
	uint32_t last_depth;
	uint64_t min_ns;		/* 0: of any duration */
	bool invert;

	/* by resolve */
	uint8_t *threads;		/* 1: wanted; by number of a record */
	uint8_t *seen;			/* 1: a source had an event of it */
	size_t numbers;			/* how many there are */
	struct dmt_idmap methods;	/* bits of those that are listed, or
					   called by their ids; by id */
	struct dmt_idmap rows;		/* bits of rows of the key whose id
					   has an earlier one; by their place */
	bool walled;			/* records have the wall clock, */
	bool comparable;		/* the same in all threads */
	uint64_t selected;		/* events, by the last source */
	struct dmtrace_error error;
};

/*
 * A new selection of these conditions, not resolved yet. On failure error is
 * set. Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or DMTRACE_ERR_RANGE: one is
 * malformed.
 */
enum dmtrace_status
dmt_selection_make(struct dmt_selection **selection,
    const struct dmtrace_select_options *options,
    struct dmtrace_error *error);

/* Whether the clock that durations are measured by is the wall clock and
 * begins at the same time in all threads (dmtrace.5, TIMES). */
bool
dmt_times_comparable(const struct dmtrace_key *key,
    const struct dmt_layout *layout);

static inline bool
dmt_selection_has_thread(const struct dmt_selection *selection,
    uint32_t thread)
{
	return thread < selection->numbers && selection->threads[thread];
}

/* The bits of a method. */
static inline unsigned
dmt_selection_method(const struct dmt_selection *selection, uint64_t id)
{
	const uint32_t *const bits =
	    dmt_idmap_find(&selection->methods, id);

	return bits == NULL ? 0 : *bits;
}

/* The bits of the method that an event has, by its place in the indexes: of
 * its row, where a packet has redefined the id. */
uint8_t
dmt_selection_see_method(struct dmt_selection *selection,
    const struct dmt_indexes *indexes, size_t index);

/* Takes note of the numbers that the events had. */
void
dmt_selection_note_seen(struct dmt_selection *selection);

#endif
