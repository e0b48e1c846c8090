/* select.c - read a trace, and write some of its events */

#include <dmtrace.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	const struct dmtrace_select_options options = { .last_depth = 3 };
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_writer *writer = dmtrace_writer_new();
	struct dmtrace_event event;

	dmtrace_reader_open_path(reader, argc > 1 ? argv[1] : "record.trace");
	struct dmtrace_source *source =
	    dmtrace_select(dmtrace_source_new(reader), &options);
	dmtrace_writer_set_like(writer, reader);
	dmtrace_writer_open_path(writer, "select.trace");
	while (dmtrace_source_next(source, &event) == DMTRACE_OK)
		dmtrace_writer_write(writer, &event, 1);

	const struct dmtrace_error *error = dmtrace_source_error(source);
	if (error->status == DMTRACE_OK &&
	    dmtrace_writer_close(writer) != DMTRACE_OK)
		error = dmtrace_writer_error(writer);
	const enum dmtrace_status status = error->status;
	if (status != DMTRACE_OK)
		fprintf(stderr, "%s\n", error->message);
	dmtrace_source_free(source);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	return status == DMTRACE_OK ? 0 : 1;
}
