/* test_expect.c - traces held against what is expected of them */

#include <dmtrace.h>
#include <string.h>
#include <unistd.h>

#include "cancel.h"
#include "failing.h"
#include "unit.h"

#define US UINT64_C(1000)

static const char key_text[] =
    "*version\n3\nclock=dual\n*threads\n"
    "1\tmain\n2\tworker\n3\tworker\n4\tpool 4\n"
    "*methods\n"
    "0x4\tp/K\ta\t()V\tK.java\t1\n"
    "0x8\tp/K\tb\t()V\tK.java\t2\n"
    "0xc\tp/K\tc\t()V\tK.java\t3\n"
    "0x10\tp/K\td\t(I)V\tK.java\t4\n"
    "0x14\tp/K\td\t(J)V\tK.java\t5\n"
    "0x18\t\ttwo words\n"
    "*end\n";

/* Of "a" to "f"; "u" is in no table. */
static uint64_t
method_of(char letter)
{
	return letter == 'u' ? 0x40 : (uint64_t)(letter - 'a' + 1) * 4;
}

/*
 * Events of the form "1+a" (thread 1 enters a) and "1-a", with blanks between
 * them, 10 us apart by the wall clock and 1 us by that of the CPU, as a trace
 * in memory, which the writer holds.
 */
static struct dmtrace_writer *
trace_of(const char *events)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	struct dmtrace_key *const key = dmtrace_writer_key(writer);
	size_t used;
	uint64_t n = 0;

	struct dmtrace_key *const rows = dmtrace_key_new();
	ck_assert_int_eq(dmtrace_key_decode(rows, key_text,
	    sizeof(key_text) - 1, &used, NULL, NULL), DMTRACE_OK);
	for (size_t i = 0; i < dmtrace_key_thread_count(rows); i++)
		ck_assert_int_eq(dmtrace_key_thread_add(key,
		    dmtrace_key_thread_get(rows, i)), DMTRACE_OK);
	for (size_t i = 0; i < dmtrace_key_method_count(rows); i++)
		ck_assert_int_eq(dmtrace_key_method_add(key,
		    dmtrace_key_method_get(rows, i)), DMTRACE_OK);
	dmtrace_key_free(rows);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	for (; *events != '\0'; events += events[3] == ' ' ? 4 : 3) {
		n++;
		const struct dmtrace_event event = {
			.thread = (uint32_t)(events[0] - '0'),
			.action = events[1] == '+' ? DMTRACE_ENTER :
			    events[1] == '!' ? DMTRACE_UNROLL : DMTRACE_EXIT,
			.method = method_of(events[2]),
			.wall_ns = n * 10 * US, .cpu_ns = n * US
		};
		ck_assert_int_eq(dmtrace_writer_write(writer, &event, 1),
		    DMTRACE_OK);
	}
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	return writer;
}

static struct dmtrace_reader *
open_trace(const struct dmtrace_writer *writer)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	size_t len;
	const void *const bytes = dmtrace_writer_memory(writer, &len);

	ck_assert_int_eq(dmtrace_reader_open_memory(reader, bytes, len),
	    DMTRACE_OK);
	return reader;
}

/* "LINE @RECORD: EXPECTED | FOUND" for all that is not met. */
static void
note(void *context, const struct dmtrace_expectation *about)
{
	char *const out = (char *)context + strlen(context);

	ck_assert_uint_gt(about->line, 0);
	ck_assert_ptr_nonnull(about->words);
	if (about->met)
		ck_assert_uint_eq(about->row_count, 0);
	else
		sprintf(out, "%u @%u: %s | %s\n", (unsigned)about->line,
		    (unsigned)about->record, about->expected, about->found);
}

static char got[65536];

