/* follow.h - reads traces while they are being written */
#ifndef DMT_TRACE_FOLLOW_H
#define DMT_TRACE_FOLLOW_H

#include <stdbool.h>

#include "private/trace.h"
#include "trace/reader.h"

struct dmt_following {
	enum dmt_follow state;
	uint64_t size;			/* of the names in the key, in bytes */
	uint64_t renames;		/* of threads */
	uint64_t *redefined;		/* method ids, since the last records */
	size_t count;
	size_t capacity;
};

/* Reads the header from key_input, which is open. */
enum dmtrace_status
dmt_follow_open(struct dmtrace_reader *reader);

/* Returns true if the trace still grows, so that more may be read. */
bool
dmt_follow_on(struct dmtrace_reader *reader);

/* Adds the definition that is next to the key, or notices the end. Returns
 * true for definitions and events. */
bool
dmt_follow_item(struct dmtrace_reader *reader,
    const struct dmt_packet_item *item);

/* following may be NULL. */
void
dmt_following_free(struct dmt_following *following);

#endif
