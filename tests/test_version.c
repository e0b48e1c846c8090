/* test_version.c - the library says which it is */

#include <dmtrace.h>

#include "unit.h"

START_TEST(says_its_version)
{
	ck_assert_str_eq(dmtrace_version(), PACKAGE_VERSION);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("version");
	TCase *tcase = unit_tcase(suite, "version");

	tcase_add_test(tcase, says_its_version);
	return unit_main(suite);
}
