/* selection.h - the options that select events */
#ifndef SELECTION_H
#define SELECTION_H

#include <dmtrace.h>

#include "cli/opt.h"
#include "private/select.h"

/* Initialise with SELECTION; members without an option keep their values. */
struct selection {
	struct opt_list threads;
	struct opt_list methods;
	struct opt_list under;
	struct opt_list hidden;
	uint64_t from_ns;
	uint64_t to_ns;
	bool raw;			/* open and close no calls at the
					   edges */
	const char *depth;		/* A..B; NULL: any */
	uint64_t min_ns;
	bool invert;
	bool several;			/* there are several traces: a name
					   need only be in one of them */
	bool each;			/* each trace must have selected
					   events */
	bool quiet;			/* report failures only */
	int empty_status;		/* the exit status if nothing is
					   selected */
	const char *advice;		/* added to the message in that case */
	struct dmt_selection *asked;	/* made by selection_begin */

	/* Private members: what the traces lack. */
	struct miss *misses;
	struct empty *empties;
	size_t traces;			/* number of traces that were
					   resolved */
	size_t empty_count;
};

#define SELECTION { \
	.to_ns = UINT64_MAX, .empty_status = CMD_NO, .advice = "" \
}

/* Times are as in OPT_TIME. */
#define OPT_SELECTION(s) \
	OPT_GROUP("Which events"), \
	OPT_LIST('t', "thread", "THREAD", &(s)->threads, \
	    "select threads by id, name or PATTERN"), \
	OPT_LIST('m', "method", "PATTERN", &(s)->methods, \
	    "select methods: glob, /regex/ or !PATTERN"), \
	OPT_TIME(0, "from", "TIME", &(s)->from_ns, \
	    "select events from TIME on"), \
	OPT_TIME(0, "to", "TIME", &(s)->to_ns, \
	    "select events before TIME"), \
	OPT_STRING(0, "depth", "A..B", &(s)->depth, \
	    "select frames by depth; the outermost is 1"), \
	OPT_TIME(0, "min-time", "TIME", &(s)->min_ns, \
	    "select calls that last at least TIME"), \
	OPT_LIST(0, "under", "PATTERN", &(s)->under, \
	    "select calls of a method and all calls inside"), \
	OPT_LIST(0, "hide", "PATTERN", &(s)->hidden, \
	    "leave out calls of a method, but not their callees")

/* Makes a selection of the methods that match one of the patterns, the values
 * of an option; without patterns, *asked stays as it is. Returns OPT_GO, or
 * CMD_TROUBLE, which was reported. */
int
selection_of_methods(struct dmt_selection **asked,
    const struct opt_list *patterns, const char *option);

/* Makes a selection of the options, and reports errors in them. Returns OPT_GO
 * or CMD_TROUBLE. Call selection_end in any case. */
int
selection_begin(struct selection *selection);

/*
 * Looks up the names in an open trace; file is its name in messages. Returns
 * OPT_GO, or CMD_TROUBLE, which was reported: there is only one trace and it
 * lacks a name, or there is no memory.
 */
int
selection_resolve(struct selection *selection,
    const struct dmtrace_reader *reader, const char *file);

/*
 * Called after all events of the trace were judged: collects the ids that are
 * in no row and no record and, if nothing is selected, the time range of the
 * trace, for which a reader that is held (dmt_reader_hold) is read again.
 * Returns what selection_resolve does.
 */
int
selection_check(struct selection *selection, struct dmtrace_reader *reader,
    const char *file, bool is_empty);

/*
 * Called after the last trace: reports names that no trace has, and traces of
 * which nothing is selected. The latter is no failure, unless each trace must
 * have selected events, if the trace has times in the window and events of
 * another trace are selected: then the traces differ. file is the name of the
 * only trace. Returns CMD_TROUBLE (an id or exact name is unknown),
 * empty_status (a pattern matches nothing, or nothing is selected) or CMD_OK.
 */
int
selection_finish(struct selection *selection, const char *file);

/* Returns the options that were given, as one would write them, ended by NULL;
 * free them with selection_words_free. NULL: no memory, which was reported. */
char **
selection_words(const struct selection *selection);

void
selection_words_free(char **words);

void
selection_end(struct selection *selection);

#endif
