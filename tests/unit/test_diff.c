/* test_diff.c - two sets of runs, small enough to be compared by hand */

#include <dmtrace.h>

#include <string.h>

#include "helpers/failing.h"
#include "helpers/profiles.h"
#include "helpers/unit.h"
#include "private/verify.h"
#include "verify/diff/rank.h"

#define RUNS 8

/* Adds a profile of each text; they are freed. */
static void
add_runs(struct dmtrace_diff *diff, enum dmtrace_diff_side side,
    const char *const *runs)
{
	for (size_t i = 0; i < RUNS && runs[i] != NULL; i++) {
		struct dmtrace_profile *const profile = profile_of(runs[i], 0,
		    DMTRACE_PROFILE_BY_METHOD);

		ck_assert_int_eq(dmtrace_diff_add(diff, side, profile),
		    DMTRACE_OK);
		dmtrace_profile_free(profile);
	}
}

static struct dmtrace_diff *
diff_of(const char *const *base, const char *const *new)
{
	struct dmtrace_diff *const diff = dmtrace_diff_new();

	ck_assert_ptr_nonnull(diff);
	add_runs(diff, DMTRACE_DIFF_BASE, base);
	add_runs(diff, DMTRACE_DIFF_NEW, new);
	ck_assert_int_eq(dmtrace_diff_compare(diff, DMTRACE_PROFILE_CPU,
	    0.05), DMTRACE_OK);
	return diff;
}

static size_t
change_text(char *out, size_t used, const struct dmtrace_diff_change *change,
    double unit)
{
	return used + (size_t)snprintf(out + used, TEXT_MAX - used,
	    " %g>%g%s", change->medians[0] / unit, change->medians[1] / unit,
	    change->different ? "!" : "");
}

/* "A 1/1 calls inclusive exclusive; ": in how many runs, and from what to
 * what. */
static void
diff_text(char out[TEXT_MAX], const struct dmtrace_diff *diff)
{
	size_t used = 0;

	for (size_t i = 0; i < dmtrace_diff_method_count(diff); i++) {
		static const enum dmtrace_diff_figure figures[] = {
			DMTRACE_DIFF_CALLS, DMTRACE_DIFF_INCLUSIVE_CPU,
			DMTRACE_DIFF_EXCLUSIVE_CPU
		};
		struct dmtrace_diff_method method;
		struct dmtrace_diff_change change;

		dmtrace_diff_method_get(diff, i, &method);
		used += (size_t)snprintf(out + used, TEXT_MAX - used,
		    "%.*s %zu/%zu", i == 0 ? 3 : (int)method.name.len,
		    i == 0 ? "top" : method.name.bytes, method.runs[0],
		    method.runs[1]);
		for (size_t j = 0; j < ROWS(figures); j++) {
			dmtrace_diff_change_get(diff, i, figures[j], &change);
			used = change_text(out, used, &change,
			    j == 0 ? 1 : 1000);
		}
		used += (size_t)snprintf(out + used, TEXT_MAX - used, "; ");
	}
}

