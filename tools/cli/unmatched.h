/* unmatched.h - reports names of threads and methods that do not exist */
#ifndef UNMATCHED_H
#define UNMATCHED_H

#include <dmtrace.h>

#include "cli/escapes.h"
#include "private/select.h"
#include "private/suggestion.h"

/* A condition that nothing matches, and similar names. Set what, and zero the
 * rest. */
struct unmatched {
	size_t containing;		/* methods whose names contain the
					   wanted one */
	struct dmt_unmatched what;
	struct dmt_suggestion suggestion;
};

/* Returns the option of a condition, for messages: "-t". */
const char *
unmatched_option(enum dmt_condition_kind condition);

/* Looks for similar names in the key of a trace, unless the condition is a
 * pattern. */
void
unmatched_search(struct unmatched *unmatched, const struct dmtrace_key *key);

/* Writes what was not found, such as: no method matches "x.*". */
void
unmatched_put(struct dmt_output *buffer, const struct dmt_unmatched *what);

/* Reports it, with similar names; file is NULL if there are several traces. */
void
unmatched_report(const struct unmatched *unmatched, const char *file);

#endif
