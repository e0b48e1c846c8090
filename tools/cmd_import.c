/* cmd_import.c - make a trace of the output of another program */

#include <dmtrace.h>

#include <inttypes.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "private/import.h"
#include "private/trace.h"

/* After the last index. */
#define DIALECT_ANY DMT_DIALECTS
#define FORMAT_ANY DMTRACE_IMPORT_LINES
#define UNIT_ANY 4

static const char *const unit_words[] = { "ns", "us", "ms", "s", NULL };

static const uint64_t units_ns[] = { 1, 1000, 1000000, 1000000000 };

/* Reports what was lost or changed. */
static void
report_import(const struct dmtrace_import_result *result)
{
	const struct {
		uint64_t count;
		const char *what;
	} rows[] = {
		{ result->open, "calls without an end stay open" },
		{ result->strays, "ends of calls that are not open are left "
		    "out" },
		{ result->unwound, "calls end with the call around them" },
		{ result->overlapping, "calls that end after the call around "
		    "them are cut at its end" },
		{ result->cpu_invented, "events got their wall time as CPU "
		    "time" },
		{ result->rounded, "times are rounded down to microseconds" },
		{ result->renumbered, "threads were renumbered" },
		{ result->reidentified, "methods have another id" },
		{ result->cpu_raised, "CPU times that went back are those of "
		    "the event before" },
		{ result->raised, "times that went back in their thread are "
		    "those of the event before" },
		{ result->renamed, "names were changed: a tab is written as "
		    "\\t, for example" },
		{ result->async, "asynchronous events are left out" },
		{ result->counters, "values of counters are left out" },
		{ result->undefined, "events whose name, track or clock the "
		    "file does not define are left out" },
		{ result->lost, "events or samples were lost before, as the "
		    "file says" },
		{ result->arguments, "calls lost their arguments" },
		{ result->outside_ns, "nanoseconds outside of calls are "
		    "left out" },
	};
	char count[COUNT_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].count > 0)
			msg_note("note: %s: %s", rows[i].what,
			    count_format(count, rows[i].count));
	for (size_t i = 0; i < DMTRACE_IMPORT_DROPPED &&
	    result->dropped[i].kind != NULL; i++)
		msg_note("note: %s are left out: %s", result->dropped[i].kind,
		    count_format(count, result->dropped[i].count));
	if (result->sampled_ns > 0)
		msg_note("note: calls are made of %s samples, about one every "
		    "%" PRIu64 " us: their counts are estimates",
		    count_format(count, result->samples),
		    (result->sampled_ns + 999) / 1000);
	if (result->cpu_dropped)
		msg_note("note: CPU times are left out: some events, or the "
		    "dialect, have none");
	if (result->truncated && !result->cut)
		msg_warning("warning: the text ends within its events");
}

static int
import_file(struct job *job, const struct dmtrace_import_options *options,
    const char *operand)
{
	const struct dmtrace_file in = files_input(operand);
	struct dmtrace_import_result result;

	job->out = files_output(job->output);
	job->target = &job->out;
	if (files_clash_halves(operand, &job->out) ||
	    files_terminal(&job->out) ||
	    !job_begin(job))
		return CMD_TROUBLE;
	const enum dmtrace_status done = dmtrace_import(job->op, &in,
	    &job->out, options, &result);
	const int status = job_end(job, done);
	if (status != CMD_OK || done != DMTRACE_OK)
		return status;
	if (!job->quiet)
		report_import(&result);
	if (!result.cut && !result.followed)
		return CMD_OK;
	if (result.followed)
		msg_error("%s: byte %" PRIu64 ": what begins here cannot "
		    "follow the events; what precedes it is imported",
		    files_name(&in), result.cut_at);
	else if (result.cut_line > 0)
		msg_error("%s: line %" PRIu64 ": the file ends within this "
		    "line, as it has no newline; what precedes it is imported",
		    files_name(&in), result.cut_line);
	else
		msg_error("%s: byte %" PRIu64 ": the file ends within an "
		    "event, packet, record or what holds them; what precedes "
		    "it is imported",
		    files_name(&in), result.cut_at);
	return CMD_NO;
}

/* What the options say about the format. An option that only one format has
 * names it. */
struct input_form {
	unsigned format, unit;
	bool per_thread;
	const char *lines, *fields, *enter_words, *exit_words;
};

