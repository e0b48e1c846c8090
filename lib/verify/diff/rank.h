/* rank.h - whether two sets of figures differ, or only by noise */
#ifndef DMT_VERIFY_RANK_H
#define DMT_VERIFY_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest figure, and the least below zero: differences fit in 64 bits,
 * and theirs, too. */
#define DMT_RANK_MAX (INT64_C(1) << 60)

/* Of so many figures in all, and without ties, p is exact. */
#define DMT_RANK_EXACT 24

/* What depends only on how many figures the sets have. */
struct dmt_rank_plan {
	size_t counts[2];
	uint64_t pairs;		/* of a figure of each */
	bool exact;
	double p[DMT_RANK_EXACT * DMT_RANK_EXACT / 8 + 1];	/* by U, up to
				   half the pairs, if exact */
	double alpha;
	int64_t critical;	/* greatest U that has a p of alpha at most;
				   -1: none */
};

struct dmt_rank_test {
	double p;		/* how often chance alone makes a difference
				   as large, either way: 0 to 1 */
	double shift;		/* by how much b is more than a: the median of
				   all differences (Hodges and Lehmann) */
	double delta;		/* how much more often b is more than a than
				   less: -1 to 1 (Cliff) */
	double detectable;	/* a shift beyond it, between figures that
				   scatter like these, has a p of alpha at
				   most; -1: none has, there are too few */
};

/* A p, and where it goes when it is adjusted. */
struct dmt_adjusted {
	double p;
	double *to;
};

/* Both counts are 1 or more, alpha is above 0 and below 1. */
void
dmt_rank_plan_init(struct dmt_rank_plan *plan, size_t a_count,
    size_t b_count, double alpha);

/* The least p: that of two sets that do not overlap. */
double
dmt_rank_least(const struct dmt_rank_plan *plan);

/* Sorts figures, cut to what a test can take. */
void
dmt_rank_sort(int64_t *figures, size_t count);

/* Compares two sorted sets. */
void
dmt_rank_compare(struct dmt_rank_test *test, const struct dmt_rank_plan *plan,
    const int64_t *a, const int64_t *b);

/* Of sorted figures; of two in the middle, the mean. */
double
dmt_rank_median(const int64_t *figures, size_t count);

/* Adjusts every p for how many there are, by the method of Benjamini and
 * Hochberg. */
void
dmt_rank_adjust(struct dmt_adjusted *all, size_t count);

#endif
