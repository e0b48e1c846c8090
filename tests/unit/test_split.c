/* test_split.c - a trace split into its halves, and every possible failure */

#include <dmtrace.h>
#include <stdbool.h>

#include <fcntl.h>
#include <unistd.h>

#include "helpers/cancel.h"
#include "helpers/failing.h"
#include "helpers/files.h"
#include "helpers/halves.h"
#include "helpers/reported.h"
#include "helpers/traces.h"
#include "helpers/unit.h"

static const struct dmtrace_file in = { .path = "x.trace" };
static const struct dmtrace_file key = { .path = "x.key" };
static const struct dmtrace_file data = { .path = "x.data" };

static enum dmtrace_status
split(const void *bytes, size_t len, unsigned flags)
{
	file_put("x.trace", bytes, len);
	return dmtrace_split(op, &in, &key, &data, flags);
}

START_TEST(splits_every_trace_at_the_magic)
{
	const struct trace *const trace = &traces[_i];

	ck_assert_int_eq(split(trace->bytes, trace->len, 0), DMTRACE_OK);
	assert_file("x.key", trace->bytes, trace->key_len);
	assert_file("x.data", trace->bytes + trace->key_len,
	    trace->len - trace->key_len);
	assert_file("x.trace", trace->bytes, trace->len);
	ck_assert_uint_eq(file_count("."), 3);
	ck_assert_str_eq(reported.name, "");
}
END_TEST

/* As soon as the magic is whole. */
START_TEST(splits_or_refuses_every_prefix)
{
	const struct trace *const trace = &traces[_i];

	for (size_t len = 0; len <= trace->len; len++) {
		const enum dmtrace_status status =
		    split(trace->bytes, len, 0);

		ck_assert_int_eq(status == DMTRACE_OK,
		    len >= trace->key_len + 4);
		if (status != DMTRACE_OK) {
			ck_assert_uint_eq(file_count("."), 1);
			continue;
		}
		assert_file("x.key", trace->bytes, trace->key_len);
		assert_file("x.data", trace->bytes + trace->key_len,
		    len - trace->key_len);
	}
}
END_TEST

START_TEST(splits_what_it_cannot_read)
{
	const struct trace *const trace = &unreadable[_i];

	ck_assert_int_eq(split(trace->bytes, trace->len, 0), DMTRACE_OK);
	assert_file("x.key", trace->bytes, trace->key_len);
	assert_file("x.data", trace->bytes + trace->key_len,
	    trace->len - trace->key_len);
	ck_assert_str_eq(reported.name,
	    trace->finding == NULL ? "" : trace->finding);
}
END_TEST

START_TEST(reports_the_place_of_an_unknown_version)
{
	static const char trace[] = KEY_2 "SLOW" "\x12\x34";

	ck_assert_int_eq(split(trace, sizeof(trace) - 1, 0), DMTRACE_OK);
	ck_assert_str_eq(reported.name, "version-unknown");
	ck_assert_str_eq(reported.path, "x.trace");
	ck_assert_int_eq(reported.place, DMTRACE_PLACE_OFFSET);
	ck_assert_uint_eq(reported.at, sizeof(KEY_2) - 1 + 4);
	ck_assert_ptr_nonnull(strstr(reported.message, ": 13330"));
}
END_TEST

#define REFUSED(bytes, status, place, at, message) \
	{ bytes, sizeof(bytes) - 1, status, place, at, message }

static const struct {
	const char *bytes;
	size_t len;
	enum dmtrace_status status;
	enum dmtrace_place place;
	uint64_t at;
	const char *message;
} refused[] = {
	REFUSED("", DMTRACE_ERR_NOT_TRACE, DMTRACE_PLACE_NONE, 0, "empty"),
	REFUSED("hello", DMTRACE_ERR_NOT_TRACE, DMTRACE_PLACE_NONE, 0,
	    "begins with \"hello\""),
	REFUSED("\x1f\x8b\x08", DMTRACE_ERR_NOT_TRACE, DMTRACE_PLACE_NONE, 0,
	    "gzip"),
	REFUSED("*version\n2\n*threads\n", DMTRACE_ERR_TRUNCATED,
	    DMTRACE_PLACE_OFFSET, 20, "*end"),
	REFUSED("*version\n2\n*end\n", DMTRACE_ERR_TRUNCATED,
	    DMTRACE_PLACE_OFFSET, 16, "no data follows the key"),
	REFUSED("*version\n2\n*end", DMTRACE_ERR_TRUNCATED,
	    DMTRACE_PLACE_OFFSET, 15, "no data follows the key"),
	REFUSED("*version\n2\n*end\nSLO", DMTRACE_ERR_TRUNCATED,
	    DMTRACE_PLACE_OFFSET, 16, "no data follows the key"),
	REFUSED("*version\n2\n*end\n123456789SLOW", DMTRACE_ERR_CORRUPT,
	    DMTRACE_PLACE_OFFSET, 16, "\"SLOW\""),
	REFUSED(HEADER_2 RECORDS_2, DMTRACE_ERR_FOREIGN, DMTRACE_PLACE_NONE,
	    0, "*version"),
	REFUSED("SLOW\xf3\0\x20\0" START, DMTRACE_ERR_UNSUPPORTED,
	    DMTRACE_PLACE_NONE, 0, "ART streaming"),
	REFUSED("SLOW\5\0\x20\0" START, DMTRACE_ERR_UNSUPPORTED,
	    DMTRACE_PLACE_NONE, 0, "format V2"),
};

