/* test_checksum.c - sums do not depend on order, ids or layout */

#include "helpers/changes.h"

#include "helpers/drip.h"
#include "helpers/failing.h"
#include "helpers/op.h"
#include "helpers/unit.h"
#include "private/ops.h"

static struct dmtrace_checksum_result
sum_reader(struct dmtrace_reader *reader, unsigned clocks)
{
	struct dmtrace_checksum_options options = { 0 };
	struct dmtrace_checksum_result sum;

	options.clocks = clocks;
	ck_assert_int_eq(dmtrace_checksum(op, reader, &options, &sum),
	    DMTRACE_OK);
	dmtrace_reader_free(reader);
	free(sum.threads);		/* their names went with the reader */
	sum.threads = NULL;
	return sum;
}

static struct dmtrace_checksum_result
sum_bytes(const void *bytes, size_t len)
{
	return sum_reader(made_open(bytes, len),
	    DMTRACE_CHECKSUM_CPU | DMTRACE_CHECKSUM_WALL);
}

static bool
is_same(const struct dmtrace_checksum_result *a,
    const struct dmtrace_checksum_result *b)
{
	return a->sum.high == b->sum.high && a->sum.low == b->sum.low &&
	    a->records == b->records;
}

static const struct {
	struct dmtrace_sum a, b, sum;
} additions[] = {
	{ { 1, 2 }, { 3, 4 }, { 4, 6 } },
	{ { 0, UINT64_MAX }, { 0, 1 }, { 1, 0 } },
	{ { 0, UINT64_MAX }, { 0, UINT64_MAX }, { 1, UINT64_MAX - 1 } },
	{ { UINT64_MAX, UINT64_MAX }, { 0, 1 }, { 0, 0 } },
	{ { UINT64_MAX, 5 }, { 2, 6 }, { 1, 11 } },
};

START_TEST(sums_are_numbers_of_128_bits)
{
	struct dmtrace_sum sum = additions[_i].a;

	dmt_sum_add(&sum, &additions[_i].b);
	ck_assert_uint_eq(sum.high, additions[_i].sum.high);
	ck_assert_uint_eq(sum.low, additions[_i].sum.low);
}
END_TEST

#define HEADER(version, size) "SLOW" version "\0\x20\0" \
	"\1\2\3\4\5\6\7\0" size "\0\0\0\0\0\0\0" "\0\0\0\0\0\0\0\0"
#define HEADER_1 HEADER("\1", "\0")
#define HEADER_2 HEADER("\2", "\0")
#define HEADER_3 HEADER("\3", "\x0a")
#define KEY(version, threads, methods) "*version\n" version "\nclock=wall\n" \
	"*threads\n" threads "*methods\n" methods "*end\n"
#define PLAIN KEY("2", "1\tmain\n2\tworker\n", \
	"0x4\ta/B\tm\t()V\n0x8\ta/C\tn\t(I)V\n") HEADER_2 \
	"\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\3\4"
#define ROW(label, bytes) { label, bytes, sizeof(bytes) - 1 }

struct row {
	const char *label;
	const char *bytes;
	size_t len;
};

