/* test_profile_laws.c - what holds for the profile of any trace */

#include <dmtrace.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "profiles.h"
#include "samples.h"
#include "unit.h"

#define ALL (DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_TREE | \
	DMTRACE_PROFILE_CALLS | DMTRACE_PROFILE_THREADS)

static const unsigned keeps[] = {
	0, DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_TREE,
	DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_CALLS, ALL,
	ALL | DMTRACE_PROFILE_COMPENSATE,
	DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_AS_DMTRACEDUMP,
};

enum way { BY_READ, BY_EVENTS, BY_SINGLE_EVENTS };

static enum dmtrace_status
add_events(struct dmtrace_profile *profile, struct dmtrace_reader *reader,
    size_t batch, size_t *count)
{
	struct dmtrace_event events[37];
	const enum dmtrace_status status = dmtrace_reader_read(reader, events,
	    batch, count);

	return status != DMTRACE_OK ? status :
	    dmtrace_profile_add(profile, events, *count);
}

static enum dmtrace_status
add_trace(struct dmtrace_profile *profile, struct dmtrace_reader *reader,
    enum way way)
{
	enum dmtrace_status status = dmtrace_profile_begin(profile,
	    dmtrace_reader_key(reader), dmtrace_reader_layout(reader));
	size_t count = 1;

	while (status == DMTRACE_OK && count > 0)
		status = way == BY_READ ?
		    dmtrace_profile_read(profile, reader, &count) :
		    add_events(profile, reader, way == BY_EVENTS ? 37 : 1,
		    &count);
	return status == DMTRACE_OK ? dmtrace_profile_end(profile) : status;
}

/* NULL: it is no trace. */
static struct dmtrace_profile *
profile_bytes(const uint8_t *bytes, size_t len, unsigned keep,
    enum dmtrace_profile_by by, enum way way)
{
	struct dmtrace_profile_options options;
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_profile *profile = NULL;

	dmtrace_profile_options_init(&options);
	options.keep = keep;
	options.by = by;
	if (dmtrace_reader_open_memory(reader, bytes, len) == DMTRACE_OK) {
		profile = dmtrace_profile_new(&options);
		ck_assert_int_eq(add_trace(profile, reader, way),
		    DMTRACE_OK);
	}
	dmtrace_reader_free(reader);
	return profile;
}

static uint64_t
mix(uint64_t digest, uint64_t number)
{
	digest = (digest ^ number) * UINT64_C(0x9e3779b97f4a7c15);
	return digest ^ digest >> 29;
}

static uint64_t
mix_times(uint64_t digest, const int64_t *ns)
{
	return mix(mix(digest, (uint64_t)ns[0]), (uint64_t)ns[1]);
}

static uint64_t
mix_table(uint64_t digest, const struct dmtrace_profile *profile,
    size_t table, unsigned keep)
{
	for (size_t i = 0; i < dmtrace_profile_method_count(profile); i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, table, i, &method);
		digest = mix(mix(mix(digest, method.id), method.calls),
		    method.recursive_calls);
		digest = mix_times(digest, method.inclusive_ns);
		digest = mix_times(digest, method.exclusive_ns);
		digest = mix_times(digest, method.outer_ns);
		if (keep & DMTRACE_PROFILE_CALLS)
			digest = mix(digest, (uint64_t)
			    dmtrace_profile_percentile(profile, table, i,
			    70));
	}
	for (size_t i = 0; i < dmtrace_profile_edge_count(profile, table);
	    i++) {
		struct dmtrace_profile_edge edge;

		dmtrace_profile_edge_get(profile, table, i, &edge);
		digest = mix(mix(mix(digest, edge.caller), edge.callee),
		    edge.calls);
		digest = mix_times(digest, edge.inclusive_ns);
	}
	for (size_t i = 0; i < dmtrace_profile_node_count(profile, table);
	    i++) {
		struct dmtrace_profile_node node;

		dmtrace_profile_node_get(profile, table, i, &node);
		digest = mix(mix(mix(digest, node.parent), node.method),
		    node.calls);
		digest = mix_times(digest, node.inclusive_ns);
		digest = mix_times(digest, node.exclusive_ns);
	}
	return digest;
}

