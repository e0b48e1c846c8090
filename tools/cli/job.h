/* job.h - an operation of the library, and what it tells on the way */
#ifndef JOB_H
#define JOB_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/finding_list.h"
#include "cli/opt.h"
#include "cli/progress.h"

struct job {
	struct dmtrace_op *op;
	bool quiet;			/* -q: errors only */
	bool asked;			/* --progress */
	struct progress progress;
	struct finding_list findings;	/* of op, not reported yet */
	int status;			/* CMD_NO: an error was found */
	const struct dmtrace_file *out;	/* what the system's failures are
					   about if no file is named */
};

#define OPT_SYNC(v) \
	OPT_FLAG(0, "sync", v, "force what is written to the disk")

/* The options that every job has. */
#define OPT_JOB(job) \
	OPT_FLAG('q', "quiet", &(job)->quiet, \
	    "no progress, notes and warnings"), \
	OPT_PROGRESS(&(job)->asked)

/* False, which is said: no memory. */
bool
job_begin(struct job *job);

/* Reports the findings so far, in status, too. */
void
job_report(struct job *job);

/* Reports the findings and a failure of the operation, and frees it. Returns
 * the exit status. */
int
job_end(struct job *job, enum dmtrace_status status);

#endif
