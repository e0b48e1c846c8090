/* random.c - records what chance says, and writes down what it did
 *
 * random FIRST LAST: for each seed the trace SEED.trace, and in SEED.want
 * "THREAD ACTION NAME" for each of its events, thread by thread. */

#include <dmtrace.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "private/recorder.h"

enum { THREADS = 6, EVENTS = 600, DEPTH = 50, METHODS = 30 };

struct worker {
	pthread_t thread;
	unsigned number;
	unsigned seed;
	unsigned events;
	unsigned max_depth;
	unsigned depth;
	unsigned stack[DEPTH];
	FILE *want;
};

static struct dmtrace_recorder *recorder;
static uint32_t methods[METHODS];

static unsigned
next(unsigned *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void
tell(const struct worker *worker, const char *action, unsigned method)
{
	fprintf(worker->want, "t%u %s T.m%u\n", worker->number, action,
	    method);
}

static void
enter(struct worker *worker)
{
	const unsigned method = next(&worker->seed) % METHODS;

	dmtrace_recorder_enter(recorder, methods[method]);
	worker->stack[worker->depth++] = method;
	tell(worker, "ent", method);
}

static void
leave(struct worker *worker)
{
	const unsigned method = worker->stack[--worker->depth];

	if (next(&worker->seed) % 5 == 0) {
		dmtrace_recorder_unroll(recorder, methods[method]);
		tell(worker, "unr", method);
	} else {
		dmtrace_recorder_exit(recorder, methods[method]);
		tell(worker, "xit", method);
	}
}

/* What is open at the end is closed by the recorder. */
static void *
work(void *argument)
{
	struct worker *worker = argument;
	char name[16];

	snprintf(name, sizeof(name), "t%u", worker->number);
	dmtrace_recorder_name_thread(recorder, name);
	for (unsigned i = 0; i < worker->events; i++) {
		if (worker->depth == 0 || (worker->depth < worker->max_depth &&
		    next(&worker->seed) % 2 == 0))
			enter(worker);
		else
			leave(worker);
	}
	while (worker->depth > 0)
		tell(worker, "xit", worker->stack[--worker->depth]);
	return NULL;
}

static void
demand(int so)
{
	if (!so)
		exit(EXIT_FAILURE);
}

static void
start(unsigned run, unsigned *seed)
{
	struct dmtrace_recorder_options options = { 0 };
	char path[32];

	options.version = 1 + next(seed) % 3;
	options.buffer_size = 4096 + next(seed) % 8192;
	options.full = next(seed) % 2 == 0 ? DMTRACE_FULL_FLUSH :
	    DMTRACE_FULL_RING;
	options.journal = next(seed) % 2;
	recorder = dmtrace_recorder_new();
	snprintf(path, sizeof(path), "%u.trace", run);
	demand(dmt_recorder_set_options(recorder, &options) ==
	    DMTRACE_OK && dmtrace_recorder_start(recorder, path, NULL) ==
	    DMTRACE_OK);
	for (unsigned i = 0; i < METHODS; i++) {
		char name[16];
		const struct dmtrace_recorder_method names = { "T", name, NULL,
			NULL, 0 };
		snprintf(name, sizeof(name), "m%u", i);
		demand(dmtrace_recorder_intern(recorder, &names,
		    &methods[i]) == DMTRACE_OK);
	}
}

static void
record(unsigned run)
{
	static struct worker workers[THREADS];
	unsigned seed = run * 2654435761u;
	char path[32];

	start(run, &seed);
	const unsigned count = 1 + next(&seed) % THREADS;
	for (unsigned i = 0; i < count; i++) {
		workers[i] = (struct worker){
			.number = i,
			.seed = next(&seed),
			.events = 1 + next(&seed) % EVENTS,
			.max_depth = 1 + next(&seed) % DEPTH,
			.want = tmpfile()
		};
		demand(workers[i].want != NULL && pthread_create(
		    &workers[i].thread, NULL, work, &workers[i]) == 0);
	}
	snprintf(path, sizeof(path), "%u.want", run);
	FILE *want = fopen(path, "w");
	demand(want != NULL);
	for (unsigned i = 0; i < count; i++) {
		pthread_join(workers[i].thread, NULL);
		rewind(workers[i].want);
		for (int c; (c = getc(workers[i].want)) != EOF;)
			putc(c, want);
		fclose(workers[i].want);
	}
	demand(fclose(want) == 0 &&
	    dmtrace_recorder_stop(recorder, NULL) == DMTRACE_OK);
	dmtrace_recorder_free(recorder);
}

int
main(int argc, char **argv)
{
	demand(argc == 3);
	for (int run = atoi(argv[1]); run <= atoi(argv[2]); run++)
		record((unsigned)run);
	return EXIT_SUCCESS;
}
