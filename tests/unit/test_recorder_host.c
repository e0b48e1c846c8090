/* test_recorder_host.c - what a program may do while it is recorded */

#define _DEFAULT_SOURCE		/* syscall, usleep */

#include "helpers/recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/event_path.h"

static struct dmtrace_recorder *shared;
static uint32_t method;

static void
call(void)
{
	dmtrace_recorder_enter(shared, method);
	dmtrace_recorder_exit(shared, method);
}

#define FORKS 200

static volatile sig_atomic_t is_child, forks, records_in_handler;
static pid_t children[FORKS];

/* In the child: 0 if it could record for itself alone. */
static int
record_in_child(void)
{
	struct dmtrace_recorder_result result;
	char path[32];

	snprintf(path, sizeof(path), "%ld.trace", (long)getpid());
	for (int i = 0; i < 1000; i++)
		call();
	if (dmtrace_recorder_start(shared, path, NULL) != DMTRACE_OK)
		return 1;
	call();
	if (dmtrace_recorder_stop(shared, &result) != DMTRACE_OK)
		return 2;
	return result.events == 2 && result.dropped == 0 ? 0 : 3;
}

static void
fork_in_handler(int number)
{
	(void)number;
	const pid_t child = fork();
	if (child != 0)
		children[forks++] = child;
	else if (records_in_handler)
		_exit(record_in_child());
	else
		is_child = 1;
}

static void
record_until_forked(unsigned delay_us)
{
	const struct itimerval timer = {
		.it_value = { .tv_usec = delay_us }
	};
	const int before = forks;

	ck_assert_int_eq(setitimer(ITIMER_REAL, &timer, NULL), 0);
	while (forks == before && !is_child)
		call();
}

/* Mostly within an event, which goes on in the child after the handler; or
 * the child records in the handler, and ends there. */
START_TEST(forks_in_a_handler_within_an_event)
{
	int status;

	signal(SIGALRM, fork_in_handler);
	records_in_handler = _i;
	forks = 0;
	shared = started("x.trace", NULL);
	method = method_of(shared, 'a');
	for (unsigned i = 0; i < FORKS && !is_child; i++)
		record_until_forked(100 + i % 97);
	if (is_child)
		_exit(record_in_child());
	for (int i = 0; i < FORKS; i++) {
		ck_assert_int_eq(waitpid(children[i], &status, 0),
		    children[i]);
		ck_assert_int_eq(status, 0);
	}
	const uint64_t events = stopped(shared).events;
	dmtrace_recorder_free(shared);
	ck_assert_uint_eq(assert_sound("x.trace"), events);
}
END_TEST

static atomic_bool over;

static void
call_in_handler(int number)
{
	(void)number;
	call();
}

static void *
call_until_over(void *unused)
{
	while (!atomic_load(&over))
		call();
	return unused;
}

/* A handler may come to a thread that waits for others, to go on in another
 * file. */
START_TEST(rotates_in_a_storm_of_signals)
{
	struct dmtrace_recorder_options options = default_options();
	pthread_t threads[2];

	options.max_time_us = 2000;
	atomic_store(&over, false);
	signal(SIGUSR1, call_in_handler);
	shared = started("x.trace", &options);
	method = method_of(shared, 'a');
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL,
		    call_until_over, NULL), 0);
	const int signals = unit_more() ? 10000 : 2500;
	for (int i = 0; i < signals; i++) {
		pthread_kill(threads[i % 2], SIGUSR1);
		usleep(50);
	}
	atomic_store(&over, true);
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	ck_assert_uint_gt(stopped(shared).files, 1);
	dmtrace_recorder_free(shared);
	assert_sound("x.trace");
}
END_TEST

/* As the C library's fork does, but for the handlers. On s390x the stack is the
 * first argument, and the flags the second one. */
static pid_t
copy_process(void)
{
#ifdef __s390__
	return (pid_t)syscall(SYS_clone, 0L, (long)SIGCHLD, 0L, 0L, 0L);
#endif
	return (pid_t)syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
}

