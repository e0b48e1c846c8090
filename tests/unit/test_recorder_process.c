/* test_recorder_process.c - fork, signals, a kill at any time, a full disk */

#define _DEFAULT_SOURCE		/* usleep */

#include "helpers/recorded.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "helpers/records.h"

static int
wait_for(pid_t child)
{
	int status;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status;
}

static void
call(struct dmtrace_recorder *recorder, uint32_t method)
{
	dmtrace_recorder_enter(recorder, method);
	dmtrace_recorder_exit(recorder, method);
}

/* In the child: 0 if it could record for itself alone. */
static int
record_in_child(struct dmtrace_recorder *recorder, uint32_t method)
{
	struct dmtrace_recorder_result result;

	call(recorder, method);
	if (dmtrace_recorder_stop(recorder, &result) != DMTRACE_ERR_STATE)
		return 1;
	if (dmtrace_recorder_start(recorder, "child.trace", NULL) != DMTRACE_OK)
		return 2;
	call(recorder, method);
	call(recorder, method);
	if (dmtrace_recorder_stop(recorder, &result) != DMTRACE_OK)
		return 3;
	return result.events == 4 && result.threads == 1 ? 0 : 4;
}

START_TEST(records_nothing_in_a_child_unless_asked)
{
	struct dmtrace_recorder *recorder = started("x.trace", NULL);
	const uint32_t method = method_of(recorder, 'a');

	dmtrace_recorder_enter(recorder, method);
	const pid_t child = fork();
	if (child == 0)
		_exit(record_in_child(recorder, method));
	ck_assert_int_eq(wait_for(child), 0);
	dmtrace_recorder_exit(recorder, method);
	ck_assert_uint_eq(stopped(recorder).events, 2);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(assert_sound("x.trace"), 2);
	ck_assert_uint_eq(assert_sound("child.trace"), 4);
}
END_TEST

START_TEST(switches_the_default_recorder_off_in_a_child)
{
	ck_assert_int_eq(dmtrace_start("x.trace", NULL), DMTRACE_OK);
	dmtrace_enter(dmtrace_intern("T", "a"));
	const pid_t child = fork();
	if (child == 0)
		_exit(dmtrace_is_recording() ||
		    dmtrace_stop(NULL) != DMTRACE_ERR_STATE);
	ck_assert_int_eq(wait_for(child), 0);
	ck_assert(dmtrace_is_recording());
	ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_OK);
	ck_assert_uint_eq(assert_sound("x.trace"), 2);
}
END_TEST

static struct dmtrace_recorder *shared;
static atomic_bool over;

static void *
record_until_over(void *unused)
{
	const uint32_t method = method_of(shared, 'a');

	(void)unused;
	while (!atomic_load(&over))
		call(shared, method);
	return NULL;
}

static void *
start_and_stop_until_over(void *unused)
{
	(void)unused;
	while (!atomic_load(&over)) {
		dmtrace_recorder_start(shared, "x.trace", NULL);
		dmtrace_recorder_stop(shared, NULL);
		unlink("x.trace");
	}
	return NULL;
}

static void
fork_beside(void *(*fn)(void *), int times)
{
	const uint32_t method = method_of(shared, 'b');
	pthread_t threads[2];

	atomic_store(&over, false);
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, fn, NULL),
		    0);
	for (int i = 0; i < times; i++) {
		const pid_t child = fork();
		if (child == 0)
			_exit(record_in_child(shared, method));
		ck_assert_int_eq(wait_for(child), 0);
		call(shared, method);
	}
	atomic_store(&over, true);
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}

START_TEST(forks_while_threads_record)
{
	struct dmtrace_recorder_options options = default_options();

	options.buffer_size = 4096;
	options.max_time_us = 50000;
	options.journal = _i;
	shared = started("x.trace", &options);
	fork_beside(record_until_over, 30);
	ck_assert_uint_eq(stopped(shared).dropped, 0);
	dmtrace_recorder_free(shared);
	assert_sound("x.trace");
}
END_TEST

START_TEST(forks_while_a_thread_starts_and_stops)
{
	shared = dmtrace_recorder_new();
	fork_beside(start_and_stop_until_over, 30);
	dmtrace_recorder_stop(shared, NULL);
	dmtrace_recorder_free(shared);
}
END_TEST

static uint32_t handler_method;
static atomic_uint handled;

static void
handle(int number)
{
	(void)number;
	call(shared, handler_method);
	atomic_fetch_add(&handled, 1);
}

