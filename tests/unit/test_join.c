/* test_join.c - halves joined to a trace, and halves that are not a pair */

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

static const struct dmtrace_file key = { .path = "x.key" };
static const struct dmtrace_file data = { .path = "x.data" };
static const struct dmtrace_file out = { .path = "x.trace" };

static void
put_halves(const char *bytes, size_t len, size_t key_len)
{
	file_put("x.key", bytes, key_len);
	file_put("x.data", bytes + key_len, len - key_len);
}

static enum dmtrace_status
join(unsigned flags)
{
	return dmtrace_join(op, &key, &data, &out, flags);
}

START_TEST(joins_what_was_split)
{
	const struct trace *const trace = &traces[_i];

	put_halves(trace->bytes, trace->len, trace->key_len);
	ck_assert_int_eq(join(DMTRACE_JOIN_EXACT), DMTRACE_OK);
	assert_file("x.trace", trace->bytes, trace->len);
	ck_assert_uint_eq(file_count("."), 3);
}
END_TEST

START_TEST(joins_what_it_cannot_read)
{
	const struct trace *const trace = &unreadable[_i];

	put_halves(trace->bytes, trace->len, trace->key_len);
	ck_assert_int_eq(join(DMTRACE_JOIN_EXACT), DMTRACE_OK);
	assert_file("x.trace", trace->bytes, trace->len);
}
END_TEST

#define REPORTS(key, data, joined, flags, name, path, place, at, message) \
	{ key, sizeof(key) - 1, data, sizeof(data) - 1, joined, \
	    sizeof(joined) - 1, flags, name, path, place, at, message }

/* Halves that are joined, with one finding. */
static const struct {
	const char *key;
	size_t key_len;
	const char *data;
	size_t data_len;
	const char *joined;
	size_t joined_len;
	unsigned flags;
	const char *name;
	const char *path;
	enum dmtrace_place place;
	uint64_t at;
	const char *message;
} reports[] = {
	REPORTS("*version\n2\n*end", "SLOW", "*version\n2\n*end\nSLOW", 0,
	    "key-end-no-lf", "x.key", DMTRACE_PLACE_OFFSET, 15, "added"),
	REPORTS("*version\n2\n*end", "SLOW", "*version\n2\n*endSLOW",
	    DMTRACE_JOIN_EXACT, "key-end-no-lf", "x.key",
	    DMTRACE_PLACE_OFFSET, 15, "left so"),
	REPORTS("*version\r\n2\r\n*end\r", "SLOW",
	    "*version\r\n2\r\n*end\r\nSLOW", 0, "key-end-no-lf", "x.key",
	    DMTRACE_PLACE_OFFSET, 18, "added"),
	REPORTS(KEY_2, "SLOW\4\0", KEY_2 "SLOW\4\0", 0, "version-unknown",
	    "x.data", DMTRACE_PLACE_OFFSET, 4, ": 4"),
	REPORTS(KEY("2", "clock=wall\nnum-method-calls=12\n"),
	    HEADER_2 RECORDS_2, KEY("2", "clock=wall\nnum-method-calls=12\n")
	    HEADER_2 RECORDS_2, 0, "count-differs", "x.key",
	    DMTRACE_PLACE_NONE, 0, "12 and 2"),
	REPORTS(KEY_1, HEADER_2 RECORDS_2, KEY_1 HEADER_2 RECORDS_2,
	    DMTRACE_JOIN_FORCE, "pair-foreign", "x.data",
	    DMTRACE_PLACE_OFFSET, 4, "the data has version 2, the key 1"),
	REPORTS(KEY_1, HEADER_2 RECORDS_2, KEY_1 HEADER_2 RECORDS_2,
	    DMTRACE_JOIN_EXACT, "pair-foreign", "x.data",
	    DMTRACE_PLACE_OFFSET, 4, "the data has version 2, the key 1"),
	REPORTS(HEADER_2 RECORDS_2, KEY_2, KEY_2 HEADER_2 RECORDS_2,
	    DMTRACE_JOIN_FORCE, "pair-foreign", "x.key",
	    DMTRACE_PLACE_NONE, 0, "swapped"),
	REPORTS(KEY_2 HEADER_2, HEADER_2 RECORDS_2, KEY_2 HEADER_2 RECORDS_2,
	    DMTRACE_JOIN_FORCE, "pair-foreign", "x.key",
	    DMTRACE_PLACE_OFFSET, sizeof(KEY_2) - 1, "data of its own"),
};

