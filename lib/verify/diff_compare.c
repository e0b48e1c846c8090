/* diff_compare.c - each figure of the one side against the other's */

#include "verify/diff.h"

#include <stdlib.h>

#include "base/array.h"

/* One comparison under way. */
struct comparison {
	struct dmtrace_diff *diff;
	struct dmt_rank_plan plan;
	int64_t *figures[DMTRACE_DIFF_SIDES];	/* one of each run */
	struct dmt_adjusted *tests;
	size_t test_count;
};

/* The times of a clock are tested together, calls with those of the one that
 * is asked for. */
static const enum dmtrace_diff_figure families[2][3] = {
	[DMTRACE_PROFILE_CPU] = { DMTRACE_DIFF_INCLUSIVE_CPU,
	    DMTRACE_DIFF_EXCLUSIVE_CPU, DMTRACE_DIFF_CALLS },
	[DMTRACE_PROFILE_WALL] = { DMTRACE_DIFF_INCLUSIVE_WALL,
	    DMTRACE_DIFF_EXCLUSIVE_WALL, DMTRACE_DIFF_CALLS },
};

static void
gather(const struct dmt_diff_runs *runs, size_t index,
    enum dmtrace_diff_figure figure, int64_t *figures)
{
	for (size_t i = 0; i < runs->count; i++)
		figures[i] = index < runs->items[i].count ?
		    runs->items[i].figures[index][figure] : 0;
	dmt_rank_sort(figures, runs->count);
}

static bool
is_constant(const int64_t *figures, size_t count)
{
	return figures[0] == figures[count - 1];
}

static void
test(const struct comparison *comparison, const int64_t *base,
    const int64_t *new, struct dmtrace_diff_change *change)
{
	struct dmtrace_rank_test rank;

	dmt_rank_judge(&rank, &comparison->plan, base, new);
	change->shift = rank.shift;
	change->p = rank.p;
	change->delta = rank.delta;
	change->detectable = rank.detectable;
}

/* Figures that are all the same take no test, and no other's chance. */
static void
compare_one(struct comparison *comparison, size_t index,
    enum dmtrace_diff_figure figure)
{
	struct dmtrace_diff *const diff = comparison->diff;
	const size_t *const counts = comparison->plan.counts;
	struct dmtrace_diff_change *const change =
	    &diff->changes[index * DMTRACE_DIFF_FIGURES + figure];
	const int64_t *const base = comparison->figures[DMTRACE_DIFF_BASE];
	const int64_t *const new = comparison->figures[DMTRACE_DIFF_NEW];

	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		gather(&diff->sides[side], index, figure,
		    comparison->figures[side]);
		change->medians[side] = dmt_rank_median(
		    comparison->figures[side], counts[side]);
	}
	change->constant = is_constant(base, counts[0]) &&
	    is_constant(new, counts[1]);
	change->p = change->p_adjusted = 1;
	if (change->constant && base[0] == new[0])
		return;
	test(comparison, base, new, change);
	if (change->medians[DMTRACE_DIFF_BASE] != 0)
		change->percent = 100 * change->shift /
		    change->medians[DMTRACE_DIFF_BASE];
	comparison->tests[comparison->test_count++] =
	    (struct dmt_adjusted){ change->p, &change->p_adjusted };
}

static void
decide(const struct dmtrace_diff *diff, size_t index,
    enum dmtrace_diff_figure figure)
{
	struct dmtrace_diff_change *const change =
	    &diff->changes[index * DMTRACE_DIFF_FIGURES + figure];

	change->different = !diff->summary.tested ? change->shift != 0 :
	    change->p_adjusted <= diff->alpha ||
	    (figure == DMTRACE_DIFF_CALLS && change->constant &&
	    change->shift != 0);
}

static void
compare_family(struct comparison *comparison,
    const enum dmtrace_diff_figure *figures, size_t count)
{
	const struct dmtrace_diff *const diff = comparison->diff;

	comparison->test_count = 0;
	for (size_t i = 0; i < diff->names.count; i++)
		for (size_t j = 0; j < count; j++)
			compare_one(comparison, i, figures[j]);
	dmt_adjust(comparison->tests, comparison->test_count);
	for (size_t i = 0; i < diff->names.count; i++)
		for (size_t j = 0; j < count; j++)
			decide(diff, i, figures[j]);
}

static bool
begin(struct comparison *comparison)
{
	struct dmtrace_diff *const diff = comparison->diff;
	const size_t *const runs = diff->summary.runs;

	dmt_rank_plan_init(&comparison->plan, runs[0], runs[1], diff->alpha);
	free(diff->changes);
	diff->changes = diff->names.count > SIZE_MAX / DMTRACE_DIFF_FIGURES ?
	    NULL : dmt_array_new(diff->names.count * DMTRACE_DIFF_FIGURES,
	    sizeof(*diff->changes));
	comparison->tests = dmt_array_new(diff->names.count,
	    3 * sizeof(*comparison->tests));
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		comparison->figures[side] = dmt_array_new(runs[side],
		    sizeof(*comparison->figures[side]));
	return diff->changes != NULL && comparison->tests != NULL &&
	    comparison->figures[0] != NULL && comparison->figures[1] != NULL;
}

static void
end(struct comparison *comparison)
{
	free(comparison->figures[0]);
	free(comparison->figures[1]);
	free(comparison->tests);
}

enum dmtrace_status
dmtrace_diff_compare(struct dmtrace_diff *diff,
    enum dmtrace_profile_clock clock, double alpha)
{
	struct comparison comparison = { .diff = diff };
	const enum dmtrace_profile_clock other =
	    clock == DMTRACE_PROFILE_CPU ? DMTRACE_PROFILE_WALL :
	    DMTRACE_PROFILE_CPU;

	if (!(alpha > 0 && alpha < 1))
		return DMTRACE_ERR_RANGE;
	if (diff->summary.runs[0] == 0 || diff->summary.runs[1] == 0)
		return DMTRACE_ERR_STATE;
	diff->alpha = alpha;
	const bool fine = begin(&comparison);
	if (fine) {
		compare_family(&comparison, families[clock], 3);
		compare_family(&comparison, families[other], 2);
	} else {
		free(diff->changes);
		diff->changes = NULL;
	}
	end(&comparison);
	return fine ? DMTRACE_OK : DMTRACE_ERR_MEMORY;
}

void
dmtrace_diff_change_get(const struct dmtrace_diff *diff, size_t index,
    enum dmtrace_diff_figure figure, struct dmtrace_diff_change *change)
{
	*change = diff->changes[index * DMTRACE_DIFF_FIGURES + figure];
}
