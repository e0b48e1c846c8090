/* cmd_convert.c - a trace to another dialect of the format */

#include <dmtrace.h>

#include <inttypes.h>

#include "cli/cli_files.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "cli/table.h"

/* As enum dmtrace_dialect has them, from 1 on. */
static const char *const dialect_words[] = {
	"v1", "v2", "v3", "f2", "f3", "v4", "v5", "f4", "f5", NULL
};

/* As enum dmtrace_stage has them, from 1 on. */
static const char *const stage_words[] = { "c", "e", "f", NULL };

#define STAGE_ANY 3			/* none of them is asked for */

static const char *const clock_words[] = { "cpu", "wall", "dual", NULL };

#define CLOCK_ANY 3			/* none of them is asked for */

struct convert {
	struct job job;
	struct table table;
	struct dmtrace_convert_options options;
};

/* A row for each loss: on standard error for people, else a table on standard
 * output. */
static int
report_losses(struct convert *convert,
    const struct dmtrace_convert_result *result)
{
	static const char *const columns[] = { "loss", "count", NULL };
	struct table *const table = &convert->table;
	const bool has_rows = table_has_rows(table);

	if (has_rows) {
		if (!table_open(table, NULL))
			return CMD_TROUBLE;
		table_set_columns(table, columns);
	}
	for (unsigned i = 0; i < DMTRACE_LOSSES; i++) {
		const enum dmtrace_loss loss = (enum dmtrace_loss)i;

		if (has_rows) {
			table_string(table, dmtrace_loss_name(loss));
			table_number(table, result->losses[i]);
			table_end_row(table);
		} else if (result->losses[i] > 0 && !convert->job.quiet) {
			msg_error("%" PRIu64 " %s (%s)", result->losses[i],
			    dmtrace_loss_words(loss),
			    dmtrace_loss_name(loss));
		}
	}
	return has_rows ? table_close(table, CMD_OK) : CMD_OK;
}

static int
convert_file(struct convert *convert, const char *operand)
{
	struct job *const job = &convert->job;
	struct dmtrace_convert_result result = { 0 };

	job->out = files_output(job->output);
	job->target = &job->out;
	if (!job_begin(job) || job_open(job, operand) != CMD_OK ||
	    files_terminal(&job->out))
		return CMD_TROUBLE;
	const enum dmtrace_status done = dmtrace_convert(job->op, job->reader,
	    &job->out, &convert->options, &result);
	int status = job_end(job, done);
	if (msg_findings(job->name, job->reader, job->quiet))
		status = cmd_worse(status, CMD_NO);
	return done != DMTRACE_OK ? status :
	    cmd_worse(status, report_losses(convert, &result));
}

static int
run_convert(const struct cmd *cmd, int argc, char **argv)
{
	static const enum dmtrace_clock clocks[] = {
		DMTRACE_CLOCK_THREAD_CPU, DMTRACE_CLOCK_WALL,
		DMTRACE_CLOCK_DUAL, DMTRACE_CLOCK_MISSING
	};
	struct convert convert = { .table = { .form = FORM_TEXT } };
	unsigned dialect = DMTRACE_DIALECT_V3 - 1, clock = CLOCK_ANY;
	unsigned stage = STAGE_ANY;
	bool strict = false;
	const struct opt options[] = {
		OPT_CHOICE('d', "dialect", "NAME", &dialect, dialect_words,
		    "v1 to v5, or f2 to f5 for streams [v3]"),
		OPT_CHOICE(0, "stage", "STAGE", &stage, stage_words,
		    "of v4, v5, f4 and f5: c, e or f [as it was, or e]"),
		OPT_CHOICE(0, "clock", "CLOCK", &clock, clock_words,
		    "cpu, wall or dual [what fits the dialect]"),
		OPT_FLAG(0, "strict", &strict, "fail if anything is lost"),
		OPT_FORM(&convert.table.form),
		OPT_JOB_OUTPUT(&convert.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "trace");
	if (status != OPT_GO)
		return status;
	if (table_has_rows(&convert.table) &&
	    files_output(convert.job.output).path == NULL)
		return opt_usage(cmd, "--format needs standard output: name a"
		    " file with -o");
	convert.options = (struct dmtrace_convert_options){
		.dialect = (enum dmtrace_dialect)(dialect + 1),
		.clock = clocks[clock],
		.stage = stage == STAGE_ANY ? DMTRACE_STAGE_ANY :
		    (enum dmtrace_stage)(stage + 1),
		.strict = strict,
		.flags = convert.job.sync ? DMTRACE_SYNC : 0
	};
	status = convert_file(&convert, argv[0]);
	job_fini(&convert.job);
	return status;
}

const struct cmd cmd_convert = {
	.name = "convert",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] TRACE",
	.summary = "write a trace in another dialect",
	.run = run_convert,
};