START_TEST(joins_and_reports)
{
	file_put("x.key", reports[_i].key, reports[_i].key_len);
	file_put("x.data", reports[_i].data, reports[_i].data_len);
	ck_assert_int_eq(join(reports[_i].flags), DMTRACE_OK);
	assert_file("x.trace", reports[_i].joined, reports[_i].joined_len);
	ck_assert_uint_eq(reported.count, 1);
	ck_assert_str_eq(reported.name, reports[_i].name);
	ck_assert_str_eq(reported.path, reports[_i].path);
	ck_assert_int_eq(reported.place, reports[_i].place);
	ck_assert_uint_eq(reported.at, reports[_i].at);
	ck_assert_ptr_nonnull(strstr(reported.message, reports[_i].message));
}
END_TEST

/* None of these ids is in METHODS. */
#define STRANGE "\1\2" "\x08\0\0\0" "\0\0\0\0" "\1\2" "\x09\0\0\0" "\0\0\0\0"

#define REFUSED(key, data, flags, status, path, place, at, message) \
	{ key, sizeof(key) - 1, data, sizeof(data) - 1, flags, status, path, \
	    place, at, message }

static const struct {
	const char *key;
	size_t key_len;
	const char *data;
	size_t data_len;
	unsigned flags;
	enum dmtrace_status status;
	const char *path;
	enum dmtrace_place place;
	uint64_t at;
	const char *message;
} refused[] = {
	REFUSED(HEADER_2 RECORDS_2, KEY_2, DMTRACE_JOIN_EXACT,
	    DMTRACE_ERR_FOREIGN, "x.key", DMTRACE_PLACE_NONE, 0, "swapped"),
	REFUSED(HEADER_2, HEADER_2, DMTRACE_JOIN_FORCE, DMTRACE_ERR_FOREIGN,
	    "x.key", DMTRACE_PLACE_NONE, 0, "*version"),
	REFUSED(KEY_2, KEY_2, DMTRACE_JOIN_FORCE, DMTRACE_ERR_FOREIGN,
	    "x.data", DMTRACE_PLACE_NONE, 0, "which is a key"),
	REFUSED(KEY_2, "text", DMTRACE_JOIN_FORCE, DMTRACE_ERR_NOT_TRACE,
	    "x.data", DMTRACE_PLACE_NONE, 0, "\"SLOW\""),
	REFUSED(KEY_2, "", DMTRACE_JOIN_FORCE, DMTRACE_ERR_NOT_TRACE,
	    "x.data", DMTRACE_PLACE_NONE, 0, "\"SLOW\""),
	REFUSED("", HEADER_2, DMTRACE_JOIN_FORCE, DMTRACE_ERR_NOT_TRACE,
	    "x.key", DMTRACE_PLACE_NONE, 0, "empty"),
	REFUSED("*version\n", HEADER_2, DMTRACE_JOIN_FORCE,
	    DMTRACE_ERR_TRUNCATED, "x.key", DMTRACE_PLACE_OFFSET, 9, "*end"),
	REFUSED(KEY_2 HEADER_2, HEADER_2, DMTRACE_JOIN_EXACT,
	    DMTRACE_ERR_FOREIGN, "x.key", DMTRACE_PLACE_OFFSET,
	    sizeof(KEY_2) - 1, "data of its own"),
	REFUSED(KEY_2 "123456789", HEADER_2, 0, DMTRACE_ERR_FOREIGN, "x.key",
	    DMTRACE_PLACE_OFFSET, sizeof(KEY_2) - 1, "data of its own"),
	REFUSED(KEY_3, HEADER_2 RECORDS_2, 0, DMTRACE_ERR_FOREIGN, "x.data",
	    DMTRACE_PLACE_OFFSET, 4, "the data has version 2, the key 3"),
	REFUSED(KEY_2, HEADER_2 STRANGE, 0, DMTRACE_ERR_FOREIGN, "x.data",
	    DMTRACE_PLACE_OFFSET, 32, "none of the first 2 records"),
	REFUSED(KEY_2, HEADER_2 STRANGE, 0, DMTRACE_ERR_FOREIGN, "x.data",
	    DMTRACE_PLACE_OFFSET, 32, "0x8"),
};

START_TEST(refuses_what_is_no_pair)
{
	file_put("x.key", refused[_i].key, refused[_i].key_len);
	file_put("x.data", refused[_i].data, refused[_i].data_len);
	ck_assert_int_eq(join(refused[_i].flags), refused[_i].status);
	const struct dmtrace_error *const error = dmtrace_op_error(op);

	ck_assert_int_eq(error->place, refused[_i].place);
	ck_assert_uint_eq(error->at, refused[_i].at);
	ck_assert_ptr_nonnull(strstr(error->message, refused[_i].message));
	ck_assert_str_eq(dmtrace_op_error_file(op)->path, refused[_i].path);
	ck_assert_uint_eq(file_count("."), 2);
	ck_assert_uint_eq(reported.count, 0);
}
END_TEST

