/* report_job.h - what "report" is asked for, and doing it */
#ifndef REPORT_JOB_H
#define REPORT_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/selection.h"

/* --by: one of the profile's, or threads. */
enum report_by {
	REPORT_BY_METHOD,
	REPORT_BY_NAME,
	REPORT_BY_CLASS,
	REPORT_BY_PACKAGE,
	REPORT_BY_THREAD
};

struct report_job {
	unsigned form, by, sort, clock;
	const char *output;
	uint64_t top;			/* 0: all */
	uint64_t threshold;		/* percent */
	bool callers, callees, tree, bottom_up, calls, per_thread;
	bool compensate, merge_runs, dmtracedump;
	bool quiet, progress;
	struct selection selection;	/* begun */
};

/* Reads the files, up to NULL, and puts the report. Returns the exit
 * status. */
int
report_job(struct report_job *job, char **files);

#endif
