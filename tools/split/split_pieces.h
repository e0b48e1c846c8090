/* split_pieces.h - a trace to pieces that are traces, and whole again */
#ifndef SPLIT_PIECES_H
#define SPLIT_PIECES_H

#include "cli/job.h"

struct pieces {
	struct job *job;
	const char *by;			/* --by: its word and value */
	const char *output;		/* -o; NULL: beside the trace */
	uint64_t max_files;
	bool force;
	bool sync;
};

/* "dmtrace split --by": the trace of operand. Returns the exit status. */
int
pieces_split(const struct cmd *cmd, const struct pieces *pieces,
    const char *operand);

#endif