static uint64_t
digest_of(const struct dmtrace_profile *profile, unsigned keep)
{
	const size_t tables = keep & DMTRACE_PROFILE_THREADS ?
	    dmtrace_profile_thread_count(profile) : 0;
	struct dmtrace_profile_summary summary;
	uint64_t digest = 1;

	dmtrace_profile_summary_get(profile, &summary);
	digest = mix(mix_times(digest, summary.total_ns), summary.records);
	for (size_t table = 0; table <= tables; table++)
		digest = mix_table(digest, profile, table, keep);
	return digest;
}

START_TEST(is_the_same_by_records_and_by_events)
{
	const struct sample *sample = sample_get(_i);

	for (size_t i = 0; i < ROWS(keeps); i++) {
		uint64_t digests[3];

		for (int way = 0; way < 3; way++) {
			struct dmtrace_profile *profile = profile_bytes(
			    sample->bytes, sample->len, keeps[i],
			    DMTRACE_PROFILE_BY_METHOD, (enum way)way);

			if (profile == NULL)
				return;
			digests[way] = digest_of(profile, keeps[i]);
			dmtrace_profile_free(profile);
		}
		ck_assert_msg(digests[0] == digests[1] &&
		    digests[0] == digests[2], "%s, %zu", sample->name, i);
	}
}
END_TEST

/* The sums of one table, by clock. */
struct sums {
	int64_t exclusive[2], inclusive_top[2];
	int64_t nodes[2], node_top[2];
	uint64_t calls, edge_calls, node_calls;
};

static void
sum_methods(struct sums *sums, const struct dmtrace_profile *profile,
    size_t table)
{
	for (size_t i = 0; i < dmtrace_profile_method_count(profile); i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, table, i, &method);
		sums->calls += method.calls + method.recursive_calls;
		for (int clock = 0; clock < 2; clock++) {
			sums->exclusive[clock] += method.exclusive_ns[clock];
			if (i == DMTRACE_PROFILE_TOP)
				sums->inclusive_top[clock] =
				    method.inclusive_ns[clock];
		}
	}
}

static void
sum_paths(struct sums *sums, const struct dmtrace_profile *profile,
    size_t table)
{
	for (size_t i = 0; i < dmtrace_profile_edge_count(profile, table);
	    i++) {
		struct dmtrace_profile_edge edge;

		dmtrace_profile_edge_get(profile, table, i, &edge);
		sums->edge_calls += edge.calls;
	}
	for (size_t i = 0; i < dmtrace_profile_node_count(profile, table);
	    i++) {
		struct dmtrace_profile_node node;

		dmtrace_profile_node_get(profile, table, i, &node);
		ck_assert_msg(i == 0 || node.parent < i, "parents first");
		sums->node_calls += node.calls;
		for (int clock = 0; clock < 2; clock++) {
			sums->nodes[clock] += node.exclusive_ns[clock];
			if (i == 0)
				sums->node_top[clock] =
				    node.inclusive_ns[clock];
		}
	}
}

static struct sums
sums_of(const struct dmtrace_profile *profile, size_t table)
{
	struct sums sums = { .calls = 0 };

	sum_methods(&sums, profile, table);
	sum_paths(&sums, profile, table);
	return sums;
}

static void
assert_adds_up(const struct sums *sums, const int64_t total_ns[2])
{
	ck_assert_uint_eq(sums->edge_calls, sums->calls);
	ck_assert_uint_eq(sums->node_calls, sums->calls);
	for (int clock = 0; clock < 2; clock++) {
		ck_assert_int_eq(sums->exclusive[clock], total_ns[clock]);
		ck_assert_int_eq(sums->inclusive_top[clock], total_ns[clock]);
		ck_assert_int_eq(sums->nodes[clock], total_ns[clock]);
		ck_assert_int_eq(sums->node_top[clock], total_ns[clock]);
	}
}

/* Callers add up to inclusive times; callees, with exclusive time, do where
 * the caller is not recursive. */
