/* shift.c - write a trace again, with its times doubled */

#include <dmtrace.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	const struct dmtrace_shift_options options = { .scale_up = 2 };
	struct dmtrace_op *op = dmtrace_op_new();
	struct dmtrace_reader *reader = dmtrace_reader_new();
	struct dmtrace_writer *writer = dmtrace_writer_new();

	dmtrace_reader_open_path(reader, argc > 1 ? argv[1] : "write.trace");
	dmtrace_writer_set_like(writer, reader);
	dmtrace_writer_open_path(writer, "shift.trace");
	dmtrace_shift(op, reader, writer, &options);

	const struct dmtrace_error *error = dmtrace_op_error(op);
	if (error->status == DMTRACE_OK &&
	    dmtrace_writer_close(writer) != DMTRACE_OK)
		error = dmtrace_writer_error(writer);
	const enum dmtrace_status status = error->status;
	if (status != DMTRACE_OK)
		fprintf(stderr, "%s\n", error->message);
	dmtrace_op_free(op);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	return status == DMTRACE_OK ? 0 : 1;
}
