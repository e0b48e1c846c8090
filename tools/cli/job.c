/* job.c - opens the operand and the output of a command, reports failures */

#include "cli/job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli_files.h"
#include "cli/decimal.h"
#include "cli/msg.h"
#include "cmd.h"
#include "private/ops.h"
#include "private/trace.h"

/* All findings of one name in a file; place and message of the first one. */
struct finding_row {
	struct finding_row *next;
	struct dmtrace_finding finding;
	char message[DMTRACE_MESSAGE_MAX];
	char file[];
};

int
job_check_operand(const struct cmd *cmd, int argc, const char *what)
{
	char message[64];

	if (argc == 1)
		return OPT_GO;
	snprintf(message, sizeof(message), argc == 0 ? "no %s is named" :
	    "more than one %s", what);
	return opt_usage(cmd, message);
}

/* Returns true if the finding has the row's name and file; names are compared
 * as pointers, as the library has one string for each. */
static bool
is_of_finding_row(const struct finding_row *row, const char *file,
    const struct dmtrace_finding *finding)
{
	return row->finding.name == finding->name &&
	    strcmp(row->file, file) == 0;
}

void
job_add_finding(struct job *job, const char *file,
    const struct dmtrace_finding *finding)
{
	struct finding_list *const findings = &job->findings;
	struct finding_row **at = &findings->rows;

	if (findings->recent == NULL ||
	    !is_of_finding_row(findings->recent, file, finding)) {
		while (*at != NULL && !is_of_finding_row(*at, file, finding))
			at = &(*at)->next;
		findings->recent = *at;
	}
	if (findings->recent != NULL) {
		findings->recent->finding.count += finding->count;
		return;
	}

	struct finding_row *const row =
	    malloc(sizeof(*row) + strlen(file) + 1);
	if (row == NULL) {
		findings->failed = true;
		return;
	}
	row->next = NULL;
	row->finding = *finding;
	row->finding.message = strcpy(row->message, finding->message);
	strcpy(row->file, file);
	*at = row;
	findings->recent = row;
}

/* A dmtrace_finding_fn. */
static void
add_finding(void *context, const struct dmtrace_finding *finding)
{
	struct job *const job = context;

	job_add_finding(job, files_name(finding->file), finding);
}

static void
begin_progress(struct job *job)
{
	if (!job->begun)
		progress_init(&job->progress, job->quiet, job->asked);
	job->begun = true;
}

bool
job_begin(struct job *job)
{
	job->op = dmtrace_op_new();
	if (job->op == NULL) {
		msg_memory();
		return false;
	}
	begin_progress(job);
	dmtrace_op_set_report(job->op, add_finding, job);
	dmtrace_op_set_progress(job->op, progress_show, &job->progress);
	return true;
}

static int
fail_job(struct job *job, const char *name, const struct dmtrace_error *error)
{
	progress_erase(&job->progress);
	msg_failure(name, error);
	return CMD_TROUBLE;
}

int
job_open(struct job *job, const char *operand)
{
	const struct dmtrace_file in = files_input(operand);

	begin_progress(job);
	job->input = operand;
	job->name = files_name(&in);
	job->out = files_output(job->output);
	dmtrace_reader_free(job->reader);
	job->reader = dmtrace_reader_new();
	if (job->reader == NULL)
		return msg_fail_memory();
	if (files_open(job->reader, operand) != DMTRACE_OK)
		return fail_job(job, job->name,
		    dmtrace_reader_error(job->reader));
	return files_clash_trace(job->reader, operand, &job->out) ?
	    CMD_TROUBLE : CMD_OK;
}

int
job_begin_rewrite(struct job *job, const char *operand)
{
	const struct opt dialect = OPT_CHOICE('d', "dialect", "NAME",
	    &job->dialect_index, dmt_dialect_names, NULL);

	if ((job->dialect != NULL && opt_set_value(&dialect, "-d",
	    job->dialect) != OPT_GO) || job_open(job, operand) != CMD_OK ||
	    files_terminal(&job->out) || !job_begin(job))
		return CMD_TROUBLE;
	job->writer = dmtrace_writer_new();
	if (job->writer == NULL)
		return msg_fail_memory();
	return dmtrace_writer_set_like(job->writer, job->reader) ==
	    DMTRACE_OK ? CMD_OK :
	    fail_job(job, job->name, dmtrace_writer_error(job->writer));
}

int
job_open_writer(struct job *job)
{
	struct dmtrace_writer *const writer = job->writer;
	const struct dmtrace_file *const out = &job->out;
	struct stat about;
	/* Nothing belongs beside a device, a pipe or a link. */
	const bool is_file = out->path != NULL &&
	    (lstat(out->path, &about) != 0 || S_ISREG(about.st_mode));

	if (job->dialect != NULL) {
		if (dmt_output_open_temporary(&job->temporary, is_file ?
		    out->path : NULL) != DMTRACE_OK)
			return fail_job(job, files_name(out),
			    &job->temporary.error);
		return dmtrace_writer_open_fd(writer, job->temporary.fd) ==
		    DMTRACE_OK ? CMD_OK : fail_job(job, files_name(out),
		    dmtrace_writer_error(writer));
	}
	dmtrace_writer_set_sync(writer, job->sync);
	if (dmt_writer_open_file(writer, out) != DMTRACE_OK)
		return fail_job(job, files_name(out),
		    dmtrace_writer_error(writer));
	return CMD_OK;
}

