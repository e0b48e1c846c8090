/* bench_read.c - reads every record with the batch reader, sums by thread */

#include <dmtrace.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "private/trace.h"

#define BATCH 1024
#define THREADS 65536

static uint64_t sums[THREADS];

static void
add(const struct dmtrace_event *events, size_t count, int wall)
{
	for (size_t i = 0; i < count; i++)
		sums[events[i].thread % THREADS] +=
		    wall ? events[i].wall_ns : events[i].cpu_ns;
}

static enum dmtrace_status
read_all(struct dmtrace_reader *reader)
{
	static struct dmtrace_event events[BATCH];
	const int wall = dmt_layout_clock(dmt_reader_layout(reader)) !=
	    DMTRACE_CLOCK_THREAD_CPU;
	enum dmtrace_status status;
	size_t count;

	do {
		status = dmtrace_reader_read(reader, events, BATCH, &count);
		add(events, count, wall);
	} while (status == DMTRACE_OK && count > 0);
	return status;
}

int
main(int argc, char *argv[])
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	uint64_t sum = 0;

	if (argc != 2 || reader == NULL ||
	    dmtrace_reader_open_path(reader, argv[1]) != DMTRACE_OK ||
	    read_all(reader) != DMTRACE_OK) {
		fprintf(stderr, "usage: bench_read TRACE\n");
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < THREADS; i++)
		sum ^= sums[i];
	printf("%" PRIu64 " %" PRIx64 "\n", dmt_reader_position(reader),
	    sum);
	dmtrace_reader_free(reader);
	return EXIT_SUCCESS;
}
