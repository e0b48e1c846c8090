/* change.h - commands that make one trace of another */
#ifndef CHANGE_H
#define CHANGE_H

#include <dmtrace.h>
#include <stdbool.h>

#include "job.h"

struct change {
	struct job job;
	const char *input;		/* the operand */
	const char *output;		/* -o; NULL: standard output */
	bool sync;
	struct dmtrace_file out;
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;
};

/* The options that every change has. */
#define OPT_CHANGE(change) \
	OPT_STRING('o', "output", "FILE", &(change)->output, \
	    "write to FILE"), \
	OPT_SYNC(&(change)->sync), \
	OPT_JOB(&(change)->job)

/*
 * Takes the only operand, and opens it and the output, whose writer is like
 * the reader. Returns OPT_GO, or an exit status to return at once, because
 * all is said.
 */
int
change_begin(struct change *change, const struct cmd *cmd, int argc,
    char **argv);

/* Opens the output; to be called behind change_begin, when all that is to be
 * set of the writer is. Returns OPT_GO, or an exit status. */
int
change_open(struct change *change);

/* What came of the operation; ends the output, and says what failed. Returns
 * the exit status. */
int
change_end(struct change *change, enum dmtrace_status status);

/* Always, at last. */
void
change_fini(struct change *change);

#endif