static void
handle_sample(int number)
{
	const uint32_t stack[] = { handler_method };

	(void)number;
	dmtrace_recorder_sample(shared, stack, 1, DMTRACE_NO_TIME);
	dmtrace_recorder_sample(shared, stack, 0, DMTRACE_NO_TIME);
	atomic_fetch_add(&handled, 1);
}

#define STORM_CALLS 30000
#define STORM_BURST 200
#define STORM_SIGNALS (unit_more() ? 1000u : 250u)

static void *
record_in_storm(void *unused)
{
	const uint32_t method = method_of(shared, 'a');

	(void)unused;
	for (int i = 0; i < STORM_CALLS; i++)
		call(shared, method);
	while (!atomic_load(&over)) {
		for (int i = 0; i < STORM_BURST; i++)
			call(shared, method);
		usleep(20);
	}
	return NULL;
}

/* Each signal is waited for, so that none is swallowed by the one before. */
static void
storm(const pthread_t *threads, size_t count)
{
	for (unsigned i = 0; i < STORM_SIGNALS; i++) {
		ck_assert_int_eq(pthread_kill(threads[i % count], SIGUSR1),
		    0);
		while (atomic_load(&handled) <= i)
			usleep(1);
	}
}

static const struct {
	void (*handler)(int);
	int system_clock;
	int journal;
	size_t buffer_size;
} storms[] = {
	{ handle, 0, 0, 4096 }, { handle, 1, 0, 4096 },
	{ handle, 0, 1, 4096 },
	{ handle, 0, 0, 262144 },
	{ handle_sample, 0, 0, 4096 },
};

START_TEST(survives_a_storm_of_signals)
{
	struct dmtrace_recorder_options options = default_options();
	struct sigaction action = { .sa_handler = storms[_i].handler };
	pthread_t threads[2];

	options.system_clock = storms[_i].system_clock;
	options.journal = storms[_i].journal;
	options.buffer_size = storms[_i].buffer_size;
	sigaction(SIGUSR1, &action, NULL);
	atomic_store(&over, false);
	atomic_store(&handled, 0);
	shared = started("x.trace", &options);
	handler_method = method_of(shared, 'h');
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL,
		    record_in_storm, NULL), 0);
	storm(threads, ROWS(threads));
	atomic_store(&over, true);
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	const struct dmtrace_recorder_result result = stopped(shared);
	dmtrace_recorder_free(shared);
	ck_assert_uint_eq(assert_sound("x.trace"), result.events);
	if (storms[_i].handler != handle)
		return;
	ck_assert_uint_eq(result.mismatched, 0);
	ck_assert_uint_eq((result.events + result.dropped) % 2, 0);
	ck_assert_uint_ge(result.events + result.dropped,
	    2 * ROWS(threads) * STORM_CALLS + 2 * STORM_SIGNALS);
}
END_TEST

/* The n-th event of a thread is known: every 50 calls it goes on to another
 * method, which it interns then. */
#define CALLS_EACH 50

static uint32_t
intern_next(unsigned number)
{
	char name[16];
	const struct dmtrace_recorder_method names = { "T", name, 0, 0, 0 };
	uint32_t method = 0;

	snprintf(name, sizeof(name), "n%u", number);
	dmtrace_recorder_intern(shared, &names, &method);
	return method;
}

static void *
record_for_ever(void *unused)
{
	(void)unused;
	for (unsigned number = 0;; number++) {
		const uint32_t method = intern_next(number % 3000);
		for (int i = 0; i < CALLS_EACH; i++)
			call(shared, method);
	}
	return NULL;
}

static void
be_victim(const char *path)
{
	struct dmtrace_recorder_options options = default_options();
	pthread_t threads[2];

	options.journal = 1;
	options.buffer_size = 4096;
	shared = dmtrace_recorder_new();
	if (dmt_recorder_set_options(shared, &options) != DMTRACE_OK ||
	    dmtrace_recorder_start(shared, path, NULL) != DMTRACE_OK)
		_exit(1);
	for (size_t i = 0; i < ROWS(threads); i++)
		pthread_create(&threads[i], NULL, record_for_ever, NULL);
	record_for_ever(NULL);
}

/* Kills it when the data has grown so far. Returns what was there then. */
static off_t
kill_at(pid_t child, const char *data, off_t size)
{
	struct stat now = { .st_size = 0 };

	for (int i = 0; i < 100000; i++) {
		if (stat(data, &now) == 0 && now.st_size >= size)
			break;
		usleep(50);
	}
	ck_assert_int_gt(child, 0);
	ck_assert_int_eq(kill(child, SIGKILL), 0);
	ck_assert(WIFSIGNALED(wait_for(child)));
	return now.st_size;
}