/* Emulators of programs (qemu-user) accept MADV_WIPEONFORK and do nothing. */
static bool
is_memory_wiped(void)
{
#ifdef MADV_WIPEONFORK
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *const page = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int status = 0;

	if (page == MAP_FAILED)
		return false;
	page[0] = 7;
	const bool accepted = madvise(page, size, MADV_WIPEONFORK) == 0;
	const pid_t child = copy_process();
	if (child == 0)
		_exit(page[0]);
	waitpid(child, &status, 0);
	munmap(page, size);
	return accepted && status == 0;
#else
	return false;
#endif
}

/* It fills its buffer, or not; goes on by itself, or not. */
static const struct {
	int calls;
	bool records;
} copies[] = {
	{ 1, false }, { 1000, false }, { 1, true }, { 1000, true },
};

static int
be_copy(int row)
{
	for (int i = 0; i < copies[row].calls; i++)
		call();
	return copies[row].records ? record_in_child() :
	    dmtrace_recorder_stop(shared, NULL) != DMTRACE_ERR_STATE;
}

START_TEST(records_nothing_in_a_copy_of_the_process)
{
	struct dmtrace_recorder_options options = default_options();
	int status;

	options.buffer_size = 4096;
	shared = started("x.trace", &options);
	method = method_of(shared, 'a');
	dmtrace_recorder_enter(shared, method);
	const pid_t child = copy_process();
	if (child == 0)
		_exit(be_copy(_i));
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	dmtrace_recorder_exit(shared, method);
	ck_assert_uint_eq(stopped(shared).events, 2);
	dmtrace_recorder_free(shared);
	ck_assert_uint_eq(assert_sound("x.trace"), 2);
}
END_TEST

/* A thread is in a call-back, and has the lock. */
static atomic_bool in_call_back, may_return;

static int
wait_in_call_back(void *context, uint64_t key,
    struct dmtrace_recorder_method *names)
{
	(void)context;
	(void)key;
	names->name = "key";
	atomic_store(&in_call_back, true);
	while (!atomic_load(&may_return))
		usleep(100);
	return 1;
}

static void *
fill_with_a_key(void *unused)
{
	dmtrace_recorder_enter_key(shared, 4096);
	for (int i = 0; i < 1000; i++)
		call();
	return unused;
}

static void
intern_in_copy(void)
{
	const struct dmtrace_recorder_method names = { .name = "b" };
	uint32_t other;

	dmtrace_recorder_intern(shared, &names, &other);
}

static void
name_in_copy(void)
{
	dmtrace_recorder_name_thread(shared, "copy");
}

static void
forget_in_copy(void)
{
	dmtrace_recorder_forget_keys(shared, 0, UINT64_MAX);
}

static void
start_in_copy(void)
{
	const struct dmtrace_recorder_options options = default_options();

	dmtrace_recorder_start(shared, "y.trace", &options);
}

static void
make_in_copy(void)
{
	dmtrace_recorder_free(dmtrace_recorder_new());
}

static void (*const copied_calls[])(void) = {
	call, intern_in_copy, name_in_copy, forget_in_copy, start_in_copy,
	make_in_copy
};

START_TEST(waits_for_no_lock_in_a_copy_of_the_process)
{
	struct dmtrace_recorder_options options = default_options();
	pthread_t thread;
	pid_t ended = 0;
	int status;

	options.buffer_size = 4096;
	options.journal = 1;
	options.name = wait_in_call_back;
	shared = started("x.trace", &options);
	method = method_of(shared, 'a');
	ck_assert_int_eq(pthread_create(&thread, NULL, fill_with_a_key, NULL),
	    0);
	while (!atomic_load(&in_call_back))
		usleep(100);
	const pid_t child = copy_process();
	if (child == 0) {
		atomic_store(&may_return, true);
		copied_calls[_i]();
		_exit(0);
	}
	ck_assert_int_gt(child, 0);
	for (int i = 0; i < 1000 && ended == 0; i++, usleep(10000))
		ended = waitpid(child, &status, WNOHANG);
	if (ended == 0)
		kill(child, SIGKILL);
	atomic_store(&may_return, true);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	stopped(shared);
	dmtrace_recorder_free(shared);
	ck_assert_int_eq(ended, child);
	ck_assert_int_eq(status, 0);
}
END_TEST

