/* test_expect.c - traces checked against expectations */

#include <dmtrace.h>
#include <string.h>

#include "helpers/cancel.h"
#include "helpers/expects.h"
#include "helpers/failing.h"
#include "helpers/unit.h"

#define AB_C "1+a 1+b 1-b 1-a 1+c 1-c"
#define MAIN "thread main\n"

static const struct {
	const char *label;
	const char *events;
	const char *spec;
	const char *unmet;
} trees[] = {
	{ "the same", AB_C, MAIN " p.K.a\n  p.K.b\n p.K.c\n", "" },
	{ "indented by TABs, and said to be exact", AB_C,
	    "thread main exact\n\tp/K.a\n\t\tp/K.b()V\n\tp.K.c\n", "" },
	{ "lines that end with CR, after a byte order mark", AB_C,
	    "\xef\xbb\xbfthread main\r\n p.K.a\r\n  p.K.b\r\n p.K.c",
	    "" },
	{ "globs and a regular expression", AB_C,
	    "thread m*\n p.K.?\n  *b\n /K.c$/\n", "" },
	{ "negated patterns, and expressions of threads", AB_C,
	    "thread /^ma/\n !*.b\n  !/[.]a$/\n p.K.c\n", "" },
	{ "a negated pattern that matches", AB_C,
	    "thread !w*\n p.K.a\n  !*.b\n p.K.c\n",
	    "3 @2: !*.b | p.K.b\n" },
	{ "without return types", AB_C,
	    MAIN " p.K.a()\n  \"p/K.b()\"\n p.K.c()\n", "" },
	{ "another name", AB_C, MAIN " p.K.a\n  p.K.c\n p.K.c\n",
	    "3 @2: p.K.c | p.K.b\n" },
	{ "another order", AB_C, MAIN " p.K.c\n p.K.a\n  p.K.b\n",
	    "2 @1: p.K.c | p.K.a\n" },
	{ "a call more", AB_C, MAIN " p.K.a\n p.K.c\n",
	    "2 @2: no more calls in p.K.a | p.K.b\n" },
	{ "and after all others", AB_C, MAIN " p.K.a\n  p.K.b\n",
	    "1 @5: no more calls | p.K.c\n" },
	{ "a call less", AB_C, MAIN " p.K.a\n  p.K.b\n  p.K.b\n p.K.c\n",
	    "4 @4: p.K.b | p.K.a ends\n" },
	{ "and after all others", AB_C,
	    MAIN " p.K.a\n  p.K.b\n p.K.c\n p.K.d\n",
	    "5 @0: p.K.d | the trace ends\n" },
	{ "inside of another", AB_C, MAIN " p.K.a\n p.K.b\n p.K.c\n",
	    "2 @2: no more calls in p.K.a | p.K.b\n" },
	{ "three in a row", "1+a 1-a 1+a 1-a 1+a 1-a", MAIN " p.K.a x3\n",
	    "" },
	{ "as lines of their own", "1+a 1-a 1+a 1-a 1+a 1-a",
	    MAIN " p.K.a x2\n p.K.a\n", "" },
	{ "two of three", "1+a 1-a 1+a 1-a", MAIN " p.K.a x3\n",
	    "2 @0: p.K.a (3 of 3) | the trace ends\n" },
	{ "four of three", "1+a 1-a 1+a 1-a 1+a 1-a 1+a 1-a",
	    MAIN " p.K.a x3\n", "1 @7: no more calls | p.K.a\n" },
	{ "each with what it calls", "1+a 1+b 1-b 1-a 1+a 1-a",
	    MAIN " p.K.a x2\n  p.K.b\n", "3 @6: p.K.b | p.K.a ends\n" },
	{ "whatever it calls", "1+a 1+b 1+c 1-c 1-b 1+b 1-b 1-a 1+c 1-c",
	    MAIN " p.K.a ...\n p.K.c\n", "" },
	{ "three of these", "1+a 1+b 1-b 1-a 1+a 1-a 1+a 1+c 1-c 1-a",
	    MAIN " p.K.a x3 ...\n", "" },
	{ "nothing", "1-a", MAIN, "" },
	{ "not nothing", "1+a", MAIN, "1 @1: no more calls | p.K.a\n" },
	{ "an open call is one", "1+a 1+b", MAIN " p.K.a\n  p.K.b\n", "" },
	{ "and wants its calls", "1+a 1+b", MAIN " p.K.a\n  p.K.b\n   *.c\n",
	    "4 @0: *.c | the trace ends\n" },
	{ "exits from before are passed over", "1-c 1-a 1+a 1-a",
	    MAIN " p.K.a\n", "" },
	{ "and such as match nothing", "1+a 1-c 1+b 1-b 1-a",
	    MAIN " p.K.a\n  p.K.b\n", "" },
	{ "calls that an exit leaves out", "1+a 1+b 1+c 1-a 1+c 1-c",
	    MAIN " p.K.a\n  p.K.b\n   p.K.c\n p.K.c\n", "" },
	{ "an exception is an exit", "1+a 1!a 1+b 1!b",
	    MAIN " p.K.a\n p.K.b\n", "" },
	{ "by its signature", "1+d 1-d 1+e 1-e",
	    MAIN " p.K.d(I)V\n p.K.d(J)V\n", "" },
	{ "another signature", "1+d 1-d 1+d 1-d",
	    MAIN " p.K.d(I)V\n p.K.d(J)V\n",
	    "3 @3: p.K.d(J)V | p.K.d(I)V\n" },
	{ "a name in quotes", "1+f 1-f", MAIN " \"two words\"\n", "" },
	{ "is no glob", "1+f 1-f", MAIN " \"two*\"\n",
	    "2 @1: \"two*\" | \"two words\"\n" },
	{ "what no table lists", "1+u 1-u", MAIN " 0x40\n", "" },

	{ "a thread that is not there", "1+a", MAIN " p.K.a\nthread x\n",
	    "3 @0: a thread of that name | none without another tree\n" },
	{ "each of the same name its own", "1+a 3+b 2+a",
	    "thread worker\n p.K.b\nthread worker\n p.K.a\n", "" },
	{ "in the order of their first records", "1+a 2+a 3+b",
	    "thread worker\n p.K.b\nthread worker\n p.K.a\n",
	    "2 @2: p.K.b | p.K.a\n4 @3: p.K.a | p.K.b\n" },
	{ "more than there are", "2+a", "thread worker\n p.K.a\n"
	    "thread worker\n p.K.a\n",
	    "3 @0: a thread of that name | none without another tree\n" },
	{ "one that nobody asks for", "1+a 2+b", MAIN " p.K.a\n", "" },
	{ "unless no others are", "1+a 2+b", MAIN " p.K.a\nno other threads\n",
	    "3 @2: no other threads | another thread\n" },
	{ "all that there are", "1+a 2+b", "no other threads\n" MAIN
	    " p.K.a\nthread w* rules\n threads 1\n", "" },
	{ "a name with blanks", "4+a", "thread \"pool 4\"\n p.K.a\n", "" },

	{ "in that order", AB_C, "thread main subsequence\n *.a\n *.c\n",
	    "" },
	{ "not in that order", AB_C, "thread main subsequence\n *.c\n *.a\n",
	    "3 @5: *.a | no such call after it\n" },
	{ "others stand between", "1+c 1+a 1+d 1+b 1-b 1-d 1-a 1-c",
	    "thread main subsequence\n *.a\n  *.b\n", "" },
	{ "not inside", "1+a 1-a 1+b 1-b",
	    "thread main subsequence\n *.a\n  *.b\n",
	    "3 @1: *.b | no such call after it\n" },
	{ "a later one of them", "1+a 1-a 1+a 1+b 1-b 1-a",
	    "thread main subsequence\n *.a\n  *.b\n", "" },
	{ "one within it", "1+a 1+a 1+b 1-b 1-a 1-a",
	    "thread main subsequence\n *.a\n  *.b\n", "" },
	{ "both of one call", "1+a 1+b 1-b 1-a 1+a 1+b 1-b 1+c 1-c 1-a",
	    "thread main subsequence\n *.a\n  *.b\n  *.c\n", "" },
	{ "not of two", "1+a 1+b 1-b 1-a 1+a 1+c 1-c 1-a",
	    "thread main subsequence\n *.a\n  *.b\n  *.c\n",
	    "4 @2: *.c | no such call after it\n" },
	{ "so many of them", "1+a 1-a 1+b 1-b 1+a 1-a",
	    "thread main subsequence\n *.a x2\n", "" },
	{ "not so many", "1+a 1-a 1+b 1-b 1+a 1-a",
	    "thread main subsequence\n *.a x3\n",
	    "2 @5: *.a (3 of 3) | no such call after it\n" },
	{ "nothing at all", AB_C, "thread main subsequence\n", "" },
};

