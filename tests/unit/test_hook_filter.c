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
	{ "walk,", false },
	{ "!run", false },
	{ "!walk", true },
	{ "!walk,!r*", false },
	{ "run,!*char*", false },
	{ "!ns::*,run", false },
	{ "walk,!fly", false },
	{ "!", true },
	{ "run)),walk", false },
	{ "run((,walk", false },
};

START_TEST(records_functions_that_match)
{
	ck_assert_int_eq(dmt_filter_wants(filters[_i].patterns, &run),
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

	ck_assert(dmt_filter_wants("main", &method));
	ck_assert(dmt_filter_wants("main()", &method));
	ck_assert(dmt_filter_wants("main() [a.out]", &method));
	ck_assert(dmt_filter_wants("* [a.out]", &method));
	ck_assert(!dmt_filter_wants("* [b.out]", &method));
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
