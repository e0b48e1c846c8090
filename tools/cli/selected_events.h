/* selected_events.h - the events of a trace that a selection leaves */
#ifndef SELECTED_EVENTS_H
#define SELECTED_EVENTS_H

#include <dmtrace.h>

#include "cli/progress.h"
#include "cli/selection.h"

struct selected_events {
	struct dmtrace_reader *reader;	/* at the first record */
	const char *name;		/* for messages */
	struct selection *selection;	/* begun; NULL: all events */
	struct progress *progress;
	struct dmtrace_error *failure;	/* gets what selected_events_fail
	    reports; NULL:
					   nothing does */
	struct dmtrace_source *source;	/* by selected_events_begin */
};

/* Before the rest: events will be read more than once. Returns CMD_OK, or
 * CMD_TROUBLE, which is reported. */
int
selected_events_hold(const struct selected_events *chosen);

/* Looks up what the selection means for the trace, and makes the source of its
 * events. Returns CMD_OK, or CMD_TROUBLE, which is reported. In any case
 * selected_events_end. */
int
selected_events_begin(struct selected_events *chosen);

/* After the source's end: notes what the selection did not match
 * (selection_check). Returns CMD_OK, or CMD_TROUBLE, which is reported. */
int
selected_events_check(const struct selected_events *chosen);

/* Reports what went wrong, and returns CMD_TROUBLE. */
int
selected_events_fail(const struct selected_events *chosen,
    const struct dmtrace_error *error);

void
selected_events_end(struct selected_events *chosen);

#endif
