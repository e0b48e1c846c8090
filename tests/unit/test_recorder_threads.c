/* test_recorder_threads.c - events of threads are read as recorded, in order */

#include "helpers/recorded.h"

#include <pthread.h>

#include "helpers/records.h"

#define THREADS_MAX 6
#define METHODS 40

struct taken {
	uint32_t method;
	enum dmtrace_action action;
	uint64_t us;
};

/* What one thread does, by its seed, and has done. */
struct worker {
	struct dmtrace_recorder *recorder;
	const uint32_t *methods;
	bool own_times;
	unsigned number;
	unsigned events;
	unsigned max_depth;
	uint64_t seed;
	struct taken *taken;
	uint32_t *stack;
	unsigned depth;
};

static struct taken
choose(struct worker *worker, uint64_t us)
{
	const bool enter = worker->depth == 0 ||
	    (worker->depth < worker->max_depth &&
	    next_random(&worker->seed) % 2 == 0);

	if (enter) {
		const uint32_t method = worker->methods[
		    next_random(&worker->seed) % METHODS];
		worker->stack[worker->depth++] = method;
		return (struct taken){ method, DMTRACE_ENTER, us };
	}
	return (struct taken){ worker->stack[--worker->depth],
	    next_random(&worker->seed) % 8 == 0 ? DMTRACE_UNROLL :
	    DMTRACE_EXIT, us };
}

static void
emit(struct dmtrace_recorder *recorder, const struct taken *taken)
{
	if (taken->action == DMTRACE_ENTER)
		dmtrace_recorder_enter(recorder, taken->method);
	else if (taken->action == DMTRACE_EXIT)
		dmtrace_recorder_exit(recorder, taken->method);
	else
		dmtrace_recorder_unroll(recorder, taken->method);
}

static void
emit_at(struct dmtrace_recorder *recorder, const struct taken *taken)
{
	const struct dmtrace_event event = { taken->method, taken->us * 1000,
		taken->us * 1000, 0, taken->action };

	dmtrace_recorder_event(recorder, &event);
}

static void *
work(void *argument)
{
	struct worker *worker = argument;
	char name[16];
	uint64_t us = 0;

	snprintf(name, sizeof(name), "worker %u", worker->number);
	dmtrace_recorder_name_thread(worker->recorder, name);
	for (unsigned i = 0; i < worker->events; i++) {
		us += next_random(&worker->seed) % 3;
		worker->taken[i] = choose(worker, us);
		if (worker->own_times)
			emit_at(worker->recorder, &worker->taken[i]);
		else
			emit(worker->recorder, &worker->taken[i]);
	}
	return NULL;
}

/* The worker whose thread a record is of. */
static struct worker *
worker_of(struct worker *workers, struct dmtrace_reader *reader,
    uint32_t thread)
{
	const struct dmtrace_thread *row = dmtrace_key_thread_find(
	    dmtrace_reader_key(reader), thread);

	demand(row != NULL && row->name.len == strlen("worker n"),
	    "the thread is named");
	return &workers[row->name.bytes[7] - '0'];
}

static void
assert_taken(const struct worker *worker, unsigned i,
    const struct dmtrace_event *event)
{
	const struct taken *taken = &worker->taken[i];

	demand(event->method == taken->method, "the method");
	demand(event->action == taken->action, "the action");
	if (!worker->own_times)
		return;
	demand(event->wall_ns == NO_TIME ||
	    event->wall_ns == taken->us * 1000, "the wall time");
	demand(event->cpu_ns == NO_TIME ||
	    event->cpu_ns == taken->us * 1000, "the CPU time");
}

