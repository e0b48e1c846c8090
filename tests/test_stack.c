/* test_stack.c - call stacks, of well-behaved and of hostile events */

#include <dmtrace.h>

#include "faults.h"
#include "unit.h"

#define A 0x4
#define B 0x80000008
#define C UINT64_C(0x10000000c)

struct move {
	uint32_t thread;
	enum dmtrace_action action;
	uint64_t method;
	struct dmtrace_step step;
};

static const struct {
	const char *label;
	struct move moves[8];
	size_t count;
} sequences[] = {
	{ "calls that end", {
		{ 1, DMTRACE_ENTER, A, { DMTRACE_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_ENTER, B, { DMTRACE_STEP_ENTERED, 2, 0 } },
		{ 1, DMTRACE_EXIT, B, { DMTRACE_STEP_LEFT, 2, 0 } },
		{ 1, DMTRACE_ENTER, C, { DMTRACE_STEP_ENTERED, 2, 0 } },
		{ 1, DMTRACE_UNROLL, C, { DMTRACE_STEP_LEFT, 2, 0 } },
		{ 1, DMTRACE_UNROLL, A, { DMTRACE_STEP_LEFT, 1, 0 } },
	}, 6 },
	{ "exits of calls from before the trace", {
		{ 1, DMTRACE_EXIT, A, { DMTRACE_STEP_BEFORE, 0, 0 } },
		{ 1, DMTRACE_UNROLL, B, { DMTRACE_STEP_BEFORE, 0, 0 } },
		{ 1, DMTRACE_ENTER, A, { DMTRACE_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMTRACE_STEP_LEFT, 1, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMTRACE_STEP_BEFORE, 0, 0 } },
	}, 5 },
	{ "an exit of a frame below two others", {
		{ 1, DMTRACE_ENTER, A, { DMTRACE_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_ENTER, B, { DMTRACE_STEP_ENTERED, 2, 0 } },
		{ 1, DMTRACE_ENTER, C, { DMTRACE_STEP_ENTERED, 3, 0 } },
		{ 1, DMTRACE_ENTER, C, { DMTRACE_STEP_ENTERED, 4, 0 } },
		{ 1, DMTRACE_EXIT, B, { DMTRACE_STEP_UNWOUND, 2, 2 } },
		{ 1, DMTRACE_EXIT, C, { DMTRACE_STEP_STRAY, 0, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMTRACE_STEP_LEFT, 1, 0 } },
	}, 7 },
	{ "an exit ends the innermost of several frames", {
		{ 1, DMTRACE_ENTER, A, { DMTRACE_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_ENTER, A, { DMTRACE_STEP_ENTERED, 2, 0 } },
		{ 1, DMTRACE_ENTER, B, { DMTRACE_STEP_ENTERED, 3, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMTRACE_STEP_UNWOUND, 2, 1 } },
		{ 1, DMTRACE_EXIT, B, { DMTRACE_STEP_STRAY, 0, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMTRACE_STEP_LEFT, 1, 0 } },
	}, 6 },
	{ "a stray exit changes nothing", {
		{ 1, DMTRACE_ENTER, A, { DMTRACE_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_EXIT, B, { DMTRACE_STEP_STRAY, 0, 0 } },
		{ 1, DMTRACE_ENTER, B, { DMTRACE_STEP_ENTERED, 2, 0 } },
		{ 1, DMTRACE_EXIT, B, { DMTRACE_STEP_LEFT, 2, 0 } },
		{ 1, DMTRACE_EXIT, B, { DMTRACE_STEP_STRAY, 0, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMTRACE_STEP_LEFT, 1, 0 } },
	}, 6 },
	{ "the reserved action changes nothing", {
		{ 1, DMTRACE_RESERVED, A, { DMTRACE_STEP_IGNORED, 0, 0 } },
		{ 1, DMTRACE_ENTER, A, { DMTRACE_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_RESERVED, A, { DMTRACE_STEP_IGNORED, 0, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMTRACE_STEP_LEFT, 1, 0 } },
	}, 4 },
	{ "threads by themselves, whatever their numbers", {
		{ 0, DMTRACE_ENTER, A, { DMTRACE_STEP_ENTERED, 1, 0 } },
		{ 65535, DMTRACE_ENTER, B, { DMTRACE_STEP_ENTERED, 1, 0 } },
		{ 65536, DMTRACE_ENTER, A, { DMTRACE_STEP_ENTERED, 1, 0 } },
		{ UINT32_MAX, DMTRACE_EXIT, A, { DMTRACE_STEP_BEFORE, 0, 0 } },
		{ 65536, DMTRACE_ENTER, B, { DMTRACE_STEP_ENTERED, 2, 0 } },
		{ 65535, DMTRACE_EXIT, B, { DMTRACE_STEP_LEFT, 1, 0 } },
		{ 65536, DMTRACE_EXIT, A, { DMTRACE_STEP_UNWOUND, 1, 1 } },
		{ 0, DMTRACE_EXIT, A, { DMTRACE_STEP_LEFT, 1, 0 } },
	}, 8 },
};

static enum dmtrace_status
step(struct dmtrace_stacks *stacks, uint32_t thread,
    enum dmtrace_action action, uint64_t method, struct dmtrace_step *out)
{
	const struct dmtrace_event event = {
		.thread = thread, .action = action, .method = method
	};

	return dmtrace_stacks_step(stacks, &event, out);
}

static bool
same(const struct dmtrace_step *a, const struct dmtrace_step *b)
{
	return a->kind == b->kind && a->depth == b->depth &&
	    a->dropped == b->dropped;
}

START_TEST(steps)
{
	struct dmtrace_stacks *stacks = dmtrace_stacks_new();

	for (size_t i = 0; i < sequences[_i].count; i++) {
		const struct move *move = &sequences[_i].moves[i];
		struct dmtrace_step made;

		ck_assert_int_eq(step(stacks, move->thread, move->action,
		    move->method, &made), DMTRACE_OK);
		ck_assert_msg(same(&made, &move->step), "%s, step %zu",
		    sequences[_i].label, i);
	}
	dmtrace_stacks_free(stacks);
}
END_TEST

/* Takes the steps again from the start with the nth allocation failing.
 * Returns whether there was one. Check itself allocates. */
static bool
fails_at(unsigned nth, const struct move *moves, size_t count)
{
	fault_arm(FAULT_ALLOC, nth);
	struct dmtrace_stacks *stacks = dmtrace_stacks_new();
	unsigned failures = stacks == NULL, wrong = 0;

	for (size_t i = 0; i < count && stacks != NULL; i++) {
		struct dmtrace_step made;

		while (step(stacks, moves[i].thread, moves[i].action,
		    moves[i].method, &made) != DMTRACE_OK)
			failures++;
		wrong += !same(&made, &moves[i].step);
	}
	dmtrace_stacks_free(stacks);
	ck_assert_uint_eq(failures, fault_disarm());
	ck_assert_uint_eq(wrong, 0);
	return failures > 0;
}

/* A step that failed for want of memory is taken again, as if nothing had
 * been. */
START_TEST(stands_as_it_was_without_memory)
{
	unsigned nth = 1;

	while (fails_at(nth, sequences[_i].moves, sequences[_i].count))
		nth++;
	ck_assert_uint_gt(nth, 1);
}
END_TEST

START_TEST(tells_the_open_frames)
{
	struct dmtrace_stacks *stacks = dmtrace_stacks_new();
	struct dmtrace_step made;

	ck_assert_uint_eq(dmtrace_stacks_depth(stacks, 7), 0);
	step(stacks, 7, DMTRACE_ENTER, A, &made);
	step(stacks, 7, DMTRACE_ENTER, C, &made);
	ck_assert_uint_eq(dmtrace_stacks_depth(stacks, 7), 2);
	ck_assert_uint_eq(dmtrace_stacks_depth(stacks, 8), 0);
	ck_assert(dmtrace_stacks_method(stacks, 7, 1) == A);
	ck_assert(dmtrace_stacks_method(stacks, 7, 2) == C);
	dmtrace_stacks_free(stacks);
}
END_TEST

START_TEST(refuses_a_frame_over_the_limit)
{
	struct dmtrace_stacks *stacks = dmtrace_stacks_new();
	struct dmtrace_step made;

	dmtrace_stacks_set_limit(stacks, 2);
	step(stacks, 1, DMTRACE_ENTER, A, &made);
	step(stacks, 1, DMTRACE_ENTER, A, &made);
	ck_assert_int_eq(step(stacks, 1, DMTRACE_ENTER, A, &made),
	    DMTRACE_ERR_LIMIT);
	ck_assert_int_eq(step(stacks, 2, DMTRACE_ENTER, A, &made),
	    DMTRACE_OK);
	step(stacks, 1, DMTRACE_EXIT, A, &made);
	ck_assert_uint_eq(made.depth, 2);
	dmtrace_stacks_free(stacks);
}
END_TEST

START_TEST(refuses_a_million_and_one_frames_by_default)
{
	struct dmtrace_stacks *stacks = dmtrace_stacks_new();
	struct dmtrace_step made;

	for (uint32_t i = 0; i < 1048576; i++)
		step(stacks, 1, DMTRACE_ENTER, A, &made);
	ck_assert_uint_eq(made.depth, 1048576);
	ck_assert_int_eq(step(stacks, 1, DMTRACE_ENTER, A, &made),
	    DMTRACE_ERR_LIMIT);
	dmtrace_stacks_free(stacks);
}
END_TEST

/* Searching the stack for each of them would take hours. */
START_TEST(stands_stray_exits_on_a_deep_stack)
{
	struct dmtrace_stacks *stacks = dmtrace_stacks_new();
	struct dmtrace_step made;
	uint32_t strays = 0;

	for (uint64_t i = 0; i < 1000000; i++)
		step(stacks, 1, DMTRACE_ENTER, i * 4, &made);
	for (uint64_t i = 0; i < 2000000; i++) {
		step(stacks, 1, DMTRACE_EXIT, 4000000 + i % 9 * 4, &made);
		strays += made.kind == DMTRACE_STEP_STRAY;
	}
	ck_assert_uint_eq(strays, 2000000);
	step(stacks, 1, DMTRACE_EXIT, 0, &made);
	ck_assert_int_eq(made.kind, DMTRACE_STEP_UNWOUND);
	ck_assert_uint_eq(made.dropped, 999999);
	ck_assert_uint_eq(dmtrace_stacks_depth(stacks, 1), 0);
	ck_assert_uint_eq(dmtrace_stacks_method(stacks, 1, 2), 4);
	ck_assert_uint_eq(dmtrace_stacks_method(stacks, 1, 1000000),
	    3999996);
	dmtrace_stacks_free(stacks);
}
END_TEST

/* Two million methods that come and go, on stacks whose frames are counted:
 * shallow, then a thousand frames deep. */
START_TEST(forgets_methods_that_are_not_open)
{
	struct dmtrace_stacks *stacks = dmtrace_stacks_new();
	struct dmtrace_step made;
	uint64_t method = 0, wrong = 0;

	step(stacks, 1, DMTRACE_ENTER, A, &made);
	step(stacks, 1, DMTRACE_EXIT, B, &made);
	for (uint32_t depth = 1; depth < 1001; depth += 999) {
		while (dmtrace_stacks_depth(stacks, 1) < depth)
			step(stacks, 1, DMTRACE_ENTER, A, &made);
		for (int i = 0; i < 1000000; i++, method += 4) {
			step(stacks, 1, DMTRACE_ENTER, C + method, &made);
			step(stacks, 1, DMTRACE_EXIT, C + method, &made);
			wrong += made.depth != depth + 1;
		}
	}
	ck_assert_uint_eq(wrong, 0);
	step(stacks, 1, DMTRACE_EXIT, C, &made);
	ck_assert_int_eq(made.kind, DMTRACE_STEP_STRAY);
	step(stacks, 1, DMTRACE_EXIT, A, &made);
	ck_assert_uint_eq(made.depth, 1000);
	dmtrace_stacks_free(stacks);
}
END_TEST

START_TEST(frees_nothing)
{
	dmtrace_stacks_free(NULL);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("stack");
	TCase *tcase = unit_tcase(suite, "stack");

	ADD_CASES(tcase, steps, sequences);
	ADD_CASES(tcase, stands_as_it_was_without_memory, sequences);
	tcase_add_test(tcase, tells_the_open_frames);
	tcase_add_test(tcase, refuses_a_frame_over_the_limit);
	tcase_add_test(tcase, refuses_a_million_and_one_frames_by_default);
	tcase_add_test(tcase, stands_stray_exits_on_a_deep_stack);
	tcase_add_test(tcase, forgets_methods_that_are_not_open);
	tcase_add_test(tcase, frees_nothing);
	return unit_main(suite);
}
