/* rank.c - whether two sets of figures differ, or only by noise */

#include "verify/rank.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "verify/rank_exact.h"

static int
compare(const void *left, const void *right)
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
		qsort(figures, count, sizeof(*figures), compare);
}

double
dmt_rank_median(const int64_t *figures, size_t count)
{
	return ((double)figures[(count - 1) / 2] +
	    (double)figures[count / 2]) / 2;
}

void
dmt_rank_plan_init(struct dmt_rank_plan *plan, size_t a_count,
    size_t b_count, double alpha)
{
	const uint64_t pairs = (uint64_t)a_count * b_count;
	int64_t low = -1, high = (int64_t)(pairs / 2);

	*plan = (struct dmt_rank_plan){
		.counts = { a_count, b_count }, .alpha = alpha
	};
	while (low < high) {
		const int64_t middle = high - (high - low) / 2;

		if (dmt_rank_p(a_count, b_count, 2 * (uint64_t)middle) <=
		    alpha)
			low = middle;
		else
			high = middle - 1;
	}
	plan->critical = low;
}

/* How many differences b - a are at most that much. */
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

/* The difference b - a that has rank - 1 smaller ones, by halving. */
static int64_t
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
	return low;
}

static double
shift_of(const struct dmt_rank_plan *plan, const int64_t *a,
    const int64_t *b)
{
	const uint64_t pairs = (uint64_t)plan->counts[0] * plan->counts[1];

	return ((double)difference_at(plan, a, b, (pairs + 1) / 2) +
	    (double)difference_at(plan, a, b, pairs / 2 + 1)) / 2;
}

/* The wider half of the shift's confidence interval: with the shift taken
 * off, so much more makes all but the critical pairs go one way. */
static double
detectable(const struct dmt_rank_plan *plan, const int64_t *a,
    const int64_t *b, double shift)
{
	const uint64_t pairs = (uint64_t)plan->counts[0] * plan->counts[1];

	if (plan->critical < 0)
		return -1;
	const uint64_t critical = (uint64_t)plan->critical;
	const double down = shift -
	    (double)difference_at(plan, a, b, critical + 1);
	const double up =
	    (double)difference_at(plan, a, b, pairs - critical) - shift;
	return down > up ? down : up;
}

void
dmt_rank_judge(struct dmtrace_rank_test *test,
    const struct dmt_rank_plan *plan, const int64_t *a, const int64_t *b)
{
	const uint64_t pairs = (uint64_t)plan->counts[0] * plan->counts[1];
	const uint64_t not_above = count_up_to(plan, a, b, 0);
	const uint64_t below = count_up_to(plan, a, b, -1);

	*test = (struct dmtrace_rank_test){
		.exact = plan->counts[0] + plan->counts[1] <=
		    DMTRACE_RANK_EXACT,
		.p = dmt_rank_p_of(a, plan->counts[0], b, plan->counts[1]),
		.shift = shift_of(plan, a, b),
		.delta = ((double)(pairs - not_above) - (double)below) /
		    (double)pairs
	};
	test->detectable = detectable(plan, a, b, test->shift);
}

static int64_t *
copy(const int64_t *figures, size_t count)
{
	int64_t *const sorted = dmt_array_new(count, sizeof(*sorted));

	if (sorted == NULL)
		return NULL;
	memcpy(sorted, figures, count * sizeof(*sorted));
	dmt_rank_sort(sorted, count);
	return sorted;
}

enum dmtrace_status
dmtrace_rank_test(struct dmtrace_rank_test *test, const int64_t *a,
    size_t a_count, const int64_t *b, size_t b_count, double alpha)
{
	struct dmt_rank_plan plan;

	if (a_count == 0 || b_count == 0 || !(alpha > 0 && alpha < 1))
		return DMTRACE_ERR_RANGE;
	int64_t *const low = copy(a, a_count), *const high = copy(b, b_count);
	const bool fine = low != NULL && high != NULL;
	if (fine) {
		dmt_rank_plan_init(&plan, a_count, b_count, alpha);
		dmt_rank_judge(test, &plan, low, high);
	}
	free(low);
	free(high);
	return fine ? DMTRACE_OK : DMTRACE_ERR_MEMORY;
}

double
dmtrace_rank_least(size_t a_count, size_t b_count)
{
	return a_count == 0 || b_count == 0 ? 1 :
	    dmt_rank_p(a_count, b_count, 0);
}
