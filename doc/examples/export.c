/* export.c - write the calls of one method for ui.perfetto.dev */

#include <dmtrace.h>
#include <stdio.h>

int
main(void)
{
	static const char *const methods[] = { "fibonacci", NULL };
	const struct dmtrace_select_options select = { .under = methods };
	const struct dmtrace_export_options options = { .format = "perfetto" };
	const struct dmtrace_file out = { .path = "export.pftrace" };
	struct dmtrace_op *op = dmtrace_op_new();
	struct dmtrace_reader *reader = dmtrace_reader_new();

	dmtrace_reader_open_path(reader, "record.trace");
	struct dmtrace_source *source =
	    dmtrace_select(dmtrace_source_new(reader), &select);
	const enum dmtrace_status status =
	    dmtrace_export(op, source, &out, &options, NULL);
	if (status != DMTRACE_OK)
		fprintf(stderr, "%s\n", dmtrace_op_error(op)->message);
	dmtrace_source_free(source);
	dmtrace_reader_free(reader);
	dmtrace_op_free(op);
	return status == DMTRACE_OK ? 0 : 1;
}
