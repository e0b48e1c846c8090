/* test_profile.c - profiles of traces small enough to be counted by hand */

#include <dmtrace.h>

#include <inttypes.h>
#include <string.h>

#include "helpers/profiles.h"
#include "helpers/unit.h"

#define DEPTH_MAX 300

/*
 * Times are microseconds. A line of a method: calls + recursive calls,
 * inclusive time, exclusive time, that of outer calls. Then who called whom:
 * calls, time; ' after a name says that it is recursive.
 */
static const struct {
	const char *label;
	const char *events;
	const char *methods;
	const char *edges;
} profiles[] = {
	{ "one call", "1+A0 1-A30",
	    "A 1+0 30 30/30; top 0+0 30 0/0; ",
	    "top>A 1 30; " },
	{ "a leaf twice", "1+A0 1+B5 1-B10 1+B12 1-B20 1-A30",
	    "A 1+0 30 17/17; B 2+0 13 13/13; top 0+0 30 0/0; ",
	    "top>A 1 30; A>B 2 13; " },
	{ "time outside of methods", "1+A0 1-A10 1+B15 1-B20 1+A50 1-A51",
	    "A 2+0 11 11/11; B 1+0 5 5/5; top 0+0 51 35/35; ",
	    "top>A 2 11; top>B 1 5; " },
	{ "direct recursion", "1+A0 1+A10 1+A15 1-A20 1-A30 1-A50",
	    "A 1+2 50 50/30; top 0+0 50 0/0; ",
	    "top>A 1 50; A>A' 1 20; A'>A' 1 5; " },
	{ "recursion that comes back to its outer call",
	    "1+A0 1+A10 1-A20 1+A30 1-A40 1-A50",
	    "A 1+2 50 50/30; top 0+0 50 0/0; ",
	    "top>A 1 50; A>A' 2 20; " },
	{ "mutual recursion",
	    "1+A0 1+B5 1+A10 1+B12 1-B15 1-A20 1-B30 1-A40",
	    "A 1+1 40 22/15; B 1+1 25 18/15; top 0+0 40 0/0; ",
	    "top>A 1 40; A>B 1 25; A'>B' 1 3; B>A' 1 10; " },
	{ "two callers of a method, one of them its callee",
	    "1+A0 1+C10 1-C20 1-A30 1+B40 1+C50 1+A60 1-A70 1-C80 1-B90",
	    "A 2+0 40 30/30; B 1+0 50 20/20; C 2+0 40 30/30; "
	    "top 0+0 90 10/10; ",
	    "top>A 1 30; top>B 1 50; A>C 1 10; B>C 1 30; C>A 1 10; " },
	{ "an exception through three frames",
	    "1+A0 1+B10 1+C20 1*C30 1*B30 1*A35 1+A40 1-A45",
	    "A 2+0 40 20/20; B 1+0 20 10/10; C 1+0 10 10/10; "
	    "top 0+0 45 5/5; ",
	    "top>A 2 40; A>B 1 20; B>C 1 10; " },
	{ "an exit that ends two frames above it",
	    "1+A0 1+B10 1+C20 1-A40 1+B50 1-B60",
	    "A 1+0 40 10/10; B 2+0 40 20/20; C 1+0 20 20/20; "
	    "top 0+0 60 10/10; ",
	    "top>A 1 40; top>B 1 10; A>B 1 30; B>C 1 20; " },
	{ "an exit ends the innermost of several frames",
	    "1+A0 1+A10 1+B20 1-A30 1-A50",
	    "A 1+1 50 40/30; B 1+0 10 10/10; top 0+0 50 0/0; ",
	    "top>A 1 50; A>A' 1 20; A'>B 1 10; " },
	{ "exits without entry",
	    "1-C10 1+D20 1-D25 1-B40 1+A50 1-A60",
	    "A 1+0 10 10/10; B 1+0 30 25/25; C 1+0 0 0/0; D 1+0 5 5/5; "
	    "top 0+0 50 10/10; ",
	    "top>A 1 10; top>B 1 30; B>C 1 0; B>D 1 5; " },
	{ "exits without entry, of one method",
	    "1+A0 1-A10 1-B20 1-B30",
	    "A 1+0 10 10/10; B 1+1 30 20/10; top 0+0 30 0/0; ",
	    "top>B 1 30; B'>A 1 10; B>B' 1 20; " },
	{ "calls before an exit without entry of their method",
	    "1+A0 1+C2 1-C5 1-A10 1+A20 1+A21 1-A24 1-A25 1-A30 1+A40 1-A50",
	    "A 2+3 40 37/25; C 1+0 3 3/3; top 0+0 50 10/10; ",
	    "top>A 2 40; A>A' 2 15; A'>A' 1 3; A'>C 1 3; " },
	{ "calls under others before an exit without entry of their method",
	    "1+A0 1+B5 1-B10 1-A10 1+B10 1+C12 1-B20 1-B25 1+A30 1+B35 1-A40",
	    "A 2+0 20 10/10; B 2+2 30 17/10; C 1+0 8 8/8; "
	    "top 0+0 40 5/5; ",
	    "top>A 1 10; top>B 1 25; A>B 1 5; A>B' 1 5; B>A 1 10; "
	    "B>B' 1 10; B'>C 1 8; " },
	{ "exits without entry, of methods in turn",
	    "1+A0 1-A1 1-A2 1-B4 1+B4 1-B7 1-A11 1+C11 1-C16 1-B22",
	    "A 1+2 11 6/4; B 1+2 22 11/6; C 1+0 5 5/5; "
	    "top 0+0 22 0/0; ",
	    "top>B 1 22; A'>A' 1 1; A>B' 2 7; B>A 1 11; B'>A' 1 2; "
	    "B>C 1 5; " },
	{ "exits of methods not open, left without entry later",
	    "1+A0 1-B10 1-A20 1-B30 1-B40",
	    "A 1+0 20 20/20; B 1+1 40 20/10; top 0+0 40 0/0; ",
	    "top>B 1 40; B'>A 1 20; B>B' 1 30; " },
	{ "exits without entry in one thread, calls in another",
	    "1+B0 2+B0 2-B5 1-B10 1-B20 2-A15 2+B15 2-B25",
	    "A 1+0 15 10/10; B 3+1 35 35/25; top 0+0 45 0/0; ",
	    "top>A 1 15; top>B 2 30; A>B 1 5; B>B' 1 10; " },
	{ "calls that are open at the end",
	    "1+A0 1+B10 1+A15 1+C20 1-C30",
	    "A 1+1 30 15/10; B 1+0 20 5/5; C 1+0 10 10/10; "
	    "top 0+0 30 0/0; ",
	    "top>A 1 30; A>B 1 20; A'>C 1 10; B>A' 1 15; " },
	{ "equal times", "1+A7 1+B7 1+C7 1-C7 1-B7 1+B7 1-B9 1-A9",
	    "A 1+0 2 0/0; B 2+0 2 2/2; C 1+0 0 0/0; top 0+0 2 0/0; ",
	    "top>A 1 2; A>B 2 2; B>C 1 0; " },
	{ "two threads with one method",
	    "1+A0 2+A100 1+B10 2+A110 1-B30 2-A120 2-A150 1-A40",
	    "A 2+1 90 70/60; B 1+0 20 20/20; top 0+0 90 0/0; ",
	    "top>A 2 90; A>A' 1 10; A>B 1 20; " },
	{ "exits of methods that are not open, and the reserved action",
	    "1+A0 1-B10 1?A20 1?B20 1-C25 1-A30",
	    "A 1+0 30 30/30; top 0+0 30 0/0; ",
	    "top>A 1 30; " },
	{ "a clock that is set back", "1+A50 1+B40 1-B45 1-A60",
	    "A 1+0 10 5/5; B 1+0 5 5/5; top 0+0 10 0/0; ",
	    "top>A 1 10; A>B 1 5; " },
	{ "a thread with one event", "1+A9 2-B9",
	    "A 1+0 0 0/0; B 1+0 0 0/0; top 0+0 0 0/0; ",
	    "top>A 1 0; top>B 1 0; " },
	{ "nothing", "", "top 0+0 0 0/0; ", "" },
};

