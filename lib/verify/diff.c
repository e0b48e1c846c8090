/* diff.c - two sets of runs, and the figures of their methods */

#include "verify/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define TEXT(string) ((struct dmtrace_text){ string, sizeof(string) - 1 })

/* By enum dmtrace_diff_figure and of enum dmtrace_profile_clock. */
enum { INCLUSIVE = 1, EXCLUSIVE = 3 };

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
	if (dmt_names_find(&diff->names, &top) == DMTRACE_PROFILE_TOP)
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
		struct dmt_diff_runs *const runs = &diff->sides[side];

		for (size_t i = 0; i < runs->count; i++)
			free(runs->items[i].figures);
		free(runs->items);
		free(runs->called);
	}
	dmt_names_fini(&diff->names);
	free(diff->changes);
	free(diff);
}

static uint32_t
find(struct dmtrace_diff *diff, size_t index,
    const struct dmtrace_profile_method *method)
{
	const struct dmt_name name = {
		.class_name = method->class_name, .name = method->name,
		.signature = method->signature, .listed = method->listed != 0
	};

	return index == DMTRACE_PROFILE_TOP ? DMTRACE_PROFILE_TOP :
	    dmt_names_find(&diff->names, &name);
}

static bool
is_figure(int64_t number)
{
	return number >= -DMT_RANK_MAX && number <= DMT_RANK_MAX;
}

/* false: the sum is more than a test can take. */
static bool
add_to(int64_t *sum, int64_t number)
{
	if (!is_figure(number))
		return false;
	*sum += number;
	return is_figure(*sum);
}

/* Several methods of the profile are one where "/" and "." are. */
static bool
add_figures(int64_t *figures, const struct dmtrace_profile_method *method)
{
	bool fits = add_to(&figures[DMTRACE_DIFF_CALLS],
	    (int64_t)(method->calls + method->recursive_calls));

	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++) {
		fits &= add_to(&figures[INCLUSIVE + clock],
		    method->inclusive_ns[clock]);
		fits &= add_to(&figures[EXCLUSIVE + clock],
		    method->exclusive_ns[clock]);
	}
	return fits;
}

static bool
grow(struct dmt_diff_run *run, size_t *capacity, size_t count)
{
	int64_t (*const figures)[DMTRACE_DIFF_FIGURES] = dmt_array_grow(
	    run->figures, capacity, count, sizeof(*figures));

	if (figures == NULL)
		return false;
	run->figures = figures;
	if (count > run->count) {
		memset(figures + run->count, 0,
		    (count - run->count) * sizeof(*figures));
		run->count = count;
	}
	return true;
}

static enum dmtrace_status
add_methods(struct dmtrace_diff *diff, struct dmt_diff_run *run,
    const struct dmtrace_profile *profile)
{
	size_t capacity = 0;

	for (size_t i = 0; i < dmtrace_profile_method_count(profile); i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, 0, i, &method);
		if (i != DMTRACE_PROFILE_TOP &&
		    method.calls + method.recursive_calls == 0)
			continue;
		const uint32_t index = find(diff, i, &method);
		if (index == DMT_NO_NAME ||
		    !grow(run, &capacity, (size_t)index + 1))
			return DMTRACE_ERR_MEMORY;
		if (!add_figures(run->figures[index], &method))
			return DMTRACE_ERR_LIMIT;
	}
	return DMTRACE_OK;
}

static bool
count_called(struct dmt_diff_runs *runs, const struct dmt_diff_run *run)
{
	const size_t old = runs->called_capacity;
	size_t *const called = dmt_array_grow(runs->called,
	    &runs->called_capacity, run->count, sizeof(*called));

	if (called == NULL)
		return false;
	runs->called = called;
	if (runs->called_capacity > old)
		memset(called + old, 0,
		    (runs->called_capacity - old) * sizeof(*called));
	called[DMTRACE_PROFILE_TOP]++;
	for (size_t i = 1; i < run->count; i++)
		called[i] += run->figures[i][DMTRACE_DIFF_CALLS] != 0;
	return true;
}

static void
sum_up(struct dmtrace_diff *diff, enum dmtrace_diff_side side,
    const struct dmtrace_profile *profile)
{
	struct dmtrace_diff_summary *const sum = &diff->summary;
	struct dmtrace_profile_summary one;

	dmtrace_profile_summary_get(profile, &one);
	sum->records[side] += one.records;
	sum->lower_bounds |= one.lower_bounds;
	sum->runs[side]++;
	sum->tested = sum->runs[DMTRACE_DIFF_BASE] > 1 &&
	    sum->runs[DMTRACE_DIFF_NEW] > 1;
	for (int clock = 0; clock < DMTRACE_PROFILE_CLOCKS; clock++)
		sum->has_clock[clock] &= one.has_clock[clock];
}

enum dmtrace_status
dmtrace_diff_add(struct dmtrace_diff *diff, enum dmtrace_diff_side side,
    const struct dmtrace_profile *profile)
{
	struct dmt_diff_runs *const runs = &diff->sides[side];
	struct dmt_diff_run *const items = dmt_array_grow(runs->items,
	    &runs->capacity, runs->count + 1, sizeof(*items));

	if (items == NULL)
		return DMTRACE_ERR_MEMORY;
	runs->items = items;
	struct dmt_diff_run *const run = &items[runs->count++];
	*run = (struct dmt_diff_run){ .figures = NULL };
	const enum dmtrace_status status = add_methods(diff, run, profile);
	if (status != DMTRACE_OK)
		return status;
	if (!count_called(runs, run))
		return DMTRACE_ERR_MEMORY;
	free(diff->changes);
	diff->changes = NULL;
	sum_up(diff, side, profile);
	return DMTRACE_OK;
}

void
dmtrace_diff_summary_get(const struct dmtrace_diff *diff,
    struct dmtrace_diff_summary *summary)
{
	*summary = diff->summary;
}

size_t
dmtrace_diff_method_count(const struct dmtrace_diff *diff)
{
	return diff->names.count;
}

void
dmtrace_diff_method_get(const struct dmtrace_diff *diff, size_t index,
    struct dmtrace_diff_method *method)
{
	const struct dmt_name *const name = &diff->names.items[index];

	*method = (struct dmtrace_diff_method){
		.class_name = name->class_name, .name = name->name,
		.signature = name->signature, .listed = name->listed
	};
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++)
		if (index < diff->sides[side].called_capacity)
			method->runs[side] = diff->sides[side].called[index];
}