START_TEST(judges_trees)
{
	judge(trees[_i].events, trees[_i].spec);
	ck_assert_msg(strcmp(got, trees[_i].unmet) == 0, "%s: %s",
	    trees[_i].label, got);
}
END_TEST

/* a lasts from 10 to 60 us, b from 20 to 50, c from 30 to 40; then b alone
 * for 10 us, and a of another thread for 20. */
#define NEST "1+a 1+b 1+c 1-c 1-b 1-a 1+b 1-b 2+a 2+b 2-a"

/* Met: unmet is NULL. */
static const struct {
	const char *spec;
	const char *unmet;
} rules[] = {
	{ "calls(p.K.b) 3", NULL },
	{ "calls ( p.K.b )==3", NULL },
	{ "calls(p.K.b)<=3", NULL },
	{ "calls(\"p.K.b\") 3", NULL },
	{ "calls(p.K.b(I J)) 0", NULL },
	{ "calls(p.K.b()) 3", NULL },
	{ "calls(p.K.b()V) 3", NULL },
	{ "calls(\"p/K.b()\") 3", NULL },
	{ "calls(/^p[.]K[.](a|b)$/) 5", NULL },
	{ "calls(p.K.b) == 2", "@10: calls(p.K.b) == 2 | 3 calls" },
	{ "calls(p.K.b) 4", "@10: calls(p.K.b) 4 | 3 calls" },
	{ "calls(p.K.b) != 2", NULL },
	{ "calls(p.K.b) != 3", "@10: calls(p.K.b) != 3 | 3 calls" },
	{ "calls(p.K.b) < 4", NULL },
	{ "calls(p.K.b) < 3", "@10: calls(p.K.b) < 3 | 3 calls" },
	{ "calls(p.K.b) <= 3", NULL },
	{ "calls(p.K.b) <= 1", "@7: calls(p.K.b) <= 1 | 3 calls" },
	{ "calls(p.K.b) > 2", NULL },
	{ "calls(p.K.b) > 3", "@10: calls(p.K.b) > 3 | 3 calls" },
	{ "calls(p.K.b) >= 3", NULL },
	{ "calls(p.K.b) >= 4", "@10: calls(p.K.b) >= 4 | 3 calls" },
	{ "calls(p.*.?) 6", NULL },
	{ "calls(*) 5", "@10: calls(*) 5 | 6 calls" },
	{ "calls(/K.[ab]$/) 5", NULL },
	{ "calls(p.K.x) 0", NULL },
	{ "calls(p.K.x) 1 # none", "@0: calls(p.K.x) 1 # none | 0 calls" },
	{ "never p.K.d", NULL },
	{ "never p.K.c", "@3: never p.K.c | 1 call" },
	{ "never p.K.c()", "@3: never p.K.c() | 1 call" },
	{ "never !*.[abc]", "@1: never !*.[abc] | 6 calls" },
	{ "never !*.?", NULL },
	{ "never !*.a", "@2: never !*.a | 4 calls" },
	{ "never !p.K.a", "@2: never !p.K.a | 4 calls" },
	{ "never !/K[.](a|b)$/", "@3: never !/K[.](a|b)$/ | 1 call" },
	{ "never \"!*.d\"", NULL },
	{ "calls(!p.K.b) 3", NULL },
	{ "inclusive(!/b$/) 70us", NULL },
	{ "p.K.c under !*.c", NULL },
	{ "!p.K.a before p.K.c", NULL },
	{ "p.K.a before p.K.c", NULL },
	{ "p.K.c before p.K.a",
	    "@1: p.K.c before p.K.a | p.K.a before it" },
	{ "p.K.d before p.K.a",
	    "@1: p.K.d before p.K.a | no call of p.K.d" },
	{ "p.K.a before p.K.d",
	    "@0: p.K.a before p.K.d | no call of p.K.d" },
	{ "p.K.c under p.K.a", NULL },
	{ "p.K.c under p.K.b", NULL },
	{ "p.K.c() under p.K.b()", NULL },
	{ "p.K.b under p.K.a",
	    "@7: p.K.b under p.K.a | a call without a caller" },
	{ "p.K.c under p.K.c", "@3: p.K.c under p.K.c | a call by p.K.b" },
	{ "p.K.d under p.K.a",
	    "@0: p.K.d under p.K.a | no call of p.K.d" },
	{ "depth 3", NULL },
	{ "depth <= 3", NULL },
	{ "depth <= 2", "@3: depth <= 2 | depth 3" },
	{ "depth < 2", "@2: depth < 2 | depth 3" },
	{ "depth > 3", "@3: depth > 3 | depth 3" },
	{ "inclusive(p.K.a) 70us", NULL },
	{ "inclusive(p.K.a) < 70us",
	    "@1: inclusive(p.K.a) < 70us | 70 us in 2 calls" },
	{ "inclusive(p.K.b) 50us wall", NULL },
	{ "inclusive(p.K.b) 5us cpu", NULL },
	{ "inclusive(p.K.b) > 1h",
	    "@2: inclusive(p.K.b) > 1h | 50 us in 3 calls" },
	{ "inclusive(*) 80us", NULL },
	{ "inclusive(p.K.d) < 1h",
	    "@0: inclusive(p.K.d) < 1h | 0 s in 0 calls" },
	{ "exclusive(p.K.a) 30us", NULL },
	{ "exclusive(p.K.b) == 40us", NULL },
	{ "exclusive(p.K.c) 10000ns", NULL },
	{ "exclusive(p.K.c) 1us cpu", NULL },
	{ "exclusive(*) 80us", NULL },
	{ "exclusive(*) < 80us",
	    "@0: exclusive(*) < 80us | 80 us in 6 calls" },
	{ "exclusive(p.K.d) >= 0",
	    "@0: exclusive(p.K.d) >= 0 | 0 s in 0 calls" },
	{ "threads 2", NULL },
	{ "threads >= 3", "@9: threads >= 3 | 2 threads" },
	{ "threads < 2", "@9: threads < 2 | 2 threads" },
	{ "no other threads", "@1: no other threads | another thread" },
};

