/* test_recorder_times.c - clocks, clocks that step, and rotation */

#include "helpers/recorded.h"

#include <time.h>

/* The linker puts __wrap_x in the place of x, and x in that of __real_x. */
int __real_clock_gettime(clockid_t id, struct timespec *time);
int __wrap_clock_gettime(clockid_t id, struct timespec *time);

static struct {
	bool set;
	uint64_t wall_ns;
	uint64_t cpu_ns;
	int64_t step_ns;	/* of the real clock */
} fake;

static struct timespec
timespec_of(uint64_t ns)
{
	return (struct timespec){ (time_t)(ns / 1000000000),
		(long)(ns % 1000000000) };
}

int
__wrap_clock_gettime(clockid_t id, struct timespec *time)
{
	const int result = __real_clock_gettime(id, time);

	if (id == CLOCK_REALTIME)
		return result;
	const uint64_t real = (uint64_t)time->tv_sec * 1000000000 +
	    (uint64_t)time->tv_nsec;
	if (!fake.set)
		*time = timespec_of(real + (uint64_t)fake.step_ns);
	else
		*time = timespec_of(id == CLOCK_MONOTONIC ? fake.wall_ns :
		    fake.cpu_ns);
	return result;
}

#define MINUTE UINT64_C(60000000)	/* in us */

/* Enter or leave a method at a moment of both clocks. */
static void
record_at(struct dmtrace_recorder *recorder, const char *script,
    uint64_t wall_us, uint64_t cpu_us)
{
	const uint32_t method = method_of(recorder, script[1]);

	fake.wall_ns = 5000000000 + wall_us * 1000;
	fake.cpu_ns = 7000000 + cpu_us * 1000;
	if (script[0] == '+')
		dmtrace_recorder_enter(recorder, method);
	else
		dmtrace_recorder_exit(recorder, method);
}

/* Check reads the clock, too: it is as it was. */
static struct dmtrace_recorder_result
ended(struct dmtrace_recorder *recorder)
{
	const struct dmtrace_recorder_result result = stopped(recorder);

	memset(&fake, 0, sizeof(fake));
	dmtrace_recorder_free(recorder);
	return result;
}

static struct dmtrace_recorder *
started_by(enum dmtrace_clock clock)
{
	struct dmtrace_recorder_options options = default_options();

	options.clock = clock;
	options.system_clock = 1;
	fake.set = true;
	fake.wall_ns = 5000000999;
	fake.cpu_ns = 7000000;
	return started("x.trace", &options);
}

START_TEST(counts_wall_time_from_the_start)
{
	struct dmtrace_recorder *recorder =
	    started_by(DMTRACE_CLOCK_WALL);

	record_at(recorder, "+a", 1, 0);
	record_at(recorder, "+b", 1000000, 0);
	record_at(recorder, "-b", 71 * MINUTE, 0);
	record_at(recorder, "-a", UINT32_MAX, 0);
	ck_assert_uint_eq(ended(recorder).files, 1);
	assert_events("x.trace",
	    "1+a1 1+b1000000 1-b4260000000 1-a4294967295");
	assert_option("x.trace", "elapsed-time-usec", "4294967295");
}
END_TEST

START_TEST(counts_cpu_time_from_a_threads_first_event)
{
	struct dmtrace_recorder *recorder =
	    started_by(DMTRACE_CLOCK_THREAD_CPU);

	record_at(recorder, "+a", 50, 40);
	record_at(recorder, "+b", 60, 45);
	record_at(recorder, "-b", 80 * MINUTE, 46);
	record_at(recorder, "-a", 81 * MINUTE, 50);
	ck_assert_uint_eq(ended(recorder).files, 1);
	assert_events("x.trace", "1+a0 1+b5 1-b6 1-a10");
}
END_TEST

