/* test_hook_filter.c - the functions that DMTRACE_FILTER selects */

#include "helpers/unit.h"
#include "instrument/hook_filter.h"

static const struct dmtrace_recorder_method run = {
	.class_name = "ns::Class<int, long>",
	.name = "run",
	.signature = "(int, char const*)"
};

static const struct {
	const char *patterns;
	bool wanted;
} filters[] = {
	{ "", true },
	{ ",", true },
	{ "run", true },
	{ "runs", false },
	{ "ru", false },
	{ "r?n", true },
	{ "?????", false },
	{ "*", true },
	{ "**", true },
	{ "*n", true },
	{ "*u*", true },
	{ "r*n*n", false },
	{ "ns::*", true },
	{ "*::run", true },
	{ "ns::Class<int, long>::run", true },
	{ "ns::Class<int>::run", false },
	{ "ns::Class<*>::run(int, char const*)", true },
	{ "run(int, char const*)", true },
	{ "run(int)", false },
	{ "walk,run", true },
	{ "walk,fly", false },
	{ "walk\nrun", true },
	{ "walk<\nrun", true },
	{ "walk<,run", false },
	{ "walk,\nrun", true },
	{ "walk,run\n", false },
	{ "walk,", false },
	{ "!run", false },
	{ "!walk", true },
	{ "!walk,!r*", false },
	{ "run,!*char*", false },
	{ "!ns::*,run", false },
	{ "walk,!fly", false },
	{ "run)),walk", false },
	{ "run((,walk", false },
	{ "/^ns::/", true },
	{ "/^run/", false },
	{ "/(int|long)>::r[tu]n$/", true },
	{ "/run[(]int,/,walk", true },
	{ "/int, long/,/x/", true },
	{ "!/,/,run", false },
	{ "!/x/,run", true },
	{ "!/run$/", false },
	{ "/x/", false },
	{ "/x/,ns/\n", false },
	{ "/x|,/\n", true },
};

static bool
wants(const char *patterns, const struct dmtrace_recorder_method *method)
{
	struct dmt_hook_filter filter;
	struct dmtrace_error error = { 0 };

	ck_assert_int_eq(dmt_hook_filter_init(&filter, patterns, &error),
	    DMTRACE_OK);
	const bool wanted = dmt_hook_filter_wants(&filter, method);
	dmt_hook_filter_fini(&filter);
	return wanted;
}

START_TEST(records_functions_that_match)
{
	ck_assert_int_eq(wants(filters[_i].patterns, &run),
	    filters[_i].wanted);
}
END_TEST

START_TEST(a_function_of_a_file)
{
	const struct dmtrace_recorder_method method = {
		.class_name = "[a.out]",
		.name = "main",
		.signature = "()"
	};

	ck_assert(wants("main", &method));
	ck_assert(wants("main()", &method));
	ck_assert(wants("main() [a.out]", &method));
	ck_assert(wants("* [a.out]", &method));
	ck_assert(!wants("* [b.out]", &method));
	ck_assert(wants("/^main\\(\\) \\[a/", &method));
	ck_assert(wants("/^main$/", &method));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("hook_filter");
	TCase *tcase = unit_tcase(suite, "filter");

	ADD_CASES(tcase, records_functions_that_match, filters);
	tcase_add_test(tcase, a_function_of_a_file);
	return unit_main(suite);
}
