/* validate_fix.c - validate --fix: a trace that the readers of --for take */

#include "validate/validate_fix.h"

#include "cli/change_report.h"
#include "cli/cli_files.h"
#include "cli/msg.h"

int
validate_fix_check(const struct cmd *cmd, const struct validate_fix *fix,
    int argc)
{
	const struct dmtrace_file out = files_output(fix->output);

	if (argc != 1)
		return opt_usage(cmd, argc == 0 ? "no trace is named" :
		    "--fix makes one trace of one");
	if (fix->output == NULL)
		return opt_usage(cmd, "--fix needs -o: where the trace goes");
	if (fix->form > FORM_JSON)
		return opt_usage(cmd, "--fix is no test suite");
	if (out.path == NULL && fix->form != FORM_TEXT)
		return opt_usage(cmd, "-f needs another -o: the trace goes to"
		    " standard output");
	return files_terminal(&out) ? CMD_TROUBLE : OPT_GO;
}

static unsigned
readers_of(const struct reader_verdicts *verdicts)
{
	unsigned readers = 0;

	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if (verdicts->asked[i])
			readers |= DMTRACE_READER_BIT(i);
	return readers;
}

static int
report_no_fix(const struct dmtrace_file *in,
    const struct dmtrace_fix_result *result)
{
	const struct dmtrace_verdict *const verdict = &result->verdict;

	if (result->reader < DMTRACE_READERS)
		msg_error("%s: there is no fix: %s %s: %s: %s",
		    files_name(in), dmtrace_other_reader_name(result->reader),
		    dmtrace_reception_name(verdict->reception), verdict->rule,
		    verdict->words);
	else
		msg_error("%s: there is no fix for %s: %s", files_name(in),
		    verdict->rule, verdict->words);
	return CMD_NO;
}

int
validate_fix_run(const struct validate_fix *fix, const char *input)
{
	struct job *const job = fix->job;
	const struct dmtrace_file out = files_output(fix->output);
	struct dmtrace_fix_result result = { .fixed = 0 };
	struct dmtrace_fix_options options;
	struct change_report report = {
		.job = job,
		.table.form = fix->form,
		.in = files_input(input),
		.to_messages = out.path == NULL,
		.nothing =
		    "there was nothing to change, the trace was copied\n"
	};

	dmtrace_fix_options_init(&options);
	options.readers = readers_of(fix->verdicts);
	options.fail_on = fix->fail_on;
	options.flags = job->sync ? DMTRACE_SYNC : 0;
	options.change = change_report_add;
	options.context = &report;
	if (!job_begin(job))
		return CMD_TROUBLE;
	dmtrace_op_set_report(job->op, NULL, NULL);
	job->target = &out;
	change_report_begin(&report);
	const int status = job_end(job, dmtrace_fix(job->op, &report.in,
	    &out, &options, &result));
	change_report_fini(&report);
	if (status != CMD_OK)
		return status;
	return result.fixed ? status : report_no_fix(&report.in, &result);
}
