/* method_diff.c - two sets of runs, compared method by method */

/*
 * A run is a profile. The figures of each of its methods are kept: calls, and
 * the inclusive and exclusive times of both clocks. The figures of a method
 * that a run lacks are 0. Each figure is compared between the two sides by the
 * rank test (rank.c). The results are adjusted for the number of tests: those
 * of the times of a clock together, and calls together with the clock that the
 * caller asks for. A rule selects some of the comparisons, and adjusts only
 * these.
 */

#include <dmtrace/verify.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/name_table.h"
#include "events/pattern.h"
#include "private/verify.h"
#include "verify/diff/rank.h"

#define TEXT(string) ((struct dmtrace_text){ string, sizeof(string) - 1 })

/* Added to an enum dmtrace_profile_clock, an enum dmtrace_diff_figure. */
enum { INCLUSIVE = 1, EXCLUSIVE = 3 };

/* In place of a CPU time that is partial. */
#define NO_FIGURE INT64_MIN

/* Figures that are tested together. */
static const enum dmtrace_diff_figure families[2][3] = {
	[DMTRACE_PROFILE_CPU] = { DMTRACE_DIFF_INCLUSIVE_CPU,
	    DMTRACE_DIFF_EXCLUSIVE_CPU, DMTRACE_DIFF_CALLS },
	[DMTRACE_PROFILE_WALL] = { DMTRACE_DIFF_INCLUSIVE_WALL,
	    DMTRACE_DIFF_EXCLUSIVE_WALL, DMTRACE_DIFF_CALLS },
};

/* The figures of one run, by index of the method. Methods with an index of
 * count or more were first seen in later runs: their figures are 0. */
struct diff_run {
	int64_t (*figures)[DMTRACE_DIFF_FIGURES];
	size_t count;
};

struct diff_runs {
	struct diff_run *items;
	size_t count;
	size_t capacity;
	size_t *called;			/* runs that call a method, by its
					   index */
	size_t called_capacity;
};

struct dmtrace_diff {
	struct dmt_name_table names;	/* the first one is the top */
	struct diff_runs sides[DMTRACE_DIFF_SIDES];
	struct dmtrace_diff_summary summary;
	struct dmtrace_diff_change *changes;	/* DMTRACE_DIFF_FIGURES for each
						   method; NULL: not compared */
	double alpha;
	struct dmtrace_error error;
};

/* A comparison of all figures. */
struct comparison {
	struct dmtrace_diff *diff;
	struct dmt_rank_plan plan;
	int64_t *figures[DMTRACE_DIFF_SIDES];	/* one figure, by run */
	struct dmt_adjusted *tests;
	size_t test_count;
};

/* The methods that a rule is about. */
struct rule_matches {
	const struct dmtrace_diff *diff;
	const struct dmt_diff_rule *rule;
	size_t *indexes;
	size_t count;
	struct dmtrace_diff_change *changes;	/* of the methods that match */
};

/* Runs */

struct dmtrace_diff *
dmtrace_diff_new(void)
{
	const struct dmt_name top = {
		.class_name = TEXT(""), .name = TEXT("(toplevel)"),
		.signature = TEXT(""), .listed = true
	};
	struct dmtrace_diff *const diff = dmt_array_new(1, sizeof(*diff));

	if (diff == NULL)
		return NULL;
	diff->summary.has_clock[DMTRACE_PROFILE_CPU] = 1;
	diff->summary.has_clock[DMTRACE_PROFILE_WALL] = 1;
	diff->names.dots = true;
	if (dmt_name_table_append(&diff->names, &top) == DMTRACE_PROFILE_TOP)
		return diff;
	dmtrace_diff_free(diff);
	return NULL;
}

void
dmtrace_diff_free(struct dmtrace_diff *diff)
{
	if (diff == NULL)
		return;
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		struct diff_runs *const runs = &diff->sides[side];

		for (size_t i = 0; i < runs->count; i++)
			free(runs->items[i].figures);
		free(runs->items);
		free(runs->called);
	}
	dmt_name_table_fini(&diff->names);
	free(diff->changes);
	free(diff);
}

const struct dmtrace_error *
dmtrace_diff_error(const struct dmtrace_diff *diff)
{
	return diff == NULL ? &dmt_error_null : &diff->error;
}

