/* test_version.c - the version of the library */

#include <dmtrace.h>

#include "helpers/unit.h"

START_TEST(says_its_version)
{
	ck_assert_str_eq(dmtrace_version(), PACKAGE_VERSION);
}
END_TEST

START_TEST(headers_have_it_too)
{
	char numbers[32];

	snprintf(numbers, sizeof(numbers), "%d.%d.%d", DMTRACE_VERSION_MAJOR,
	    DMTRACE_VERSION_MINOR, DMTRACE_VERSION_PATCH);
	ck_assert_str_eq(numbers, DMTRACE_VERSION_STRING);
	ck_assert_str_eq(DMTRACE_VERSION_STRING, PACKAGE_VERSION);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("version");
	TCase *tcase = unit_tcase(suite, "version");

	tcase_add_test(tcase, says_its_version);
	tcase_add_test(tcase, headers_have_it_too);
	return unit_main(suite);
}
