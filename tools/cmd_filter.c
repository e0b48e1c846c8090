/* cmd_filter.c - keep the selected events of a trace */

#include <dmtrace.h>

#include "cli/decimal.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "cli/selection.h"
#include "private/ops.h"
#include "private/trace.h"

struct filter {
	struct job job;
	struct selection selection;
	bool keep_tables;
	bool allow_empty;
};

static int
filter_trace(struct filter *filter, const char *operand)
{
	struct job *const job = &filter->job;
	struct selection *const selection = &filter->selection;

	selection->quiet = job->quiet;
	if (filter->allow_empty)
		selection->empty_status = CMD_OK;
	else
		selection->advice =
		    "; --allow-empty writes a trace without events";
	if (selection_begin(selection) != OPT_GO ||
	    job_begin_rewrite(job, operand) != CMD_OK ||
	    selection_resolve(selection, job->reader, job->name) != OPT_GO)
		return CMD_TROUBLE;
	if (!dmt_selection_is_all(selection->asked) &&
	    dmt_reader_hold(job->reader) != DMTRACE_OK) {
		msg_failure(job->name, dmtrace_reader_error(job->reader));
		return CMD_TROUBLE;
	}
	if (job_open_writer(job) != CMD_OK)
		return CMD_TROUBLE;

	const struct dmt_filter_options options = {
		.selection = selection->asked,
		.keep_tables = filter->keep_tables,
		.allow_empty = filter->allow_empty,
	};
	job->target = &job->out;
	const enum dmtrace_status status = dmt_filter(job->op, job->reader,
	    job->writer, &options);
	const bool empty = status == DMTRACE_END;

	/* Look for names that did not match, then report findings and
	 * failures, and an empty result. */
	int checked = OPT_GO;
	progress_erase(&job->progress);
	if (status == DMTRACE_OK || empty || status == DMTRACE_ERR_RANGE)
		checked = selection_check(selection, job->reader, job->name,
		    empty);
	int ended = job_end(job, empty || checked != OPT_GO ?
	    DMTRACE_OK : status);
	if (checked != OPT_GO || ended == CMD_TROUBLE)
		return CMD_TROUBLE;
	if (msg_findings(job->name, job->reader, job->quiet))
		ended = CMD_NO;
	const uint64_t no_cpu = dmt_selection_no_cpu(selection->asked);
	char number[COUNT_MAX];
	if (no_cpu > 0 && !job->quiet)
		msg_note("note: added events that have the last known CPU "
		    "time, as their thread has no event after the edge: %s",
		    count_format(number, no_cpu));
	const int selected = cmd_worse(ended, selection_finish(selection,
	    job->name));
	return empty && !filter->allow_empty ? selected :
	    cmd_worse(selected, job_close_writer(job));
}

static int
run_filter_command(const struct cmd *cmd, int argc, char **argv)
{
	struct filter filter = { .selection = SELECTION };
	const struct opt options[] = {
		OPT_SELECTION(&filter.selection),
		OPT_FLAG(0, "invert", &filter.selection.invert,
		    "select everything else"),
		OPT_GROUP("Output"),
		OPT_FLAG(0, "raw", &filter.selection.raw,
		    "add no events at the edges of the window"),
		OPT_FLAG(0, "keep-tables", &filter.keep_tables,
		    "keep threads and methods without events in the key"),
		OPT_FLAG(0, "allow-empty", &filter.allow_empty,
		    "write a trace even if nothing is selected"),
		OPT_JOB_DIALECT(&filter.job),
		OPT_JOB_OUTPUT(&filter.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO)
		status = job_check_operand(cmd, argc, "file");
	if (status == OPT_GO && filter.selection.invert &&
	    !filter.selection.raw && (filter.selection.from_ns > 0 ||
	    filter.selection.to_ns < UINT64_MAX))
		status = opt_usage(cmd,
		    "--invert with --from or --to needs --raw");
	if (status == OPT_GO)
		status = filter_trace(&filter, argv[0]);
	job_fini(&filter.job);
	selection_end(&filter.selection);
	return status;
}

const struct cmd cmd_filter = {
	.name = "filter",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] TRACE",
	.summary = "select events of a trace by thread, method or time",
	.examples = {
		"dmtrace filter -t main --from=2s --to=3s -o "
		"part.trace app.trace",
		"dmtrace filter -m 'com.example.*' -o mine.trace app.trace",
	},
	.run = run_filter_command,
};
