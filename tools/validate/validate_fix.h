/* validate_fix.h - validate --fix: a trace that the readers of --for take */
#ifndef VALIDATE_FIX_H
#define VALIDATE_FIX_H

#include "cli/job.h"
#include "cmd.h"
#include "validate/reader_verdicts.h"

struct validate_fix {
	struct job *job;
	const struct reader_verdicts *verdicts;
	enum dmtrace_severity fail_on;
	unsigned form;			/* enum form, or one of a suite */
	const char *output;		/* of -o; NULL: none */
};

/* Reports what cannot be done with --fix; else OPT_GO. */
int
validate_fix_check(const struct cmd *cmd, const struct validate_fix *fix,
    int argc);

/* Writes the trace of an operand. Returns the exit status. */
int
validate_fix_run(const struct validate_fix *fix, const char *input);

#endif
