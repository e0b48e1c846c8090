/* test_profile_stacks.c - profiles checked against simple ones */

#include <dmtrace.h>

#include <stdlib.h>
#include <string.h>

#include "helpers/digests.h"
#include "helpers/id_stacks.h"
#include "helpers/profiles.h"
#include "helpers/random.h"
#include "helpers/unit.h"

/* Slow and plain, of four methods and three threads. */
enum { METHODS = 4, LISTED = 5, THREADS = 3, DEPTH = 64, EVENTS = 2000 };

struct slow_frame {
	size_t method;
	uint64_t start_ns;
};

struct slow_edge {
	uint64_t calls;
	int64_t inclusive;
};

/* The frames that a thread leaves without having entered are below the others
 * from its first time on. */
struct slow {
	struct id_stacks *stacks;
	struct slow_frame frames[THREADS][EVENTS + DEPTH];
	uint32_t depths[THREADS];
	uint64_t last[THREADS];
	uint64_t calls[LISTED + 1][2];
	int64_t inclusive[LISTED + 1], exclusive[LISTED + 1][2];
	struct slow_edge edges[LISTED + 1][2][LISTED + 1][2];
};

static unsigned
pick(uint64_t *seed, unsigned limit)
{
	return (unsigned)((next_random(seed) >> 8) % limit);
}

/* Mostly calls that end as they should; exits of others now and then. */
static struct dmtrace_event
random_event(const struct id_stacks *stacks, uint64_t *seed,
    uint64_t now_ns)
{
	struct dmtrace_event event = {
		.thread = pick(seed, THREADS),
		.method = 4 * (UINT64_C(1) + pick(seed, METHODS)),
		.cpu_ns = DMTRACE_NO_TIME, .wall_ns = now_ns,
		.action = DMTRACE_ENTER
	};
	const uint32_t depth = id_stacks_depth(stacks, event.thread);
	const unsigned what = pick(seed, 100);

	if (what < (depth == 0 ? 80 : 48) && depth < DEPTH - 2)
		return event;
	event.action = what < 96 ? DMTRACE_EXIT : what < 98 ?
	    DMTRACE_UNROLL : DMTRACE_RESERVED;
	if (what < 92 && depth > 0)
		event.method = id_stacks_method(stacks, event.thread,
		    depth);
	return event;
}

/* The later a frame is left, the further out it is. */
static void
put_below(struct slow *slow, const struct dmtrace_event *event)
{
	struct slow_frame *const frames = slow->frames[event->thread];

	memmove(&frames[1], &frames[0],
	    slow->depths[event->thread]++ * sizeof(*frames));
	frames[0].method = (size_t)event->method / 4;
}

/* What the threads have open at their first time. */
static void
random_events(struct slow *slow, struct dmtrace_event *events, uint64_t *seed)
{
	struct id_stacks *const stacks = id_stacks_new();
	uint64_t now_ns = 1000;

	for (size_t i = 0; i < EVENTS; i++) {
		const struct dmtrace_event event = random_event(stacks, seed,
		    now_ns);
		struct dmt_step step;

		ck_assert_int_eq(id_stacks_step(stacks, &event, &step),
		    DMTRACE_OK);
		if (step.kind == DMT_STEP_BEFORE)
			put_below(slow, &event);
		now_ns += pick(seed, 5) * UINT64_C(1000);
		events[i] = event;
	}
	id_stacks_free(stacks);
}

/* Returns 1 if the frame at depth is inside another call of its method. The
 * frame at depth 0, outside of all calls, is not. */
static unsigned
is_recursive(const struct slow *slow, uint32_t thread, uint32_t depth)
{
	const struct slow_frame *const frames = slow->frames[thread];

	for (uint32_t i = 1; i < depth; i++)
		if (frames[i - 1].method == frames[depth - 1].method)
			return 1;
	return 0;
}

static size_t
method_at(const struct slow *slow, uint32_t thread, uint32_t depth)
{
	return depth == 0 ? 0 : slow->frames[thread][depth - 1].method;
}

static void
slow_leave(struct slow *slow, uint32_t thread)
{
	const uint32_t depth = slow->depths[thread];
	const size_t method = method_at(slow, thread, depth);
	const unsigned recursive = is_recursive(slow, thread, depth);
	const int64_t took = (int64_t)(slow->last[thread] -
	    slow->frames[thread][depth - 1].start_ns);
	struct slow_edge *const edge = &slow->edges
	    [method_at(slow, thread, depth - 1)]
	    [is_recursive(slow, thread, depth - 1)][method][recursive];

	slow->calls[method][recursive]++;
	if (!recursive)
		slow->inclusive[method] += took;
	edge->calls++;
	edge->inclusive += took;
	slow->depths[thread]--;
}

/* The first event of a thread, at which the frames below begin. */
static void
slow_begin(struct slow *slow, const struct dmtrace_event *event)
{
	const uint32_t thread = event->thread;

	slow->last[thread] = event->wall_ns;
	for (uint32_t i = 0; i < slow->depths[thread]; i++)
		slow->frames[thread][i].start_ns = event->wall_ns;
}

static void
slow_take(struct slow *slow, const struct dmtrace_event *event)
{
	const uint32_t thread = event->thread, depth = slow->depths[thread];
	struct dmt_step step;

	slow->exclusive[method_at(slow, thread, depth)]
	    [is_recursive(slow, thread, depth)] +=
	    (int64_t)(event->wall_ns - slow->last[thread]);
	slow->last[thread] = event->wall_ns;
	ck_assert_int_eq(id_stacks_step(slow->stacks, event, &step),
	    DMTRACE_OK);
	if (step.kind == DMT_STEP_ENTERED)
		slow->frames[thread][slow->depths[thread]++] =
		    (struct slow_frame){ (size_t)event->method / 4,
		    event->wall_ns };
	else if (step.kind <= DMT_STEP_BEFORE)
		for (uint32_t i = 0; i <= step.dropped; i++)
			slow_leave(slow, thread);
}

