/* cmd_import.c - make a trace of the output of another program */

#include <dmtrace.h>

#include <inttypes.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "private/trace.h"

enum { FORMAT_NONE = 2 };

#define DIALECT_ANY DMT_DIALECTS	/* after the last index */

static const char *const import_formats[] = { "chrome", "collapsed", NULL };

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
		{ result->cpu_raised, "CPU times that went back are those of "
		    "the event before" },
		{ result->renamed, "names were changed: a tab is written as "
		    "\\t, for example" },
		{ result->others, "events of other kinds are left out" },
		{ result->arguments, "calls lost their arguments" },
		{ result->outside_ns, "nanoseconds outside of calls are "
		    "left out" },
	};
	char count[COUNT_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].count > 0)
			msg_note("note: %s: %s", rows[i].what,
			    count_format(count, rows[i].count));
	if (result->cpu_dropped)
		msg_note("note: CPU times are left out: some events, or the "
		    "dialect, have none");
	if (result->truncated)
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
	if (files_clash(&in, &job->out) || files_terminal(&job->out) ||
	    !job_begin(job))
		return CMD_TROUBLE;
	const enum dmtrace_status done = dmtrace_import(job->op, &in,
	    &job->out, options, &result);
	const int status = job_end(job, done);
	if (done == DMTRACE_OK && !job->quiet)
		report_import(&result);
	return status;
}

static int
run_import(const struct cmd *cmd, int argc, char **argv)
{
	struct job job = { .output = NULL };
	unsigned format = FORMAT_NONE, unit = 0, dialect = DIALECT_ANY;
	bool per_thread = false;
	const struct opt options[] = {
		OPT_CHOICE('f', "format", "FORMAT", &format, import_formats,
		    "read chrome or collapsed"),
		OPT_CHOICE('d', "dialect", "NAME", &dialect,
		    dmt_dialect_names,
		    "v1 to v5, or f2 to f5 (streams) [v2, or v3]"),
		OPT_CHOICE(0, "unit", "UNIT", &unit, unit_words,
		    "unit of numbers in collapsed: ns, us, ms, s [ns]"),
		OPT_FLAG(0, "per-thread", &per_thread,
		    "take the first frame of each path as its thread"),
		OPT_JOB_OUTPUT(&job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO && format == FORMAT_NONE)
		status = opt_usage(cmd, "no format: name it with -f chrome or "
		    "-f collapsed");
	if (status == OPT_GO && format != DMTRACE_IMPORT_COLLAPSED &&
	    (unit != 0 || per_thread))
		status = opt_usage(cmd,
		    "--unit and --per-thread need -f collapsed");
	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "file");
	if (status == OPT_GO)
		status = import_file(&job, &(struct dmtrace_import_options){
			.format = (enum dmtrace_import_format)format,
			.dialect = dialect == DIALECT_ANY ? 0 :
			    (enum dmtrace_dialect)(dialect + 1),
			.unit_ns = units_ns[unit],
			.per_thread = per_thread,
			.flags = job.sync ? DMTRACE_SYNC : 0
		}, argv[0]);
	job_fini(&job);
	return status;
}

const struct cmd cmd_import = {
	.name = "import",
	.group = "create",
	.synopsis = "-f FORMAT [OPTION]... [-o FILE] FILE",
	.summary = "convert the output of other profilers to a trace",
	.examples = {
		"dmtrace import -f chrome -o app.trace app.json",
		"stackcollapse-perf.pl out.perf | "
		    "dmtrace import -f collapsed -",
	},
	.run = run_import,
};
