/* cmd_convert.c - convert a trace to another version of the format */

/*
 * The dialect "universal" is not a format of its own, but version 3 with two
 * clocks, changed so that all readers accept it.
 */

#include <dmtrace.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_files.h"
#include "cli/clock_option.h"
#include "cli/decimal.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "cli/table.h"
#include "private/ops.h"
#include "private/status.h"
#include "private/trace.h"
#include "private/text.h"

#define DIALECT_UNIVERSAL DMT_DIALECTS	/* its index: the last one */

/* In the order of enum dmtrace_stage, from 1 on. */
static const char *const stage_words[] = { "c", "e", "f", NULL };

#define STAGE_ANY 3			/* no --stage */

static const char *const container_words[] = { "joined", "pair", NULL };

enum { CONTAINER_JOINED, CONTAINER_PAIR, CONTAINER_ANY };

struct convert {
	struct job job;
	struct table table;
	struct dmtrace_convert_options options;
	struct dmtrace_convert_result result;
	bool reported;			/* the losses were */
	char *pair;			/* name of the key file of a pair, or
					   NULL */
};

static void
put_loss_row(struct convert *convert, const char *name, uint64_t count)
{
	table_string(&convert->table, name);
	table_number(&convert->table, count);
	table_end_row(&convert->table);
}

/* Reports the losses, once: as messages for people, otherwise as rows. */
static void
report_losses(struct convert *convert)
{
	const bool has_rows = table_has_rows(&convert->table);

	if (!convert->reported && !has_rows)
		job_note_losses(&convert->job, &convert->result);
	for (unsigned i = 0; !convert->reported && has_rows &&
	    i < DMTRACE_LOSSES; i++)
		put_loss_row(convert, dmtrace_loss_name((enum dmtrace_loss)i),
		    convert->result.losses[i]);
	convert->reported = true;
}

/* A dmtrace_change_fn: changes that the readers require are losses, too, and
 * follow the others. */
static int
add_change(void *context, const struct dmtrace_change *change)
{
	struct convert *const convert = context;
	char count[COUNT_MAX];

	report_losses(convert);
	if (change == NULL || change->kind == DMTRACE_CHANGE_KEPT)
		return 0;
	if (!convert->options.strict && table_has_rows(&convert->table))
		put_loss_row(convert, change->name, change->count);
	else if (convert->options.strict || !convert->job.quiet)
		(convert->options.strict ? msg_error : msg_note)
		    ("%s: %s %s (%s)", change->message,
		    count_format(count, change->count),
		    dmt_change_kind_name(change->kind), change->name);
	return convert->options.strict;
}

/* Version 3 with one clock is what dmtrace and a few programs read: prints
 * which readers refuse the output. */
static int
report_refusals(const struct job *job)
{
	struct dmtrace_verdict verdicts[DMTRACE_READERS];
	struct dmtrace_validity validity;
	struct dmtrace_op *const op = dmtrace_op_new();

	if (op == NULL || dmtrace_judge(op, &job->out, verdicts, &validity) !=
	    DMTRACE_OK) {
		msg_error("%s: %s", job->output, op == NULL ? "no memory" :
		    dmtrace_op_error(op)->message);
		dmtrace_op_free(op);
		return CMD_TROUBLE;
	}
	for (unsigned i = 0; i < DMTRACE_READERS; i++)
		if (verdicts[i].reception >= DMTRACE_REFUSES)
			msg_note("%s: %s %s it: %s (%s)", job->output,
			    dmtrace_other_reader_name(
			    (enum dmtrace_other_reader)i),
			    dmtrace_reception_name(verdicts[i].reception),
			    verdicts[i].message, verdicts[i].rule);
	dmtrace_op_free(op);
	return CMD_OK;
}

static int
convert_file(struct convert *convert, const char *operand)
{
	static const char *const columns[] = { "loss", "count", NULL };
	struct job *const job = &convert->job;
	struct table *const table = &convert->table;

	if (convert->pair != NULL)
		job->output = convert->pair;
	job->out = files_output(job->output);
	job->target = &job->out;
	if (!job_begin(job) || job_open(job, operand) != CMD_OK ||
	    files_terminal(&job->out))
		return CMD_TROUBLE;
	const struct dmtrace_option *const said = dmtrace_key_option_find(
	    dmtrace_reader_key(job->reader), DMT_OPTION_CLOCK);
	if (convert->options.clock == DMTRACE_CLOCK_GLOBAL && (said == NULL ||
	    !dmt_text_is(said->value,
	    dmtrace_clock_name(DMTRACE_CLOCK_GLOBAL)))) {
		msg_error("%s: --clock=global: its times are not of that clock,"
		    " which begins anew in each thread", job->name);
		return CMD_TROUBLE;
	}
	/* Its line in the key is kept. */
	if (convert->options.clock == DMTRACE_CLOCK_GLOBAL)
		convert->options.clock = DMTRACE_CLOCK_WALL;
	if (table_has_rows(table))
		table_set_columns(table, columns);
	const enum dmtrace_status done = dmtrace_convert(job->op, job->reader,
	    &job->out, &convert->options, &convert->result);
	int status = job_end(job, done);
	if (done == DMTRACE_OK)
		report_losses(convert);
	if (done == DMTRACE_OK && !job->quiet && job->out.path != NULL &&
	    convert->options.dialect == DMTRACE_DIALECT_V3 &&
	    convert->options.clock != DMTRACE_CLOCK_MISSING &&
	    convert->options.clock != DMTRACE_CLOCK_DUAL)
		status = cmd_worse(status, report_refusals(job));
	if (msg_findings(job->name, job->reader, job->quiet))
		status = cmd_worse(status, CMD_NO);
	return status;
}

