/* test_sink.c - reports of other programs, written to complete files */

#include <dmtrace.h>

#include <errno.h>
#include <fcntl.h>

#include "helpers/files.h"
#include "helpers/unit.h"
#include "private/sink.h"

START_TEST(makes_a_file_at_close)
{
	struct dmt_sink *sink = dmt_sink_new();

	ck_assert_int_eq(dmt_sink_open_path(sink, "report", 1),
	    DMTRACE_OK);
	dmt_sink_write(sink, "one ", 4);
	char *room = dmt_sink_reserve(sink, DMT_SINK_ROOM);
	memcpy(room, "two", 4);
	dmt_sink_advance(sink, 3);
	ck_assert_int_ne(access("report", F_OK), 0);
	ck_assert_int_eq(dmt_sink_close(sink), DMTRACE_OK);
	assert_file("report", "one two", 7);
	dmt_sink_free(sink);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

START_TEST(leaves_nothing_without_a_close)
{
	struct dmt_sink *sink = dmt_sink_new();

	file_put("report", "old", 3);
	dmt_sink_open_path(sink, "report", 0);
	dmt_sink_write(sink, "new", 3);
	dmt_sink_free(sink);
	assert_file("report", "old", 3);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

START_TEST(writes_to_a_descriptor_of_the_caller)
{
	struct dmt_sink *sink = dmt_sink_new();
	const int fd = open("report", O_WRONLY | O_CREAT, 0666);

	ck_assert_int_eq(dmt_sink_open_fd(sink, fd), DMTRACE_OK);
	dmt_sink_write(sink, "bytes", 5);
	ck_assert_int_eq(dmt_sink_close(sink), DMTRACE_OK);
	dmt_sink_free(sink);
	ck_assert_int_eq(close(fd), 0);
	assert_file("report", "bytes", 5);
}
END_TEST

START_TEST(keeps_the_first_failure)
{
	struct dmt_sink *sink = dmt_sink_new();
	const int fd = open("/dev/full", O_WRONLY);

	dmt_sink_open_fd(sink, fd);
	for (int i = 0; i < 9; i++) {
		char *room = dmt_sink_reserve(sink, DMT_SINK_ROOM);

		ck_assert(room != NULL || i > 0);
		if (room == NULL)
			continue;
		memset(room, 'x', DMT_SINK_ROOM);
		dmt_sink_advance(sink, DMT_SINK_ROOM);
	}
	ck_assert_ptr_null(dmt_sink_reserve(sink, 1));
	dmt_sink_write(sink, "x", 1);
	ck_assert_int_eq(dmt_sink_close(sink), DMTRACE_ERR_IO);
	ck_assert_int_eq(dmt_sink_error(sink)->sys_errno, ENOSPC);
	dmt_sink_free(sink);
	close(fd);
}
END_TEST

START_TEST(refuses_calls_out_of_order)
{
	struct dmt_sink *sink = dmt_sink_new();

	ck_assert_int_eq(dmt_sink_close(sink), DMTRACE_ERR_STATE);
	dmt_sink_free(sink);
	sink = dmt_sink_new();
	dmt_sink_open_path(sink, "report", 0);
	ck_assert_int_eq(dmt_sink_open_path(sink, "other", 0),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmt_sink_open_fd(sink, 1), DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmt_sink_close(sink), DMTRACE_ERR_STATE);
	dmt_sink_free(sink);
	dmt_sink_free(NULL);
	ck_assert_uint_eq(file_count("."), 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("sink");
	TCase *tcase = unit_tcase(suite, "sink");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_add_test(tcase, makes_a_file_at_close);
	tcase_add_test(tcase, leaves_nothing_without_a_close);
	tcase_add_test(tcase, writes_to_a_descriptor_of_the_caller);
	tcase_add_test(tcase, keeps_the_first_failure);
	tcase_add_test(tcase, refuses_calls_out_of_order);
	return unit_main(suite);
}
