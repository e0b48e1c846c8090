/* unit.h - what every Check program here shares */

#ifndef UNIT_H
#define UNIT_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

/* One case per row of the table; in the test, _i is the row. */
#define ADD_CASES(tcase, fn, table) \
	tcase_add_loop_test(tcase, fn, 0, (int)ROWS(table))

static inline TCase *
unit_tcase(Suite *suite, const char *name)
{
	TCase *tcase = tcase_create(name);

	suite_add_tcase(suite, tcase);
	return tcase;
}

/* Returns true if cases are to run that are for "make check-more" alone. */
static inline bool
unit_more(void)
{
	const char *const more = getenv("DMTRACE_MORE");

	return more != NULL && more[0] != '\0';
}

/* From one place of a file to the next where a test damages it. */
static inline size_t
unit_stride(void)
{
	return unit_more() ? 1 : 3;
}

/* The last line of main; frees the suite. */
static inline int
unit_main(Suite *suite)
{
	SRunner *runner = srunner_create(suite);

	srunner_run_all(runner, CK_ENV);
	const int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* The last line of a main that cannot judge anything here. */
static inline int
unit_skip(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	return EXIT_SUCCESS;
}

#endif