static void
assert_edges_add_up(const struct dmtrace_profile *profile, size_t table)
{
	const size_t count = dmtrace_profile_method_count(profile);
	int64_t *left = calloc(2 * count, sizeof(*left));

	for (size_t i = 0; i < count; i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, table, i, &method);
		left[2 * i] = i == DMTRACE_PROFILE_TOP ? 0 :
		    method.inclusive_ns[1];
		left[2 * i + 1] = method.inclusive_ns[1] - method.outer_ns[1];
	}
	for (size_t i = 0; i < dmtrace_profile_edge_count(profile, table);
	    i++) {
		struct dmtrace_profile_edge edge;

		dmtrace_profile_edge_get(profile, table, i, &edge);
		if (!edge.callee_recursive)
			left[2 * edge.callee] -= edge.inclusive_ns[1];
		if (!edge.caller_recursive)
			left[2 * edge.caller + 1] -= edge.inclusive_ns[1];
	}
	for (size_t i = 0; i < 2 * count; i++)
		ck_assert_int_eq(left[i], 0);
	free(left);
}

/* Two numbers of records that are left without entry make callees of a method
 * recursive later on, so callees add up only without them. */
static bool
has_exits_without_entry(const struct sample *sample)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_stacks *stacks = dmtrace_stacks_new();
	struct dmtrace_event event;
	struct dmtrace_step step = { .kind = DMTRACE_STEP_ENTERED };
	bool has = false;

	ck_assert_int_eq(dmtrace_reader_open_memory(reader, sample->bytes,
	    sample->len), DMTRACE_OK);
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		dmtrace_stacks_step(stacks, &event, &step);
		has |= step.kind == DMTRACE_STEP_BEFORE;
	}
	dmtrace_stacks_free(stacks);
	dmtrace_reader_free(reader);
	return has;
}

START_TEST(adds_up)
{
	const struct sample *sample = sample_get(_i);
	struct dmtrace_profile_summary summary;
	struct dmtrace_profile *profile = profile_bytes(sample->bytes,
	    sample->len, ALL, DMTRACE_PROFILE_BY_METHOD, BY_READ);

	if (profile == NULL)
		return;
	const bool edges = !has_exits_without_entry(sample);
	dmtrace_profile_summary_get(profile, &summary);
	struct sums all = sums_of(profile, 0), threads = { .calls = 0 };
	assert_adds_up(&all, summary.total_ns);
	for (size_t i = 0; i < dmtrace_profile_thread_count(profile); i++) {
		struct dmtrace_profile_thread thread;
		const struct sums sums = sums_of(profile, i + 1);

		dmtrace_profile_thread_get(profile, i, &thread);
		assert_adds_up(&sums, thread.total_ns);
		if (edges)
			assert_edges_add_up(profile, i + 1);
		threads.calls += sums.calls;
		ck_assert_uint_eq(thread.calls, sums.calls);
	}
	if (edges)
		assert_edges_add_up(profile, 0);
	ck_assert_uint_eq(threads.calls, all.calls);
	dmtrace_profile_free(profile);
}
END_TEST

/* The nodes of a tree may come in another order. */
START_TEST(is_the_sum_of_its_threads)
{
	const struct sample *sample = sample_get(_i);
	struct dmtrace_profile *apart = profile_bytes(sample->bytes,
	    sample->len, DMTRACE_PROFILE_EDGES | DMTRACE_PROFILE_THREADS,
	    DMTRACE_PROFILE_BY_METHOD, BY_READ);
	struct dmtrace_profile *together = profile_bytes(sample->bytes,
	    sample->len, DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD,
	    BY_READ);

	if (apart == NULL)
		return;
	ck_assert_uint_eq(
	    mix_table(1, apart, 0, DMTRACE_PROFILE_EDGES),
	    mix_table(1, together, 0, DMTRACE_PROFILE_EDGES));
	dmtrace_profile_free(apart);
	dmtrace_profile_free(together);
}
END_TEST

