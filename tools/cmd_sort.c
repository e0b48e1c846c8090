/* cmd_sort.c - a trace's events in the order of their times */

#include <dmtrace.h>

#include "cli/msg.h"
#include "cli/rewrite.h"

static int
sort(struct rewrite *change, const struct dmtrace_sort_options *options)
{
	const int status = rewrite_open(change);

	if (status != OPT_GO)
		return status;
	const enum dmtrace_status result = dmtrace_sort(change->job.op,
	    change->reader, change->writer, options);
	if (result == DMTRACE_ERR_UNSUPPORTED) {
		msg_error("%s: %s; --any-clock compares them all the same",
		    change->input, dmtrace_op_error(change->job.op)->words);
		return CMD_TROUBLE;
	}
	return rewrite_end(change, result);
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	struct rewrite change = { .output = NULL };
	struct dmtrace_sort_options settings;
	bool any_clock = false;

	dmtrace_sort_options_init(&settings);
	const struct opt options[] = {
		OPT_FLAG(0, "any-clock", &any_clock,
		    "compare times whatever clock they are of"),
		OPT_SIZE(0, "memory", "SIZE", &settings.memory,
		    "sort in so many bytes [256M]"),
		OPT_REWRITE(&change),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	settings.any_clock = any_clock;
	if (status == OPT_GO)
		status = rewrite_begin(&change, cmd, argc, argv);
	if (status == OPT_GO)
		status = sort(&change, &settings);
	rewrite_fini(&change);
	return status;
}

const struct cmd cmd_sort = {
	.name = "sort",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] TRACE",
	.summary = "put the events in the order of their times",
	.run = run,
};
