/* recorder.c - recorders that are misused */

#include "misuse.h"

#include <errno.h>
#include <pthread.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>

static struct dmtrace_recorder *
started(const char *path)
{
	struct dmtrace_recorder *const recorder = dmtrace_recorder_new();

	OK(dmtrace_recorder_start(recorder, path, NULL));
	return recorder;
}

static uint32_t
method_of(struct dmtrace_recorder *recorder, const char *name)
{
	const struct dmtrace_recorder_method described = { .name = name };
	uint32_t method = 0;

	OK(dmtrace_recorder_intern(recorder, &described, &method));
	return method;
}

static void
call(struct dmtrace_recorder *recorder, uint32_t method)
{
	dmtrace_recorder_enter(recorder, method);
	dmtrace_recorder_exit(recorder, method);
}

/* Strings of the options, the path and of methods are the caller's. */
static void
strings_of_the_caller_are_copied(void)
{
	struct dmtrace_recorder *const recorder = dmtrace_recorder_new();
	char *const text = letters(200), *const path = strdup("x.trace");
	char *const vm = letters(31);
	struct dmtrace_recorder_options options = { .vm = vm };
	const struct dmtrace_recorder_method described = {
		.class_name = text, .name = text, .signature = text,
		.file = text, .line = -77
	};
	struct dmtrace_recorder_result result;
	uint32_t method;

	OK(dmtrace_recorder_intern(recorder, &described, &method));
	OK(dmtrace_recorder_start(recorder, path, &options));
	dmtrace_recorder_name_thread(recorder, text);
	memset(text, 'Z', 200);
	memset(path, 'Z', 7);
	memset(vm, 'Z', 31);
	memset(&options, 0x5a, sizeof(options));
	free(text);
	free(path);
	free(vm);
	call(recorder, method);
	OK(dmtrace_recorder_stop(recorder, &result));
	HOLDS(result.events == 2 && result.refused == 0);
	dmtrace_recorder_free(recorder);
	HOLDS(exists("x.trace") && file_count() == 1);
	HOLDS(system("grep -q ZZZZZZZ x.trace") != 0);
}

/* Nobody stops it; free does. */
static void
a_forgotten_stop_is_made_by_free(void)
{
	struct dmtrace_recorder *const recorder = started("x.trace");

	dmtrace_recorder_enter(recorder, method_of(recorder, "a"));
	dmtrace_recorder_free(recorder);
	HOLDS(exists("x.trace") && file_count() == 1);
}

static void
exits_without_enters_are_counted(void)
{
	struct dmtrace_recorder *const recorder = started("x.trace");
	const uint32_t a = method_of(recorder, "a");
	struct dmtrace_recorder_result result;

	dmtrace_recorder_exit(recorder, a);
	dmtrace_recorder_unroll(recorder, a);
	dmtrace_recorder_sample(recorder, NULL, 0, DMTRACE_NO_TIME);
	dmtrace_recorder_enter(recorder, a);
	OK(dmtrace_recorder_stop(recorder, &result));
	HOLDS(result.mismatched == 2 && result.closed == 1);
	IS(dmtrace_recorder_stop(recorder, &result), DMTRACE_ERR_STATE);
	dmtrace_recorder_free(recorder);
}

/* Numbers without a sense are refused by the start, as DMTRACE_ERR_RANGE, or
 * are large limits, which take no memory until they are used. */
static void
extreme_options_end_in_a_status(void)
{
	static const struct dmtrace_recorder_options rows[] = {
		{ .version = UINT32_MAX }, { .clock = (enum dmtrace_clock)-1 },
		{ .full = (enum dmtrace_recorder_full)-1 },
		{ .mismatch = (enum dmtrace_recorder_mismatch)3 },
		{ .buffer_size = 1 }, { .buffer_size = SIZE_MAX },
		{ .memory_limit = 1 }, { .memory_limit = SIZE_MAX },
		{ .buffer_size = SIZE_MAX, .memory_limit = SIZE_MAX },
		{ .max_keys = UINT32_MAX }, { .max_depth = UINT32_MAX },
		{ .max_time_us = UINT64_MAX }, { .max_time_us = 1 },
		{ .streaming = -1, .journal = -1 }, { .vm = "" },
		{ .clock = DMTRACE_CLOCK_UNKNOWN },
		{ .clock = DMTRACE_CLOCK_GLOBAL },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dmtrace_recorder *const recorder =
		    dmtrace_recorder_new();
		const int status = dmtrace_recorder_start(recorder,
		    "x.trace", &rows[i]);

		HOLDS(status == DMTRACE_OK || status == DMTRACE_ERR_RANGE ||
		    status == DMTRACE_ERR_MEMORY);
		if (status == DMTRACE_OK) {
			call(recorder, method_of(recorder, "a"));
			OK(dmtrace_recorder_stop(recorder, NULL));
		} else {
			HOLDS(dmtrace_recorder_error(recorder)->message[0] !=
			    '\0');
		}
		dmtrace_recorder_free(recorder);
	}
}