static void
assert_doubled(const int64_t *once, const int64_t *twice)
{
	for (int clock = 0; clock < 2; clock++)
		ck_assert_int_eq(2 * once[clock], twice[clock]);
}

static void
assert_twice_the_methods(const struct dmtrace_profile *once,
    const struct dmtrace_profile *twice, size_t table)
{
	for (size_t i = 0; i < dmtrace_profile_method_count(once); i++) {
		struct dmtrace_profile_method a, b;

		dmtrace_profile_method_get(once, table, i, &a);
		dmtrace_profile_method_get(twice, table, i, &b);
		ck_assert_uint_eq(a.id, b.id);
		ck_assert_uint_eq(2 * a.calls, b.calls);
		ck_assert_uint_eq(2 * a.recursive_calls, b.recursive_calls);
		assert_doubled(a.inclusive_ns, b.inclusive_ns);
		assert_doubled(a.exclusive_ns, b.exclusive_ns);
		assert_doubled(a.outer_ns, b.outer_ns);
	}
}

static void
assert_twice_the_edges(const struct dmtrace_profile *once,
    const struct dmtrace_profile *twice, size_t table)
{
	const size_t count = dmtrace_profile_edge_count(once, table);

	ck_assert_uint_eq(count, dmtrace_profile_edge_count(twice, table));
	for (size_t i = 0; i < count; i++) {
		struct dmtrace_profile_edge a, b;

		dmtrace_profile_edge_get(once, table, i, &a);
		dmtrace_profile_edge_get(twice, table, i, &b);
		ck_assert_uint_eq(a.caller, b.caller);
		ck_assert_uint_eq(a.callee, b.callee);
		ck_assert_uint_eq(2 * a.calls, b.calls);
		assert_doubled(a.inclusive_ns, b.inclusive_ns);
	}
}

static void
assert_twice_the_nodes(const struct dmtrace_profile *once,
    const struct dmtrace_profile *twice, size_t table)
{
	const size_t count = dmtrace_profile_node_count(once, table);

	ck_assert_uint_eq(count, dmtrace_profile_node_count(twice, table));
	for (size_t i = 0; i < count; i++) {
		struct dmtrace_profile_node a, b;

		dmtrace_profile_node_get(once, table, i, &a);
		dmtrace_profile_node_get(twice, table, i, &b);
		ck_assert_uint_eq(a.parent, b.parent);
		ck_assert_uint_eq(a.method, b.method);
		ck_assert_uint_eq(2 * a.calls, b.calls);
		assert_doubled(a.inclusive_ns, b.inclusive_ns);
		assert_doubled(a.exclusive_ns, b.exclusive_ns);
	}
}

static struct dmtrace_profile *
profile_times(const struct sample *sample, int times)
{
	struct dmtrace_profile_options options;

	dmtrace_profile_options_init(&options);
	options.keep = ALL;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	for (int i = 0; i < times; i++) {
		struct dmtrace_reader *reader = dmtrace_reader_new();

		if (dmtrace_reader_open_memory(reader, sample->bytes,
		    sample->len) == DMTRACE_OK)
			ck_assert_int_eq(add_trace(profile, reader, BY_READ),
			    DMTRACE_OK);
		dmtrace_reader_free(reader);
	}
	return profile;
}

START_TEST(is_doubled_by_the_same_trace)
{
	struct dmtrace_profile *once = profile_times(sample_get(_i), 1);
	struct dmtrace_profile *twice = profile_times(sample_get(_i), 2);
	struct dmtrace_profile_summary summary;

	dmtrace_profile_summary_get(once, &summary);
	for (size_t table = 0; summary.traces > 0 &&
	    table <= dmtrace_profile_thread_count(once); table++) {
		assert_twice_the_methods(once, twice, table);
		assert_twice_the_edges(once, twice, table);
		assert_twice_the_nodes(once, twice, table);
	}
	dmtrace_profile_free(once);
	dmtrace_profile_free(twice);
}
END_TEST

/* Slow and plain, on the public call stacks. Of four methods and three
 * threads, which begin with an entry. */
