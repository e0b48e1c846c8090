/* rewrite.h - commands that read one trace and write another */
#ifndef REWRITE_H
#define REWRITE_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/job.h"

struct rewrite {
	struct job job;
	const char *input;		/* the operand */
	const char *output;		/* -o; NULL: standard output */
	bool sync;
	struct dmtrace_file out;
	struct dmtrace_reader *reader;
	struct dmtrace_writer *writer;
};

/* The options that every change has. */
#define OPT_REWRITE(change) \
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
rewrite_begin(struct rewrite *change, const struct cmd *cmd, int argc,
    char **argv);

/* Opens the output; to be called behind rewrite_begin, when all that is to be
 * set of the writer is. Returns OPT_GO, or an exit status. */
int
rewrite_open(struct rewrite *change);

/* What came of the operation; ends the output, and says what failed. Returns
 * the exit status. */
int
rewrite_end(struct rewrite *change, enum dmtrace_status status);

/* Always, at last. */
void
rewrite_fini(struct rewrite *change);

#endif
