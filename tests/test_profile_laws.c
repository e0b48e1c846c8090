/* test_profile_laws.c - what holds for the profile of any trace */

#include <dmtrace.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "failing.h"
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
add_all(struct dmtrace_profile *profile, struct dmtrace_reader *reader,
    enum way way)
{
	enum dmtrace_status status = DMTRACE_OK;
	size_t count = 1;

	while (status == DMTRACE_OK && count > 0)
		status = way == BY_READ ?
		    dmtrace_profile_read(profile, reader, &count) :
		    add_events(profile, reader, way == BY_EVENTS ? 37 : 1,
		    &count);
	return status;
}

static enum dmtrace_status
add_trace(struct dmtrace_profile *profile, struct dmtrace_reader *reader,
    enum way way)
{
	enum dmtrace_status status = dmtrace_reader_hold(reader);

	if (status == DMTRACE_OK)
		status = dmtrace_profile_begin(profile,
		    dmtrace_reader_key(reader),
		    dmtrace_reader_layout(reader));
	while (status == DMTRACE_OK) {
		status = add_all(profile, reader, way);
		if (status != DMTRACE_OK || !dmtrace_profile_again(profile))
			break;
		status = dmtrace_reader_rewind(reader);
	}
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
		digest = mix(digest, (uint64_t)edge.caller_recursive * 2 +
		    (uint64_t)edge.callee_recursive);
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

START_TEST(adds_up)
{
	const struct sample *sample = sample_get(_i);
	struct dmtrace_profile_summary summary;
	struct dmtrace_profile *profile = profile_bytes(sample->bytes,
	    sample->len, ALL, DMTRACE_PROFILE_BY_METHOD, BY_READ);

	if (profile == NULL)
		return;
	dmtrace_profile_summary_get(profile, &summary);
	struct sums all = sums_of(profile, 0), threads = { .calls = 0 };
	assert_adds_up(&all, summary.total_ns);
	for (size_t i = 0; i < dmtrace_profile_thread_count(profile); i++) {
		struct dmtrace_profile_thread thread;
		const struct sums sums = sums_of(profile, i + 1);

		dmtrace_profile_thread_get(profile, i, &thread);
		assert_adds_up(&sums, thread.total_ns);
		assert_edges_add_up(profile, i + 1);
		threads.calls += sums.calls;
		ck_assert_uint_eq(thread.calls, sums.calls);
	}
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
 * threads. */
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
	struct dmtrace_stacks *stacks;
	struct slow_frame frames[THREADS][EVENTS + DEPTH];
	uint32_t depths[THREADS];
	uint64_t last[THREADS];
	uint64_t calls[LISTED + 1][2];
	int64_t inclusive[LISTED + 1], exclusive[LISTED + 1][2];
	struct slow_edge edges[LISTED + 1][2][LISTED + 1][2];
};

static uint64_t
next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed >> 8;
}

/* Mostly calls that end as they should; exits of others now and then. */
static struct dmtrace_event
random_event(const struct dmtrace_stacks *stacks, uint64_t *seed,
    uint64_t now_ns)
{
	struct dmtrace_event event = {
		.thread = (uint32_t)(next_random(seed) % THREADS),
		.method = 4 * (1 + next_random(seed) % METHODS),
		.cpu_ns = DMTRACE_NO_TIME, .wall_ns = now_ns,
		.action = DMTRACE_ENTER
	};
	const uint32_t depth = dmtrace_stacks_depth(stacks, event.thread);
	const uint64_t what = next_random(seed) % 100;

	if (what < (depth == 0 ? 80 : 48) && depth < DEPTH - 2)
		return event;
	event.action = what < 96 ? DMTRACE_EXIT : what < 98 ?
	    DMTRACE_UNROLL : DMTRACE_RESERVED;
	if (what < 92 && depth > 0)
		event.method = dmtrace_stacks_method(stacks, event.thread,
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
	struct dmtrace_stacks *const stacks = dmtrace_stacks_new();
	uint64_t now_ns = 1000;

	for (size_t i = 0; i < EVENTS; i++) {
		const struct dmtrace_event event = random_event(stacks, seed,
		    now_ns);
		struct dmtrace_step step;

		ck_assert_int_eq(dmtrace_stacks_step(stacks, &event, &step),
		    DMTRACE_OK);
		if (step.kind == DMTRACE_STEP_BEFORE)
			put_below(slow, &event);
		now_ns += next_random(seed) % 5 * 1000;
		events[i] = event;
	}
	dmtrace_stacks_free(stacks);
}

/* Whether the frame at depth lies in one of its method; not that of depth 0,
 * outside of all. */
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
	struct dmtrace_step step;

	slow->exclusive[method_at(slow, thread, depth)]
	    [is_recursive(slow, thread, depth)] +=
	    (int64_t)(event->wall_ns - slow->last[thread]);
	slow->last[thread] = event->wall_ns;
	ck_assert_int_eq(dmtrace_stacks_step(slow->stacks, event, &step),
	    DMTRACE_OK);
	if (step.kind == DMTRACE_STEP_ENTERED)
		slow->frames[thread][slow->depths[thread]++] =
		    (struct slow_frame){ (size_t)event->method / 4,
		    event->wall_ns };
	else if (step.kind <= DMTRACE_STEP_BEFORE)
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
	slow->stacks = dmtrace_stacks_new();
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
	dmtrace_stacks_free(slow->stacks);
}