#define METHODS_MAX 4096

/* Reads a journal as repair has to: whole lines, sections as they come. */
static void
read_journal(const char *path, unsigned methods[METHODS_MAX],
    bool threads[256])
{
	size_t len;
	char *key = file_get(path, &len);
	unsigned id, number;

	demand(key != NULL, "there is a journal");
	demand(strncmp(key, "*version\n2\nclock=wall\n", len < 22 ? len : 22)
	    == 0, "it begins as a key");
	for (char *at = key, *end; (end = memchr(at, '\n', len -
	    (size_t)(at - key))) != NULL; at = end + 1) {
		*end = '\0';
		if (sscanf(at, "0x%x\tT\tn%u\t()V", &id, &number) == 2)
			methods[id / 4 % METHODS_MAX] = number + 1;
		else if (sscanf(at, "%u\t", &id) == 1 &&
		    strchr(at, '\t') != NULL)
			threads[id % 256] = true;
	}
	free(key);
}

/* Every event is the next one of its thread, and has its names. */
static void
assert_flushed(const uint8_t *record, size_t count,
    const unsigned methods[METHODS_MAX], const bool threads[256])
{
	uint64_t done[256] = { 0 };

	for (size_t i = 0; i < count; i++, record += 10) {
		const unsigned thread = record[0];
		const uint32_t word = dmt_get_le32(record + 2);
		const uint64_t n = done[thread]++;
		demand(threads[thread], "the thread is in the journal");
		demand((word & 3) == n % 2, "enter and exit in turns");
		demand(methods[word / 4 % METHODS_MAX] ==
		    n / 2 / CALLS_EACH % 3000 + 1, "the next method");
	}
}

/* A valid trace of all that was flushed, and of little else: the exits of what
 * was open. */
static void
assert_repaired(const char *path, size_t flushed)
{
	const struct dmtrace_file in = { .path = path };
	const struct dmtrace_file repaired = { .path = "r.trace" };
	struct dmtrace_op *op = dmtrace_op_new();
	struct dmtrace_repair_options options = { 0 };
	struct dmtrace_repair_result result;

	ck_assert_ptr_nonnull(op);
	const enum dmtrace_status status =
	    dmtrace_repair(op, &in, &repaired, &options, &result);
	ck_assert_msg(status == DMTRACE_OK, "%s",
	    dmtrace_op_error(op)->message);
	dmtrace_op_free(op);
	demand(result.records_in == flushed, "no record is missed");
	demand(result.records_out == flushed + result.closed,
	    "none is lost, and exits are added");
	demand(result.closed <= 3, "as many as there are threads");
	demand(assert_calls("r.trace") == result.records_out,
	    "calls match in what was repaired");
	unlink("r.trace");
}

START_TEST(loses_nothing_flushed_when_it_is_killed)
{
	static unsigned methods[METHODS_MAX];
	const char *path = _i % 2 == 0 ? "x.trace" : "x.key";
	const char *data = _i % 2 == 0 ? "x.trace.data" : "x.data";
	const char *journal = _i % 2 == 0 ? "x.trace.key" : "x.key";
	uint64_t seed = (uint64_t)_i + 1;

	const int kills = unit_more() ? 30 : 10;

	for (int i = 0; i < kills; i++) {
		bool threads[256] = { false };
		size_t len;
		memset(methods, 0, sizeof(methods));
		const pid_t child = fork();
		if (child == 0)
			be_victim(path);
		const off_t size = kill_at(child, data,
		    (off_t)(next_random(&seed) % 200000));
		uint8_t *bytes = file_get(data, &len);
		demand(bytes != NULL && (off_t)len >= size,
		    "what was there is there");
		if (len > 32) {
			read_journal(journal, methods, threads);
			assert_flushed(bytes + 32, (len - 32) / 10, methods,
			    threads);
		}
		if (len >= 32)
			assert_repaired(path, (len - 32) / 10);
		free(bytes);
		unlink(data);
		unlink(journal);
	}
}
END_TEST

static const struct {
	const char *path;
	int journal;
	uint64_t max_time_us;	/* 0: no rotation */
	const char *first;	/* a file that is complete */
} killed[] = {
	{ "x.trace", 0, 0, NULL }, { "x.trace", 1, 0, NULL },
	{ "x.key", 0, 0, NULL }, { "x.key", 1, 0, NULL },
	{ "x.data", 0, 0, NULL }, { "x.data", 1, 0, NULL },
	{ "x.trace", 0, 25, "x.trace" }, { "x.trace", 1, 25, "x.trace" },
};

