/* cmd_validate.c - check traces against every rule */

#include <dmtrace.h>

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "checks.h"
#include "files.h"
#include "job.h"
#include "mend.h"
#include "msg.h"
#include "rules.h"
#include "viewers.h"

#define SHOWN 3			/* findings of a name, without --all */

static const char *const severities[] = { "note", "warning", "error", NULL };

struct validate {
	struct job job;
	struct rules rules;
	struct viewers viewers;		/* of --for: then verdicts are told */
	struct checks checks;
	unsigned fail_on;		/* enum dmtrace_severity */
	bool all;
	struct dmtrace_file file;	/* the one that is read */
	uint64_t findings[3];		/* in it, by severity */
};

static void
put_place(struct buffer *buffer, const struct dmtrace_finding *finding)
{
	if (finding->place == DMTRACE_PLACE_LINE)
		buffer_printf(buffer, "line %" PRIu64 ": ", finding->at);
	else if (finding->place == DMTRACE_PLACE_OFFSET)
		buffer_printf(buffer, "byte %" PRIu64 ": ", finding->at);
}

static void
put_head(struct validate *validate, struct buffer *buffer)
{
	const char *const name = files_name(&validate->file);

	buffer_text(buffer, text_message, name, strlen(name));
	buffer_string(buffer, ": ");
}

static bool
is_told(const struct validate *validate, const struct rule *rule)
{
	return !validate->job.quiet ||
	    rule->row.severity >= validate->fail_on;
}

static void
put_text(struct validate *validate, const struct rule *rule,
    const struct dmtrace_finding *finding)
{
	struct buffer buffer = { 0 };

	put_head(validate, &buffer);
	put_place(&buffer, finding);
	buffer_printf(&buffer, "%s: %s: %s\n",
	    dmtrace_severity_name(rule->row.severity), finding->name,
	    finding->words);
	checks_put(&validate->checks, &buffer);
}

static void
put_row(struct validate *validate, const struct rule *rule,
    const struct dmtrace_finding *finding, uint64_t count)
{
	struct buffer buffer = { 0 };
	struct row row;

	row_begin(&row, &buffer, (enum form)validate->checks.form);
	row_string(&row, "file", files_name(&validate->file));
	row_string(&row, "name", finding->name);
	row_string(&row, "severity",
	    dmtrace_severity_name(rule->row.severity));
	row_number(&row, "count", count);
	if (finding->place == DMTRACE_PLACE_LINE)
		row_number(&row, "line", finding->at);
	else
		row_absent(&row, "line");
	if (finding->place == DMTRACE_PLACE_OFFSET)
		row_number(&row, "byte", finding->at);
	else
		row_absent(&row, "byte");
	row_string(&row, "words", finding->words);
	row_line(&row);
	checks_flush(&validate->checks, &buffer);
}

/* A dmtrace_finding_fn. */
static void
tell_finding(void *context, const struct dmtrace_finding *finding)
{
	struct validate *const validate = context;
	const struct rule *const rule =
	    rules_count(&validate->rules, finding);

	if (rule == NULL)
		return;
	validate->findings[rule->row.severity]++;
	if (!is_told(validate, rule) || validate->viewers.any)
		return;
	progress_erase(&validate->job.progress);
	if (checks_are_rows(&validate->checks)) {
		if (validate->all)
			put_row(validate, rule, finding, 1);
	} else if (validate->all || rule->count <= SHOWN) {
		put_text(validate, rule, finding);
	}
}

/* What was not told one by one. */
static void
put_counts(struct validate *validate)
{
	for (size_t i = 0; i < validate->rules.count; i++) {
		const struct rule *const rule = &validate->rules.items[i];
		struct buffer buffer = { 0 };

		if (rule->count == 0 || !is_told(validate, rule))
			continue;
		if (checks_are_rows(&validate->checks)) {
			put_row(validate, rule, &rule->first, rule->count);
		} else if (rule->count > SHOWN) {
			put_head(validate, &buffer);
			buffer_printf(&buffer, "%s: %s: %" PRIu64 " more\n",
			    dmtrace_severity_name(rule->row.severity),
			    rule->row.name, rule->count - SHOWN);
			checks_put(&validate->checks, &buffer);
		}
	}
}

