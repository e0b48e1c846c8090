/* shim.h - libdmtrace-instrument: where it is, and what it has told */
#ifndef SHIM_H
#define SHIM_H

#include <stdbool.h>
#include <stdio.h>

/* Has the programs that are run from here load it. False, which is said: it
 * is not found, or its name cannot be told to them. */
bool
shim_preload(void);

/* What the programs have told since; of the first one, and of all. */
struct shim_told {
	char *path;			/* of the first trace; NULL: none */
	unsigned started;
	unsigned stopped;
	unsigned failed;		/* to record */
};

/*
 * A file for what they tell. False, which is said: it cannot be made. The
 * file goes with shim_fini.
 */
bool
shim_init(void);

/* Says what they have told; quiet: only what has gone wrong. */
void
shim_tell(struct shim_told *told, bool quiet);

void
shim_fini(struct shim_told *told);

#endif