START_TEST(leaves_nothing_when_it_is_killed_before_a_flush)
{
	struct dmtrace_recorder_options options = default_options();

	options.journal = killed[_i].journal;
	if (killed[_i].max_time_us > 0)
		options.max_time_us = killed[_i].max_time_us;
	const pid_t child = fork();
	if (child == 0) {
		shared = started(killed[_i].path, &options);
		play(shared, "+a-a");
		if (killed[_i].first != NULL)
			play_from(shared, "+b-b", 100000);
		raise(SIGKILL);
	}
	ck_assert_int_eq(wait_for(child), SIGKILL);
	ck_assert_uint_eq(file_count("."), killed[_i].first != NULL);
	if (killed[_i].first != NULL)
		assert_events(killed[_i].first, "1+a0 1-a10");
}
END_TEST

/* It is replaced at the first flush. */
START_TEST(keeps_an_old_pair_when_it_is_killed_before_a_flush)
{
	struct dmtrace_recorder_options options = default_options();
	struct dmtrace_recorder *recorder = started("x.key", NULL);

	play(recorder, "+a-a");
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	options.journal = _i;
	const pid_t child = fork();
	if (child == 0) {
		shared = started("x.key", &options);
		play(shared, "+b-b");
		raise(SIGKILL);
	}
	ck_assert_int_eq(wait_for(child), SIGKILL);
	ck_assert_uint_eq(file_count("."), 2);
	assert_events("x.key", "1+a0 1-a10");
}
END_TEST

static const char *const pairs[] = { "x.trace", "x.key", "x.data" };

/* The program goes to another folder before anything is written. */
START_TEST(creates_its_files_where_it_was_started)
{
	struct dmtrace_recorder_options options = default_options();

	options.journal = 1;
	options.buffer_size = 4096;
	ck_assert_int_eq(mkdir("folder", 0777), 0);
	struct dmtrace_recorder *recorder = started(pairs[_i], &options);
	const uint32_t method = method_of(recorder, 'a');
	ck_assert_int_eq(chdir("folder"), 0);
	for (int i = 0; i < 1000; i++)
		call(recorder, method);
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(file_count("."), 0);
	ck_assert_int_eq(chdir(".."), 0);
	ck_assert_uint_eq(assert_sound(pairs[_i]), 2000);
	ck_assert_int_eq(rmdir("folder"), 0);
	ck_assert_uint_eq(file_count("."), _i == 0 ? 1 : 2);
}
END_TEST

/* Nothing was written before the fork, and the child writes nothing. */
START_TEST(creates_no_file_for_a_child)
{
	struct dmtrace_recorder_options options = default_options();

	options.journal = 1;
	struct dmtrace_recorder *recorder = started("x.key", &options);
	play(recorder, "+a-a");
	const pid_t child = fork();
	if (child == 0) {
		play(recorder, "+b-b");
		dmtrace_recorder_free(recorder);
		_exit(file_count(".") != 0);
	}
	ck_assert_int_eq(wait_for(child), 0);
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	assert_events("x.key", "1+a0 1-a10");
}
END_TEST

