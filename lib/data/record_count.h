/* record_count.h - what a run of records comes to, without the events */
#ifndef DMT_DATA_RECORD_COUNT_H
#define DMT_DATA_RECORD_COUNT_H

#include "data/record_decode.h"

/* Per thread number: the first and last time of its preferred clock. */
struct dmt_thread_tally {
	struct dmt_clocks clocks;
	uint64_t records;
	uint64_t first_us;
	uint64_t last_us;
};

struct dmt_tallies {
	uint64_t actions[4];
	struct dmt_thread_tally *threads;	/* one per thread number */
	size_t thread_numbers;			/* 256 or 65,536 */
};

/* false: no memory. Pages are touched as threads come. */
bool
dmt_tallies_init(struct dmt_tallies *tallies,
    const struct dmtrace_layout *layout);

void
dmt_tallies_fini(struct dmt_tallies *tallies);

/* Adds count records at in. Oddities are told as dmt_records_decode does. */
void
dmt_records_count(struct dmt_tallies *tallies,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t count,
    const struct dmt_watch *watch);

#endif