START_TEST(agrees_with_what_was_counted_by_hand)
{
	char text[TEXT_MAX];
	struct dmtrace_profile *profile = profile_of(profiles[_i].events,
	    DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);

	methods_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_msg(strcmp(text, profiles[_i].methods) == 0, "%s: %s",
	    profiles[_i].label, text);
	edges_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_msg(strcmp(text, profiles[_i].edges) == 0, "%s: %s",
	    profiles[_i].label, text);
	dmtrace_profile_free(profile);
}
END_TEST


static const struct {
	const char *label;
	enum dmtrace_profile_by by;
	const char *events;
	const char *methods;
} together[] = {
	{ "names, whatever the class", DMTRACE_PROFILE_BY_NAME,
	    "1+B0 1+E10 1-E20 1-B30 1+E40 1-E50",
	    "B 2+1 40 40/30; top 0+0 50 10/10; " },
	{ "classes", DMTRACE_PROFILE_BY_CLASS,
	    "1+A0 1+B10 1+C20 1+A25 1-A30 1-C35 1-B40 1-A50",
	    "p/K 1+2 50 40/20; p/L 1+0 15 10/10; top 0+0 50 0/0; " },
	{ "packages", DMTRACE_PROFILE_BY_PACKAGE,
	    "1+A0 1+C10 1-C20 1+D20 1-D30 1-A40",
	    "p 1+1 40 30/20; q 1+0 10 10/10; top 0+0 40 0/0; " },
	{ "methods that are not listed, by id", DMTRACE_PROFILE_BY_METHOD,
	    "1+F0 1+G10 1-G20 1-F30",
	    "0x18 1+0 30 20/20; 0x1c 1+0 10 10/10; top 0+0 30 0/0; " },
	{ "methods that are not listed, as one class",
	    DMTRACE_PROFILE_BY_CLASS, "1+F0 1+G10 1-G20 1-F30",
	    " 1+1 30 30/20; top 0+0 30 0/0; " },
	{ "an exit of an outer call, of the same class",
	    DMTRACE_PROFILE_BY_CLASS, "1+A0 1+B10 1-A20 1+C25 1-C30",
	    "p/K 1+1 20 20/10; p/L 1+0 5 5/5; top 0+0 30 5/5; " },
	{ "an exit of a method that is not open, in a class that is",
	    DMTRACE_PROFILE_BY_CLASS, "1+A0 1-B10 1-A20 1+C25 1-C30",
	    "p/K 1+0 20 20/20; p/L 1+0 5 5/5; top 0+0 30 5/5; " },
	{ "both, by name", DMTRACE_PROFILE_BY_NAME,
	    "1+E0 1+B10 1-E15 1+B16 1-E18 1-B20 1+C25 1-C30",
	    "B 2+1 19 19/14; C 1+0 5 5/5; top 0+0 30 6/6; " },
	{ "the same before an exit without entry",
	    DMTRACE_PROFILE_BY_CLASS, "1+A0 1+B2 1-D3 1-A5 1-A9 1-B30",
	    "p/K 1+3 30 30/21; top 0+0 30 0/0; " },
	{ "rows of one method, by an exit of the outer one",
	    DMTRACE_PROFILE_BY_METHOD, "1+A0 1+H10 1-A20 1+C100 1-C1000",
	    "A 1+1 20 20/10; C 1+0 900 900/900; top 0+0 1000 80/80; " },
	{ "an exit of a row that is not open, of a method that is",
	    DMTRACE_PROFILE_BY_METHOD, "1+A0 1-H10 1-A20 1+C25 1-C30",
	    "A 1+0 20 20/20; C 1+0 5 5/5; top 0+0 30 5/5; " },
	{ "rows of one method, before an exit without entry",
	    DMTRACE_PROFILE_BY_METHOD, "1+A0 1+H2 1-D3 1-A5 1-H9 1-A30",
	    "A 1+3 30 30/21; top 0+0 30 0/0; " },
};

