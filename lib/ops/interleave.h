/* interleave.h - runs of records to one, by time: the kernel of merge */
#ifndef DMT_OPS_INTERLEAVE_H
#define DMT_OPS_INTERLEAVE_H

#include <stdbool.h>

#include "format/layout.h"

/* The most records that are sorted at once. */
#define DMT_INTERLEAVE_MAX 16384

/* Records and their keys, which do not fall. */
struct dmt_strand {
	const uint8_t *records;
	const uint32_t *keys;		/* NULL: the wall times, and shift_us */
	size_t count;
	uint32_t shift_us;
	const struct dmtrace_layout *layout;	/* if keys is NULL */
};

/* Where the next record of each key goes. */
struct dmt_places {
	uint16_t *by_key;		/* from the first one on */
	uint32_t first;
};

struct dmt_sorter;

/* NULL: no memory. */
struct dmt_sorter *
dmt_sorter_new(void);

/* NULL is allowed. */
void
dmt_sorter_free(struct dmt_sorter *sorter);

/*
 * Writes the records of all runs, at most DMT_INTERLEAVE_MAX, to out,
 * by rising keys, those of one key in the order of the runs. The time that it
 * takes is nearly the same for any number of runs. They have keys.
 */
void
dmt_interleave(struct dmt_sorter *sorter, uint8_t *out,
    const struct dmtrace_layout *layout, const struct dmt_strand *runs,
    size_t count);

/*
 * The same in steps: the places of all runs' records, which the runs take in
 * their order. false: the keys lie too far from each other.
 */
bool
dmt_interleave_begin(struct dmt_sorter *sorter,
    const struct dmt_strand *runs, size_t count, struct dmt_places *places);

/* Writes the records of one run, which has keys, to their places in out. */
void
dmt_interleave_put(const struct dmt_places *places, uint8_t *out,
    const struct dmtrace_layout *layout, const struct dmt_strand *run);

#endif
