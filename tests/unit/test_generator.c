/* test_generator.c - the calls that the generator makes for threads */

#include <dmtrace.h>

#include "ops/generate.h"

#include "helpers/events.h"
#include "helpers/failing.h"
#include "helpers/unit.h"
#include "private/key.h"
#include "private/select.h"

#define EVENTS_MAX 16
#define METHODS 3
#define THREADS_MAX 300
#define DEPTH_MAX 300

static const uint32_t ids[METHODS] = { 0x10, 0x24, 0x38 };

/* Made by a program of its own, in another language. */
static const struct {
	const char *label;
	struct dmtrace_generate_options options;
	bool rebased;
	struct dmtrace_event events[EVENTS_MAX];
} tiny[] = {
	{ "one thread, one frame", {
		.seed = 1, .records = 8, .threads = 1, .max_depth = 1
	}, false, {
		{ 0x10, 0, 7458, 1, DMTRACE_ENTER },
		{ 0x10, 4443, 11901, 1, DMTRACE_EXIT },
		{ 0x38, 12072, 19530, 1, DMTRACE_ENTER },
		{ 0x38, 12072, 26714, 1, DMTRACE_EXIT },
		{ 0x10, 12072, 31988, 1, DMTRACE_ENTER },
		{ 0x10, 12072, 34417, 1, DMTRACE_EXIT },
		{ 0x24, 12964, 35309, 1, DMTRACE_ENTER },
		{ 0x24, 12964, 40000, 1, DMTRACE_EXIT },
	} },
	{ "two threads", {
		.seed = 3, .records = 10, .threads = 2, .max_depth = 2
	}, false, {
		{ 0x10, 0, 7003, 2, DMTRACE_ENTER },
		{ 0x10, 0, 9071, 1, DMTRACE_ENTER },
		{ 0x38, 8491, 17562, 1, DMTRACE_ENTER },
		{ 0x10, 0, 22113, 2, DMTRACE_ENTER },
		{ 0x10, 6598, 28711, 2, DMTRACE_EXIT },
		{ 0x24, 6598, 32799, 2, DMTRACE_ENTER },
		{ 0x24, 6598, 39670, 2, DMTRACE_EXIT },
		{ 0x10, 7491, 40563, 2, DMTRACE_EXIT },
		{ 0x38, 8491, 42195, 1, DMTRACE_EXIT },
		{ 0x10, 16223, 49927, 1, DMTRACE_EXIT },
	} },
	{ "an exception, and times from each thread's start", {
		.seed = 70, .records = 16, .threads = 2, .max_depth = 4
	}, true, {
		{ 0x38, 0, 0, 2, DMTRACE_ENTER },
		{ 0x38, 7919, 7919, 2, DMTRACE_ENTER },
		{ 0x38, 11209, 11209, 2, DMTRACE_ENTER },
		{ 0x10, 0, 0, 1, DMTRACE_ENTER },
		{ 0x10, 8907, 8907, 1, DMTRACE_EXIT },
		{ 0x10, 9532, 9532, 1, DMTRACE_ENTER },
		{ 0x38, 11209, 33439, 2, DMTRACE_ENTER },
		{ 0x38, 19053, 41283, 2, DMTRACE_EXIT },
		{ 0x24, 25024, 47254, 2, DMTRACE_ENTER },
		{ 0x24, 25024, 49593, 2, DMTRACE_UNROLL },
		{ 0x10, 9532, 35184, 1, DMTRACE_EXIT },
		{ 0x10, 15956, 41608, 1, DMTRACE_ENTER },
		{ 0x10, 19405, 45057, 1, DMTRACE_EXIT },
		{ 0x38, 25024, 66987, 2, DMTRACE_UNROLL },
		{ 0x38, 25184, 67147, 2, DMTRACE_UNROLL },
		{ 0x38, 25184, 75461, 2, DMTRACE_EXIT },
	} },
};

/* key: of the caller, as long as the source. */
static struct dmtrace_source *
new_walk(struct dmtrace_generate_options options, bool rebased,
    const struct dmtrace_key *key)
{
	options.methods = METHODS;
	return dmt_generator_new(&options, key,
	    dmt_layout_find(3, DMTRACE_CLOCK_DUAL), ids, rebased, true);
}