/* After a thread's own events stand the exits of what it left open. */
static void
assert_same(struct worker *workers, unsigned count, const char *path)
{
	struct dmtrace_reader *reader = opened(path);
	unsigned at[THREADS_MAX] = { 0 };
	struct dmtrace_event event;

	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		struct worker *worker = worker_of(workers, reader,
		    event.thread);
		const unsigned i = at[worker->number]++;
		if (i < worker->events) {
			assert_taken(worker, i, &event);
			continue;
		}
		demand(worker->depth > 0 && event.action == DMTRACE_EXIT &&
		    event.method == worker->stack[--worker->depth],
		    "the exit of a frame that was left open");
	}
	ck_assert_int_eq(dmtrace_reader_error(reader)->status, DMTRACE_OK);
	dmtrace_reader_free(reader);
	for (unsigned i = 0; i < count; i++) {
		ck_assert_uint_ge(at[i], workers[i].events);
		ck_assert_uint_eq(workers[i].depth, 0);
	}
}

static void
run_workers(struct worker *workers, unsigned count)
{
	pthread_t threads[THREADS_MAX];

	for (unsigned i = 0; i < count; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, work,
		    &workers[i]), 0);
	for (unsigned i = 0; i < count; i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}

struct load {
	unsigned threads;
	unsigned events;	/* of each */
	unsigned max_depth;
	bool own_times;
	uint64_t seed;
};

static void
begin_worker(struct worker *worker, const struct load *load, unsigned number)
{
	worker->number = number;
	worker->own_times = load->own_times;
	worker->events = load->events;
	worker->max_depth = load->max_depth;
	worker->seed = load->seed * 77 + number + 1;
	worker->taken = calloc(load->events, sizeof(*worker->taken));
	worker->stack = calloc(load->max_depth, sizeof(*worker->stack));
	ck_assert(worker->taken != NULL && worker->stack != NULL);
}

/* To put a file in the place of another waits for the disk. */
static void
remove_trace(void)
{
	unlink("x.trace");
	unlink("x.key");
	unlink("x.data");
}

static void
round_trip(const char *path, const struct dmtrace_recorder_options *options,
    const struct load *load)
{
	struct dmtrace_recorder *recorder = started(path, options);
	struct worker workers[THREADS_MAX] = { { 0 } };
	uint32_t methods[METHODS];
	uint64_t open = 0;

	for (int i = 0; i < METHODS; i++)
		methods[i] = method_of(recorder, (char)('A' + i));
	for (unsigned i = 0; i < load->threads; i++) {
		workers[i].recorder = recorder;
		workers[i].methods = methods;
		begin_worker(&workers[i], load, i);
	}
	run_workers(workers, load->threads);
	for (unsigned i = 0; i < load->threads; i++)
		open += workers[i].depth;
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(result.dropped + result.mismatched +
	    result.stepped_back, 0);
	ck_assert_uint_eq(result.threads, load->threads);
	ck_assert_uint_eq(result.closed, open);
	ck_assert_uint_eq(result.events,
	    (uint64_t)load->threads * load->events + open);
	assert_same(workers, load->threads, path);
	remove_trace();
	for (unsigned i = 0; i < load->threads; i++) {
		free(workers[i].taken);
		free(workers[i].stack);
	}
}

static const struct {
	unsigned version;
	enum dmtrace_clock clock;
	int system_clock;
	bool own_times;
} clocks[] = {
	{ 1, WALL, 0, false }, { 1, WALL, 1, false }, { 1, CPU, 0, false },
	{ 2, WALL, 0, false }, { 2, WALL, 1, false }, { 2, CPU, 0, false },
	{ 3, WALL, 0, false }, { 3, WALL, 1, false }, { 3, CPU, 0, false },
	{ 3, DUAL, 0, false }, { 1, WALL, 0, true }, { 1, CPU, 0, true },
	{ 2, WALL, 0, true }, { 2, CPU, 0, true }, { 3, WALL, 0, true },
	{ 3, CPU, 0, true }, { 3, DUAL, 0, true },
};