static bool
is_figure(int64_t number)
{
	return number >= -DMT_RANK_MAX && number <= DMT_RANK_MAX;
}

/* partial: the number is. false: the sum is larger than DMT_RANK_MAX. */
static bool
add_to(int64_t *sum, int64_t number, bool partial)
{
	if (!is_figure(number))
		return false;
	*sum = partial || *sum == NO_FIGURE ? NO_FIGURE : *sum + number;
	return *sum == NO_FIGURE || is_figure(*sum);
}

/* Adds the figures of a method. Several methods of a profile are one method
 * here if they are rows of a key with the same name. false: a sum is too
 * large. */
static bool
add_figures(int64_t *figures, const struct dmtrace_profile_method *method)
{
	bool fits = add_to(&figures[DMTRACE_DIFF_CALLS],
	    (int64_t)(method->calls + method->recursive_calls), false);

	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++) {
		const bool is_cpu = clock == DMTRACE_PROFILE_CPU;

		fits &= add_to(&figures[INCLUSIVE + clock],
		    method->inclusive_ns[clock],
		    is_cpu && method->inclusive_partial);
		fits &= add_to(&figures[EXCLUSIVE + clock],
		    method->exclusive_ns[clock],
		    is_cpu && method->exclusive_partial);
	}
	return fits;
}

static enum dmtrace_status
add_run_methods(struct dmtrace_diff *diff, struct diff_run *run,
    const struct dmtrace_profile *profile)
{
	size_t capacity = 0;

	for (size_t i = 0; i < dmtrace_profile_method_count(profile); i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, 0, i, &method);
		if (i != DMTRACE_PROFILE_TOP &&
		    method.calls + method.recursive_calls == 0)
			continue;
		const struct dmt_name name = {
			.class_name = method.class_name, .name = method.name,
			.signature = method.signature,
			.listed = method.listed != 0
		};
		const uint32_t index = i == DMTRACE_PROFILE_TOP ?
		    DMTRACE_PROFILE_TOP :
		    dmt_name_table_intern(&diff->names, &name);
		if (index == DMT_NO_NAME)
			return dmt_error_memory(&diff->error);

		int64_t (*const figures)[DMTRACE_DIFF_FIGURES] =
		    dmt_array_grow(run->figures, &capacity,
		    (size_t)index + 1, sizeof(*figures));
		if (figures == NULL)
			return dmt_error_memory(&diff->error);
		run->figures = figures;
		for (; run->count <= index; run->count++)
			memset(figures[run->count], 0, sizeof(*figures));
		if (!add_figures(run->figures[index], &method))
			return dmt_error_set(&diff->error, DMTRACE_ERR_LIMIT,
			    "times of a method add up to more than 2^60 ns"
			    " (36 years)");
	}
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_diff_add(struct dmtrace_diff *diff, enum dmtrace_diff_side side,
    const struct dmtrace_profile *profile)
{
	if (diff == NULL)
		return DMTRACE_ERR_STATE;
	dmt_error_clear(&diff->error);
	if (profile == NULL)
		return dmt_error_null_given(&diff->error, __func__);
	if ((unsigned)side >= DMTRACE_DIFF_SIDES)
		return dmt_error_set(&diff->error, DMTRACE_ERR_RANGE,
		    "dmtrace_diff_add: the side is neither BASE nor NEW");
	struct diff_runs *const runs = &diff->sides[side];
	struct dmtrace_diff_summary *const sum = &diff->summary;
	struct dmtrace_profile_summary one;
	struct diff_run *const items = dmt_array_grow(runs->items,
	    &runs->capacity, runs->count + 1, sizeof(*items));

	if (items == NULL)
		return dmt_error_memory(&diff->error);
	runs->items = items;
	struct diff_run *const run = &items[runs->count++];
	*run = (struct diff_run){ .figures = NULL };
	if (add_run_methods(diff, run, profile) != DMTRACE_OK)
		return diff->error.status;
	size_t *const called = dmt_array_grow_zero(runs->called,
	    &runs->called_capacity, run->count, sizeof(*called));
	if (called == NULL)
		return dmt_error_memory(&diff->error);
	runs->called = called;
	called[DMTRACE_PROFILE_TOP]++;
	for (size_t i = 1; i < run->count; i++)
		called[i] += run->figures[i][DMTRACE_DIFF_CALLS] != 0;
	free(diff->changes);
	diff->changes = NULL;

	dmtrace_profile_summary_get(profile, &one);
	sum->records[side] += one.records;
	sum->lower_bounds |= one.lower_bounds;
	sum->runs[side]++;
	sum->tested = sum->runs[DMTRACE_DIFF_BASE] > 1 &&
	    sum->runs[DMTRACE_DIFF_NEW] > 1;
	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
		sum->has_clock[clock] &= one.has_clock[clock];
	return DMTRACE_OK;
}