static void
limit_files(rlim_t bytes)
{
	const struct rlimit limit = { bytes, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The first flush finds no room for a header; what comes after is counted. */
START_TEST(leaves_nothing_where_there_is_no_room_at_all)
{
	struct dmtrace_recorder_options options = default_options();
	struct dmtrace_recorder_result result;

	options.buffer_size = 4096;
	options.journal = _i % 2;
	struct dmtrace_recorder *recorder = started(
	    _i < 2 ? "x.trace" : "x.key", &options);
	const uint32_t method = method_of(recorder, 'a');
	limit_files(31);
	for (int i = 0; i < 1000; i++)
		call(recorder, method);
	const enum dmtrace_status status =
	    dmtrace_recorder_stop(recorder, &result);
	limit_files(RLIM_INFINITY);
	ck_assert_int_eq(status, DMTRACE_ERR_IO);
	dmtrace_recorder_free(recorder);
	ck_assert_int_eq(result.ended, DMTRACE_RECORDER_FAILED);
	ck_assert_int_eq(result.error.sys_errno, EFBIG);
	ck_assert_uint_eq(result.events, 0);
	ck_assert_uint_eq(result.dropped, 2000);
	ck_assert_uint_eq(file_count("."), 0);
}
END_TEST

static unsigned ended_times;

static void
note_end(void *context, enum dmtrace_recorder_end why)
{
	(void)context;
	ended_times++;
	ck_assert_int_eq(why, DMTRACE_RECORDER_FAILED);
}

static const struct {
	const char *path;
	const char *pair;	/* what is left */
	enum dmtrace_recorder_full full;
	int journal;
	size_t buffer;		/* 0: such that a joined file has a room */
	rlim_t limit;
} disks[] = {
	{ "x.key", "x.key", DMTRACE_FULL_FLUSH, 0, 0, 100001 },
	{ "x.key", "x.key", DMTRACE_FULL_FLUSH, 1, 0, 100007 },
	{ "x.trace", "x.trace.key", DMTRACE_FULL_FLUSH, 0, 32768, 100003 },
	{ "x.trace", "x.trace.key", DMTRACE_FULL_FLUSH, 1, 32768, 300000 },
	{ "x.trace", "x.trace", DMTRACE_FULL_FLUSH, 0, 0, 100003 },
	{ "x.trace", "x.trace", DMTRACE_FULL_FLUSH, 1, 0, 300000 },
	{ "x.key", "x.key", DMTRACE_FULL_RING, 0, 0, 100005 },
};

static uint64_t
count_records(const char *path)
{
	struct dmtrace_reader *reader = opened(path);
	struct dmtrace_event event;
	uint64_t count = 0;

	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		count++;
	ck_assert_uint_eq(dmt_reader_finding_count(reader), 1);
	ck_assert_str_eq(dmtrace_reader_finding_get(reader, 0)->name,
	    "overflow");
	dmtrace_reader_free(reader);
	return count;
}

START_TEST(reports_of_a_full_disk)
{
	struct dmtrace_recorder_options options = default_options();
	struct dmtrace_recorder_result result;

	options.full = disks[_i].full;
	options.journal = disks[_i].journal;
	options.buffer_size = disks[_i].buffer;
	options.ended = note_end;
	ended_times = 0;
	struct dmtrace_recorder *recorder = started(disks[_i].path, &options);
	const uint32_t method = method_of(recorder, 'a');
	limit_files(disks[_i].limit);
	for (int i = 0; i < 50000; i++)
		call(recorder, method);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result),
	    DMTRACE_ERR_IO);
	limit_files(RLIM_INFINITY);
	ck_assert_int_eq(result.error.status, DMTRACE_ERR_IO);
	ck_assert_int_ne(result.error.sys_errno, 0);
	ck_assert_uint_eq(ended_times, 1);
	ck_assert_int_eq(result.ended, DMTRACE_RECORDER_FAILED);
	ck_assert_uint_eq(result.events - result.closed + result.dropped,
	    100000);
	ck_assert_uint_eq(count_records(disks[_i].pair), result.events);
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "y.trace", NULL),
	    DMTRACE_OK);
	call(recorder, method);
	ck_assert_uint_eq(stopped(recorder).events, 2);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(assert_sound("y.trace"), 2);
}
END_TEST

/* A folder that went away before anything was written. */
START_TEST(reports_of_files_that_cannot_be_written)
{
	struct dmtrace_recorder_result result;

	ck_assert_int_eq(mkdir("folder", 0777), 0);
	struct dmtrace_recorder *recorder = started("folder/x.trace", NULL);
	play(recorder, "+a-a");
	ck_assert_int_eq(system("rm -r folder"), 0);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result),
	    DMTRACE_ERR_IO);
	ck_assert_int_eq(result.error.status, DMTRACE_ERR_IO);
	ck_assert_uint_eq(result.events, 0);
	ck_assert_uint_eq(result.dropped, 2);
	ck_assert_int_eq(dmtrace_recorder_start(recorder, "y.trace", NULL),
	    DMTRACE_OK);
	stopped(recorder);
	dmtrace_recorder_free(recorder);
}
END_TEST

static const struct {
	const char *folder;	/* has the name of the next file */
	int journal, streaming;
	enum dmtrace_recorder_full full;
} next_files[] = {
	{ "x-0002.trace.data", 0, 0, DMTRACE_FULL_FLUSH },
	{ "x-0002.trace.data", 1, 0, DMTRACE_FULL_FLUSH },
	{ "x-0002.trace", 0, 1, DMTRACE_FULL_FLUSH },
	{ "x-0002.trace.data", 0, 0, DMTRACE_FULL_RING },
};

