/* cmd_validate.c - check traces against every rule */

/*
 * The library reports every finding. Findings of rules that --disable names
 * are dropped; --severity changes the severity of a rule. With --all each
 * finding is printed at once; otherwise the first one of each rule is stored,
 * with the number of findings, and printed at the end of the trace. With --for
 * the verdicts of other readers are printed instead
 * (validate/reader_verdicts.c). With --fix a trace without findings is
 * written.
 */

#include <dmtrace.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/change_report.h"
#include "cli/check_report.h"
#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/escapes.h"
#include "cli/job.h"
#include "cli/jobs.h"
#include "cli/msg.h"
#include "cmd.h"
#include "private/suggestion.h"
#include "private/verify.h"
#include "validate/reader_verdicts.h"

static const char *const severities[] = { "note", "warning", "error", NULL };

/* A rule, and what it found in the current trace. */
struct rule_option {
	struct dmt_rule_info row;	/* its severity may have been changed */
	bool disabled;
	uint64_t count;
	struct dmtrace_finding first;	/* its message is stored below */
	char message[DMTRACE_MESSAGE_MAX];
};

struct validate {
	struct job job;
	struct opt_list disabled, severities, readers;
	unsigned fail_on;		/* enum dmtrace_severity */
	bool all;			/* print every finding, not each name
					   once */
	bool lists_rules, fixes;
	uint64_t workers;
	char **files;
	bool counts;			/* workers end cases: count them */

	struct rule_option *rules;
	size_t rule_count;
	struct reader_verdicts verdicts; /* with --for, these are reported */
	struct check_report checks;
	const char *file;		/* name of the trace in the report */
	uint64_t findings[3];		/* number in the trace, by severity */
};

/* The name is the first len bytes of text. */
static struct rule_option *
find_rule_option(const struct validate *validate, const char *text, size_t len)
{
	for (size_t i = 0; i < validate->rule_count; i++) {
		const char *const name = validate->rules[i].row.name;

		if (strncmp(name, text, len) == 0 && name[len] == '\0')
			return &validate->rules[i];
	}
	return NULL;
}

static int
report_no_rule(const struct validate *validate, const char *option,
    const char *text, size_t len)
{
	char name[64], similar[DMT_SUGGESTION_TEXT_MAX];
	struct dmt_suggestion suggestion = { .wanted = name };

	if (len >= sizeof(name))
		len = sizeof(name) - 1;
	memcpy(name, text, len);
	name[len] = '\0';
	for (size_t i = 0; i < validate->rule_count; i++)
		dmt_suggestion_offer(&suggestion, validate->rules[i].row.name);
	msg_error("%s: no rule \"%s\"%s; see --rules", option, name,
	    dmt_suggestion_text(&suggestion, "", similar));
	return CMD_TROUBLE;
}

/* Applies --disable and --severity to the rules. Returns OPT_GO, or
 * CMD_TROUBLE, which was reported. */
static int
set_rules(struct validate *validate)
{
	struct dmt_rule_info row;

	while (dmt_rule_get(validate->rule_count, &row) == 0)
		validate->rule_count++;
	validate->rules = calloc(validate->rule_count,
	    sizeof(*validate->rules));
	if (validate->rules == NULL)
		return msg_fail_memory();
	for (size_t i = 0; i < validate->rule_count; i++)
		dmt_rule_get(i, &validate->rules[i].row);

	for (size_t i = 0; i < validate->disabled.count; i++) {
		const char *const name = validate->disabled.items[i];
		struct rule_option *const rule = find_rule_option(validate,
		    name, strlen(name));

		if (rule == NULL)
			return report_no_rule(validate, "--disable", name,
			    strlen(name));
		rule->disabled = true;
	}

	for (size_t i = 0; i < validate->severities.count; i++) {
		const char *const pair = validate->severities.items[i];
		const size_t len = strcspn(pair, "=");
		struct rule_option *const rule = find_rule_option(validate,
		    pair, len);
		unsigned severity = DMTRACE_NOTE;

		if (rule == NULL)
			return report_no_rule(validate, "--severity", pair,
			    len);
		while (pair[len] == '=' && severity <= DMTRACE_ERROR &&
		    strcmp(pair + len + 1, severities[severity]) != 0)
			severity++;
		if (pair[len] != '=' || severity > DMTRACE_ERROR) {
			msg_error("--severity: \"%s\" is not of the form "
			    "NAME=note, warning or error", pair);
			return CMD_TROUBLE;
		}
		rule->row.severity = (enum dmtrace_severity)severity;
	}
	return OPT_GO;
}

