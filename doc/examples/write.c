/* write.c - write a trace of one call, which took 250 us */

#include <dmtrace.h>
#include <stdio.h>

int
main(void)
{
	struct dmtrace_writer *writer = dmtrace_writer_new();

	dmtrace_writer_open_path(writer, "write.trace");
	dmtrace_writer_add_thread(writer, 1, "main");
	dmtrace_writer_add_method(writer, 4, "com.example.First", "run");
	dmtrace_writer_enter(writer, 1, 4, 1000000);
	dmtrace_writer_exit(writer, 1, 4, 1250000);
	const enum dmtrace_status status = dmtrace_writer_close(writer);
	if (status != DMTRACE_OK)
		fprintf(stderr, "%s\n", dmtrace_writer_error(writer)->message);
	dmtrace_writer_free(writer);
	return status == DMTRACE_OK ? 0 : 1;
}
