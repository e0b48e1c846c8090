/* job.h - what commands do with an operand and an output */
#ifndef JOB_H
#define JOB_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/opt.h"
#include "cli/progress.h"

struct finding_row;

/* The findings of an operation, each name once. Zero is an empty list. */
struct finding_list {
	struct finding_row *rows;	/* in the order of the first ones */
	struct finding_row *recent;	/* the one that was added last */
	bool failed;			/* one was lost, for memory */
};

/*
 * A command that runs an operation of the library calls job_begin, the
 * operation, and job_end; one that makes a trace of another job_begin_rewrite,
 * job_open_writer, the operation, job_close and job_fini. Findings are
 * reported at the end, each name once, and what fails where it fails.
 */
struct job {
	const char *output;		/* -o; NULL: standard output */
	bool quiet;			/* -q: errors only */
	bool asked;			/* --progress */
	bool sync;			/* --sync */

	struct dmtrace_op *op;
	struct progress progress;
	struct finding_list findings;	/* of op, not reported yet */
	int status;			/* CMD_NO: an error was found */
	const struct dmtrace_file *target; /* what the system's failures are
					   about if no file is named */

	const char *input;		/* the operand, */
	const char *name;		/* and what messages call it */
	struct dmtrace_file out;
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;
};

/* The options that every job has, and those of one that writes a trace. */
#define OPT_JOB(job) \
	OPT_FLAG('q', "quiet", &(job)->quiet, \
	    "print no progress, notes or warnings"), \
	OPT_PROGRESS(&(job)->asked)
#define OPT_SYNC(v) \
	OPT_FLAG(0, "sync", v, "force output files to disk")
#define OPT_JOB_OUTPUT(job) \
	OPT_STRING('o', "output", "FILE", &(job)->output, "write to FILE"), \
	OPT_SYNC(&(job)->sync), \
	OPT_JOB(job)

/* The number of operands must be 1. what: "trace" or "file". Returns OPT_GO,
 * or CMD_TROUBLE, which is reported. */
int
job_check_operand(const struct cmd *cmd, int argc, const char *what);

/* False, which is reported: no memory. */
bool
job_begin(struct job *job);

/* Opens the trace of an operand, with a new reader, which may not read the
 * output. Returns CMD_OK, or CMD_TROUBLE, which is reported. */
int
job_open(struct job *job, const char *operand);

/* Begins the job of a command that makes a trace of another one: job_open,
 * and a writer for a trace like it; then, when all is set of the writer,
 * opens it. Both return CMD_OK, or CMD_TROUBLE, which is reported. */
int
job_begin_rewrite(struct job *job, const char *operand);
int
job_open_writer(struct job *job);

/* Gives the output its name. Returns CMD_OK, also if nobody reads the rest,
 * or CMD_TROUBLE, which is reported. */
int
job_close_writer(struct job *job);

/* Keeps a finding in file, as messages call it, for job_report; those of op
 * come by themselves. */
void
job_add_finding(struct job *job, const char *file,
    const struct dmtrace_finding *finding);

/* Reports the findings so far, in status, too. */
void
job_report(struct job *job);

/* Reports the findings and a failure of the operation, and frees it. Returns
 * the exit status. */
int
job_end(struct job *job, enum dmtrace_status status);

/* Reports the findings of operation and reader, and what failed; gives the
 * output its name if nothing has. Returns the exit status. */
int
job_close(struct job *job, enum dmtrace_status status);

/* Frees operation, reader and writer. */
void
job_fini(struct job *job);

#endif
