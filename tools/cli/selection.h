/* selection.h - options that say which events are meant */
#ifndef SELECTION_H
#define SELECTION_H

#include <dmtrace.h>

#include "cli/opt.h"
#include "private/select.h"

/* Begin with SELECTION; what a command has no option for stays so. */
struct selection {
	struct opt_list threads;
	struct opt_list methods;
	struct opt_list under;
	struct opt_list hidden;
	uint64_t from_ns;
	uint64_t to_ns;
	bool raw;			/* no frame is opened or closed */
	const char *depth;		/* A..B; NULL: any */
	uint64_t min_ns;
	bool invert;
	bool several;			/* traces: a name is in one of them */
	bool each;			/* has something that is selected */
	bool quiet;			/* report only what is a failure */
	int empty_status;		/* the exit status if nothing is
					   selected */
	const char *advice;		/* after the report of that */
	struct dmt_selection *asked;	/* by selection_begin */

	/* Private: what the traces lack. */
	struct miss *misses;
	struct empty *empties;
	size_t traces;			/* that it was resolved for */
	size_t empty_count;
};

#define SELECTION { \
	.to_ns = UINT64_MAX, .empty_status = CMD_NO, .advice = "" \
}

/* Times are as in OPT_TIME. */
#define OPT_SELECTION(s) \
	OPT_GROUP("Which events"), \
	OPT_LIST('t', "thread", "THREAD", &(s)->threads, \
	    "select threads by id, name or glob"), \
	OPT_LIST('m', "method", "PATTERN", &(s)->methods, \
	    "select methods by glob or /regex/"), \
	OPT_TIME(0, "from", "TIME", &(s)->from_ns, \
	    "select events from TIME on"), \
	OPT_TIME(0, "to", "TIME", &(s)->to_ns, \
	    "select events before TIME"), \
	OPT_STRING(0, "depth", "A..B", &(s)->depth, \
	    "select frames by depth; the outermost is 1"), \
	OPT_TIME(0, "min-time", "TIME", &(s)->min_ns, \
	    "select calls that last at least TIME")

/* Makes what was asked for of the options, and reports what is wrong with them.
 * Returns OPT_GO or CMD_TROUBLE. In any case selection_end ends it. */
int
selection_begin(struct selection *selection);

/*
 * Looks the names up in an open trace, which is called file in messages.
 * Returns OPT_GO, or CMD_TROUBLE, which is reported: the only trace lacks a
 * name, or no memory.
 */
int
selection_resolve(struct selection *selection,
    const struct dmtrace_reader *reader, const char *file);

/*
 * After all events of the trace were judged: notes which ids neither a row nor
 * a record has and, if nothing is selected, the times of the trace, for which
 * a reader that is held (dmt_reader_hold) is read again. Returns what
 * selection_resolve does.
 */
int
selection_check(struct selection *selection, struct dmtrace_reader *reader,
    const char *file, bool is_empty);

/*
 * After the last trace: reports what no trace has, and the traces of which
 * nothing is selected. That is no failure, unless each must have something, if
 * the trace has times in the window and something of another one is selected:
 * the traces differ. file is that of the only trace. Returns CMD_TROUBLE (an
 * id or exact name is unknown), empty_status (a pattern matches nothing, or
 * nothing is selected) or CMD_OK.
 */
int
selection_finish(struct selection *selection, const char *file);

void
selection_end(struct selection *selection);

#endif