/* false: that was all. */
static bool
next_event(struct dmtrace_source *walk, struct dmtrace_event *event)
{
	const enum dmtrace_status status = dmtrace_source_next(walk, event);

	ck_assert(status == DMTRACE_OK || status == DMTRACE_END);
	return status == DMTRACE_OK;
}

START_TEST(makes_these_events_again_and_again)
{
	struct dmtrace_key *const key = dmt_key_new();
	struct dmtrace_source *const walk =
	    new_walk(tiny[_i].options, tiny[_i].rebased, key);
	struct dmtrace_event event;

	for (int times = 0; times < 2; times++) {
		for (size_t i = 0; i < tiny[_i].options.records; i++) {
			ck_assert(next_event(walk, &event));
			assert_same_event(&event, &tiny[_i].events[i]);
		}
		ck_assert(!next_event(walk, &event));
		ck_assert_int_eq(dmt_source_rewind(walk), DMTRACE_OK);
	}
	dmtrace_source_free(walk);
	dmt_key_free(key);
}
END_TEST

static const struct dmtrace_generate_options shapes[] = {
	{ .seed = 0, .records = 0, .threads = 3, .max_depth = 3 },
	{ .seed = 1, .records = 2, .threads = 300, .max_depth = 300 },
	{ .seed = 2, .records = 10, .threads = 50, .max_depth = 3 },
	{ .seed = 3, .records = 5000, .threads = 1, .max_depth = 1 },
	{ .seed = UINT64_MAX, .records = 100000, .threads = 4,
	  .max_depth = 32 },
	{ .seed = 5, .records = 30000, .threads = 300, .max_depth = 300 },
	{ .shape = DMTRACE_SHAPE_RECURSION, .records = 20000, .threads = 4,
	  .max_depth = 200 },
	{ .shape = DMTRACE_SHAPE_PINGPONG, .records = 20000, .threads = 3,
	  .max_depth = 30, .burst = 3 },
	{ .shape = DMTRACE_SHAPE_EXCEPTIONS, .records = 20000, .threads = 4,
	  .max_depth = 30, .duration_ns = 3600000000000 },
	{ .shape = DMTRACE_SHAPE_SAMPLING, .records = 20000, .threads = 9,
	  .max_depth = 1 },
	{ .shape = DMTRACE_SHAPE_SAMPLING, .records = 20000, .threads = 9,
	  .max_depth = 40 },
	{ .shape = DMTRACE_SHAPE_DEEP, .records = 20000, .threads = 2,
	  .max_depth = 300 },
	{ .shape = DMTRACE_SHAPE_DEEP, .records = 400, .threads = 2,
	  .max_depth = 300 },
	{ .shape = DMTRACE_SHAPE_WIDE, .records = 20000, .threads = 4,
	  .max_depth = 1 },
	{ .shape = DMTRACE_SHAPE_WIDE, .records = 20000, .threads = 4,
	  .max_depth = 2 },
	{ .shape = DMTRACE_SHAPE_APP, .records = 2, .threads = 1,
	  .max_depth = 8 },
	{ .shape = DMTRACE_SHAPE_APP, .records = 50000, .threads = 20,
	  .max_depth = 8 },
	{ .shape = DMTRACE_SHAPE_APP, .records = 50000, .threads = 1,
	  .max_depth = 30, .duration_ns = 1000 },
};

/* What the threads have open, and when they were last seen. */
struct state {
	uint64_t frames[DEPTH_MAX];
	uint32_t depth;
	uint64_t cpu_ns;
	uint64_t wall_ns;
	bool seen;
};