START_TEST(has_both_times_of_a_dual_record)
{
	struct dmtrace_recorder *recorder =
	    started_by(DMTRACE_CLOCK_DUAL);
	struct dmtrace_event event;

	record_at(recorder, "+a", 50, 40);
	record_at(recorder, "-a", 60, 45);
	ended(recorder);
	struct dmtrace_reader *reader = opened("x.trace");
	ck_assert_int_eq(dmtrace_reader_next(reader, &event), DMTRACE_OK);
	ck_assert_uint_eq(event.cpu_ns, 0);
	ck_assert_uint_eq(event.wall_ns, 50000);
	ck_assert_int_eq(dmtrace_reader_next(reader, &event), DMTRACE_OK);
	ck_assert_uint_eq(event.cpu_ns, 5000);
	ck_assert_uint_eq(event.wall_ns, 60000);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(goes_on_in_another_file_after_71_minutes)
{
	struct dmtrace_recorder *recorder =
	    started_by(DMTRACE_CLOCK_WALL);

	record_at(recorder, "+a", 10, 0);
	record_at(recorder, "+b", 20, 0);
	record_at(recorder, "-b", UINT64_C(4294967296), 0);
	record_at(recorder, "-a", UINT64_C(4294967296) + 7, 0);
	const struct dmtrace_recorder_result result = ended(recorder);
	ck_assert_uint_eq(result.files, 2);
	ck_assert_uint_eq(result.closed, 2);
	ck_assert_int_eq(result.ended, 0);
	assert_events("x.trace", "1+a10 1+b20 1-b4294967295 1-a4294967295");
	assert_option("x.trace", "dmtrace-closed", "2");
	assert_option("x.trace", "dmtrace-opened", NULL);
	assert_events("x-0002.trace", "1+a0 1+b0 1-b0 1-a7");
	assert_option("x-0002.trace", "dmtrace-opened", "2");
	assert_option("x-0002.trace", "dmtrace-closed", NULL);
	ck_assert_uint_eq(file_count("."), 2);
}
END_TEST

START_TEST(keeps_cpu_time_going_in_another_file)
{
	struct dmtrace_recorder *recorder =
	    started_by(DMTRACE_CLOCK_DUAL);
	struct dmtrace_event event = { 0 };

	record_at(recorder, "+a", 10, 3);
	record_at(recorder, "+b", 20, 10);
	record_at(recorder, "-b", 80 * MINUTE, 15);
	ended(recorder);
	struct dmtrace_reader *reader = opened("x-0002.trace");
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(dmtrace_reader_next(reader, &event),
		    DMTRACE_OK);
	ck_assert_uint_eq(event.cpu_ns, 5000);
	ck_assert_int_eq(event.action, DMTRACE_EXIT);
	dmtrace_reader_free(reader);
}
END_TEST

/* From one event to the next, more than a file has room for. */
START_TEST(leaves_out_cpu_time_that_fits_in_no_file)
{
	struct dmtrace_recorder *recorder =
	    started_by(DMTRACE_CLOCK_THREAD_CPU);

	record_at(recorder, "+a", 10, 3);
	record_at(recorder, "-a", 20, 80 * MINUTE);
	record_at(recorder, "+b", 30, 80 * MINUTE + 10);
	record_at(recorder, "-b", 40, 80 * MINUTE + 15);
	ck_assert_uint_eq(ended(recorder).files, 3);
	assert_events("x.trace", "1+a0 1-a0");
	assert_events("x-0002.trace", "1+a0 1-a4294967295");
	assert_events("x-0003.trace", "1+b10 1-b15");
}
END_TEST

/* A sample, an exit that skips a frame, and an exit that matches no frame, none
 * of which takes the short path; with the processor's tick counter, if it has
 * one, and with the system's clock. */
static const int by_system[] = { 0, 1 };

#define REST_US 3000

static void
rest(void)
{
	const struct timespec time = { 0, REST_US * 1000 };

	nanosleep(&time, NULL);
}

START_TEST(goes_on_with_time_in_every_kind_of_event)
{
	struct dmtrace_recorder_options options = default_options();
	struct dmtrace_event event;
	uint64_t last_us = 0;

	options.system_clock = by_system[_i];
	options.mismatch = DMTRACE_MISMATCH_AS_IS;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	const uint32_t a = method_of(recorder, 'a');
	const uint32_t b = method_of(recorder, 'b');
	const struct dmtrace_event enter = {
		.method = b,
		.cpu_ns = DMTRACE_NO_TIME,
		.wall_ns = DMTRACE_NO_TIME,
		.action = DMTRACE_ENTER
	};
	rest();
	dmtrace_recorder_sample(recorder, &a, 1, DMTRACE_NO_TIME);
	rest();
	dmtrace_recorder_event(recorder, &enter);
	rest();
	dmtrace_recorder_exit(recorder, a);
	rest();
	dmtrace_recorder_unroll(recorder, b);
	rest();
	dmtrace_recorder_enter_key(recorder, 4096);
	rest();
	dmtrace_recorder_exit_key(recorder, 4096);
	ended(recorder);
	struct dmtrace_reader *reader = opened("x.trace");
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(dmtrace_reader_next(reader, &event),
		    DMTRACE_OK);
		ck_assert_uint_ge(time_us(&event), last_us + REST_US / 2);
		last_us = time_us(&event);
	}
	dmtrace_reader_free(reader);
}
END_TEST

