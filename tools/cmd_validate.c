/* cmd_validate.c - check traces against every rule */

#include <dmtrace.h>

#include <string.h>

#include "cli/change_report.h"
#include "cli/cli_files.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "cmd.h"
#include "validate/reader_verdicts.h"
#include "validate/validate_report.h"

static const char *const severities[] = { "note", "warning", "error", NULL };

struct validate {
	struct job job;
	struct dmtrace_file file;	/* the one that is read */
	struct validate_report report;
	struct opt_list disabled, severities, readers;
	bool lists_rules, fixes;
};

/* Reports what cannot be done with --fix; else OPT_GO. */
static int
check_fix_usage(const struct cmd *cmd, const struct validate *validate,
    int argc)
{
	const unsigned form = validate->report.checks.table.form;
	const struct dmtrace_file out = files_output(validate->job.output);

	if (argc != 1)
		return opt_usage(cmd, argc == 0 ? "no trace is named" :
		    "--fix makes one trace of one");
	if (validate->job.output == NULL)
		return opt_usage(cmd, "--fix needs -o: where the trace goes");
	if (form > FORM_JSON)
		return opt_usage(cmd, "--fix is no test suite");
	if (out.path == NULL && form != FORM_TEXT)
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
		    verdict->message);
	else
		msg_error("%s: there is no fix for %s: %s", files_name(in),
		    verdict->rule, verdict->message);
	return CMD_NO;
}

