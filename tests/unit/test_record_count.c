/* test_record_count.c - counts over runs of records */

#include <dmtrace.h>

#include "data/record_count.h"
#include "data/record_decode.h"
#include "helpers/faults.h"
#include "helpers/records.h"
#include "helpers/unit.h"

/* Rows of dialects whose records are in files: the last ones have
 * nanoseconds. */
#define FILE_DIALECTS ((int)ROWS(dialects) - 3)

/* Version 1: three threads, one of them wraps and one steps back. */
static const uint8_t version_1[][9] = {
	{ 3, 4, 0, 0, 0, 7, 0, 0, 0 },
	{ 255, 4, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff },
	{ 3, 8, 0, 0, 0, 9, 0, 0, 0 },
	{ 3, 9, 0, 0, 0, 5, 0, 0, 0 },
	{ 255, 6, 0, 0, 0, 1, 0, 0, 0 },
	{ 0, 7, 0, 0, 0, 2, 1, 0, 0 },
	{ 3, 5, 0, 0, 0, 6, 0, 0, 0 },
};

/* Version 3: the thread's first and last times are those of its wall clock,
 * and each of the clocks wraps or steps back. */
static const uint8_t version_3[][14] = {
	{ 255, 255, 4, 0, 0, 0, 0, 0, 0, 0x80, 1, 2, 0, 0 },
	{ 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 9, 0, 0, 0 },
	{ 255, 255, 6, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0x80 },
	{ 255, 255, 5, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0 },
};

static const struct {
	const char *label;
	struct dialect dialect;
	const uint8_t *in;
	size_t count;
	uint64_t actions[4];
	struct dmt_thread_count threads[3];
	size_t thread_count;
	unsigned oddities[7];
} counted[] = {
	{ "version 1", { 1, CPU, 9 }, version_1[0], 7, { 3, 2, 1, 1 },
	    { { 0, 1, 258000, 258000 }, { 3, 4, 7000, 6000 },
	    { 255, 2, UINT64_C(4294967294000), UINT64_C(4294967297000) } }, 3,
	    { 0, 0, 0, DMT_ODD_BACK, DMT_ODD_WRAPPED, DMT_ODD_RESERVED, 0 } },
	{ "version 3", { 3, DUAL, 14 }, version_3[0], 4, { 2, 1, 1, 0 },
	    { { 1, 1, 9000, 9000 },
	    { 65535, 3, 513000, UINT64_C(4294967809000) } }, 2,
	    { 0, 0, DMT_ODD_BACK, DMT_ODD_WRAPPED } },
	{ "nothing", { 2, WALL, 10 }, NULL, 0, { 0 }, { { 0 } }, 0, { 0 } },
};

static void
assert_same_threads(const struct dmt_thread_count *a,
    const struct dmt_thread_count *b, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(a[i].thread, b[i].thread);
		ck_assert_uint_eq(a[i].records, b[i].records);
		ck_assert_uint_eq(a[i].first_ns, b[i].first_ns);
		ck_assert_uint_eq(a[i].last_ns, b[i].last_ns);
	}
}

/* Counts a run in batches of at most step records. */
static struct dmt_count
count_run(struct oddities *reported, const struct dmt_layout *layout,
    const uint8_t *in, size_t run, size_t step)
{
	const struct dmt_watch watch = { note_odd, reported };
	struct dmt_count count;
	struct dmt_tallies tallies;

	*reported = (struct oddities){ .base = 0 };
	ck_assert(dmt_tallies_init(&tallies, layout));
	for (size_t i = 0; i < run; i += step) {
		reported->base = i;
		dmt_records_count(&tallies, in + i * layout->record_size,
		    step < run - i ? step : run - i, &watch);
	}
	ck_assert(dmt_tallies_sum(&count, &tallies));
	dmt_tallies_fini(&tallies);
	return count;
}

START_TEST(counts)
{
	const struct dmt_layout layout = layout_of(&counted[_i].dialect);
	struct oddities reported;
	struct dmt_count count = count_run(&reported, &layout, counted[_i].in,
	    counted[_i].count, RUN);

	ck_assert_uint_eq(count.records, counted[_i].count);
	ck_assert_mem_eq(count.actions, counted[_i].actions,
	    sizeof(count.actions));
	ck_assert_uint_eq(count.thread_count, counted[_i].thread_count);
	assert_same_threads(count.threads, counted[_i].threads,
	    count.thread_count);
	ck_assert_mem_eq(reported.of, counted[_i].oddities,
	    sizeof(counted[_i].oddities));
	free(count.threads);
}
END_TEST

static struct dmt_thread_count
recount(const struct dmtrace_event *events, uint32_t thread)
{
	struct dmt_thread_count count = { .thread = thread };

	for (size_t i = 0; i < RUN; i++) {
		const uint64_t time_ns = events[i].wall_ns != NO_TIME
		    ? events[i].wall_ns : events[i].cpu_ns;

		if (events[i].thread != thread)
			continue;
		if (count.records++ == 0)
			count.first_ns = time_ns;
		count.last_ns = time_ns;
	}
	return count;
}

