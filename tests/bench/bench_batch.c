/* bench_batch.c - reads every event of a trace into batches, all columns */

#include <dmtrace.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "events/pipeline.h"

int
main(int argc, char *argv[])
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_source *source = NULL;
	struct dmt_batch *batch;
	uint64_t events = 0, sum = 0;

	if (argc == 2 && reader != NULL &&
	    dmtrace_reader_open_path(reader, argv[1]) == DMTRACE_OK)
		source = dmtrace_source_new(reader);
	if (source == NULL) {
		fprintf(stderr, "usage: bench_batch TRACE\n");
		return EXIT_FAILURE;
	}
	dmt_want(source, DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS);
	while (dmt_pull(source, &batch) == DMTRACE_OK && batch != NULL) {
		events += batch->count;
		sum += batch->method[0] + batch->wall_ns[batch->count - 1];
	}
	const enum dmtrace_status status = dmtrace_source_error(source)->status;
	printf("%" PRIu64 " %" PRIx64 "\n", events, sum);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	return status == DMTRACE_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
