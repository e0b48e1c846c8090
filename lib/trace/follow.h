/* follow.h - reads traces while they are being written */
#ifndef DMT_TRACE_FOLLOW_H
#define DMT_TRACE_FOLLOW_H

#include <stdbool.h>

#include "data/v2.h"
#include "private/trace.h"
#include "trace/reader.h"

struct dmt_following {
	enum dmt_follow state;
	bool sized;			/* the size of records is known */
	struct dmt_v2_header header;	/* of trace format V2: of the file, */
	struct dmt_v2_form form;	/* and of its blocks, after the first */
	uint64_t size;			/* of the names in the key, in bytes */
	uint64_t *redefined;		/* method ids, since the last records */
	size_t count;
	size_t capacity;
};

/* Reads the header from key_input, which is open. */
enum dmtrace_status
dmt_follow_open(struct dmtrace_reader *reader);

/* following may be NULL. */
void
dmt_following_free(struct dmt_following *following);

#endif
