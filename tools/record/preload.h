/* preload.h - libdmtrace-instrument: where it is, and what it has reported */
#ifndef PRELOAD_H
#define PRELOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Has the programs that are run from here load it. False, which is reported: it
 * is not found, or its name cannot be passed to them. */
bool
preload_hooks(void);

/* What the programs have reported since; of the first one, and of all. */
struct preload_report {
	char *path;			/* of the first trace; NULL: none */
	unsigned started;
	unsigned stopped;
	unsigned failed;		/* to record */
	uint64_t records;		/* of all traces */
};

/*
 * Creates a temporary file in which the programs report what they recorded, and
 * names it in their environment. False, which is reported: it cannot be
 * created. preload_report_fini removes it.
 */
bool
preload_report_init(void);

/* Prints what they have reported; quiet: only what has gone wrong. */
void
preload_report_print(struct preload_report *report, bool quiet);

void
preload_report_fini(struct preload_report *report);

#endif