static void
judge(const char *events, const char *text)
{
	struct dmtrace_writer *const writer = trace_of(events);
	struct dmtrace_reader *const reader = open_trace(writer);
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_expected expected;
	size_t unmet = 0;

	got[0] = '\0';
	ck_assert_msg(dmtrace_spec_decode(spec, text, strlen(text)) ==
	    DMTRACE_OK, "line %u: %s",
	    (unsigned)dmtrace_spec_error(spec)->at,
	    dmtrace_spec_error(spec)->words);
	ck_assert_int_eq(dmtrace_expect(op, spec, reader, note, got,
	    &expected), DMTRACE_OK);
	for (const char *at = got; (at = strchr(at, '\n')) != NULL; at++)
		unmet++;
	ck_assert_uint_eq(expected.unmet, unmet);
	dmtrace_op_free(op);
	dmtrace_spec_free(spec);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
}

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
	{ "lines that end with CR, behind a byte order mark", AB_C,
	    "\xef\xbb\xbfthread main\r\n p.K.a\r\n  p.K.b\r\n p.K.c",
	    "" },
	{ "globs and a regular expression", AB_C,
	    "thread m*\n p.K.?\n  *b\n /K.c$/\n", "" },
	{ "another name", AB_C, MAIN " p.K.a\n  p.K.c\n p.K.c\n",
	    "3 @2: p.K.c | p.K.b\n" },
	{ "another order", AB_C, MAIN " p.K.c\n p.K.a\n  p.K.b\n",
	    "2 @1: p.K.c | p.K.a\n" },
	{ "a call more", AB_C, MAIN " p.K.a\n p.K.c\n",
	    "2 @2: no more calls in p.K.a | p.K.b\n" },
	{ "and behind all others", AB_C, MAIN " p.K.a\n  p.K.b\n",
	    "1 @5: no more calls | p.K.c\n" },
	{ "a call less", AB_C, MAIN " p.K.a\n  p.K.b\n  p.K.b\n p.K.c\n",
	    "4 @4: p.K.b | p.K.a ends\n" },
	{ "and behind all others", AB_C,
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
	    "3 @0: a thread of that name | none, or no other one\n" },
	{ "each of the same name its own", "1+a 3+b 2+a",
	    "thread worker\n p.K.b\nthread worker\n p.K.a\n", "" },
	{ "in the order of their first records", "1+a 2+a 3+b",
	    "thread worker\n p.K.b\nthread worker\n p.K.a\n",
	    "2 @2: p.K.b | p.K.a\n4 @3: p.K.a | p.K.b\n" },
	{ "more than there are", "2+a", "thread worker\n p.K.a\n"
	    "thread worker\n p.K.a\n",
	    "3 @0: a thread of that name | none, or no other one\n" },
	{ "one that nobody asks for", "1+a 2+b", MAIN " p.K.a\n", "" },
	{ "unless no others are", "1+a 2+b", MAIN " p.K.a\nno other threads\n",
	    "3 @2: no other threads | another thread\n" },
	{ "all that there are", "1+a 2+b", "no other threads\n" MAIN
	    " p.K.a\nthread w* rules\n threads 1\n", "" },
	{ "a name with blanks", "4+a", "thread \"pool 4\"\n p.K.a\n", "" },

	{ "in that order", AB_C, "thread main subsequence\n *.a\n *.c\n",
	    "" },
	{ "not in that order", AB_C, "thread main subsequence\n *.c\n *.a\n",
	    "3 @5: *.a | no such call behind it\n" },
	{ "others stand between", "1+c 1+a 1+d 1+b 1-b 1-d 1-a 1-c",
	    "thread main subsequence\n *.a\n  *.b\n", "" },
	{ "not inside", "1+a 1-a 1+b 1-b",
	    "thread main subsequence\n *.a\n  *.b\n",
	    "3 @1: *.b | no such call behind it\n" },
	{ "a later one of them", "1+a 1-a 1+a 1+b 1-b 1-a",
	    "thread main subsequence\n *.a\n  *.b\n", "" },
	{ "one within it", "1+a 1+a 1+b 1-b 1-a 1-a",
	    "thread main subsequence\n *.a\n  *.b\n", "" },
	{ "both of one call", "1+a 1+b 1-b 1-a 1+a 1+b 1-b 1+c 1-c 1-a",
	    "thread main subsequence\n *.a\n  *.b\n  *.c\n", "" },
	{ "not of two", "1+a 1+b 1-b 1-a 1+a 1+c 1-c 1-a",
	    "thread main subsequence\n *.a\n  *.b\n  *.c\n",
	    "4 @2: *.c | no such call behind it\n" },
	{ "so many of them", "1+a 1-a 1+b 1-b 1+a 1-a",
	    "thread main subsequence\n *.a x2\n", "" },
	{ "not so many", "1+a 1-a 1+b 1-b 1+a 1-a",
	    "thread main subsequence\n *.a x3\n",
	    "2 @5: *.a (3 of 3) | no such call behind it\n" },
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
	{ "calls p.K.b 3", NULL },
	{ "calls p.K.b == 2", "@10: calls p.K.b == 2 | 3 calls" },
	{ "calls p.K.b 4", "@10: calls p.K.b 4 | 3 calls" },
	{ "calls p.K.b != 2", NULL },
	{ "calls p.K.b != 3", "@10: calls p.K.b != 3 | 3 calls" },
	{ "calls p.K.b < 4", NULL },
	{ "calls p.K.b < 3", "@10: calls p.K.b < 3 | 3 calls" },
	{ "calls p.K.b <= 3", NULL },
	{ "calls p.K.b <= 1", "@7: calls p.K.b <= 1 | 3 calls" },
	{ "calls p.K.b > 2", NULL },
	{ "calls p.K.b > 3", "@10: calls p.K.b > 3 | 3 calls" },
	{ "calls p.K.b >= 3", NULL },
	{ "calls p.K.b >= 4", "@10: calls p.K.b >= 4 | 3 calls" },
	{ "calls p.*.? 6", NULL },
	{ "calls * 5", "@10: calls * 5 | 6 calls" },
	{ "calls /K.[ab]$/ 5", NULL },
	{ "calls p.K.x 0", NULL },
	{ "calls p.K.x 1 # none", "@0: calls p.K.x 1 # none | 0 calls" },
	{ "never p.K.d", NULL },
	{ "never p.K.c", "@3: never p.K.c | 1 call" },
	{ "p.K.a before p.K.c", NULL },
	{ "p.K.c before p.K.a",
	    "@1: p.K.c before p.K.a | p.K.a before it" },
	{ "p.K.d before p.K.a",
	    "@1: p.K.d before p.K.a | no call of p.K.d" },
	{ "p.K.a before p.K.d",
	    "@0: p.K.a before p.K.d | no call of p.K.d" },
	{ "p.K.c under p.K.a", NULL },
	{ "p.K.c under p.K.b", NULL },
	{ "p.K.b under p.K.a",
	    "@7: p.K.b under p.K.a | a call that nobody made" },
	{ "p.K.c under p.K.c", "@3: p.K.c under p.K.c | a call by p.K.b" },
	{ "p.K.d under p.K.a",
	    "@0: p.K.d under p.K.a | no call of p.K.d" },
	{ "depth 3", NULL },
	{ "depth <= 3", NULL },
	{ "depth <= 2", "@3: depth <= 2 | depth 3" },
	{ "depth < 2", "@2: depth < 2 | depth 3" },
	{ "depth > 3", "@3: depth > 3 | depth 3" },
	{ "inclusive p.K.a 70us", NULL },
	{ "inclusive p.K.a < 70us",
	    "@1: inclusive p.K.a < 70us | 0.070ms in 2 calls" },
	{ "inclusive p.K.b 50us wall", NULL },
	{ "inclusive p.K.b 5us cpu", NULL },
	{ "inclusive p.K.b > 1h",
	    "@2: inclusive p.K.b > 1h | 0.050ms in 3 calls" },
	{ "inclusive * 80us", NULL },
	{ "inclusive p.K.d < 1h",
	    "@0: inclusive p.K.d < 1h | 0.000ms in 0 calls" },
	{ "exclusive p.K.a 30us", NULL },
	{ "exclusive p.K.b == 40", NULL },
	{ "exclusive p.K.c 10000ns", NULL },
	{ "exclusive p.K.c 1us cpu", NULL },
	{ "exclusive * 80us", NULL },
	{ "exclusive * < 80us",
	    "@0: exclusive * < 80us | 0.080ms in 6 calls" },
	{ "exclusive p.K.d >= 0",
	    "@0: exclusive p.K.d >= 0 | 0.000ms in 0 calls" },
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
	{ "thread main rules\n  calls p.K.a 1\n  depth 3\n  threads 1\n",
	    "" },
	{ "thread worker rules\n  calls p.K.a 1\n  depth 2\n", "" },
	{ "thread w* rules\n  calls * 3\n",
	    "2 @10: calls * 3 | 2 calls\n" },
	{ "thread main rules\n  never p.K.b\n",
	    "2 @2: never p.K.b | 2 calls\n" },
	{ "thread worker rules\n  p.K.b under p.K.a\n", "" },
	{ "thread worker rules\n  inclusive p.K.a 20us\n", "" },
	{ "thread none rules\n  never *\n",
	    "1 @0: a thread of that name | none\n" },
	{ "thread none rules\n  threads 0\n", "" },
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
	judge(NEST, "select thread main\ncalls p.K.a 1\nthreads 1\n");
	ck_assert_str_eq(got, "");
	judge(NEST, "select hide p.K.a\nselect thread 1\n"
	    "thread main\n p.K.b\n  p.K.c\n p.K.b\n");
	ck_assert_str_eq(got, "");
	judge(NEST, "select depth 2..\nthread main\n *.b\n  *.c\n");
	ck_assert_str_eq(got, "");
	judge(NEST, "select from 25us\nselect to 45us\nselect thread 1\n"
	    "thread main\n *.a\n  *.b\n   *.c\ninclusive *.b 20us\n");
	ck_assert_str_eq(got, "");
	judge(NEST, "select min-time 30us\ncalls * 2\n");
	ck_assert_str_eq(got, "");
	judge(NEST, "select under *.b\nselect method *.c\ncalls * 1\n");
	ck_assert_str_eq(got, "");
}
END_TEST

