/* program.h - another program: whether it has hooks, run it, its end */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>

enum program_hooks {
	PROGRAM_UNKNOWN,	/* a script, or not to be read */
	PROGRAM_BARE,		/* it calls none */
	PROGRAM_STATIC,		/* nothing can be loaded with it */
	PROGRAM_HOOKED
};

/* Whether a program has hooks, by its file, which is looked for in PATH. */
enum program_hooks
program_hooks(const char *name);

/*
 * Runs argv[0], found in PATH, and waits for its end; the signals that end
 * this process on the way are the program's. Returns its exit status, or 128
 * and the number of the signal that killed it; -1, with errno: it could not
 * be started.
 */
int
program_run(char *const argv[]);

#endif
