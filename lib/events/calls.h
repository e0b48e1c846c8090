/* calls.h - methods that a table lists, asked again and again */
#ifndef DMT_EVENTS_CALLS_H
#define DMT_EVENTS_CALLS_H

#include <dmtrace/calls.h>
#include <stdbool.h>

/* Methods that are listed, by their ids, where two do not share a place; a
 * place without one has what no id there equals. */
struct dmt_recent {
	uint64_t *ids;
	size_t mask;			/* of places, a power of two less 1 */
};

/* Of the calls; lives as long. */
const struct dmt_recent *
dmt_calls_recent(const struct dmtrace_calls *calls);

/* Most calls are of methods that came before. */
static inline bool
dmt_recent_has(const struct dmt_recent *recent, uint64_t method)
{
	return recent->ids[method / 4 & recent->mask] == method;
}

/* Whether a table lists the method. */
bool
dmt_calls_lists(struct dmtrace_calls *calls, uint64_t method);

#endif