/* All before it is told, too. */
START_TEST(judges_all_rules)
{
	judge(NEST, "# first\nnever *.a\n\ncalls *.b 3\nthread main\n *.b\n"
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

/* Small trees and traces of two methods, by a generator of the test's own,
 * against all ways to lay the one into the other. */
enum { CALLS_MAX = 9, NODES_MAX = 5 };

struct call {
	char method;
	unsigned parent;	/* index + 1; 0: none */
	unsigned end;		/* index of the first call behind it */
};

static unsigned state;

static unsigned
pick(unsigned limit)
{
	state = state * 1103515245 + 12345;
	return (state >> 16 & 0x7fff) % limit;
}

/* A forest by parents, each of which is open: in order. */
static unsigned
grow(struct call *calls, unsigned most)
{
	const unsigned count = 1 + pick(most);

	for (unsigned i = 0; i < count; i++) {
		unsigned parent = i;

		while (parent > 0 && pick(3) == 0)
			parent = calls[parent - 1].parent;
		calls[i] = (struct call){ (char)('a' + pick(2)), parent,
		    count };
	}
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = i + 1; j < count; j++) {
			unsigned up = calls[j].parent;

			while (up > i + 1)
				up = calls[up - 1].parent;
			if (up != i + 1) {
				calls[i].end = j;
				break;
			}
		}
	return count;
}

static int
fits(const struct call *tree, unsigned nodes, const struct call *calls,
    unsigned count, unsigned node, unsigned first, unsigned *where)
{
	if (node == nodes)
		return 1;
	for (unsigned i = first; i < count; i++) {
		const unsigned within = tree[node].parent == 0 ? 0 :
		    where[tree[node].parent - 1] + 1;

		if (calls[i].method != tree[node].method || (within != 0 &&
		    (i < within || i >= calls[within - 1].end)))
			continue;
		where[node] = i;
		if (fits(tree, nodes, calls, count, node + 1, i + 1, where))
			return 1;
	}
	return 0;
}

static unsigned
depth_of(const struct call *calls, unsigned i)
{
	unsigned depth = 1;

	for (; calls[i].parent != 0; i = calls[i].parent - 1)
		depth++;
	return depth;
}

static void
put_events(char *out, const struct call *calls, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		out += sprintf(out, "1+%c ", calls[i].method);
		const unsigned next = i + 1 == count ? 0 :
		    depth_of(calls, i + 1);
		unsigned depth = depth_of(calls, i), at = i;
		for (; depth > 0 && depth >= next; depth--) {
			out += sprintf(out, "1-%c ", calls[at].method);
			at = calls[at].parent - 1;
		}
	}
}

