/* cmd_filter.c - keep some of a trace's events */

#include <dmtrace.h>

#include <errno.h>

#include "cli/cli_files.h"
#include "cli/job.h"
#include "cli/msg.h"
#include "cli/selection.h"
#include "cli/table.h"

struct filter {
	struct job job;
	struct selection selection;
	bool keep_tables;
	bool allow_empty;
	bool sync;
	struct dmtrace_file in;
	struct dmtrace_file out;
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;
};

/* What the writer failed with; that nobody reads the rest is no failure. */
static int
finish(const struct filter *filter, enum dmtrace_status status)
{
	const struct dmtrace_error *const error =
	    dmtrace_writer_error(filter->writer);

	if (status == DMTRACE_OK || error->sys_errno == EPIPE)
		return CMD_OK;
	msg_failure(files_name(&filter->out), error);
	return CMD_TROUBLE;
}

static enum dmtrace_status
open_writer(const struct filter *filter)
{
	struct dmtrace_writer *const writer = filter->writer;

	dmtrace_writer_set_sync(writer, filter->sync);
	if (dmtrace_writer_set_like(writer, filter->reader) != DMTRACE_OK)
		return DMTRACE_ERR_MEMORY;
	return filter->out.path == NULL ?
	    dmtrace_writer_open_fd(writer, filter->out.fd) :
	    dmtrace_writer_open_path(writer, filter->out.path);
}

static int
fill(struct filter *filter)
{
	const struct dmtrace_filter_options options = {
		.size = sizeof(options),
		.selection = filter->selection.asked,
		.keep_tables = filter->keep_tables,
		.allow_empty = filter->allow_empty,
	};
	const char *const name = files_name(&filter->in);
	struct job *const job = &filter->job;

	if (!job_begin(job))
		return CMD_TROUBLE;
	job->out = &filter->out;
	enum dmtrace_status status = dmtrace_filter(job->op, filter->reader,
	    filter->writer, &options);
	const bool empty = status == DMTRACE_END;
	progress_erase(&job->progress);
	const int checked = status != DMTRACE_OK && !empty &&
	    status != DMTRACE_ERR_RANGE ? OPT_GO :
	    selection_check(&filter->selection, filter->reader, name, empty);
	const int ended = job_end(job, empty || checked != OPT_GO ?
	    DMTRACE_OK : status);
	if (checked != OPT_GO || ended == CMD_TROUBLE)
		return CMD_TROUBLE;
	const int selected = cmd_worse(ended,
	    selection_finish(&filter->selection, name));
	return empty && !filter->allow_empty ? selected : cmd_worse(selected,
	    finish(filter, dmtrace_writer_close(filter->writer)));
}

static int
resolve_and_fill(struct filter *filter)
{
	if (selection_resolve(&filter->selection, filter->reader,
	    files_name(&filter->in)) != OPT_GO)
		return CMD_TROUBLE;
	if (!dmtrace_selection_is_all(filter->selection.asked) &&
	    dmtrace_reader_hold(filter->reader) != DMTRACE_OK) {
		msg_failure(files_name(&filter->in),
		    dmtrace_reader_error(filter->reader));
		return CMD_TROUBLE;
	}
	const int status = finish(filter, open_writer(filter));
	return status == CMD_OK ? fill(filter) : status;
}

static int
open_and_fill(struct filter *filter, const char *operand)
{
	filter->reader = dmtrace_reader_new();
	filter->writer = dmtrace_writer_new();
	if (filter->reader == NULL || filter->writer == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	if (files_open(filter->reader, operand) != DMTRACE_OK) {
		msg_failure(files_name(&filter->in),
		    dmtrace_reader_error(filter->reader));
		return CMD_TROUBLE;
	}
	if (files_clash_trace(filter->reader, operand, &filter->out) ||
	    files_terminal(&filter->out))
		return CMD_TROUBLE;
	return resolve_and_fill(filter);
}

/* A window that is left out has no frames to open or close. */
static int
check_invert(const struct cmd *cmd, const struct selection *selection)
{
	const bool windowed = selection->from_ns > 0 ||
	    selection->to_ns < UINT64_MAX;

	return selection->invert && windowed && !selection->raw ?
	    opt_usage(cmd, "--invert with --from or --to needs --raw") :
	    OPT_GO;
}

static int
filter_file(struct filter *filter, const char *operand)
{
	filter->in = files_input(operand);
	filter->selection.quiet = filter->job.quiet;
	if (filter->allow_empty)
		filter->selection.empty_status = CMD_OK;
	else
		filter->selection.advice =
		    "; --allow-empty writes a trace without records";
	int status = selection_begin(&filter->selection);
	if (status == OPT_GO)
		status = open_and_fill(filter, operand);
	dmtrace_writer_free(filter->writer);
	dmtrace_reader_free(filter->reader);
	return status;
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	const char *output = NULL;
	struct filter filter = { .selection = SELECTION };
	const struct opt options[] = {
		OPT_OUTPUT(&output),
		OPT_SELECTION(&filter.selection),
		OPT_LIST(0, "under", "PATTERN", &filter.selection.under,
		    "only calls of a method, and all that they call"),
		OPT_LIST(0, "hide", "PATTERN", &filter.selection.hidden,
		    "not the frames of a method, but what they call"),
		OPT_FLAG(0, "invert", &filter.selection.invert,
		    "everything but what the others say"),
		OPT_FLAG(0, "raw", &filter.selection.raw,
		    "open and close no frames at --from and --to"),
		OPT_FLAG(0, "keep-tables", &filter.keep_tables,
		    "also threads and methods that do not occur"),
		OPT_FLAG(0, "allow-empty", &filter.allow_empty,
		    "write the trace even if nothing is selected"),
		OPT_SYNC(&filter.sync),
		OPT_JOB(&filter.job),
		OPT_END
	};
	int status = opt_parse(cmd, options, &argc, argv);

	if (status == OPT_GO && argc != 1)
		status = opt_usage(cmd, argc == 0 ? "no file is named" :
		    "more than one file");
	if (status == OPT_GO)
		status = check_invert(cmd, &filter.selection);
	filter.out = files_output(output);
	if (status == OPT_GO)
		status = filter_file(&filter, argv[0]);
	selection_end(&filter.selection);
	return status;
}

const struct cmd cmd_filter = {
	.name = "filter",
	.group = "change",
	.synopsis = "[OPTION]... [-o FILE] FILE",
	.summary = "keep some of a trace's events",
	.run = run,
};
