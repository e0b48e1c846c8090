/* test_marks.c - bits, few and many, in memory and in a file */

#include "base/marks.h"
#include "failing.h"
#include "unit.h"

#define PAGE (UINT64_C(1) << 19)	/* bits that come and go together */
#define PAGES 9

static const uint64_t limits[] = { 0, 65536, 4 * 65536, UINT64_MAX };

START_TEST(has_what_was_added)
{
	struct dmt_marks marks = { .most = limits[_i] };

	ck_assert(!dmt_marks_has(&marks, 0));
	ck_assert(!dmt_marks_has(&marks, PAGE * 1000));
	for (uint64_t i = 0; i < PAGES; i++) {
		dmt_marks_add(&marks, i * PAGE + i);
		dmt_marks_add(&marks, (PAGES - 1 - i) * PAGE + 77);
		dmt_marks_add(&marks, i * PAGE + PAGE - 1);
	}
	for (uint64_t i = 0; i < PAGES; i++) {
		ck_assert(dmt_marks_has(&marks, i * PAGE + i));
		ck_assert(dmt_marks_has(&marks, i * PAGE + 77));
		ck_assert(dmt_marks_has(&marks, i * PAGE + PAGE - 1));
		ck_assert(!dmt_marks_has(&marks, i * PAGE + 78));
		ck_assert(!dmt_marks_has(&marks, i * PAGE + i + 9));
	}
	ck_assert(!dmt_marks_has(&marks, PAGES * PAGE));
	ck_assert_uint_le(marks.held, limits[_i] >= PAGES * 65536 ? PAGES :
	    limits[_i] < 2 * 65536 ? 2 : 4);
	ck_assert_int_eq(marks.error.status, DMTRACE_OK);
	dmt_marks_fini(&marks);
}
END_TEST

static void
fill(struct dmt_marks *marks)
{
	for (uint64_t i = 0; i < PAGES; i++)
		dmt_marks_add(marks, i * PAGE);
	for (uint64_t i = 0; i < PAGES; i++)
		dmt_marks_has(marks, i * PAGE);
}

START_TEST(keeps_a_failing_allocation)
{
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		struct dmt_marks marks = { .most = 0 };

		failing_arm(&failing);
		fill(&marks);
		failing_told(&failing, marks.error.status);
		dmt_marks_fini(&marks);
	} while (failing.failed);
	ck_assert_uint_gt(failing.told, 0);
}
END_TEST

START_TEST(tells_that_there_is_no_room)
{
	struct dmt_marks marks = { .most = 0 };

	setenv("TMPDIR", "/no/such/folder", 1);
	fill(&marks);
	unsetenv("TMPDIR");
	ck_assert_int_eq(marks.error.status, DMTRACE_ERR_IO);
	ck_assert(!dmt_marks_has(&marks, 0));
	dmt_marks_fini(&marks);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("marks");
	TCase *tcase = unit_tcase(suite, "marks");

	ADD_CASES(tcase, has_what_was_added, limits);
	tcase_add_test(tcase, keeps_a_failing_allocation);
	tcase_add_test(tcase, tells_that_there_is_no_room);
	return unit_main(suite);
}
