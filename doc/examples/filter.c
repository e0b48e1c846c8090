/* filter.c - the outer calls of a trace, written as another one */

#include <dmtrace.h>
#include <stdio.h>

int
main(void)
{
	const struct dmtrace_file in = { "record.trace", -1 };
	const struct dmtrace_file out = { "filter.trace", -1 };
	const struct dmtrace_select_options select = { .last_depth = 3 };
	const struct dmtrace_filter_options options = { .select = &select };
	struct dmtrace_op *op = dmtrace_op_new();

	const enum dmtrace_status status =
	    dmtrace_filter(op, &in, &out, &options);
	if (status != DMTRACE_OK)
		fprintf(stderr, "%s\n", dmtrace_op_error(op)->message);
	dmtrace_op_free(op);
	return status == DMTRACE_OK ? 0 : 1;
}