void
dmtrace_diff_summary_get(const struct dmtrace_diff *diff,
    struct dmtrace_diff_summary *summary)
{
	*summary = (struct dmtrace_diff_summary){ .tested = 0 };
	if (diff != NULL)
		*summary = diff->summary;
}

size_t
dmtrace_diff_method_count(const struct dmtrace_diff *diff)
{
	return diff == NULL ? 0 : diff->names.count;
}

void
dmtrace_diff_method_get(const struct dmtrace_diff *diff, size_t index,
    struct dmtrace_diff_method *method)
{
	*method = (struct dmtrace_diff_method){ .listed = 0 };
	if (index >= dmtrace_diff_method_count(diff))
		return;
	const struct dmt_name *const name = &diff->names.items[index];

	*method = (struct dmtrace_diff_method){
		.class_name = name->class_name, .name = name->name,
		.signature = name->signature, .listed = name->listed
	};
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		if (index < diff->sides[side].called_capacity)
			method->runs[side] = diff->sides[side].called[index];
}

double
dmt_diff_least_p(size_t base_runs, size_t new_runs)
{
	struct dmt_rank_plan plan;

	if (base_runs == 0 || new_runs == 0)
		return 1;
	dmt_rank_plan_init(&plan, base_runs, new_runs, 0.5);
	return dmt_rank_least(&plan);
}

/* Comparison */

/* Compares one figure of a method. Figures that are the same in all runs are
 * not tested, to keep the adjustment of the others from getting stricter. */
static void
compare_figure(struct comparison *comparison, size_t index,
    enum dmtrace_diff_figure figure)
{
	struct dmtrace_diff *const diff = comparison->diff;
	const size_t *const counts = comparison->plan.counts;
	struct dmtrace_diff_change *const change =
	    &diff->changes[index * DMTRACE_DIFF_FIGURES + figure];
	const int64_t *const base = comparison->figures[DMTRACE_DIFF_BASE];
	const int64_t *const new = comparison->figures[DMTRACE_DIFF_NEW];
	struct dmt_rank_test test;

	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		const struct diff_run *const runs = diff->sides[side].items;
		int64_t *const figures = comparison->figures[side];

		for (size_t i = 0; i < counts[side]; i++) {
			figures[i] = index < runs[i].count ?
			    runs[i].figures[index][figure] : 0;
			change->missing |= figures[i] == NO_FIGURE;
		}
		dmt_rank_sort(figures, counts[side]);
	}
	change->p = change->p_adjusted = 1;
	if (change->missing) {
		change->constant = 1;
		return;
	}
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		change->medians[side] = dmt_rank_median(
		    comparison->figures[side], counts[side]);
	change->constant = base[0] == base[counts[0] - 1] &&
	    new[0] == new[counts[1] - 1];
	if (change->constant && base[0] == new[0])
		return;

	dmt_rank_compare(&test, &comparison->plan, base, new);
	change->shift = test.shift;
	change->p = test.p;
	change->delta = test.delta;
	change->detectable = test.detectable;
	if (change->medians[DMTRACE_DIFF_BASE] != 0)
		change->percent = 100 * change->shift /
		    change->medians[DMTRACE_DIFF_BASE];
	comparison->tests[comparison->test_count++] =
	    (struct dmt_adjusted){ change->p, &change->p_adjusted };
}

/* Compares the first count figures of a family, for all methods, and adjusts
 * the results. */
static void
compare_family(struct comparison *comparison,
    const enum dmtrace_diff_figure *figures, size_t count)
{
	const struct dmtrace_diff *const diff = comparison->diff;

	comparison->test_count = 0;
	for (size_t i = 0; i < diff->names.count; i++)
		for (size_t j = 0; j < count; j++)
			compare_figure(comparison, i, figures[j]);
	dmt_rank_adjust(comparison->tests, comparison->test_count);
	for (size_t i = 0; i < diff->names.count; i++)
		for (size_t j = 0; j < count; j++) {
			struct dmtrace_diff_change *const change =
			    &diff->changes[i * DMTRACE_DIFF_FIGURES +
			    figures[j]];

			change->different = !diff->summary.tested ?
			    change->shift != 0 :
			    change->p_adjusted <= diff->alpha ||
			    (figures[j] == DMTRACE_DIFF_CALLS &&
			    change->constant && change->shift != 0);
		}
}

