/* follow.h - traces that are read while they are written */
#ifndef DMT_TRACE_FOLLOW_H
#define DMT_TRACE_FOLLOW_H

#include <stdbool.h>

#include "data/v2.h"
#include "private/trace.h"
#include "trace/reader.h"

struct dmt_following {
	enum dmt_follow state;
	bool sized;			/* the distance of records is known */
	struct dmt_v2_header header;	/* of trace format V2: its file, */
	struct dmt_v2_form form;	/* and its blocks, once there is one */
	uint64_t size;			/* bytes of names in the key */
	uint64_t *redefined;		/* methods, since the last records */
	size_t count;
	size_t capacity;
};

/* Reads the header from key_input, which is open. */
enum dmtrace_status
dmt_follow_open(struct dmtrace_reader *reader);

/* NULL is allowed. */
void
dmt_following_free(struct dmt_following *following);

#endif