START_TEST(groups_methods)
{
	char text[TEXT_MAX];
	struct dmtrace_profile *profile = profile_of(together[_i].events, 0,
	    together[_i].by);

	methods_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_msg(strcmp(text, together[_i].methods) == 0, "%s: %s",
	    together[_i].label, text);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(ends_calls_by_id_as_dmtracedump_too)
{
	char text[TEXT_MAX];
	struct dmtrace_profile *profile = profile_of(
	    "1+A0 1?A10 1+A20 1+H25 1-A30 1+H40 1?A45 1+C46 1-C50",
	    DMTRACE_PROFILE_AS_DMTRACEDUMP, DMTRACE_PROFILE_BY_METHOD);

	methods_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text, "A 3+1 30 26/21; C 1+0 4 4/4; "
	    "top 0+0 50 20/20; ");
	dmtrace_profile_free(profile);
}
END_TEST

/* A node: calls, inclusive and exclusive time, and its callees in brackets. */
static const struct {
	const char *label;
	const char *events;
	const char *tree;
} trees[] = {
	{ "paths", "1+A0 1+B5 1-B10 1+C10 1+B12 1-B15 1-C20 1-A30 1+B31 1-B33",
	    "A 1 30/15(B 1 5/5()C 1 10/7(B 1 3/3()))B 1 2/2()" },
	{ "recursion", "1+A0 1+A10 1-A20 1-A30", "A 1 30/20(A 1 10/10())" },
	{ "mutual recursion",
	    "1+A0 1+B5 1+A10 1+B12 1-B15 1-A20 1-B30 1-A40",
	    "A 1 40/15(B 1 25/15(A 1 10/7(B 1 3/3())))" },
	{ "an exception through three frames",
	    "1+A0 1+B10 1+C20 1*C30 1*B30 1*A35 1+A40 1-A45",
	    "A 2 40/20(B 1 20/10(C 1 10/10()))" },
	{ "equal times", "1+A7 1+B7 1+C7 1-C7 1-B7 1+B7 1-B9 1-A9",
	    "A 1 2/0(B 2 2/2(C 1 0/0()))" },
	{ "threads with one path", "1+A0 2+A100 2+B110 1-A10 2-B120 2-A150",
	    "A 2 60/50(B 1 10/10())" },
	{ "exits without entry", "1-C10 1+D20 1-D25 1-B40 1+A50 1-A60",
	    "B 1 30/25(C 1 0/0()D 1 5/5())A 1 10/10()" },
	{ "calls that are open at the end", "1+A0 1+B10 1+C15 1-C20",
	    "A 1 20/10(B 1 10/5(C 1 5/5()))" },
	{ "exits that end others", "1+A0 1+B10 1+C20 1-A30 1+C35 1-C40",
	    "A 1 30/10(B 1 20/10(C 1 10/10()))C 1 5/5()" },
	{ "rows of one method", "1+A0 1+H10 1-A20 1-H25 1+C30 1-C40",
	    "A 1 25/5(A 1 20/10(A 1 10/10()))C 1 10/10()" },
};

