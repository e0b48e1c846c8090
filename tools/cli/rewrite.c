/* rewrite.c - commands that read one trace and write another */

#include "cli/rewrite.h"

#include <errno.h>

#include "cli/cli_files.h"
#include "cli/msg.h"

static const char *
input_name(const struct rewrite *change)
{
	const struct dmtrace_file in = files_input(change->input);

	return files_name(&in);
}

static int
fail(const char *name, const struct dmtrace_error *error)
{
	msg_failure(name, error);
	return CMD_TROUBLE;
}

static int
open_input(struct rewrite *change)
{
	change->out = files_output(change->output);
	change->reader = dmtrace_reader_new();
	change->writer = dmtrace_writer_new();
	if (change->reader == NULL || change->writer == NULL) {
		msg_memory();
		return CMD_TROUBLE;
	}
	if (files_open(change->reader, change->input) != DMTRACE_OK) {
		msg_findings(input_name(change), change->reader,
		    change->job.quiet);
		return fail(input_name(change),
		    dmtrace_reader_error(change->reader));
	}
	if (files_clash_trace(change->reader, change->input, &change->out) ||
	    files_terminal(&change->out) || !job_begin(&change->job))
		return CMD_TROUBLE;
	if (dmtrace_writer_set_like(change->writer, change->reader) !=
	    DMTRACE_OK) {
		msg_memory();
		return CMD_TROUBLE;
	}
	return OPT_GO;
}

int
rewrite_begin(struct rewrite *change, const struct cmd *cmd, int argc,
    char **argv)
{
	if (argc == 0)
		return opt_usage(cmd, "no trace is named");
	if (argc > 1)
		return opt_usage(cmd, "more than one trace");
	change->input = argv[0];
	return open_input(change);
}

int
rewrite_open(struct rewrite *change)
{
	struct dmtrace_writer *const writer = change->writer;
	const struct dmtrace_file *const out = &change->out;

	dmtrace_writer_set_sync(writer, change->sync);
	if ((out->path == NULL ? dmtrace_writer_open_fd(writer, out->fd) :
	    dmtrace_writer_open_path(writer, out->path)) != DMTRACE_OK)
		return fail(files_name(out), dmtrace_writer_error(writer));
	return OPT_GO;
}

/* Who closes the pipe has enough: that is no failure. */
static int
say_failure(const struct rewrite *change, const struct dmtrace_error *error)
{
	const struct dmtrace_error *const reader =
	    dmtrace_reader_error(change->reader);
	const struct dmtrace_error *const writer =
	    dmtrace_writer_error(change->writer);

	if (writer->status != DMTRACE_OK && writer->sys_errno == EPIPE)
		return change->job.status;
	if (writer->status != DMTRACE_OK)
		return fail(files_name(&change->out), writer);
	if (reader->status != DMTRACE_OK)
		return fail(input_name(change), reader);
	return fail(input_name(change), error);
}

int
rewrite_end(struct rewrite *change, enum dmtrace_status status)
{
	job_report(&change->job);
	if (msg_findings(input_name(change), change->reader,
	    change->job.quiet))
		change->job.status = cmd_worse(change->job.status, CMD_NO);
	if (status == DMTRACE_OK)
		status = dmtrace_writer_close(change->writer);
	return status == DMTRACE_OK ? change->job.status :
	    say_failure(change, dmtrace_op_error(change->job.op));
}

void
rewrite_fini(struct rewrite *change)
{
	job_report(&change->job);
	dmtrace_op_free(change->job.op);
	dmtrace_writer_free(change->writer);
	dmtrace_reader_free(change->reader);
}