/* Times do not go back, and a file does not end for it. */
START_TEST(stays_when_the_clock_steps_back)
{
	struct dmtrace_recorder *recorder =
	    started_by(DMTRACE_CLOCK_WALL);

	record_at(recorder, "+a", 1000, 0);
	fake.wall_ns = 12345;		/* before the start */
	dmtrace_recorder_enter(recorder, method_of(recorder, 'b'));
	record_at(recorder, "-b", 999, 0);
	record_at(recorder, "-a", 1001, 0);
	fake.wall_ns = 12345;
	ck_assert_uint_eq(ended(recorder).files, 1);
	assert_events("x.trace", "1+a1000 1+b1000 1-b1000 1-a1001");
}
END_TEST

static const struct {
	const char *label;
	uint64_t stop_ns;
	const char *events;
} stops[] = {
	{ "before the start", 12345, "1+a1000 1-a1000" },
	{ "later than the last event", 5007000000, "1+a1000 1-a7000" },
	{ "the last moment of a file", 4299967295000,
	    "1+a1000 1-a4294967295" },
	{ "after it", 4299967296000, "1+a1000 1-a4294967295" },
	{ "far ahead", UINT64_C(1) << 62, "1+a1000 1-a4294967295" },
};

/* As late as the stop is, not in the past or after the end of the file. */
START_TEST(closes_frames_at_the_stop)
{
	struct dmtrace_recorder *recorder =
	    started_by(DMTRACE_CLOCK_WALL);

	record_at(recorder, "+a", 1000, 0);
	fake.wall_ns = stops[_i].stop_ns;
	ck_assert_uint_eq(ended(recorder).files, 1);
	assert_events("x.trace", stops[_i].events);
}
END_TEST

/* By 2 ms the clock is still later than the origin of ticks. */
static const int64_t steps[] = { -3600000000000, -2000000, -1000, 1000,
	500000000, 60000000000, 3600000000000 };

/* Whatever the clock does, a thread's times go up and nothing is lost. */
START_TEST(counts_on_while_the_clock_steps)
{
	struct dmtrace_recorder_options options = default_options();
	enum { CALLS = 200000 };
	const int64_t uptime = 7200000000000;	/* it stays above zero */
	struct dmtrace_event event;
	uint64_t last = 0, count = 0;

	fake.step_ns = uptime;
	options.buffer_size = 4096;	/* a new anchor every 400 events */
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	const uint32_t method = method_of(recorder, 'a');
	for (int i = 0; i < CALLS; i++) {
		fake.step_ns = uptime + (i > CALLS / 2 ? steps[_i] : 0);
		dmtrace_recorder_enter(recorder, method);
		dmtrace_recorder_exit(recorder, method);
	}
	const struct dmtrace_recorder_result result = ended(recorder);
	ck_assert_uint_eq(result.events, 2 * CALLS + 2 * result.closed);
	ck_assert_uint_eq(result.files, 1);
	struct dmtrace_reader *reader = opened("x.trace");
	for (; dmtrace_reader_next(reader, &event) == DMTRACE_OK; count++) {
		demand(event.wall_ns >= last, "time goes on");
		last = event.wall_ns;
	}
	ck_assert_uint_eq(count, result.events);
	dmtrace_reader_free(reader);
}
END_TEST

static struct dmtrace_recorder *
started_short(const char *path, uint64_t max_time_us, int no_rotate)
{
	struct dmtrace_recorder_options options = default_options();

	options.max_time_us = max_time_us;
	options.no_rotate = no_rotate;
	return started(path, &options);
}

/* With times of its own, 10 us an event: 0 to 20 fit in a file. */
START_TEST(goes_on_in_another_file_by_the_callers_clock)
{
	struct dmtrace_recorder *recorder = started_short("x.trace", 25, 0);

	play(recorder, "+a+b-b+c-c-a+d-d");
	const struct dmtrace_recorder_result result = ended(recorder);
	ck_assert_uint_eq(result.files, 3);
	ck_assert_uint_eq(result.closed, 1);
	ck_assert_uint_eq(result.events, 10);
	ck_assert_uint_eq(result.stepped_back, 0);
	assert_events("x.trace", "1+a0 1+b10 1-b20 1-a20");
	assert_events("x-0002.trace", "1+a0 1+c0 1-c10 1-a20");
	assert_events("x-0003.trace", "1+d0 1-d10");
	assert_option("x-0002.trace", "dmtrace-opened", "1");
	assert_option("x-0003.trace", "dmtrace-opened", NULL);
}
END_TEST

