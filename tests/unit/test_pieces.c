/* test_pieces.c - a trace split into pieces, and every possible failure */

#include <dmtrace.h>
#include <errno.h>
#include <stdbool.h>

#include <sys/resource.h>

#include "helpers/cancel.h"
#include "helpers/failing.h"
#include "helpers/op.h"
#include "helpers/pieces.h"
#include "helpers/unit.h"

static void
put_trace(uint64_t records, uint32_t threads, unsigned version)
{
	size_t len;
	uint8_t *const bytes = make_trace(1, dmt_layout_find(version,
	    version == 3 ? DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_WALL), records,
	    threads, &len);

	file_put("x.trace", bytes, len);
	free(bytes);
}

/* The pieces lead back to the trace. */
static void
check_back(void)
{
	size_t len;
	int exact = 0;
	void *const bytes = file_get("x.trace", &len);

	ck_assert_int_eq(rejoin_paths(&exact, 0), DMTRACE_OK);
	ck_assert_int_eq(exact, 1);
	assert_file("out", bytes, len);
	free(bytes);
}

static const struct {
	const char *label;
	enum dmtrace_pieces_by by;
	uint64_t amount;
} ways[] = {
	{ "thread",  DMTRACE_PIECES_THREAD,  0      },
	{ "time",    DMTRACE_PIECES_TIME,    900000 },
	{ "records", DMTRACE_PIECES_RECORDS, 150    },
	{ "size",    DMTRACE_PIECES_SIZE,    5000   },
};

enum { FAULTS = ROWS(all_faults) };

START_TEST(whatever_fails_leaves_all_or_nothing)
{
	const int way = _i / FAULTS;
	struct failing failing = {
		.kind = all_faults[_i % FAULTS], .harmless = FAULT_CLOSE
	};

	put_trace(400, 3, 3);
	do {
		failing_arm(&failing);
		if (failing_reported(&failing, split_path("x.trace",
		    ways[way].by, ways[way].amount, DMTRACE_SYNC))) {
			ck_assert_uint_eq(file_count("p"), 0);
		} else {
			check_back();
			remove_paths();
		}
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
}
END_TEST

/* Descriptors go from one piece to another. Some records of threads have the
 * same time, so that they may change places. */
START_TEST(makes_more_pieces_than_it_may_open)
{
	struct rlimit limit, few;
	size_t before, after;
	int exact;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	put_trace(60000, 200, 2);
	few = limit;
	few.rlim_cur = 20;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_THREAD, 0,
	    DMTRACE_NO_REPLACE), DMTRACE_OK);
	ck_assert_uint_eq(file_count("p"), 200);
	ck_assert_int_eq(rejoin_paths(&exact, 0), DMTRACE_OK);
	ck_assert_int_eq(exact, 0);
	free(file_get("x.trace", &before));
	free(file_get("out", &after));
	ck_assert_uint_eq(before, after);
	setrlimit(RLIMIT_NOFILE, &limit);
}
END_TEST

START_TEST(no_piece_takes_the_name_of_a_file)
{
	put_trace(400, 3, 3);
	mkdir("p", 0777);
	file_put("p/0003.trace", "old", 3);
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_RECORDS,
	    150, DMTRACE_NO_REPLACE), DMTRACE_ERR_IO);
	ck_assert_int_eq(dmtrace_op_error(op)->sys_errno, EEXIST);
	ck_assert_uint_eq(file_count("p"), 1);
	assert_file("p/0003.trace", "old", 3);
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_RECORDS,
	    150, 0), DMTRACE_OK);
	check_back();
}
END_TEST

START_TEST(a_progress_that_cancels_leaves_no_piece)
{
	unsigned calls = 2;

	put_trace(60000, 3, 3);
	dmtrace_op_set_progress(op, cancel_after, &calls);
	ck_assert_int_eq(split_path("x.trace", ways[_i].by,
	    ways[_i].amount * 1000, 0), DMTRACE_ERR_CANCELLED);
	ck_assert_uint_eq(calls, 0);
	ck_assert_uint_eq(file_count("p"), 0);
}
END_TEST

START_TEST(a_reader_must_be_open_and_new)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_pieces_options options = { 0 };
	struct dmtrace_event event;
	uint64_t count = 7;

	ck_assert_int_eq(dmtrace_split_pieces(op, reader, &options, &count),
	    DMTRACE_ERR_STATE);
	put_trace(400, 3, 3);
	dmtrace_reader_open_path(reader, "x.trace");
	dmtrace_reader_next(reader, &event);
	ck_assert_int_eq(dmtrace_split_pieces(op, reader, &options, &count),
	    DMTRACE_ERR_STATE);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(a_piece_of_nothing_is_refused)
{
	put_trace(400, 3, 3);
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_TIME, 0,
	    0), DMTRACE_ERR_RANGE);
	ck_assert_uint_eq(file_count("p"), 0);
}
END_TEST

/* The first piece of a piece has what that opened among its own. */
START_TEST(pieces_can_be_split_again)
{
	size_t len;

	put_trace(400, 3, 3);
	ck_assert_int_eq(split_path("x.trace", DMTRACE_PIECES_RECORDS,
	    150, 0), DMTRACE_OK);
	ck_assert_int_eq(rename("p/0002.trace", "x.trace"), 0);
	remove_paths();
	ck_assert_int_eq(split_path("x.trace", ways[_i].by,
	    ways[_i].by == DMTRACE_PIECES_RECORDS ? 7 : ways[_i].amount, 0),
	    DMTRACE_OK);
	check_back();
	void *const bytes = file_get("x.trace", &len);
	ck_assert(len > 0);
	free(bytes);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("pieces");
	TCase *const tcase = unit_tcase(suite, "pieces");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, op_begin, op_end);
	tcase_add_loop_test(tcase, whatever_fails_leaves_all_or_nothing, 0,
	    (int)ROWS(ways) * FAULTS);
	tcase_add_test(tcase, makes_more_pieces_than_it_may_open);
	tcase_add_test(tcase, no_piece_takes_the_name_of_a_file);
	ADD_CASES(tcase, a_progress_that_cancels_leaves_no_piece, ways);
	tcase_add_test(tcase, a_reader_must_be_open_and_new);
	tcase_add_test(tcase, a_piece_of_nothing_is_refused);
	ADD_CASES(tcase, pieces_can_be_split_again, ways);
	return unit_main(suite);
}
