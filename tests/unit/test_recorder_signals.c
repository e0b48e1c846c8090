/* test_recorder_signals.c - handlers that interrupt malloc, or jump out */

#define _DEFAULT_SOURCE		/* usleep, SA_ONSTACK */

#include "helpers/recorded.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "helpers/faults.h"

static struct dmtrace_recorder *shared;
static uint64_t next_key;
static atomic_uint handled;
static atomic_bool over;

static int
name_key(void *context, uint64_t key, struct dmtrace_recorder_method *names)
{
	static char name[32];

	(void)context;
	snprintf(name, sizeof(name), "k%" PRIu64, key);
	*names = (struct dmtrace_recorder_method){ .name = name };
	return 1;
}

static const struct {
	const char *path;
	enum dmtrace_recorder_full full;
	int journal;
	uint64_t max_time_us;
} modes[] = {
	{ "x.trace", DMTRACE_FULL_FLUSH, 0, UINT32_MAX },
	{ "x.trace", DMTRACE_FULL_FLUSH, 1, UINT32_MAX },
	{ "x.key", DMTRACE_FULL_FLUSH, 1, UINT32_MAX },
	{ "x.trace", DMTRACE_FULL_FLUSH, 0, 5000 },
	{ "x.key", DMTRACE_FULL_FLUSH, 1, 5000 },
	{ "x.trace", DMTRACE_FULL_RING, 0, 5000 },
	{ "x.key", DMTRACE_FULL_STOP, 1, 5000 },
};

static struct dmtrace_recorder_options
options_of(int row)
{
	struct dmtrace_recorder_options options = default_options();

	options.full = modes[row].full;
	options.journal = modes[row].journal;
	options.max_time_us = modes[row].max_time_us;
	options.buffer_size = 4096;
	options.memory_limit = 262144;
	options.name = name_key;
	next_key = 4096;
	return options;
}

/* 500 events, which fill a buffer of 4096 bytes. */
static void
call_new_keys(void)
{
	for (int i = 0; i < 250; i++) {
		const uint64_t key = next_key + (uint64_t)i / 50;
		dmtrace_recorder_enter_key(shared, key);
		dmtrace_recorder_exit_key(shared, key);
	}
	next_key += 5;
}

/* The first call of malloc would fail, and be reported. Check calls it, too. */
START_TEST(calls_no_malloc_from_start_to_stop)
{
	const struct dmtrace_recorder_options options = options_of(_i);
	const struct dmtrace_recorder_method names = { .name = "a" };
	struct dmtrace_recorder_result result;
	uint32_t method = 0;

	shared = dmtrace_recorder_new();
	fault_arm(FAULT_ALLOC, 1);
	dmt_recorder_set_options(shared, &options);
	dmtrace_recorder_start(shared, modes[_i].path, NULL);
	dmtrace_recorder_intern(shared, &names, &method);
	dmtrace_recorder_enter(shared, method);
	for (int i = 0; i < 40; i++) {
		call_new_keys();
		if (options.max_time_us < UINT32_MAX)
			usleep(500);
	}
	const enum dmtrace_status status =
	    dmtrace_recorder_stop(shared, &result);
	ck_assert(!fault_disarm());
	ck_assert_int_eq(status, DMTRACE_OK);
	ck_assert_uint_eq(result.methods, 201);
	if (options.max_time_us < UINT32_MAX)
		ck_assert_uint_ge(result.files, 3);
	dmtrace_recorder_free(shared);
	assert_sound(modes[_i].path);
}
END_TEST

static void
handle_amid_malloc(int number)
{
	(void)number;
	call_new_keys();
	atomic_fetch_add(&handled, 1);
}

/* Mostly within malloc or free. */
static void *
allocate_until_over(void *unused)
{
	void *blocks[64] = { NULL };

	(void)unused;
	for (unsigned i = 0; !atomic_load(&over); i++) {
		free(blocks[i % 64]);
		blocks[i % 64] = malloc(i * 37 % 5000);
	}
	for (int i = 0; i < 64; i++)
		free(blocks[i]);
	return NULL;
}

