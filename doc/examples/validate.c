/* validate.c - print what is wrong with a trace */

#include <dmtrace.h>
#include <inttypes.h>
#include <stdio.h>

static void
print_finding(void *context, const struct dmtrace_finding *finding)
{
	(void)context;
	printf("%s: %s: %s\n", dmtrace_severity_name(finding->severity),
	    finding->name, finding->message);
}

int
main(int argc, char **argv)
{
	const struct dmtrace_file file = {
		.path = argc > 1 ? argv[1] : "record.trace"
	};
	struct dmtrace_op *op = dmtrace_op_new();
	struct dmtrace_validity validity;

	dmtrace_op_set_report(op, print_finding, NULL);
	const enum dmtrace_status status =
	    dmtrace_validate(op, &file, &validity);
	if (status != DMTRACE_OK)
		fprintf(stderr, "%s\n", dmtrace_op_error(op)->message);
	else
		printf("%" PRIu64 " errors in %" PRIu64 " events\n",
		    validity.findings[DMTRACE_ERROR], validity.records);
	dmtrace_op_free(op);
	return status == DMTRACE_OK ? 0 : 1;
}
