/* test_callstacks.c - call stacks, from ordinary and from hostile events */

#include "events/callstacks.h"
#include "helpers/faults.h"
#include "helpers/unit.h"

/* Indexes of methods. */
#define A 0
#define B 1
#define C 2

struct move {
	uint32_t thread;		/* index */
	enum dmtrace_action action;
	uint32_t method;
	struct dmt_step step;
};

static const struct {
	const char *label;
	struct move moves[8];
	size_t count;
} sequences[] = {
	{ "calls that end", {
		{ 1, DMTRACE_ENTER, A, { DMT_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_ENTER, B, { DMT_STEP_ENTERED, 2, 0 } },
		{ 1, DMTRACE_EXIT, B, { DMT_STEP_LEFT, 2, 0 } },
		{ 1, DMTRACE_ENTER, C, { DMT_STEP_ENTERED, 2, 0 } },
		{ 1, DMTRACE_UNROLL, C, { DMT_STEP_LEFT, 2, 0 } },
		{ 1, DMTRACE_UNROLL, A, { DMT_STEP_LEFT, 1, 0 } },
	}, 6 },
	{ "exits of calls from before the trace", {
		{ 1, DMTRACE_EXIT, A, { DMT_STEP_BEFORE, 0, 0 } },
		{ 1, DMTRACE_UNROLL, B, { DMT_STEP_BEFORE, 0, 0 } },
		{ 1, DMTRACE_ENTER, A, { DMT_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMT_STEP_LEFT, 1, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMT_STEP_BEFORE, 0, 0 } },
	}, 5 },
	{ "an exit of a frame below two others", {
		{ 1, DMTRACE_ENTER, A, { DMT_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_ENTER, B, { DMT_STEP_ENTERED, 2, 0 } },
		{ 1, DMTRACE_ENTER, C, { DMT_STEP_ENTERED, 3, 0 } },
		{ 1, DMTRACE_ENTER, C, { DMT_STEP_ENTERED, 4, 0 } },
		{ 1, DMTRACE_EXIT, B, { DMT_STEP_UNWOUND, 2, 2 } },
		{ 1, DMTRACE_EXIT, C, { DMT_STEP_STRAY, 0, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMT_STEP_LEFT, 1, 0 } },
	}, 7 },
	{ "an exit ends the innermost of several frames", {
		{ 1, DMTRACE_ENTER, A, { DMT_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_ENTER, A, { DMT_STEP_ENTERED, 2, 0 } },
		{ 1, DMTRACE_ENTER, B, { DMT_STEP_ENTERED, 3, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMT_STEP_UNWOUND, 2, 1 } },
		{ 1, DMTRACE_EXIT, B, { DMT_STEP_STRAY, 0, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMT_STEP_LEFT, 1, 0 } },
	}, 6 },
	{ "a stray exit changes nothing", {
		{ 1, DMTRACE_ENTER, A, { DMT_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_EXIT, B, { DMT_STEP_STRAY, 0, 0 } },
		{ 1, DMTRACE_ENTER, B, { DMT_STEP_ENTERED, 2, 0 } },
		{ 1, DMTRACE_EXIT, B, { DMT_STEP_LEFT, 2, 0 } },
		{ 1, DMTRACE_EXIT, B, { DMT_STEP_STRAY, 0, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMT_STEP_LEFT, 1, 0 } },
	}, 6 },
	{ "the reserved action changes nothing", {
		{ 1, DMTRACE_RESERVED, A, { DMT_STEP_IGNORED, 0, 0 } },
		{ 1, DMTRACE_ENTER, A, { DMT_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_RESERVED, A, { DMT_STEP_IGNORED, 0, 0 } },
		{ 1, DMTRACE_EXIT, A, { DMT_STEP_LEFT, 1, 0 } },
	}, 4 },
	{ "each thread has its own calls", {
		{ 0, DMTRACE_ENTER, A, { DMT_STEP_ENTERED, 1, 0 } },
		{ 1, DMTRACE_ENTER, B, { DMT_STEP_ENTERED, 1, 0 } },
		{ 2, DMTRACE_ENTER, A, { DMT_STEP_ENTERED, 1, 0 } },
		{ 3, DMTRACE_EXIT, A, { DMT_STEP_BEFORE, 0, 0 } },
		{ 2, DMTRACE_ENTER, B, { DMT_STEP_ENTERED, 2, 0 } },
		{ 1, DMTRACE_EXIT, B, { DMT_STEP_LEFT, 1, 0 } },
		{ 2, DMTRACE_EXIT, A, { DMT_STEP_UNWOUND, 1, 1 } },
		{ 0, DMTRACE_EXIT, A, { DMT_STEP_LEFT, 1, 0 } },
	}, 8 },
};

/* A frame with a number of its own, to see that frames are not mixed up. */
struct test_frame {
	struct dmt_call_frame frame;
	uint64_t number;
};

static void
begin_stacks(struct dmt_callstacks *stacks)
{
	dmt_callstacks_init(stacks, sizeof(struct test_frame));
	ck_assert(dmt_callstacks_reserve(stacks, 4));
}

static enum dmtrace_status
step_thread(struct dmt_callstacks *stacks, uint32_t thread,
    enum dmtrace_action action, uint32_t method, struct dmt_step *step)
{
	return dmt_callstack_step(stacks, &stacks->items[thread], method,
	    action, step);
}

static bool
same_step(const struct dmt_step *a, const struct dmt_step *b)
{
	return a->kind == b->kind && a->depth == b->depth &&
	    a->dropped == b->dropped;
}

START_TEST(follows_calls)
{
	struct dmt_callstacks stacks;

	begin_stacks(&stacks);
	/* a second time after a reset, which forgets all calls */
	for (int times = 0; times < 2; times++) {
		for (size_t i = 0; i < sequences[_i].count; i++) {
			const struct move *move = &sequences[_i].moves[i];
			struct dmt_step made;

			ck_assert_int_eq(step_thread(&stacks, move->thread,
			    move->action, move->method, &made), DMTRACE_OK);
			ck_assert_msg(same_step(&made, &move->step),
			    "%s, step %zu", sequences[_i].label, i);
		}
		dmt_callstacks_reset(&stacks);
	}
	dmt_callstacks_fini(&stacks);
}
END_TEST

/* Takes the events twice: what the first time leaves without having entered is
 * open from the start the second time. Exits of the same methods below other
 * calls are strays all the same. */
static const struct move twice[] = {
	{ 1, DMTRACE_ENTER, A, { DMT_STEP_ENTERED, 3, 0 } },
	{ 1, DMTRACE_EXIT, B, { DMT_STEP_STRAY, 0, 0 } },
	{ 1, DMTRACE_ENTER, C, { DMT_STEP_ENTERED, 4, 0 } },
	{ 1, DMTRACE_EXIT, A, { DMT_STEP_UNWOUND, 3, 1 } },
	{ 1, DMTRACE_EXIT, B, { DMT_STEP_LEFT, 2, 0 } },
	{ 1, DMTRACE_ENTER, B, { DMT_STEP_ENTERED, 2, 0 } },
	{ 1, DMTRACE_UNROLL, B, { DMT_STEP_LEFT, 2, 0 } },
	{ 1, DMTRACE_UNROLL, C, { DMT_STEP_LEFT, 1, 0 } },
};

START_TEST(begins_with_the_calls_that_were_noted)
{
	static const size_t count = sizeof(twice) / sizeof(twice[0]);
	struct dmt_callstacks stacks;
	struct dmt_step step;

	begin_stacks(&stacks);
	struct dmt_callstack *const stack = &stacks.items[1];
	stacks.limit = 2;
	stacks.notes = true;
	ck_assert(dmt_callstack_begin(&stacks, stack));
	for (size_t i = 0; i < count; i++) {
		ck_assert_int_eq(step_thread(&stacks, 1, twice[i].action,
		    twice[i].method, &step), DMTRACE_OK);
		ck_assert_int_eq(step.kind == DMT_STEP_BEFORE,
		    i == 4 || i == 7);
	}
	ck_assert_int_eq(step_thread(&stacks, 1, DMTRACE_EXIT, A, &step),
	    DMTRACE_ERR_LIMIT);

	stacks.notes = false;
	dmt_callstacks_reset(&stacks);
	ck_assert(dmt_callstack_begin(&stacks, stack));
	ck_assert_uint_eq(stack->depth, 2);
	ck_assert_uint_eq(dmt_callstack_method(&stacks, stack, 1), C);
	ck_assert_uint_eq(dmt_callstack_method(&stacks, stack, 2), B);
	for (size_t i = 0; i < count; i++) {
		ck_assert_int_eq(step_thread(&stacks, 1, twice[i].action,
		    twice[i].method, &step), DMTRACE_OK);
		ck_assert_msg(same_step(&step, &twice[i].step), "step %zu", i);
	}
	step_thread(&stacks, 1, DMTRACE_EXIT, C, &step);
	ck_assert_int_eq(step.kind, DMT_STEP_BEFORE);
	ck_assert_uint_eq(stack->before_count, 2);
	dmt_callstacks_fini(&stacks);
}
END_TEST

static const struct {
	enum dmtrace_action action;
	enum dmtrace_status status;
	const char *message;
} refusals[] = {
	{ DMTRACE_ENTER, DMTRACE_ERR_LIMIT,
	    "thread 7 has 3 open frames, which is the limit" },
	{ DMTRACE_EXIT, DMTRACE_ERR_LIMIT, "thread 7 leaves 3 frames that it"
	    " did not enter, which is the limit" },
	{ DMTRACE_ENTER, DMTRACE_ERR_MEMORY, "out of memory" },
};

START_TEST(says_which_limit_it_was)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };
	struct dmt_callstacks stacks;
	struct dmt_step step;

	begin_stacks(&stacks);
	stacks.limit = 3;
	stacks.notes = true;
	for (int i = 0; i < 3; i++)
		step_thread(&stacks, 1, refusals[_i].action, A, &step);
	ck_assert_int_eq(step_thread(&stacks, 1, refusals[_i].action, A,
	    &step), DMTRACE_ERR_LIMIT);
	ck_assert_int_eq(dmt_callstack_fail(&stacks, &stacks.items[1],
	    refusals[_i].status, 7, 167, &error), refusals[_i].status);
	ck_assert_str_eq(error.message, refusals[_i].message);
	ck_assert_uint_eq(error.at, error.place == DMTRACE_PLACE_OFFSET ? 167 :
	    0);
	ck_assert_int_eq(error.place == DMTRACE_PLACE_OFFSET,
	    refusals[_i].status == DMTRACE_ERR_LIMIT);
	dmt_callstacks_fini(&stacks);
}
END_TEST

/* Takes the steps again from the start with the nth allocation failing.
 * Returns whether there was one. Check itself allocates. */
static bool
fails_at(unsigned nth, const struct move *moves, size_t count)
{
	struct dmt_callstacks stacks;
	unsigned failures = 0, wrong = 0;

	fault_arm(FAULT_ALLOC, nth);
	dmt_callstacks_init(&stacks, sizeof(struct test_frame));
	while (!dmt_callstacks_reserve(&stacks, 4))
		failures++;
	for (size_t i = 0; i < count; i++) {
		struct dmt_step made;

		while (step_thread(&stacks, moves[i].thread, moves[i].action,
		    moves[i].method, &made) != DMTRACE_OK)
			failures++;
		wrong += !same_step(&made, &moves[i].step);
	}
	dmt_callstacks_fini(&stacks);
	ck_assert_uint_eq(failures, fault_disarm());
	ck_assert_uint_eq(wrong, 0);
	return failures > 0;
}

/* A step that failed because there was no memory is taken again, as if nothing
 * had been. */
START_TEST(changes_nothing_without_memory)
{
	unsigned nth = 1;

	while (fails_at(nth, sequences[_i].moves, sequences[_i].count))
		nth++;
	ck_assert_uint_gt(nth, 1);
}
END_TEST

/* Each frame keeps what its user put into it, also when the array moves. */
START_TEST(keeps_the_rest_of_each_frame)
{
	struct dmt_callstacks stacks;
	struct dmt_step made;
	struct test_frame *frame;

	begin_stacks(&stacks);
	for (uint32_t i = 1; i <= 1000; i++) {
		step_thread(&stacks, 1, DMTRACE_ENTER, i, &made);
		frame = dmt_frame_at(&stacks, &stacks.items[1], made.depth);
		frame->number = 3 * i;
	}
	for (uint32_t i = 1; i <= 1000; i++) {
		frame = dmt_frame_at(&stacks, &stacks.items[1], i);
		ck_assert_uint_eq(frame->frame.method, i);
		ck_assert_uint_eq(frame->number, 3 * i);
	}
	ck_assert_uint_eq(stacks.items[0].depth, 0);
	dmt_callstacks_fini(&stacks);
}
END_TEST

START_TEST(refuses_a_call_over_the_limit)
{
	struct dmt_callstacks stacks;
	struct dmt_step made;

	begin_stacks(&stacks);
	stacks.limit = 2;
	step_thread(&stacks, 1, DMTRACE_ENTER, A, &made);
	step_thread(&stacks, 1, DMTRACE_ENTER, A, &made);
	ck_assert_int_eq(step_thread(&stacks, 1, DMTRACE_ENTER, A, &made),
	    DMTRACE_ERR_LIMIT);
	ck_assert_int_eq(step_thread(&stacks, 2, DMTRACE_ENTER, A, &made),
	    DMTRACE_OK);
	step_thread(&stacks, 1, DMTRACE_EXIT, A, &made);
	ck_assert_uint_eq(made.depth, 2);
	dmt_callstacks_fini(&stacks);
}
END_TEST

START_TEST(refuses_a_million_and_one_calls_by_default)
{
	struct dmt_callstacks stacks;
	struct dmt_step made;

	begin_stacks(&stacks);
	for (uint32_t i = 0; i < 1048576; i++)
		step_thread(&stacks, 1, DMTRACE_ENTER, A, &made);
	ck_assert_uint_eq(made.depth, 1048576);
	ck_assert_int_eq(step_thread(&stacks, 1, DMTRACE_ENTER, A, &made),
	    DMTRACE_ERR_LIMIT);
	dmt_callstacks_fini(&stacks);
}
END_TEST

/* Searching the stack for each of them would take hours. */
START_TEST(takes_stray_exits_on_a_deep_stack)
{
	struct dmt_callstacks stacks;
	struct dmt_step made;
	uint32_t strays = 0;

	begin_stacks(&stacks);
	for (uint32_t i = 0; i < 1000000; i++)
		step_thread(&stacks, 1, DMTRACE_ENTER, i, &made);
	for (uint32_t i = 0; i < 2000000; i++) {
		step_thread(&stacks, 1, DMTRACE_EXIT, 1000000 + i % 9, &made);
		strays += made.kind == DMT_STEP_STRAY;
	}
	ck_assert_uint_eq(strays, 2000000);
	step_thread(&stacks, 1, DMTRACE_EXIT, 0, &made);
	ck_assert_int_eq(made.kind, DMT_STEP_UNWOUND);
	ck_assert_uint_eq(made.dropped, 999999);
	ck_assert_uint_eq(stacks.items[1].depth, 0);
	/* what the step closed can still be looked at */
	const struct dmt_call_frame *const frame =
	    dmt_frame_at(&stacks, &stacks.items[1], 1000000);
	ck_assert_uint_eq(frame->method, 999999);
	dmt_callstacks_fini(&stacks);
}
END_TEST

/* Two million methods that come and go, on stacks whose calls are counted:
 * shallow, then a thousand calls deep. */
START_TEST(forgets_methods_that_are_not_open)
{
	struct dmt_callstacks stacks;
	struct dmt_step made;
	uint32_t method = C, wrong = 0;

	begin_stacks(&stacks);
	step_thread(&stacks, 1, DMTRACE_ENTER, A, &made);
	step_thread(&stacks, 1, DMTRACE_EXIT, B, &made);
	for (uint32_t depth = 1; depth < 1001; depth += 999) {
		while (stacks.items[1].depth < depth)
			step_thread(&stacks, 1, DMTRACE_ENTER, A, &made);
		for (int i = 0; i < 1000000; i++, method++) {
			step_thread(&stacks, 1, DMTRACE_ENTER, method, &made);
			step_thread(&stacks, 1, DMTRACE_EXIT, method, &made);
			wrong += made.depth != depth + 1;
		}
		ck_assert_uint_lt(stacks.items[1].open.count, 10000);
	}
	ck_assert_uint_eq(wrong, 0);
	step_thread(&stacks, 1, DMTRACE_EXIT, C, &made);
	ck_assert_int_eq(made.kind, DMT_STEP_STRAY);
	step_thread(&stacks, 1, DMTRACE_EXIT, A, &made);
	ck_assert_uint_eq(made.depth, 1000);
	dmt_callstacks_fini(&stacks);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("callstacks");
	TCase *tcase = unit_tcase(suite, "callstacks");

	ADD_CASES(tcase, follows_calls, sequences);
	tcase_add_test(tcase, begins_with_the_calls_that_were_noted);
	ADD_CASES(tcase, says_which_limit_it_was, refusals);
	ADD_CASES(tcase, changes_nothing_without_memory, sequences);
	tcase_add_test(tcase, keeps_the_rest_of_each_frame);
	tcase_add_test(tcase, refuses_a_call_over_the_limit);
	tcase_add_test(tcase, refuses_a_million_and_one_calls_by_default);
	tcase_add_test(tcase, takes_stray_exits_on_a_deep_stack);
	tcase_add_test(tcase, forgets_methods_that_are_not_open);
	return unit_main(suite);
}