enum { METHODS = 4, LISTED = 5, THREADS = 3, DEPTH = 64 };

struct slow {
	struct dmtrace_stacks *stacks;
	uint64_t starts[THREADS][DEPTH];
	uint32_t depths[THREADS];
	uint64_t last[THREADS];
	uint64_t calls[LISTED + 1][2];
	int64_t inclusive[LISTED + 1], exclusive[LISTED + 1];
};

static size_t
method_at(const struct slow *slow, uint32_t thread, uint32_t depth)
{
	return (size_t)dmtrace_stacks_method(slow->stacks, thread, depth) / 4;
}

/* How many frames of a method are below. */
static unsigned
below(const struct slow *slow, uint32_t thread, uint32_t depth,
    size_t method)
{
	unsigned count = 0;

	for (uint32_t i = 1; i < depth; i++)
		count += method_at(slow, thread, i) == method;
	return count;
}

/* Before the stacks take the exit of the frames from depth up. */
static void
slow_leave(struct slow *slow, uint32_t thread, uint32_t depth)
{
	for (uint32_t i = slow->depths[thread]; i >= depth; i--) {
		const size_t method = method_at(slow, thread, i);

		if (below(slow, thread, i, method) == 0)
			slow->inclusive[method] += (int64_t)(
			    slow->last[thread] - slow->starts[thread][i]);
	}
	slow->depths[thread] = depth - 1;
}

static void
slow_take(struct slow *slow, const struct dmtrace_event *event)
{
	const uint32_t thread = event->thread, depth = slow->depths[thread];
	const size_t method = (size_t)event->method / 4;
	struct dmtrace_step step;

	slow->exclusive[depth == 0 ? 0 : method_at(slow, thread, depth)] +=
	    (int64_t)(event->wall_ns - slow->last[thread]);
	slow->last[thread] = event->wall_ns;
	if (event->action == DMTRACE_ENTER) {
		slow->calls[method]
		    [below(slow, thread, depth + 1, method) > 0]++;
		slow->starts[thread][depth + 1] = event->wall_ns;
		slow->depths[thread]++;
	} else if (event->action != DMTRACE_RESERVED) {
		uint32_t i = depth;

		while (i > 0 && method_at(slow, thread, i) != method)
			i--;
		if (i > 0)
			slow_leave(slow, thread, i);
	}
	ck_assert_int_eq(dmtrace_stacks_step(slow->stacks, event, &step),
	    DMTRACE_OK);
	ck_assert_uint_eq(dmtrace_stacks_depth(slow->stacks, thread),
	    slow->depths[thread]);
}

static uint64_t
next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed >> 8;
}

/* Mostly calls that end as they should; exits of others now and then, but not
 * where nothing is open. */
static struct dmtrace_event
random_event(const struct slow *slow, uint64_t *seed, uint64_t now_ns)
{
	struct dmtrace_event event = {
		.thread = (uint32_t)(next_random(seed) % THREADS),
		.method = 4 * (1 + next_random(seed) % METHODS),
		.cpu_ns = DMTRACE_NO_TIME, .wall_ns = now_ns,
		.action = DMTRACE_ENTER
	};
	const uint32_t depth = slow->depths[event.thread];
	const uint64_t what = next_random(seed) % 100;

	if (depth == 0 || (what < 48 && depth < DEPTH - 2))
		return event;
	event.action = what < 96 ? DMTRACE_EXIT : what < 98 ?
	    DMTRACE_UNROLL : DMTRACE_RESERVED;
	if (what < 92)
		event.method = dmtrace_stacks_method(slow->stacks,
		    event.thread, depth);
	return event;
}

static void
compare_slow(const struct slow *slow, const struct dmtrace_profile *profile)
{
	for (size_t i = 0; i < dmtrace_profile_method_count(profile); i++) {
		struct dmtrace_profile_method method;

		dmtrace_profile_method_get(profile, 0, i, &method);
		const size_t slow_method = (size_t)method.id / 4;
		ck_assert_uint_eq(method.calls, slow->calls[slow_method][0]);
		ck_assert_uint_eq(method.recursive_calls,
		    slow->calls[slow_method][1]);
		ck_assert_int_eq(method.exclusive_ns[1],
		    slow->exclusive[slow_method]);
		if (i != DMTRACE_PROFILE_TOP)
			ck_assert_int_eq(method.inclusive_ns[1],
			    slow->inclusive[slow_method]);
	}
}

