/* record_count.h - counts records without decoding events */
#ifndef DMT_DATA_RECORD_COUNT_H
#define DMT_DATA_RECORD_COUNT_H

#include <dmtrace/trace.h>

#include "base/idmap.h"
#include "data/unwrap.h"
#include "private/header.h"

struct dmt_tallies {
	const struct dmt_layout *layout;	/* belongs to the caller */
	struct dmt_thread_tally *threads;	/* by thread number; if times
						   are ns, by order of
						   appearance */
	uint64_t *seen;			/* a bit per number: 1 if it has
					   records */
	size_t thread_count;		/* numbers with records */
	size_t capacity;		/* of threads, if times are ns */
	struct dmt_idmap by_number;	/* index of a number, if times are ns */
	bool failed;			/* no memory for a thread */
};

/* false: no memory. The array of threads uses memory only for pages that are
 * touched. */
bool
dmt_tallies_init(struct dmt_tallies *tallies,
    const struct dmt_layout *layout);

void
dmt_tallies_fini(struct dmt_tallies *tallies);

/* Adds count consecutive records at in. watch is called for unusual ones as by
 * dmt_records_decode. */
void
dmt_records_count(struct dmt_tallies *tallies, const uint8_t *in,
    size_t count, const struct dmt_watch *watch);

/* The same for layouts with times in nanoseconds: adds count events of one
 * thread, given by method words and times of the preferred clock, wall. */
void
dmt_tallies_add(struct dmt_tallies *tallies, uint32_t thread,
    const uint64_t *words, const uint64_t *times_ns, size_t count);

/* Sums all tallies; free the result by dmt_count_fini. false: no memory. */
bool
dmt_tallies_sum(struct dmt_count *count,
    const struct dmt_tallies *tallies);

#endif
