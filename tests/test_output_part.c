/* test_output_part.c - files that grow side by side and get their names last */

#include "base/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "unit.h"

#define ROOM 64

static struct dmt_output output;

static void
begin(void)
{
	folder_enter();
	mkdir("f", 0777);
	ck_assert_int_eq(dmt_output_open_part(&output, "f/x-", 7, ROOM),
	    DMTRACE_OK);
}

static void
end(void)
{
	dmt_output_fini(&output);
	folder_leave();
}

/* The bytes so far, in a file of that name. */
static void
assert_written(const char *bytes)
{
	ck_assert_int_eq(dmt_output_finish(&output), DMTRACE_OK);
	ck_assert_int_eq(dmt_output_name(&output, "f/x-y"), DMTRACE_OK);
	ck_assert_int_eq(dmt_output_publish(&output), DMTRACE_OK);
	assert_file("f/x-y", bytes, strlen(bytes));
	ck_assert_uint_eq(file_count("f"), 1);
}

START_TEST(goes_on_where_it_was_parked)
{
	dmt_output_write(&output, "one, ", 5);
	dmt_output_park(&output);
	ck_assert_int_eq(output.fd, -1);
	dmt_output_write(&output, "two, ", 5);
	dmt_output_resume(&output);
	dmt_output_write(&output, "three", 5);
	assert_written("one, two, three");
}
END_TEST

START_TEST(patches_what_is_written_and_what_is_not)
{
	dmt_output_write(&output, "one, two, ", 10);
	dmt_output_patch(&output, 5, "six", 3);
	dmt_output_write(&output, "three", 5);
	dmt_output_patch(&output, 15, ", four", 6);
	ck_assert_uint_eq(output.written, 21);
	dmt_output_patch(&output, 0, "ONE", 3);
	assert_written("ONE, six, three, four");
}
END_TEST

/* 40 bytes: two units of 16, and 8 that stay in the buffer. */
START_TEST(spills_whole_units)
{
	static const char bytes[] = "0123456789012345678901234567890123456789";
	struct stat file;

	dmt_output_write(&output, bytes, 10);
	dmt_output_spill(&output, 16);
	ck_assert_uint_eq(output.used, 10);
	dmt_output_write(&output, bytes + 10, 30);
	dmt_output_spill(&output, 16);
	ck_assert_uint_eq(output.used, 8);
	fstat(output.fd, &file);
	ck_assert_int_eq(file.st_size, 32);
	assert_written(bytes);
}
END_TEST

START_TEST(leaves_nothing_without_a_name)
{
	dmt_output_write(&output, "one", 3);
	dmt_output_park(&output);
	ck_assert_uint_eq(file_count("f"), 1);
	dmt_output_fini(&output);
	ck_assert_uint_eq(file_count("f"), 0);
}
END_TEST

START_TEST(takes_the_place_of_a_link)
{
	file_put("kept", "old", 3);
	ck_assert_int_eq(symlink("../kept", "f/x-y"), 0);
	dmt_output_write(&output, "new", 3);
	assert_written("new");
	assert_file("kept", "old", 3);
}
END_TEST

START_TEST(a_name_that_is_taken_is_told)
{
	file_put("f/x-y", "old", 3);
	dmt_output_finish(&output);
	output.no_replace = true;
	ck_assert_int_eq(dmt_output_name(&output, "f/x-y"), DMTRACE_OK);
	ck_assert(output.replaces);
	ck_assert_int_eq(dmt_output_publish(&output), DMTRACE_ERR_IO);
	assert_file("f/x-y", "old", 3);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("output_part");
	TCase *const tcase = unit_tcase(suite, "output_part");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, goes_on_where_it_was_parked);
	tcase_add_test(tcase, patches_what_is_written_and_what_is_not);
	tcase_add_test(tcase, spills_whole_units);
	tcase_add_test(tcase, leaves_nothing_without_a_name);
	tcase_add_test(tcase, takes_the_place_of_a_link);
	tcase_add_test(tcase, a_name_that_is_taken_is_told);
	return unit_main(suite);
}
