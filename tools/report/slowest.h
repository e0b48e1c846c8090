/* slowest.h - prints the slowest calls of traces */
#ifndef SLOWEST_H
#define SLOWEST_H

#include <stdint.h>

#include "cli/find_option.h"
#include "cli/job.h"
#include "cli/selection.h"

struct slowest_options {
	uint64_t count;			/* of calls, at least 1 */
	unsigned form;
	unsigned clock;			/* of enum dmtrace_profile_clock, or
					   CLOCK_ANY */
	bool by_exclusive;		/* sort by exclusive time */
	uint64_t workers;		/* --jobs */
	struct find_option *find;	/* the methods of the calls */
};

/* Prints the slowest selected calls of the files up to NULL; selection_begin
 * was called. Returns the exit status. */
int
slowest_files(struct job *job, struct selection *selection,
    const struct slowest_options *options, char **files);

#endif
