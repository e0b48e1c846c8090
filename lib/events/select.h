/* select.h - selections: the threads, methods and calls that are selected */
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
	struct dmt_pattern pattern;	/* if negated, what it does not match
					   is left out */
	bool is_number;			/* a thread number, or the id of a
					   method that no row lists */
	uint64_t number;
	size_t parts;			/* of a list of threads: how many items
					   that follow are its parts, which
					   count unless a thread has the whole
					   text as its name */
	bool matched;			/* a row of the key has the name, or a
					   record the number, or a method that
					   no row lists, also if negated */
};

/* Bits of a method: which conditions it matches. */
enum {
	DMT_METHOD_WANTED = 1,
	DMT_METHOD_UNDER = 2,
	DMT_METHOD_HIDDEN = 4
};

struct dmt_selection {
	struct dmt_condition *items;
	size_t count;
	size_t capacity;
	size_t kinds[DMT_SELECT_HIDE + 1];	/* number of conditions by
						   kind */
	size_t negated[DMT_SELECT_HIDE + 1];	/* those with "!" */
	unsigned usual_bits;		/* of a method that none matches: it
					   has those of kinds with "!" only */
	bool windowed;
	bool raw;
	uint64_t from_ns;
	uint64_t to_ns;
	uint32_t first_depth;		/* 0: of any depth */
	uint32_t last_depth;
	uint64_t min_ns;		/* 0: of any duration */
	bool invert;

	/* Set when the selection is resolved. */
	uint8_t *threads;		/* by thread number in records: 1 if
					   selected */
	uint8_t *seen;			/* by thread number: 1 if an event had
					   it */
	size_t numbers;			/* length of threads and seen */
	struct dmt_idmap methods;	/* by id: bits of methods that the key
					   lists */
	struct dmt_idmap rows;		/* by row number: bits of rows of the
					   key whose id has an earlier row */
	bool walled;			/* records have wall times, */
	bool comparable;		/* comparable between threads */
	uint64_t selected;		/* events, in the last source */
	uint64_t no_cpu;		/* those with DMT_EVENT_NO_CPU */
	struct dmtrace_error error;
};

/*
 * Makes a new selection of these conditions, not resolved yet. On failure
 * error is set. Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or DMTRACE_ERR_RANGE:
 * a condition is malformed.
 */
enum dmtrace_status
dmt_selection_make(struct dmt_selection **selection,
    const struct dmtrace_select_options *options,
    struct dmtrace_error *error);

/* Returns true if durations are measured in wall time that begins at the same
 * moment in all threads (dmtrace.5, TIMES). */
bool
dmt_times_comparable(const struct dmtrace_key *key,
    const struct dmt_layout *layout);

static inline bool
dmt_selection_has_thread(const struct dmt_selection *selection,
    uint32_t thread)
{
	return thread < selection->numbers && selection->threads[thread];
}

/* Sets *bits to those of the method with that index, which an event has: those
 * of its row if a packet has redefined the id. false: no memory. */
bool
dmt_selection_see_method(struct dmt_selection *selection,
    const struct dmt_indexes *indexes, size_t index, uint8_t *bits);

/* Marks the conditions whose thread numbers were in events. */
void
dmt_selection_note_seen(struct dmt_selection *selection);

/* The times of an event. */
struct dmt_event_times {
	uint64_t wall_ns;
	uint64_t cpu_ns;
};

/*
 * Returns the CPU time of a thread at an edge, in whole microseconds after its
 * last event: the share of the CPU time from that event to the next that the
 * edge has of the wall time. A thread uses no more CPU time than wall time, so
 * a clock that says otherwise was set, and the time ends there.
 */
uint64_t
dmt_interpolate_cpu(const struct dmt_event_times *last,
    const struct dmt_event_times *next, uint64_t edge_ns);

#endif