static void
put_file_head(const struct validate *validate, struct dmt_output *buffer)
{
	escape_put(buffer, escape_message, validate->file,
	    strlen(validate->file));
	dmt_put(buffer, ": ");
}

static bool
is_reported(const struct validate *validate, const struct rule_option *rule)
{
	return !validate->job.quiet ||
	    rule->row.severity >= validate->fail_on;
}

static void
put_coloured(const struct validate *validate, struct dmt_output *buffer,
    enum table_colour colour, const char *text)
{
	const struct table *const table = &validate->checks.table;
	char begin[TABLE_COLOUR_MAX], end[TABLE_COLOUR_MAX];

	if (colour == TABLE_DEFAULT)
		dmt_put(buffer, text);
	else
		dmt_put_format(buffer, "%s%s%s",
		    table_colour_text(table, begin, colour), text,
		    table_colour_text(table, end, TABLE_DEFAULT));
}

static void
put_finding(struct validate *validate, const struct rule_option *rule,
    const struct dmtrace_finding *finding, uint64_t count)
{
	static const enum table_colour colours[] = {
		[DMTRACE_NOTE] = TABLE_DEFAULT,
		[DMTRACE_WARNING] = TABLE_YELLOW,
		[DMTRACE_ERROR] = TABLE_RED,
	};
	const char *const severity = dmtrace_severity_name(rule->row.severity);
	struct table *const table = &validate->checks.table;
	struct dmt_output buffer = { 0 };
	char number[COUNT_MAX], place[PLACE_MAX];

	if (table_has_rows(table)) {
		table_string(table, validate->file);
		table_string(table, finding->name);
		table_string(table, severity);
		table_number(table, count);
		table_place_cells(table, finding->place, finding->at);
		table_string(table, finding->message);
		table_absent(table, 2);
		table_end_row(table);
		table_flush(table);
		return;
	}
	put_file_head(validate, &buffer);
	dmt_put(&buffer, place_format(place, finding->place, finding->at));
	put_coloured(validate, &buffer, colours[rule->row.severity], severity);
	dmt_put_format(&buffer, ": %s: ", finding->name);
	escape_put(&buffer, escape_message, finding->message,
	    strlen(finding->message));
	if (count > 1)
		dmt_put_format(&buffer, " (the first of %s)",
		    count_format(number, count));
	dmt_put(&buffer, "\n");
	check_report_put_lines(&validate->checks, &buffer);
}

/* A dmtrace_finding_fn. */
static void
add_finding(void *context, const struct dmtrace_finding *finding)
{
	struct validate *const validate = context;
	struct rule_option *const rule = find_rule_option(validate,
	    finding->name, strlen(finding->name));

	if (rule == NULL || rule->disabled)
		return;
	if (rule->count++ == 0) {
		rule->first = *finding;
		rule->first.message = strcpy(rule->message, finding->message);
	}
	validate->findings[rule->row.severity]++;
	if (validate->all && is_reported(validate, rule) &&
	    !validate->verdicts.any) {
		progress_erase(&validate->job.progress);
		put_finding(validate, rule, finding, 1);
	}
}

/* Prints the row of a trace; error is NULL if it was read. */
static void
put_trace_row(struct table *table, const char *file, const char *result,
    uint64_t records, const struct dmtrace_error *error)
{
	table_string(table, file);
	table_absent(table, 3);
	table_place_cells(table, error == NULL ? DMTRACE_PLACE_NONE :
	    error->place, error == NULL ? 0 : error->at);
	table_string(table, error == NULL ? NULL : error->message);
	table_string(table, result);
	table_number_if(table, error == NULL, records);
	table_end_row(table);
	table_flush(table);
}