START_TEST(numbers_the_halves_of_a_pair)
{
	struct dmtrace_recorder *recorder = started_short("x.key", 15, 0);

	play(recorder, "+a-a+b-b");
	ended(recorder);
	assert_events("x.key", "1+a0 1-a10");
	assert_events("x-0002.data", "1+b0 1-b10");
	ck_assert_uint_eq(file_count("."), 4);
}
END_TEST

static const struct {
	enum dmtrace_clock clock;
	int system_clock;
} shorts[] = {
	{ DMTRACE_CLOCK_WALL, 0 },
	{ DMTRACE_CLOCK_WALL, 1 },
	{ DMTRACE_CLOCK_THREAD_CPU, 0 },
	{ DMTRACE_CLOCK_DUAL, 0 },
};

/* A file is over before its first event can be written. */
START_TEST(goes_on_when_no_file_lasts_to_its_first_event)
{
	struct dmtrace_recorder_options options = default_options();

	options.max_time_us = 1;
	options.clock = shorts[_i].clock;
	options.system_clock = shorts[_i].system_clock;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	const uint32_t method = method_of(recorder, 'a');
	for (int i = 0; i < 5; i++) {
		dmtrace_recorder_enter(recorder, method);
		dmtrace_recorder_exit(recorder, method);
	}
	const struct dmtrace_recorder_result result = ended(recorder);
	ck_assert_uint_le(result.files, 11);
	ck_assert_uint_eq(result.dropped, 0);
	ck_assert_uint_ge(result.events, 10);
}
END_TEST

static enum dmtrace_recorder_end ended_why;
static unsigned ended_times;

static void
note_end(void *context, enum dmtrace_recorder_end why)
{
	ck_assert_ptr_eq(context, &ended_why);
	ended_why = why;
	ended_times++;
}

START_TEST(stops_after_that_time_if_asked_to)
{
	struct dmtrace_recorder_options options = default_options();

	options.max_time_us = 25;
	options.no_rotate = 1;
	options.ended = note_end;
	options.context = &ended_why;
	ended_times = 0;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	play(recorder, "+a+b-b-a+c-c");
	ck_assert_uint_eq(ended_times, 1);
	ck_assert_int_eq(ended_why, DMTRACE_RECORDER_TIMEOUT);
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "y.trace", NULL),
	    DMTRACE_ERR_STATE);
	const struct dmtrace_recorder_result result = ended(recorder);
	ck_assert_int_eq(result.ended, DMTRACE_RECORDER_TIMEOUT);
	ck_assert_uint_eq(result.files, 1);
	ck_assert_uint_eq(result.dropped, 3);
	assert_events("x.trace", "1+a0 1+b10 1-b20 1-a20");
	assert_option("x.trace", "data-file-overflow", "true");
}
END_TEST

static const struct {
	struct dmtrace_event event;
	enum dmtrace_clock clock;
	const char *last;	/* of the last file */
} far[] = {
	{ { 4, UINT64_C(1) << 60, 0, 0, DMTRACE_ENTER }, DMTRACE_CLOCK_DUAL,
	    NULL },
	{ { 4, 0, UINT64_C(1) << 60, 0, DMTRACE_ENTER }, DMTRACE_CLOCK_DUAL,
	    NULL },
	{ { 4, UINT64_MAX - 1, UINT64_MAX - 1, 0, DMTRACE_ENTER },
	    DMTRACE_CLOCK_DUAL, NULL },
	{ { 4, UINT64_MAX - 1, 0, 0, DMTRACE_ENTER },
	    DMTRACE_CLOCK_THREAD_CPU, "1+a0 1-a0" },
	{ { 4, 0, UINT64_MAX - 1, 0, DMTRACE_ENTER }, DMTRACE_CLOCK_WALL,
	    "1+a0 1-a0" },
	{ { 4, DMTRACE_NO_TIME, UINT64_MAX - 1, 0, DMTRACE_ENTER },
	    DMTRACE_CLOCK_DUAL, NULL },
	{ { 4, UINT64_MAX - 1, DMTRACE_NO_TIME, 0, DMTRACE_ENTER },
	    DMTRACE_CLOCK_DUAL, NULL },
};