START_TEST(finds_a_subsequence_wherever_there_is_one)
{
	unsigned met = 0;

	for (unsigned seed = 1; seed <= 1500; seed++) {
		struct call tree[NODES_MAX], calls[CALLS_MAX];
		unsigned where[NODES_MAX];
		char events[CALLS_MAX * 8 + 1] = "", text[512];

		state = seed;
		const unsigned nodes = grow(tree, NODES_MAX);
		const unsigned count = grow(calls, CALLS_MAX);
		char *out = text + sprintf(text,
		    "thread main subsequence\n");
		for (unsigned i = 0; i < nodes; i++)
			out += sprintf(out, "%*sp.K.%c\n",
			    (int)depth_of(tree, i), "", tree[i].method);
		put_events(events, calls, count);
		judge(events, text);
		const int wanted = fits(tree, nodes, calls, count, 0, 0,
		    where);
		ck_assert_msg((got[0] == '\0') == wanted, "%s\n%s%s", events,
		    text, got);
		met += (unsigned)wanted;
	}
	ck_assert_uint_gt(met, 150);
	ck_assert_uint_lt(met, 1350);
}
END_TEST

static const struct {
	const char *text;
	unsigned line;
	const char *words;
} wrong[] = {
	{ "cals p.K.a 3\n", 1, "\"cals\" begins no rule (did you mean calls?" },
	{ "\n\nzzz\n", 3, "a line is a rule (calls, never" },
	{ "selekt thread x\n", 1, "did you mean select?" },
	{ "calls\n", 1, "ends too soon" },
	{ "calls p.K.a\n", 1, "calls METHOD [OP] NUMBER" },
	{ "calls p.K.a three\n", 1, "\"three\" has no place here" },
	{ "calls p.K.a 3 4\n", 1, "\"4\" has no place here" },
	{ "calls p.K.a -1\n", 1, "has no place here" },
	{ "calls p.K.a 18446744073709551616\n", 1, "has no place here" },
	{ "never\n", 1, "never METHOD" },
	{ "never a b\n", 1, "has no place here" },
	{ "a before\n", 1, "METHOD before METHOD" },
	{ "a before b c\n", 1, "METHOD before METHOD" },
	{ "depth deep\n", 1, "depth [OP] NUMBER" },
	{ "inclusive a < 5\xc2\xb5s\n", 1, "inclusive METHOD" },
	{ "inclusive a < -5us\n", 1, "has no place here" },
	{ "exclusive a < 5us real\n", 1, "[cpu|wall]" },
	{ "no threads\n", 1, "no other threads" },
	{ "no other methods\n", 1, "no other threads" },
	{ "thread\n", 1, "thread NAME [exact|subsequence|rules]" },
	{ "thread a tree\n", 1, "thread NAME" },
	{ "thread a exact b\n", 1, "thread NAME" },
	{ "thread a rules\n  no other threads\n", 2, "not indented" },
	{ "thread a rules\n  thread b\n", 2, "begins no rule" },
	{ "select\n", 1, "stand two words" },
	{ "select thread\n", 1, "stand two words" },
	{ "select thread a b\n", 1, "stand two words" },
	{ "select thread \"a\\x00\"\n", 1, "stand two words" },
	{ "select method /(/\n", 1, "not a regular expression" },
	{ "select depth 3..2\n", 1, "A..B" },
	{ "select depth ..\n", 1, "A..B" },
	{ "select depth 0\n", 1, "A..B" },
	{ "select from soon\n", 1, "not a time" },
	{ "select from 2s\nselect to 1s\n", 2, "ends behind its start" },
	{ "select clock wall\n", 1, "select thread, method" },
	{ "  p.K.a\n", 1, "below a line \"thread\"" },
	{ "thread a\n p.K.a\nnever b\n p.K.c\n", 4, "below a line" },
	{ "thread a\n    p.K.a\n  p.K.b\n", 3, "like no call above it" },
	{ "thread a\n  p.K.a\n    p.K.b\n   p.K.c\n", 4, "like no call" },
	{ "thread a\n p.K.a x0\n", 2, "xN" },
	{ "thread a\n p.K.a 3\n", 2, "not \"3\"" },
	{ "thread a\n p.K.a x2 x3\n", 2, "not \"x3\"" },
	{ "thread a\n p.K.a ... x2\n", 2, "xN" },
	{ "thread a\n p.K.a ...\n  p.K.b\n", 3, "in line 2 already" },
	{ "calls \"a 3\n", 1, "a quote has no end" },
	{ "calls \"a\"b 3\n", 1, "no blank stands behind" },
	{ "calls \"a\\q\" 3\n", 1, "an escape in quotes" },
	{ "calls \"a\\x4\" 3\n", 1, "an escape in quotes" },
	{ "calls /[/ 3\n", 1, "not a regular expression" },
	{ "never a\xff\n", 1, "not text in UTF-8" },
	{ "never a\x01\n", 1, "not text in UTF-8" },
	{ "never a # \xc2\x85\n", 1, "without control characters" },
	{ "never a # \xe2\x80\xae\n", 1, "without control characters" },
};

