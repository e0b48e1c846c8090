/* test_recorder_memory.c - flush, stop and ring: all drops are counted */

#include "helpers/recorded.h"

#include <pthread.h>

/* A block of 4096 bytes has room for 403 records of 10 bytes, so two blocks
 * have for 806. */
#define BLOCK 4096
#define ROOM 403

static unsigned ended_times;
static enum dmtrace_recorder_end ended_why;

static void
note_end(void *context, enum dmtrace_recorder_end why)
{
	(void)context;
	ended_times++;
	ended_why = why;
}

static struct dmtrace_recorder_options
small(enum dmtrace_recorder_full full)
{
	struct dmtrace_recorder_options options = default_options();

	ended_times = 0;
	options.full = full;
	options.buffer_size = BLOCK;
	options.memory_limit = 2 * BLOCK;
	options.ended = note_end;
	return options;
}

/* From 10 us on, 10 us from one event to the next. */
static void
call(struct dmtrace_recorder *recorder, char letter, unsigned times)
{
	const uint32_t method = method_of(recorder, letter);
	uint64_t ns = STEP_NS;

	for (unsigned i = 0; i < times; i++, ns += 2 * STEP_NS) {
		dmtrace_recorder_enter_at(recorder, method, ns);
		dmtrace_recorder_exit_at(recorder, method, ns + STEP_NS);
	}
}

static void
run(void *(*fn)(void *), struct dmtrace_recorder *recorder)
{
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, fn, recorder), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

/* The first len bytes of what events_of makes. */
static void
assert_begin(const char *path, const char *expected)
{
	char *events = events_of(path);

	if (strlen(events) > strlen(expected))
		events[strlen(expected)] = '\0';
	ck_assert_str_eq(events, expected);
	free(events);
}

static void
assert_end(const char *path, const char *expected)
{
	char *events = events_of(path);

	ck_assert_uint_ge(strlen(events), strlen(expected));
	ck_assert_str_eq(events + strlen(events) - strlen(expected),
	    expected);
	free(events);
}

START_TEST(stops_when_memory_is_full)
{
	const struct dmtrace_recorder_options options =
	    small(DMTRACE_FULL_STOP);
	struct dmtrace_recorder *recorder = started("x.trace", &options);

	play(recorder, "+z");
	call(recorder, 'a', 1000);
	ck_assert_uint_eq(ended_times, 1);
	ck_assert_int_eq(ended_why, DMTRACE_RECORDER_FULL);
	const struct dmtrace_recorder_result result = stopped(recorder);
	ck_assert_uint_eq(ended_times, 1);
	ck_assert_int_eq(result.ended, DMTRACE_RECORDER_FULL);
	ck_assert_uint_eq(result.events, 2 * ROOM + 2);
	ck_assert_uint_eq(result.closed, 2);
	ck_assert_uint_eq(result.dropped, 1 + 2000 - 2 * ROOM);
	dmtrace_recorder_free(recorder);
	assert_option("x.trace", "data-file-overflow", "true");
	assert_option("x.trace", "dmtrace-dropped", "1195");
	assert_option("x.trace", "dmtrace-closed", "2");
	assert_begin("x.trace", "1+z0 1+a10 1-a20 1+a30 ");
	assert_end("x.trace", " 1-a8040 1+a8050 1-a8050 1-z8050");
	ck_assert_uint_eq(assert_sound("x.trace"), 2 * ROOM + 2);
}
END_TEST

/* Every second key is unwanted, which is no loss. */
static int
wants_even(void *context, uint64_t key)
{
	(void)context;
	return key % 2 == 0;
}

static void *
call_keys(void *recorder)
{
	for (uint64_t key = 100; key < 104; key++) {
		dmtrace_recorder_enter_key(recorder, key);
		dmtrace_recorder_exit_key(recorder, key);
	}
	return NULL;
}

static void *
sample_once(void *recorder)
{
	const uint32_t stack[] = { method_of(recorder, 'a') };

	dmtrace_recorder_sample(recorder, stack, 1, DMTRACE_NO_TIME);
	return NULL;
}

/* In threads that recorded before and in those that begin after it; a sample
 * is one. */
START_TEST(counts_all_that_comes_after_the_end)
{
	struct dmtrace_recorder_options options = small(DMTRACE_FULL_STOP);

	options.want = wants_even;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	call(recorder, 'a', ROOM);
	ck_assert_uint_eq(ended_times, 0);
	call(recorder, 'a', 1);
	ck_assert_uint_eq(ended_times, 1);
	call_keys(recorder);
	run(call_keys, recorder);
	run(sample_once, recorder);
	const uint32_t method = method_of(recorder, 'b');
	dmtrace_recorder_enter(recorder, method);
	dmtrace_recorder_unroll(recorder, method);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(result.events, 2 * ROOM);
	ck_assert_uint_eq(result.closed, 0);
	ck_assert_uint_eq(result.mismatched, 0);
	ck_assert_uint_eq(result.dropped, 2 + 4 + 4 + 1 + 2);
}
END_TEST

