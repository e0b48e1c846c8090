/* test_fix.c - traces fixed for other readers, and failures on the way */

#include <dmtrace.h>
#include <fcntl.h>
#include <stddef.h>

#include "helpers/damages.h"
#include "helpers/failing.h"
#include "helpers/op.h"
#include "helpers/unit.h"

/* Everything at once that the canonical form and its cures are for: a key with
 * CR LF, a thread and a method that are high, times from 2^31 us on. */
#define KEY "*version\r\n2\r\nclock=thread-cpu\r\n*threads\r\n" \
	"65000\tM\xc3\xa4in\r\n*methods\r\n" \
	"0x80000004\tA\tm\t()V\tA.java\r\n*end\r\n"
#define HEADER "SLOW\2\0\x20\0\0\0\0\0\0\0\0\0" \
	"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define RECORDS "\xe8\xfd\4\0\0\x80\1\0\0\x80" "\xe8\xfd\5\0\0\x80\2\0\0\x80"
#define FIXED "*version\n3\nclock=dual\n" \
	"dmtrace-repaired=clock-thread-cpu:1\n*threads\n" \
	"1\tM\\u00e4in\n*methods\n0x4\tA\tm\t()V\tA.java\t-1\n*end\n" \
	"SLOW\3\0\x20\0\0\0\0\0\0\0\0\0\x0e\0" \
	"\0\0\0\0\0\0\0\0\0\0\0\0\0\0" \
	"\1\0\4\0\0\0\0\0\0\0\0\0\0\0" "\1\0\5\0\0\0\1\0\0\0\1\0\0\0"

static const struct dmtrace_file in = { .path = "x.trace" };
static const struct dmtrace_file out = { .path = "o.trace" };

static struct dmtrace_fix_options options;

static void
begin(void)
{
	op_begin();
	file_put("x.trace", KEY HEADER RECORDS,
	    sizeof(KEY HEADER RECORDS) - 1);
	options = (struct dmtrace_fix_options){
		.readers = (1u << DMTRACE_READERS) - 1
	};
}

static void
assert_read_by_all(const char *path)
{
	const struct dmtrace_file file = { .path = path };
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_validity validity;

	ck_assert_int_eq(dmtrace_judge(op, &file, verdicts, &validity),
	    DMTRACE_OK);
	for (int i = 0; i < DMTRACE_READERS; i++)
		ck_assert_msg(verdicts[i].reception == DMTRACE_READS,
		    "%s", verdicts[i].rule);
	ck_assert_uint_eq(validity.findings[DMTRACE_ERROR], 0);
}

START_TEST(writes_what_all_readers_can_read)
{
	struct dmtrace_fix_result result;

	ck_assert_int_eq(dmtrace_fix(op, &in, &out, &options, &result),
	    DMTRACE_OK);
	ck_assert_int_eq(result.fixed, 1);
	ck_assert_uint_eq(result.records, 2);
	assert_file("o.trace", FIXED, sizeof(FIXED) - 1);
	assert_read_by_all("o.trace");
}
END_TEST

/* Firefox minds ids from 2^31 on, but no times: a method gets another id, and a
 * time that wrapped is wrapped again. */
START_TEST(times_that_wrap_stay_as_they_are)
{
	static const char given[] = "*version\n2\nclock=wall\n*threads\n"
	    "1\tmain\n*methods\n0x80000004\tA\tm\t()V\n*end\n" HEADER
	    "\1\0\4\0\0\x80\xf0\xff\xff\xff"
	    "\1\0\5\0\0\x80\x10\0\0\0";
	static const char fixed[] = "*version\n2\nclock=wall\n*threads\n"
	    "1\tmain\n*methods\n0x4\tA\tm\t()V\n*end\n" HEADER
	    "\1\0\4\0\0\0\xf0\xff\xff\xff"
	    "\1\0\5\0\0\0\x10\0\0\0";
	struct dmtrace_fix_result result;

	file_put("x.trace", given, sizeof(given) - 1);
	options.readers = 1u << DMTRACE_READER_FIREFOX;
	ck_assert_int_eq(dmtrace_fix(op, &in, &out, &options, &result),
	    DMTRACE_OK);
	ck_assert_int_eq(result.fixed, 1);
	ck_assert_uint_eq(result.changes, 1);
	assert_file("o.trace", fixed, sizeof(fixed) - 1);
}
END_TEST

START_TEST(copies_what_the_readers_can_read)
{
	const struct dmtrace_file again = { .path = "p.trace" };
	struct dmtrace_fix_result result;

	file_put("o.trace", FIXED, sizeof(FIXED) - 1);
	ck_assert_int_eq(dmtrace_fix(op, &out, &again, &options, &result),
	    DMTRACE_OK);
	ck_assert_uint_eq(result.changes, 0);
	assert_file("p.trace", FIXED, sizeof(FIXED) - 1);
}
END_TEST