static int
fork_in_call_back(void *context, uint64_t key,
    struct dmtrace_recorder_method *names)
{
	const pid_t child = fork();
	int status;

	(void)context;
	(void)key;
	if (child == 0)
		_exit(7);
	names->name = waitpid(child, &status, 0) == child &&
	    WEXITSTATUS(status) == 7 ? "fine" : "bad";
	return 1;
}

START_TEST(lets_a_call_back_fork)
{
	struct dmtrace_recorder_options options = default_options();

	options.name = fork_in_call_back;
	shared = started("x.trace", &options);
	dmtrace_recorder_enter_key(shared, 4096);
	dmtrace_recorder_exit_key(shared, 4096);
	ck_assert_uint_eq(stopped(shared).events, 2);
	ck_assert_int_eq(dmtrace_recorder_start(shared, "y.trace", NULL),
	    DMTRACE_OK);
	method = method_of(shared, 'a');
	const pid_t child = fork();
	if (child == 0)
		_exit(record_in_child());
	int status;
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	stopped(shared);
	dmtrace_recorder_free(shared);
	char *const events = events_of("x.trace");
	ck_assert_int_eq(events[2], 'f');
	free(events);
}
END_TEST

/* A program that has closed it may still print. */
START_TEST(leaves_standard_descriptors_alone)
{
	struct dmtrace_recorder_options options = default_options();

	options.buffer_size = 4096;
	options.journal = 1;
	close(STDIN_FILENO);
	shared = started("x.trace", &options);
	method = method_of(shared, 'a');
	for (int i = 0; i < 1000; i++)
		call();
	ck_assert_int_eq(fcntl(STDIN_FILENO, F_GETFD), -1);
	ck_assert_uint_eq(stopped(shared).events, 2000);
	dmtrace_recorder_free(shared);
	ck_assert_uint_eq(assert_sound("x.trace"), 2000);
}
END_TEST

#define FILES 64

/* In a child, as Check has files of its own. The new ones get their numbers. */
static void
take_all_numbers(void)
{
	for (int fd = 3; fd < FILES; fd++)
		close(fd);
	for (int fd = 3; fd < FILES; fd++)
		if (open("mine", O_WRONLY | O_CREAT | O_APPEND, 0666) != fd)
			_exit(1);
}

static void
record_without_files(const struct dmtrace_recorder_options *options,
    const char *path)
{
	struct dmtrace_recorder_result result;

	shared = started(path, options);
	method = method_of(shared, 'a');
	for (int i = 0; i < 1000; i++)
		call();
	take_all_numbers();
	for (int i = 0; i < 1000; i++)
		call();
	const bool failed = dmtrace_recorder_stop(shared, &result) ==
	    DMTRACE_ERR_IO && result.ended == DMTRACE_RECORDER_FAILED;
	if (failed != (options->full == DMTRACE_FULL_FLUSH))
		_exit(3);
	for (int fd = 3; fd < FILES; fd++)
		if (close(fd) != 0)
			_exit(4);
	_exit(result.events - result.closed + result.dropped == 4000 ? 0 : 5);
}

/* What was flushed before is left; before the first flush there is no file
 * that could be closed. */
static const struct {
	const char *path;
	int journal;
	enum dmtrace_recorder_full full;
	uint64_t least;
} closings[] = {
	{ "x.trace", 0, DMTRACE_FULL_FLUSH, 1600 },
	{ "x.trace", 1, DMTRACE_FULL_FLUSH, 1600 },
	{ "x.key", 0, DMTRACE_FULL_FLUSH, 1600 },
	{ "x.key", 1, DMTRACE_FULL_FLUSH, 1600 },
	{ "x.trace", 0, DMTRACE_FULL_RING, 4000 },
};