START_TEST(agrees_with_the_events)
{
	const struct dmt_layout layout = layout_of(&dialects[_i]);
	uint8_t *run = random_run(&layout);
	struct dmtrace_event events[RUN];
	struct oddities reported, of_events = { .base = 0 };
	const struct dmt_watch watch = { note_odd, &of_events };
	struct dmt_clocks *clocks = dmt_clocks_new(&layout);
	struct dmt_count count = count_run(&reported, &layout, run, RUN, RUN);

	dmt_records_decode(events, &layout, run, RUN, clocks, &watch);
	ck_assert_mem_eq(reported.of, of_events.of, sizeof(reported.of));
	for (size_t i = 0; i < RUN; i++)
		count.actions[events[i].action]--;
	for (int action = 0; action < 4; action++)
		ck_assert_uint_eq(count.actions[action], 0);
	ck_assert_uint_eq(count.records, RUN);
	ck_assert_uint_eq(count.thread_count, 3);
	for (size_t i = 0; i < count.thread_count; i++) {
		const struct dmt_thread_count expected =
		    recount(events, count.threads[i].thread);

		ck_assert_uint_gt(expected.records, 0);
		assert_same_threads(&count.threads[i], &expected, 1);
	}
	dmt_clocks_free(clocks);
	free(count.threads);
	free(run);
}
END_TEST

START_TEST(counts_the_same_in_pieces)
{
	static const size_t steps[] = { 1, 2, 3, 7, RUN - 1 };
	const struct dmt_layout layout = layout_of(&dialects[_i]);
	uint8_t *run = random_run(&layout);
	struct oddities reported, of_pieces;
	struct dmt_count whole = count_run(&reported, &layout, run, RUN, RUN);

	for (size_t i = 0; i < ROWS(steps); i++) {
		struct dmt_count pieces = count_run(&of_pieces,
		    &layout, run, RUN, steps[i]);

		ck_assert_mem_eq(pieces.actions, whole.actions,
		    sizeof(whole.actions));
		ck_assert_uint_eq(pieces.thread_count, whole.thread_count);
		assert_same_threads(pieces.threads, whole.threads,
		    whole.thread_count);
		ck_assert_mem_eq(of_pieces.of, reported.of,
		    sizeof(reported.of));
		free(pieces.threads);
	}
	free(whole.threads);
	free(run);
}
END_TEST

/* Two runs of thread 70,000 with one of another between them. */
START_TEST(counts_events_of_packets)
{
	static const uint64_t words[] = { 0x7000, 0x7005, 0x7006, 0x7003 };
	static const uint64_t times_ns[] = { 5, 6, 8, 7 };
	struct dmt_count count;
	struct dmt_tallies tallies;

	ck_assert(dmt_tallies_init(&tallies,
	    dmt_layout_v2(DMTRACE_CLOCK_WALL)));
	dmt_tallies_add(&tallies, 70000, words, times_ns, 3);
	dmt_tallies_add(&tallies, 9, words + 1, times_ns + 1, 1);
	dmt_tallies_add(&tallies, 70000, words + 3, times_ns + 3, 1);
	ck_assert(dmt_tallies_sum(&count, &tallies));
	ck_assert_uint_eq(count.records, 5);
	ck_assert_uint_eq(count.actions[DMTRACE_ENTER], 1);
	ck_assert_uint_eq(count.actions[DMTRACE_EXIT], 2);
	ck_assert_uint_eq(count.actions[DMTRACE_UNROLL], 1);
	ck_assert_uint_eq(count.actions[DMTRACE_RESERVED], 1);
	ck_assert_uint_eq(count.thread_count, 2);
	ck_assert_uint_eq(count.threads[0].thread, 9);
	ck_assert_uint_eq(count.threads[1].thread, 70000);
	ck_assert_uint_eq(count.threads[1].records, 4);
	ck_assert_uint_eq(count.threads[1].first_ns, 5);
	ck_assert_uint_eq(count.threads[1].last_ns, 7);
	dmt_count_fini(&count);
	dmt_tallies_fini(&tallies);
}
END_TEST

START_TEST(says_that_there_is_no_memory)
{
	const struct dmt_layout *layout = dmt_layout_find(3, DUAL);
	struct dmt_count count;
	struct dmt_tallies tallies;

	fault_arm(FAULT_ALLOC, 1);
	ck_assert(!dmt_tallies_init(&tallies, layout));
	fault_disarm();
	ck_assert(dmt_tallies_init(&tallies, layout));
	fault_arm(FAULT_ALLOC, 1);
	ck_assert(!dmt_tallies_sum(&count, &tallies));
	fault_disarm();
	ck_assert_ptr_null(count.threads);
	ck_assert_uint_eq(count.records, 0);
	dmt_tallies_fini(&tallies);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("record_count");
	TCase *tcase = unit_tcase(suite, "record_count");

	ADD_CASES(tcase, counts, counted);
	tcase_add_loop_test(tcase, agrees_with_the_events, 0, FILE_DIALECTS);
	tcase_add_loop_test(tcase, counts_the_same_in_pieces, 0,
	    FILE_DIALECTS);
	tcase_add_test(tcase, counts_events_of_packets);
	tcase_add_test(tcase, says_that_there_is_no_memory);
	return unit_main(suite);
}