static pthread_barrier_t barrier;
static struct dmtrace_recorder *shared;

/* Calls in the first recorder, and then in the next. */
static void *
call_in_two(void *context)
{
	call(shared, method_of(shared, "first"));
	pthread_barrier_wait(&barrier);		/* has recorded */
	pthread_barrier_wait(&barrier);		/* the first is freed */
	call(shared, method_of(shared, "second"));
	return context;
}

/* What a thread remembers of a recorder is not used with the next one, which
 * may be at the same address. */
static void
a_thread_outlives_its_recorder(void)
{
	pthread_t threads[4];
	struct dmtrace_recorder_result result;

	pthread_barrier_init(&barrier, NULL, 5);
	shared = started("first.trace");
	for (int i = 0; i < 4; i++)
		HOLDS(pthread_create(&threads[i], NULL, call_in_two, NULL) ==
		    0);
	pthread_barrier_wait(&barrier);
	OK(dmtrace_recorder_stop(shared, &result));
	HOLDS(result.events == 8 && result.threads == 4);
	dmtrace_recorder_free(shared);
	shared = started("second.trace");
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	OK(dmtrace_recorder_stop(shared, &result));
	HOLDS(result.events == 8 && result.refused == 0);
	dmtrace_recorder_free(shared);
	pthread_barrier_destroy(&barrier);
}

static void *
wait_twice(void *context)
{
	call(shared, method_of(shared, "first"));
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return context;
}

static void
a_thread_ends_after_its_recorder_was_freed(void)
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	shared = started("x.trace");
	pthread_create(&thread, NULL, wait_twice, NULL);
	pthread_barrier_wait(&barrier);
	dmtrace_recorder_free(shared);
	pthread_barrier_wait(&barrier);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&barrier);
	HOLDS(exists("x.trace"));
}

static pthread_key_t last_key;

/* Runs when the recorder has let go of the thread, or before it. */
static void
call_at_thread_end(void *context)
{
	static __thread int runs;

	call(NULL, dmtrace_intern(NULL, "late"));
	if (++runs < 3)
		pthread_setspecific(last_key, context);
}

static void *
set_last_key(void *context)
{
	pthread_setspecific(last_key, context);
	call(NULL, dmtrace_intern(NULL, "early"));
	return NULL;
}

/* The destructors of a thread's keys may record. */
static void
a_thread_records_while_it_ends(void)
{
	struct dmtrace_recorder_result result;
	pthread_t thread;

	HOLDS(pthread_key_create(&last_key, call_at_thread_end) == 0);
	OK(dmtrace_start("x.trace", NULL));
	for (int i = 0; i < 20; i++) {
		pthread_create(&thread, NULL, set_last_key, &last_key);
		pthread_join(thread, NULL);
	}
	OK(dmtrace_stop(&result));
	HOLDS(result.events + result.dropped == 20 * 8);
	HOLDS(result.events == 20 * 8);
}

/* Each thread stops what another one has started. */
static void *
start_and_stop(void *context)
{
	for (int i = 0; i < 100; i++) {
		dmtrace_start("x.trace", NULL);
		call(NULL, dmtrace_intern(NULL, "a"));
		dmtrace_stop(NULL);
	}
	return context;
}

