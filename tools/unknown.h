/* unknown.h - names of threads and methods that a trace does not have */
#ifndef UNKNOWN_H
#define UNKNOWN_H

#include <dmtrace.h>

#include "buffer.h"
#include "near.h"

#define UNKNOWN_LONGEST 128		/* bytes of a name that are compared */

/* What nothing matches, and copies of the nearest names. Begin with zero but
 * for unmatched; it must not be moved. */
struct unknown {
	struct dmtrace_unmatched unmatched;
	struct near near;
	char names[NEAR_MAX + 1][UNKNOWN_LONGEST];
};

/* The option of a condition, for messages: "-t". */
const char *
unknown_option(enum dmtrace_condition condition);

/* Looks for near names in the key of a trace, unless it is a pattern. */
void
unknown_search(struct unknown *unknown, const struct dmtrace_key *key);

/* Puts what was not found: no method matches "x.*". */
void
unknown_put(struct buffer *buffer, const struct dmtrace_unmatched *unmatched);

/* Reports it, with the nearest names; file NULL: of several traces. */
void
unknown_report(const struct unknown *unknown, const char *file);

#endif