/* As programs do that become daemons. */
START_TEST(ends_when_the_program_closes_its_files)
{
	struct dmtrace_recorder_options options = default_options();
	size_t len = 1;
	int status;

	options.buffer_size = 4096;
	options.journal = closings[_i].journal;
	options.full = closings[_i].full;
	const pid_t child = fork();
	if (child == 0)
		record_without_files(&options, closings[_i].path);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	free(file_get("mine", &len));
	ck_assert_uint_eq(len, 0);
	struct dmtrace_reader *reader = opened(closings[_i].path);
	struct dmtrace_event event;
	uint64_t events = 0;
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		events++;
	ck_assert_uint_ge(events, closings[_i].least);
	dmtrace_reader_free(reader);
}
END_TEST

/* There is another file of that name. */
START_TEST(writes_to_no_other_file)
{
	struct dmtrace_recorder_options options = default_options();
	struct dmtrace_recorder_result result;
	size_t len;
	int status;

	const pid_t child = fork();
	if (child == 0) {
		options.buffer_size = 4096;
		shared = started("x.key", &options);
		method = method_of(shared, 'a');
		for (int i = 0; i < 250; i++)
			call();
		unlink("x.data");
		file_put("x.data", "mine", 4);
		for (int fd = 3; fd < FILES; fd++)
			close(fd);
		_exit(dmtrace_recorder_stop(shared, &result) !=
		    DMTRACE_ERR_IO || result.dropped == 0 ||
		    result.events + result.dropped != 500);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
	char *bytes = file_get("x.data", &len);
	ck_assert_uint_eq(len, 4);
	ck_assert_mem_eq(bytes, "mine", 4);
	free(bytes);
}
END_TEST

/* A write beyond the limit sends a signal, which is the recorder's fault. */
START_TEST(ends_no_program_that_may_not_write_more)
{
	const struct rlimit limit = { 100000, RLIM_INFINITY };
	struct dmtrace_recorder_result result;
	int status;

	const pid_t child = fork();
	if (child == 0) {
		shared = started("x.trace", NULL);
		method = method_of(shared, 'a');
		setrlimit(RLIMIT_FSIZE, &limit);
		for (int i = 0; i < 20000; i++)
			call();
		_exit(dmtrace_recorder_stop(shared, &result) !=
		    DMTRACE_ERR_IO || result.error.sys_errno != EFBIG);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

/* They are as many as the system allows, and the program may have them all.
 * In a process of several tests, only the first start wants one. */
START_TEST(wants_a_key_for_data_of_threads)
{
	static pthread_key_t keys[4096];
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();
	size_t count = 0;

	while (count < ROWS(keys) &&
	    pthread_key_create(&keys[count], NULL) == 0)
		count++;
	dmtrace_recorder_name_thread(recorder, "a");
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "x.trace", NULL),
	    DMTRACE_ERR_LIMIT);
	ck_assert_int_eq(dmtrace_recorder_error(recorder)->status,
	    DMTRACE_ERR_LIMIT);
	ck_assert_uint_eq(file_count("."), 0);
	while (count > 0)
		ck_assert_int_eq(pthread_key_delete(keys[--count]), 0);
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "x.trace", NULL),
	    DMTRACE_OK);
	play(recorder, "+a-a");
	ck_assert_uint_eq(stopped(recorder).events, 2);
	dmtrace_recorder_free(recorder);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder_host");
	TCase *tcase = unit_tcase(suite, "recorder_host");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, wants_a_key_for_data_of_threads);
	tcase_add_loop_test(tcase, forks_in_a_handler_within_an_event, 0, 2);
	tcase_add_test(tcase, rotates_in_a_storm_of_signals);
	/* ThreadSanitizer takes a lock of the copy for one of the thread. */
	if (is_memory_wiped() && !DMT_TSAN) {
		ADD_CASES(tcase, records_nothing_in_a_copy_of_the_process,
		    copies);
		ADD_CASES(tcase, waits_for_no_lock_in_a_copy_of_the_process,
		    copied_calls);
	} else {
		puts("# not tried: copies of the process");
	}
	tcase_add_test(tcase, lets_a_call_back_fork);
	tcase_add_test(tcase, leaves_standard_descriptors_alone);
	ADD_CASES(tcase, ends_when_the_program_closes_its_files, closings);
	tcase_add_test(tcase, writes_to_no_other_file);
	tcase_add_test(tcase, ends_no_program_that_may_not_write_more);
	return unit_main(suite);
}
