/* record_load.c - the cost of a recorder, and of the clocks that it reads */

#include <dmtrace.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define METHODS 5000
#define PICKS 4096		/* a power of two */
#define PATH "fresh.data"

static struct dmtrace_recorder *recorder;
static uint32_t picks[PICKS];
static unsigned long events;	/* per thread */

static void
fail(const char *what)
{
	fprintf(stderr, "record_load: %s\n", what);
	exit(EXIT_FAILURE);
}

static uint32_t
intern(unsigned number)
{
	char name[32];
	const struct dmtrace_recorder_method names = {
		.class_name = "bench.Load",
		.name = name
	};
	uint32_t method;

	snprintf(name, sizeof(name), "method%u", number);
	if (dmtrace_recorder_intern(recorder, &names, &method) != DMTRACE_OK)
		fail("cannot intern");
	return method;
}

static void
pick_methods(void)
{
	static uint32_t methods[METHODS];

	for (unsigned i = 0; i < METHODS; i++)
		methods[i] = intern(i);
	for (unsigned i = 0; i < PICKS; i++)
		picks[i] = methods[i * 2654435761u % METHODS];
}

/* Four events a round. */
static void *
record(void *unused)
{
	(void)unused;
	for (unsigned long i = 0; i < events / 4; i++) {
		const uint32_t a = picks[i % PICKS];
		const uint32_t b = picks[(i + 1) % PICKS];
		dmtrace_recorder_enter(recorder, a);
		dmtrace_recorder_enter(recorder, b);
		dmtrace_recorder_exit(recorder, b);
		dmtrace_recorder_exit(recorder, a);
	}
	return NULL;
}

/* The same by keys. */
static void
record_keys(void)
{
	for (unsigned long i = 0; i < events / 4; i++) {
		const uint64_t a = picks[i % PICKS] * UINT64_C(12) + 4096;
		const uint64_t b = picks[(i + 1) % PICKS] * UINT64_C(12) +
		    4096;
		dmtrace_recorder_enter_key(recorder, a);
		dmtrace_recorder_enter_key(recorder, b);
		dmtrace_recorder_exit_key(recorder, b);
		dmtrace_recorder_exit_key(recorder, a);
	}
}

static void
run_threads(unsigned count)
{
	pthread_t *threads = calloc(count, sizeof(*threads));

	if (threads == NULL)
		fail("no memory");
	for (unsigned i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, record, NULL) != 0)
			fail("cannot make a thread");
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	free(threads);
}

static void
record_all(const struct dmtrace_recorder_options *options, const char *path,
    unsigned threads, bool keys)
{
	struct dmtrace_recorder_result result;

	recorder = dmtrace_recorder_new();
	if (recorder == NULL)
		fail("no recorder");
	pick_methods();
	if (dmtrace_recorder_start(recorder, path, options) != DMTRACE_OK)
		fail(dmtrace_recorder_error(recorder)->message);
	if (keys)
		record_keys();
	else if (threads == 1)
		record(NULL);
	else
		run_threads(threads);
	if (dmtrace_recorder_stop(recorder, &result) != DMTRACE_OK)
		fail(dmtrace_recorder_error(recorder)->message);
	if (result.dropped > 0 && options->full != DMTRACE_FULL_RING)
		fail("dropped");
	dmtrace_recorder_free(recorder);
}

#if defined(__x86_64__) || defined(__i386__)
static void
read_ticks(void)
{
	for (unsigned long i = 0; i < events; i++) {
		const uint64_t ticks = __builtin_ia32_rdtsc();
		__asm__ volatile("" : : "r"(ticks));
	}
}
#else
static void
read_ticks(void)
{
	fail("no counter of ticks here");
}
#endif

static void
read_clock(clockid_t clock)
{
	struct timespec time;

	for (unsigned long i = 0; i < events; i++)
		clock_gettime(clock, &time);
}

static void
loop(void)
{
	for (unsigned long i = 0; i < events; i++)
		__asm__ volatile("" : : : "memory");
}

/* While nothing is recorded. */
static void
loop_off(void)
{
	for (unsigned long i = 0; i < events; i++) {
		dmtrace_enter(4);
		__asm__ volatile("" : : : "memory");
	}
}

/* Pairs of the default recorder: by hand, and by scope. */
static void
loop_pairs(void)
{
	const uint32_t method = dmtrace_intern(NULL, "pair");

	for (unsigned long i = 0; i < events / 2; i++) {
		dmtrace_enter(method);
		dmtrace_exit(method);
	}
}

static void
loop_scopes(void)
{
	for (unsigned long i = 0; i < events / 2; i++) {
		DMTRACE_SCOPE("scope");
		__asm__ volatile("" : : : "memory");
	}
}

static void
record_default(void (*pairs)(void))
{
	if (dmtrace_start(PATH, NULL) != DMTRACE_OK)
		fail(dmtrace_last_error()->message);
	pairs();
	if (dmtrace_stop(NULL) != DMTRACE_OK)
		fail(dmtrace_last_error()->message);
}

int
main(int argc, char *argv[])
{
	struct dmtrace_recorder_options options = { 0 };
	const char *what = argc == 4 ? argv[1] : "";
	const unsigned threads = argc == 4 ? (unsigned)atoi(argv[2]) : 0;

	events = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
	options.system_clock = strcmp(what, "system") == 0;
	if (strcmp(what, "ring") == 0)
		options.full = DMTRACE_FULL_RING;
	options.streaming = strcmp(what, "stream") == 0;
	if (strcmp(what, "cpu") == 0)
		options.clock = DMTRACE_CLOCK_THREAD_CPU;
	if (strcmp(what, "ticks") == 0)
		read_ticks();
	else if (strcmp(what, "clock") == 0)
		read_clock(CLOCK_MONOTONIC);
	else if (strcmp(what, "cpu-clock") == 0)
		read_clock(CLOCK_THREAD_CPUTIME_ID);
	else if (strcmp(what, "empty") == 0)
		loop();
	else if (strcmp(what, "off") == 0)
		loop_off();
	else if (strcmp(what, "scope-off") == 0)
		loop_scopes();
	else if (strcmp(what, "pair") == 0)
		record_default(loop_pairs);
	else if (strcmp(what, "scope") == 0)
		record_default(loop_scopes);
	else if (strcmp(what, "joined") == 0 || options.streaming)
		record_all(&options, "fresh", threads, false);
	else if (strcmp(what, "null") == 0 &&
	    symlink("/dev/null", PATH) == 0)
		record_all(&options, PATH, threads, false);
	else
		record_all(&options, PATH, threads,
		    strcmp(what, "key") == 0);
	return EXIT_SUCCESS;
}