START_TEST(knows_the_tree_of_calls)
{
	char text[TEXT_MAX] = "";
	struct dmtrace_profile *profile = profile_of(trees[_i].events,
	    DMTRACE_PROFILE_TREE, DMTRACE_PROFILE_BY_METHOD);

	tree_text(text, 0, profile, 0, 0);
	ck_assert_msg(strcmp(text, trees[_i].tree) == 0, "%s: %s",
	    trees[_i].label, text);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(keeps_both_clocks)
{
	char text[TEXT_MAX];
	struct dmtrace_profile_summary summary;
	struct dmtrace_profile *profile = profile_of(
	    "1+A0/100 1+B5/110 1-B7/150 1-A10/170", DMTRACE_PROFILE_EDGES,
	    DMTRACE_PROFILE_BY_METHOD);

	methods_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text, "A 1+0 10 8/8; B 1+0 2 2/2; top 0+0 10 0/0; ");
	methods_text(text, profile, 0, DMTRACE_PROFILE_WALL);
	ck_assert_str_eq(text,
	    "A 1+0 70 30/30; B 1+0 40 40/40; top 0+0 70 0/0; ");
	edges_text(text, profile, 0, DMTRACE_PROFILE_WALL);
	ck_assert_str_eq(text, "top>A 1 70; A>B 1 40; ");
	dmtrace_profile_summary_get(profile, &summary);
	ck_assert_int_eq(summary.has_clock[0] && summary.has_clock[1], 1);
	ck_assert_int_eq(summary.total_ns[DMTRACE_PROFILE_CPU], 10000);
	ck_assert_int_eq(summary.total_ns[DMTRACE_PROFILE_WALL], 70000);
	dmtrace_profile_free(profile);
}
END_TEST

/* Methods by CPU time, and by wall time. */
static const struct {
	const char *label;
	const char *events;
	const char *methods[2];
} clocks[] = {
	{ "direct recursion",
	    "1+A0/100 1+A10/150 1-A15/200 1-A50/300",
	    { "A 1+1 50 50/45; top 0+0 50 0/0; ",
	    "A 1+1 200 200/150; top 0+0 200 0/0; " } },
	{ "mutual recursion",
	    "1+A0/0 1+B5/50 1+A10/60 1-A12/160 1-B20/170 1-A30/200",
	    { "A 1+1 30 17/15; B 1+0 15 13/13; top 0+0 30 0/0; ",
	    "A 1+1 200 180/80; B 1+0 120 20/20; top 0+0 200 0/0; " } },
	{ "an exception through three frames",
	    "1+A0/0 1+B10/100 1+C20/120 1*C30/220 1*B30/220 1*A35/300",
	    { "A 1+0 35 15/15; B 1+0 20 10/10; C 1+0 10 10/10; "
	    "top 0+0 35 0/0; ",
	    "A 1+0 300 180/180; B 1+0 120 20/20; C 1+0 100 100/100; "
	    "top 0+0 300 0/0; " } },
	{ "exits without entry", "1-C10/5 1+D20/50 1-D25/250 1-B40/300",
	    { "B 1+0 30 25/25; C 1+0 0 0/0; D 1+0 5 5/5; top 0+0 30 0/0; ",
	    "B 1+0 295 95/95; C 1+0 0 0/0; D 1+0 200 200/200; "
	    "top 0+0 295 0/0; " } },
	{ "calls that are open at the end",
	    "1+A0/0 1+B10/100 1+C20/150 1-C30/400",
	    { "A 1+0 30 10/10; B 1+0 20 10/10; C 1+0 10 10/10; "
	    "top 0+0 30 0/0; ",
	    "A 1+0 400 100/100; B 1+0 300 50/50; C 1+0 250 250/250; "
	    "top 0+0 400 0/0; " } },
	{ "times that are equal by one clock",
	    "1+A0/7 1+B5/7 1-B10/7 1-A12/7",
	    { "A 1+0 12 7/7; B 1+0 5 5/5; top 0+0 12 0/0; ",
	    "A 1+0 0 0/0; B 1+0 0 0/0; top 0+0 0 0/0; " } },
	{ "two threads with one method",
	    "1+A0/0 2+A5/10 1-A10/50 2+A7/60 2-A9/80 2-A30/200",
	    { "A 2+1 35 35/33; top 0+0 35 0/0; ",
	    "A 2+1 240 240/220; top 0+0 240 0/0; " } },
};

START_TEST(counts_by_each_clock)
{
	char text[TEXT_MAX];
	struct dmtrace_profile *profile = profile_of(clocks[_i].events,
	    DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);

	for (int clock = 0; clock < 2; clock++) {
		methods_text(text, profile, 0,
		    (enum dmtrace_profile_clock)clock);
		ck_assert_msg(strcmp(text, clocks[_i].methods[clock]) == 0,
		    "%s: %s", clocks[_i].label, text);
	}
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(keeps_threads_apart)
{
	char text[TEXT_MAX] = "";
	struct dmtrace_profile_thread thread;
	struct dmtrace_profile *profile = profile_of(
	    "1+A0 70000+A100 1+B10 70000+A110 1-B30 70000-A120 70000-A150"
	    " 1-A40 1+C45 1-C50",
	    DMTRACE_PROFILE_THREADS | DMTRACE_PROFILE_EDGES |
	    DMTRACE_PROFILE_TREE, DMTRACE_PROFILE_BY_METHOD);

	ck_assert_uint_eq(dmtrace_profile_thread_count(profile), 2);
	methods_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text, "A 2+1 90 70/60; B 1+0 20 20/20; "
	    "C 1+0 5 5/5; top 0+0 100 5/5; ");
	methods_text(text, profile, 1, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text, "A 1+0 40 20/20; B 1+0 20 20/20; "
	    "C 1+0 5 5/5; top 0+0 50 5/5; ");
	methods_text(text, profile, 2, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text, "A 1+1 50 50/40; top 0+0 50 0/0; ");
	edges_text(text, profile, 2, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text, "top>A 1 50; A>A' 1 10; ");
	edges_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text,
	    "top>A 2 90; top>C 1 5; A>A' 1 10; A>B 1 20; ");
	tree_text(text, 0, profile, 0, 0);
	ck_assert_str_eq(text, "A 2 90/60(B 1 20/20()A 1 10/10())C 1 5/5()");
	tree_text(text, 0, profile, 2, 0);
	ck_assert_str_eq(text, "A 1 50/40(A 1 10/10())");
	dmtrace_profile_thread_get(profile, 0, &thread);
	ck_assert_uint_eq(thread.number, 1);
	ck_assert_uint_eq(thread.records, 6);
	ck_assert_uint_eq(thread.calls, 3);
	ck_assert_int_eq(thread.total_ns[0], 50000);
	ck_assert_int_eq(thread.top_ns[0], 5000);
	ck_assert_int_eq(thread.listed, 0);
	dmtrace_profile_free(profile);
}
END_TEST

