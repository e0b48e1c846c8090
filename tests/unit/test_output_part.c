/* test_output_part.c - files that grow side by side and are named at the end */

#include "base/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include "helpers/files.h"
#include "helpers/unit.h"

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

/* 70000 bytes fit into the buffer: 65536 and a rest, which stays there. */
START_TEST(writes_whole_units_of_64_kib)
{
	static char bytes[80000];
	struct dmt_output large;
	struct stat file;

	memset(bytes, 'x', sizeof(bytes));
	ck_assert_int_eq(dmt_output_open_part(&large, "f/y-", 8, 70000),
	    DMTRACE_OK);
	dmt_output_write(&large, bytes, 70000);
	fstat(large.fd, &file);
	ck_assert_int_eq(file.st_size, 0);
	dmt_output_write(&large, bytes + 70000, 10000);
	fstat(large.fd, &file);
	ck_assert_int_eq(file.st_size, 65536);
	ck_assert_uint_eq(large.len, 80000 - 65536);
	ck_assert_int_eq(dmt_output_finish(&large), DMTRACE_OK);
	ck_assert_int_eq(dmt_output_name(&large, "f/y"), DMTRACE_OK);
	ck_assert_int_eq(dmt_output_publish(&large), DMTRACE_OK);
	assert_file("f/y", bytes, sizeof(bytes));
	dmt_output_fini(&large);
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

START_TEST(a_name_that_is_taken_is_reported)
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
	tcase_add_test(tcase, writes_whole_units_of_64_kib);
	tcase_add_test(tcase, leaves_nothing_without_a_name);
	tcase_add_test(tcase, takes_the_place_of_a_link);
	tcase_add_test(tcase, a_name_that_is_taken_is_reported);
	return unit_main(suite);
}
