/* gather.h - traces into a profile, or what else takes events */
#ifndef GATHER_H
#define GATHER_H

#include <dmtrace.h>

#include "progress.h"
#include "selection.h"

/* What takes the events of a trace. */
struct gather_use {
	enum dmtrace_status (*add)(void *context,
	    struct dmtrace_source *source);
	const struct dmtrace_error *(*error)(void *context);
};

struct gather {
	struct dmtrace_profile *profile;
	const struct gather_use *use;	/* in its place; NULL: none */
	void *context;			/* for use */
	struct selection *selection;	/* begun; NULL: all events */
	const struct dmtrace_file *out;	/* what no input may be */
	bool quiet;			/* no findings to standard error */
	struct progress progress;
	struct dmtrace_error failure;	/* why the last operand could not be
					   read; DMTRACE_OK: it could, or what
					   failed is something else */
	bool keeps_reader;		/* of the last operand, in reader, */
	struct dmtrace_reader *reader;	/* which is to be freed */
};

/*
 * Adds the trace of an operand, and says what is wrong with it. Returns the
 * exit status: CMD_NO, an error was found in it; CMD_TROUBLE, it was not, or
 * not to its end, added. After the last one, selection_finish.
 */
int
gather_add(struct gather *gather, const char *operand);

#endif
