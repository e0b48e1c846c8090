/* record_count.h - what runs of records come to, without the events */
#ifndef DMT_DATA_RECORD_COUNT_H
#define DMT_DATA_RECORD_COUNT_H

#include <dmtrace/trace.h>

#include "base/idmap.h"
#include "data/unwrap.h"
#include "private/trace.h"

struct dmt_tallies {
	const struct dmt_layout *layout;	/* the caller's */
	struct dmt_thread_tally *threads;	/* one per thread number, or if
					   times are ns per thread seen */
	uint64_t *seen;			/* a bit per number: it has records */
	size_t thread_count;		/* that have */
	size_t capacity;		/* of threads, if times are ns: */
	struct dmt_idmap by_number;	/* where they are */
	bool failed;			/* no memory for one of them */
};

/* false: no memory. Pages are touched as threads come. */
bool
dmt_tallies_init(struct dmt_tallies *tallies,
    const struct dmt_layout *layout);

void
dmt_tallies_fini(struct dmt_tallies *tallies);

/* Adds count records that follow each other at in. Oddities are reported
 * as dmt_records_decode does. */
void
dmt_records_count(struct dmt_tallies *tallies, const uint8_t *in,
    size_t count, const struct dmt_watch *watch);

/* The same of a layout with nanoseconds: count events of one thread, by their
 * method words and the times of its clock, of which wall is preferred. */
void
dmt_tallies_add(struct dmt_tallies *tallies, uint32_t thread,
    const uint64_t *words, const uint64_t *times_ns, size_t count);

/* Adds up all tallies to a count, which dmt_count_fini frees. false: no memory.
 * */
bool
dmt_tallies_sum(struct dmt_count *count,
    const struct dmt_tallies *tallies);

#endif
