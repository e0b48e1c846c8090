/* test_profile.c - profiles of traces small enough to be counted by hand */

#include <dmtrace.h>

#include <inttypes.h>
#include <string.h>

#include "profiles.h"
#include "unit.h"

/*
 * Times are microseconds. A line of a method: calls + recursive calls,
 * inclusive time, exclusive time, that of outer calls. Then who called whom:
 * calls, time; ' behind a name says that it is recursive.
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
	    "A 1+0 10 10/10; B 2+0 50 20/20; top 0+0 30 0/0; ",
	    "top>B 1 30; B>A 1 10; B>B 1 20; " },
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

START_TEST(comes_to_what_was_counted_by_hand)
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

int
main(void)
{
	Suite *suite = suite_create("profile");
	TCase *tcase = unit_tcase(suite, "profile");

	ADD_CASES(tcase, comes_to_what_was_counted_by_hand, profiles);
	return unit_main(suite);
}