static const struct {
	enum dmtrace_recorder_full full;
	int journal;
	const char *path;
} modes[] = {
	{ DMTRACE_FULL_FLUSH, 0, "x.trace" },
	{ DMTRACE_FULL_FLUSH, 0, "x.key" },
	{ DMTRACE_FULL_FLUSH, 1, "x.trace" },
	{ DMTRACE_FULL_FLUSH, 1, "x.key" },
	{ DMTRACE_FULL_STOP, 0, "x.trace" }, { DMTRACE_FULL_STOP, 1, "x.key" },
	{ DMTRACE_FULL_RING, 0, "x.trace" }, { DMTRACE_FULL_RING, 1, "x.key" },
};

static struct dmtrace_recorder_options
options_of(size_t clock, size_t mode)
{
	struct dmtrace_recorder_options options = default_options();

	options.version = clocks[clock].version;
	options.clock = clocks[clock].clock;
	options.system_clock = clocks[clock].system_clock;
	options.full = modes[mode].full;
	options.journal = modes[mode].journal;
	return options;
}

START_TEST(reads_what_was_recorded_by_each_clock)
{
	for (size_t i = 0; i < ROWS(modes); i++) {
		struct dmtrace_recorder_options options =
		    options_of((size_t)_i, i);
		const struct load load = { 3, 2500, 20, clocks[_i].own_times,
			(uint64_t)_i + 1 };
		options.buffer_size = 8192;
		round_trip(modes[i].path, &options, &load);
	}
}
END_TEST

#ifndef RUNS
#define RUNS 200		/* check_races.sh has fewer */
#endif

START_TEST(reads_what_was_recorded_at_random)
{
	uint64_t seed = (uint64_t)_i + 1000;

	for (int i = 0; i < RUNS / 10; i++) {
		const size_t clock = next_random(&seed) % ROWS(clocks);
		const size_t mode = next_random(&seed) % ROWS(modes);
		struct dmtrace_recorder_options options =
		    options_of(clock, mode);
		const struct load load = {
			.threads = 1 + next_random(&seed) % THREADS_MAX,
			.events = 1 + next_random(&seed) % 3000,
			.max_depth = 1 + next_random(&seed) % 60,
			.own_times = clocks[clock].own_times,
			.seed = seed
		};
		options.buffer_size = 4096 + next_random(&seed) % 65536;
		round_trip(modes[mode].path, &options, &load);
	}
}
END_TEST

static void *
call_once(void *argument)
{
	struct dmtrace_recorder *recorder = argument;
	const uint32_t method = method_of(recorder, 'a');

	dmtrace_recorder_enter(recorder, method);
	dmtrace_recorder_exit(recorder, method);
	return NULL;
}

static void
run_many(struct dmtrace_recorder *recorder, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		pthread_t thread;
		ck_assert_int_eq(pthread_create(&thread, NULL, call_once,
		    recorder), 0);
		ck_assert_int_eq(pthread_join(thread, NULL), 0);
	}
}

/* The system gives the same id, and the same memory, to one after the other. */
START_TEST(gives_each_thread_a_number_of_its_own)
{
	struct dmtrace_recorder *recorder = started("x.trace", NULL);

	run_many(recorder, 1000);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(result.threads, 1000);
	ck_assert_uint_eq(assert_sound("x.trace"), 2000);
	struct dmtrace_reader *reader = opened("x.trace");
	struct dmtrace_event event;
	for (uint32_t i = 1; i <= 1000; i++)
		for (int j = 0; j < 2; j++) {
			ck_assert_int_eq(dmtrace_reader_next(reader, &event),
			    DMTRACE_OK);
			ck_assert_uint_eq(event.thread, i);
		}
	ck_assert_uint_eq(dmtrace_key_thread_count(
	    dmtrace_reader_key(reader)), 1000);
	dmtrace_reader_free(reader);
}
END_TEST