void
job_note_losses(const struct job *job,
    const struct dmtrace_convert_result *result)
{
	char number[COUNT_MAX];

	for (unsigned i = 0; !job->quiet && i < DMTRACE_LOSSES; i++)
		if (result->losses[i] > 0)
			msg_note("%s %s (%s)", count_format(number,
			    result->losses[i]), dmt_loss_text(
			    (enum dmtrace_loss)i), dmtrace_loss_name(
			    (enum dmtrace_loss)i));
}

/* Converts what the writer wrote to the dialect of -d. */
static int
convert_output(struct job *job)
{
	const struct dmtrace_convert_options options = {
		.dialect = (enum dmtrace_dialect)(job->dialect_index + 1),
		.flags = job->sync ? DMTRACE_SYNC : 0
	};
	struct dmtrace_convert_result result = { { 0 } };
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_op *const op = dmtrace_op_new();
	int status = CMD_OK;

	if (reader == NULL || op == NULL) {
		msg_memory();
		status = CMD_TROUBLE;
	} else if (lseek(job->temporary.fd, 0, SEEK_SET) < 0 ||
	    dmtrace_reader_open_fd(reader, job->temporary.fd) != DMTRACE_OK) {
		status = fail_job(job, "the temporary file",
		    dmtrace_reader_error(reader));
	} else {
		dmtrace_op_set_progress(op, progress_show, &job->progress);
		if (dmtrace_convert(op, reader, &job->out, &options,
		    &result) != DMTRACE_OK &&
		    dmtrace_op_error(op)->sys_errno != EPIPE)
			status = fail_job(job, files_name(&job->out),
			    dmtrace_op_error(op));
		progress_erase(&job->progress);
		if (status == CMD_OK)
			job_note_losses(job, &result);
	}
	dmtrace_op_free(op);
	dmtrace_reader_free(reader);
	return status;
}

int
job_close_writer(struct job *job)
{
	const enum dmtrace_status status = dmtrace_writer_close(job->writer);
	const struct dmtrace_error *const error =
	    dmtrace_writer_error(job->writer);

	if (status != DMTRACE_OK && error->sys_errno != EPIPE)
		return fail_job(job, files_name(&job->out), error);
	return job->dialect != NULL ? convert_output(job) : CMD_OK;
}

void
job_report(struct job *job)
{
	struct finding_list *const findings = &job->findings;

	progress_erase(&job->progress);
	if (findings->failed) {
		msg_memory();
		job->status = CMD_TROUBLE;
	}
	while (findings->rows != NULL) {
		struct finding_row *const row = findings->rows;
		const bool error = row->finding.severity == DMTRACE_ERROR;

		if (error || !job->quiet)
			msg_finding(row->file, &row->finding);
		if (error)
			job->status = cmd_worse(job->status, CMD_NO);
		findings->rows = row->next;
		free(row);
	}
	*findings = (struct finding_list){ .rows = NULL };
}

int
job_end(struct job *job, enum dmtrace_status status)
{
	const struct dmtrace_error *const error = dmtrace_op_error(job->op);
	const struct dmtrace_file *file = dmtrace_op_error_file(job->op);

	job_report(job);
	if (file == NULL && error->sys_errno != 0)
		file = job->target;

	/* If the reader of a pipe closes it, it needs no more: that is not a
	 * failure. A call-back that cancelled has reported why. */
	const bool failed = status != DMTRACE_OK && error->sys_errno != EPIPE;
	if (failed)
		job->status = CMD_TROUBLE;
	if (failed && status != DMTRACE_ERR_CANCELLED) {
		if (error->sys_errno == EEXIST)
			msg_error("%s; --force replaces it", error->message);
		else if (file == NULL)
			msg_error("%s", error->message);
		else
			msg_failure(files_name(file), error);
	}
	dmtrace_op_free(job->op);
	job->op = NULL;
	return job->status;
}

int
job_close(struct job *job, enum dmtrace_status status)
{
	const struct dmtrace_error *const reader =
	    dmtrace_reader_error(job->reader);

	job_report(job);
	if (msg_findings(job->name, job->reader, job->quiet))
		job->status = cmd_worse(job->status, CMD_NO);
	const struct dmtrace_error *const writer =
	    dmtrace_writer_error(job->writer);
	if (status == DMTRACE_OK || writer->sys_errno == EPIPE)
		return cmd_worse(job->status, job_close_writer(job));
	if (writer->status != DMTRACE_OK)
		return fail_job(job, files_name(&job->out), writer);
	return fail_job(job, job->name, reader->status != DMTRACE_OK ? reader :
	    dmtrace_op_error(job->op));
}

void
job_fini(struct job *job)
{
	if (job->op != NULL)
		job_report(job);
	dmtrace_op_free(job->op);
	dmtrace_writer_free(job->writer);
	dmtrace_reader_free(job->reader);
	if (job->temporary.path != NULL)
		dmt_output_fini(&job->temporary);
	job->op = NULL;
	job->writer = NULL;
	job->reader = NULL;
}