START_TEST(refuses_files_without_both_halves)
{
	ck_assert_int_eq(split(refused[_i].bytes, refused[_i].len, 0),
	    refused[_i].status);
	const struct dmtrace_error *const error = dmtrace_op_error(op);

	ck_assert_int_eq(error->status, refused[_i].status);
	ck_assert_int_eq(error->place, refused[_i].place);
	ck_assert_uint_eq(error->at, refused[_i].at);
	ck_assert_ptr_nonnull(strstr(error->message, refused[_i].message));
	ck_assert_str_eq(dmtrace_op_error_file(op)->path, "x.trace");
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

START_TEST(a_missing_file_is_named)
{
	ck_assert_int_eq(dmtrace_split(op, &in, &key, &data, 0),
	    DMTRACE_ERR_IO);
	ck_assert_str_eq(dmtrace_op_error_file(op)->path, "x.trace");
	ck_assert_int_eq(dmtrace_op_error(op)->sys_errno, ENOENT);
	ck_assert_uint_eq(file_count("."), 0);
}
END_TEST

START_TEST(an_op_forgets_its_last_failure)
{
	dmtrace_split(op, &in, &key, &data, 0);
	ck_assert_int_eq(split(traces[0].bytes, traces[0].len, 0),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_op_error(op)->status, DMTRACE_OK);
	ck_assert_ptr_null(dmtrace_op_error_file(op));
}
END_TEST

START_TEST(replaces_old_files_only_if_it_may)
{
	const char *const taken = _i == 0 ? "x.key" : "x.data";

	file_put(taken, "old", 3);
	ck_assert_int_eq(split(traces[0].bytes, traces[0].len,
	    DMTRACE_NO_REPLACE), DMTRACE_ERR_IO);
	ck_assert_int_eq(dmtrace_op_error(op)->sys_errno, EEXIST);
	ck_assert_str_eq(dmtrace_op_error_file(op)->path, taken);
	assert_file(taken, "old", 3);
	ck_assert_uint_eq(file_count("."), 2);
	ck_assert_int_eq(split(traces[0].bytes, traces[0].len, 0),
	    DMTRACE_OK);
	assert_file("x.key", traces[0].bytes, traces[0].key_len);
	ck_assert_uint_eq(file_count("."), 3);
}
END_TEST

/* The outputs are whole; then they go. */
static void
take_outputs(const char *bytes, size_t len, size_t key_len)
{
	assert_file("x.key", bytes, key_len);
	assert_file("x.data", bytes + key_len, len - key_len);
	unlink("x.key");
	unlink("x.data");
}

START_TEST(whatever_fails_leaves_all_or_nothing)
{
	struct failing failing = {
		.kind = all_faults[_i], .harmless = FAULT_CLOSE
	};
	size_t len, key_len;
	char *const bytes = large_trace(&len, &key_len);

	file_put("x.trace", bytes, len);
	do {
		failing_arm(&failing);
		if (failing_reported(&failing, dmtrace_split(op, &in, &key,
		    &data, DMTRACE_SYNC)))
			ck_assert_uint_eq(file_count("."), 1);
		else
			take_outputs(bytes, len, key_len);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
	free(bytes);
}
END_TEST

START_TEST(a_progress_that_cancels_leaves_no_output)
{
	size_t len, key_len;
	char *const bytes = large_trace(&len, &key_len);
	unsigned calls = 2;

	dmtrace_op_set_progress(op, cancel_after, &calls);
	ck_assert_int_eq(split(bytes, len, 0), DMTRACE_ERR_CANCELLED);
	ck_assert_uint_eq(calls, 0);
	ck_assert_uint_eq(file_count("."), 1);
	free(bytes);
}
END_TEST

START_TEST(descriptors_stay_open)
{
	const struct trace *const trace = &traces[2];

	file_put("x.trace", trace->bytes, trace->len);
	const struct dmtrace_file files[] = {
		{ .fd = open("x.trace", O_RDONLY) },
		{ .fd = open("k", O_WRONLY | O_CREAT, 0666) },
		{ .fd = open("d", O_WRONLY | O_CREAT, 0666) },
	};

	ck_assert_int_eq(dmtrace_split(op, &files[0], &files[1], &files[2],
	    0), DMTRACE_OK);
	for (size_t i = 0; i < ROWS(files); i++)
		ck_assert_int_eq(close(files[i].fd), 0);
	assert_file("k", trace->bytes, trace->key_len);
	assert_file("d", trace->bytes + trace->key_len,
	    trace->len - trace->key_len);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("split");
	TCase *const tcase = unit_tcase(suite, "split");

	tcase_add_checked_fixture(tcase, reported_begin, op_end);
	ADD_CASES(tcase, splits_every_trace_at_the_magic, traces);
	ADD_CASES(tcase, splits_or_refuses_every_prefix, traces);
	ADD_CASES(tcase, splits_what_it_cannot_read, unreadable);
	tcase_add_test(tcase, reports_the_place_of_an_unknown_version);
	ADD_CASES(tcase, refuses_files_without_both_halves, refused);
	tcase_add_test(tcase, a_missing_file_is_named);
	tcase_add_test(tcase, an_op_forgets_its_last_failure);
	tcase_add_loop_test(tcase, replaces_old_files_only_if_it_may, 0, 2);
	ADD_CASES(tcase, whatever_fails_leaves_all_or_nothing, all_faults);
	tcase_add_test(tcase, a_progress_that_cancels_leaves_no_output);
	tcase_add_test(tcase, descriptors_stay_open);
	return unit_main(suite);
}