/* Of A: 10, 20, 30, 40 and 100 us; their mean is 40 and the sum of squares of
 * the differences 900 + 400 + 100 + 0 + 3600 = 5000, by 5 is 1000. */
START_TEST(counts_durations_of_calls)
{
	struct dmtrace_profile_calls calls;
	struct dmtrace_profile *profile = profile_of(
	    "1+A0 1-A10 1+A10 1-A30 1+A30 1-A60 1+A60 1-A100 1+A100 1-A200",
	    DMTRACE_PROFILE_CALLS, DMTRACE_PROFILE_BY_METHOD);
	static const struct { double percent; int64_t us; } percentiles[] = {
		{ 0, 10 }, { 1, 10 }, { 20, 10 }, { 21, 20 }, { 50, 30 },
		{ 80, 40 }, { 81, 100 }, { 100, 100 }
	};

	dmtrace_profile_calls_get(profile, 0, 1, &calls);
	ck_assert_uint_eq(calls.calls, 5);
	ck_assert_int_eq(calls.min_ns, 10000);
	ck_assert_int_eq(calls.max_ns, 100000);
	ck_assert_double_eq_tol(calls.mean_ns, 40000, 0.01);
	ck_assert_double_eq_tol(calls.deviation_ns, 31622.7766, 0.01);
	for (size_t i = 0; i < ROWS(percentiles); i++) {
		const int64_t ns = dmtrace_profile_percentile(profile, 0, 1,
		    percentiles[i].percent);

		ck_assert_int_eq(ns, percentiles[i].us * 1000);
	}
	dmtrace_profile_free(profile);
}
END_TEST

/* Of A: 1 to COUNT us, the longest first. Of many, only buckets are kept. */
START_TEST(knows_percentiles_of_many_calls)
{
	static const unsigned counts[] = { 64, 65, 200 };
	const unsigned count = counts[_i];
	char text[200 * 20];
	size_t len = 0;
	unsigned now = 0;

	for (unsigned us = count; us > 0; us--) {
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		    "%s1+A%u 1-A%u", len == 0 ? "" : " ", now, now + us);
		now += us;
	}
	struct dmtrace_profile *profile = profile_of(text,
	    DMTRACE_PROFILE_CALLS, DMTRACE_PROFILE_BY_METHOD);
	for (unsigned us = 1; us <= count; us++) {
		const int64_t ns = dmtrace_profile_percentile(profile, 0, 1,
		    (us - 0.5) * 100 / count);
		const int64_t right = us * 1000;
		const int64_t off = count > 64 ? right / 16 : 0;

		ck_assert_int_ge(ns, right - off);
		ck_assert_int_le(ns, right + off);
	}
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(adds_up_traces)
{
	char text[TEXT_MAX] = "";
	struct dmtrace_key *key = key_of_methods();
	struct dmtrace_profile_summary summary;
	struct dmtrace_profile *profile = profile_of(
	    "1+A0 1+B10 1-B20 1-A30",
	    DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_TREE,
	    DMTRACE_PROFILE_BY_METHOD);

	profile_add(profile, key, "1+B0 1-B5 2+A10 2+B15 2-B25 2-A50");
	dmt_key_free(key);
	methods_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text,
	    "A 2+0 70 50/50; B 3+0 25 25/25; top 0+0 75 0/0; ");
	edges_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text, "top>A 2 70; top>B 1 5; A>B 2 20; ");
	tree_text(text, 0, profile, 0, 0);
	ck_assert_str_eq(text, "A 2 70/50(B 2 20/20())B 1 5/5()");
	dmtrace_profile_summary_get(profile, &summary);
	ck_assert_uint_eq(summary.traces, 2);
	ck_assert_uint_eq(summary.records, 10);
	ck_assert_uint_eq(dmtrace_profile_thread_count(profile), 2);
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(keeps_times_of_paths_after_a_trace_without_events)
{
	char text[TEXT_MAX] = "";
	struct dmtrace_key *key = key_of_methods();
	struct dmtrace_profile *profile = profile_of("",
	    DMTRACE_PROFILE_TREE, DMTRACE_PROFILE_BY_METHOD);

	profile_add(profile, key, "1+A0 1+B10 1-B20 1-A30");
	tree_text(text, 0, profile, 0, 0);
	ck_assert_str_eq(text, "A 1 30/20(B 1 10/10())");
	dmtrace_profile_free(profile);
	dmt_key_free(key);
}
END_TEST