static void
threads_start_and_stop_at_once(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		HOLDS(pthread_create(&threads[i], NULL, start_and_stop,
		    NULL) == 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	dmtrace_stop(NULL);
	HOLDS(dmtrace_is_recording() == 0);
	HOLDS(exists("x.trace") && file_count() == 1);
}

/* Names that no name should be. */
static int
name_badly(void *context, uint64_t key, struct dmtrace_recorder_method *method)
{
	static const struct dmtrace_recorder_method names[] = {
		{ .name = NULL }, { .name = "" }, { .name = "a\tb\nc" },
		{ .name = "a", .class_name = "\n" }, { .name = "\xff\xfe" },
		{ .class_name = "only a class" },
	};

	(void)context;
	*method = names[key % 6];
	return key < 100 ? 1 : -77;
}

static int
want_badly(void *context, uint64_t key)
{
	(void)context;
	return key % 2 == 0 ? INT32_MIN : INT32_MAX;
}

static void
functions_of_the_options_may_return_nonsense(void)
{
	for (int i = 0; i < 2; i++) {
		const struct dmtrace_recorder_options options = {
			.name = name_badly, .want = i == 0 ? NULL : want_badly
		};
		struct dmtrace_recorder *const recorder =
		    dmtrace_recorder_new();
		struct dmtrace_recorder_result result;

		OK(dmtrace_recorder_start(recorder, "x.trace", &options));
		for (uint64_t key = 90; key < 110; key++) {
			dmtrace_recorder_enter_key(recorder, key);
			dmtrace_recorder_exit_key(recorder, key);
		}
		dmtrace_recorder_enter_key(recorder, UINT64_MAX);
		dmtrace_recorder_exit_key(recorder, UINT64_MAX);
		dmtrace_recorder_forget_keys(recorder, 0, UINT64_MAX);
		const int status = dmtrace_recorder_stop(recorder, &result);
		HOLDS(status == DMTRACE_OK || status == DMTRACE_ERR_RANGE);
		HOLDS(exists("x.trace"));
#ifndef MISUSE_ONE_HEADER
		HOLDS(events_of("x.trace") == result.events);
#endif
		dmtrace_recorder_free(recorder);
	}
}

/* Limits, steps back, and times that no file holds. */
static void
times_of_the_caller_may_be_any_number(void)
{
	static const uint64_t times[] = { 5000, 0, UINT64_MAX - 1,
		UINT64_MAX / 2, UINT64_C(1) << 63, UINT64_MAX, 1 };
	struct dmtrace_recorder *const recorder = started("x.trace");
	const uint32_t a = method_of(recorder, "a");
	struct dmtrace_recorder_result result;

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		const struct dmtrace_event event = { .method = a,
			.wall_ns = times[i], .cpu_ns = times[6 - i],
			.thread = UINT32_MAX };

		dmtrace_recorder_enter_at(recorder, a, times[i]);
		dmtrace_recorder_event(recorder, &event);
		dmtrace_recorder_sample(recorder, &a, 1, times[i]);
		dmtrace_recorder_exit_at(recorder, a, times[6 - i]);
	}
	OK(dmtrace_recorder_stop(recorder, &result));
	HOLDS(result.events > 0 && result.files < 100);
	dmtrace_recorder_free(recorder);
}

/* A child of a fork has no part in the recording of its parent. */
static void
a_child_that_stops_leaves_its_parents_trace(void)
{
	struct dmtrace_recorder *const recorder = started("x.trace");
	const uint32_t a = method_of(recorder, "a");
	struct dmtrace_recorder_result result;
	int status;

	call(recorder, a);
	const pid_t child = fork();
	if (child == 0) {
		call(recorder, a);
		dmtrace_recorder_stop(recorder, NULL);
		dmtrace_recorder_free(recorder);
		_exit(exists("x.trace") ? 1 : 0);
	}
	HOLDS(waitpid(child, &status, 0) == child && status == 0);
	call(recorder, a);
	OK(dmtrace_recorder_stop(recorder, &result));
	HOLDS(result.events == 4);
	dmtrace_recorder_free(recorder);
	HOLDS(file_count() == 1);
}

static void
a_thread_may_have_any_name(void)
{
	static const char *const names[] = { "", "a\tb", "a\nb", "\xc3",
		"\xff\xfe", "*threads",
		("a name of 62 bytes, and then letters of two bytes, which end "
		"\xc3\xa4\xc3\xa4\xc3\xa4") };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct dmtrace_recorder *const recorder = started("x.trace");

		dmtrace_recorder_name_thread(recorder, names[i]);
		call(recorder, method_of(recorder, "a"));
		const int status = dmtrace_recorder_stop(recorder, NULL);
		HOLDS(status == DMTRACE_OK || status == DMTRACE_ERR_RANGE);
#ifndef MISUSE_ONE_HEADER
		HOLDS(events_of("x.trace") == 2);
#endif
		dmtrace_recorder_free(recorder);
	}
}

/* A program that becomes another one, which records as well, to a file of the
 * same name. The first one's records that were flushed are in its pair until
 * then; the second has no descriptor of it. */
