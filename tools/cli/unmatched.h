/* unmatched.h - names of threads and methods that a trace does not have */
#ifndef UNMATCHED_H
#define UNMATCHED_H

#include <dmtrace.h>

#include "cli/strbuf.h"
#include "cli/suggestion.h"
#include "private/select.h"

/* What nothing matches, and similar names. Begin with zero but for what. */
struct unmatched {
	size_t containing;		/* methods whose names have the wanted
					   one in them */
	struct dmt_unmatched what;
	struct suggestion suggestion;
};

/* The option of a condition, for messages: "-t". */
const char *
unmatched_option(enum dmt_condition_kind condition);

/* Looks for similar names in the key of a trace, unless it is a pattern. */
void
unmatched_search(struct unmatched *unmatched, const struct dmtrace_key *key);

/* Puts what was not found: no method matches "x.*". */
void
unmatched_put(struct strbuf *buffer, const struct dmt_unmatched *what);

/* Reports it, with similar names; file NULL: of several traces. */
void
unmatched_report(const struct unmatched *unmatched, const char *file);

#endif
