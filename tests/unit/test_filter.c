/* test_filter.c - small traces filtered, byte for byte */

#include "helpers/asks.h"
#include "helpers/cancel.h"
#include "helpers/failing.h"
#include "helpers/traces.h"

#define REST "dmtrace-x=y\nodd\n"
#define MAIN "1\tmain\n"
#define WORKER "2\tworker\n"
#define IDLE "9\tidle\n"
#define A "0x4\tp/A\ta\t()V\n"
#define B "0x8\tp/A\tb\t(I)V\n"
#define C "0xc\tq/B\tc\t()V\n"
#define NEVER "0x10\tq/B\tnever\t()V\n"
#define WHOLE(count, more, threads, methods, records) \
	"*version\n2\nclock=wall\nnum-method-calls=" count "\n" REST more \
	"*threads\n" threads "\n*methods\n" methods "*end\n" \
	"\r\n" HEADER_2 records "\xee"
#define SOME(count, threads, methods, records) \
	WHOLE(count, "", threads, methods, records)
#define CUT(count, opened, closed, threads, methods, records) \
	WHOLE(count, "dmtrace-opened=" opened "\ndmtrace-closed=" closed "\n", \
	    threads, methods, records)

/* Thread, method and action, time. */
#define M "\1\0"
#define W "\2\0"
#define ENTER_A "\4\0\0\0"
#define LEAVE_A "\5\0\0\0"
#define ENTER_B "\x8\0\0\0"
#define LEAVE_B "\x9\0\0\0"
#define UNROLL_B "\xa\0\0\0"
#define ENTER_C "\xc\0\0\0"
#define LEAVE_C "\xd\0\0\0"
#define AT(us) us "\0\0\0"

#define R1 M ENTER_A AT("\x0a")		/* 10 us */
#define R2 W ENTER_B AT("\x0c")		/* 12 */
#define R3 M ENTER_B AT("\x14")		/* 20 */
#define R4 M UNROLL_B AT("\x1e")	/* 30 */
#define R5 W LEAVE_B AT("\x21")		/* 33 */
#define R6 M ENTER_C AT("\x28")		/* 40 */
#define R7 M LEAVE_C AT("\x32")		/* 50 */
#define R8 M LEAVE_A AT("\x3c")		/* 60 */
#define ALL_KEY(count) count, MAIN WORKER IDLE, A B C NEVER

static const char input[] = SOME("8", MAIN WORKER IDLE, A B C NEVER,
    R1 R2 R3 R4 R5 R6 R7 R8);

#define ROW(label, asked, bytes) \
	{ label, asked, bytes, sizeof(bytes) - 1 }
#define ASK(...) { __VA_ARGS__ }

