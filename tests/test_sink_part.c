/* test_sink_part.c - files that grow side by side and get their names last */

#include "base/sink.h"

#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "unit.h"

#define ROOM 64

static struct dmt_sink sink;

static void
begin(void)
{
	folder_enter();
	mkdir("f", 0777);
	ck_assert_int_eq(dmt_sink_open_part(&sink, "f/x-", 7, ROOM),
	    DMTRACE_OK);
}

static void
end(void)
{
	dmt_sink_fini(&sink);
	folder_leave();
}

/* The bytes so far, in a file of that name. */
static void
assert_written(const char *bytes)
{
	ck_assert_int_eq(dmt_sink_finish(&sink), DMTRACE_OK);
	ck_assert_int_eq(dmt_sink_name(&sink, "f/x-y"), DMTRACE_OK);
	ck_assert_int_eq(dmt_sink_publish(&sink), DMTRACE_OK);
	assert_file("f/x-y", bytes, strlen(bytes));
	ck_assert_uint_eq(file_count("f"), 1);
}

START_TEST(goes_on_where_it_was_parked)
{
	dmt_sink_write(&sink, "one, ", 5);
	dmt_sink_park(&sink);
	ck_assert_int_eq(sink.fd, -1);
	dmt_sink_write(&sink, "two, ", 5);
	dmt_sink_resume(&sink);
	dmt_sink_write(&sink, "three", 5);
	assert_written("one, two, three");
}
END_TEST

START_TEST(patches_what_is_written_and_what_is_not)
{
	dmt_sink_write(&sink, "one, two, ", 10);
	dmt_sink_patch(&sink, 5, "six", 3);
	dmt_sink_write(&sink, "three", 5);
	dmt_sink_patch(&sink, 15, ", four", 6);
	ck_assert_uint_eq(sink.written, 21);
	dmt_sink_patch(&sink, 0, "ONE", 3);
	assert_written("ONE, six, three, four");
}
END_TEST

/* 40 bytes: two units of 16, and 8 that stay in the buffer. */
START_TEST(spills_whole_units)
{
	static const char bytes[] = "0123456789012345678901234567890123456789";
	struct stat file;

	dmt_sink_write(&sink, bytes, 10);
	dmt_sink_spill(&sink, 16);
	ck_assert_uint_eq(sink.used, 10);
	dmt_sink_write(&sink, bytes + 10, 30);
	dmt_sink_spill(&sink, 16);
	ck_assert_uint_eq(sink.used, 8);
	fstat(sink.fd, &file);
	ck_assert_int_eq(file.st_size, 32);
	assert_written(bytes);
}
END_TEST

START_TEST(leaves_nothing_without_a_name)
{
	dmt_sink_write(&sink, "one", 3);
	dmt_sink_park(&sink);
	ck_assert_uint_eq(file_count("f"), 1);
	dmt_sink_fini(&sink);
	ck_assert_uint_eq(file_count("f"), 0);
}
END_TEST

START_TEST(takes_the_place_of_a_link)
{
	file_put("kept", "old", 3);
	ck_assert_int_eq(symlink("../kept", "f/x-y"), 0);
	dmt_sink_write(&sink, "new", 3);
	assert_written("new");
	assert_file("kept", "old", 3);
}
END_TEST

START_TEST(a_name_that_is_taken_is_told)
{
	file_put("f/x-y", "old", 3);
	dmt_sink_finish(&sink);
	sink.no_replace = true;
	ck_assert_int_eq(dmt_sink_name(&sink, "f/x-y"), DMTRACE_OK);
	ck_assert(sink.replaces);
	ck_assert_int_eq(dmt_sink_publish(&sink), DMTRACE_ERR_IO);
	assert_file("f/x-y", "old", 3);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("sink_part");
	TCase *const tcase = unit_tcase(suite, "sink_part");

	tcase_add_checked_fixture(tcase, begin, end);
	tcase_add_test(tcase, goes_on_where_it_was_parked);
	tcase_add_test(tcase, patches_what_is_written_and_what_is_not);
	tcase_add_test(tcase, spills_whole_units);
	tcase_add_test(tcase, leaves_nothing_without_a_name);
	tcase_add_test(tcase, takes_the_place_of_a_link);
	tcase_add_test(tcase, a_name_that_is_taken_is_told);
	return unit_main(suite);
}
