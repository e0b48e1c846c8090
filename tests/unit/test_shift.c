/* test_shift.c - times moved and scaled, and failures on the way */

#include "helpers/changes.h"

#include "helpers/cancel.h"
#include "helpers/drip.h"
#include "helpers/failing.h"
#include "helpers/op.h"
#include "helpers/unit.h"

#define KEY(version, options) "*version\n" version "\n" options \
	"*threads\n1\tmain\n*methods\n0x4\tA\tm\t()V\n*end\n"
#define START "\1\2\3\4\5\6\7\0"
#define REST "\0\0\0\0\0\0\0\0"
#define WALL KEY("2", "clock=wall\n") "SLOW\2\0\x20\0" START REST REST
#define CPU KEY("2", "clock=thread-cpu\n") "SLOW\2\0\x20\0" START REST REST
#define DUAL KEY("3", "clock=dual\n") "SLOW\3\0\x20\0" START \
	"\x0e\0\0\0\0\0\0\0" REST

/* A thread, and times of which three or four bytes are given. */
#define R(thread, time) thread "\0\4\0\0\0" time
#define D(thread, cpu, wall) thread "\0\5\0\0\0" cpu wall

#define ROW(label, by, up, down, zero, front, in, out) \
	{ label, { zero, up, down, by }, front in, sizeof(front in) - 1, \
	front out, sizeof(front out) - 1 }

static const struct {
	const char *label;
	struct dmtrace_shift_options options;
	const char *in;
	size_t in_len;
	const char *out;
	size_t out_len;
} small[] = {
	ROW("nothing", 0, 0, 0, 0, WALL, R("\1", "\1\2\3\4") "tail",
	    R("\1", "\1\2\3\4") "tail"),
	ROW("no record", 5000, 3, 2, 1, WALL, "", ""),
	ROW("later", 255000, 1, 1, 0, WALL,
	    R("\1", "\1\2\3\4") R("\2", "\0\2\3\4"),
	    R("\1", "\0\3\3\4") R("\2", "\xff\2\3\4")),
	ROW("earlier, to 0", -513000, 1, 1, 0, WALL,
	    R("\1", "\1\2\0\0") R("\1", "\2\3\0\0"),
	    R("\1", "\0\0\0\0") R("\1", "\1\1\0\0")),
	ROW("up to the last that fits", 1000, 1, 1, 0, WALL,
	    R("\1", "\xfe\xff\xff\xff"), R("\1", "\xff\xff\xff\xff")),
	ROW("both clocks", 2000, 1, 1, 0, DUAL,
	    D("\1", "\1\2\3\4", "\5\6\7\x08"), D("\1", "\3\2\3\4",
	    "\7\6\7\x08")),
	ROW("three times as long", 0, 3, 1, 0, WALL,
	    R("\1", "\1\2\0\0") R("\1", "\2\2\0\0"),
	    R("\1", "\3\6\0\0") R("\1", "\6\6\0\0")),
	ROW("a third, cut", 0, 1, 3, 0, WALL,
	    R("\1", "\5\0\0\0") R("\1", "\6\0\0\0"),
	    R("\1", "\1\0\0\0") R("\1", "\2\0\0\0")),
	ROW("a scale that is none", 0, 1000000000, 1000000000, 0, WALL,
	    R("\1", "\xff\xff\xff\xff"), R("\1", "\xff\xff\xff\xff")),
	ROW("nearly none", 0, 999999999, 1000000000, 0, WALL,
	    R("\1", "\xff\xff\xff\xff"), R("\1", "\xfa\xff\xff\xff")),
	ROW("from zero: the least of all threads", 0, 1, 1, 1, WALL,
	    R("\1", "\7\1\0\0") R("\2", "\5\1\0\0") R("\1", "\x08\1\0\0"),
	    R("\1", "\2\0\0\0") R("\2", "\0\0\0\0") R("\1", "\3\0\0\0")),
	ROW("from zero: each thread's where they share no clock",
	    0, 1, 1, 1, CPU,
	    R("\1", "\7\1\0\0") R("\2", "\5\1\0\0") R("\1", "\x08\1\0\0"),
	    R("\1", "\0\0\0\0") R("\2", "\0\0\0\0") R("\1", "\1\0\0\0")),
	ROW("from zero: each clock as it is", 0, 1, 1, 1, DUAL,
	    D("\1", "\7\0\0\0", "\5\1\0\0") D("\2", "\3\0\0\0", "\6\1\0\0"),
	    D("\1", "\0\0\0\0", "\0\0\0\0") D("\2", "\0\0\0\0",
	    "\1\0\0\0")),
	ROW("zero, then scale, then by", 10000, 2, 1, 1, WALL,
	    R("\1", "\5\1\0\0") R("\1", "\x08\1\0\0"),
	    R("\1", "\x0a\0\0\0") R("\1", "\x10\0\0\0")),
	ROW("a time that wrapped is a late one", -4294967295000, 1, 1, 0,
	    WALL, R("\1", "\xff\xff\xff\xff") R("\1", "\3\0\0\0"),
	    R("\1", "\0\0\0\0") R("\1", "\4\0\0\0")),
	ROW("a wrap stays where no time changes", 0, 2, 2, 0, WALL,
	    R("\1", "\xff\xff\xff\xff") R("\1", "\3\0\0\0"),
	    R("\1", "\xff\xff\xff\xff") R("\1", "\3\0\0\0")),
	ROW("a step back stays one", 1000, 1, 1, 1, WALL,
	    R("\1", "\5\0\0\0") R("\1", "\4\0\0\0"),
	    R("\1", "\2\0\0\0") R("\1", "\1\0\0\0")),
};

