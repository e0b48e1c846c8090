/* test_rejoin.c - pieces joined to the whole, and every possible failure */

#include <dmtrace.h>
#include <stdbool.h>

#include "helpers/cancel.h"
#include "helpers/failing.h"
#include "helpers/op.h"
#include "helpers/pieces.h"
#include "helpers/unit.h"

static const struct dmtrace_file out = { .path = "out" };

static void
make(const char *name, uint64_t seed)
{
	size_t len;
	uint8_t *const bytes = make_trace(seed,
	    dmt_layout_find(3, DMTRACE_CLOCK_DUAL), 400, 3, &len);

	file_put(name, bytes, len);
	free(bytes);
}

/* x.trace in four pieces. */
static void
begin(void)
{
	op_begin();
	make("x.trace", 1);
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_RECORDS,
	    100, DMTRACE_NO_REPLACE), DMTRACE_OK);
	ck_assert_uint_eq(file_count("p"), 4);
}

static void
assert_whole(void)
{
	size_t len;
	void *const bytes = file_get("x.trace", &len);

	assert_file("out", bytes, len);
	unlink("out");
	free(bytes);
}

/* There is no output, and the message says what is wrong. */
static void
assert_refused(enum dmtrace_status expected, const char *message)
{
	const enum dmtrace_status status = rejoin_paths(NULL, 0);

	ck_assert_int_eq(status, expected);
	ck_assert_msg(strstr(dmtrace_op_error(op)->message, message) != NULL,
	    "%s", dmtrace_op_error(op)->message);
	ck_assert_ptr_null(fopen("out", "r"));
}

START_TEST(a_missing_piece_is_named)
{
	unlink("p/0002.trace");
	assert_refused(DMTRACE_ERR_TRUNCATED,
	    "1 of 4 pieces missing: 2");
	unlink("p/0003.trace");
	assert_refused(DMTRACE_ERR_TRUNCATED,
	    "2 of 4 pieces missing: 2 to 3");
	unlink("p/0001.trace");
	assert_refused(DMTRACE_ERR_TRUNCATED,
	    "3 of 4 pieces missing: 1 to 3");
}
END_TEST

START_TEST(a_repeated_piece_is_refused)
{
	size_t len;
	void *const bytes = file_get("p/0002.trace", &len);

	file_put("p/again", bytes, len);
	free(bytes);
	assert_refused(DMTRACE_ERR_FOREIGN, "is piece 2, and so is p/");
}
END_TEST

START_TEST(a_piece_of_another_trace_is_refused)
{
	make("y.trace", 2);
	rename("p/0002.trace", "kept");
	rename("p", "q");
	ck_assert_int_eq(split_path("y.trace", DMTRACE_PIECES_RECORDS,
	    100, 0), DMTRACE_OK);
	rename("p/0002.trace", "q/0002.trace");
	remove_paths();
	rmdir("p");
	rename("q", "p");
	assert_refused(DMTRACE_ERR_FOREIGN, "is a piece of another trace");
}
END_TEST

START_TEST(a_piece_of_another_split_is_refused)
{
	rename("p", "q");
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_RECORDS,
	    120, 0), DMTRACE_OK);
	rename("p/0002.trace", "q/0002.trace");
	remove_paths();
	rmdir("p");
	rename("q", "p");
	assert_refused(DMTRACE_ERR_FOREIGN, "of another split");
}
END_TEST

START_TEST(a_file_that_is_not_a_piece_is_refused)
{
	make("p/0005.trace", 1);
	assert_refused(DMTRACE_ERR_FOREIGN, "is not a piece");
	file_put("p/0005.trace", "hello", 5);
	assert_refused(DMTRACE_ERR_NOT_TRACE, "begins with \"hello\"");
}
END_TEST

/* One by one, the file ends after fewer bytes. */
START_TEST(every_prefix_of_a_piece_is_refused)
{
	static const enum dmtrace_status expected[] = {
		DMTRACE_ERR_NOT_TRACE, DMTRACE_ERR_TRUNCATED,
		DMTRACE_ERR_CORRUPT, DMTRACE_ERR_FOREIGN
	};
	const bool last = _i == 1;
	const char *const name = last ? "p/0004.trace" : "p/0001.trace";
	size_t len;
	void *const bytes = file_get(name, &len);

	for (size_t cut = 0; cut < len;
	    cut += (cut + 700 < len ? 13 : 1) * unit_stride()) {
		file_put(name, bytes, cut);
		const enum dmtrace_status status = rejoin_paths(NULL, 0);
		bool found = false;

		for (size_t i = 0; i < ROWS(expected); i++)
			found |= status == expected[i];
		ck_assert_msg(found, "%zu of %zu: %d", cut, len, status);
		ck_assert_ptr_null(fopen("out", "r"));
	}
	free(bytes);
}
END_TEST