static const struct {
	const char *label;
	struct ask ask;
	const char *bytes;
	size_t len;
} rows[] = {
	ROW("no condition", ASK(.raw = 1), SOME("8", MAIN WORKER IDLE,
	    A B C NEVER, R1 R2 R3 R4 R5 R6 R7 R8)),
	ROW("a thread", ASK(.threads = { "main" }), SOME("6", MAIN, A B C,
	    R1 R3 R4 R6 R7 R8)),
	ROW("a thread, all rows", ASK(.threads = { "2" }, .keep_tables = 1),
	    SOME("2", MAIN WORKER IDLE, A B C NEVER, R2 R5)),
	ROW("everything but a thread", ASK(.threads = { "1" }, .invert = 1),
	    SOME("2", WORKER, B, R2 R5)),
	ROW("a method", ASK(.methods = { "p.A.b" }), SOME("4", MAIN WORKER, B,
	    R2 R3 R4 R5)),
	ROW("a method, all rows", ASK(.methods = { "q.B.?" },
	    .keep_tables = 1), SOME("2", MAIN WORKER IDLE, A B C NEVER,
	    R6 R7)),
	ROW("a slash before the name of no method", ASK(.hide = "p/A/*"),
	    SOME("8", MAIN WORKER, A B C,
	    R1 R2 R3 R4 R5 R6 R7 R8)),
	ROW("two hidden methods", ASK(.hide = "/^p/"), SOME("2", MAIN, C,
	    R6 R7)),
	ROW("a depth", ASK(.first = 2, .last = 9), SOME("4", MAIN, B C,
	    R3 R4 R6 R7)),
	ROW("a duration", ASK(.min = 20 * US), SOME("4", MAIN WORKER, A B,
	    R1 R2 R5 R8)),
	ROW("a duration, all rows", ASK(.min = 50 * US, .keep_tables = 1),
	    SOME("2", MAIN WORKER IDLE, A B C NEVER, R1 R8)),
	ROW("a subtree", ASK(.under = "p.A.a"), SOME("6", MAIN, A B C,
	    R1 R3 R4 R6 R7 R8)),
	ROW("a raw window", ASK(.from = 20 * US, .to = 50 * US, .raw = 1),
	    SOME("4", MAIN WORKER, B C, R3 R4 R5 R6)),
	ROW("everything but a raw window", ASK(.from = 20 * US, .to = 50 * US,
	    .raw = 1, .invert = 1), SOME("4", MAIN WORKER, A B C,
	    R1 R2 R7 R8)),
	ROW("a window", ASK(.from = 25 * US, .to = 45 * US),
	    CUT("8", "3", "2", MAIN WORKER, A B C,
	    M ENTER_A AT("\x19") M ENTER_B AT("\x19") W ENTER_B AT("\x19")
	    R4 R5 R6
	    M LEAVE_C AT("\x2d") M LEAVE_A AT("\x2d"))),
	ROW("a window between two records", ASK(.from = 34 * US,
	    .to = 36 * US), CUT("2", "1", "1", MAIN, A,
	    M ENTER_A AT("\x22") M LEAVE_A AT("\x24"))),
	ROW("a window with an open end", ASK(.from = 55 * US,
	    .to = UINT64_MAX), WHOLE("2", "dmtrace-opened=1\n", MAIN, A,
	    M ENTER_A AT("\x37") R8)),
	ROW("a window of a method", ASK(.from = 25 * US, .to = 45 * US,
	    .methods = { "*.b" }), WHOLE("4", "dmtrace-opened=2\n",
	    MAIN WORKER, B, M ENTER_B AT("\x19") W ENTER_B AT("\x19")
	    R4 R5)),
	ROW("a window, all rows", ASK(.from = 34 * US, .to = 36 * US,
	    .keep_tables = 1), CUT("2", "1", "1", MAIN WORKER IDLE,
	    A B C NEVER, M ENTER_A AT("\x22") M LEAVE_A AT("\x24"))),
	ROW("all of it at once", ASK(.threads = { "main", "worker" },
	    .methods = { "p/*" }, .under = "*.a", .first = 1, .last = 2,
	    .min = 10 * US, .from = 15 * US, .to = 35 * US, .hide = "*.c"),
	    CUT("4", "1", "1", MAIN, A B, M ENTER_A AT("\x0f") R3 R4
	    M LEAVE_A AT("\x23"))),
};

static void
assert_bytes(const char *label, const struct whole *out, const char *bytes,
    size_t len)
{
	size_t i = 0;

	while (i < len && i < out->len && out->bytes[i] == (uint8_t)bytes[i])
		i++;
	ck_assert_msg(i == len && i == out->len,
	    "%s: byte %zu of %zu, not %zu\n%.200s", label, i, out->len, len,
	    (const char *)out->bytes);
}

START_TEST(leaves_these_bytes)
{
	static const size_t pieces[] = { 0, 1, 7, 4096 };
	struct whole out;

	for (size_t i = 0; i < ROWS(pieces); i++) {
		ck_assert_int_eq(filter_bytes(input, sizeof(input) - 1,
		    pieces[i], &rows[_i].ask, &out), DMTRACE_OK);
		assert_bytes(rows[_i].label, &out, rows[_i].bytes,
		    rows[_i].len);
		free(out.bytes);
	}
}
END_TEST