START_TEST(agrees_with_the_call_stacks)
{
	uint64_t seed = (uint64_t)_i * 7919 + 1, now_ns = 1000;
	struct slow slow = { .stacks = dmtrace_stacks_new() };
	struct dmtrace_profile_options options;
	struct dmtrace_key *key = key_of_methods();

	dmtrace_profile_options_init(&options);
	options.keep = _i % 2 ? ALL : 0;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	ck_assert_int_eq(dmtrace_profile_begin(profile, key, NULL),
	    DMTRACE_OK);
	for (size_t i = 0; i < THREADS; i++)
		slow.last[i] = UINT64_MAX;
	for (unsigned i = 0; i < 2000; i++) {
		const struct dmtrace_event event = random_event(&slow, &seed,
		    now_ns);

		if (slow.last[event.thread] == UINT64_MAX)
			slow.last[event.thread] = now_ns;
		slow_take(&slow, &event);
		ck_assert_int_eq(dmtrace_profile_add(profile, &event, 1),
		    DMTRACE_OK);
		now_ns += next_random(&seed) % 5 * 1000;
	}
	for (uint32_t i = 0; i < THREADS; i++)
		slow_leave(&slow, i, 1);
	ck_assert_int_eq(dmtrace_profile_end(profile), DMTRACE_OK);
	compare_slow(&slow, profile);
	dmtrace_profile_free(profile);
	dmtrace_stacks_free(slow.stacks);
	dmtrace_key_free(key);
}
END_TEST

/* Makes a profile with the nth allocation failing. Returns whether there was
 * one. */
static bool
fails_at(unsigned nth, unsigned keep)
{
	static struct dmtrace_event events[64];
	const size_t count = events_of(events, "1-C10 1+D20 1-D25 1-B40 "
	    "1+A50 1+G51 1+A52 1+B53 70000+C1 70000-C2 1-A60 1+H61 2+A5");
	struct dmtrace_profile_options options;
	struct dmtrace_key *key = key_of_methods();
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	dmtrace_profile_options_init(&options);
	options.keep = keep;
	fault_arm(FAULT_ALLOC, nth);
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	if (profile != NULL) {
		status = dmtrace_profile_begin(profile, key, NULL);
		if (status == DMTRACE_OK)
			status = dmtrace_profile_add(profile, events, count);
		if (status == DMTRACE_OK)
			status = dmtrace_profile_end(profile);
	}
	const bool failed = fault_disarm();
	ck_assert_int_eq(status, failed ? DMTRACE_ERR_MEMORY : DMTRACE_OK);
	if (failed && profile != NULL)
		ck_assert_int_eq(dmtrace_profile_end(profile),
		    DMTRACE_ERR_MEMORY);
	dmtrace_profile_free(profile);
	dmtrace_key_free(key);
	return failed;
}

START_TEST(tells_when_there_is_no_memory)
{
	unsigned nth = 1;

	while (fails_at(nth, keeps[_i]))
		nth++;
	ck_assert_uint_gt(nth, 10);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("profile_laws");
	TCase *tcase = unit_tcase(suite, "laws");

	samples_load();
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, is_the_same_by_records_and_by_events, 0,
	    (int)samples_count());
	tcase_add_loop_test(tcase, adds_up, 0, (int)samples_count());
	tcase_add_loop_test(tcase, is_the_sum_of_its_threads, 0,
	    (int)samples_count());
	tcase_add_loop_test(tcase, is_doubled_by_the_same_trace, 0,
	    (int)samples_count());
	tcase_add_loop_test(tcase, agrees_with_the_call_stacks, 0, 40);
	ADD_CASES(tcase, tells_when_there_is_no_memory, keeps);
	return unit_main(suite);
}