enum dmtrace_status
dmtrace_diff_compare(struct dmtrace_diff *diff,
    enum dmtrace_profile_clock clock, double alpha)
{
	if (diff == NULL)
		return DMTRACE_ERR_STATE;
	struct comparison comparison = { .diff = diff };
	const size_t *const runs = diff->summary.runs;
	const size_t count = diff->names.count;
	const enum dmtrace_profile_clock other =
	    clock == DMTRACE_PROFILE_CPU ? DMTRACE_PROFILE_WALL :
	    DMTRACE_PROFILE_CPU;

	dmt_error_clear(&diff->error);
	if (!(alpha > 0 && alpha < 1))
		return dmt_error_set(&diff->error, DMTRACE_ERR_RANGE,
		    "dmtrace_diff_compare: alpha is not between 0 and 1");
	if ((unsigned)clock >= DMTRACE_PROFILE_CLOCKS)
		return dmt_error_set(&diff->error, DMTRACE_ERR_RANGE,
		    "dmtrace_diff_compare: the clock is neither CPU nor WALL");
	if (runs[0] == 0 || runs[1] == 0)
		return dmt_error_set(&diff->error, DMTRACE_ERR_STATE,
		    "dmtrace_diff_compare: a side has no run");
	diff->alpha = alpha;
	dmt_rank_plan_init(&comparison.plan, runs[0], runs[1], alpha);
	free(diff->changes);
	diff->changes = count > SIZE_MAX / DMTRACE_DIFF_FIGURES ? NULL :
	    dmt_array_new(count * DMTRACE_DIFF_FIGURES,
	    sizeof(*diff->changes));
	comparison.tests = dmt_array_new(count, 3 * sizeof(*comparison.tests));
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		comparison.figures[side] = dmt_array_new(runs[side],
		    sizeof(*comparison.figures[side]));
	const bool fine = diff->changes != NULL && comparison.tests != NULL &&
	    comparison.figures[0] != NULL && comparison.figures[1] != NULL;
	if (fine) {
		compare_family(&comparison, families[clock], 3);
		compare_family(&comparison, families[other], 2);
	} else {
		free(diff->changes);
		diff->changes = NULL;
	}
	free(comparison.figures[0]);
	free(comparison.figures[1]);
	free(comparison.tests);
	return fine ? DMTRACE_OK : dmt_error_memory(&diff->error);
}

void
dmtrace_diff_change_get(const struct dmtrace_diff *diff, size_t index,
    enum dmtrace_diff_figure figure, struct dmtrace_diff_change *change)
{
	*change = (struct dmtrace_diff_change){ .p = 0 };
	if (index < dmtrace_diff_method_count(diff) &&
	    (unsigned)figure < DMTRACE_DIFF_FIGURES && diff->changes != NULL)
		*change = diff->changes[index * DMTRACE_DIFF_FIGURES + figure];
}

/* Rules */

static void
add_match(struct rule_matches *matches, size_t index)
{
	const size_t at = matches->count++;

	matches->indexes[at] = index;
	dmtrace_diff_change_get(matches->diff, index, matches->rule->figure,
	    &matches->changes[at]);
}

static enum dmtrace_status
find_matches(struct rule_matches *matches)
{
	const struct dmt_name_table *const names = &matches->diff->names;
	struct dmt_method_text text = { .bytes = NULL };
	struct dmtrace_error error = { .status = DMTRACE_OK };
	struct dmt_pattern pattern;

	if (matches->rule->method == NULL) {
		add_match(matches, DMTRACE_PROFILE_TOP);
		return DMTRACE_OK;
	}
	const char *const wanted = matches->rule->method;
	enum dmtrace_status status = matches->rule->is_name ?
	    dmt_pattern_init_name(&pattern, wanted, &error) :
	    dmt_pattern_init(&pattern, wanted, &error);
	for (size_t i = DMTRACE_PROFILE_TOP + 1; i < names->count &&
	    status == DMTRACE_OK; i++) {
		const struct dmtrace_method method = {
			.class_name = names->items[i].class_name,
			.name = names->items[i].name,
			.signature = names->items[i].signature
		};

		bool is_match;

		if (!dmt_method_text_make(&text, &method, 0) ||
		    !dmt_pattern_match_method(&pattern, &text, &is_match))
			status = DMTRACE_ERR_MEMORY;
		else if (is_match)
			add_match(matches, i);
	}
	free(text.bytes);
	dmt_pattern_fini(&pattern);
	return status;
}

