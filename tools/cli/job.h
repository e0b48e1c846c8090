/* job.h - opens the operand and the output of a command, reports failures */
#ifndef JOB_H
#define JOB_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/opt.h"
#include "cli/progress.h"
#include "private/names.h"
#include "private/output.h"

struct finding_row;

/* The findings of an operation, each name once. A zeroed struct is an empty
 * list. */
struct finding_list {
	struct finding_row *rows;	/* in order of first appearance */
	struct finding_row *recent;	/* the row that was used last */
	bool failed;			/* a finding is missing, for lack of
					   memory */
};

/*
 * The order of calls in a command that runs an operation of the library is
 * job_begin, the operation, job_end; in a command that makes a trace of
 * another one: job_begin_rewrite, job_open_writer, the operation, job_close,
 * job_fini; in a command that reads the events of traces: trace_events_add for
 * each of them, job_fini. Findings are reported at the end, each name once;
 * failures are reported at once.
 */
struct job {
	const char *output;		/* -o; NULL: standard output */
	bool quiet;			/* -q: errors only */
	bool asked;			/* --progress was given */
	bool sync;			/* --sync */

	struct dmtrace_op *op;
	bool begun;			/* progress_init was called */
	struct progress progress;
	struct finding_list findings;	/* not reported yet */
	int status;			/* CMD_NO: one of the findings is an
					   error */
	const struct dmtrace_file *target; /* named in messages of failures
					      that have no file */

	const char *input;		/* the operand, */
	const char *name;		/* and its name in messages */
	struct dmtrace_file out;
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;

	const char *dialect;		/* -d; NULL: that of the operand */
	unsigned dialect_index;
	struct dmt_output temporary;	/* what is written, before it is
					   converted to that dialect */
};

/* Options of all jobs, and of those that write a trace. */
#define OPT_JOB(job) \
	OPT_FLAG('q', "quiet", &(job)->quiet, \
	    "print no progress, notes or warnings"), \
	OPT_PROGRESS(&(job)->asked)
#define OPT_SYNC(v) \
	OPT_FLAG(0, "sync", v, "force output files to disk")
#define OPT_JOB_OUTPUT(job) \
	OPT_OUTPUT_FILE(&(job)->output, "write to FILE", ".trace"), \
	OPT_SYNC(&(job)->sync), \
	OPT_JOB(job)

/* For commands that call job_begin_rewrite. */
#define OPT_JOB_DIALECT(job) \
	OPT_STRING_LIKE('d', "dialect", "NAME", &(job)->dialect, \
	    dmt_dialect_names, "v1 to v5, or f2 to f5 (streams) [as TRACE]")

/* Checks that there is one operand; what is "trace" or "file", for the
 * message. Returns OPT_GO, or CMD_TROUBLE, which was reported. */
int
job_check_operand(const struct cmd *cmd, int argc, const char *what);

/* false: no memory, which was reported. */
bool
job_begin(struct job *job);

/* Opens the trace of an operand with a new reader; it must not be the output.
 * Returns CMD_OK, or CMD_TROUBLE, which was reported. */
int
job_open(struct job *job, const char *operand);

/*
 * job_begin_rewrite begins the job of a command that makes a trace of another
 * one: it calls job_open, and makes a writer for a trace like that one. After
 * the writer is configured, job_open_writer opens it. Both return CMD_OK, or
 * CMD_TROUBLE, which was reported. With -d the writer's trace is converted when
 * it is closed, as if another command read it.
 */
int
job_begin_rewrite(struct job *job, const char *operand);
int
job_open_writer(struct job *job);

/* Closes the writer, which publishes the output. Returns CMD_OK, also if the
 * reader of a pipe has closed it, or CMD_TROUBLE, which was reported. */
int
job_close_writer(struct job *job);

/* Prints what a conversion lost, unless quiet. */
void
job_note_losses(const struct job *job,
    const struct dmtrace_convert_result *result);

/* Stores a finding for job_report; file is its name in messages. Findings of
 * op are stored automatically. */
void
job_add_finding(struct job *job, const char *file,
    const struct dmtrace_finding *finding);

/* Reports the findings so far, and updates status. */
void
job_report(struct job *job);

/* Reports the findings, and the failure of the operation if there is one, and
 * frees it. Returns the exit status. */
int
job_end(struct job *job, enum dmtrace_status status);

/* Reports the findings of operation and reader, and a failure; publishes the
 * output if there is none. Returns the exit status. */
int
job_close(struct job *job, enum dmtrace_status status);

/* Frees operation, reader and writer. */
void
job_fini(struct job *job);

#endif