START_TEST(counts_unlisted_methods_as_one_like_dmtracedump)
{
	char text[TEXT_MAX];
	struct dmtrace_profile *profile = profile_of(
	    "1+F0 1+A10 1-A20 1-G30 1+C40 1-C50",
	    DMTRACE_PROFILE_AS_DMTRACEDUMP, DMTRACE_PROFILE_BY_ROW);

	methods_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text, "(unknown) 1+0 30 20/20; A 1+0 10 10/10; "
	    "C 1+0 10 10/10; top 0+0 50 10/10; ");
	dmtrace_profile_free(profile);
}
END_TEST

static struct dmtrace_profile *
profile_with_options(const char *name, const char *value, unsigned keep,
    const char *events)
{
	struct dmtrace_profile_options options = { 0 };
	struct dmtrace_key *key = key_of_methods();

	options.keep = keep;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	ck_assert_int_eq(dmtrace_key_option_set(key, name, value),
	    DMTRACE_OK);
	profile_add(profile, key, events);
	dmt_key_free(key);
	return profile;
}

/* 3 us before each event but the first one, of which the 2 us before the last
 * one have but 2. */
START_TEST(compensates_for_the_clock)
{
	char text[TEXT_MAX];
	struct dmtrace_profile_summary summary;
	struct dmtrace_profile *profile = profile_with_options(
	    "clock-call-overhead-nsec", "3000", DMTRACE_PROFILE_COMPENSATE,
	    "1+A0 1+B10 1-B20 1-A22");

	methods_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text, "A 1+0 14 7/7; B 1+0 7 7/7; top 0+0 14 0/0; ");
	dmtrace_profile_summary_get(profile, &summary);
	ck_assert_int_eq(summary.overhead_ns[DMTRACE_PROFILE_CPU], 8000);
	dmtrace_profile_free(profile);
}
END_TEST

/* 3 us before the second and the third one. */
START_TEST(compensates_in_calls_that_are_recursive_later)
{
	char text[TEXT_MAX];
	struct dmtrace_profile *profile = profile_with_options(
	    "clock-call-overhead-nsec", "3000",
	    DMTRACE_PROFILE_COMPENSATE | DMTRACE_PROFILE_EDGES,
	    "1+A0 1-A10 1-A20");

	methods_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text, "A 1+1 14 14/7; top 0+0 14 0/0; ");
	edges_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text, "top>A 1 14; A>A' 1 7; ");
	dmtrace_profile_free(profile);
}
END_TEST

START_TEST(reports_lower_bounds)
{
	struct dmtrace_profile_summary summary;
	struct dmtrace_profile *profile = profile_with_options(
	    "data-file-overflow", "true", 0, "1+A0 1-A10");

	dmtrace_profile_summary_get(profile, &summary);
	ck_assert_int_eq(summary.lower_bounds, 1);
	dmtrace_profile_free(profile);
}
END_TEST

/* So many calls of A, each in the one before, of 1 us from entry to entry or
 * exit. */
static enum dmtrace_status
recur(struct dmtrace_profile *profile, const struct dmtrace_key *key,
    size_t depth)
{
	static struct dmtrace_event events[2 * DEPTH_MAX];

	for (size_t i = 0; i < 2 * depth; i++)
		events[i] = (struct dmtrace_event){
			.method = 4, .thread = 1, .cpu_ns = i * 1000,
			.wall_ns = DMTRACE_NO_TIME,
			.action = i < depth ? DMTRACE_ENTER : DMTRACE_EXIT
		};
	return profile_add_events(profile, key, events, 2 * depth, 7);
}

START_TEST(takes_every_depth)
{
	struct dmtrace_key *key = key_of_methods();

	for (size_t depth = 1; depth < DEPTH_MAX; depth++) {
		struct dmtrace_profile *profile = dmtrace_profile_new(NULL);
		struct dmtrace_profile_method method;

		ck_assert_int_eq(recur(profile, key, depth), DMTRACE_OK);
		dmtrace_profile_method_get(profile, 0, 1, &method);
		ck_assert_uint_eq(method.calls, 1);
		ck_assert_uint_eq(method.recursive_calls, depth - 1);
		ck_assert_int_eq(method.inclusive_ns[0],
		    (int64_t)(2 * depth - 1) * 1000);
		dmtrace_profile_free(profile);
	}
	dmt_key_free(key);
}
END_TEST

START_TEST(refuses_to_go_too_deep)
{
	struct dmtrace_profile_options options = { 0 };
	struct dmtrace_key *key = key_of_methods();

	options.max_depth = 70;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	ck_assert_int_eq(recur(profile, key, 70), DMTRACE_OK);
	ck_assert_int_eq(recur(profile, key, 71), DMTRACE_ERR_LIMIT);
	ck_assert_int_eq(dmtrace_profile_error(profile)->status,
	    DMTRACE_ERR_LIMIT);
	dmtrace_profile_free(profile);
	dmt_key_free(key);
}
END_TEST

#define EXA UINT64_C(1000000000000000000)	/* ns: 31.7 years */

/* Times of events "+" and "-" of method A, in turns of the first thread and
 * the second one. */
