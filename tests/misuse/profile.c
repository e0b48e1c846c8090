/* profile.c - profiles, diffs and exports that are misused */

#include "misuse.h"

#include <math.h>

/* The profile of the trace, which is not read to any other end. */
static struct dmtrace_profile *
profile_of(const char *path, unsigned keep)
{
	const struct dmtrace_profile_options options = { .keep = keep };
	struct dmtrace_profile *const profile = dmtrace_profile_new(&options);
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	make_trace(path);
	OK(dmtrace_reader_open_path(reader, path));
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	OK(dmtrace_profile_add(profile, source));
	IS(dmtrace_profile_add(profile, source), DMTRACE_ERR_STATE);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	return profile;
}

/* Its second add failed; the first one is still there. */
static void
indexes_without_a_row_are_zero(void)
{
	struct dmtrace_profile *const profile = profile_of("x.trace", 15);
	struct dmtrace_profile_method method;
	struct dmtrace_profile_node node;

	HOLDS(dmtrace_profile_method_count(profile) == 2);
	for (size_t i = 0; i < 3; i++) {
		static const size_t numbers[] = { 2, SIZE_MAX, SIZE_MAX / 8 };

		memset(&method, 0x5a, sizeof(method));
		dmtrace_profile_method_get(profile, 0, numbers[i], &method);
		HOLDS(method.calls == 0 && method.name.bytes == NULL);
		dmtrace_profile_method_get(profile, numbers[i], 1, &method);
		HOLDS(method.calls == 0 && method.name.bytes == NULL);
		dmtrace_profile_node_get(profile, numbers[i], numbers[i],
		    &node);
		HOLDS(node.calls == 0);
		HOLDS(dmtrace_profile_edge_count(profile, numbers[i]) == 0);
	}
	dmtrace_profile_free(profile);
}

static void
any_number_is_a_percentile(void)
{
	static const double percents[] = { -1, -1e300, 1e300, 100.0001, 0,
		100 };
	struct dmtrace_profile *const profile =
	    profile_of("x.trace", DMTRACE_PROFILE_CALLS);

	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++)
		HOLDS(dmtrace_profile_percentile(profile, 0, 1, percents[i]) ==
		    1000000);
	HOLDS(dmtrace_profile_percentile(profile, 0, 1, NAN) == 1000000);
	HOLDS(dmtrace_profile_percentile(profile, 0, 1, INFINITY) == 1000000);
	dmtrace_profile_free(profile);
}

static void
options_out_of_range_are_refused(void)
{
	static const struct dmtrace_profile_options rows[] = {
		{ .clock = (enum dmtrace_clock)99 },
		{ .clock = (enum dmtrace_clock)-1 },
		{ .by = (enum dmtrace_profile_by)-1 },
		{ .keep = UINT32_MAX }
	};

	make_trace("x.trace");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();
		struct dmtrace_profile *const profile =
		    dmtrace_profile_new(&rows[i]);

		OK(dmtrace_reader_open_path(reader, "x.trace"));
		struct dmtrace_source *const source =
		    dmtrace_source_new(reader);
		IS(dmtrace_profile_add(profile, source), DMTRACE_ERR_RANGE);
		dmtrace_source_free(source);
		dmtrace_reader_free(reader);
		dmtrace_profile_free(profile);
	}
}

/* Names of the profile and of the diff are their own. */
static void
texts_outlive_what_they_were_read_from(void)
{
	struct dmtrace_diff *const diff = dmtrace_diff_new();
	struct dmtrace_diff_method method;

	for (int side = 0; side < 2; side++) {
		struct dmtrace_profile *const profile =
		    profile_of("x.trace", 0);
		struct dmtrace_profile_method of_profile;

		dmtrace_profile_method_get(profile, 0, 1, &of_profile);
		HOLDS(memcmp(of_profile.name.bytes, "b", 1) == 0);
		OK(dmtrace_diff_add(diff, (enum dmtrace_diff_side)side,
		    profile));
		dmtrace_profile_free(profile);
	}
	OK(dmtrace_diff_compare(diff, DMTRACE_PROFILE_WALL, 0.05));
	dmtrace_diff_method_get(diff, 1, &method);
	HOLDS(method.class_name.len == 1 && method.class_name.bytes[0] == 'a');
	dmtrace_diff_free(diff);
}