/* With --fix: writes a trace that is valid, and read by all of --for. */
static int
fix_trace(struct validate *validate, const char *operand)
{
	struct job *const job = &validate->job;
	const struct dmtrace_file out = files_output(job->output);
	struct dmtrace_fix_result result = { .fixed = 0 };
	struct dmtrace_fix_options options = { 0 };
	struct change_report report = {
		.job = job,
		.table.form = validate->report.checks.table.form,
		.in = files_input(operand),
		.to_messages = out.path == NULL,
		.nothing =
		    "there was nothing to change: the trace was copied\n"
	};

	options.readers = readers_of(&validate->report.verdicts);
	options.strict = DMTRACE_ERROR - validate->report.fail_on;
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

static int
fail_validate(struct validate *validate)
{
	const struct dmtrace_error *const error =
	    dmtrace_op_error(validate->job.op);

	msg_failure(validate->report.file, error);
	validate_report_fail(&validate->report, error);
	return CMD_TROUBLE;
}

/* With --for: the verdicts of readers. */
static int
validate_operand(struct validate *validate)
{
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_validity validity;
	const enum dmtrace_status status = dmtrace_judge(validate->job.op,
	    &validate->file, verdicts, &validity);

	progress_erase(&validate->job.progress);
	if (status != DMTRACE_OK)
		return fail_validate(validate);
	return validate_report_judged(&validate->report, verdicts) ?
	    CMD_OK : CMD_NO;
}

static int
validate_file(struct validate *validate)
{
	struct validate_report *const report = &validate->report;
	struct dmtrace_validity validity;
	const enum dmtrace_status status = dmtrace_validate(validate->job.op,
	    &validate->file, &validity);

	progress_erase(&validate->job.progress);
	if (!report->all)
		validate_report_counts(report);
	if (status != DMTRACE_OK)
		return fail_validate(validate);
	validate_report_verdict(report, &validity);
	return validate_report_is_valid(report) ? CMD_OK : CMD_NO;
}

static int
check_file(struct validate *validate, const char *operand)
{
	if (files_clash_operand(operand,
	    &validate->report.checks.table.out.file)) {
		validate->report.checks.table.lost = true;
		return CMD_TROUBLE;
	}
	return validate->report.verdicts.any ? validate_operand(validate) :
	    validate_file(validate);
}

static void
check_files(struct validate *validate, int argc, char **argv)
{
	struct validate_report *const report = &validate->report;

	validate_report_begin(report);
	for (int i = 0; i < argc; i++) {
		validate->file = files_input(argv[i]);
		report->file = files_name(&validate->file);
		memset(report->findings, 0, sizeof(report->findings));
		rule_options_reset(&report->rules);
		const int status = check_file(validate, argv[i]);
		validate->job.status =
		    cmd_worse(validate->job.status, status);
		check_report_end_case(&report->checks, report->file, status);
	}
}

static int
print_validate_report(struct validate *validate, int argc, char **argv)
{
	struct validate_report *const report = &validate->report;
	struct job *const job = &validate->job;

	report->quiet = job->quiet;
	report->progress = &job->progress;
	if (!job_begin(job) ||
	    !table_open(&report->checks.table, job->output))
		return CMD_TROUBLE;
	dmtrace_op_set_report(job->op, validate_report_add, report);
	if (validate->lists_rules)
		validate_report_rules(report);
	else
		check_files(validate, argc, argv);
	return check_report_close(&report->checks, job->status);
}

static int
check_validate_usage(const struct cmd *cmd, const struct validate *validate,
    int argc)
{
	if (validate->lists_rules != (argc == 0))
		return opt_usage(cmd, validate->lists_rules ?
		    "--rules takes no file" : "no trace is named");
	if (validate->lists_rules &&
	    check_report_has_cases(&validate->report.checks))
		return opt_usage(cmd, "rules are no test suite");
	if (validate->fixes && (validate->lists_rules ||
	    validate->disabled.count > 0 || validate->severities.count > 0))
		return opt_usage(cmd, "--fix goes by all rules as they are");
	return OPT_GO;
}

static int
fix_or_report(const struct cmd *cmd, struct validate *validate, int argc,
    char **argv)
{
	struct rule_options *const rules = &validate->report.rules;

	if (validate->fixes) {
		const int status = check_fix_usage(cmd, validate, argc);
		if (status != OPT_GO)
			return status;
	}
	if (!rule_options_init(rules) ||
	    !rule_options_disable(rules, &validate->disabled) ||
	    !rule_options_set_severity(rules, &validate->severities) ||
	    !reader_verdicts_add(&validate->report.verdicts,
	    &validate->readers))
		return CMD_TROUBLE;
	return validate->fixes ? fix_trace(validate, argv[0]) :
	    print_validate_report(validate, argc, argv);
}

static int
run_validate(const struct cmd *cmd, int argc, char **argv)
{
	struct validate validate = { .report.fail_on = DMTRACE_ERROR };
	bool strict = false;
	const struct opt options[] = {
		OPT_FLAG('a', "all", &validate.report.all,
		    "print every finding, not one for each name"),
		OPT_LIST(0, "disable", "NAME", &validate.disabled,
		    "do not check the rule NAME"),
		OPT_CHOICE(0, "fail-on", "SEVERITY", &validate.report.fail_on,
		    severities,
		    "exit 1 for a note, warning or error [error]"),
		OPT_FLAG(0, "fix", &validate.fixes,
		    "write a repaired trace to -o (see --for)"),
		OPT_LIST(0, "for", "READER", &validate.readers,
		    "print which of READER,... can read the traces"),
		OPT_CHECK_FORM(&validate.report.checks.table.form),
		OPT_FLAG(0, "rules", &validate.lists_rules, "list the rules"),
		OPT_LIST(0, "severity", "NAME=SEVERITY", &validate.severities,
		    "report NAME as note, warning or error"),
		OPT_FLAG(0, "strict", &strict,
		    "same as --fail-on=warning"),
		OPT_JOB_OUTPUT(&validate.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (strict && validate.report.fail_on > DMTRACE_WARNING)
		validate.report.fail_on = DMTRACE_WARNING;
	if (status == OPT_GO)
		status = check_validate_usage(cmd, &validate, argc);
	if (status == OPT_GO)
		status = fix_or_report(cmd, &validate, argc, argv);
	job_fini(&validate.job);
	rule_options_fini(&validate.report.rules);
	opt_list_fini(&validate.disabled);
	opt_list_fini(&validate.severities);
	opt_list_fini(&validate.readers);
	return status;
}

const struct cmd cmd_validate = {
	.name = "validate",
	.group = "inspect",
	.synopsis = "[OPTION]... TRACE...",
	.summary = "check traces against every rule of the format",
	.run = run_validate,
};
