/* read.c - print the events of a trace */

#include <dmtrace.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_event event;

	dmtrace_reader_open_path(reader, argc > 1 ? argv[1] : "write.trace");
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		const uint64_t time_ns = event.wall_ns != DMTRACE_NO_TIME ?
		    event.wall_ns : event.cpu_ns;

		printf("%.6f s: thread %u: %s %s\n", time_ns / 1e9,
		    event.thread, dmtrace_action_name(event.action),
		    dmtrace_reader_method_name(reader, event.method));
	}
	const enum dmtrace_status status = dmtrace_reader_error(reader)->status;
	if (status != DMTRACE_OK)
		fprintf(stderr, "%s\n", dmtrace_reader_error(reader)->message);
	dmtrace_reader_free(reader);
	return status == DMTRACE_OK ? 0 : 1;
}
