/* rank.h - whether two sets of figures differ, or only by noise */
#ifndef DMT_VERIFY_RANK_H
#define DMT_VERIFY_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest absolute value of a figure, so that differences of figures, and
 * differences of these, fit in 64 bits. */
#define DMT_RANK_MAX (INT64_C(1) << 60)

/* p is exact for up to so many figures in both sets together, without ties. */
#define DMT_RANK_EXACT 24

/* The part of a test that depends only on the sizes of the sets. */
struct dmt_rank_plan {
	size_t counts[2];
	uint64_t pairs;		/* the product of the counts */
	bool exact;		/* p is filled */
	double p[DMT_RANK_EXACT * DMT_RANK_EXACT / 8 + 1];	/* by U, up to
				   half the pairs */
	double alpha;
	int64_t critical;	/* the greatest U whose p is at most alpha; -1:
				   none */
};

struct dmt_rank_test {
	double p;		/* the probability that chance alone makes a
				   difference as large, in either direction */
	double shift;		/* from a to b: the median of all differences
				   b - a (Hodges and Lehmann) */
	double delta;		/* the share of pairs in which b is greater,
				   minus the share in which it is less (Cliff):
				   -1 to 1 */
	double detectable;	/* between figures that scatter like these, a
				   larger shift has a p of at most alpha; -1:
				   there are too few figures for any */
};

/* A p, and where its adjusted value is stored. */
struct dmt_adjusted {
	double p;
	double *to;
};

/* Prepares tests. Both counts are at least 1; alpha is above 0 and below 1. */
void
dmt_rank_plan_init(struct dmt_rank_plan *plan, size_t a_count,
    size_t b_count, double alpha);

/* Returns the lowest p that is possible: that of two sets that do not
 * overlap. */
double
dmt_rank_least(const struct dmt_rank_plan *plan);

/* Sorts figures, after limiting each to DMT_RANK_MAX and its negative. */
void
dmt_rank_sort(int64_t *figures, size_t count);

/* Compares two sorted sets. */
void
dmt_rank_compare(struct dmt_rank_test *test, const struct dmt_rank_plan *plan,
    const int64_t *a, const int64_t *b);

/* Returns the median of sorted figures; for an even count, the mean of the two
 * in the middle. */
double
dmt_rank_median(const int64_t *figures, size_t count);

/* Adjusts every p for the number of tests, by the method of Benjamini and
 * Hochberg. */
void
dmt_rank_adjust(struct dmt_adjusted *all, size_t count);

#endif
