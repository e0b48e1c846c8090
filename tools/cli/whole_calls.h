/* whole_calls.h - the whole durations of calls that a window cuts */
#ifndef WHOLE_CALLS_H
#define WHOLE_CALLS_H

#include <dmtrace.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/table.h"
#include "private/select.h"

/* Values of the whole duration of a call: it is not cut; it has no exit in the
 * trace. */
#define WHOLE_NOT_CUT INT64_MIN
#define WHOLE_NO_EXIT INT64_MAX

/* A call of the trace that is open at an edge of the window. */
struct whole_call {
	uint32_t thread;		/* its number */
	bool before;			/* it begins before the window */
	uint64_t method;
	uint64_t start_ns;
	int64_t ns;			/* or WHOLE_NO_EXIT */
};

/* A zeroed struct has no calls: there is no window. */
struct whole_calls {
	struct whole_call *items;	/* by thread and start */
	size_t count;
	size_t capacity;
	struct whole_call spare;
};

/* A call that has an added event as its enter, or as its exit. */
struct cut_call {
	uint32_t thread;		/* its number */
	uint64_t method;		/* its id */
	uint64_t start_ns;
	bool added;			/* the enter was added */
	size_t around;			/* open calls of the same method that
					   it is in, if the enter was added */
};

/* Reads all events of the trace, if the selection has a window, and stores the
 * calls that are open at its edges, with durations in CPU or wall time. The
 * reader is held, and rewound afterwards; a failure to read is left to the
 * passes that follow. false: no memory. */
bool
whole_calls_find(struct whole_calls *whole, struct dmtrace_reader *reader,
    const struct dmt_selection *selection, bool by_cpu);

/* Returns the whole duration of a call, or one of the values above. */
int64_t
whole_calls_get(const struct whole_calls *whole, const struct cut_call *call);

/* Adds a column of text: the whole duration of a call that is cut, "no exit" or
 * nothing. */
void
whole_calls_put(struct dmt_output *buffer, size_t width, int64_t whole_ns);

/* Fills the cells "cut" and "whole_ns". */
void
whole_calls_cells(struct table *table, int64_t whole_ns);

void
whole_calls_fini(struct whole_calls *whole);

#endif