/* "2 errors, 1 warning". */
static void
put_sum(struct buffer *buffer, const uint64_t findings[3])
{
	const char *before = "";

	for (int i = DMTRACE_ERROR; i >= DMTRACE_NOTE; i--) {
		if (findings[i] == 0)
			continue;
		buffer_printf(buffer, "%s%" PRIu64 " %s%s", before,
		    findings[i], severities[i], findings[i] == 1 ? "" : "s");
		before = ", ";
	}
}

static bool
is_valid(const struct validate *validate)
{
	uint64_t count = 0;

	for (unsigned i = validate->fail_on; i <= DMTRACE_ERROR; i++)
		count += validate->findings[i];
	return count == 0;
}

static void
put_verdict(struct validate *validate, uint64_t records)
{
	const uint64_t *const findings = validate->findings;
	struct buffer buffer = { 0 };

	if (checks_are_rows(&validate->checks) ||
	    (validate->job.quiet && is_valid(validate)))
		return;
	put_head(validate, &buffer);
	buffer_printf(&buffer, "%s, %" PRIu64 " record%s",
	    is_valid(validate) ? "valid" : "not valid", records,
	    records == 1 ? "" : "s");
	if (findings[0] + findings[1] + findings[2] > 0)
		buffer_string(&buffer, ", ");
	put_sum(&buffer, findings);
	buffer_string(&buffer, "\n");
	checks_put(&validate->checks, &buffer);
}

static int
fail(struct validate *validate)
{
	const struct dmtrace_error *const error =
	    dmtrace_op_error(validate->job.op);

	msg_failure(files_name(&validate->file), error);
	if (checks_are_cases(&validate->checks))
		buffer_printf(&validate->checks.suite.lines, "%s\n",
		    error->words);
	return CMD_TROUBLE;
}

/* What the readers of --for make of it. */
static int
judge_file(struct validate *validate)
{
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_validity validity;
	struct buffer buffer = { 0 };
	const enum dmtrace_status status = dmtrace_judge(validate->job.op,
	    &validate->file, verdicts, &validity);

	progress_erase(&validate->job.progress);
	if (status != DMTRACE_OK)
		return fail(validate);
	const bool all = viewers_put(&buffer,
	    checks_are_rows(&validate->checks) ?
	    (enum form)validate->checks.form : FORM_TEXT,
	    validate->job.quiet, &validate->viewers,
	    files_name(&validate->file), verdicts);
	checks_put(&validate->checks, &buffer);
	return all ? CMD_OK : CMD_NO;
}

static int
validate_file(struct validate *validate)
{
	struct dmtrace_op *const op = validate->job.op;
	struct dmtrace_validity validity;
	const enum dmtrace_status status =
	    dmtrace_validate(op, &validate->file, &validity);

	progress_erase(&validate->job.progress);
	if (!validate->all)
		put_counts(validate);
	if (status != DMTRACE_OK)
		return fail(validate);
	put_verdict(validate, validity.records);
	return is_valid(validate) ? CMD_OK : CMD_NO;
}

static int
check_file(struct validate *validate)
{
	if (files_clash(&validate->file, &validate->checks.out.file))
		return CMD_TROUBLE;
	return validate->viewers.any ? judge_file(validate) :
	    validate_file(validate);
}

static void
take_file(struct validate *validate, const char *name)
{
	validate->file = files_input(name);
	memset(validate->findings, 0, sizeof(validate->findings));
	rules_reset(&validate->rules);
	const int status = check_file(validate);
	validate->job.status = cmd_worse(validate->job.status, status);
	checks_end_case(&validate->checks, files_name(&validate->file),
	    status);
}

static void
put_names(struct validate *validate)
{
	static const char *const names[] = { "file", "name", "severity",
	    "count", "line", "byte", "words" };
	struct buffer buffer = { 0 };

	if (!validate->viewers.any) {
		checks_put_names(&validate->checks, names,
		    sizeof(names) / sizeof(names[0]));
		return;
	}
	viewers_put_names(&buffer, (enum form)validate->checks.form);
	checks_flush(&validate->checks, &buffer);
}

static void
validate_all(struct validate *validate, int argc, char **argv)
{
	put_names(validate);
	for (int i = 0; i < argc; i++)
		take_file(validate, argv[i]);
	checks_end(&validate->checks);
}

