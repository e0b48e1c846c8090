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
	struct dmtrace_source *source;	/* by chosen_begin */
};

/* Takes some of them. Returns CMD_OK to go on, or the exit status. */
typedef int
chosen_fn(void *context, const struct dmtrace_event *events, size_t count);

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

/* Takes all events of the source, and checks. Returns CMD_OK, CMD_TROUBLE,
 * which is reported, or what take did. */
int
chosen_each(const struct chosen *chosen, chosen_fn *take, void *context);

/* Says what went wrong, and returns CMD_TROUBLE. */
int
chosen_fail(const struct chosen *chosen, const struct dmtrace_error *error);

void
chosen_end(struct chosen *chosen);

#endif