/* One more file, not one after the other. */
START_TEST(follows_a_clock_that_is_far_ahead)
{
	struct dmtrace_recorder_options options = default_options();

	options.clock = far[_i].clock;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	method_of(recorder, 'a');
	dmtrace_recorder_event(recorder, &far[_i].event);
	const struct dmtrace_recorder_result result = ended(recorder);
	ck_assert_uint_eq(result.files, 2);
	ck_assert_uint_eq(result.events, 2);
	ck_assert_uint_eq(result.dropped, 0);
	if (far[_i].last != NULL)
		assert_events("x-0002.trace", far[_i].last);
}
END_TEST

/* Of a clock that the records do not have, a time means nothing. */
START_TEST(leaves_out_times_that_have_no_field)
{
	struct dmtrace_recorder *recorder = started("x.trace", NULL);
	const struct dmtrace_event events[] = {
		{ method_of(recorder, 'a'), UINT64_C(1) << 60, 5000, 0,
		    DMTRACE_ENTER },
		{ method_of(recorder, 'a'), DMTRACE_NO_TIME, 9000, 0,
		    DMTRACE_EXIT },
	};

	for (size_t i = 0; i < ROWS(events); i++)
		dmtrace_recorder_event(recorder, &events[i]);
	ck_assert_uint_eq(ended(recorder).files, 1);
	assert_events("x.trace", "1+a5 1-a9");
}
END_TEST

START_TEST(counts_times_that_step_back)
{
	struct dmtrace_recorder *recorder = started("x.trace", NULL);
	const uint32_t method = method_of(recorder, 'a');

	dmtrace_recorder_enter_at(recorder, method, 9000);
	dmtrace_recorder_enter_at(recorder, method, 8000);
	dmtrace_recorder_exit_at(recorder, method, 9500);
	dmtrace_recorder_exit_at(recorder, method, 0);
	ck_assert_uint_eq(ended(recorder).stepped_back, 2);
	assert_events("x.trace", "1+a9 1+a9 1-a9 1-a9");
	assert_option("x.trace", "dmtrace-stepped-back", "2");
}
END_TEST

/* One that is before the file is taken for its start, and counted. */
START_TEST(counts_times_before_the_file)
{
	struct dmtrace_recorder *recorder = started_short("x.trace", 25, 0);

	play(recorder, "+a-a+b-b");
	play_from(recorder, "+c-c", 30000);
	stopped(recorder);
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "y.trace", NULL),
	    DMTRACE_OK);
	play_from(recorder, "+a", 0);
	play_from(recorder, "-a", 40000);
	play_from(recorder, "+b-b", 0);
	ck_assert_uint_eq(ended(recorder).stepped_back, 2);
	assert_events("y-0002.trace", "1+a0 1-a0 1+b0 1-b0");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder_times");
	TCase *tcase = unit_tcase(suite, "recorder_times");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, counts_wall_time_from_the_start);
	tcase_add_test(tcase, counts_cpu_time_from_a_threads_first_event);
	tcase_add_test(tcase, has_both_times_of_a_dual_record);
	tcase_add_test(tcase, goes_on_in_another_file_after_71_minutes);
	tcase_add_test(tcase, keeps_cpu_time_going_in_another_file);
	tcase_add_test(tcase, leaves_out_cpu_time_that_fits_in_no_file);
	ADD_CASES(tcase, goes_on_with_time_in_every_kind_of_event, by_system);
	tcase_add_test(tcase, stays_when_the_clock_steps_back);
	ADD_CASES(tcase, closes_frames_at_the_stop, stops);
	ADD_CASES(tcase, counts_on_while_the_clock_steps, steps);
	tcase_add_test(tcase, goes_on_in_another_file_by_the_callers_clock);
	tcase_add_test(tcase, numbers_the_halves_of_a_pair);
	ADD_CASES(tcase, goes_on_when_no_file_lasts_to_its_first_event,
	    shorts);
	tcase_add_test(tcase, stops_after_that_time_if_asked_to);
	ADD_CASES(tcase, follows_a_clock_that_is_far_ahead, far);
	tcase_add_test(tcase, leaves_out_times_that_have_no_field);
	tcase_add_test(tcase, counts_times_that_step_back);
	tcase_add_test(tcase, counts_times_before_the_file);
	return unit_main(suite);
}
