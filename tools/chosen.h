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
	struct dmtrace_source *source;	/* NULL: of all, not needed yet */
	bool checked;			/* what the selection matched */
};

/* Takes some of them. Returns CMD_OK to go on, or the exit status. */
typedef int
chosen_fn(void *context, const struct dmtrace_event *events, size_t count);

/* Before the rest, for chosen_rewind. Returns CMD_OK, or CMD_TROUBLE, which is
 * said. */
int
chosen_hold(const struct chosen *chosen);

/* Looks up what the selection means for the trace. Returns CMD_OK, or
 * CMD_TROUBLE, which is said. In any case chosen_end. */
int
chosen_begin(struct chosen *chosen);

/* Takes all of them, and the first time notes what the selection did not match
 * (selection_check). Returns CMD_OK, CMD_TROUBLE, which is said, or what take
 * did. */
int
chosen_each(struct chosen *chosen, chosen_fn *take, void *context);

/* Back to where chosen_each begins. Returns CMD_OK, or CMD_TROUBLE, which is
 * said. */
int
chosen_rewind(const struct chosen *chosen);

/* Says what went wrong, and returns CMD_TROUBLE. */
int
chosen_fail(const struct chosen *chosen, const struct dmtrace_error *error);

void
chosen_end(struct chosen *chosen);

#endif
