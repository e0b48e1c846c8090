/* job.c - an operation of the library, and what it tells on the way */

#include "cli/job.h"

#include <errno.h>

#include "cli/cli_files.h"
#include "cli/msg.h"

/* A dmtrace_finding_fn. */
static void
tell_finding(void *context, const struct dmtrace_finding *finding)
{
	struct job *const job = context;

	finding_list_add(&job->findings,
	    files_name(dmtrace_op_finding_file(job->op)), finding);
}

bool
job_begin(struct job *job)
{
	job->op = dmtrace_op_new();
	if (job->op == NULL) {
		msg_memory();
		return false;
	}
	progress_init(&job->progress, job->quiet, job->asked);
	dmtrace_op_set_report(job->op, tell_finding, job);
	dmtrace_op_set_progress(job->op, progress_show, &job->progress);
	return true;
}

static void
tell_failure(const struct job *job, const struct dmtrace_error *error)
{
	const struct dmtrace_file *file = dmtrace_op_error_file(job->op);

	if (file == NULL && error->sys_errno != 0)
		file = job->out;
	if (error->sys_errno == EEXIST)
		msg_error("%s; --force replaces it", error->words);
	else if (file == NULL)
		msg_error("%s", error->words);
	else
		msg_failure(files_name(file), error);
}

void
job_report(struct job *job)
{
	progress_erase(&job->progress);
	job->status = cmd_worse(job->status,
	    finding_list_report(&job->findings, job->quiet));
}

/* Who closes the pipe has enough: that is no failure. A call-back that
 * cancelled has said why. */
int
job_end(struct job *job, enum dmtrace_status status)
{
	const struct dmtrace_error *const error = dmtrace_op_error(job->op);

	job_report(job);
	if (status != DMTRACE_OK && error->sys_errno != EPIPE) {
		if (status != DMTRACE_ERR_CANCELLED)
			tell_failure(job, error);
		job->status = CMD_TROUBLE;
	}
	dmtrace_op_free(job->op);
	return job->status;
}