START_TEST(reports_what_cannot_be_fixed)
{
	const struct dmtrace_file pair = { .path = "o.key" };
	struct dmtrace_fix_result result;

	ck_assert_int_eq(dmtrace_fix(op, &in, &pair, &options, &result),
	    DMTRACE_OK);
	ck_assert_int_eq(result.fixed, 0);
	ck_assert_int_eq(result.reader, DMTRACE_READER_DMTRACEDUMP);
	ck_assert_str_eq(result.verdict.rule, "pair");
	ck_assert_int_ne(access("o.key", F_OK), 0);
	ck_assert_int_ne(access("o.data", F_OK), 0);
}
END_TEST

static int
refuse_changes(void *context, const struct dmtrace_change *change)
{
	(void)context;
	return change == NULL;
}

START_TEST(a_change_function_that_cancels_leaves_no_output)
{
	static const struct dmtrace_file pair = { .path = "o.key" };
	struct dmtrace_fix_result result = { .fixed = 7 };

	options.readers = 0;
	options.change = refuse_changes;
	ck_assert_int_eq(dmtrace_fix(op, &in, _i == 0 ? &out : &pair,
	    &options, &result), DMTRACE_ERR_CANCELLED);
	ck_assert_int_eq(result.fixed, 7);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

START_TEST(refuses_unknown_options)
{
	struct dmtrace_fix_result result = { .fixed = 7 };

	options.readers = 1u << DMTRACE_READERS;
	ck_assert_int_eq(dmtrace_fix(op, &in, &out, &options, &result),
	    DMTRACE_ERR_RANGE);
	options.readers = 0;
	options.flags = DMTRACE_REPAIR_EDGES;
	ck_assert_int_eq(dmtrace_fix(op, &in, &out, &options, &result),
	    DMTRACE_ERR_RANGE);
	options.flags = 0;
	ck_assert_int_eq(result.fixed, 7);
}
END_TEST

START_TEST(refuses_an_output_that_is_the_input)
{
	static const struct dmtrace_file key = { .path = "p.key" };
	static const struct dmtrace_file data = { .path = "p.data" };
	struct dmtrace_fix_result result;

	file_put("p.key", KEY, sizeof(KEY) - 1);
	file_put("p.data", HEADER RECORDS, sizeof(HEADER RECORDS) - 1);
	ck_assert_int_eq(dmtrace_fix(op, &in, &in, &options, &result),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_fix(op, &key, &data, &options, &result),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_fix(op, &data, &key, &options, &result),
	    DMTRACE_ERR_STATE);
	assert_file("p.key", KEY, sizeof(KEY) - 1);
	assert_file("p.data", HEADER RECORDS, sizeof(HEADER RECORDS) - 1);
}
END_TEST

/* Unless it is no trace any more. */
START_TEST(fixes_what_is_damaged)
{
	for (uint64_t seed = 1; seed <= 8; seed++) {
		const unsigned version = (unsigned)(seed % 3 + 1);
		struct dmtrace_fix_result result = { .fixed = 0 };
		struct made made = made_generate(version, version == 3 ?
		    DMTRACE_CLOCK_DUAL : DMTRACE_CLOCK_THREAD_CPU, seed, 200,
		    4);

		damage(&made, (enum damage)_i, seed);
		damage(&made, (enum damage)(seed * 5 % DAMAGES), seed + 99);
		file_put("x.trace", made.bytes, made.len);
		free(made.bytes);
		const enum dmtrace_status status =
		    dmtrace_fix(op, &in, &out, &options, &result);
		if (status == DMTRACE_ERR_NOT_TRACE ||
		    status == DMTRACE_ERR_UNSUPPORTED)
			continue;
		ck_assert_int_eq(status, DMTRACE_OK);
		ck_assert_msg(result.fixed, "%s", result.verdict.rule);
		assert_read_by_all("o.trace");
	}
}
END_TEST

static const enum fault faults[] = {
	FAULT_ALLOC, FAULT_READ, FAULT_WRITE, FAULT_NAME
};

START_TEST(fails_whole)
{
	struct failing failing = { .kind = faults[_i] };
	struct dmtrace_fix_result result;

	do {
		unlink("o.trace");
		failing_arm(&failing);
		if (failing_reported(&failing, dmtrace_fix(op, &in, &out,
		    &options, &result)))
			ck_assert_uint_eq(file_count("."), 1);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
	assert_file("o.trace", FIXED, sizeof(FIXED) - 1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("fix");
	TCase *tcase = unit_tcase(suite, "fix");

	tcase_add_checked_fixture(tcase, begin, op_end);
	tcase_add_test(tcase, writes_what_all_readers_can_read);
	tcase_add_test(tcase, times_that_wrap_stay_as_they_are);
	tcase_add_test(tcase, copies_what_the_readers_can_read);
	tcase_add_test(tcase, reports_what_cannot_be_fixed);
	tcase_add_loop_test(tcase,
	    a_change_function_that_cancels_leaves_no_output, 0, 2);
	tcase_add_test(tcase, refuses_unknown_options);
	tcase_add_test(tcase, refuses_an_output_that_is_the_input);
	tcase_add_loop_test(tcase, fixes_what_is_damaged, 0, DAMAGES);
	ADD_CASES(tcase, fails_whole, faults);
	return unit_main(suite);
}