/* Reports an option that contradicts the name of the output; otherwise returns
 * OPT_GO. */
static int
check_convert_output(const struct cmd *cmd, struct convert *convert,
    unsigned container)
{
	const char *const name = convert->job.output;
	const struct dmtrace_file out = files_output(name);

	if (table_has_rows(&convert->table) && out.path == NULL)
		return opt_usage(cmd, "--format needs standard output: name a"
		    " file with -o");
	if (container == CONTAINER_ANY)
		return OPT_GO;
	if (out.path == NULL && container == CONTAINER_PAIR)
		return opt_usage(cmd, "--container=pair needs -o: two files"
		    " are written");
	if (out.path == NULL)
		return OPT_GO;
	convert->pair = files_rename_output(name, ".key");
	if (convert->pair == NULL)
		return CMD_TROUBLE;
	if (container == CONTAINER_PAIR)
		return OPT_GO;
	char *const data = files_rename_output(name, ".data");
	const bool is_half = strcmp(name, convert->pair) == 0 ||
	    (data != NULL && strcmp(name, data) == 0);
	free(convert->pair);
	convert->pair = NULL;
	free(data);
	return is_half ? opt_usage(cmd, "--container=joined: -o names a half"
	    " of a pair") : OPT_GO;
}

static int
run_convert(const struct cmd *cmd, int argc, char **argv)
{
	struct convert convert = { .table = { .form = FORM_TEXT } };
	const char *dialect_words[DIALECT_UNIVERSAL + 2] = { NULL };
	unsigned dialect = DMTRACE_DIALECT_V3 - 1;
	unsigned clock = DMTRACE_CLOCK_MISSING;
	unsigned stage = STAGE_ANY, container = CONTAINER_ANY;
	bool strict = false;
	const struct opt options[] = {
		OPT_CHOICE('d', "dialect", "NAME", &dialect, dialect_words,
		    "v1 to v5, f2 to f5 (streams) or universal [v3]"),
		OPT_CHOICE(0, "stage", "STAGE", &stage, stage_words,
		    "stage of v4, v5, f4, f5: c, e, f [unchanged, or e]"),
		OPT_MEANING(0, "clock", "CLOCK", &clock,
		    clock_written_words, clock_written_meanings,
		    "write cpu, wall or dual times [as in the dialect]"),
		OPT_CHOICE(0, "container", "KIND", &container,
		    container_words, "joined or pair [by the name of -o]"),
		OPT_FLAG(0, "strict", &strict, "fail if anything is lost"),
		OPT_FORM(&convert.table.form),
		OPT_JOB_OUTPUT(&convert.job),
		OPT_END
	};

	for (unsigned i = 0; i < DIALECT_UNIVERSAL; i++)
		dialect_words[i] = dmt_dialect_names[i];
	dialect_words[DIALECT_UNIVERSAL] = "universal";
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "trace");
	if (status == OPT_GO)
		status = check_convert_output(cmd, &convert, container);
	if (status != OPT_GO)
		return status;
	const bool universal = dialect == DIALECT_UNIVERSAL;
	if (universal && clock != DMTRACE_CLOCK_MISSING &&
	    clock != DMTRACE_CLOCK_DUAL) {
		free(convert.pair);
		return opt_usage(cmd, "universal has two clocks, \"dual\"");
	}
	convert.options = (struct dmtrace_convert_options){
		.dialect = universal ? DMTRACE_DIALECT_V3 :
		    (enum dmtrace_dialect)(dialect + 1),
		.clock = (enum dmtrace_clock)clock,
		.stage = stage == STAGE_ANY ? DMTRACE_STAGE_ANY :
		    (enum dmtrace_stage)(stage + 1),
		.strict = strict,
		.flags = convert.job.sync ? DMTRACE_SYNC : 0,
		.universal = universal,
		.change = add_change,
		.context = &convert
	};
	status = convert_file(&convert, argv[0]);
	if (table_has_rows(&convert.table))
		status = table_print(&convert.table, status);
	free(convert.pair);
	job_fini(&convert.job);
	return status;
}

const struct cmd cmd_convert = {
	.name = "convert",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] TRACE",
	.summary = "convert a trace to another dialect of the format",
	.examples = {
		"dmtrace convert -d v3 -o app.trace stream.trace",
		"dmtrace convert -d universal -o all.trace app.trace",
	},
	.run = run_convert,
};
