/* rank.h - one rank test after another, for counts that stay the same */
#ifndef DMT_VERIFY_RANK_H
#define DMT_VERIFY_RANK_H

#include <dmtrace/rank.h>
#include <stdbool.h>

/* The largest figure, and the least below zero: differences fit in 64 bits,
 * and theirs, too. */
#define DMT_RANK_MAX (INT64_C(1) << 60)

/* What does not depend on the figures. */
struct dmt_rank_plan {
	size_t counts[2];
	double alpha;
	int64_t critical;	/* pairs that may be against the others while
				   p is still alpha at most; -1: none */
};

/* Both counts are 1 or more. */
void
dmt_rank_plan_init(struct dmt_rank_plan *plan, size_t a_count,
    size_t b_count, double alpha);

/* Puts figures in order, cut to what a test can take. */
void
dmt_rank_sort(int64_t *figures, size_t count);

/* Both sets are in order. */
void
dmt_rank_judge(struct dmtrace_rank_test *test,
    const struct dmt_rank_plan *plan, const int64_t *a, const int64_t *b);

/* Of figures in order; of two in the middle, the mean. */
double
dmt_rank_median(const int64_t *figures, size_t count);

#endif