START_TEST(judges_rules)
{
	char text[256], unmet[256] = "";

	sprintf(text, "%s\n", rules[_i].spec);
	if (rules[_i].unmet != NULL)
		sprintf(unmet, "1 %s\n", rules[_i].unmet);
	judge(NEST, text);
	ck_assert_str_eq(got, unmet);
}
END_TEST

/* The same rules, for the threads of a name; lines are those of rules. */
static const struct {
	const char *rules;
	const char *unmet;
} of_threads[] = {
	{ "thread main rules\n  calls(p.K.a) 1\n  depth 3\n  threads 1\n",
	    "" },
	{ "thread worker rules\n  calls(p.K.a) 1\n  depth 2\n", "" },
	{ "thread w* rules\n  calls(*) 3\n",
	    "2 @10: calls(*) 3 | 2 calls\n" },
	{ "thread main rules\n  never p.K.b\n",
	    "2 @2: never p.K.b | 2 calls\n" },
	{ "thread worker rules\n  p.K.b under p.K.a\n", "" },
	{ "thread worker rules\n  inclusive(p.K.a) 20us\n", "" },
	{ "thread none rules\n  never *\n",
	    "1 @0: a thread of that name | none\n" },
	{ "thread none rules\n  threads 0\n", "" },
	{ "thread !main rules\n  calls(*) 2\n", "" },
	{ "thread /^(w|x)/ rules\n  calls(*) 2\n", "" },
	{ "thread !/^(w|x)/ rules\n  calls(*) 4\n", "" },
	{ "thread * rules\n  threads 1\n", "2 @9: threads 1 | 2 threads\n" },
};