/* Adjusts the results for the number of methods that match. false: no
 * memory. */
static bool
adjust_matches(struct rule_matches *matches)
{
	struct dmt_adjusted *const tests =
	    dmt_array_new(matches->count + 1, sizeof(*tests));
	size_t count = 0;

	if (tests == NULL)
		return false;
	for (size_t i = 0; i < matches->count; i++) {
		struct dmtrace_diff_change *const change =
		    &matches->changes[i];

		if (!change->constant || change->shift != 0)
			tests[count++] = (struct dmt_adjusted){ change->p,
			    &change->p_adjusted };
	}
	dmt_rank_adjust(tests, count);
	free(tests);
	return true;
}

bool
dmt_diff_rule_is_change(const struct dmt_diff_rule *rule)
{
	bool is_change = false;

	for (unsigned i = 0; i < rule->limit_count; i++)
		is_change |= rule->limits[i].measure != DMT_DIFF_VALUE;
	return is_change;
}

double
dmt_diff_measured(enum dmt_diff_measure measure,
    const struct dmtrace_diff_change *change)
{
	if (measure == DMT_DIFF_VALUE)
		return change->medians[DMTRACE_DIFF_NEW];
	if (measure == DMT_DIFF_SHIFT || change->shift == 0)
		return change->shift;
	/* A change from 0 exceeds every percentage. */
	return change->medians[DMTRACE_DIFF_BASE] != 0 ? change->percent :
	    change->shift > 0 ? HUGE_VAL : -HUGE_VAL;
}

static bool
rule_holds(const struct rule_matches *matches,
    const struct dmtrace_diff_change *change)
{
	const struct dmt_diff_rule *const rule = matches->rule;
	const struct dmtrace_diff *const diff = matches->diff;

	for (unsigned i = 0; i < rule->limit_count; i++) {
		const double found = dmt_diff_measured(rule->limits[i].measure,
		    change);
		const double limit = rule->limits[i].number;

		if (!dmt_compare_holds(rule->limits[i].compare,
		    (found > limit) - (found < limit)))
			return false;
	}
	return !dmt_diff_rule_is_change(rule) || !diff->summary.tested ||
	    change->p_adjusted <= diff->alpha ||
	    (rule->figure == DMTRACE_DIFF_CALLS && change->constant);
}

enum dmtrace_status
dmt_diff_judge(struct dmtrace_diff *diff,
    const struct dmt_diff_rule *rule, dmt_diff_fn *report,
    void *context, struct dmt_diff_verdict *verdict)
{
	const size_t count = diff->names.count;
	struct rule_matches matches = { .diff = diff, .rule = rule };

	if (diff->changes == NULL)
		return DMTRACE_ERR_STATE;
	matches.indexes = dmt_array_new(count, sizeof(*matches.indexes));
	matches.changes = dmt_array_new(count, sizeof(*matches.changes));
	enum dmtrace_status status =
	    matches.indexes != NULL && matches.changes != NULL ?
	    find_matches(&matches) : DMTRACE_ERR_MEMORY;
	if (status == DMTRACE_OK && !adjust_matches(&matches))
		status = DMTRACE_ERR_MEMORY;
	if (status == DMTRACE_OK) {
		struct dmt_diff_verdict found = { .matches = matches.count };

		for (size_t i = 0; i < matches.count; i++) {
			found.unknown += matches.changes[i].missing;
			if (matches.changes[i].missing ||
			    !rule_holds(&matches, &matches.changes[i]))
				continue;
			found.holds++;
			if (report != NULL)
				report(context, matches.indexes[i],
				    &matches.changes[i]);
		}
		if (verdict != NULL)
			*verdict = found;
	}
	free(matches.indexes);
	free(matches.changes);
	return status;
}