START_TEST(says_what_is_wrong_with_a_line)
{
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	const struct dmtrace_error *const error = dmtrace_spec_error(spec);

	ck_assert_int_eq(dmtrace_spec_decode(spec, wrong[_i].text,
	    strlen(wrong[_i].text)), DMTRACE_ERR_CORRUPT);
	ck_assert_int_eq(error->place, DMTRACE_PLACE_LINE);
	ck_assert_uint_eq(error->at, wrong[_i].line);
	ck_assert_msg(strstr(error->words, wrong[_i].words) != NULL, "%s",
	    error->words);
	ck_assert_int_eq(dmtrace_spec_decode(spec, "", 0),
	    DMTRACE_ERR_CORRUPT);
	dmtrace_spec_free(spec);
}
END_TEST

/* Writes the spec anew to got. */
static enum dmtrace_status
update(struct dmtrace_op *op, struct dmtrace_spec *spec, const char *events,
    unsigned flags)
{
	struct dmtrace_writer *const writer = trace_of(events);
	struct dmtrace_reader *const reader = open_trace(writer);
	struct dmtrace_sink *const sink = dmtrace_sink_new();
	FILE *const file = tmpfile();

	ck_assert_int_eq(dmtrace_sink_open_fd(sink, fileno(file)),
	    DMTRACE_OK);
	const enum dmtrace_status status = dmtrace_spec_update(op, spec,
	    reader, flags, sink);
	dmtrace_sink_close(sink);
	dmtrace_sink_free(sink);
	rewind(file);
	got[fread(got, 1, sizeof(got) - 1, file)] = '\0';
	fclose(file);
	dmtrace_reader_free(reader);
	dmtrace_writer_free(writer);
	return status;
}