START_TEST(judges_rules_of_threads)
{
	judge(NEST, of_threads[_i].rules);
	ck_assert_str_eq(got, of_threads[_i].unmet);
}
END_TEST

START_TEST(judges_what_is_selected)
{
	judge(NEST, "select thread main\ncalls(p.K.a) 1\nthreads 1\n");
	ck_assert_str_eq(got, "");
	judge(NEST, "select hide p.K.a\nselect thread 1\n"
	    "thread main\n p.K.b\n  p.K.c\n p.K.b\n");
	ck_assert_str_eq(got, "");
	judge(NEST, "select depth 2..\nthread main\n *.b\n  *.c\n");
	ck_assert_str_eq(got, "");
	judge(NEST, "select from 25us\nselect to 45us\nselect thread 1\n"
	    "thread main\n *.a\n  *.b\n   *.c\ninclusive(*.b) 20us\n");
	ck_assert_str_eq(got, "");
	judge(NEST, "select min-time 30us\ncalls(*) 2\n");
	ck_assert_str_eq(got, "");
	judge(NEST, "select under *.b\nselect method *.c\ncalls(*) 1\n");
	ck_assert_str_eq(got, "");
}
END_TEST

/* All before it is reported, too. */
START_TEST(judges_all_rules)
{
	judge(NEST, "# first\nnever *.a\n\ncalls(*.b) 3\nthread main\n *.b\n"
	    "threads 9\n");
	ck_assert_str_eq(got, "2 @1: never *.a | 2 calls\n"
	    "6 @1: *.b | p.K.a\n7 @9: threads 9 | 2 threads\n");
}
END_TEST

