/* rank.c - whether two sets of figures differ, or only by noise */

/*
 * This is the rank test of Mann and Whitney. A pair is a figure of set a and a
 * figure of set b; U is the number of pairs in which the figure of b is
 * greater, where equal figures count half. If only chance decides which figure
 * is in which set, all choices of the ranks of b are equally likely. Without
 * ties, the number of choices that give each U is a coefficient of a Gaussian
 * binomial, which is multiplied out factor by factor. With ties, or with many
 * figures, U is approximated by a normal distribution, with the variance
 * corrected for ties, and half a pair as continuity correction. Counting the
 * choices with ties exactly would need a table for each comparison.
 *
 * Shift and detectable are the differences of pairs at certain ranks. They are
 * found by bisection; the differences are counted, not stored.
 */

#include "verify/diff/rank.h"

#include <math.h>
#include <stdlib.h>

static int
compare_figures(const void *left, const void *right)
{
	const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

void
dmt_rank_sort(int64_t *figures, size_t count)
{
	for (size_t i = 0; i < count; i++)
		figures[i] = figures[i] > DMT_RANK_MAX ? DMT_RANK_MAX :
		    figures[i] < -DMT_RANK_MAX ? -DMT_RANK_MAX : figures[i];
	if (count > 1)
		qsort(figures, count, sizeof(*figures), compare_figures);
}

double
dmt_rank_median(const int64_t *figures, size_t count)
{
	return ((double)figures[(count - 1) / 2] +
	    (double)figures[count / 2]) / 2;
}

/* Fills plan->p: the probability that U is at least as far from the middle. In
 * step i the polynomial is multiplied by 1 - x^(b + i) and divided by
 * 1 - x^i. */
static void
count_choices(struct dmt_rank_plan *plan)
{
	uint64_t ways[DMT_RANK_EXACT * DMT_RANK_EXACT / 4 + 1] = { 1 };
	uint64_t all = 0, up_to = 0;

	for (uint64_t i = 1; i <= plan->counts[0]; i++) {
		const uint64_t factor = plan->counts[1] + i;

		for (uint64_t u = plan->pairs; u >= factor; u--)
			ways[u] -= ways[u - factor];
		for (uint64_t u = i; u <= plan->pairs; u++)
			ways[u] += ways[u - i];
	}
	for (uint64_t u = 0; u <= plan->pairs; u++)
		all += ways[u];
	for (uint64_t u = 0; u <= plan->pairs / 2; u++) {
		up_to += ways[u];
		plan->p[u] = fmin(2 * (double)up_to / (double)all, 1);
	}
}

/* Returns the p of a U, which is given twice as large, to be a whole number.
 * ties is the sum of t^3 - t over all groups of t equal figures. */
static double
find_p(const struct dmt_rank_plan *plan, uint64_t twice_u, double ties)
{
	const uint64_t far = twice_u > plan->pairs ? twice_u - plan->pairs :
	    plan->pairs - twice_u;

	if (plan->exact && !(ties > 0))
		return plan->p[(plan->pairs - far) / 2];
	const double a = (double)plan->counts[0];
	const double b = (double)plan->counts[1];
	const double variance = a * b / 12 *
	    (a + b + 1 - ties / ((a + b) * (a + b - 1)));
	const double z = ((double)far / 2 - 0.5) / sqrt(variance);
	return variance > 0 && z > 0 ? erfc(z / sqrt(2)) : 1;
}

void
dmt_rank_plan_init(struct dmt_rank_plan *plan, size_t a_count,
    size_t b_count, double alpha)
{
	*plan = (struct dmt_rank_plan){
		.counts = { a_count, b_count },
		.pairs = (uint64_t)a_count * b_count,
		.exact = a_count <= DMT_RANK_EXACT &&
		    b_count <= DMT_RANK_EXACT - a_count,
		.alpha = alpha
	};
	if (plan->exact)
		count_choices(plan);

	int64_t low = -1, high = (int64_t)(plan->pairs / 2);
	while (low < high) {
		const int64_t middle = high - (high - low) / 2;

		if (find_p(plan, 2 * (uint64_t)middle, 0) <= alpha)
			low = middle;
		else
			high = middle - 1;
	}
	plan->critical = low;
}

double
dmt_rank_least(const struct dmt_rank_plan *plan)
{
	return find_p(plan, 0, 0);
}

/* Returns how many of the differences b - a are at most difference. */
static uint64_t
count_up_to(const struct dmt_rank_plan *plan, const int64_t *a,
    const int64_t *b, int64_t difference)
{
	uint64_t sum = 0;
	size_t j = 0;

	for (size_t i = 0; i < plan->counts[0]; i++) {
		while (j < plan->counts[1] && b[j] <= a[i] + difference)
			j++;
		sum += j;
	}
	return sum;
}

/* Returns the difference b - a of that rank in rising order, from 1. */
static double
difference_at(const struct dmt_rank_plan *plan, const int64_t *a,
    const int64_t *b, uint64_t rank)
{
	int64_t low = b[0] - a[plan->counts[0] - 1];
	int64_t high = b[plan->counts[1] - 1] - a[0];

	while (low < high) {
		const int64_t middle = low + (high - low) / 2;

		if (count_up_to(plan, a, b, middle) >= rank)
			high = middle;
		else
			low = middle + 1;
	}
	return (double)low;
}

/* Returns the sum of t^3 - t over all groups of t equal figures, in both sets
 * together. */
static double
sum_ties(const struct dmt_rank_plan *plan, const int64_t *a, const int64_t *b)
{
	double ties = 0;
	size_t i = 0, j = 0;

	while (i < plan->counts[0] || j < plan->counts[1]) {
		const int64_t figure = j == plan->counts[1] ||
		    (i < plan->counts[0] && a[i] < b[j]) ? a[i] : b[j];
		const size_t from = i + j;

		while (i < plan->counts[0] && a[i] == figure)
			i++;
		while (j < plan->counts[1] && b[j] == figure)
			j++;
		const double equal = (double)(i + j - from);
		ties += equal * equal * equal - equal;
	}
	return ties;
}

void
dmt_rank_compare(struct dmt_rank_test *test, const struct dmt_rank_plan *plan,
    const int64_t *a, const int64_t *b)
{
	const uint64_t pairs = plan->pairs;
	const uint64_t below = count_up_to(plan, a, b, -1);
	const uint64_t above = pairs - count_up_to(plan, a, b, 0);

	*test = (struct dmt_rank_test){
		.p = find_p(plan, above + (pairs - below),
		    sum_ties(plan, a, b)),
		.shift = (difference_at(plan, a, b, (pairs + 1) / 2) +
		    difference_at(plan, a, b, pairs / 2 + 1)) / 2,
		.delta = ((double)above - (double)below) / (double)pairs,
		.detectable = -1
	};
	if (plan->critical < 0)
		return;

	/* The wider half of the shift's confidence interval. If the sets had no
	 * shift, a shift by that much would leave only the critical number of
	 * pairs on the other side. */
	const uint64_t critical = (uint64_t)plan->critical;
	test->detectable = fmax(
	    test->shift - difference_at(plan, a, b, critical + 1),
	    difference_at(plan, a, b, pairs - critical) - test->shift);
}

static int
compare_p(const void *left, const void *right)
{
	const struct dmt_adjusted *const a = left, *const b = right;

	return (a->p > b->p) - (a->p < b->p);
}

/* The k-th lowest p is multiplied by count / k, and is then at most the
 * adjusted p after it. */
void
dmt_rank_adjust(struct dmt_adjusted *all, size_t count)
{
	double least = 1;

	if (count > 1)
		qsort(all, count, sizeof(*all), compare_p);
	for (size_t k = count; k > 0; k--) {
		least = fmin(least,
		    all[k - 1].p * (double)count / (double)k);
		*all[k - 1].to = least;
	}
}