/* A record of version 1 has room for 255. */
START_TEST(counts_what_threads_without_a_number_do)
{
	struct dmtrace_recorder_options options = default_options();

	options.version = 1;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	run_many(recorder, 260);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(result.threads, 255);
	ck_assert_uint_eq(result.dropped, 10);
	ck_assert_uint_eq(result.mismatched, 0);
	ck_assert_uint_eq(assert_sound("x.trace"), 510);
}
END_TEST

static const struct {
	const char *name;
	const char *line;
} names[] = {
	{ "a", "1\ta\n" }, { "two words", "1\ttwo words\n" },
	{ "a\tb\nc", "1\ta\\tb\\nc\n" }, { "", "1\tthread 1\n" },
	{ "\xff", "1\t\\xff\n" }, { "M\xc3\xbcller", "1\tM\xc3\xbcller\n" },
	{ "0123456789012345678901234567890123456789012345678901234567890123456",
	    "1\t012345678901234567890123456789012345678901234567890123456789"
	    "012\n" },
};

static void
assert_line(const char *path, const char *line)
{
	size_t len;
	char *key = file_get(path, &len);

	key[len - 1] = '\0';
	ck_assert_msg(strstr(key, line) != NULL, "no %s in %s", line, key);
	free(key);
}

START_TEST(names_a_thread)
{
	struct dmtrace_recorder *recorder = started("x.key", NULL);

	if (_i % 2 == 0)		/* before or after its first event */
		play(recorder, "+a-a");
	dmtrace_recorder_name_thread(recorder, names[_i].name);
	play_from(recorder, "+a-a", 50000);
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	assert_line("x.key", names[_i].line);
}
END_TEST

START_TEST(calls_the_first_thread_main)
{
	struct dmtrace_recorder *recorder = started("x.key", NULL);

	play(recorder, "+a-a");
	stopped(recorder);
	dmtrace_recorder_free(recorder);
	assert_line("x.key", "\n1\tmain\n");
}
END_TEST

/* A thread that records until it has done so many calls. */
struct busy {
	struct dmtrace_recorder *recorders[2];
	uint32_t methods[2];
	unsigned calls;
};

static void *
keep_busy(void *argument)
{
	const struct busy *busy = argument;

	for (unsigned i = 0; i < busy->calls; i++) {
		struct dmtrace_recorder *recorder = busy->recorders[i % 2];
		dmtrace_recorder_enter(recorder, busy->methods[0]);
		dmtrace_recorder_enter(recorder, busy->methods[1]);
		dmtrace_recorder_exit(recorder, busy->methods[1]);
		dmtrace_recorder_exit(recorder, busy->methods[0]);
	}
	return NULL;
}

static struct busy
busy_with(struct dmtrace_recorder *x, struct dmtrace_recorder *y,
    unsigned calls)
{
	struct busy busy = { { x, y }, { 0 }, calls };

	busy.methods[0] = method_of(x, 'a');
	busy.methods[1] = method_of(x, 'b');
	method_of(y, 'a');
	method_of(y, 'b');
	return busy;
}

static const enum dmtrace_recorder_full fulls[] =
    { DMTRACE_FULL_FLUSH, DMTRACE_FULL_STOP, DMTRACE_FULL_RING };

START_TEST(starts_and_stops_while_others_record)
{
	struct dmtrace_recorder_options options = default_options();
	pthread_t threads[3];

	options.full = fulls[_i];
	options.buffer_size = 16384;
	options.memory_limit = 65536;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	struct busy busy = busy_with(recorder, recorder, 50000);
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, keep_busy,
		    &busy), 0);
	for (int i = 0; i < 60; i++) {
		const struct dmtrace_recorder_result result =
		    stopped(recorder);
		ck_assert_uint_eq(assert_sound("x.trace"), result.events);
		remove_trace();
		ck_assert_int_eq(dmtrace_recorder_start(recorder, "x.trace",
		    NULL),
		    DMTRACE_OK);
	}
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	const struct dmtrace_recorder_result result = stopped(recorder);
	ck_assert_uint_eq(assert_sound("x.trace"), result.events);
	dmtrace_recorder_free(recorder);
}
END_TEST