#define HEAD "# What the calls of a trace should be; see dmtrace-expect(1).\n"

/* old NULL: there was none. */
static const struct {
	const char *label;
	const char *events;
	const char *old;
	const char *text;
} updates[] = {
	{ "a new one", "1+a 1+b 1-b 1+b 1-b 1-a 2+c 3+c 3+f", NULL,
	    HEAD "no other threads\n\nthread main exact\n  p.K.a\n"
	    "    p.K.b x2\n\nthread worker exact\n  p.K.c\n\n"
	    "thread worker exact\n  p.K.c\n    \"two words\"\n" },
	{ "overloaded methods, and one that no table lists",
	    "4+d 4-d 4+e 4-e 4+u 4-u 5-a", NULL,
	    HEAD "no other threads\n\nthread \"pool 4\" exact\n"
	    "  p.K.d(I)V\n  p.K.d(J)V\n  0x40\n\nthread \"\" exact\n" },
	{ "equal trees are one line, others are not",
	    "1+a 1+b 1-b 1-a 1+a 1+b 1-b 1-a 1+a 1-a 1+a 1+c 1-c 1-a", NULL,
	    HEAD "no other threads\n\nthread main exact\n  p.K.a x2\n"
	    "    p.K.b\n  p.K.a\n  p.K.a\n    p.K.c\n" },
	{ "what is met stays as it is", "1+a 1-a 1+b 1-b",
	    "# mine\nthread main\n\t/a$/   x1\n\t\n\t*\n# end",
	    "# mine\nthread main\n\t/a$/   x1\n\t\n\t*\n# end\n" },
	{ "stars, comments and the like stay where their calls are",
	    "1+a 1+b 1+d 1-d 1-b 1+c 1-c 1-a",
	    "# top\nthread m* # first\n  # before a\n  *.a # behind a\n"
	    "    # gone\n    *.d # too\n    *.b ... # all of it\n"
	    "  # last\n  *.c\n# tail\ncalls *.a 7 # kept\n",
	    "# top\nthread m* # first\n  # before a\n  *.a # behind a\n"
	    "    # gone\n  # too\n    *.b ... # all of it\n    p.K.c\n"
	    "  # last\n# tail\ncalls *.a 7 # kept\n" },
	{ "trees of threads that are not there go",
	    "1+a", "thread x\n  # why\n  *.a\nthread main\n  *.b\n",
	    "  # why\nthread main\n  p.K.a\n" },
	{ "others come if no others are expected", "1+a 2+b",
	    "no other threads\nthread main\n  *.a\n",
	    "no other threads\nthread main\n  *.a\n\n"
	    "thread worker exact\n  p.K.b\n" },
	{ "but not if they may be there", "1+a 2+b",
	    "thread main\n  *.a\n", "thread main\n  *.a\n" },
	{ "rules and subsequences stay", "1+a 2+b",
	    "thread main subsequence\n  *.c\nthread w* rules\n  never *\n"
	    "no other threads\n",
	    "thread main subsequence\n  *.c\nthread w* rules\n  never *\n"
	    "no other threads\n" },
	{ "rules alone get trees", "1+a", "never *.c\n",
	    "never *.c\n\nthread main exact\n  p.K.a\n" },
	{ "what is selected is written", "1+a 1+b 2+c",
	    "select depth 1 # short\nno other threads\n",
	    "select depth 1 # short\nno other threads\n\n"
	    "thread main exact\n  p.K.a\n\nthread worker exact\n  p.K.c\n" },
};

