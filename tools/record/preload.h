/* preload.h - finds libdmtrace-instrument, and prints what it reports */
#ifndef PRELOAD_H
#define PRELOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Makes programs that are run later load the library. false: it is not found,
 * or its name cannot be passed on, which was reported. */
bool
preload_hooks(void);

/* Puts a setting of the recorder into the environment of these programs. false:
 * no memory, which was reported. */
bool
preload_setting(const char *name, const char *value);

/* What the programs have reported: about the first one, and sums. Zeroed, it
 * has nothing. */
struct preload_report {
	char *path;			/* of the first trace; NULL: none */
	char **unfinished;		/* paths of those that have no end */
	size_t unfinished_count;
	size_t unfinished_room;
	unsigned started;
	unsigned stopped;
	unsigned failed;		/* processes that could not record */
	uint64_t records;		/* in all traces */
};

/*
 * Creates a temporary file in which the programs report what they recorded,
 * and names it in the environment. false: it cannot be created, which was
 * reported. preload_report_fini removes it.
 */
bool
preload_report_init(void);

/* Reads what was reported, and prints it; if quiet, only failures and
 * losses. */
void
preload_report_read(struct preload_report *report, bool quiet);

void
preload_report_fini(struct preload_report *report);

#endif
