/* validate_fix.c - validate --fix: a trace that the readers of --for take */

#include "validate/validate_fix.h"

#include "cli/change_report.h"
#include "cli/cli_files.h"
#include "cli/msg.h"

int
validate_fix_check(const struct cmd *cmd, const struct validate_fix *mend,
    int argc)
{
	const struct dmtrace_file out = files_output(mend->output);

	if (argc != 1)
		return opt_usage(cmd, argc == 0 ? "no trace is named" :
		    "--fix makes one trace of one");
	if (mend->output == NULL)
		return opt_usage(cmd, "--fix needs -o: where the trace goes");
	if (mend->form > FORM_JSON)
		return opt_usage(cmd, "--fix is no test suite");
	if (out.path == NULL && mend->form != FORM_TEXT)
		return opt_usage(cmd, "-f needs another -o: the trace goes to"
		    " standard output");
	return files_terminal(&out) ? CMD_TROUBLE : OPT_GO;
}

static unsigned
readers_of(const struct reader_verdicts *viewers)
{
	unsigned readers = 0;

	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if (viewers->asked[i])
			readers |= DMTRACE_READER_BIT(i);
	return readers;
}

/* There is no fix. */
static int
refuse(const struct dmtrace_file *in, const struct dmtrace_fix_result *result)
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

static int
fix(const struct validate_fix *mend, struct change_report *account)
{
	const struct dmtrace_file out = files_output(mend->output);
	struct dmtrace_fix_result result = { .fixed = 0 };
	struct dmtrace_fix_options options;

	dmtrace_fix_options_init(&options);
	options.readers = readers_of(mend->viewers);
	options.fail_on = mend->fail_on;
	options.flags = mend->sync ? DMTRACE_SYNC : 0;
	options.change = change_report_add;
	options.context = account;
	if (!job_begin(mend->job))
		return CMD_TROUBLE;
	dmtrace_op_set_report(mend->job->op, NULL, NULL);
	mend->job->out = &out;
	account->nothing =
	    "there was nothing to change, the trace was copied\n";
	change_report_begin(account);
	const int status = job_end(mend->job, dmtrace_fix(mend->job->op,
	    &account->in, &out, &options, &result));
	if (status != CMD_OK)
		return status;
	return result.fixed ? status : refuse(&account->in, &result);
}

int
validate_fix_run(const struct validate_fix *mend, const char *input)
{
	struct change_report account = {
		.job = mend->job,
		.form = (enum form)mend->form,
		.in = files_input(input),
		.to_messages = files_output(mend->output).path == NULL
	};
	const int status = fix(mend, &account);

	change_report_fini(&account);
	return status;
}
