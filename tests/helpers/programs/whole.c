/* whole.c - a copy of a trace, event by event, with the library's own code */

#include <dmtrace.h>
#include <inttypes.h>
#include <stdio.h>

static const struct dmtrace_error *
copy(struct dmtrace_reader *reader, struct dmtrace_writer *writer,
    char **names)
{
	struct dmtrace_event event;
	uint64_t events = 0;

	if (dmtrace_reader_open_path(reader, names[1]) != DMTRACE_OK)
		return dmtrace_reader_error(reader);
	dmtrace_writer_set_like(writer, reader);
	dmtrace_writer_open_path(writer, names[2]);
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK)
		events += dmtrace_writer_write(writer, &event, 1) ==
		    DMTRACE_OK;
	dmtrace_writer_close(writer);
	printf("%" PRIu64 " events\n", events);
	return dmtrace_writer_error(writer);
}

int
main(int argc, char **argv)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_writer *writer = dmtrace_writer_new();
	const struct dmtrace_error *error = argc == 3 && reader != NULL &&
	    writer != NULL ? copy(reader, writer, argv) : NULL;
	const int status = error != NULL && error->status == DMTRACE_OK ? 0 : 2;

	if (status != 0)
		fprintf(stderr, "whole: %s\n",
		    error == NULL ? "no" : error->message);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	return status;
}
