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
	const uint32_t *keys;
	size_t count;
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
 * takes is nearly the same for any number of runs.
 */
void
dmt_interleave(struct dmt_sorter *sorter, uint8_t *out,
    const struct dmtrace_layout *layout, const struct dmt_strand *runs,
    size_t count);

#endif
