/* test_spec.c - specifications parsed and written again */

#include <dmtrace.h>
#include <string.h>
#include <unistd.h>

#include "helpers/expects.h"
#include "helpers/failing.h"
#include "helpers/unit.h"
#include "private/output.h"
#include "private/verify.h"

static const struct {
	const char *text;
	unsigned line;
	const char *message;
} wrong[] = {
	{ "cals p.K.a 3\n", 1, "unknown rule \"cals\" (did you mean calls?" },
	{ "\n\nzzz\n", 3, "a line is a rule (calls, never" },
	{ "cals(p.K.a) 3\n", 1, "\"cals(p.K.a)\" (did you mean calls?" },
	{ "selekt thread x\n", 1, "did you mean select?" },
	{ "never\n", 1, "line is incomplete" },
	{ "calls(p.K.a)\n", 1, "calls(METHOD) [OP] NUMBER" },
	{ "calls p.K.a 3\n", 1, "the brackets around the method are missing" },
	{ "exclusive\n", 1, "expected \"exclusive(METHOD) [OP] TIME" },
	{ "calls(p.K.a 3\n", 1, "a bracket is not closed" },
	{ "calls(p.K.a(I)I == 3\n", 1, "a bracket is not closed" },
	{ "calls(/a(b)/ == 3\n", 1, "or the bracket is not closed" },
	{ "calls(\"a\" b) 3\n", 1, "a bracket is not closed" },
	{ "calls( ) 3\n", 1, "there is no method in the brackets" },
	{ "calls(\"\") 3\n", 1, "there is no method in the brackets" },
	{ "calls(p.K.a) =! 3\n", 1, "unknown operator \"=!\"; the operators" },
	{ "calls(p.K.a) = 3\n", 1, "unknown operator \"=\"; the operators" },
	{ "calls(p.K.a) ==3 3\n", 1, "unexpected \"3\"" },
	{ "calls(p.K.a) three\n", 1, "unexpected \"three\"" },
	{ "calls(p.K.a) 3 4\n", 1, "unexpected \"4\"" },
	{ "calls(p.K.a) -1\n", 1, "\"-1\" is a change" },
	{ "calls(p.K.a) 18446744073709551616\n", 1, "unexpected" },
	{ "never\n", 1, "never METHOD" },
	{ "never a b\n", 1, "unexpected" },
	{ "a before\n", 1, "METHOD before METHOD" },
	{ "a before b c\n", 1, "METHOD before METHOD" },
	{ "depth deep\n", 1, "depth [OP] NUMBER" },
	{ "inclusive(a) < 5\xc2\xb5s\n", 1, "s\" is not a time with a unit" },
	{ "inclusive(a) < -5us\n", 1, "\"-5us\" is a change" },
	{ "inclusive(a) < 5\n", 1, "the time 5 has no unit" },
	{ "exclusive(a) 1000 cpu\n", 1, "the time 1000 has no unit" },
	{ "inclusive(a) < 1.5\n", 1, "the time 1.5 has no unit" },
	{ "exclusive(a) < 5us real\n", 1, "[cpu|wall]" },
	{ "no threads\n", 1, "no other threads" },
	{ "no other methods\n", 1, "no other threads" },
	{ "thread\n", 1, "thread NAME [exact|subsequence|rules]" },
	{ "thread a tree\n", 1, "thread NAME" },
	{ "thread a exact b\n", 1, "thread NAME" },
	{ "thread a rules\n  no other threads\n", 2, "must not be indented" },
	{ "thread a rules\n  thread b\n", 2, "unknown rule" },
	{ "select\n", 1, "select CONDITION VALUE" },
	{ "select thread\n", 1, "select CONDITION VALUE" },
	{ "select thread a b\n", 1, "select CONDITION VALUE" },
	{ "select thread \"a\\x00\"\n", 1, "select CONDITION VALUE" },
	{ "select method /(/\n", 1, "not a regular expression" },
	{ "select depth 3..2\n", 1, "A..B" },
	{ "select depth ..\n", 1, "A..B" },
	{ "select depth 0\n", 1, "A..B" },
	{ "select from soon\n", 1, "not a time" },
	{ "select from 5\n", 1, "not a time with a unit" },
	{ "select to 5\n", 1, "not a time with a unit" },
	{ "select min-time 5\n", 1, "not a time with a unit" },
	{ "select from 2s\nselect to 1s\n", 2, "must end after it begins" },
	{ "select clock wall\n", 1, "unknown condition" },
	{ "  p.K.a\n", 1, "follow a line \"thread\"" },
	{ "thread a\n p.K.a\nnever b\n p.K.c\n", 4, "follow a line" },
	{ "thread a\n    p.K.a\n  p.K.b\n", 3, "no call above" },
	{ "thread a\n  p.K.a\n    p.K.b\n   p.K.c\n", 4, "no call above" },
	{ "thread a\n p.K.a x0\n", 2, "xN" },
	{ "thread a\n p.K.a 3\n", 2, "not \"3\"" },
	{ "thread a\n p.K.a x2 x3\n", 2, "not \"x3\"" },
	{ "thread a\n p.K.a ... x2\n", 2, "xN" },
	{ "thread a\n p.K.a ...\n  p.K.b\n", 3, "of line 2" },
	{ "calls(\"a 3\n", 1, "a quote is not closed" },
	{ "never \"a\"b\n", 1, "a blank must follow" },
	{ "calls(\"a\\q\") 3\n", 1, "an escape in quotes" },
	{ "calls(\"a\\x4\") 3\n", 1, "an escape in quotes" },
	{ "calls(/[/) 3\n", 1, "\"/[/\": not a regular expression" },
	{ "inclusive(a) > +5%\n", 1, "\"+5%\" is a change, which only rules" },
	{ "inclusive(a) < +5ms\n", 1, "\"+5ms\" is a change" },
	{ "depth < -1\n", 1, "\"-1\" is a change" },
	{ "never !\n", 1, "\"!\": nothing follows the \"!\"" },
	{ "calls(! a) 3\n", 1, "\"! a\": a blank follows the \"!\"" },
	{ "never !!a\n", 1, "\"!!a\": a second \"!\"" },
	{ "never !\"a b\"\n", 1, "\"!\" negates a name or pattern" },
	{ "calls(!\"a b\") 3\n", 1, "\"!\" negates a name or pattern" },
	{ "thread /x\n", 1, "between two slashes" },
	{ "thread //\n", 1, "an empty regular expression" },
	{ "calls(/a+++++++++++++++++++++++++++++++++++/) 3\n", 1,
	    "a regular expression that gets" },
	{ "calls(/(((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+/) 3\n", 1,
	    "a regular expression that gets" },
	{ "calls(/a{1002}/) 3\n", 1, "a regular expression that gets" },
	{ "calls(/((a{255}){0,255}){9,}/) 3\n", 1,
	    "a regular expression that gets" },
	{ "calls(/E*++++++++++/) 3\n", 1, "a regular expression that gets" },
	{ "calls(/[]+[:alpha:]+]+++++++++++++++/) 3\n", 1,
	    "a regular expression that gets" },
	{ "calls(/[[:alpha:]]{101}{100}/) 3\n", 1,
	    "a regular expression that gets" },
	{ "never a\xff\n", 1, "not UTF-8 text" },
	{ "never a\x01\n", 1, "not UTF-8 text" },
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
	ck_assert_msg(strstr(error->message, wrong[_i].message) != NULL, "%s",
	    error->message);
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
	struct dmt_output sink = { 0 };
	FILE *const file = tmpfile();

	dmt_output_open_fd(&sink, fileno(file));
	const enum dmtrace_status status = dmt_spec_update(op, spec,
	    reader, flags, &sink);
	dmt_output_close(&sink);
	dmt_output_fini(&sink);
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
	    "# top\nthread m* # first\n  # before a\n  *.a # after a\n"
	    "    # gone\n    *.d # too\n    *.b ... # all of it\n"
	    "  # last\n  *.c\n# tail\ncalls(*.a) 7 # kept\n",
	    "# top\nthread m* # first\n  # before a\n  *.a # after a\n"
	    "    # gone\n  # too\n    *.b ... # all of it\n    p.K.c\n"
	    "  # last\n# tail\ncalls(*.a) 7 # kept\n" },
	{ "regular expressions and stars are not quoted", "1+a 1+b 1-b 1+d",
	    "thread main\n  /^(x y|.*a)$/\n    *\"* # gone\n    !a\"b\n",
	    "thread main\n  /^(x y|.*a)$/\n  # gone\n    !a\"b\n"
	    "    p.K.d(I)V\n" },
	{ "trees of threads that are not there go",
	    "1+a", "thread x\n  # why\n  *.a\nthread main\n  *.b\n",
	    "  # why\nthread main\n  p.K.a\n" },
	{ "but if none is left, there are those of all threads",
	    "1+a", "thread x\n  # why\n  *.a\n",
	    "  # why\n\nthread main exact\n  p.K.a\n" },
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
	ck_assert_int_eq(dmt_spec_select(spec, "method", "p.K.*"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmt_spec_select(spec, "thread", "ma\"in"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmt_spec_select(spec, "thread", "main"),
	    DMTRACE_OK);
	ck_assert_int_eq(update(op, spec, "1+a 1+f 1+b 2+b",
	    DMT_SPEC_SIGNATURES), DMTRACE_OK);
	ck_assert_str_eq(got, "# why\nselect method p.K.*\n"
	    "select thread \"ma\\\"in\"\nselect thread main\n"
	    "thread main\n  p.K.a()V\n    p.K.b()V\n");
	ck_assert_int_eq(dmt_spec_select(spec, "colour", "red"),
	    DMTRACE_ERR_RANGE);
	ck_assert_ptr_nonnull(strstr(dmtrace_spec_error(spec)->message,
	    "min-time"));
	dmtrace_spec_free(spec);
	dmtrace_op_free(op);
}
END_TEST

static enum dmtrace_status
update_bytes(struct dmtrace_reader *reader, struct dmt_output *sink)
{
	static const char text[] = "select thread *\nthread main\n  # x\n"
	    "  *.a x2\n    *.c # y\nno other threads\n";
	struct dmtrace_spec *const spec = dmtrace_spec_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	if (spec != NULL && op != NULL) {
		status = dmtrace_spec_decode(spec, text, sizeof(text) - 1);
		if (status == DMTRACE_OK)
			status = dmt_spec_select(spec, "depth", "..9");
		if (status == DMTRACE_OK)
			status = dmt_spec_update(op, spec, reader, 0,
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
		struct dmt_output sink = { 0 };
		FILE *const file = tmpfile();

		dmt_output_open_fd(&sink, fileno(file));
		failing_arm(&failing);
		enum dmtrace_status status = update_bytes(reader, &sink);
		if (status == DMTRACE_OK)
			status = dmt_output_close(&sink);
		failing_reported(&failing, status);
		dmt_output_fini(&sink);
		fclose(file);
		dmtrace_reader_free(reader);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 19);
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
		failing_reported(&failing, dmtrace_spec_read(spec, &file));
		dmtrace_spec_free(spec);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
	unlink(name);
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
	ck_assert_ptr_nonnull(strstr(dmtrace_op_error(op)->message,
	    "select a depth"));
	dmtrace_op_free(op);
	dmtrace_spec_free(spec);
	free(events);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("spec");
	TCase *tcase = unit_tcase(suite, "spec");

	ADD_CASES(tcase, says_what_is_wrong_with_a_line, wrong);
	ADD_CASES(tcase, writes_trees_anew, updates);
	tcase_add_test(tcase, writes_signatures_and_what_is_selected);
	tcase_add_test(tcase, updates_fail_with_every_allocation);
	ADD_CASES(tcase, reads_or_fails_with_every_call, faults);
	tcase_add_test(tcase, refuses_to_write_too_deep_trees);
	return unit_main(suite);
}