static void
put_rule(struct validate *validate, const struct rule *rule)
{
	const char *const severity = rule->disabled ? "disabled" :
	    dmtrace_severity_name(rule->row.severity);
	struct buffer buffer = { 0 };
	struct row row;

	if (validate->checks.form == FORM_TEXT) {
		buffer_printf(&buffer, "%-20s %-8s %-8s %s\n",
		    rule->row.name, severity, rule->row.part,
		    rule->row.words);
	} else {
		row_begin(&row, &buffer, (enum form)validate->checks.form);
		row_string(&row, "name", rule->row.name);
		row_string(&row, "severity", severity);
		row_string(&row, "part", rule->row.part);
		row_string(&row, "words", rule->row.words);
		row_line(&row);
	}
	checks_flush(&validate->checks, &buffer);
}

static void
list_rules(struct validate *validate)
{
	static const char *const names[] =
	    { "name", "severity", "part", "words" };
	struct buffer buffer = { 0 };

	if (validate->viewers.any) {
		viewers_put_rules(&buffer, (enum form)validate->checks.form,
		    &validate->viewers);
		checks_flush(&validate->checks, &buffer);
		return;
	}
	checks_put_names(&validate->checks, names,
	    sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < validate->rules.count; i++)
		put_rule(validate, &validate->rules.items[i]);
}

static int
report(struct validate *validate, const char *output, int argc, char **argv)
{
	if (!job_begin(&validate->job))
		return CMD_TROUBLE;
	dmtrace_op_set_report(validate->job.op, tell_finding, validate);
	if (out_open(&validate->checks.out, output)) {
		if (argc == 0)
			list_rules(validate);
		else
			validate_all(validate, argc, argv);
		validate->job.status = checks_close(&validate->checks,
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
	if (asked->listed && checks_are_cases(&validate->checks))
		return opt_usage(cmd, "rules are no test suite");
	if (asked->fixes && (asked->listed || asked->disabled.count > 0 ||
	    asked->changed.count > 0))
		return opt_usage(cmd, "--fix goes by all rules as they are");
	return OPT_GO;
}

static bool
set_rules(struct validate *validate, const struct asked *asked)
{
	return rules_init(&validate->rules) &&
	    rules_disable(&validate->rules, &asked->disabled) &&
	    rules_set_severity(&validate->rules, &asked->changed) &&
	    viewers_add(&validate->viewers, &asked->viewers);
}

static int
fix_or_report(const struct cmd *cmd, struct validate *validate,
    const struct asked *asked, int argc, char **argv)
{
	const struct mend mend = {
		.job = &validate->job,
		.viewers = &validate->viewers,
		.fail_on = (enum dmtrace_severity)validate->fail_on,
		.form = validate->checks.form,
		.sync = asked->sync,
		.output = asked->output
	};

	if (asked->fixes) {
		const int status = mend_check(cmd, &mend, argc);
		if (status != OPT_GO)
			return status;
	}
	if (!set_rules(validate, asked))
		return CMD_TROUBLE;
	return asked->fixes ? mend_run(&mend, argv[0]) :
	    report(validate, asked->output, argc, argv);
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	struct validate validate = { .fail_on = DMTRACE_ERROR,
	    .checks.suite = { .command = "validate" } };
	struct asked asked = { .output = NULL };
	const struct opt options[] = {
		OPT_FLAG('a', "all", &validate.all,
		    "tell every finding, not the first few of a name"),
		OPT_LIST(0, "disable", "NAME", &asked.disabled,
		    "leave the rule NAME out"),
		OPT_CHOICE(0, "fail-on", "SEVERITY", &validate.fail_on,
		    severities,
		    "exit 1 from note, warning or error on [error]"),
		OPT_FLAG(0, "fix", &asked.fixes,
		    "write to -o a trace that is valid, and read by --for"),
		OPT_LIST(0, "for", "READER", &asked.viewers,
		    "tell what READER,... or all make of the files"),
		OPT_CHECKS_FORM(&validate.checks.form),
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

	if (asked.strict && validate.fail_on > DMTRACE_WARNING)
		validate.fail_on = DMTRACE_WARNING;
	if (status == OPT_GO)
		status = check_asked(cmd, &validate, &asked, argc);
	if (status == OPT_GO)
		status = fix_or_report(cmd, &validate, &asked, argc, argv);
	rules_fini(&validate.rules);
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
