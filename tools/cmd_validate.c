/* cmd_validate.c - check traces against every rule */

#include <dmtrace.h>

#include <string.h>

#include "cli/cli_files.h"
#include "cli/job.h"
#include "cli/merge_operands.h"
#include "cli/msg.h"
#include "validate/validate_fix.h"
#include "validate/validate_report.h"

static const char *const severities[] = { "note", "warning", "error", NULL };

struct validate {
	struct job job;
	struct dmtrace_file file;	/* the one that is read */
	struct validate_report report;
};

static int
fail(struct validate *validate)
{
	const struct dmtrace_error *const error =
	    dmtrace_op_error(validate->job.op);

	msg_failure(validate->report.file, error);
	validate_report_fail(&validate->report, error);
	return CMD_TROUBLE;
}

/* What the readers of --for make of it. */
static int
judge_file(struct validate *validate)
{
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_validity validity;
	const enum dmtrace_status status = dmtrace_judge(validate->job.op,
	    &validate->file, verdicts, &validity);

	progress_erase(&validate->job.progress);
	if (status != DMTRACE_OK)
		return fail(validate);
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
		return fail(validate);
	validate_report_verdict(report, validity.records);
	return validate_report_is_valid(report) ? CMD_OK : CMD_NO;
}

static int
check_file(struct validate *validate, const char *operand)
{
	if (files_clash_operand(operand,
	    &validate->report.checks.out.file)) {
		validate->report.checks.lost = true;
		return CMD_TROUBLE;
	}
	return validate->report.viewers.any ? judge_file(validate) :
	    validate_file(validate);
}

static void
take_file(struct validate *validate, const char *name)
{
	struct validate_report *const report = &validate->report;

	validate->file = files_input(name);
	report->file = files_name(&validate->file);
	memset(report->findings, 0, sizeof(report->findings));
	rule_options_reset(&report->rules);
	const int status = check_file(validate, name);
	validate->job.status = cmd_worse(validate->job.status, status);
	check_report_end_case(&report->checks, report->file, status);
}

static void
validate_all(struct validate *validate, int argc, char **argv)
{
	validate_report_begin(&validate->report);
	for (int i = 0; i < argc; i++)
		take_file(validate, argv[i]);
	check_report_end(&validate->report.checks);
}

static int
report(struct validate *validate, const char *output, int argc, char **argv)
{
	validate->report.quiet = validate->job.quiet;
	validate->report.progress = &validate->job.progress;
	if (!job_begin(&validate->job))
		return CMD_TROUBLE;
	dmtrace_op_set_report(validate->job.op, validate_report_add,
	    &validate->report);
	if (out_open(&validate->report.checks.out, output)) {
		if (argc == 0)
			validate_report_rules(&validate->report);
		else
			validate_all(validate, argc, argv);
		validate->job.status =
		    check_report_close(&validate->report.checks,
		    validate->job.status);
	} else {
		validate->job.status = CMD_TROUBLE;
	}
	dmtrace_op_free(validate->job.op);
	return validate->job.status;
}

/* What is asked besides, as the options have it. */
struct asked {
	struct opt_list disabled, changed, viewers;
	const char *output;
	bool strict, listed, fixes, sync;
};

/* OPT_GO, or the exit status of what does not go together. */
static int
check_asked(const struct cmd *cmd, const struct validate *validate,
    const struct asked *asked, int argc)
{
	if (asked->listed != (argc == 0))
		return opt_usage(cmd, asked->listed ?
		    "--rules takes no file" : "no trace is named");
	if (asked->listed && check_report_are_cases(&validate->report.checks))
		return opt_usage(cmd, "rules are no test suite");
	if (asked->fixes && (asked->listed || asked->disabled.count > 0 ||
	    asked->changed.count > 0))
		return opt_usage(cmd, "--fix goes by all rules as they are");
	return OPT_GO;
}

static bool
set_rules(struct validate *validate, const struct asked *asked)
{
	struct rule_options *const rules = &validate->report.rules;

	return rule_options_init(rules) && rule_options_disable(rules,
	    &asked->disabled) &&
	    rule_options_set_severity(rules, &asked->changed) &&
	    reader_verdicts_add(&validate->report.viewers, &asked->viewers);
}

static int
fix_or_report(const struct cmd *cmd, struct validate *validate,
    const struct asked *asked, int argc, char **argv)
{
	const struct validate_fix mend = {
		.job = &validate->job,
		.viewers = &validate->report.viewers,
		.fail_on = (enum dmtrace_severity)validate->report.fail_on,
		.form = validate->report.checks.form,
		.sync = asked->sync,
		.output = asked->output
	};

	if (asked->fixes) {
		const int status = validate_fix_check(cmd, &mend, argc);
		if (status != OPT_GO)
			return status;
	}
	if (!set_rules(validate, asked))
		return CMD_TROUBLE;
	return asked->fixes ? validate_fix_run(&mend, argv[0]) :
	    report(validate, asked->output, argc, argv);
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	struct validate validate = { .report.fail_on = DMTRACE_ERROR };
	struct asked asked = { .output = NULL };
	const struct opt options[] = {
		OPT_FLAG('a', "all", &validate.report.all,
		    "print every finding, not each name once"),
		OPT_LIST(0, "disable", "NAME", &asked.disabled,
		    "leave the rule NAME out"),
		OPT_CHOICE(0, "fail-on", "SEVERITY", &validate.report.fail_on,
		    severities,
		    "exit 1 from note, warning or error on [error]"),
		OPT_FLAG(0, "fix", &asked.fixes,
		    "write to -o a trace that is valid, and read by --for"),
		OPT_LIST(0, "for", "READER", &asked.viewers,
		    "tell what READER,... or all make of the files"),
		OPT_CHECKS_FORM(&validate.report.checks.form),
		OPT_OUTPUT(&asked.output),
		OPT_JOB(&validate.job),
		OPT_FLAG(0, "rules", &asked.listed, "list the rules"),
		OPT_LIST(0, "severity", "NAME=SEVERITY", &asked.changed,
		    "make findings of NAME notes, warnings or errors"),
		OPT_FLAG(0, "strict", &asked.strict,
		    "the same as --fail-on=warning"),
		OPT_SYNC(&asked.sync),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (asked.strict && validate.report.fail_on > DMTRACE_WARNING)
		validate.report.fail_on = DMTRACE_WARNING;
	if (status == OPT_GO)
		status = check_asked(cmd, &validate, &asked, argc);
	if (status == OPT_GO)
		status = fix_or_report(cmd, &validate, &asked, argc, argv);
	rule_options_fini(&validate.report.rules);
	opt_list_fini(&asked.disabled);
	opt_list_fini(&asked.changed);
	opt_list_fini(&asked.viewers);
	return status;
}

const struct cmd cmd_validate = {
	.name = "validate",
	.group = "look",
	.synopsis = "[OPTION]... TRACE...",
	.summary = "check traces against every rule",
	.run = run,
};
