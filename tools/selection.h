/* selection.h - options that say which events are meant */
#ifndef SELECTION_H
#define SELECTION_H

#include <dmtrace.h>

#include "opt.h"

#define SELECTION_MEMORY (UINT64_C(256) << 20)	/* bytes, by default */

/* A name that was looked up in several traces. */
struct selection_miss {
	struct dmtrace_unmatched unmatched;
	size_t times;			/* that it was not there */
};

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
	uint64_t memory;
	bool invert;
	bool lenient;			/* a trace may lack a name: it is
					   only counted, in misses */
	struct selection_miss *misses;
	size_t miss_count;
	struct dmtrace_selection *asked;	/* by selection_begin */
};

#define SELECTION { .to_ns = UINT64_MAX, .memory = SELECTION_MEMORY }

/* Times are as in OPT_TIME. */
#define OPT_SELECTION(s) \
	OPT_LIST('t', "thread", "THREAD", &(s)->threads, \
	    "only threads of that id, name or glob"), \
	OPT_LIST('m', "method", "PATTERN", &(s)->methods, \
	    "only methods: a glob, or /regex/"), \
	OPT_TIME(0, "from", "TIME", &(s)->from_ns, \
	    "only from TIME on"), \
	OPT_TIME(0, "to", "TIME", &(s)->to_ns, \
	    "only before TIME"), \
	OPT_STRING(0, "depth", "A..B", &(s)->depth, \
	    "only frames of these depths, 1 is the outermost"), \
	OPT_TIME(0, "min-time", "TIME", &(s)->min_ns, \
	    "only calls that last at least TIME")

/* Makes what was asked for of the options, and says what is wrong with them.
 * Returns OPT_GO or CMD_TROUBLE. In any case selection_end ends it. */
int
selection_begin(struct selection *selection);

/*
 * Looks the names up in an open trace, and says which are not there: file is
 * its name. Returns OPT_GO, CMD_NO (a pattern matches nothing; the selection
 * may be used all the same) or CMD_TROUBLE (a name is unknown).
 */
int
selection_resolve(struct selection *selection,
    const struct dmtrace_reader *reader, const char *file);

/* When all events were judged: says which numbers of threads were neither
 * listed nor in one of them. Returns OPT_GO or CMD_TROUBLE. */
int
selection_check(struct selection *selection,
    const struct dmtrace_reader *reader, const char *file);

/* Says which names were missed in all of so many traces, reader being that of
 * the last one. Returns what selection_resolve does. */
int
selection_tell_missed(const struct selection *selection, size_t traces,
    const struct dmtrace_reader *reader, const char *file);

void
selection_end(struct selection *selection);

#endif