static void
follow(struct state *state, const struct dmtrace_event *event,
    uint32_t max_depth)
{
	if (event->action == DMTRACE_ENTER) {
		ck_assert_uint_lt(state->depth, max_depth);
		state->frames[state->depth++] = event->method;
	} else {
		ck_assert_uint_gt(state->depth, 0);
		ck_assert_uint_eq(state->frames[--state->depth],
		    event->method);
	}
	ck_assert_uint_ge(event->cpu_ns, state->cpu_ns);
	ck_assert_uint_ge(event->wall_ns, state->wall_ns);
	ck_assert_uint_le(event->cpu_ns, event->wall_ns);
	if (!state->seen)
		ck_assert_uint_eq(event->cpu_ns, 0);
	state->seen = true;
	state->cpu_ns = event->cpu_ns;
	state->wall_ns = event->wall_ns;
}

START_TEST(every_call_ends_and_times_rise)
{
	static struct state states[THREADS_MAX + 1];
	const struct dmtrace_generate_options *const shape = &shapes[_i];
	struct dmtrace_key *const key = dmt_key_new();
	struct dmtrace_source *const walk = new_walk(*shape, false, key);
	struct dmtrace_event event = { .wall_ns = 0 };
	uint64_t count = 0, wall_ns = 0;

	memset(states, 0, sizeof(states));
	for (; next_event(walk, &event); count++) {
		ck_assert_uint_ge(event.thread, 1);
		ck_assert_uint_le(event.thread, shape->threads);
		ck_assert_uint_ge(event.wall_ns, wall_ns);
		wall_ns = event.wall_ns;
		follow(&states[event.thread], &event, shape->max_depth);
	}
	ck_assert_uint_eq(count, shape->records);
	ck_assert_uint_le(wall_ns, dmt_generator_elapsed(shape));
	for (uint32_t i = 0; i <= THREADS_MAX; i++)
		ck_assert_uint_eq(states[i].depth, 0);
	dmtrace_source_free(walk);
	dmt_key_free(key);
}
END_TEST

/* Of 100,000 events in 4 threads. */
START_TEST(makes_every_kind_of_event)
{
	struct dmtrace_key *const key = dmt_key_new();
	struct dmtrace_source *const walk = new_walk(shapes[4], false, key);
	uint64_t actions[4] = { 0 }, threads[5] = { 0 }, switches = 0;
	struct dmtrace_event event;
	uint32_t thread = 0;

	while (next_event(walk, &event)) {
		actions[event.action]++;
		threads[event.thread]++;
		switches += event.thread != thread;
		thread = event.thread;
	}
	ck_assert_uint_eq(actions[DMTRACE_ENTER], 50000);
	ck_assert_uint_gt(actions[DMTRACE_UNROLL], 1000);
	ck_assert_uint_gt(actions[DMTRACE_EXIT], 40000);
	ck_assert_uint_gt(switches, 1000);
	for (int i = 1; i <= 4; i++)
		ck_assert_uint_gt(threads[i], 20000);
	dmtrace_source_free(walk);
	dmt_key_free(key);
}
END_TEST

START_TEST(the_longest_walk_ends_below_2_to_32_us)
{
	const struct dmtrace_generate_options options = {
		.records = _i == 0 ? UINT64_C(1000000000) : UINT64_MAX - 1
	};

	ck_assert_uint_lt(dmt_generator_elapsed(&options) / 1000,
	    UINT64_C(1) << 32);
}
END_TEST

START_TEST(without_memory_there_is_no_walk)
{
	struct dmtrace_key *const key = dmt_key_new();
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		failing_arm(&failing);
		struct dmtrace_source *const walk =
		    new_walk(shapes[3], false, key);
		failing_reported(&failing, status_of_new(walk));
		dmtrace_source_free(walk);
	} while (failing.failed);
	dmt_key_free(key);
	ck_assert_uint_gt(failing.reported, 2);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("generator");
	TCase *const tcase = unit_tcase(suite, "generator");

	ADD_CASES(tcase, makes_these_events_again_and_again, tiny);
	ADD_CASES(tcase, every_call_ends_and_times_rise, shapes);
	tcase_add_test(tcase, makes_every_kind_of_event);
	tcase_add_loop_test(tcase, the_longest_walk_ends_below_2_to_32_us,
	    0, 2);
	tcase_add_test(tcase, without_memory_there_is_no_walk);
	return unit_main(suite);
}