START_TEST(writes_trees_anew)
{
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	const char *const old = updates[_i].old;
	char text[4096];

	if (old != NULL)
		ck_assert_int_eq(dmtrace_spec_decode(spec, old, strlen(old)),
		    DMTRACE_OK);
	ck_assert_int_eq(update(op, spec, updates[_i].events, 0),
	    DMTRACE_OK);
	ck_assert_msg(strcmp(got, updates[_i].text) == 0, "%s:\n%s",
	    updates[_i].label, got);
	dmtrace_spec_free(spec);

	/* again, nothing changes */
	struct dmtrace_spec *const again = dmtrace_spec_new();
	strcpy(text, got);
	ck_assert_int_eq(dmtrace_spec_decode(again, text, strlen(text)),
	    DMTRACE_OK);
	ck_assert_int_eq(update(op, again, updates[_i].events, 0),
	    DMTRACE_OK);
	ck_assert_str_eq(got, text);
	dmtrace_spec_free(again);
	dmtrace_op_free(op);
}
END_TEST

START_TEST(writes_signatures_and_what_is_selected)
{
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	static const char old[] = "# why\nselect depth 1\nthread main\n *.b\n";

	ck_assert_int_eq(dmtrace_spec_decode(spec, old, sizeof(old) - 1),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_spec_select(spec, "method", "p.K.*"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_spec_select(spec, "thread", "ma\"in"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_spec_select(spec, "thread", "main"),
	    DMTRACE_OK);
	ck_assert_int_eq(update(op, spec, "1+a 1+f 1+b 2+b",
	    DMTRACE_SPEC_SIGNATURES), DMTRACE_OK);
	ck_assert_str_eq(got, "# why\nselect method p.K.*\n"
	    "select thread \"ma\\\"in\"\nselect thread main\n"
	    "thread main\n  p.K.a()V\n    p.K.b()V\n");
	ck_assert_int_eq(dmtrace_spec_select(spec, "colour", "red"),
	    DMTRACE_ERR_RANGE);
	ck_assert_ptr_nonnull(strstr(dmtrace_spec_error(spec)->words,
	    "min-time"));
	dmtrace_spec_free(spec);
	dmtrace_op_free(op);
}
END_TEST

/* A text with all that there is. */
static const char whole[] =
    "# all\nselect thread *\nselect depth 1..9\ncalls p.K.* >= 1\n"
    "never \"a\\x00\\\"b\"\n/K.a/ before p.K.b\np.K.b under p.K.a\n"
    "inclusive *.a < 5ms cpu\nexclusive *.a >= 0\nno other threads\n"
    "thread main exact\n\t*.a x1\n\t\tp/K.b ...\n"
    "thread w* rules\n  threads <= 2\n  depth 1\n"
    "thread worker subsequence\n  p.K.c\n";
static const char whole_events[] = "1+a 1+b 1-b 1-a 2+c 2-c 3+c";

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
		ck_assert(status == DMTRACE_OK ||
		    status == DMTRACE_ERR_CORRUPT);
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
		failing_told(&failing, judge_bytes(reader, whole,
		    sizeof(whole) - 1));
		dmtrace_reader_free(reader);
	} while (failing.failed);
	ck_assert_uint_gt(failing.told, 19);
	dmtrace_writer_free(writer);
}
END_TEST

