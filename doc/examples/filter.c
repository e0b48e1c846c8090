/* filter.c - write the three outermost calls of a trace */

#include <dmtrace.h>
#include <stdio.h>

int
main(void)
{
	const struct dmtrace_file in = { "record.trace", -1 };
	const struct dmtrace_file out = { "filter.trace", -1 };
	struct dmtrace_op *op = dmtrace_op_new();
	struct dmtrace_filter_options options = { dmtrace_selection_new() };

	dmtrace_selection_set_depth(options.selection, 1, 3);
	const enum dmtrace_status status =
	    dmtrace_filter_file(op, &in, &out, &options);
	if (status != DMTRACE_OK)
		fprintf(stderr, "%s\n", dmtrace_op_error(op)->message);
	dmtrace_selection_free(options.selection);
	dmtrace_op_free(op);
	return status == DMTRACE_OK ? 0 : 1;
}