/* An option line about added records stays true. */
START_TEST(keeps_count_of_added_records)
{
	static const char cut[] = CUT("8", "3", "2", MAIN WORKER, A B C,
	    M ENTER_A AT("\x19") M ENTER_B AT("\x19") W ENTER_B AT("\x19")
	    R4 R5 R6 M LEAVE_C AT("\x2d") M LEAVE_A AT("\x2d"));
	static const char worker[] = CUT("2", "1", "0", WORKER, B,
	    W ENTER_B AT("\x19") R5);
	static const char method_a[] = CUT("2", "1", "1", MAIN, A,
	    M ENTER_A AT("\x19") M LEAVE_A AT("\x2d"));
	static const struct ask one = { .threads = { "2" } };
	static const struct ask a = { .methods = { "p.A.a" } };
	struct whole out;

	for (size_t piece = 0; piece < 3; piece++) {
		ck_assert_int_eq(filter_bytes(cut, sizeof(cut) - 1, piece,
		    &one, &out), DMTRACE_OK);
		assert_bytes("a thread", &out, worker, sizeof(worker) - 1);
		free(out.bytes);
		ck_assert_int_eq(filter_bytes(cut, sizeof(cut) - 1, piece,
		    &a, &out), DMTRACE_OK);
		assert_bytes("a method", &out, method_a,
		    sizeof(method_a) - 1);
		free(out.bytes);
	}
}
END_TEST

static const struct {
	const char *label;
	struct ask ask;
	enum dmtrace_status status;
} fruitless[] = {
	{ "a thread without records", { .threads = { "idle" } },
	    DMTRACE_END },
	{ "a method that is not called", { .methods = { "*.never" } },
	    DMTRACE_END },
	{ "too deep", { .first = 3, .last = 4 }, DMTRACE_END },
	{ "too long", { .min = 51 * US }, DMTRACE_END },
	{ "too late", { .from = 61 * US, .to = 99 * US }, DMTRACE_END },
	{ "everything but everything", { .invert = 1 }, DMTRACE_END },
	{ "a number that is nowhere", { .threads = { "3" } },
	    DMTRACE_ERR_RANGE },
	{ "and one that is", { .threads = { "1", "3" } },
	    DMTRACE_ERR_RANGE },
	{ "with another condition", { .threads = { "1", "3" },
	    .first = 1, .last = 1 }, DMTRACE_ERR_RANGE },
};

START_TEST(leaves_nothing)
{
	static const char empty[] = SOME("0", "", "", "");
	struct ask asked = fruitless[_i].ask;
	struct whole out;

	ck_assert_int_eq(filter_bytes(input, sizeof(input) - 1, 0, &asked,
	    &out), fruitless[_i].status);
	ck_assert_ptr_null(out.bytes);
	asked.allow_empty = 1;
	ck_assert_int_eq(filter_bytes(input, sizeof(input) - 1, 5, &asked,
	    &out), fruitless[_i].status);
	if (out.bytes != NULL)
		assert_bytes(fruitless[_i].label, &out, empty,
		    sizeof(empty) - 1);
	ck_assert((out.bytes != NULL) ==
	    (fruitless[_i].status == DMTRACE_END));
	free(out.bytes);
}
END_TEST

static const struct ask failed[] = {
	{ .threads = { "main" } },
	{ .methods = { "*.b" }, .first = 1, .last = 3 },
	{ .from = 25 * US, .to = 45 * US, .min = 5 * US }
};