/* Any byte of a key or header that changes is seen, or changes nothing. */
START_TEST(every_changed_byte_ends_in_a_status)
{
	size_t len;
	uint8_t *const bytes = file_get("p/0002.trace", &len);

	for (size_t i = 0; i < 600; i += unit_stride()) {
		bytes[i] ^= 0x11;
		file_put("p/0002.trace", bytes, len);
		if (rejoin_paths(NULL, 0) == DMTRACE_OK)
			assert_whole();
		else
			ck_assert_ptr_null(fopen("out", "r"));
		bytes[i] ^= 0x11;
	}
	free(bytes);
}
END_TEST

static void
fail_each(enum fault fault)
{
	const struct paths *const paths = list_paths();
	struct failing failing = { .kind = fault, .harmless = FAULT_CLOSE };

	do {
		failing_arm(&failing);
		if (failing_reported(&failing, dmtrace_join_pieces(op,
		    paths->items,
		    paths->count, &out, DMTRACE_SYNC, NULL)))
			ck_assert_uint_eq(file_count("."), 2);
		else
			assert_whole();
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
}

START_TEST(whatever_fails_leaves_all_or_nothing)
{
	fail_each(all_faults[_i]);
	remove_paths();
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_THREAD, 0,
	    0), DMTRACE_OK);
	fail_each(all_faults[_i]);
}
END_TEST

START_TEST(a_pair_comes_back_where_it_is_asked_for)
{
	const struct dmtrace_file pair = { .path = _i == 0 ? "o.key" :
	    "o.data" };
	const struct paths *const paths = list_paths();
	size_t key_len, data_len, len;

	ck_assert_int_eq(dmtrace_join_pieces(op, paths->items, paths->count,
	    &pair, DMTRACE_NO_REPLACE, NULL), DMTRACE_OK);
	char *const key = file_get("o.key", &key_len);
	char *const data = file_get("o.data", &data_len);
	char *const whole = file_get("x.trace", &len);
	ck_assert_int_eq(memcmp(data, "SLOW", 4), 0);
	ck_assert_uint_eq(key_len + data_len, len);
	ck_assert_int_eq(memcmp(whole, key, key_len), 0);
	ck_assert_int_eq(memcmp(whole + key_len, data, data_len), 0);
	free(whole);
	free(data);
	free(key);
}
END_TEST

START_TEST(a_progress_that_cancels_leaves_no_output)
{
	unsigned calls = 2;

	dmtrace_op_set_progress(op, cancel_after, &calls);
	ck_assert_int_eq(rejoin_paths(NULL, 0), DMTRACE_ERR_CANCELLED);
	ck_assert_uint_eq(file_count("."), 2);
}
END_TEST

START_TEST(no_pieces_are_no_trace)
{
	ck_assert_int_eq(dmtrace_join_pieces(op, NULL, 0, &out, 0, NULL),
	    DMTRACE_ERR_TRUNCATED);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("rejoin");
	TCase *const tcase = unit_tcase(suite, "rejoin");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, begin, op_end);
	tcase_add_test(tcase, a_missing_piece_is_named);
	tcase_add_test(tcase, a_repeated_piece_is_refused);
	tcase_add_test(tcase, a_piece_of_another_trace_is_refused);
	tcase_add_test(tcase, a_piece_of_another_split_is_refused);
	tcase_add_test(tcase, a_file_that_is_not_a_piece_is_refused);
	tcase_add_loop_test(tcase, every_prefix_of_a_piece_is_refused, 0, 2);
	tcase_add_test(tcase, every_changed_byte_ends_in_a_status);
	ADD_CASES(tcase, whatever_fails_leaves_all_or_nothing, all_faults);
	tcase_add_loop_test(tcase, a_pair_comes_back_where_it_is_asked_for,
	    0, 2);
	tcase_add_test(tcase, a_progress_that_cancels_leaves_no_output);
	tcase_add_test(tcase, no_pieces_are_no_trace);
	return unit_main(suite);
}