static void
compare_methods(const struct slow *slow,
    const struct dmtrace_profile *profile)
{
	for (size_t i = 0; i < dmtrace_profile_method_count(profile); i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, 0, i, &method);
		const size_t slow_method = (size_t)method.id / 4;
		const int64_t *const exclusive = slow->exclusive[slow_method];
		ck_assert_uint_eq(method.calls, slow->calls[slow_method][0]);
		ck_assert_uint_eq(method.recursive_calls,
		    slow->calls[slow_method][1]);
		ck_assert_int_eq(method.exclusive_ns[1],
		    exclusive[0] + exclusive[1]);
		ck_assert_int_eq(method.outer_ns[1], exclusive[0]);
		if (i != DMTRACE_PROFILE_TOP)
			ck_assert_int_eq(method.inclusive_ns[1],
			    slow->inclusive[slow_method]);
	}
}

static size_t
count_edges(const struct slow *slow)
{
	const struct slow_edge *const edges = &slow->edges[0][0][0][0];
	size_t count = 0;

	for (size_t i = 0; i < sizeof(slow->edges) / sizeof(*edges); i++)
		count += edges[i].calls > 0;
	return count;
}

static void
compare_edges(const struct slow *slow, const struct dmtrace_profile *profile)
{
	const size_t count = dmtrace_profile_edge_count(profile, 0);

	ck_assert_uint_eq(count, count_edges(slow));
	for (size_t i = 0; i < count; i++) {
		struct dmtrace_profile_edge edge;
		struct dmtrace_profile_method caller, callee;

		dmtrace_profile_edge_get(profile, 0, i, &edge);
		dmtrace_profile_method_get(profile, 0, edge.caller, &caller);
		dmtrace_profile_method_get(profile, 0, edge.callee, &callee);
		const struct slow_edge *const right = &slow->edges
		    [caller.id / 4][edge.caller_recursive]
		    [callee.id / 4][edge.callee_recursive];
		ck_assert_uint_eq(edge.calls, right->calls);
		ck_assert_int_eq(edge.inclusive_ns[1], right->inclusive);
	}
}

static void
profile_slowly(struct slow *slow, const struct dmtrace_event *events)
{
	slow->stacks = id_stacks_new();
	for (size_t i = 0; i < THREADS; i++)
		slow->last[i] = UINT64_MAX;
	for (size_t i = 0; i < EVENTS; i++) {
		if (slow->last[events[i].thread] == UINT64_MAX)
			slow_begin(slow, &events[i]);
		slow_take(slow, &events[i]);
	}
	for (uint32_t i = 0; i < THREADS; i++)
		while (slow->depths[i] > 0)
			slow_leave(slow, i);
	id_stacks_free(slow->stacks);
}

START_TEST(agrees_with_the_call_stacks)
{
	static struct slow slow;
	static struct dmtrace_event events[EVENTS];
	uint64_t seed = (uint64_t)_i * 7919 + 1;
	struct dmtrace_profile_options options = { 0 };
	struct dmtrace_key *key = key_of_methods();

	memset(&slow, 0, sizeof(slow));
	random_events(&slow, events, &seed);
	profile_slowly(&slow, events);
	options.keep = keeps[_i % 5];
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	ck_assert_int_eq(profile_add_events(profile, key, events, EVENTS, 8),
	    DMTRACE_OK);
	compare_methods(&slow, profile);
	if (options.keep & DMTRACE_PROFILE_EDGES)
		compare_edges(&slow, profile);
	dmtrace_profile_free(profile);
	dmt_key_free(key);
}
END_TEST

static void
add_both_times(const struct dmtrace_event *first,
    const struct dmtrace_event *second, unsigned keep)
{
	struct dmtrace_profile_options options = { 0 };
	struct dmtrace_key *key = key_of_methods();

	options.keep = keep;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	struct dmtrace_source *source = array_source_new(key,
	    layout_of_times(first, EVENTS), first, EVENTS, 100);
	((struct array_source *)source)->events_again = second;
	ck_assert_int_eq(dmtrace_profile_add(profile, source), DMTRACE_OK);
	dmtrace_source_free(source);
	digest_of(profile, keep);
	dmtrace_profile_free(profile);
	dmt_key_free(key);
}

/* The second pass has other and deeper events, as if the file had changed. */
START_TEST(survives_other_events_in_pass_two)
{
	static struct slow slow;
	static struct dmtrace_event first[EVENTS], second[EVENTS];
	uint64_t seed = (uint64_t)_i * 7919 + 1;

	memset(&slow, 0, sizeof(slow));
	random_events(&slow, first, &seed);
	memset(&slow, 0, sizeof(slow));
	random_events(&slow, second, &seed);
	for (size_t i = 0; i < EVENTS; i++) {
		if (i % 16 == 0)
			second[i].method = 4 * METHODS + i;
		if (_i % 2 && i < EVENTS / 2)
			second[i].action = DMTRACE_ENTER;
	}
	add_both_times(first, second, keeps[_i % 6]);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("profile_stacks");
	TCase *tcase = unit_tcase(suite, "profile_stacks");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, agrees_with_the_call_stacks, 0, 40);
	tcase_add_loop_test(tcase, survives_other_events_in_pass_two, 0, 12);
	return unit_main(suite);
}
