/* gather.h - traces into a profile */
#ifndef GATHER_H
#define GATHER_H

#include <dmtrace.h>

#include "progress.h"
#include "selection.h"

struct gather {
	struct dmtrace_profile *profile;
	struct selection *selection;	/* begun; NULL: all events */
	const struct dmtrace_file *out;	/* what no input may be */
	bool quiet;			/* no findings to standard error */
	struct progress progress;
	bool keeps_reader;		/* of the last operand, in reader, */
	struct dmtrace_reader *reader;	/* which is to be freed */
};

/*
 * Adds the trace of an operand, and says what is wrong with it. Returns the
 * exit status: CMD_NO, an error was found in it or the selection matches
 * nothing; CMD_TROUBLE, it was not, or not to its end, added.
 */
int
gather_add(struct gather *gather, const char *operand);

#endif
