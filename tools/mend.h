/* mend.h - validate --fix: a trace that the readers of --for take */
#ifndef MEND_H
#define MEND_H

#include "cmd.h"
#include "job.h"
#include "viewers.h"

struct mend {
	struct job *job;
	const struct viewers *viewers;
	enum dmtrace_severity fail_on;
	unsigned form;			/* enum form, or one of a suite */
	bool sync;
	const char *output;		/* of -o; NULL: none */
};

/* Says what cannot be done with --fix; else OPT_GO. */
int
mend_check(const struct cmd *cmd, const struct mend *mend, int argc);

/* Writes the trace of an operand. Returns the exit status. */
int
mend_run(const struct mend *mend, const char *input);

#endif