/* Shifts what the reader has open to memory. */
static enum dmtrace_status
shift(struct dmtrace_reader *reader,
    const struct dmtrace_shift_options *options, struct made *out)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	ck_assert_int_eq(dmtrace_writer_set_like(writer, reader), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	const enum dmtrace_status status =
	    dmtrace_shift(op, reader, writer, options);
	if (status == DMTRACE_OK) {
		ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
		*out = made_copy(writer);
	}
	dmtrace_writer_free(writer);
	return status;
}

static void
assert_shifted(struct dmtrace_reader *reader, int row)
{
	const struct dmtrace_shift_options options = small[row].options;
	struct made out;

	ck_assert_int_eq(shift(reader, &options, &out), DMTRACE_OK);
	ck_assert_uint_eq(out.len, small[row].out_len);
	ck_assert_int_eq(memcmp(out.bytes, small[row].out, out.len), 0);
	free(out.bytes);
	dmtrace_reader_free(reader);
}

START_TEST(makes_these_bytes)
{
	assert_shifted(made_open(small[_i].in, small[_i].in_len), _i);
}
END_TEST

START_TEST(a_pipe_comes_out_the_same)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct drip drip = { small[_i].in, small[_i].in_len, 7 };

	ck_assert_int_eq(dmtrace_reader_open_input(reader,
	    &(struct dmtrace_input){ drip_read, &drip }), DMTRACE_OK);
	assert_shifted(reader, _i);
}
END_TEST

