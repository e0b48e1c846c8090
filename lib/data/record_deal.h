/* record_deal.h - records to one place for each thread, in their order */
#ifndef DMT_DATA_RECORD_DEAL_H
#define DMT_DATA_RECORD_DEAL_H

#include <dmtrace/event.h>
#include <stdbool.h>

#include "format/layout.h"

/* Where the records of one thread number go; zero has no room. */
struct dmt_deal_lane {
	uint8_t *at;			/* the next one */
	uint32_t room;			/* for so many */
	uint32_t rank;			/* among records of the same time */
};

/* A deal: false and 0, but for the lanes and timed, at first. */
struct dmt_deal {
	struct dmt_deal_lane *lanes;	/* one for each thread number */
	bool timed;			/* wall times can be compared */
	bool unsorted;			/* by wall time, if timed, and rank */
	uint64_t last;			/* of what it is sorted by */
};

/*
 * Copies count records that stand one behind the other at in, each to the
 * lane of its thread. Returns how many: less than count if the lane of the
 * next one has no room.
 */
size_t
dmt_records_deal(struct dmt_deal *deal, const struct dmtrace_layout *layout,
    const uint8_t *in, size_t count);

#endif