static const struct {
	const char *label;
	const char *base[RUNS], *new[RUNS];
	const char *text;
} cases[] = {
	{ "the same", { "1+A0 1-A30" }, { "1+A5 1-A35" },
	    "top 1/1 0>0 30>30 0>0; A 1/1 1>1 30>30 30>30; " },
	{ "slower, faster, more calls, only in one",
	    { "1+A0 1+B10 1-B20 1+C20 1-C50 1-A60 1+D60 1-D61" },
	    { "1+A0 1+B10 1-B15 1+C20 1-C55 1+C55 1-C60 1-A70 1+F70 1-F72" },
	    "top 1/1 0>0 61>72! 0>0; A 1/1 1>1 60>70! 20>25!; "
	    "B 1/1 1>1 10>5! 10>5!; C 1/1 1>2! 30>40! 30>40!; "
	    "D 1/0 1>0! 1>0! 1>0!; 0x18 0/1 0>1! 0>2! 0>2!; " },
	{ "recursion", { "1+A0 1+A10 1-A20 1-A30" }, { "1+A0 1-A30" },
	    "top 1/1 0>0 30>30 0>0; A 1/1 2>1! 30>30 30>30; " },
	{ "medians, of an odd and an even number; one run takes no test",
	    { "1+A0 1-A10", "1+A0 1-A30", "1+A0 1-A21", "1+A0 1-A26" },
	    { "1+A0 1-A50" },
	    "top 4/1 0>0 23.5>50! 0>0; A 4/1 1>1 23.5>50! 23.5>50!; " },
	{ "four and four, apart",
	    { "1+A0 1-A10", "1+A0 1-A11", "1+A0 1-A12", "1+A0 1-A13" },
	    { "1+A0 1-A20", "1+A0 1-A21", "1+A0 1-A22", "1+A0 1-A23" },
	    "top 4/4 0>0 11.5>21.5! 0>0; "
	    "A 4/4 1>1 11.5>21.5! 11.5>21.5!; " },
	{ "three and three are too few",
	    { "1+A0 1-A10", "1+A0 1-A11", "1+A0 1-A12" },
	    { "1+A0 1-A20", "1+A0 1-A21", "1+A0 1-A22" },
	    "top 3/3 0>0 11>21 0>0; A 3/3 1>1 11>21 11>21; " },
	{ "but not for calls that never change",
	    { "1+A0 1-A10", "1+A0 1-A10" },
	    { "1+A0 1-A5 1+A5 1-A10", "1+A0 1-A5 1+A5 1-A10" },
	    "top 2/2 0>0 10>10 0>0; A 2/2 1>2! 10>10 10>10; " },
	{ "unless those of one run differ",
	    { "1+A0 1-A10", "1+A0 1-A10", "1+A0 1-A5 1+A5 1-A10" },
	    { "1+A0 1-A2 1+A2 1-A5 1+A5 1-A10",
	    "1+A0 1-A2 1+A2 1-A5 1+A5 1-A10",
	    "1+A0 1-A2 1+A2 1-A5 1+A5 1-A10" },
	    "top 3/3 0>0 10>10 0>0; A 3/3 1>3 10>10 10>10; " },
	{ "or those of a new one",
	    { "1+A0 1-A10", "1+A0 1-A10", "1+A0 1-A10" },
	    { "1+A0 1-A5 1+A5 1-A10", "1+A0 1-A5 1+A5 1-A10",
	    "1+A0 1-A2 1+A2 1-A5 1+A5 1-A10" },
	    "top 3/3 0>0 10>10 0>0; A 3/3 1>2 10>10 10>10; " },
	{ "and for a method that is gone",
	    { "1+A0 1-A9", "1+A0 1-A10" }, { "1+B0 1-B8", "1+B0 1-B10" },
	    "top 2/2 0>0 9.5>9 0>0; A 2/0 1>0! 9.5>0 9.5>0; "
	    "B 0/2 0>1! 0>9 0>9; " },
	{ "nothing", { "" }, { "" }, "top 1/1 0>0 0>0 0>0; " },
};

START_TEST(reports_what_was_compared_by_hand)
{
	struct dmtrace_diff *const diff = diff_of(cases[_i].base,
	    cases[_i].new);
	char text[TEXT_MAX];

	diff_text(text, diff);
	ck_assert_msg(strcmp(text, cases[_i].text) == 0, "%s: %s",
	    cases[_i].label, text);
	dmtrace_diff_free(diff);
}
END_TEST

static const char *const five[] = { "1+A0 1-A10 1+B10 1-B20",
	"1+A0 1-A11 1+B20 1-B30", "1+A0 1-A12 1+B20 1-B30",
	"1+A0 1-A13 1+B20 1-B30", "1+A0 1-A14 1+B20 1-B30", NULL };
static const char *const slower[] = { "1+A0 1-A20 1+B20 1-B30",
	"1+A0 1-A21 1+B30 1-B40", "1+A0 1-A22 1+B30 1-B40",
	"1+A0 1-A23 1+B30 1-B40", "1+A0 1-A24 1+B30 1-B40", NULL };

/* A: 10 to 14 and 20 to 24; p is 2 of 252. Of five tests (the total, its
 * rest, A twice and B, which is constant) B takes none. */