START_TEST(records_anew_after_it_was_full)
{
	const struct dmtrace_recorder_options options =
	    small(DMTRACE_FULL_STOP);
	struct dmtrace_recorder *recorder = started("x.trace", &options);

	for (int i = 0; i < 3; i++) {
		call(recorder, 'a', 1000);
		ck_assert_uint_eq(stopped(recorder).events, 2 * ROOM);
		ck_assert_int_eq(dmtrace_recorder_start(recorder, "x.trace",
		    NULL),
		    DMTRACE_OK);
	}
	call(recorder, 'b', 3);
	const struct dmtrace_recorder_result result = stopped(recorder);
	ck_assert_int_eq(result.ended, 0);
	ck_assert_uint_eq(result.events, 6);
	ck_assert_uint_eq(result.dropped, 0);
	dmtrace_recorder_free(recorder);
}
END_TEST

/* 2 + 20 * 403 events, of which the ring keeps the last blocks. */
START_TEST(keeps_the_last_in_the_ring)
{
	const struct dmtrace_recorder_options options =
	    small(DMTRACE_FULL_RING);
	struct dmtrace_recorder *recorder = started("x.trace", &options);

	play(recorder, "+y+z");
	call(recorder, 'a', 10 * ROOM);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(ended_times, 0);
	ck_assert_int_eq(result.ended, 0);
	ck_assert_uint_eq(result.dropped, 19 * ROOM);
	ck_assert_uint_eq(result.events, 3 + ROOM + 2 + 2);
	ck_assert_uint_eq(result.closed, 2);
	assert_option("x.trace", "dmtrace-opened", "3");
	assert_option("x.trace", "dmtrace-closed", "2");
	assert_begin("x.trace",
	    "1+y76560 1+z76560 1+a76560 1-a76560 1+a76570 ");
	assert_end("x.trace", " 1-a80600 1-z80600 1-y80600");
}
END_TEST

START_TEST(invents_no_enter_where_nothing_was_lost)
{
	struct dmtrace_recorder_options options = small(DMTRACE_FULL_RING);

	options.mismatch = DMTRACE_MISMATCH_AS_IS;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	play(recorder, "-a+b-b");
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	assert_events("x.trace", "1-a0 1+b10 1-b20");
}
END_TEST

static const enum dmtrace_recorder_full kept[] =
    { DMTRACE_FULL_STOP, DMTRACE_FULL_RING };

START_TEST(carries_stacks_to_another_file)
{
	struct dmtrace_recorder_options options = small(kept[_i]);

	options.max_time_us = 35;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	play(recorder, "+a+b+c-c-b+d");
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(result.files, 2);
	assert_events("x.trace", "1+a0 1+b10 1+c20 1-c30 1-b30 1-a30");
	assert_events("x-0002.trace", "1+a0 1+b0 1-b0 1+d10 1-d10 1-a10");
	assert_option("x-0002.trace", "dmtrace-opened", "2");
	assert_option("x-0002.trace", "dmtrace-closed", "2");
}
END_TEST

static void *
call_once(void *recorder)
{
	call(recorder, 'a', 1);
	return NULL;
}

/* 1,000 buffers of 256 KiB would be 250 MiB. */
START_TEST(keeps_little_of_a_thread_that_did_little)
{
	struct dmtrace_recorder_options options = default_options();

	options.full = kept[_i];
	options.memory_limit = 8 * 1024 * 1024;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	for (int i = 0; i < 1000; i++)
		run(call_once, recorder);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_int_eq(result.ended, 0);
	ck_assert_uint_eq(result.dropped, 0);
	ck_assert_uint_eq(result.threads, 1000);
	ck_assert_uint_eq(assert_sound("x.trace"), 2000);
}
END_TEST

static void *
call_often(void *recorder)
{
	call(recorder, 'a', 5000);
	return NULL;
}

/* The first thread has all the memory, the others a few records' room. */
START_TEST(drops_nothing_for_want_of_buffers)
{
	struct dmtrace_recorder_options options = small(DMTRACE_FULL_FLUSH);

	options.memory_limit = BLOCK;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	call(recorder, 'b', 5000);
	for (int i = 0; i < 8; i++)
		run(call_often, recorder);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(result.dropped, 0);
	ck_assert_uint_eq(assert_sound("x.trace"), 9 * 10000);
}
END_TEST