static void
set_handler(void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler };

	action.sa_flags = flags;
	ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
	atomic_store(&handled, 0);
	atomic_store(&over, false);
}

/* Each signal is waited for. */
static void
send(pthread_t thread, unsigned times)
{
	for (unsigned i = 0; i < times; i++) {
		ck_assert_int_eq(pthread_kill(thread, SIGUSR1), 0);
		while (atomic_load(&handled) <= i)
			usleep(20);
	}
}

START_TEST(flushes_in_a_handler_amid_malloc)
{
	const struct dmtrace_recorder_options options = options_of(_i);
	struct dmtrace_recorder_result result;
	pthread_t thread;

	shared = started(modes[_i].path, &options);
	set_handler(handle_amid_malloc, 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, allocate_until_over,
	    NULL), 0);
	send(thread, 100);
	atomic_store(&over, true);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(dmtrace_recorder_stop(shared, &result), DMTRACE_OK);
	dmtrace_recorder_free(shared);
	ck_assert_uint_ge(result.events + result.dropped, 2000);
	assert_sound(modes[_i].path);
}
END_TEST

static sigjmp_buf out;
static atomic_bool armed;

static void
jump_out(int number)
{
	(void)number;
	atomic_fetch_add(&handled, 1);
	if (atomic_load(&armed))
		siglongjmp(out, 1);
}

static void
call_twice(uint32_t a, uint32_t b)
{
	dmtrace_recorder_enter(shared, a);
	dmtrace_recorder_enter(shared, b);
	dmtrace_recorder_exit(shared, b);
	dmtrace_recorder_exit(shared, a);
}

/* Makes one jump out of the middle of an event. Jumps between two events cannot
 * be noticed, and there may be some before it. */
static void
be_jumped_once(uint32_t a, uint32_t b)
{
	if (sigsetjmp(out, 1) != 0)
		return;
	atomic_store(&armed, true);
	for (;;)
		call_twice(a, b);
}

/* Whether an event that comes now is lost, or the jump left none. */
static void *
be_jumped(void *stops)
{
	const uint32_t a = method_of(shared, 'a');
	const uint32_t b = method_of(shared, 'b');

	be_jumped_once(a, b);
	atomic_store(&armed, false);
	call_twice(a, b);
	if (stops != NULL)
		ck_assert_int_eq(dmtrace_recorder_stop(shared, NULL),
		    DMTRACE_OK);
	return NULL;
}

static void
run_jumped(void *stops)
{
	pthread_t thread;

	set_handler(jump_out, 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, be_jumped, stops), 0);
	while (!atomic_load(&armed))
		usleep(20);
	send(thread, 1);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

/* A stop waits for events, but not for an event that a handler has jumped out
 * of: called in that thread, or after its end. */
START_TEST(stops_after_a_jump_out_of_an_event)
{
	static int yes;

	for (int i = 0; i < 50; i++) {
		shared = started("x.trace", NULL);
		run_jumped(_i == 0 ? &yes : NULL);
		if (_i != 0)
			stopped(shared);
		dmtrace_recorder_free(shared);
		assert_sound("x.trace");
		unlink("x.trace");
	}
}
END_TEST

/* The signal comes as soon as the flush lets signals in: each row flushes at
 * another one of the four events of call_twice. */
START_TEST(closes_what_is_open_in_a_flush_that_is_jumped_out_of)
{
	struct dmtrace_recorder_options options = default_options();

	options.buffer_size = 4096;
	shared = started("x.trace", &options);
	const uint32_t a = method_of(shared, 'a');
	const uint32_t b = method_of(shared, 'b');
	const uint32_t outer = method_of(shared, 'o');

	set_handler(jump_out, 0);
	for (int i = 0; i < _i; i++)
		dmtrace_recorder_enter(shared, outer);
	fault_raise(SIGUSR1);
	be_jumped_once(a, b);
	atomic_store(&armed, false);
	ck_assert_uint_ge(stopped(shared).events, 400);
	dmtrace_recorder_free(shared);
	assert_sound("x.trace");
}
END_TEST