static void
an_exec_leaves_what_was_flushed(void)
{
	const struct dmtrace_recorder_options options = {
		.journal = 1, .buffer_size = 4096
	};

	if (getenv("MISUSE_EXECUTED") == NULL) {
		OK(dmtrace_start("x.trace", &options));
		for (int i = 0; i < 5000; i++)
			call(NULL, dmtrace_intern(NULL, "before"));
		setenv("MISUSE_EXECUTED", "1", 1);
		execl("/proc/self/exe", "recorder", __func__, (char *)NULL);
		HOLDS(errno == ENOENT);
		return;
	}
	HOLDS(!dmtrace_is_recording());
	HOLDS(exists("x.trace.key") && exists("x.trace.data"));
	for (int fd = 3; fd < 100; fd++) {
		char target[100] = "";
		char name[40];

		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
		HOLDS(readlink(name, target, sizeof(target) - 1) < 0 ||
		    strstr(target, "x.trace") == NULL);
	}
	OK(dmtrace_start("x.trace", NULL));
	call(NULL, dmtrace_intern(NULL, "after"));
	OK(dmtrace_stop(NULL));
	HOLDS(exists("x.trace"));
#ifndef MISUSE_ONE_HEADER
	HOLDS(events_of("x.trace") == 2);
#endif
}

/* Runs it as a user who may not write here: root may. */
static void
as_a_user_without_rights(void (*run)(void))
{
	int status;
	const pid_t child = fork();

	if (child == 0) {
		run();
		_exit(0);
	}
	HOLDS(waitpid(child, &status, 0) == child && status == 0);
	HOLDS(chmod(".", 0777) == 0);
}

static void
take_rights_away(void)
{
	HOLDS(chmod(".", 0555) == 0);
	HOLDS(geteuid() != 0 || setuid(65534) == 0);
#ifdef __linux__
	prctl(PR_SET_DUMPABLE, 1);	/* the search for leaks needs it */
#endif
}

static void
start_in_read_only_folder(void)
{
	static const struct dmtrace_recorder_options rows[] = {
		{ 0 }, { .journal = 1 }, { .streaming = 1 }
	};

	take_rights_away();
	for (size_t i = 0; i < 3; i++) {
		IS(dmtrace_start(i == 0 ? "x.key" : "x.trace", &rows[i]),
		    DMTRACE_ERR_IO);
		IS(dmtrace_last_error()->sys_errno, EACCES);
		SAYS(dmtrace_last_error(), "x.");
		SAYS(dmtrace_last_error(), strerror(EACCES));
		HOLDS(!dmtrace_is_recording() && file_count() == 0);
		IS(dmtrace_stop(NULL), DMTRACE_ERR_STATE);
	}
}

static void
a_read_only_folder_is_refused_by_start(void)
{
	as_a_user_without_rights(start_in_read_only_folder);
	HOLDS(file_count() == 0);
}

static void
stop_in_read_only_folder(void)
{
	struct dmtrace_recorder_result result;

	OK(dmtrace_start("x.trace", NULL));
	call(NULL, dmtrace_intern(NULL, "a"));
	take_rights_away();
	IS(dmtrace_stop(&result), DMTRACE_ERR_IO);
	HOLDS(result.error.sys_errno == EACCES);
	SAYS(&result.error, "x.trace");
}

/* Nobody is there to be told; the process ends all the same. */
static void
exit_in_read_only_folder(void)
{
	OK(dmtrace_start("x.trace", NULL));
	call(NULL, dmtrace_intern(NULL, "a"));
	take_rights_away();
	exit(0);
}

static void
a_folder_that_becomes_read_only_is_reported_by_stop(void)
{
	as_a_user_without_rights(stop_in_read_only_folder);
	HOLDS(file_count() == 0);
	as_a_user_without_rights(exit_in_read_only_folder);
	HOLDS(file_count() == 0);
}

static const struct misuse cases[] = {
	CASE(strings_of_the_caller_are_copied),
	CASE(a_forgotten_stop_is_made_by_free),
	CASE(exits_without_enters_are_counted),
	CASE(extreme_options_end_in_a_status),
	CASE(a_thread_outlives_its_recorder),
	CASE(a_thread_ends_after_its_recorder_was_freed),
	CASE(a_thread_records_while_it_ends),
	CASE(threads_start_and_stop_at_once),
	CASE(functions_of_the_options_may_return_nonsense),
	CASE(times_of_the_caller_may_be_any_number),
	CASE(a_child_that_stops_leaves_its_parents_trace),
	CASE(a_thread_may_have_any_name),
	CASE(an_exec_leaves_what_was_flushed),
	CASE(a_read_only_folder_is_refused_by_start),
	CASE(a_folder_that_becomes_read_only_is_reported_by_stop)
};

MISUSE_MAIN(cases)
