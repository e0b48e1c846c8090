/* cmd_convert.c - a trace to another dialect of the format */

#include <dmtrace.h>

#include <inttypes.h>

#include "files.h"
#include "form.h"
#include "job.h"
#include "msg.h"
#include "out.h"

/* As enum dmtrace_dialect has them, from 1 on. */
static const char *const dialect_words[] = {
	"v1", "v2", "v3", "f2", "f3", NULL
};

static const char *const clock_words[] = { "cpu", "wall", "dual", NULL };

#define CLOCK_ANY 3			/* none of them is asked for */

struct convert {
	struct job job;
	struct dmtrace_file out;
	struct dmtrace_convert_options options;
	unsigned form;
	const char *output;
};

/* A line for each loss: on standard error for people, else a table. */
static int
report_losses(const struct convert *convert,
    const struct dmtrace_convert_result *result)
{
	const enum form form = (enum form)convert->form;
	struct buffer buffer = { 0 };
	struct row row;
	struct out out;

	if (form == FORM_TSV || form == FORM_CSV) {
		row_begin(&row, &buffer, form);
		row_string(&row, "loss", "loss");
		row_string(&row, "count", "count");
		row_line(&row);
	}
	for (unsigned i = 0; i < DMTRACE_LOSSES; i++) {
		const enum dmtrace_loss loss = (enum dmtrace_loss)i;

		if (form != FORM_TEXT) {
			row_begin(&row, &buffer, form);
			row_string(&row, "loss", dmtrace_loss_name(loss));
			row_number(&row, "count", result->losses[i]);
			row_line(&row);
		} else if (result->losses[i] > 0 && !convert->job.quiet) {
			msg_error("%" PRIu64 " %s (%s)", result->losses[i],
			    dmtrace_loss_words(loss),
			    dmtrace_loss_name(loss));
		}
	}
	if (form == FORM_TEXT)
		return CMD_OK;
	if (!out_open(&out, NULL)) {
		buffer_fini(&buffer);
		return CMD_TROUBLE;
	}
	out_put(&out, buffer.bytes, buffer.len);
	const int status = out_close(&out, buffer.failed ? CMD_TROUBLE :
	    CMD_OK);
	buffer_fini(&buffer);
	return status;
}

static int
convert_file(struct convert *convert, const char *operand)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_convert_result result = { .size = sizeof(result) };
	const struct dmtrace_file in = files_input(operand);
	int status = CMD_TROUBLE;

	convert->out = files_output(convert->output);
	if (reader == NULL) {
		msg_memory();
	} else if (files_open(reader, operand) != DMTRACE_OK) {
		msg_failure(files_name(&in), dmtrace_reader_error(reader));
	} else if (!files_clash_trace(reader, operand, &convert->out) &&
	    !files_terminal(&convert->out) && job_begin(&convert->job)) {
		convert->job.out = &convert->out;
		const enum dmtrace_status done = dmtrace_convert(
		    convert->job.op, reader, &convert->out,
		    &convert->options, &result);
		status = job_end(&convert->job, done);
		if (msg_findings(files_name(&in), reader, convert->job.quiet))
			status = cmd_worse(status, CMD_NO);
		if (done == DMTRACE_OK)
			status = cmd_worse(status,
			    report_losses(convert, &result));
	}
	dmtrace_reader_free(reader);
	return status;
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	static const enum dmtrace_clock clocks[] = {
		DMTRACE_CLOCK_THREAD_CPU, DMTRACE_CLOCK_WALL,
		DMTRACE_CLOCK_DUAL, DMTRACE_CLOCK_MISSING
	};
	struct convert convert = { .form = FORM_TEXT };
	unsigned dialect = DMTRACE_DIALECT_V3 - 1, clock = CLOCK_ANY;
	bool strict = false, sync = false;
	const struct opt options[] = {
		OPT_CHOICE('d', "dialect", "NAME", &dialect, dialect_words,
		    "v1, v2, v3, f2 or f3 [v3]"),
		OPT_CHOICE(0, "clock", "CLOCK", &clock, clock_words,
		    "cpu, wall or dual [what fits the dialect]"),
		OPT_FLAG(0, "strict", &strict, "fail if anything is lost"),
		OPT_FORM(&convert.form),
		OPT_OUTPUT(&convert.output),
		OPT_SYNC(&sync),
		OPT_JOB(&convert.job),
		OPT_END
	};
	const int status = opt_parse(cmd, options, &argc, argv);

	if (status != OPT_GO)
		return status;
	if (argc != 1)
		return opt_usage(cmd, argc == 0 ? "no trace is named" :
		    "more than one trace");
	if (convert.form != FORM_TEXT && (convert.output == NULL ||
	    (convert.output[0] == '-' && convert.output[1] == '\0')))
		return opt_usage(cmd, "--format needs standard output: name a"
		    " file with -o");
	convert.options = (struct dmtrace_convert_options){
		.size = sizeof(convert.options),
		.dialect = (enum dmtrace_dialect)(dialect + 1),
		.clock = clocks[clock],
		.strict = strict,
		.flags = sync ? DMTRACE_SYNC : 0
	};
	return convert_file(&convert, argv[0]);
}

const struct cmd cmd_convert = {
	.name = "convert",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] TRACE",
	.summary = "write a trace in another dialect",
	.run = run,
};