/* Completes and checks the format. Returns OPT_GO or CMD_TROUBLE. */
static int
check_form(const struct cmd *cmd, struct input_form *form)
{
	const bool has_lines = form->fields != NULL ||
	    form->enter_words != NULL || form->exit_words != NULL;

	if (form->format == FORMAT_ANY && form->lines != NULL)
		form->format = DMTRACE_IMPORT_LINES - 1;
	if (form->format == FORMAT_ANY &&
	    (form->per_thread || form->unit != UNIT_ANY))
		form->format = DMTRACE_IMPORT_COLLAPSED - 1;
	const bool is_lines = form->format == DMTRACE_IMPORT_LINES - 1;
	const bool is_collapsed =
	    form->format == DMTRACE_IMPORT_COLLAPSED - 1;
	if (is_lines && form->lines == NULL)
		return opt_usage(cmd, "lines need a pattern: --lines=ERE");
	if (is_lines && form->fields == NULL)
		return opt_usage(cmd, "--lines needs the names of its groups: "
		    "--fields=time,action,method, for example");
	if (!is_lines && (form->lines != NULL || has_lines))
		return opt_usage(cmd,
		    "--fields, --enter and --exit need --lines");
	if (!is_collapsed && form->per_thread)
		return opt_usage(cmd,
		    "--per-thread needs --from-format=collapsed");
	if (!is_collapsed && !is_lines && form->unit != UNIT_ANY)
		return opt_usage(cmd,
		    "--unit needs --from-format=collapsed or --lines");
	return OPT_GO;
}

static int
run_import(const struct cmd *cmd, int argc, char **argv)
{
	struct job job = { .output = NULL };
	struct input_form form = { .format = FORMAT_ANY, .unit = UNIT_ANY };
	unsigned dialect = DIALECT_ANY;
	const struct opt options[] = {
		OPT_GROUP("Input"),
		OPT_CHOICE(0, "from-format", "FORMAT", &form.format,
		    dmt_import_names,
		    "the format of FILE [by its contents]"),
		OPT_CHOICE(0, "unit", "UNIT", &form.unit, unit_words,
		    "of numbers in collapsed [ns] or lines [s]"),
		OPT_FLAG(0, "per-thread", &form.per_thread,
		    "collapsed: the first frame of a path is its thread"),
		OPT_STRING(0, "lines", "ERE", &form.lines,
		    "read the lines that match, by their groups:"),
		OPT_STRING(0, "fields", "NAMES", &form.fields,
		    "time,thread,action,method,class,signature,duration"),
		OPT_STRING(0, "enter", "WORDS", &form.enter_words,
		    "actions that are an enter, such as begin,call"),
		OPT_STRING(0, "exit", "WORDS", &form.exit_words,
		    "actions that are an exit"),
		OPT_GROUP("Output"),
		OPT_CHOICE('d', "dialect", "NAME", &dialect,
		    dmt_dialect_names,
		    "v1 to v5, or f2 to f5 (streams) [v2, or v3]"),
		OPT_JOB_OUTPUT(&job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = check_form(cmd, &form);
	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "file");
	if (status == OPT_GO)
		status = import_file(&job, &(struct dmtrace_import_options){
			.format = form.format == FORMAT_ANY ?
			    DMTRACE_IMPORT_ANY :
			    (enum dmtrace_import_format)(form.format + 1),
			.dialect = dialect == DIALECT_ANY ? 0 :
			    (enum dmtrace_dialect)(dialect + 1),
			.unit_ns = form.unit == UNIT_ANY ? 0 :
			    units_ns[form.unit],
			.per_thread = form.per_thread,
			.lines = form.lines, .fields = form.fields,
			.enter_words = form.enter_words,
			.exit_words = form.exit_words,
			.flags = job.sync ? DMTRACE_SYNC : 0
		}, argv[0]);
	job_fini(&job);
	return status;
}

const struct cmd cmd_import = {
	.name = "import",
	.group = "create",
	.synopsis = "[OPTION]... [-o FILE] FILE",
	.summary = "convert the output of other profilers to a trace",
	.examples = {
		"dmtrace import -o app.trace app.json",
		"stackcollapse-perf.pl out.perf | "
		    "dmtrace import --from-format=collapsed -",
	},
	.run = run_import,
};
