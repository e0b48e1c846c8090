/* select.h - which events of a trace are meant, and the walk over them */
#ifndef DMT_EVENTS_SELECT_H
#define DMT_EVENTS_SELECT_H

#include <dmtrace/select.h>
#include <dmtrace/stack.h>
#include <dmtrace/trace.h>

#include "base/idmap.h"
#include "base/marks.h"
#include "events/pattern.h"

/* One condition that is told in words. */
struct dmt_condition {
	enum dmtrace_condition kind;
	struct dmt_pattern pattern;
	bool is_number;			/* of a thread */
	uint32_t number;
	bool matched;			/* by something in the key, or by an
					   id that may be in a record */
};

/* What the methods of a key are to the conditions, as bits. */
enum {
	DMT_METHOD_WANTED = 1,
	DMT_METHOD_UNDER = 2,
	DMT_METHOD_HIDDEN = 4
};

struct dmtrace_selection {
	struct dmt_condition *items;
	size_t count;
	size_t capacity;
	size_t kinds[DMTRACE_SELECT_HIDE + 1];	/* how many of each */
	bool windowed;
	bool raw;
	uint64_t from_ns;
	uint64_t to_ns;
	uint32_t first_depth;		/* 0: of any depth */
	uint32_t last_depth;
	uint64_t min_ns;		/* 0: of any duration */
	uint64_t memory;
	bool invert;

	/* by resolve */
	uint8_t *threads;		/* 1: wanted; by number of a record */
	uint8_t *seen;			/* 1: a selector had an event of it */
	size_t numbers;			/* how many there are */
	struct dmt_idmap methods;	/* bits of those that are listed, or
					   called by their ids; by id */
	bool walled;			/* records have the wall clock, */
	bool comparable;		/* the same in all threads */
	struct dmtrace_error error;
};

/* Whether the clock that durations are measured by is the wall clock and
 * begins at the same time in all threads (dmtrace.5, TIMES). */
bool
dmt_times_comparable(const struct dmtrace_key *key,
    const struct dmtrace_layout *layout);

static inline bool
dmt_selection_has_thread(const struct dmtrace_selection *selection,
    uint32_t thread)
{
	return thread < selection->numbers && selection->threads[thread];
}

/* The bits of a method. */
static inline unsigned
dmt_selection_method(const struct dmtrace_selection *selection, uint64_t id)
{
	const uint32_t *const bits =
	    dmt_idmap_find(&selection->methods, id);

	return bits == NULL ? 0 : *bits;
}

/* Whether only the record's thread decides, and nothing is learned. */
bool
dmt_selection_is_threads(const struct dmtrace_selection *selection);

/* Takes note of the numbers that the events had. */
void
dmt_selection_note_seen(struct dmtrace_selection *selection);

#endif
