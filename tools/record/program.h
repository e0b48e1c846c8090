/* program.h - runs another program, and checks if it has hooks */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdbool.h>

enum program_hooks {
	PROGRAM_UNKNOWN,	/* a script, or not readable */
	PROGRAM_BARE,		/* it calls no hooks */
	PROGRAM_STATIC,		/* statically linked: the library cannot be
				   loaded */
	PROGRAM_HOOKED
};

/* Checks the file of a program, which is found in PATH, for hooks. */
enum program_hooks
program_hooks(const char *name);

/*
 * Runs argv[0], found in PATH, and waits for its end; meanwhile, signals that
 * would end this process are left to the program. Returns its exit status, or,
 * with *killed set, 128 plus the number of the signal that killed it; -1, with
 * errno: it could not be started.
 */
int
program_run(char *const argv[], bool *killed);

#endif