static void
diffs_refuse_numbers_out_of_range(void)
{
	static const double alphas[] = { 0, 1, -1, 2, 1e300 };
	struct dmtrace_diff *const diff = dmtrace_diff_new();
	struct dmtrace_profile *const profile = profile_of("x.trace", 0);
	struct dmtrace_diff_change change;

	IS(dmtrace_diff_add(diff, (enum dmtrace_diff_side)2, profile),
	    DMTRACE_ERR_RANGE);
	IS(dmtrace_diff_add(diff, (enum dmtrace_diff_side)-1, profile),
	    DMTRACE_ERR_RANGE);
	OK(dmtrace_diff_add(diff, DMTRACE_DIFF_BASE, profile));
	OK(dmtrace_diff_add(diff, DMTRACE_DIFF_NEW, profile));
	for (size_t i = 0; i < sizeof(alphas) / sizeof(alphas[0]); i++)
		IS(dmtrace_diff_compare(diff, DMTRACE_PROFILE_WALL,
		    alphas[i]), DMTRACE_ERR_RANGE);
	IS(dmtrace_diff_compare(diff, DMTRACE_PROFILE_WALL, NAN),
	    DMTRACE_ERR_RANGE);
	OK(dmtrace_diff_compare(diff, DMTRACE_PROFILE_WALL, 0.05));
	dmtrace_diff_change_get(diff, SIZE_MAX, DMTRACE_DIFF_CALLS, &change);
	dmtrace_diff_change_get(diff, 1, (enum dmtrace_diff_figure)99,
	    &change);
	HOLDS(change.shift == 0);
	dmtrace_diff_change_get(diff, 1, (enum dmtrace_diff_figure)-1,
	    &change);
	HOLDS(change.shift == 0);
	dmtrace_profile_free(profile);
	dmtrace_diff_free(diff);
}

/* A run after the comparison: what is said of it is not of another. */
static void
a_run_that_is_added_after_the_comparison_is_compared_next(void)
{
	struct dmtrace_diff *const diff = dmtrace_diff_new();
	struct dmtrace_profile *const profile = profile_of("x.trace", 0);
	struct dmtrace_profile *const empty = dmtrace_profile_new(NULL);
	struct dmtrace_diff_change change;
	struct dmtrace_diff_summary summary;

	OK(dmtrace_diff_add(diff, DMTRACE_DIFF_BASE, profile));
	OK(dmtrace_diff_add(diff, DMTRACE_DIFF_NEW, profile));
	OK(dmtrace_diff_compare(diff, DMTRACE_PROFILE_WALL, 0.05));
	OK(dmtrace_diff_add(diff, DMTRACE_DIFF_NEW, empty));
	dmtrace_diff_summary_get(diff, &summary);
	HOLDS(summary.runs[DMTRACE_DIFF_NEW] == 2);
	dmtrace_diff_change_get(diff, 1, DMTRACE_DIFF_CALLS, &change);
	OK(dmtrace_diff_compare(diff, DMTRACE_PROFILE_WALL, 0.05));
	dmtrace_diff_change_get(diff, 1, DMTRACE_DIFF_CALLS, &change);
	dmtrace_profile_free(empty);
	dmtrace_profile_free(profile);
	dmtrace_diff_free(diff);
}

static const struct misuse cases[] = {
	CASE(indexes_without_a_row_are_zero),
	CASE(any_number_is_a_percentile),
	CASE(options_out_of_range_are_refused),
	CASE(texts_outlive_what_they_were_read_from),
	CASE(diffs_refuse_numbers_out_of_range),
	CASE(a_run_that_is_added_after_the_comparison_is_compared_next)
};

MISUSE_MAIN(cases)