static const struct row same[] = {
	ROW("in version 1", KEY("1", "1\tmain\n2\tworker\n",
	    "0x4\ta/B\tm\t()V\n0x8\ta/C\tn\t(I)V\n") HEADER_1
	    "\1\4\0\0\0\1\2\3\4" "\2\x09\0\0\0\5\2\3\4"),
	ROW("in version 3", KEY("3", "1\tmain\n2\tworker\n",
	    "0x4\ta/B\tm\t()V\n0x8\ta/C\tn\t(I)V\n") HEADER_3
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\3\4"),
	ROW("other ids", KEY("2", "7\tmain\n9\tworker\n",
	    "0x40\ta/B\tm\t()V\n0x80\ta/C\tn\t(I)V\n") HEADER_2
	    "\7\0\x40\0\0\0\1\2\3\4" "\x09\0\x81\0\0\0\5\2\3\4"),
	ROW("another order", KEY("2", "2\tworker\n1\tmain\n",
	    "0x8\ta/C\tn\t(I)V\n0x4\ta/B\tm\t()V\n") HEADER_2
	    "\2\0\x09\0\0\0\5\2\3\4" "\1\0\4\0\0\0\1\2\3\4"),
	ROW("classes with points", KEY("2", "1\tmain\n2\tworker\n",
	    "0x4\ta.B\tm\t()V\n0x8\ta.C\tn\t(I)V\n") HEADER_2
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\3\4"),
	ROW("files and lines, and rows that do not occur",
	    KEY("2", "1\tmain\n2\tworker\n3\tidle\n",
	    "0xc\tx\ty\t()V\n0x4\ta/B\tm\t()V\tB.java\t7\n"
	    "0x8\ta/C\tn\t(I)V\tC.java\n") HEADER_2
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\3\4"),
	ROW("the first of rows with one id", KEY("2",
	    "1\tmain\n2\tworker\n1\tagain\n",
	    "0x4\ta/B\tm\t()V\n0x8\ta/C\tn\t(I)V\n0x4\tx\ty\t()V\n") HEADER_2
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\3\4"),
	ROW("stray bytes", PLAIN "stray"),
	ROW("a record that was added in front", KEY("2\ndmtrace-opened=1",
	    "1\tmain\n2\tworker\n",
	    "0x4\ta/B\tm\t()V\n0x8\ta/C\tn\t(I)V\n") HEADER_2
	    "\2\0\x08\0\0\0\1\2\3\4"
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\3\4"),
	ROW("records that were added after", KEY("2\ndmtrace-closed=2",
	    "1\tmain\n2\tworker\n",
	    "0x4\ta/B\tm\t()V\n0x8\ta/C\tn\t(I)V\n") HEADER_2
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\3\4"
	    "\1\0\5\0\0\0\6\2\3\4" "\1\0\5\0\0\0\6\2\3\4" "tail"),
};

static const struct row different[] = {
	ROW("a thread's name", KEY("2", "1\tMain\n2\tworker\n",
	    "0x4\ta/B\tm\t()V\n0x8\ta/C\tn\t(I)V\n") HEADER_2
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\3\4"),
	ROW("a thread that is not listed", KEY("2", "2\tworker\n",
	    "0x4\ta/B\tm\t()V\n0x8\ta/C\tn\t(I)V\n") HEADER_2
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\3\4"),
	ROW("a method's signature", KEY("2", "1\tmain\n2\tworker\n",
	    "0x4\ta/B\tm\t()I\n0x8\ta/C\tn\t(I)V\n") HEADER_2
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\3\4"),
	ROW("where its class ends", KEY("2", "1\tmain\n2\tworker\n",
	    "0x4\ta/Bm\t\t()V\n0x8\ta/C\tn\t(I)V\n") HEADER_2
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\3\4"),
	ROW("an action", KEY("2", "1\tmain\n2\tworker\n",
	    "0x4\ta/B\tm\t()V\n0x8\ta/C\tn\t(I)V\n") HEADER_2
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x0a\0\0\0\5\2\3\4"),
	ROW("a time", KEY("2", "1\tmain\n2\tworker\n",
	    "0x4\ta/B\tm\t()V\n0x8\ta/C\tn\t(I)V\n") HEADER_2
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\4\4"),
	ROW("the threads of two times", KEY("2", "1\tmain\n2\tworker\n",
	    "0x4\ta/B\tm\t()V\n0x8\ta/C\tn\t(I)V\n") HEADER_2
	    "\1\0\4\0\0\0\5\2\3\4" "\2\0\x09\0\0\0\1\2\3\4"),
	ROW("the clock", "*version\n2\nclock=thread-cpu\n"
	    "*threads\n1\tmain\n2\tworker\n*methods\n"
	    "0x4\ta/B\tm\t()V\n0x8\ta/C\tn\t(I)V\n*end\n" HEADER_2
	    "\1\0\4\0\0\0\1\2\3\4" "\2\0\x09\0\0\0\5\2\3\4"),
	ROW("a record twice", PLAIN "\2\0\x09\0\0\0\5\2\3\4"),
	ROW("none", KEY("2", "", "") HEADER_2),
};

START_TEST(equal_events_have_equal_sums)
{
	const struct dmtrace_checksum_result plain =
	    sum_bytes(PLAIN, sizeof(PLAIN) - 1);
	const struct dmtrace_checksum_result sum =
	    sum_bytes(same[_i].bytes, same[_i].len);

	ck_assert_msg(is_same(&sum, &plain), "%s", same[_i].label);
}
END_TEST

START_TEST(different_events_have_different_sums)
{
	const struct dmtrace_checksum_result plain =
	    sum_bytes(PLAIN, sizeof(PLAIN) - 1);
	const struct dmtrace_checksum_result sum =
	    sum_bytes(different[_i].bytes, different[_i].len);

	ck_assert_msg(sum.sum.high != plain.sum.high, "%s",
	    different[_i].label);
	ck_assert_msg(sum.sum.low != plain.sum.low, "%s",
	    different[_i].label);
}
END_TEST

START_TEST(reports_of_each_thread)
{
	struct dmtrace_reader *const reader =
	    made_open(PLAIN, sizeof(PLAIN) - 1);
	struct dmtrace_checksum_options options = { 0 };
	struct dmtrace_checksum_result sum;

	ck_assert_int_eq(dmtrace_checksum(op, reader, &options, &sum),
	    DMTRACE_OK);
	ck_assert_uint_eq(sum.thread_count, 2);
	ck_assert_uint_eq(sum.records, 2);
	ck_assert_uint_eq(sum.added, 0);
	ck_assert_uint_eq(sum.threads[1].thread, 2);
	ck_assert_uint_eq(sum.threads[1].records, 1);
	ck_assert_uint_eq(sum.threads[1].name.len, 6);
	ck_assert_int_eq(memcmp(sum.threads[1].name.bytes, "worker", 6), 0);
	struct dmtrace_sum both = sum.threads[0].sum;

	dmt_sum_add(&both, &sum.threads[1].sum);
	ck_assert_uint_eq(both.high, sum.sum.high);
	ck_assert_uint_eq(both.low, sum.sum.low);
	dmtrace_checksum_fini(&sum);
	ck_assert_ptr_null(sum.threads);
	dmtrace_reader_free(reader);
}
END_TEST

/* Of a version 3 trace with both clocks, one is left out. */
START_TEST(clocks_may_make_no_difference)
{
	const struct made dual = made_generate(3, DMTRACE_CLOCK_DUAL, 5,
	    1000, 4);
	const struct made wall = made_generate(2, DMTRACE_CLOCK_WALL, 5,
	    1000, 4);
	const struct dmtrace_checksum_result sums[] = {
		sum_reader(made_open(dual.bytes, dual.len),
		    DMTRACE_CHECKSUM_WALL),
		sum_reader(made_open(wall.bytes, wall.len),
		    DMTRACE_CHECKSUM_WALL),
		sum_reader(made_open(dual.bytes, dual.len),
		    DMTRACE_CHECKSUM_NO_TIME),
		sum_reader(made_open(wall.bytes, wall.len),
		    DMTRACE_CHECKSUM_NO_TIME),
		sum_bytes(dual.bytes, dual.len),
		sum_bytes(wall.bytes, wall.len),
	};

	ck_assert(is_same(&sums[0], &sums[1]));
	ck_assert(is_same(&sums[2], &sums[3]));
	ck_assert(is_same(&sums[1], &sums[5]));
	ck_assert(!is_same(&sums[4], &sums[5]));
	ck_assert(!is_same(&sums[0], &sums[2]));
	free(wall.bytes);
	free(dual.bytes);
}
END_TEST

/* Deals records to so many traces, with the whole key of the first. */
static void
deal(const struct made *made, struct made *parts, size_t count, uint64_t seed)
{
	const size_t size = made->record_size;

	for (size_t i = 0; i < count; i++) {
		parts[i] = *made;
		parts[i].bytes = malloc(made->len + 1);
		memcpy(parts[i].bytes, made->bytes, made->records_at);
		parts[i].len = made->records_at;
	}
	for (size_t at = made->records_at; at < made->len; at += size) {
		struct made *const part = &parts[next_random(&seed) % count];

		memcpy(part->bytes + part->len, made->bytes + at, size);
		part->len += size;
	}
}

START_TEST(sums_of_parts_add_up)
{
	const unsigned version = 1 + (unsigned)_i % 3;
	struct made made = made_generate(version, version == 3 ?
	    DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_WALL, (uint64_t)_i + 1, 2000,
	    7);
	const struct dmtrace_checksum_result whole =
	    sum_bytes(made.bytes, made.len);
	struct dmtrace_checksum_result sum = { .records = 0 };
	struct made parts[5];

	deal(&made, parts, ROWS(parts), (uint64_t)_i + 1);
	for (size_t i = 0; i < ROWS(parts); i++) {
		const struct dmtrace_checksum_result part =
		    sum_bytes(parts[i].bytes, parts[i].len);

		dmt_sum_add(&sum.sum, &part.sum);
		sum.records += part.records;
		free(parts[i].bytes);
	}
	ck_assert(is_same(&sum, &whole));
	made_shuffle(&made, (uint64_t)_i + 1, 500);
	sum = sum_bytes(made.bytes, made.len);
	ck_assert(is_same(&sum, &whole));
	free(made.bytes);
}
END_TEST

#define OPENED(value) KEY("2\ndmtrace-opened" value, "1\tmain\n", \
	"0x4\ta/B\tm\t()V\n") HEADER_2 "\1\0\4\0\0\0\1\2\3\4"

static const struct {
	const char *bytes;
	size_t len;
	enum dmtrace_status status;
	uint64_t records, added;
} options[] = {
	{ OPENED("=0"), sizeof(OPENED("=0")) - 1, DMTRACE_OK, 1, 0 },
	{ OPENED("=1"), sizeof(OPENED("=1")) - 1, DMTRACE_OK, 0, 1 },
	{ OPENED("=9\ndmtrace-closed=9"),
	    sizeof(OPENED("=9\ndmtrace-closed=9")) - 1, DMTRACE_OK, 0, 1 },
	{ OPENED("=0\ndmtrace-closed=18446744073709551615"),
	    sizeof(OPENED("=0\ndmtrace-closed=18446744073709551615")) - 1,
	    DMTRACE_OK, 0, 1 },
	{ OPENED("=18446744073709551616"),
	    sizeof(OPENED("=18446744073709551616")) - 1,
	    DMTRACE_ERR_CORRUPT, 0, 0 },
	{ OPENED(""), sizeof(OPENED("")) - 1, DMTRACE_ERR_CORRUPT, 0, 0 },
	{ OPENED("="), sizeof(OPENED("=")) - 1, DMTRACE_ERR_CORRUPT, 0, 0 },
	{ OPENED("=-1"), sizeof(OPENED("=-1")) - 1, DMTRACE_ERR_CORRUPT,
	    0, 0 },
	{ OPENED("=1\ndmtrace-closed=x"),
	    sizeof(OPENED("=1\ndmtrace-closed=x")) - 1, DMTRACE_ERR_CORRUPT,
	    0, 0 },
};

/* From memory, and from a pipe. */
START_TEST(reads_what_was_added)
{
	struct dmtrace_checksum_options all = { 0 };
	struct dmtrace_checksum_result sum;

	for (int pipe = 0; pipe < 2; pipe++) {
		struct dmtrace_reader *const reader = dmtrace_reader_new();
		struct drip drip = {
			options[_i].bytes, options[_i].len, 7
		};

		ck_assert_int_eq(pipe ? dmtrace_reader_open_input(reader,
		    &(struct dmtrace_input){ drip_read, &drip }) :
		    dmtrace_reader_open_memory(reader, options[_i].bytes,
		    options[_i].len), DMTRACE_OK);
		ck_assert_int_eq(dmtrace_checksum(op, reader, &all, &sum),
		    options[_i].status);
		ck_assert_uint_eq(sum.records, options[_i].records);
		ck_assert_uint_eq(sum.added, options[_i].added);
		dmtrace_checksum_fini(&sum);
		dmtrace_reader_free(reader);
	}
}
END_TEST

START_TEST(refuses_calls_out_of_order)
{
	struct dmtrace_reader *const reader =
	    made_open(PLAIN, sizeof(PLAIN) - 1);
	struct dmtrace_reader *const closed = dmtrace_reader_new();
	struct dmtrace_checksum_options all = { 0 };
	struct dmtrace_checksum_result sum;
	struct dmtrace_event event;

	ck_assert_int_eq(dmtrace_checksum(op, closed, &all, &sum),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_reader_next(reader, &event), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_checksum(op, reader, &all, &sum),
	    DMTRACE_ERR_STATE);
	dmtrace_reader_free(closed);
	dmtrace_reader_free(reader);
}
END_TEST

static const enum fault faults[] = { FAULT_ALLOC, FAULT_READ };

START_TEST(whatever_fails_is_reported)
{
	const struct made made = made_generate(2, DMTRACE_CLOCK_WALL, 1,
	    120000, 5);
	struct failing failing = { .kind = faults[_i] };
	struct dmtrace_checksum_options all = { 0 };
	struct dmtrace_checksum_result sum;

	/* the name of an option that is there, as long as this one */
	memcpy(strstr(made.bytes, "elapsed-time-u"), "dmtrace-closed", 14);
	memcpy(strstr(made.bytes, "dmtrace-closed") + 14, "=1\na", 4);
	file_put("in", made.bytes, made.len);
	do {
		struct dmtrace_reader *const reader = dmtrace_reader_new();

		ck_assert_int_eq(dmtrace_reader_open_path(reader, "in"),
		    DMTRACE_OK);
		failing_arm(&failing);
		if (!failing_reported(&failing, dmtrace_checksum(op, reader,
		    &all, &sum))) {
			ck_assert_uint_eq(sum.added, 1);
			ck_assert_uint_eq(sum.records, 119999);
		}
		dmtrace_checksum_fini(&sum);
		dmtrace_reader_free(reader);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 2);
	free(made.bytes);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("checksum");
	TCase *const tcase = unit_tcase(suite, "checksum");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, op_begin, op_end);
	ADD_CASES(tcase, sums_are_numbers_of_128_bits, additions);
	ADD_CASES(tcase, equal_events_have_equal_sums, same);
	ADD_CASES(tcase, different_events_have_different_sums, different);
	tcase_add_test(tcase, reports_of_each_thread);
	tcase_add_test(tcase, clocks_may_make_no_difference);
	tcase_add_loop_test(tcase, sums_of_parts_add_up, 0, 60);
	ADD_CASES(tcase, reads_what_was_added, options);
	tcase_add_test(tcase, refuses_calls_out_of_order);
	ADD_CASES(tcase, whatever_fails_is_reported, faults);
	return unit_main(suite);
}
