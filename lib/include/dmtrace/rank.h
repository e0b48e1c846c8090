/* dmtrace/rank.h - whether two sets of figures differ, or only by noise */
#ifndef DMTRACE_RANK_H
#define DMTRACE_RANK_H

#include <dmtrace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The rank test of Mann and Whitney, which asks nothing of how the figures
 * are distributed: a few that are far off do not matter.
 */
struct dmtrace_rank_test {
	double p;		/* how often chance alone makes a difference
				   as large, either way: 0 to 1 */
	int exact;		/* p is counted; 0: by the normal
				   distribution, with ties */
	double shift;		/* by how much b is more than a: the median of
				   all differences (Hodges and Lehmann) */
	double delta;		/* how much oftener b is more than a than
				   less: -1 to 1 (Cliff) */
	double detectable;	/* a shift beyond it, between figures that
				   scatter like these, has a p of alpha at
				   most; -1: none has, there are too few */
};

/* Up to so many figures in all, p is counted. */
#define DMTRACE_RANK_EXACT 24

/*
 * Compares b_count figures with a_count others, neither in any order nor
 * changed. Figures beyond 2^60 count as 2^60. alpha, above 0 and below 1, is
 * that of detectable alone.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  a count is 0, or alpha is none
 * Then *test is as it was. Thread-safe.
 */
DMTRACE_API enum dmtrace_status
dmtrace_rank_test(struct dmtrace_rank_test *test, const int64_t *a,
    size_t a_count, const int64_t *b, size_t b_count, double alpha);

/* The least p that so many figures can have: that of two sets that do not
 * overlap. 1 if a count is 0. Thread-safe. */
DMTRACE_API double
dmtrace_rank_least(size_t a_count, size_t b_count);

#ifdef __cplusplus
}
#endif

#endif
