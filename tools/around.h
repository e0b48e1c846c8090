/* around.h - the methods that a graph is to be around */
#ifndef AROUND_H
#define AROUND_H

#include <dmtrace.h>

#include "opt.h"

struct around {
	struct opt_list words;		/* of --around */
	struct dmtrace_selection *asked;
	uint32_t *methods;		/* indexes; NULL: none was asked for */
	size_t count;
};

/* Makes what was asked for of the words, and says what is wrong with them.
 * Returns OPT_GO or CMD_TROUBLE. In any case around_end ends it. */
int
around_begin(struct around *around);

/*
 * Finds them in the profile of a trace, and says what is not there: file is
 * its name. Returns CMD_OK, CMD_NO (a pattern matches nothing) or CMD_TROUBLE
 * (a name is unknown, or no memory).
 */
int
around_find(struct around *around, const struct dmtrace_profile *profile,
    const struct dmtrace_reader *reader, const char *file);

void
around_end(struct around *around);

#endif