START_TEST(a_new_start_changes_eight_bytes)
{
	static const char in[] = WALL R("\1", "\1\2\3\4");
	struct dmtrace_reader *const reader = made_open(in, sizeof(in) - 1);
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_shift_options options = { 0 };
	char expected[sizeof(in)];

	memcpy(expected, in, sizeof(in));
	memcpy(strstr(expected, "SLOW") + 8,
	    "\x88\x77\x66\x55\x44\x33\x22\x11", 8);
	ck_assert_int_eq(dmtrace_writer_set_like(writer, reader), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_set_start(writer,
	    UINT64_C(0x1122334455667788)), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_shift(op, reader, writer, &options),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	struct made out = made_copy(writer);

	ck_assert_uint_eq(out.len, sizeof(in) - 1);
	ck_assert_int_eq(memcmp(out.bytes, expected, out.len), 0);
	free(out.bytes);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}
END_TEST

#define FRONT_LEN (sizeof(WALL) - 1)
#define BAD(label, by, up, down, zero, in, at, message) \
	{ label, { zero, up, down, by }, WALL in, sizeof(WALL in) - 1, \
	at, message }

static const struct {
	const char *label;
	struct dmtrace_shift_options options;
	const char *in;
	size_t in_len;
	uint64_t at;			/* 0: no place */
	const char *message;
} unfit[] = {
	BAD("below 0", -4000, 1, 1, 0,
	    R("\1", "\4\0\0\0") R("\1", "\3\0\0\0"), FRONT_LEN + 10,
	    "time 3 us;"),
	BAD("beyond 2^32", 1000, 1, 1, 0, R("\1", "\xff\xff\xff\xff"),
	    FRONT_LEN, "time 4294967295 us;"),
	BAD("in the second pass", 1, 1000000000, 1, 1,
	    R("\1", "\4\0\0\0") R("\1", "\x0f\0\0\0"), 0,
	    "by 1 ns: times are whole microseconds"),
	BAD("scaled, in the second pass", 0, 1000000000, 1, 1,
	    R("\1", "\4\0\0\0") R("\1", "\x0f\0\0\0"), FRONT_LEN + 10,
	    "time 15 us;"),
	BAD("a wrap that stays", -1000, 2, 2, 0,
	    R("\1", "\xff\xff\xff\xff") R("\1", "\3\0\0\0"), FRONT_LEN + 10,
	    "time 4294967299 us;"),
	BAD("by the least there is", INT64_MIN + 808, 1, 1, 0,
	    R("\1", "\4\0\0\0"), FRONT_LEN, "time 4 us;"),
	BAD("scale too large", 0, 1000000001, 1, 0, "", 0,
	    "scale 1000000001/1"),
	BAD("scale too fine", 0, 1, 1000000001, 0, "", 0,
	    "scale 1/1000000001"),
};

START_TEST(refuses_what_does_not_fit)
{
	const struct dmtrace_shift_options options = unfit[_i].options;
	struct dmtrace_reader *const reader =
	    made_open(unfit[_i].in, unfit[_i].in_len);
	const struct dmtrace_error *const error = dmtrace_op_error(op);
	struct made out;

	ck_assert_int_eq(shift(reader, &options, &out), DMTRACE_ERR_RANGE);
	ck_assert_int_eq(error->place, unfit[_i].at == 0 ?
	    DMTRACE_PLACE_NONE : DMTRACE_PLACE_OFFSET);
	ck_assert_uint_eq(error->at, unfit[_i].at);
	ck_assert_msg(strstr(error->message, unfit[_i].message) != NULL, "%s",
	    error->message);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(there_and_back_is_the_same)
{
	static const struct dmtrace_shift_options ways[][2] = {
		{ { 0, 1, 1, 7000000 }, { 0, 1, 1, -7000000 } },
		{ { 0, 7, 1, 0 }, { 0, 1, 7, 0 } },
	};
	const unsigned version = 1 + (unsigned)_i % 3;

	for (size_t way = 0; way < ROWS(ways); way++) {
		const struct made made = made_generate(version,
		    version == 3 ? DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_WALL,
		    (uint64_t)_i + 1, 60000, 5);
		const struct dmtrace_shift_options there = ways[way][0];
		const struct dmtrace_shift_options back = ways[way][1];
		struct dmtrace_reader *reader =
		    made_open(made.bytes, made.len);
		struct made away, again;

		ck_assert_int_eq(shift(reader, &there, &away), DMTRACE_OK);
		dmtrace_reader_free(reader);
		ck_assert_int_ne(memcmp(away.bytes, made.bytes, made.len), 0);
		reader = made_open(away.bytes, away.len);
		ck_assert_int_eq(shift(reader, &back, &again), DMTRACE_OK);
		dmtrace_reader_free(reader);
		ck_assert_uint_eq(again.len, made.len);
		ck_assert_int_eq(memcmp(again.bytes, made.bytes, made.len), 0);
		free(again.bytes);
		free(away.bytes);
		free(made.bytes);
	}
}
END_TEST

static enum dmtrace_status
shift_file(int to_zero)
{
	struct dmtrace_shift_options options = { 0 };
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	options.to_zero = to_zero;
	options.by_ns = 1000;
	if (reader != NULL && writer != NULL)
		status = dmtrace_reader_open_path(reader, "in");
	if (status == DMTRACE_OK)
		status = dmtrace_writer_set_like(writer, reader);
	if (status == DMTRACE_OK)
		status = dmtrace_writer_open_path(writer, "out");
	if (status == DMTRACE_OK)
		status = dmtrace_shift(op, reader, writer, &options);
	if (status == DMTRACE_OK)
		status = dmtrace_writer_close(writer);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	return status;
}

static const enum fault faults[] = {
	FAULT_ALLOC, FAULT_READ, FAULT_WRITE, FAULT_CLOSE, FAULT_NAME
};

static void
fail_each(enum fault fault, int to_zero)
{
	struct failing failing = { .kind = fault, .harmless = FAULT_CLOSE };

	do {
		failing_arm(&failing);
		if (failing_reported(&failing, shift_file(to_zero)))
			ck_assert_uint_eq(file_count("."), 1);
		else
			unlink("out");
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
}

START_TEST(whatever_fails_leaves_all_or_nothing)
{
	const struct made made = made_generate(2, DMTRACE_CLOCK_WALL, 1,
	    60000, 5);

	file_put("in", made.bytes, made.len);
	fail_each(faults[_i], 0);
	fail_each(faults[_i], 1);
	free(made.bytes);
}
END_TEST

START_TEST(progress_can_cancel_anywhere)
{
	const struct made made = made_generate(2, DMTRACE_CLOCK_WALL, 1,
	    60000, 5);
	enum dmtrace_status status = DMTRACE_ERR_CANCELLED;
	unsigned first;

	file_put("in", made.bytes, made.len);
	for (first = 1; status != DMTRACE_OK; first++) {
		unsigned calls = first;

		dmtrace_op_set_progress(op, cancel_after, &calls);
		status = shift_file(1);
		if (status != DMTRACE_OK) {
			ck_assert_int_eq(status, DMTRACE_ERR_CANCELLED);
			ck_assert_uint_eq(file_count("."), 1);
		}
	}
	ck_assert_uint_gt(first, 4);
	free(made.bytes);
}
END_TEST

START_TEST(refuses_calls_out_of_order)
{
	const struct dmtrace_shift_options options = small[0].options;
	struct dmtrace_reader *const reader =
	    made_open(small[0].in, small[0].in_len);
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_event event;

	ck_assert_int_eq(dmtrace_shift(op, reader, writer, &options),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_writer_set_like(writer, reader), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_reader_next(reader, &event), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_shift(op, reader, writer, &options),
	    DMTRACE_ERR_STATE);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("shift");
	TCase *const tcase = unit_tcase(suite, "shift");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, op_begin, op_end);
	ADD_CASES(tcase, makes_these_bytes, small);
	ADD_CASES(tcase, a_pipe_comes_out_the_same, small);
	tcase_add_test(tcase, a_new_start_changes_eight_bytes);
	ADD_CASES(tcase, refuses_what_does_not_fit, unfit);
	tcase_add_loop_test(tcase, there_and_back_is_the_same, 0, 6);
	ADD_CASES(tcase, whatever_fails_leaves_all_or_nothing, faults);
	tcase_add_test(tcase, progress_can_cancel_anywhere);
	tcase_add_test(tcase, refuses_calls_out_of_order);
	return unit_main(suite);
}