/* count records of a strange method, then one that the key lists. */
static void
put_strange_data(size_t count)
{
	FILE *const file = fopen("x.data", "wb");

	fwrite(HEADER_2, 1, sizeof(HEADER_2) - 1, file);
	for (size_t i = 0; i < count; i++)
		fwrite(STRANGE, 1, 10, file);
	fwrite(RECORDS_2, 1, 10, file);
	ck_assert_int_eq(fclose(file), 0);
}

START_TEST(looks_at_4096_records)
{
	file_put("x.key", KEY_2, sizeof(KEY_2) - 1);
	put_strange_data(4095);
	ck_assert_int_eq(join(0), DMTRACE_OK);
	put_strange_data(4096);
	ck_assert_int_eq(join(0), DMTRACE_ERR_FOREIGN);
	ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->message, "4096"));
}
END_TEST

START_TEST(a_missing_half_is_named)
{
	const char *const there = _i == 0 ? "x.data" : "x.key";
	const char *const missing = _i == 0 ? "x.key" : "x.data";

	file_put(there, KEY_2, sizeof(KEY_2) - 1);
	ck_assert_int_eq(join(DMTRACE_JOIN_FORCE), DMTRACE_ERR_IO);
	ck_assert_str_eq(dmtrace_op_error_file(op)->path, missing);
	ck_assert_int_eq(dmtrace_op_error(op)->sys_errno, ENOENT);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

START_TEST(replaces_an_old_file_only_if_it_may)
{
	put_halves(traces[1].bytes, traces[1].len, traces[1].key_len);
	file_put("x.trace", "old", 3);
	ck_assert_int_eq(join(DMTRACE_NO_REPLACE), DMTRACE_ERR_IO);
	ck_assert_int_eq(dmtrace_op_error(op)->sys_errno, EEXIST);
	assert_file("x.trace", "old", 3);
	ck_assert_int_eq(join(0), DMTRACE_OK);
	assert_file("x.trace", traces[1].bytes, traces[1].len);
	ck_assert_uint_eq(file_count("."), 3);
}
END_TEST

/* The outputs are whole; then they go. */
static void
take_outputs(const char *bytes, size_t len)
{
	assert_file("x.trace", bytes, len);
	unlink("x.trace");
}

START_TEST(whatever_fails_leaves_all_or_nothing)
{
	struct failing failing = {
		.kind = all_faults[_i], .harmless = FAULT_CLOSE
	};
	size_t len, key_len;
	char *const bytes = large_trace(&len, &key_len);

	put_halves(bytes, len, key_len);
	do {
		failing_arm(&failing);
		if (failing_reported(&failing, join(DMTRACE_SYNC)))
			ck_assert_uint_eq(file_count("."), 2);
		else
			take_outputs(bytes, len);
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

	put_halves(bytes, len, key_len);
	dmtrace_op_set_progress(op, cancel_after, &calls);
	ck_assert_int_eq(join(0), DMTRACE_ERR_CANCELLED);
	ck_assert_uint_eq(calls, 0);
	ck_assert_uint_eq(file_count("."), 2);
	free(bytes);
}
END_TEST

START_TEST(descriptors_stay_open)
{
	const struct trace *const trace = &traces[2];

	put_halves(trace->bytes, trace->len, trace->key_len);
	const struct dmtrace_file files[] = {
		{ .fd = open("x.key", O_RDONLY) },
		{ .fd = open("x.data", O_RDONLY) },
		{ .fd = open("t", O_WRONLY | O_CREAT, 0666) },
	};

	ck_assert_int_eq(dmtrace_join(op, &files[0], &files[1], &files[2],
	    0), DMTRACE_OK);
	for (size_t i = 0; i < ROWS(files); i++)
		ck_assert_int_eq(close(files[i].fd), 0);
	assert_file("t", trace->bytes, trace->len);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("join");
	TCase *const tcase = unit_tcase(suite, "join");

	tcase_add_checked_fixture(tcase, reported_begin, op_end);
	ADD_CASES(tcase, joins_what_was_split, traces);
	ADD_CASES(tcase, joins_what_it_cannot_read, unreadable);
	ADD_CASES(tcase, joins_and_reports, reports);
	ADD_CASES(tcase, refuses_what_is_no_pair, refused);
	tcase_add_test(tcase, looks_at_4096_records);
	tcase_add_loop_test(tcase, a_missing_half_is_named, 0, 2);
	tcase_add_test(tcase, replaces_an_old_file_only_if_it_may);
	ADD_CASES(tcase, whatever_fails_leaves_all_or_nothing, all_faults);
	tcase_add_test(tcase, a_progress_that_cancels_leaves_no_output);
	tcase_add_test(tcase, descriptors_stay_open);
	return unit_main(suite);
}