/* Writes "app.trace: not valid, 1,234 events, 2 errors, 1 warning". */
static void
put_validity(struct validate *validate,
    const struct dmtrace_validity *validity, bool valid)
{
	const uint64_t records = validity->records;
	struct dmt_output buffer = { 0 };
	char count[COUNT_MAX];

	if (table_has_rows(&validate->checks.table)) {
		put_trace_row(&validate->checks.table, validate->file,
		    valid ? "valid" : "invalid", records, NULL);
		return;
	}
	if (validate->job.quiet && valid)
		return;
	put_file_head(validate, &buffer);
	put_coloured(validate, &buffer, valid ? TABLE_DEFAULT : TABLE_RED,
	    valid ? "valid" : "not valid");
	dmt_put_format(&buffer, ", %s %s", count_format(count, records),
	    validity->is_eventlog ? records == 1 ? "entry" : "entries" :
	    records == 1 ? "event" : "events");
	for (int i = DMTRACE_ERROR; i >= DMTRACE_NOTE; i--)
		if (validate->findings[i] > 0)
			dmt_put_format(&buffer, ", %s %s%s",
			    count_format(count, validate->findings[i]),
			    severities[i],
			    validate->findings[i] == 1 ? "" : "s");
	dmt_put(&buffer, "\n");
	check_report_set_message(&validate->checks, &buffer);
	check_report_put_lines(&validate->checks, &buffer);
}

/* Reports that the trace could not be read. */
static int
fail_validate(struct validate *validate, const struct dmtrace_file *in)
{
	const struct dmtrace_error *const error =
	    dmtrace_op_error(validate->job.op);
	struct table *const table = &validate->checks.table;
	struct dmt_output buffer = { 0 };

	msg_failure(files_name(in), error);
	if (table_has_rows(table) && validate->verdicts.any) {
		reader_verdicts_put_unreadable(table, validate->file,
		    error->message);
	} else if (table_has_rows(table)) {
		put_trace_row(table, validate->file, "unreadable", 0, error);
	} else if (table_shows_errors(table)) {
		put_file_head(validate, &buffer);
		put_coloured(validate, &buffer, TABLE_RED, "unreadable");
		dmt_put(&buffer, ": ");
		escape_put(&buffer, escape_message, error->message,
		    strlen(error->message));
		dmt_put(&buffer, "\n");
		check_report_set_message(&validate->checks, &buffer);
		check_report_put_lines(&validate->checks, &buffer);
	}
	return CMD_TROUBLE;
}

/* Reports the findings of a trace or, with --for, the verdicts of readers.
 * Returns an exit status. */
static int
report_trace(struct validate *validate, const struct dmtrace_file *in)
{
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_validity validity;
	uint64_t failures = 0;

	memset(validate->findings, 0, sizeof(validate->findings));
	for (size_t i = 0; i < validate->rule_count; i++)
		validate->rules[i].count = 0;
	const enum dmtrace_status status = validate->verdicts.any ?
	    dmtrace_judge(validate->job.op, in, verdicts, &validity) :
	    dmtrace_validate(validate->job.op, in, &validity);
	progress_erase(&validate->job.progress);

	if (validate->verdicts.any) {
		if (status != DMTRACE_OK)
			return fail_validate(validate, in);
		return reader_verdicts_put(&validate->checks,
		    validate->job.quiet, &validate->verdicts, validate->file,
		    verdicts) ? CMD_OK : CMD_NO;
	}

	for (size_t i = 0; i < validate->rule_count && !validate->all; i++) {
		const struct rule_option *const rule = &validate->rules[i];

		if (rule->count > 0 && is_reported(validate, rule))
			put_finding(validate, rule, &rule->first, rule->count);
	}
	if (status != DMTRACE_OK)
		return fail_validate(validate, in);
	for (unsigned i = validate->fail_on; i <= DMTRACE_ERROR; i++)
		failures += validate->findings[i];
	put_validity(validate, &validity, failures == 0);
	return failures == 0 ? CMD_OK : CMD_NO;
}

/* Handles --rules: prints the rules or, with --for, the rules that matter to
 * these readers. */
static void
print_rules(struct validate *validate)
{
	static const char *const columns[] =
	    { "finding", "severity", "part", "description", NULL };
	struct table *const table = &validate->checks.table;
	size_t width = 0;

	if (validate->verdicts.any) {
		reader_verdicts_put_rules(table, &validate->verdicts);
		return;
	}
	table_set_columns(table, columns);
	for (size_t i = 0; i < validate->rule_count; i++) {
		const size_t len = strlen(validate->rules[i].row.name);

		width = len > width ? len : width;
	}
	for (size_t i = 0; i < validate->rule_count; i++) {
		const struct rule_option *const rule = &validate->rules[i];
		const char *const severity = rule->disabled ? "disabled" :
		    dmtrace_severity_name(rule->row.severity);

		if (table->form == FORM_TEXT) {
			dmt_put_format(&table->buffer, "%-*s %-8s %-8s %s\n",
			    (int)width, rule->row.name, severity,
			    rule->row.part, rule->row.description);
			continue;
		}
		table_string(table, rule->row.name);
		table_string(table, severity);
		table_string(table, rule->row.part);
		table_string(table, rule->row.description);
		table_end_row(table);
	}
	table_flush(table);
}

