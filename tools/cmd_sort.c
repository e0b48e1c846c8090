/* cmd_sort.c - sort the events of a trace by time */

#include <dmtrace.h>

#include "cli/job.h"
#include "cli/msg.h"

static int
sort_trace(struct job *job, const char *operand,
    const struct dmtrace_sort_options *options)
{
	if (job_begin_rewrite(job, operand) != CMD_OK ||
	    job_open_writer(job) != CMD_OK)
		return CMD_TROUBLE;
	const enum dmtrace_status status = dmtrace_sort(job->op, job->reader,
	    job->writer, options);
	if (status != DMTRACE_ERR_UNSUPPORTED)
		return job_close(job, status);
	msg_error("%s: %s; --any-clock sorts by them nevertheless",
	    job->name, dmtrace_op_error(job->op)->message);
	return CMD_TROUBLE;
}

static int
run_sort(const struct cmd *cmd, int argc, char **argv)
{
	struct job job = { .output = NULL };
	struct dmtrace_sort_options settings = { 0 };
	bool any_clock = false;

	const struct opt options[] = {
		OPT_FLAG(0, "any-clock", &any_clock,
		    "sort even if times cannot be compared"),
		OPT_SIZE(0, "memory", "SIZE", &settings.memory,
		    "use at most SIZE bytes of memory [256M]"),
		OPT_JOB_DIALECT(&job),
		OPT_JOB_OUTPUT(&job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	settings.any_clock = any_clock;
	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "trace");
	if (status == OPT_GO)
		status = sort_trace(&job, argv[0], &settings);
	job_fini(&job);
	return status;
}

const struct cmd cmd_sort = {
	.name = "sort",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] TRACE",
	.summary = "sort the events of a trace by time",
	.examples = {
		"dmtrace sort -o sorted.trace app.trace",
		"dmtrace sort --memory=1G -o sorted.trace big.trace",
	},
	.run = run_sort,
};