static enum dmtrace_status
update_bytes(struct dmtrace_reader *reader, struct dmtrace_sink *sink)
{
	static const char text[] = "select thread *\nthread main\n  # x\n"
	    "  *.a x2\n    *.c # y\nno other threads\n";
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	if (spec != NULL && op != NULL) {
		status = dmtrace_spec_decode(spec, text, sizeof(text) - 1);
		if (status == DMTRACE_OK)
			status = dmtrace_spec_select(spec, "depth", "..9");
		if (status == DMTRACE_OK)
			status = dmtrace_spec_update(op, spec, reader, 0,
			    sink);
	}
	dmtrace_op_free(op);
	dmtrace_spec_free(spec);
	return status;
}

START_TEST(updates_fail_with_every_allocation)
{
	struct dmtrace_writer *const writer = trace_of(whole_events);
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		struct dmtrace_reader *const reader = open_trace(writer);
		struct dmtrace_sink *const sink = dmtrace_sink_new();
		FILE *const file = tmpfile();

		dmtrace_sink_open_fd(sink, fileno(file));
		failing_arm(&failing);
		enum dmtrace_status status = update_bytes(reader, sink);
		if (status == DMTRACE_OK)
			status = dmtrace_sink_close(sink);
		failing_told(&failing, status);
		dmtrace_sink_free(sink);
		fclose(file);
		dmtrace_reader_free(reader);
	} while (failing.failed);
	ck_assert_uint_gt(failing.told, 19);
	dmtrace_writer_free(writer);
}
END_TEST

static const enum fault faults[] = { FAULT_ALLOC, FAULT_READ };

START_TEST(reads_or_fails_with_every_call)
{
	char name[] = "spec-XXXXXX";
	const int fd = mkstemp(name);
	const struct dmtrace_file file = { name, -1 };
	struct failing failing = { .kind = faults[_i] };

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, whole, sizeof(whole) - 1),
	    sizeof(whole) - 1);
	close(fd);
	do {
		struct dmtrace_spec *const spec = dmtrace_spec_new();

		failing_arm(&failing);
		failing_told(&failing, dmtrace_spec_read(spec, &file));
		dmtrace_spec_free(spec);
	} while (failing.failed);
	ck_assert_uint_gt(failing.told, 0);
	unlink(name);
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

START_TEST(refuses_to_write_too_deep_trees)
{
	enum { DEPTH = 16385 };
	char *const events = calloc(DEPTH, 4);
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_op *const op = dmtrace_op_new();

	for (size_t i = 0; i < DEPTH; i++)
		memcpy(events + 4 * i, "1+a ", 4);
	events[4 * DEPTH - 1] = '\0';
	ck_assert_int_eq(update(op, spec, events, 0), DMTRACE_ERR_LIMIT);
	ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->words,
	    "select a depth"));
	dmtrace_op_free(op);
	dmtrace_spec_free(spec);
	free(events);
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
	tcase_add_test(tcase, finds_a_subsequence_wherever_there_is_one);
	ADD_CASES(tcase, says_what_is_wrong_with_a_line, wrong);
	ADD_CASES(tcase, writes_trees_anew, updates);
	tcase_add_test(tcase, writes_signatures_and_what_is_selected);
	tcase_add_test(tcase, survives_every_prefix_and_changed_byte);
	tcase_add_test(tcase, fails_with_every_allocation);
	tcase_add_test(tcase, updates_fail_with_every_allocation);
	ADD_CASES(tcase, reads_or_fails_with_every_call, faults);
	tcase_add_test(tcase, can_be_cancelled_and_wants_a_new_reader);
	tcase_add_test(tcase, refuses_to_write_too_deep_trees);
	return unit_main(suite);
}