/* Rows of the first tree that is not met: "LINE EXPECTED/FOUND", '>' before
 * the one that differs. */
static void
list_rows(void *context, const struct dmtrace_expectation *about)
{
	char *out = context;

	for (size_t i = 0; i < about->row_count; i++) {
		const struct dmtrace_expect_row *const row = &about->rows[i];

		out += strlen(out);
		sprintf(out, "%s%u %*s%s/%*s%s\n", row->differs ? ">" : "",
		    (unsigned)row->line, (int)row->expected_depth, "",
		    row->expected == NULL ? "-" : row->expected,
		    (int)row->found_depth, "",
		    row->found == NULL ? "-" : row->found);
	}
}

START_TEST(shows_both_sides)
{
	static const char text[] = "thread main\n *.a\n  *.b\n   *.c x2\n"
	    "   *.d\n  *.a\n *.b\n";
	struct dmtrace_writer *const writer =
	    trace_of("1+a 1+b 1+c 1-c 1+d 1-d 1-b 1+a 1-a 1-a 1+b 1-b");
	struct dmtrace_reader *const reader = open_trace(writer);
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_expected expected;

	got[0] = '\0';
	dmtrace_spec_decode(spec, text, sizeof(text) - 1);
	ck_assert_int_eq(dmtrace_expect(op, spec, reader, list_rows, got,
	    &expected), DMTRACE_OK);
	ck_assert_str_eq(got, "2 *.a/p.K.a\n3  *.b/ p.K.b\n"
	    "4   *.c (1 of 2)/  p.K.c\n>4   *.c (2 of 2)/  p.K.d\n"
	    "5   *.d/ p.K.a\n6  *.a/p.K.b\n");
	ck_assert_uint_eq(expected.expectations, 1);
	ck_assert_uint_eq(expected.records, 12);
	dmtrace_op_free(op);
	dmtrace_spec_free(spec);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}