static int
handle_trace(void *context, size_t index)
{
	struct validate *const validate = context;
	struct check_report *const checks = &validate->checks;
	const char *const operand = validate->files[index];
	const struct dmtrace_file in = files_input(operand);
	int status = CMD_TROUBLE;

	validate->file = table_has_rows(&checks->table) ? operand :
	    files_name(&in);
	if (files_clash_operand(operand, &checks->table.out.file))
		checks->table.lost = true;
	else
		status = report_trace(validate, &in);
	check_report_end_case(checks, validate->file, status);
	return status;
}

static void
count_status(void *context, size_t index, int status)
{
	struct validate *const validate = context;

	(void)index;
	if (validate->counts)
		check_report_count(&validate->checks, status);
}

static void
begin_part(void *context, size_t first, int fd)
{
	check_report_begin_part(&((struct validate *)context)->checks, first,
	    fd);
}

static bool
end_part(void *context)
{
	return check_report_end_part(&((struct validate *)context)->checks);
}

static void
take_part(void *context, const char *bytes, size_t len)
{
	check_report_take_part(&((struct validate *)context)->checks, bytes,
	    len);
}

static int
report_traces(struct validate *validate, int argc, char **argv)
{
	static const char *const columns[] = { "file", "finding", "severity",
	    "count", "line", "byte", "message", "result", "events", NULL };
	struct job *const job = &validate->job;
	struct check_report *const checks = &validate->checks;

	if (!job_begin(job) || !table_open(&checks->table, job->output))
		return CMD_TROUBLE;
	dmtrace_op_set_report(job->op, add_finding, validate);
	if (validate->lists_rules) {
		print_rules(validate);
		return check_report_close(checks, job->status);
	}

	checks->command = "validate";
	checks->failure = validate->verdicts.any ? "refused" : "invalid";
	table_set_columns(&checks->table, validate->verdicts.any ?
	    reader_verdicts_columns : columns);
	table_use_colours(&checks->table);
	validate->files = argv;
	validate->counts = validate->workers > 1 && argc > 1;
	const struct jobs jobs = {
		.operands = (size_t)argc, .workers = validate->workers,
		.context = validate, .status = &job->status,
		.progress = &job->progress, .handle = handle_trace,
		.begin = begin_part, .end = end_part, .take = take_part,
		.note = count_status
	};
	job->progress.files = validate->counts;
	checks->table.lost |= !jobs_run(&jobs);
	progress_erase(&job->progress);
	return check_report_close(checks, job->status);
}

/* Handles --fix: writes a trace that is valid, and that all readers of --for
 * can read. */
static int
fix_trace(struct validate *validate, const char *operand)
{
	struct job *const job = &validate->job;
	const struct dmtrace_file out = files_output(job->output);
	struct dmtrace_fix_result result = { .fixed = 0 };
	struct change_report report = {
		.job = job,
		.table.form = validate->checks.table.form,
		.in = files_input(operand),
		.to_messages = out.path == NULL,
		.nothing =
		    "there was nothing to change: the trace was copied\n"
	};
	struct dmtrace_fix_options options = {
		.strict = DMTRACE_ERROR - validate->fail_on,
		.flags = job->sync ? DMTRACE_SYNC : 0,
		.change = change_report_add, .context = &report
	};

	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if (validate->verdicts.asked[i])
			options.readers |= DMTRACE_READER_BIT(i);
	if (files_clash_halves(operand, &out) || !job_begin(job))
		return CMD_TROUBLE;
	dmtrace_op_set_report(job->op, NULL, NULL);
	job->target = &out;
	change_report_begin(&report);
	const int status = job_end(job, dmtrace_fix(job->op, &report.in,
	    &out, &options, &result));
	change_report_end(&report, result.fixed ? status : CMD_TROUBLE);
	if (status != CMD_OK || result.fixed)
		return status;

	const struct dmtrace_verdict *const verdict = &result.verdict;
	const char *const name = files_name(&report.in);

	if (result.reader < DMTRACE_READERS)
		msg_error("%s: there is no fix: %s %s: %s: %s", name,
		    dmtrace_other_reader_name(result.reader),
		    dmtrace_reception_name(verdict->reception), verdict->rule,
		    verdict->message);
	else
		msg_error("%s: there is no fix for %s: %s", name,
		    verdict->rule, verdict->message);
	return CMD_NO;
}

