/* chosen.h - the events of a trace that a selection leaves */
#ifndef CHOSEN_H
#define CHOSEN_H

#include <dmtrace.h>

#include "progress.h"
#include "selection.h"

struct chosen {
	struct dmtrace_reader *reader;	/* at the first record */
	const char *name;		/* for messages */
	struct selection *selection;	/* begun; NULL: all events */
	struct progress *progress;
	struct dmtrace_error *failure;	/* gets what chosen_fail reports; NULL:
					   nothing does */
	struct dmtrace_source *source;	/* by chosen_begin */
};

/* Before the rest: events will be read more than once. Returns CMD_OK, or
 * CMD_TROUBLE, which is reported. */
int
chosen_hold(const struct chosen *chosen);

/* Looks up what the selection means for the trace, and makes the source of its
 * events. Returns CMD_OK, or CMD_TROUBLE, which is reported. In any case
 * chosen_end. */
int
chosen_begin(struct chosen *chosen);

/* After the source's end: notes what the selection did not match
 * (selection_check). Returns CMD_OK, or CMD_TROUBLE, which is reported. */
int
chosen_check(const struct chosen *chosen);

/* Says what went wrong, and returns CMD_TROUBLE. */
int
chosen_fail(const struct chosen *chosen, const struct dmtrace_error *error);

void
chosen_end(struct chosen *chosen);

#endif
