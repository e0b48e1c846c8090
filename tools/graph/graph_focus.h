/* graph_focus.h - the methods that a graph is drawn around */
#ifndef GRAPH_FOCUS_H
#define GRAPH_FOCUS_H

#include <dmtrace.h>

#include "cli/opt.h"
#include "private/select.h"

struct graph_focus {
	struct opt_list words;		/* of --around */
	struct dmt_selection *asked;
	uint32_t *methods;		/* indexes; NULL: none was asked for */
	size_t count;
};

/* Makes what was asked for of the words, and reports what is wrong with them.
 * Returns OPT_GO or CMD_TROUBLE. In any case graph_focus_end ends it. */
int
graph_focus_begin(struct graph_focus *focus);

/*
 * Finds them in the profile of a trace, and reports what is not there: file is
 * its name. Returns CMD_OK, CMD_NO (a pattern matches nothing) or CMD_TROUBLE
 * (a name is unknown, or no memory).
 */
int
graph_focus_find(struct graph_focus *focus,
    const struct dmtrace_profile *profile,
    const struct dmtrace_reader *reader, const char *file);

void
graph_focus_end(struct graph_focus *focus);

#endif