static atomic_bool jumped;

/* It lives on, records no more, and then again for another trace. */
static void *
be_jumped_and_live(void *unused)
{
	const uint32_t a = method_of(shared, 'a');
	const uint32_t b = method_of(shared, 'b');

	be_jumped_once(a, b);
	atomic_store(&armed, false);
	for (int i = 0; i < 100; i++)
		call_twice(a, b);
	atomic_store(&jumped, true);
	while (!atomic_load(&over))
		usleep(20);
	call_twice(a, b);
	return unused;
}

/* Most jumps leave an event. */
START_TEST(drops_what_comes_after_a_jump_out_of_an_event)
{
	uint64_t dropped = 0;

	for (int i = 0; i < 20; i++) {
		pthread_t thread;
		shared = started("x.trace", NULL);
		set_handler(jump_out, 0);
		atomic_store(&jumped, false);
		ck_assert_int_eq(pthread_create(&thread, NULL,
		    be_jumped_and_live, NULL), 0);
		while (!atomic_load(&armed))
			usleep(20);
		send(thread, 1);
		while (!atomic_load(&jumped))
			usleep(20);
		const uint64_t lost = stopped(shared).dropped;
		ck_assert(lost == 0 || lost == 400);
		dropped += lost;
		assert_sound("x.trace");
		ck_assert_int_eq(dmtrace_recorder_start(shared, "y.trace",
		    NULL),
		    DMTRACE_OK);
		atomic_store(&over, true);
		ck_assert_int_eq(pthread_join(thread, NULL), 0);
		ck_assert_uint_eq(stopped(shared).events, 4);
		dmtrace_recorder_free(shared);
		ck_assert_uint_eq(assert_sound("y.trace"), 4);
		unlink("x.trace");
		unlink("y.trace");
	}
	ck_assert_uint_gt(dropped, 0);
}
END_TEST

static int
want_amid_signal(void *context, uint64_t key)
{
	(void)context;
	(void)key;
	raise(SIGUSR1);
	return 1;
}

/* The thread of that event is gone for the stop, and records again later. */
START_TEST(records_again_after_a_jump_and_a_failed_rotation)
{
	struct dmtrace_recorder_options options = default_options();

	options.max_time_us = 25;
	options.want = want_amid_signal;
	ck_assert_int_eq(mkdir("x-0002.trace.data", 0777), 0);
	shared = started("x.trace", &options);
	play(shared, "+a");
	play_from(shared, "-a", 100000);
	set_handler(jump_out, 0);
	atomic_store(&armed, true);
	if (sigsetjmp(out, 1) == 0)
		dmtrace_recorder_enter_key(shared, 4096);
	atomic_store(&armed, false);
	ck_assert_uint_eq(atomic_load(&handled), 1);
	ck_assert_int_eq(dmtrace_recorder_stop(shared, NULL), DMTRACE_ERR_IO);
	options = default_options();
	ck_assert_int_eq(dmtrace_recorder_start(shared, "y.trace", &options),
	    DMTRACE_OK);
	play(shared, "+a-a+b-b");
	ck_assert_uint_eq(stopped(shared).events, 4);
	dmtrace_recorder_free(shared);
	ck_assert_uint_eq(assert_sound("y.trace"), 4);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder_signals");
	TCase *tcase = unit_tcase(suite, "recorder_signals");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_set_timeout(tcase, 120);
	ADD_CASES(tcase, calls_no_malloc_from_start_to_stop, modes);
	ADD_CASES(tcase, flushes_in_a_handler_amid_malloc, modes);
	tcase_add_loop_test(tcase, stops_after_a_jump_out_of_an_event, 0, 2);
	tcase_add_loop_test(tcase,
	    closes_what_is_open_in_a_flush_that_is_jumped_out_of, 0, 4);
	tcase_add_test(tcase, drops_what_comes_after_a_jump_out_of_an_event);
	tcase_add_test(tcase, records_again_after_a_jump_and_a_failed_rotation);
	return unit_main(suite);
}