static const struct {
	const char *label;
	unsigned keep;
	const char *actions;
	uint64_t times_ns[6];
	enum dmtrace_status status;
} large[] = {
	{ "one call", 0, "+ - ", { 0, 9 * EXA }, DMTRACE_OK },
	{ "a call of more than 2^63 ns", 0, "+ - ",
	    { 1, UINT64_C(0x8000000000000001) }, DMTRACE_ERR_LIMIT },
	{ "times of more than 2^63 ns", 0, "+ - ",
	    { UINT64_MAX - 9, UINT64_MAX - 1 }, DMTRACE_ERR_LIMIT },
	{ "a clock that is set back from there", 0, "+ - + - ",
	    { 5, 6, UINT64_MAX - 3, 7 }, DMTRACE_ERR_LIMIT },
	{ "threads that fit", 0, "++--", { 0, 0, 4 * EXA, 5 * EXA },
	    DMTRACE_OK },
	{ "threads that do not", 0, "++--", { 0, 0, 5 * EXA, 5 * EXA },
	    DMTRACE_ERR_LIMIT },
	{ "a clock that is set back", 0, "+ - ", { 8 * EXA, 0 },
	    DMTRACE_OK },
	{ "a clock that goes to and fro", 0, "+ - + - ",
	    { 0, 4 * EXA, 0, 4 * EXA }, DMTRACE_ERR_LIMIT },
	{ "recursive calls", 0, "+ + + - ", { 0, 0, 0, 4 * EXA },
	    DMTRACE_OK },
	{ "their edges", DMTRACE_PROFILE_EDGES, "+ + + - ",
	    { 0, 0, 0, 4 * EXA }, DMTRACE_ERR_LIMIT },
	{ "their paths", DMTRACE_PROFILE_TREE, "+ + + - ",
	    { 0, 0, 0, 4 * EXA }, DMTRACE_ERR_LIMIT },
	{ "edges that are read twice", DMTRACE_PROFILE_EDGES, "- + - ",
	    { 0, 0, 5 * EXA }, DMTRACE_OK },
};

static enum dmtrace_status
add_large(struct dmtrace_profile *profile, const struct dmtrace_key *key,
    size_t row)
{
	struct dmtrace_event events[6];
	size_t count = 0;

	for (size_t i = 0; large[row].actions[i] != '\0'; i++) {
		if (large[row].actions[i] == ' ')
			continue;
		events[count] = (struct dmtrace_event){
			.method = 4, .thread = (uint32_t)(i % 2 + 1),
			.cpu_ns = DMTRACE_NO_TIME,
			.wall_ns = large[row].times_ns[count],
			.action = action_of(large[row].actions[i])
		};
		count++;
	}
	return profile_add_events(profile, key, events, count, 64);
}

START_TEST(refuses_times_that_are_too_large_together)
{
	struct dmtrace_profile_options options = { 0 };
	struct dmtrace_key *key = key_of_methods();

	options.keep = large[_i].keep;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	ck_assert_msg(add_large(profile, key, (size_t)_i) ==
	    large[_i].status, "%s", large[_i].label);
	if (large[_i].status == DMTRACE_OK)
		ck_assert_int_eq(add_large(profile, key, 0),
		    DMTRACE_ERR_LIMIT);
	ck_assert_str_eq(dmtrace_profile_error(profile)->message,
	    "times add up to more than 2^63 ns (292 years)");
	dmtrace_profile_free(profile);
	dmt_key_free(key);
}
END_TEST

/* Exits of methods that were not entered, as many as there may be calls. */
START_TEST(refuses_too_many_calls_from_before)
{
	struct dmtrace_profile_options options = { 0 };
	struct dmtrace_key *key = key_of_methods();

	options.max_depth = 2;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	profile_add(profile, key, "1-A0 1-A1");
	struct dmtrace_event events[3];
	events_of(events, "1-A0 1-A1 1-B2");
	ck_assert_int_eq(profile_add_events(profile, key, events, 3, 64),
	    DMTRACE_ERR_LIMIT);
	ck_assert_str_eq(dmtrace_profile_error(profile)->message,
	    "thread 1 leaves 2 frames that it did not enter, which is the"
	    " limit");
	dmtrace_profile_free(profile);
	dmt_key_free(key);
}
END_TEST

/* Each source fails at its fourth event. */
static const struct {
	const char *label, *events, *methods;
} failures[] = {
	{ "calls that are open then end", "1+A0 1+B10 1-B20 1-A30",
	    "A 1+0 20 10/10; B 1+0 10 10/10; top 0+0 20 0/0; " },
	{ "a call from before the trace is left out", "1+B0 1-B10 1-A20 1-B30",
	    "B 1+0 10 10/10; top 0+0 20 10/10; " },
};

START_TEST(counts_what_came_before_a_failure)
{
	char text[TEXT_MAX];
	struct dmtrace_event events[4];
	struct dmtrace_key *key = key_of_methods();
	struct dmtrace_profile *profile = dmtrace_profile_new(NULL);

	events_of(events, failures[_i].events);
	struct dmtrace_source *source = array_source_new(key,
	    layout_of_times(events, 4), events, 4, 3);
	((struct array_source *)source)->fails_at = 3;
	ck_assert_int_eq(dmtrace_profile_add(profile, source),
	    DMTRACE_ERR_IO);
	dmtrace_source_free(source);
	ck_assert_int_eq(dmtrace_profile_error(profile)->status, DMTRACE_OK);
	methods_text(text, profile, 0, DMTRACE_PROFILE_CPU);
	ck_assert_str_eq(text, failures[_i].methods);
	dmtrace_profile_free(profile);
	dmt_key_free(key);
}
END_TEST