END_TEST

/* Judges the bytes, whatever they are. */
static enum dmtrace_status
judge_bytes(struct dmtrace_reader *reader, const char *bytes, size_t len)
{
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_expected expected;
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	if (spec != NULL && op != NULL) {
		status = dmtrace_spec_decode(spec, bytes, len);
		if (status == DMTRACE_OK)
			status = dmtrace_expect(op, spec, reader, NULL, NULL,
			    &expected);
	}
	dmtrace_op_free(op);
	dmtrace_spec_free(spec);
	return status;
}

START_TEST(survives_every_prefix_and_changed_byte)
{
	struct dmtrace_writer *const writer = trace_of(whole_events);
	char bytes[sizeof(whole)];

	for (size_t i = 0; i < 3 * sizeof(whole); i++) {
		struct dmtrace_reader *const reader = open_trace(writer);
		const size_t at = i % sizeof(whole);

		memcpy(bytes, whole, sizeof(whole));
		if (i >= sizeof(whole))
			bytes[at] ^= i < 2 * sizeof(whole) ? 0x80 : 0x11;
		const enum dmtrace_status status = judge_bytes(reader, bytes,
		    i < sizeof(whole) ? at : sizeof(whole) - 1);
		/* a prefix may expect nothing */
		ck_assert(status == DMTRACE_OK ||
		    status == DMTRACE_ERR_CORRUPT ||
		    status == DMTRACE_ERR_STATE);
		dmtrace_reader_free(reader);
	}
	dmtrace_writer_free(writer);
}
END_TEST

START_TEST(fails_with_every_allocation)
{
	struct dmtrace_writer *const writer = trace_of(whole_events);
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		struct dmtrace_reader *const reader = open_trace(writer);

		failing_arm(&failing);
		failing_reported(&failing, judge_bytes(reader, whole,
		    sizeof(whole) - 1));
		dmtrace_reader_free(reader);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 19);
	dmtrace_writer_free(writer);
}
END_TEST

START_TEST(can_be_cancelled_and_wants_a_new_reader)
{
	struct dmtrace_writer *const writer = trace_of(whole_events);
	struct dmtrace_reader *const reader = open_trace(writer);
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_expected expected = { .records = 77 };
	unsigned calls = 1;

	dmtrace_spec_decode(spec, whole, sizeof(whole) - 1);
	dmtrace_op_set_progress(op, cancel_after, &calls);
	ck_assert_int_eq(dmtrace_expect(op, spec, reader, NULL, NULL,
	    &expected), DMTRACE_ERR_CANCELLED);
	dmtrace_op_set_progress(op, NULL, NULL);
	ck_assert_int_eq(dmtrace_expect(op, spec, reader, NULL, NULL,
	    &expected), DMTRACE_ERR_STATE);
	ck_assert_uint_eq(expected.records, 77);
	dmtrace_op_free(op);
	dmtrace_spec_free(spec);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("expect");
	TCase *tcase = unit_tcase(suite, "expect");

	ADD_CASES(tcase, judges_trees, trees);
	ADD_CASES(tcase, judges_rules, rules);
	ADD_CASES(tcase, judges_rules_of_threads, of_threads);
	tcase_add_test(tcase, judges_what_is_selected);
	tcase_add_test(tcase, judges_all_rules);
	tcase_add_test(tcase, shows_both_sides);
	tcase_add_test(tcase, survives_every_prefix_and_changed_byte);
	tcase_add_test(tcase, fails_with_every_allocation);
	tcase_add_test(tcase, can_be_cancelled_and_wants_a_new_reader);
	return unit_main(suite);
}