static void *
end_in_a_call(void *recorder)
{
	play(recorder, "+a");
	play_from(recorder, "+b-b+c-c", 100000);
	dmtrace_recorder_name_thread(recorder, "renamed");
	return NULL;
}

/* What comes after the first file is lost, and counted; of a thread that ends
 * then, nothing can be written either. */
START_TEST(counts_what_has_no_next_file)
{
	struct dmtrace_recorder_options options = default_options();
	struct dmtrace_recorder_result result;
	pthread_t thread;

	options.max_time_us = 25;
	options.journal = next_files[_i].journal;
	options.streaming = next_files[_i].streaming;
	options.full = next_files[_i].full;
	ck_assert_int_eq(mkdir(next_files[_i].folder, 0777), 0);
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	ck_assert_int_eq(pthread_create(&thread, NULL, end_in_a_call,
	    recorder), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, &result),
	    DMTRACE_ERR_IO);
	dmtrace_recorder_free(recorder);
	ck_assert_int_eq(result.ended, DMTRACE_RECORDER_FAILED);
	ck_assert_uint_eq(result.files, 1);
	ck_assert_uint_eq(result.events, 2);
	ck_assert_uint_eq(result.closed, 1);
	ck_assert_uint_eq(result.dropped, 4);
	assert_events("x.trace", "1+a0 1-a0");
}
END_TEST

static unsigned named;

static int
count_names(void *context, uint64_t key, struct dmtrace_recorder_method *names)
{
	(void)context;
	(void)key;
	named++;
	names->name = "key";
	return 1;
}

/* A lost event adds its key, too, and the function may be gone later. */
START_TEST(names_no_key_after_a_stop)
{
	struct dmtrace_recorder_options options = default_options();

	options.max_time_us = 25;
	options.name = count_names;
	named = 0;
	ck_assert_int_eq(mkdir("x-0002.trace.data", 0777), 0);
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	for (uint64_t key = 4096; key < 4196; key++) {
		dmtrace_recorder_enter_key(recorder, key);
		usleep(key < 4100 ? 100 : 0);
	}
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, NULL),
	    DMTRACE_ERR_IO);
	ck_assert_uint_eq(named, 100);
	dmtrace_recorder_forget_keys(recorder, 0, UINT64_MAX);
	ck_assert_uint_eq(named, 100);
	dmtrace_recorder_free(recorder);
}
END_TEST

START_TEST(reports_no_misuse_of_its_parent)
{
	struct dmtrace_recorder *recorder = started("x.trace", NULL);
	const uint32_t method = method_of(recorder, 'a');

	dmtrace_recorder_enter(recorder, 12345);
	const pid_t child = fork();
	if (child == 0)
		_exit(record_in_child(recorder, method));
	ck_assert_int_eq(wait_for(child), 0);
	ck_assert_int_eq(dmtrace_recorder_stop(recorder, NULL),
	    DMTRACE_ERR_RANGE);
	dmtrace_recorder_free(recorder);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder_process");
	TCase *tcase = unit_tcase(suite, "recorder_process");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_set_timeout(tcase, 240);
	tcase_add_test(tcase, records_nothing_in_a_child_unless_asked);
	tcase_add_test(tcase, switches_the_default_recorder_off_in_a_child);
	tcase_add_loop_test(tcase, forks_while_threads_record, 0, 2);
	tcase_add_test(tcase, forks_while_a_thread_starts_and_stops);
	ADD_CASES(tcase, survives_a_storm_of_signals, storms);
	tcase_add_loop_test(tcase, loses_nothing_flushed_when_it_is_killed,
	    0, 10);
	ADD_CASES(tcase, leaves_nothing_when_it_is_killed_before_a_flush,
	    killed);
	tcase_add_loop_test(tcase,
	    keeps_an_old_pair_when_it_is_killed_before_a_flush, 0, 2);
	ADD_CASES(tcase, creates_its_files_where_it_was_started, pairs);
	tcase_add_test(tcase, creates_no_file_for_a_child);
	tcase_add_loop_test(tcase,
	    leaves_nothing_where_there_is_no_room_at_all, 0, 4);
	ADD_CASES(tcase, reports_of_a_full_disk, disks);
	tcase_add_test(tcase, reports_of_files_that_cannot_be_written);
	ADD_CASES(tcase, counts_what_has_no_next_file, next_files);
	tcase_add_test(tcase, names_no_key_after_a_stop);
	tcase_add_test(tcase, reports_no_misuse_of_its_parent);
	return unit_main(suite);
}