/* Each thread has its own path. A thread that finds the recorder started or
 * stopped already continues. */
static void *
start_and_stop(void *argument)
{
	struct dmtrace_recorder *recorder = argument;

	for (int i = 0; i < 200; i++) {
		unlink("x.trace");
		dmtrace_recorder_start(recorder, "x.trace", NULL);
		call_once(recorder);
		const enum dmtrace_status status =
		    dmtrace_recorder_stop(recorder, NULL);
		ck_assert(status == DMTRACE_OK ||
		    status == DMTRACE_ERR_STATE);
		/* its message may be that of another thread */
		ck_assert_ptr_nonnull(dmtrace_recorder_error(recorder));
	}
	return NULL;
}

START_TEST(is_started_and_stopped_by_any_thread)
{
	struct dmtrace_recorder *recorder = dmtrace_recorder_new();
	pthread_t threads[4];

	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL,
		    start_and_stop, recorder), 0);
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	dmtrace_recorder_free(recorder);
	assert_sound("x.trace");
}
END_TEST

START_TEST(records_for_two_recorders_in_each_thread)
{
	struct dmtrace_recorder *x = started("x.trace", NULL);
	struct dmtrace_recorder *y = started("y.trace", NULL);
	struct busy busy = busy_with(x, y, 20000);
	pthread_t threads[3];

	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, keep_busy,
		    &busy), 0);
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	ck_assert_uint_eq(stopped(x).dropped + stopped(y).dropped, 0);
	dmtrace_recorder_free(x);
	dmtrace_recorder_free(y);
	ck_assert_uint_eq(assert_sound("x.trace"), 120000);
	ck_assert_uint_eq(assert_sound("y.trace"), 120000);
}
END_TEST

/* Whoever is late finds the file of the others, and goes on in it. */
START_TEST(rotates_while_others_record)
{
	struct dmtrace_recorder_options options = default_options();
	pthread_t threads[3];
	uint64_t events = 0;
	char path[32];

	options.max_time_us = 5000;
	struct dmtrace_recorder *recorder = started("x.trace", &options);
	struct busy busy = busy_with(recorder, recorder, 20000);
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, keep_busy,
		    &busy), 0);
	for (size_t i = 0; i < ROWS(threads); i++)
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
	const struct dmtrace_recorder_result result = stopped(recorder);
	dmtrace_recorder_free(recorder);
	ck_assert_uint_eq(result.dropped, 0);
	for (unsigned i = 1; i <= result.files; i++) {
		snprintf(path, sizeof(path), "x-%04u.trace", i);
		events += assert_sound(i == 1 ? "x.trace" : path);
	}
	ck_assert_uint_eq(events, result.events);
	ck_assert_uint_eq(events, 240000 + 2 * result.closed);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("recorder_threads");
	TCase *tcase = unit_tcase(suite, "recorder_threads");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	tcase_set_timeout(tcase, 240);
	ADD_CASES(tcase, reads_what_was_recorded_by_each_clock, clocks);
	tcase_add_loop_test(tcase, reads_what_was_recorded_at_random, 0, 10);
	tcase_add_test(tcase, gives_each_thread_a_number_of_its_own);
	tcase_add_test(tcase, counts_what_threads_without_a_number_do);
	ADD_CASES(tcase, names_a_thread, names);
	tcase_add_test(tcase, calls_the_first_thread_main);
	ADD_CASES(tcase, starts_and_stops_while_others_record, fulls);
	tcase_add_test(tcase, is_started_and_stopped_by_any_thread);
	tcase_add_test(tcase, records_for_two_recorders_in_each_thread);
	tcase_add_test(tcase, rotates_while_others_record);
	return unit_main(suite);
}