/* No block is left for this thread; its end must tell, not its loss. */
START_TEST(counts_what_finds_no_memory_at_all)
{
	struct dmtrace_recorder_options options = small(DMTRACE_FULL_STOP);

	options.memory_limit = BLOCK;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	call(recorder, 'b', 5);
	run(call_once, recorder);
	ck_assert_uint_eq(ended_times, 1);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_int_eq(result.ended, DMTRACE_RECORDER_FULL);
	ck_assert_uint_eq(result.dropped, 2);
	ck_assert_uint_eq(result.events, 10);
}
END_TEST

static void *
leave_open(void *recorder)
{
	play(recorder, "+a+b");
	return NULL;
}

/* They are not the last records, as those are that close at a stop. */
START_TEST(closes_the_frames_of_a_thread_that_ends)
{
	struct dmtrace_recorder *recorder = started("x.trace", NULL);

	run(leave_open, recorder);
	play(recorder, "+c");
	ck_assert_uint_eq(stopped(recorder).closed, 3);
	dmtrace_recorder_free(recorder);
	assert_events("x.trace", "1+a0 1+b10 1-b10 1-a10 2+c0 2-c0");
	assert_option("x.trace", "dmtrace-recorder-closed", "2");
	assert_option("x.trace", "dmtrace-closed", "1");
}
END_TEST

/* The memory for 806 records is full when the thread ends, or has been: the
 * exits of its frames are written all the same. */
static const struct {
	unsigned calls;
	uint64_t dropped;
} filled[] = { { 402, 0 }, { 1000, 2000 - 804 } };

static void *
leave_open_and_call(void *argument)
{
	struct dmtrace_recorder *const *const recorder = argument;

	leave_open(recorder[0]);
	call(recorder[0], 'c', filled[recorder[1] != NULL].calls);
	return NULL;
}

START_TEST(closes_the_frames_of_a_thread_that_ends_when_memory_is_full)
{
	const struct dmtrace_recorder_options options =
	    small(DMTRACE_FULL_STOP);
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	struct dmtrace_recorder *argument[] =
	    { recorder, _i == 0 ? NULL : recorder };
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, leave_open_and_call,
	    argument), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_uint_eq(ended_times, 1);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(result.events, 2 * ROOM + 2);
	ck_assert_uint_eq(result.closed, 2);
	ck_assert_uint_eq(result.dropped, filled[_i].dropped);
	assert_option("x.trace", "dmtrace-recorder-closed", "2");
	assert_end("x.trace", " 1-c8040 1-b8040 1-a8040");
	ck_assert_uint_eq(assert_sound("x.trace"), 2 * ROOM + 2);
}
END_TEST

static void *
leave_many_open(void *recorder)
{
	for (int i = 0; i < 1000; i++)
		dmtrace_recorder_enter_at(recorder,
		    method_of(recorder, (char)('a' + i % 26)), 0);
	return NULL;
}

/* Exits that the recorder has added and dropped again are neither lost nor
 * there; the program made 3,000 events. */
START_TEST(counts_no_exit_of_its_own_as_dropped)
{
	const struct dmtrace_recorder_options options =
	    small(DMTRACE_FULL_RING);
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	struct dmtrace_event event;
	uint64_t exits = 0, enters = 0;

	for (int i = 0; i < 3; i++)
		run(leave_many_open, recorder);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	struct dmtrace_reader *reader = opened("x.trace");
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		enters += event.action == DMTRACE_ENTER;
		exits += event.action == DMTRACE_EXIT;
	}
	dmtrace_reader_free(reader);
	ck_assert_uint_eq(result.closed, exits);
	ck_assert_uint_eq(result.events, enters + exits);
	ck_assert_uint_le(result.dropped, 3000);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder_memory");
	TCase *tcase = unit_tcase(suite, "recorder_memory");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, stops_when_memory_is_full);
	tcase_add_test(tcase, counts_all_that_comes_after_the_end);
	tcase_add_test(tcase, records_anew_after_it_was_full);
	tcase_add_test(tcase, keeps_the_last_in_the_ring);
	tcase_add_test(tcase, invents_no_enter_where_nothing_was_lost);
	ADD_CASES(tcase, carries_stacks_to_another_file, kept);
	ADD_CASES(tcase, keeps_little_of_a_thread_that_did_little, kept);
	tcase_add_test(tcase, drops_nothing_for_want_of_buffers);
	tcase_add_test(tcase, counts_what_finds_no_memory_at_all);
	tcase_add_test(tcase, closes_the_frames_of_a_thread_that_ends);
	tcase_add_test(tcase, counts_no_exit_of_its_own_as_dropped);
	ADD_CASES(tcase,
	    closes_the_frames_of_a_thread_that_ends_when_memory_is_full,
	    filled);
	return unit_main(suite);
}