START_TEST(agrees_with_the_call_stacks)
{
	static struct slow slow;
	static struct dmtrace_event events[EVENTS];
	uint64_t seed = (uint64_t)_i * 7919 + 1;
	struct dmtrace_profile_options options;
	struct dmtrace_key *key = key_of_methods();

	memset(&slow, 0, sizeof(slow));
	random_events(&slow, events, &seed);
	profile_slowly(&slow, events);
	dmtrace_profile_options_init(&options);
	options.keep = keeps[_i % 5];
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	ck_assert_int_eq(dmtrace_profile_begin(profile, key, NULL),
	    DMTRACE_OK);
	do
		for (size_t i = 0; i < EVENTS; i += 8)
			ck_assert_int_eq(dmtrace_profile_add(profile,
			    &events[i], 8), DMTRACE_OK);
	while (dmtrace_profile_again(profile));
	ck_assert_int_eq(dmtrace_profile_end(profile), DMTRACE_OK);
	compare_methods(&slow, profile);
	if (options.keep & DMTRACE_PROFILE_EDGES)
		compare_edges(&slow, profile);
	dmtrace_profile_free(profile);
	dmtrace_key_free(key);
}
END_TEST

static void
add_both_times(const struct dmtrace_event *first,
    const struct dmtrace_event *second, unsigned keep)
{
	struct dmtrace_profile_options options;
	struct dmtrace_key *key = key_of_methods();

	dmtrace_profile_options_init(&options);
	options.keep = keep;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	ck_assert_int_eq(dmtrace_profile_begin(profile, key, NULL),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_profile_add(profile, first, EVENTS),
	    DMTRACE_OK);
	if (dmtrace_profile_again(profile))
		ck_assert_int_eq(dmtrace_profile_add(profile, second, EVENTS),
		    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_profile_end(profile), DMTRACE_OK);
	digest_of(profile, keep);
	dmtrace_profile_free(profile);
	dmtrace_key_free(key);
}

/* As those of a file that changes while it is read; deeper, too. */
START_TEST(stands_other_events_the_second_time)
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

/* Makes a profile with the next allocation failing. */
static void
make_failing(struct failing *failing, unsigned keep)
{
	static struct dmtrace_event events[64];
	const size_t count = events_of(events, "1-C10 1+D20 1-D25 1-B40 "
	    "1+D41 1+D42 1-D43 1-D44 1-C45 1-D46 "
	    "1+A50 1+G51 1+A52 1+B53 70000+C1 70000-C2 1-A60 1+H61 2+A5");
	struct dmtrace_profile_options options;
	struct dmtrace_key *key = key_of_methods();
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	dmtrace_profile_options_init(&options);
	options.keep = keep;
	failing_arm(failing);
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	if (profile != NULL) {
		status = dmtrace_profile_begin(profile, key, NULL);
		do
			if (status == DMTRACE_OK)
				status = dmtrace_profile_add(profile, events,
				    count);
		while (dmtrace_profile_again(profile));
		if (status == DMTRACE_OK)
			status = dmtrace_profile_end(profile);
	}
	if (failing_told(failing, status) && profile != NULL)
		ck_assert_int_eq(dmtrace_profile_end(profile),
		    DMTRACE_ERR_MEMORY);
	dmtrace_profile_free(profile);
	dmtrace_key_free(key);
}

START_TEST(tells_when_there_is_no_memory)
{
	struct failing failing = { .kind = FAULT_ALLOC };

	do
		make_failing(&failing, keeps[_i]);
	while (failing.failed);
	ck_assert_uint_gt(failing.told, 9);
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
	tcase_add_loop_test(tcase, stands_other_events_the_second_time, 0, 12);
	ADD_CASES(tcase, tells_when_there_is_no_memory, keeps);
	return unit_main(suite);
}
