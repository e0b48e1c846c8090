/* test_export_flame.c - flame graphs when memory or the disk is full */

#include "helpers/exports.h"
#include "private/export.h"

static enum dmtrace_status
put_flame(const struct dmtrace_profile *profile, const void *options,
    struct dmt_output *sink)
{
	return dmt_export_flame(profile, options, sink);
}

static struct dmtrace_profile *
tree_of(const char *events)
{
	return profile_of(events, DMTRACE_PROFILE_TREE,
	    DMTRACE_PROFILE_BY_METHOD);
}

START_TEST(reports_what_fails)
{
	struct dmtrace_profile *profile = tree_of("1+A0 1+B1 1-B3 1-A9");
	struct dmtrace_profile *old = tree_of("1+A0 1+B1 1-B7 1-A9");
	const struct dmt_flame_options options = {
		.old = old, .reverse = _i
	};

	assert_tells_no_memory(put_flame, profile, &options);
	ck_assert_int_eq(export_with_fault(put_flame, profile, &options,
	    FAULT_WRITE, 1), DMTRACE_ERR_IO);
	dmtrace_profile_free(old);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(refuses_what_the_profile_does_not_have)
{
	struct dmtrace_profile *profile = profile_of("1+A0 1-A1",
	    DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);
	struct dmtrace_profile *cpu = tree_of("1+A0 1-A1");
	const struct dmt_flame_options wall = {
		.weight = DMTRACE_EXPORT_WALL
	};
	const struct dmt_flame_options with_old = { .old = profile };

	ck_assert_int_eq(export_status(put_flame, profile, NULL),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(export_status(put_flame, cpu, &with_old),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(export_status(put_flame, cpu, &wall),
	    DMTRACE_ERR_RANGE);
	ck_assert_int_eq(export_status(put_flame, cpu, NULL), DMTRACE_OK);
	dmtrace_profile_free(cpu);
	dmtrace_profile_free(profile);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("export_flame");
	TCase *tcase = unit_tcase(suite, "export_flame");

	tcase_add_loop_test(tcase, reports_what_fails, 0, 2);
	tcase_add_test(tcase, refuses_what_the_profile_does_not_have);
	return unit_main(suite);
}
