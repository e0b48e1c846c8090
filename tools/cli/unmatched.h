/* unmatched.h - names of threads and methods that a trace does not have */
#ifndef UNMATCHED_H
#define UNMATCHED_H

#include <dmtrace.h>

#include "cli/strbuf.h"
#include "cli/suggestion.h"

#define UNMATCHED_LENGTH 128		/* bytes of a name that are compared */

/* What nothing matches, and copies of the nearest names. Begin with zero but
 * for unmatched; it must not be moved. */
struct unmatched {
	struct dmtrace_unmatched unmatched;
	struct suggestion near;
	char names[SUGGESTIONS_MAX + 1][UNMATCHED_LENGTH];
};

/* The option of a condition, for messages: "-t". */
const char *
unmatched_option(enum dmtrace_condition condition);

/* Looks for near names in the key of a trace, unless it is a pattern. */
void
unmatched_search(struct unmatched *unknown, const struct dmtrace_key *key);

/* Puts what was not found: no method matches "x.*". */
void
unmatched_put(struct strbuf *buffer, const struct dmtrace_unmatched *unmatched);

/* Reports it, with the nearest names; file NULL: of several traces. */
void
unmatched_report(const struct unmatched *unknown, const char *file);

#endif