/* A trace that is refused: its methods have names, but no totals. */
START_TEST(has_no_totals_after_a_refusal)
{
	struct dmtrace_profile_options options = { 0 };
	struct dmtrace_key *key = key_of_methods();
	struct dmtrace_profile_method method;
	struct dmtrace_event events[2];

	options.max_depth = 1;
	options.keep = DMTRACE_PROFILE_THREADS | DMTRACE_PROFILE_CALLS;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	events_of(events, "1+A0 1+B1");
	ck_assert_int_eq(profile_add_events(profile, key, events, 2, 64),
	    DMTRACE_ERR_LIMIT);
	ck_assert_uint_gt(dmtrace_profile_method_count(profile), 1);
	for (size_t table = 0; table < 2; table++) {
		dmtrace_profile_method_get(profile, table, 1, &method);
		ck_assert_uint_eq(method.calls, 0);
		ck_assert_int_eq(dmtrace_profile_percentile(profile, table, 1,
		    50), 0);
	}
	dmtrace_profile_free(profile);
	dmt_key_free(key);
}
END_TEST

START_TEST(refuses_a_second_trace_by_row)
{
	struct dmtrace_profile_options options = { 0 };
	struct dmtrace_key *key = key_of_methods();
	struct dmtrace_event event;

	options.by = DMTRACE_PROFILE_BY_ROW;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	events_of(&event, "1+A0");
	ck_assert_int_eq(profile_add_events(profile, key, &event, 1, 1),
	    DMTRACE_OK);
	ck_assert_int_eq(profile_add_events(profile, key, &event, 1, 1),
	    DMTRACE_ERR_STATE);
	dmtrace_profile_free(profile);
	dmtrace_profile_free(NULL);
	dmt_key_free(key);
}
END_TEST

/* Two rows of one method, in two files: the first row counts. */
START_TEST(keeps_the_file_and_line_of_a_method)
{
	static const struct {
		enum dmtrace_profile_by by;
		size_t len;
		int32_t line;
	} cases[] = {
		{ DMTRACE_PROFILE_BY_METHOD, 6, 18 },
		{ DMTRACE_PROFILE_BY_NAME, 0, DMTRACE_NO_LINE },
	};
	struct dmtrace_key *key = dmt_key_new();
	struct dmtrace_method row = {
		.id = 4, .class_name = { "K", 1 }, .name = { "A", 1 },
		.signature = { "()V", 3 }, .file = { "K.java", 6 }, .line = 18
	};

	ck_assert_int_eq(dmtrace_key_method_add(key, &row), DMTRACE_OK);
	row.id = 8;
	row.line = 19;
	ck_assert_int_eq(dmtrace_key_method_add(key, &row), DMTRACE_OK);
	for (size_t i = 0; i < ROWS(cases); i++) {
		struct dmtrace_profile_options options = { 0 };
		struct dmtrace_profile_method method;

		options.by = cases[i].by;
		struct dmtrace_profile *profile =
		    dmtrace_profile_new(&options);
		profile_add(profile, key, "1+B0 1-B5 1+A10 1-A20");
		dmtrace_profile_method_get(profile, 0, 1, &method);
		ck_assert_uint_eq(method.file.len, cases[i].len);
		ck_assert_mem_eq(method.file.bytes, "K.java", cases[i].len);
		ck_assert_int_eq(method.line, cases[i].line);
		dmtrace_profile_free(profile);
	}
	dmt_key_free(key);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("profile");
	TCase *tcase = unit_tcase(suite, "profile");

	ADD_CASES(tcase, agrees_with_what_was_counted_by_hand, profiles);
	ADD_CASES(tcase, groups_methods, together);
	ADD_CASES(tcase, knows_the_tree_of_calls, trees);
	tcase_add_test(tcase, keeps_both_clocks);
	ADD_CASES(tcase, counts_by_each_clock, clocks);
	tcase_add_test(tcase, keeps_threads_apart);
	tcase_add_test(tcase, counts_durations_of_calls);
	tcase_add_loop_test(tcase, knows_percentiles_of_many_calls, 0, 3);
	tcase_add_test(tcase, adds_up_traces);
	tcase_add_test(tcase,
	    keeps_times_of_paths_after_a_trace_without_events);
	tcase_add_test(tcase,
	    counts_unlisted_methods_as_one_like_dmtracedump);
	tcase_add_test(tcase, compensates_for_the_clock);
	tcase_add_test(tcase, ends_calls_by_id_as_dmtracedump_too);
	tcase_add_test(tcase, compensates_in_calls_that_are_recursive_later);
	tcase_add_test(tcase, reports_lower_bounds);
	tcase_add_test(tcase, takes_every_depth);
	tcase_add_test(tcase, refuses_to_go_too_deep);
	ADD_CASES(tcase, refuses_times_that_are_too_large_together, large);
	tcase_add_test(tcase, refuses_too_many_calls_from_before);
	ADD_CASES(tcase, counts_what_came_before_a_failure, failures);
	tcase_add_test(tcase, has_no_totals_after_a_refusal);
	tcase_add_test(tcase, refuses_a_second_trace_by_row);
	tcase_add_test(tcase, keeps_the_file_and_line_of_a_method);
	return unit_main(suite);
}