START_TEST(computes_the_statistics)
{
	struct dmtrace_diff *const diff = diff_of(five, slower);
	struct dmtrace_diff_change change;
	struct dmtrace_diff_summary summary;

	dmtrace_diff_change_get(diff, 1, DMTRACE_DIFF_INCLUSIVE_CPU, &change);
	ck_assert_double_eq_tol(change.p, 2.0 / 252, 1e-12);
	ck_assert_double_eq_tol(change.shift, 10000, 1e-9);
	ck_assert_double_eq_tol(change.percent, 100.0 * 10 / 12, 1e-9);
	ck_assert_double_eq_tol(change.delta, 1, 1e-12);
	ck_assert_double_eq_tol(change.detectable, 3000, 1e-9);
	ck_assert_int_eq(change.different, 1);
	ck_assert_int_eq(change.constant, 0);
	dmtrace_diff_change_get(diff, 2, DMTRACE_DIFF_INCLUSIVE_CPU, &change);
	ck_assert_int_eq(change.different, 0);
	ck_assert_int_eq(change.constant, 1);
	dmtrace_diff_summary_get(diff, &summary);
	ck_assert_int_eq(summary.tested, 1);
	ck_assert_uint_eq(summary.runs[0], 5);
	ck_assert_uint_eq(summary.records[1], 20);
	ck_assert_int_eq(summary.has_clock[DMTRACE_PROFILE_CPU], 1);
	ck_assert_int_eq(summary.has_clock[DMTRACE_PROFILE_WALL], 0);
	dmtrace_diff_free(diff);
}
END_TEST

/* Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, Journal
 * of the Royal Statistical Society B 57 (1995): p times count by rank, and no
 * more than that of the next. */
static const struct {
	double p[4], adjusted[4];
} many[] = {
	{ { .01, .02, .03, .04 }, { .04, .04, .04, .04 } },
	{ { .01, .04, .03, .005 }, { .02, .04, .04, .02 } },
	{ { .5, .001, .9, .9 }, { .9, .004, .9, .9 } },
	{ { 1, 1, 1, 1 }, { 1, 1, 1, 1 } },
};

START_TEST(adjusts_for_the_number_of_tests)
{
	struct dmt_adjusted all[4];
	double to[4];

	for (size_t i = 0; i < 4; i++)
		all[i] = (struct dmt_adjusted){ many[_i].p[i], &to[i] };
	dmt_rank_adjust(all, 4);
	for (size_t i = 0; i < 4; i++)
		ck_assert_double_eq_tol(to[i], many[_i].adjusted[i], 1e-12);
}
END_TEST

static const char *const before[] = { "1+A0 1+B10 1-B20 1-A60", NULL };
static const char *const after[] = {
	"1+A0 1+B10 1-B15 1+B20 1-B30 1-A66 1+E70 1-E80", NULL
};
static const char *const three[] = { "1+A0 1-A10", "1+A0 1-A11",
	"1+A0 1-A12", NULL };
static const char *const four[] = { "1+A0 1-A20", "1+A0 1-A21",
	"1+A0 1-A22", NULL };

