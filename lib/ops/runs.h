/* runs.h - runs of records that are in order each */
#ifndef DMT_OPS_RUNS_H
#define DMT_OPS_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Neighbours in a run are less than 2^32 us apart, so that the low halves of
 * their keys tell the whole ones. */
struct dmt_run {
	uint64_t at;			/* its first record's number */
	uint64_t count;
	uint64_t first;			/* key, in microseconds */
	uint64_t last;
};

/* Zero is valid, and empty. */
struct dmt_runs {
	struct dmt_run *items;
	size_t count;
	size_t capacity;
};

/* false: no memory. */
bool
dmt_runs_add(struct dmt_runs *runs, const struct dmt_run *run);

/*
 * The indexes of the runs by their first keys, to be freed by the caller, and
 * in *overlap how many of them have a key in common at most. NULL: no memory.
 */
size_t *
dmt_runs_order(const struct dmt_runs *runs, size_t *overlap);

void
dmt_runs_fini(struct dmt_runs *runs);

#endif
