/* test_profile_laws.c - laws that hold for the profile of every trace */

#include <dmtrace.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "helpers/digests.h"
#include "helpers/failing.h"
#include "helpers/profiles.h"
#include "helpers/samples.h"
#include "helpers/unit.h"

static enum dmtrace_status
add_trace(struct dmtrace_profile *profile, struct dmtrace_reader *reader)
{
	struct dmtrace_source *const source = dmtrace_source_new(reader);
	const enum dmtrace_status status = source == NULL ?
	    DMTRACE_ERR_MEMORY : dmtrace_profile_add(profile, source);

	dmtrace_source_free(source);
	return status;
}

/* NULL: it is no trace. */
static struct dmtrace_profile *
profile_bytes(const uint8_t *bytes, size_t len, unsigned keep,
    enum dmtrace_profile_by by)
{
	struct dmtrace_profile_options options = { 0 };
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_profile *profile = NULL;

	options.keep = keep;
	options.by = by;
	if (dmtrace_reader_open_memory(reader, bytes, len) == DMTRACE_OK) {
		profile = dmtrace_profile_new(&options);
		ck_assert_int_eq(add_trace(profile, reader),
		    DMTRACE_OK);
	}
	dmtrace_reader_free(reader);
	return profile;
}

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
	    sample->len, ALL, DMTRACE_PROFILE_BY_METHOD);

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
	    DMTRACE_PROFILE_BY_METHOD);
	struct dmtrace_profile *together = profile_bytes(sample->bytes,
	    sample->len, DMTRACE_PROFILE_EDGES, DMTRACE_PROFILE_BY_METHOD);

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
	struct dmtrace_profile_options options = { 0 };

	options.keep = ALL;
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	for (int i = 0; i < times; i++) {
		struct dmtrace_reader *reader = dmtrace_reader_new();

		if (dmtrace_reader_open_memory(reader, sample->bytes,
		    sample->len) == DMTRACE_OK)
			ck_assert_int_eq(add_trace(profile, reader),
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

/* Makes a profile with the next allocation failing. */
static void
make_failing(struct failing *failing, unsigned keep)
{
	static struct dmtrace_event events[64];
	const size_t count = events_of(events, "1-C10 1+D20 1-D25 1-B40 "
	    "1+D41 1+D42 1-D43 1-D44 1-C45 1-D46 "
	    "1+A50 1+G51 1+A52 1+B53 70000+C1 70000-C2 1-A60 1+H61 2+A5");
	struct dmtrace_profile_options options = { 0 };
	struct dmtrace_key *key = key_of_methods();
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	options.keep = keep;
	failing_arm(failing);
	struct dmtrace_profile *profile = dmtrace_profile_new(&options);
	if (profile != NULL)
		status = profile_add_events(profile, key, events, count, 9);
	failing_reported(failing, status);
	dmtrace_profile_free(profile);
	dmt_key_free(key);
}

START_TEST(reports_when_there_is_no_memory)
{
	struct failing failing = { .kind = FAULT_ALLOC };

	do
		make_failing(&failing, keeps[_i]);
	while (failing.failed);
	ck_assert_uint_gt(failing.reported, 9);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("profile_laws");
	TCase *tcase = unit_tcase(suite, "laws");

	samples_load();
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, adds_up, 0, (int)samples_count());
	tcase_add_loop_test(tcase, is_the_sum_of_its_threads, 0,
	    (int)samples_count());
	tcase_add_loop_test(tcase, is_doubled_by_the_same_trace, 0,
	    (int)samples_count());
	ADD_CASES(tcase, reports_when_there_is_no_memory, keeps);
	return unit_main(suite);
}