static int
check_usage(const struct cmd *cmd, const struct validate *validate,
    int argc)
{
	const unsigned form = validate->checks.table.form;
	const struct dmtrace_file out = files_output(validate->job.output);

	if (validate->lists_rules != (argc == 0))
		return opt_usage(cmd, validate->lists_rules ?
		    "--rules takes no file" : "no trace is named");
	if (validate->lists_rules && form > FORM_JSON)
		return opt_usage(cmd, "--rules cannot be printed as tests");
	if (!validate->fixes && validate->readers.count > 0 &&
	    (validate->all || validate->disabled.count > 0 ||
	    validate->severities.count > 0 ||
	    validate->fail_on != DMTRACE_ERROR))
		return opt_usage(cmd, "--for prints no findings: it cannot be "
		    "used with -a, --disable, --severity, --fail-on or "
		    "--strict");
	if (!validate->fixes)
		return OPT_GO;
	if (validate->lists_rules || validate->disabled.count > 0 ||
	    validate->severities.count > 0)
		return opt_usage(cmd, "--fix cannot be used with --rules, "
		    "--disable or --severity");
	if (argc != 1)
		return opt_usage(cmd, "--fix takes one trace");
	if (validate->job.output == NULL)
		return opt_usage(cmd, "--fix needs -o for the trace");
	if (form > FORM_JSON)
		return opt_usage(cmd, "--fix cannot be reported as tests");
	if (out.path == NULL && form != FORM_TEXT)
		return opt_usage(cmd, "-f needs another -o: the trace goes to"
		    " standard output");
	return files_terminal(&out) ? CMD_TROUBLE : OPT_GO;
}

static int
run_validate(const struct cmd *cmd, int argc, char **argv)
{
	struct validate validate = {
		.fail_on = DMTRACE_ERROR, .workers = 1
	};
	bool strict = false;
	const char *readers[DMTRACE_READERS + 2] = { "all" };

	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		readers[i + 1] = dmtrace_other_reader_name(
		    (enum dmtrace_other_reader)i);
	const struct opt options[] = {
		OPT_FLAG('a', "all", &validate.all,
		    "print every finding, not one for each name"),
		OPT_LIST(0, "disable", "NAME", &validate.disabled,
		    "do not check the rule NAME"),
		OPT_CHOICE(0, "fail-on", "SEVERITY", &validate.fail_on,
		    severities,
		    "exit 1 for a note, warning or error [error]"),
		OPT_FLAG(0, "fix", &validate.fixes,
		    "write a repaired trace to -o (see --for)"),
		OPT_LIST_LIKE(0, "for", "READER", &validate.readers, readers,
		    "print which of READER,... can read the traces"),
		OPT_CHECK_FORM(&validate.checks.table.form),
		OPT_JOBS(&validate.workers),
		OPT_FLAG(0, "rules", &validate.lists_rules, "list the rules"),
		OPT_LIST(0, "severity", "NAME=SEVERITY", &validate.severities,
		    "report NAME as note, warning or error"),
		OPT_FLAG(0, "strict", &strict,
		    "same as --fail-on=warning"),
		OPT_REFUSED('d', "dialect",
		    "--fix keeps the dialect; \"dmtrace convert -d\" reads "
		    "the output"),
		OPT_JOB_OUTPUT(&validate.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (strict && validate.fail_on > DMTRACE_WARNING)
		validate.fail_on = DMTRACE_WARNING;
	if (status == OPT_GO)
		status = check_usage(cmd, &validate, argc);
	if (status == OPT_GO)
		status = set_rules(&validate);
	if (status == OPT_GO &&
	    !reader_verdicts_add(&validate.verdicts, &validate.readers))
		status = CMD_TROUBLE;
	if (status == OPT_GO)
		status = validate.fixes ? fix_trace(&validate, argv[0]) :
		    report_traces(&validate, argc, argv);
	job_fini(&validate.job);
	free(validate.rules);
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
	.examples = {
		"dmtrace validate --for=all app.trace",
		"dmtrace validate --fix --for=studio,perfetto -o "
		"fixed.trace app.trace",
	},
	.run = run_validate,
};