/* From memory and from a pipe, in turn. */
START_TEST(survives_a_failing_allocation)
{
	struct failing failing = { .kind = FAULT_ALLOC };
	struct whole out;

	do {
		failing_arm(&failing);
		failing_reported(&failing, filter_bytes(input,
		    sizeof(input) - 1,
		    failing.nth % 2 * 9, &failed[_i], &out));
		free(out.bytes);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
}
END_TEST

static const enum fault faults[] = { FAULT_READ, FAULT_WRITE };

/* The temporary that a pipe goes to. */
START_TEST(reports_a_failing_read_or_write)
{
	static const struct ask asked = { .from = 25 * US, .to = 45 * US };
	struct failing failing = { .kind = faults[_i] };
	struct whole out;

	do {
		failing_arm(&failing);
		failing_reported(&failing, filter_bytes(input,
		    sizeof(input) - 1,
		    9, &asked, &out));
		free(out.bytes);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
}
END_TEST

/* Every prefix that opens, filtered, opens again and has no tail more. */
START_TEST(takes_every_prefix)
{
	struct whole out;

	for (size_t len = 0; len < sizeof(input); len++)
		for (size_t i = 0; i < ROWS(rows); i++) {
			const enum dmtrace_status status = filter_bytes(input,
			    len, i % 3, &rows[i].ask, &out);
			struct dmtrace_reader *const reader =
			    dmtrace_reader_new();

			if (out.bytes != NULL) {
				ck_assert_int_eq(status, DMTRACE_OK);
				ck_assert_int_eq(dmtrace_reader_open_memory(
				    reader, out.bytes, out.len), DMTRACE_OK);
			}
			dmtrace_reader_free(reader);
			free(out.bytes);
		}
}
END_TEST

/* Any byte of the key and the records, changed. */
START_TEST(takes_every_changed_byte)
{
	char bytes[sizeof(input)];
	struct whole out;

	for (size_t at = 0; at + 1 < sizeof(input); at++) {
		memcpy(bytes, input, sizeof(input));
		bytes[at] ^= (char)(at % 2 == 0 ? 0xff : 0x10);
		for (size_t i = 0; i < ROWS(rows); i++) {
			filter_bytes(bytes, sizeof(input) - 1, 0,
			    &rows[i].ask, &out);
			free(out.bytes);
		}
	}
}
END_TEST

START_TEST(can_be_cancelled)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmt_filter_options options = { 0 };
	unsigned calls = 1;

	dmtrace_op_set_progress(op, cancel_after, &calls);
	dmtrace_reader_open_memory(reader, input, sizeof(input) - 1);
	dmtrace_writer_set_like(writer, reader);
	dmtrace_writer_open_memory(writer);
	ck_assert_int_eq(dmt_filter(op, reader, writer, &options),
	    DMTRACE_ERR_CANCELLED);
	ck_assert_uint_eq(calls, 0);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	dmtrace_op_free(op);
}
END_TEST

START_TEST(wants_a_writer_like_the_reader)
{
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmt_filter_options options = { 0 };

	dmtrace_reader_open_memory(reader, input, sizeof(input) - 1);
	dmtrace_writer_open_memory(writer);
	ck_assert_int_eq(dmt_filter(op, reader, writer, &options),
	    DMTRACE_ERR_STATE);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	dmtrace_op_free(op);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("filter");
	TCase *tcase = unit_tcase(suite, "filter");

	tcase_set_timeout(tcase, 120);
	ADD_CASES(tcase, leaves_these_bytes, rows);
	tcase_add_test(tcase, keeps_count_of_added_records);
	ADD_CASES(tcase, leaves_nothing, fruitless);
	ADD_CASES(tcase, survives_a_failing_allocation, failed);
	ADD_CASES(tcase, reports_a_failing_read_or_write, faults);
	tcase_add_test(tcase, takes_every_prefix);
	tcase_add_test(tcase, takes_every_changed_byte);
	tcase_add_test(tcase, can_be_cancelled);
	tcase_add_test(tcase, wants_a_writer_like_the_reader);
	return unit_main(suite);
}
