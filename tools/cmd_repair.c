/* cmd_repair.c - make a damaged trace valid */

#include <dmtrace.h>

#include "cli/change_report.h"
#include "cli/cli_files.h"
#include "cli/job.h"

static const char *const strategies[] = { "clamp", "shift", "drop", NULL };

struct repair {
	struct job job;
	struct change_report report;
	struct dmtrace_repair_options options;
	bool dry_run;
};

static int
repair_trace(struct repair *repair, const char *operand)
{
	struct job *const job = &repair->job;
	struct change_report *const report = &repair->report;
	const struct dmtrace_file *const out =
	    repair->dry_run ? NULL : &job->out;
	struct dmtrace_repair_result result = { .changes = 0 };

	if ((out != NULL && files_clash_halves(operand, out)) ||
	    !job_begin(job))
		return CMD_TROUBLE;
	report->job = job;
	report->in = files_input(operand);
	report->nothing = repair->dry_run ? "there is nothing to change\n" :
	    "there was nothing to change: the trace was copied\n";
	change_report_begin(report);
	repair->options.change = change_report_add;
	repair->options.context = report;
	job->target = out;
	const int status = job_end(job, dmtrace_repair(job->op, &report->in,
	    out, &repair->options, &result));
	change_report_end(report, status);
	if (status != CMD_OK)
		return status;
	return repair->dry_run && result.changes > 0 ? CMD_NO : CMD_OK;
}

static int
run_repair(const struct cmd *cmd, int argc, char **argv)
{
	unsigned strategy = DMTRACE_REPAIR_CLAMP;
	struct repair repair = { .dry_run = false };
	const struct opt options[] = {
		OPT_FLAG(0, "dry-run", &repair.dry_run,
		    "print the changes, but do not write a trace"),
		OPT_CHOICE(0, "strategy", "HOW", &strategy, strategies,
		    "clamp, shift or drop times that go back [clamp]"),
		OPT_FORM(&repair.report.table.form),
		OPT_REFUSED('d', "dialect",
		    "only what is damaged is changed; \"dmtrace convert -d\" "
		    "reads the output"),
		OPT_JOB_OUTPUT(&repair.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	repair.job.out = files_output(repair.job.output);
	repair.report.to_messages = !repair.dry_run &&
	    repair.job.out.path == NULL;
	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "file");
	if (status == OPT_GO && repair.dry_run && repair.job.output != NULL)
		status = opt_usage(cmd, "--dry-run writes no output");
	if (status == OPT_GO && repair.report.to_messages &&
	    repair.report.table.form != FORM_TEXT)
		status = opt_usage(cmd, "-f needs -o, or --dry-run:"
		    " the trace goes to standard output");
	if (status == OPT_GO && !repair.dry_run &&
	    files_terminal(&repair.job.out))
		status = CMD_TROUBLE;
	if (status != OPT_GO)
		return status;
	repair.options.time = (enum dmtrace_repair_time)strategy;
	repair.options.flags = repair.job.sync ? DMTRACE_SYNC : 0;
	return repair_trace(&repair, argv[0]);
}

const struct cmd cmd_repair = {
	.name = "repair",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] FILE",
	.summary = "make a damaged trace valid",
	.examples = {
		"dmtrace repair --dry-run broken.trace",
		"dmtrace repair -o whole.trace broken.trace",
	},
	.run = run_repair,
};