#define RULE(about, of, by, op, limit) { \
	.method = about, .figure = DMTRACE_DIFF_ ## of, \
	.limits = { { DMT_ ## op, DMT_DIFF_ ## by, limit } }, .limit_count = 1 \
}

/* A: 60 to 66 us, 10 % more; B: 10 to 15 us, 1 to 2 calls; the total: 60 to
 * 80 us. */
static const struct {
	const char *const *base, *const *new;
	struct dmt_diff_rule rule;
	size_t matches, holds;
} rules[] = {
	{ before, after, RULE("p.K.A", INCLUSIVE_CPU, PERCENT, MORE, 9.9),
	    1, 1 },
	{ before, after, RULE("p.K.A", INCLUSIVE_CPU, PERCENT, MORE, 10),
	    1, 0 },
	{ before, after, RULE("p.K.A", INCLUSIVE_CPU, PERCENT, AT_LEAST, 10),
	    1, 1 },
	{ before, after, RULE("p/K.A()V", INCLUSIVE_CPU, SHIFT, MORE, 5999),
	    1, 1 },
	{ before, after, RULE("p.K.A", INCLUSIVE_CPU, SHIFT, MORE, 6000),
	    1, 0 },
	{ before, after, RULE("p.K.A", INCLUSIVE_CPU, VALUE, MORE, 65000),
	    1, 1 },
	{ before, after, RULE("p.K.A", INCLUSIVE_CPU, VALUE, LESS, 65000),
	    1, 0 },
	{ before, after, RULE("p.K.A", EXCLUSIVE_CPU, PERCENT, MORE, 0),
	    1, 1 },
	{ before, after, RULE("p.K.A", EXCLUSIVE_CPU, PERCENT, LESS, 0),
	    1, 0 },
	{ before, after, RULE("p.K.*", CALLS, SHIFT, MORE, 0), 2, 1 },
	{ before, after, RULE("*", INCLUSIVE_CPU, PERCENT, MORE, 5), 3, 3 },
	{ before, after, RULE("*", INCLUSIVE_CPU, PERCENT, MORE, 1e9), 3, 1 },
	{ before, after, RULE("*", CALLS, PERCENT, MORE, 1e9), 3, 1 },
	{ before, after, RULE("*", INCLUSIVE_CPU, PERCENT, LESS, -1), 3, 0 },
	{ after, before, RULE("*", INCLUSIVE_CPU, PERCENT, LESS, -5), 3, 3 },
	{ before, after, RULE("/K.[AB]/", CALLS, VALUE, AT_LEAST, 2), 3, 1 },
	{ before, after, RULE(NULL, INCLUSIVE_CPU, PERCENT, MORE, 33), 1, 1 },
	{ before, after, RULE(NULL, INCLUSIVE_CPU, PERCENT, MORE, 34), 1, 0 },
	{ before, after, RULE("p.K.A", INCLUSIVE_CPU, PERCENT, EQUAL, 10),
	    1, 1 },
	{ before, after, RULE("p.K.A", INCLUSIVE_CPU, VALUE, UNEQUAL, 66000),
	    1, 0 },
	{ before, after, RULE("p.K.*", CALLS, SHIFT, EQUAL, 0), 2, 1 },
	{ before, after, RULE("p.K.*", CALLS, SHIFT, UNEQUAL, 0), 2, 1 },
	{ before, after, RULE("!p.K.A", INCLUSIVE_CPU, PERCENT, MORE, 5), 2,
	    2 },
	{ before, after, RULE("!/^p/", INCLUSIVE_CPU, PERCENT, MORE, 5), 1,
	    1 },
	{ before, after, RULE("nothing", CALLS, SHIFT, MORE, 0), 0, 0 },
	{ five, slower, RULE("p.K.A", INCLUSIVE_CPU, PERCENT, MORE, 5), 1,
	    1 },
	{ five, slower, RULE("p.K.A", INCLUSIVE_CPU, PERCENT, MORE, 84), 1,
	    0 },
	{ slower, five, RULE("p.K.A", INCLUSIVE_CPU, SHIFT, LESS, -5000), 1,
	    1 },
	{ five, slower, RULE("p.K.B", INCLUSIVE_CPU, PERCENT, AT_LEAST, 0), 1,
	    0 },
	{ three, four, RULE("p.K.A", INCLUSIVE_CPU, PERCENT, MORE, 5), 1,
	    0 },
	{ three, four, RULE("p.K.A", INCLUSIVE_CPU, VALUE, MORE, 20000), 1,
	    1 },
};

/* A text, and its parse as text: the method, the figure, the limits, and the
 * clock; or part of the message. */
static const struct {
	const char *text, *parsed;
} texts[] = {
	{ "inclusive(a.B.c) > +5%", "a.B.c 0 4%5" },
	{ " exclusive ( a.B.c )<=20ms cpu ", "a.B.c 1 3=2e+07 cpu" },
	{ "calls(a.<init>(IJ)) == 3", "a.<init>(IJ) 2 0=3" },
	{ "calls(/^(a|b)>/) == 1.5M", "/^(a|b)>/ 2 0=1.5e+06" },
	{ "calls(!x y) != +2k", "!x y 2 1+2000" },
	{ "calls(\"!x)\") >= -1.5", "!x) as it is 2 5+-1.5" },
	{ "total<-0.5 %", "- 0 2%-0.5" },
	{ "total > +1min wall", "- 0 4+6e+10 wall" },
	{ "total > +1min global", "- 0 4+6e+10 wall" },
	{ "total > +1h thread-cpu", "- 0 4+3.6e+12 cpu" },
	{ "inclusive(*) > +5% and > +1ms", "* 0 4%5 4+1e+06" },
	{ "inclusive(*) > +5% wall and < 1s wall", "* 0 4%5 2=1e+09 wall" },
	{ "calls(*) > 1e3 and < 2e3 # why", "* 2 4=1000 2=2000" },
	{ "inclusive(*) > 0", "* 0 4=0" },
	{ "", "the rule is empty; a rule begins with" },
	{ "> 5", "unknown figure \"> 5\"; a rule begins with inclusive" },
	{ "often(a) > 5", "unknown figure \"often\"; a rule begins" },
	{ "inclusive > 5", "brackets around the method are missing, as in "
	    "\"inclusive(Foo.bar)\"" },
	{ "inclusive() > 5", "there is no method in the brackets" },
	{ "inclusive(a > 5", "a bracket is not closed" },
	{ "inclusive(\"a) > 5", "a quote is not closed" },
	{ "calls(/a) > 5", "expression in the brackets does not end with a" },
	{ "calls(!/a/ > 5", "expression in the brackets does not end with a" },
	{ "inclusive(!) > 5ms", "\"!\": nothing follows the \"!\"" },
	{ "calls(/[/) > 5", "\"/[/\": not a regular expression: " },
	{ "total(a) > 5ms", "total is about the whole trace" },
	{ "inclusive(a)", "the operator is missing: ==, !=, <" },
	{ "inclusive(a) 5%", "the operator is missing before \"5%\": ==, !=" },
	{ "calls(a.<init>)", "the operator is missing: ==" },
	{ "inclusive(a) => 5%", "unknown operator \"=>\"; the operators are" },
	{ "inclusive(a) > ", "the limit after the operator is missing: 20ms" },
	{ "calls(a) > ", "the limit after the operator is missing: 3, +10" },
	{ "inclusive(a) > x", "\"x\" is not a time with a unit (ns, us" },
	{ "inclusive(a) > 5ly", "\"5ly\" is not a time with a unit" },
	{ "inclusive(a) > +39", "the time +39 has no unit (ns, us, ms, s, min "
	    "or h), such as +39us" },
	{ "inclusive(a) > 99999999999999s", "is not a time with a unit" },
	{ "inclusive(a) > +5%%", "\"+5%%\" is not a percentage" },
	{ "inclusive(a) > %", "\"%\" is not a percentage" },
	{ "inclusive(a) > +99999999999999999999%", "is not a percentage" },
	{ "calls(a) > 5ms", "\"5ms\" is not a number of calls or a per" },
	{ "calls(a) > \"5\"", "\"5\" is not a number of calls" },
	{ "calls(a) > \"\"", "\"\" is not a number of calls" },
	{ "calls(a) > 5 cpu", "calls have no clock" },
	{ "inclusive(a) > 5ms cpu and < 9ms wall", "a rule has one clock" },
	{ "inclusive(a) > 5ms gpu", "unexpected \"gpu\" after the limit; " },
	{ "calls(a) > 5 5", "unexpected \"5\" after the limit; \"and\"" },
	{ "calls(a) > 5 and", "the operator is missing: ==" },
	{ "calls(a) > 5 and < 9 and < 8", "\"and\" after the second limit" },
};

START_TEST(parses_rules)
{
	static const char measures[] = { [DMT_DIFF_SHIFT] = '+',
	    [DMT_DIFF_PERCENT] = '%', [DMT_DIFF_VALUE] = '=' };
	struct dmt_diff_rule rule;
	struct dmtrace_error error;
	char parsed[DMTRACE_MESSAGE_MAX], *end = parsed;

	if (dmt_diff_rule_parse(&rule, texts[_i].text, &error) == DMTRACE_OK) {
		end += sprintf(end, "%s%s %d", rule.method == NULL ? "-" :
		    rule.method, rule.is_name ? " as it is" : "",
		    (int)rule.subject);
		for (unsigned i = 0; i < rule.limit_count; i++)
			end += sprintf(end, " %d%c%g",
			    (int)rule.limits[i].compare,
			    measures[rule.limits[i].measure],
			    rule.limits[i].number);
		sprintf(end, "%s", rule.clock == DMT_TIME_ANY ? "" :
		    rule.clock == DMT_TIME_CPU ? " cpu" : " wall");
		ck_assert_str_eq(parsed, texts[_i].parsed);
	} else {
		ck_assert_int_eq(error.status, DMTRACE_ERR_CORRUPT);
		ck_assert_msg(strstr(error.message, texts[_i].parsed) != NULL,
		    "%s", error.message);
	}
	dmt_diff_rule_fini(&rule);
}
END_TEST

static void
count_up(void *context, size_t index,
    const struct dmtrace_diff_change *change)
{
	size_t *const count = context;

	(void)index;
	(void)change;
	++*count;
}

START_TEST(judges_by_rules)
{
	struct dmtrace_diff *const diff = diff_of(rules[_i].base,
	    rules[_i].new);
	struct dmt_diff_verdict verdict;
	size_t reported = 0;

	ck_assert_int_eq(dmt_diff_judge(diff, &rules[_i].rule, count_up,
	    &reported, &verdict), DMTRACE_OK);
	ck_assert_uint_eq(verdict.matches, rules[_i].matches);
	ck_assert_uint_eq(verdict.holds, rules[_i].holds);
	ck_assert_uint_eq(reported, verdict.holds);
	ck_assert_int_eq(dmt_diff_judge(diff, &rules[_i].rule, NULL,
	    NULL, NULL), DMTRACE_OK);
	dmtrace_diff_free(diff);
}
END_TEST

/* Methods p/K.A and p.K.A, one in the other for 22 years. */
START_TEST(refuses_times_that_do_not_fit)
{
	static const struct dmtrace_method methods[] = {
		{ .id = 4, .class_name = { "p/K", 3 }, .name = { "A", 1 } },
		{ .id = 8, .class_name = { "p.K", 3 }, .name = { "A", 1 } },
	};
	static const struct dmtrace_event events[] = {
		{ 4, 0, DMTRACE_NO_TIME, 1, DMTRACE_ENTER },
		{ 8, 0, DMTRACE_NO_TIME, 1, DMTRACE_ENTER },
		{ 8, UINT64_C(700000000000000000), DMTRACE_NO_TIME, 1,
		    DMTRACE_EXIT },
	};
	/* two rows, and one method of the diff */
	const struct dmtrace_profile_options options = {
		.by = DMTRACE_PROFILE_BY_ROW
	};
	struct dmtrace_profile *const profile =
	    dmtrace_profile_new(&options);
	struct dmtrace_diff *const diff = dmtrace_diff_new();
	struct dmtrace_key *const key = dmt_key_new();

	for (size_t i = 0; i < ROWS(methods); i++)
		ck_assert_int_eq(dmtrace_key_method_add(key, &methods[i]),
		    DMTRACE_OK);
	ck_assert_int_eq(profile_add_events(profile, key, events,
	    ROWS(events), 64), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_diff_add(diff, DMTRACE_DIFF_BASE, profile),
	    DMTRACE_ERR_LIMIT);
	ck_assert_str_ne(dmtrace_diff_error(diff)->message, "");
	dmt_key_free(key);
	dmtrace_diff_free(diff);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(refuses_calls_out_of_order)
{
	struct dmtrace_diff *const diff = dmtrace_diff_new();
	struct dmt_diff_rule rule = { .method = "" };

	ck_assert_int_eq(dmtrace_diff_compare(diff, DMTRACE_PROFILE_CPU,
	    0.05), DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_diff_compare(diff, DMTRACE_PROFILE_CPU, 0),
	    DMTRACE_ERR_RANGE);
	ck_assert_int_eq(dmt_diff_judge(diff, &rule, NULL, NULL,
	    NULL), DMTRACE_ERR_STATE);
	add_runs(diff, DMTRACE_DIFF_BASE, before);
	ck_assert_int_eq(dmtrace_diff_compare(diff, DMTRACE_PROFILE_CPU,
	    0.05), DMTRACE_ERR_STATE);
	add_runs(diff, DMTRACE_DIFF_NEW, after);
	ck_assert_int_eq(dmtrace_diff_compare(diff, DMTRACE_PROFILE_CPU,
	    0.05), DMTRACE_OK);
	ck_assert_int_eq(dmt_diff_judge(diff, &rule, NULL, NULL,
	    NULL), DMTRACE_ERR_RANGE);
	rule.method = "/[/";
	ck_assert_int_eq(dmt_diff_judge(diff, &rule, NULL, NULL,
	    NULL), DMTRACE_ERR_RANGE);
	dmtrace_diff_free(diff);
	dmtrace_diff_free(NULL);
}
END_TEST

/* It has the name that the time outside of methods goes by. */
START_TEST(compares_a_method_named_as_the_top)
{
	const struct dmtrace_method row = {
		.id = 4, .name = { "(toplevel)", 10 }, .line = DMTRACE_NO_LINE
	};
	struct dmtrace_key *const key = dmt_key_new();
	struct dmtrace_diff *const diff = dmtrace_diff_new();
	struct dmtrace_event events[2];
	char text[TEXT_MAX];

	dmtrace_key_method_add(key, &row);
	events_of(events, "1+A0 1-A30");
	for (int side = 0; side < DMTRACE_DIFF_SIDES; side++) {
		struct dmtrace_profile *const profile =
		    dmtrace_profile_new(NULL);

		profile_add_events(profile, key, events, 2, 64);
		ck_assert_int_eq(dmtrace_diff_add(diff,
		    (enum dmtrace_diff_side)side, profile), DMTRACE_OK);
		dmtrace_profile_free(profile);
	}
	ck_assert_int_eq(dmtrace_diff_compare(diff, DMTRACE_PROFILE_CPU,
	    0.05), DMTRACE_OK);
	diff_text(text, diff);
	ck_assert_str_eq(text,
	    "top 1/1 0>0 30>30 0>0; (toplevel) 1/1 1>1 30>30 30>30; ");
	dmtrace_diff_free(diff);
	dmt_key_free(key);
}
END_TEST

static enum dmtrace_status
run(const struct dmtrace_profile *a, const struct dmtrace_profile *b)
{
	const struct dmt_diff_rule rule = { .method = "*" };
	struct dmtrace_diff *const diff = dmtrace_diff_new();
	enum dmtrace_status status = diff == NULL ? DMTRACE_ERR_MEMORY :
	    DMTRACE_OK;

	for (int i = 0; i < 2 && status == DMTRACE_OK; i++) {
		status = dmtrace_diff_add(diff, DMTRACE_DIFF_BASE, a);
		if (status == DMTRACE_OK)
			status = dmtrace_diff_add(diff, DMTRACE_DIFF_NEW, b);
	}
	if (status == DMTRACE_OK)
		status = dmtrace_diff_compare(diff, DMTRACE_PROFILE_CPU, 0.5);
	if (status == DMTRACE_OK)
		status = dmt_diff_judge(diff, &rule, NULL, NULL,
		    NULL);
	dmtrace_diff_free(diff);
	return status;
}

START_TEST(survives_every_failing_allocation)
{
	struct dmtrace_profile *const a = profile_of(before[0], 0,
	    DMTRACE_PROFILE_BY_METHOD);
	struct dmtrace_profile *const b = profile_of(after[0], 0,
	    DMTRACE_PROFILE_BY_METHOD);
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		failing_arm(&failing);
		failing_reported(&failing, run(a, b));
	} while (failing.failed);
	ck_assert_uint_ge(failing.reported, 14);
	dmtrace_profile_free(a);
	dmtrace_profile_free(b);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("diff");
	TCase *tcase = unit_tcase(suite, "diff");

	ADD_CASES(tcase, reports_what_was_compared_by_hand, cases);
	tcase_add_test(tcase, computes_the_statistics);
	ADD_CASES(tcase, adjusts_for_the_number_of_tests, many);
	ADD_CASES(tcase, judges_by_rules, rules);
	ADD_CASES(tcase, parses_rules, texts);
	tcase_add_test(tcase, refuses_times_that_do_not_fit);
	tcase_add_test(tcase, refuses_calls_out_of_order);
	tcase_add_test(tcase, compares_a_method_named_as_the_top);
	tcase_add_test(tcase, survives_every_failing_allocation);
	return unit_main(suite);
}
