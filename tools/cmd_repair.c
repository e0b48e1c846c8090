/* cmd_repair.c - make a valid trace of one that is broken */

#include <dmtrace.h>

#include "cli/change_report.h"
#include "cli/cli_files.h"
#include "cli/job.h"
#include "cli/table.h"

static const char *const strategies[] = { "clamp", "shift", "drop", NULL };

struct repair {
	struct job job;
	struct change_report account;
	struct dmtrace_repair_options options;
	const char *output;
	bool dry_run;
	struct dmtrace_file out;
};

static int
repair_file(struct repair *repair)
{
	struct job *const job = &repair->job;
	struct dmtrace_repair_result result = { .changes = 0 };

	if (!job_begin(job))
		return CMD_TROUBLE;
	repair->account.nothing = repair->dry_run ?
	    "there is nothing to change\n" :
	    "there was nothing to change, the trace was copied\n";
	change_report_begin(&repair->account);
	job->out = repair->dry_run ? NULL : &repair->out;
	const int status = job_end(job, dmtrace_repair(job->op,
	    &repair->account.in, repair->dry_run ? NULL : &repair->out,
	    &repair->options, &result));
	if (status != CMD_OK)
		return status;
	return repair->dry_run && result.changes > 0 ? CMD_NO : CMD_OK;
}

static int
check_usage(const struct cmd *cmd, const struct repair *repair, int argc)
{
	if (argc != 1)
		return opt_usage(cmd, argc == 0 ? "no file is named" :
		    "more than one file");
	if (repair->dry_run && repair->output != NULL)
		return opt_usage(cmd, "--dry-run writes no output");
	if (repair->account.to_messages &&
	    repair->account.form != FORM_TEXT)
		return opt_usage(cmd, "-f needs -o, or --dry-run:"
		    " the trace goes to standard output");
	return OPT_GO;
}

static int
check_and_repair(const struct cmd *cmd, struct repair *repair, int argc,
    char **argv)
{
	repair->out = files_output(repair->output);
	repair->account.to_messages =
	    !repair->dry_run && repair->out.path == NULL;
	int status = check_usage(cmd, repair, argc);
	if (status != OPT_GO)
		return status;
	if (!repair->dry_run && files_terminal(&repair->out))
		return CMD_TROUBLE;
	repair->account.job = &repair->job;
	repair->account.in = files_input(argv[0]);
	repair->options.change = change_report_add;
	repair->options.context = &repair->account;
	status = repair_file(repair);
	change_report_fini(&repair->account);
	return status;
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	unsigned strategy = DMTRACE_REPAIR_CLAMP, form = FORM_TEXT;
	bool sync = false;
	struct repair repair = { .output = NULL };
	const struct opt options[] = {
		OPT_STRING('o', "output", "FILE", &repair.output,
		    "write the trace to FILE"),
		OPT_FLAG(0, "dry-run", &repair.dry_run,
		    "tell what would be changed, write nothing"),
		OPT_CHOICE(0, "strategy", "HOW", &strategy, strategies,
		    "clamp, shift or drop times that go back [clamp]"),
		OPT_FORM(&form),
		OPT_SYNC(&sync),
		OPT_JOB(&repair.job),
		OPT_END
	};
	const int status = opt_parse(cmd, options, &argc, argv);

	if (status != OPT_GO)
		return status;
	repair.account.form = (enum form)form;
	dmtrace_repair_options_init(&repair.options);
	repair.options.time = (enum dmtrace_repair_time)strategy;
	repair.options.flags = sync ? DMTRACE_SYNC : 0;
	return check_and_repair(cmd, &repair, argc, argv);
}

const struct cmd cmd_repair = {
	.name = "repair",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] FILE",
	.summary = "make a valid trace of one that is broken",
	.run = run,
};
