/* findings.h - the findings of an operation: of each name one, and how many */
#ifndef FINDINGS_H
#define FINDINGS_H

#include <dmtrace.h>
#include <stdbool.h>

struct findings_row;

/* Zero is a valid, empty list. */
struct findings {
	struct findings_row *rows;	/* in the order of the first ones */
	struct findings_row *recent;	/* the one that was added last */
	bool failed;			/* one was lost, for memory */
};

/* Counts a finding in a file, as messages call it, which is copied. */
void
findings_add(struct findings *findings, const char *file,
    const struct dmtrace_finding *finding);

/* Reports each with how often it came, if quiet only errors, and forgets them.
 * Returns CMD_NO if one is an error, CMD_TROUBLE if one was lost, which is
 * reported, or CMD_OK. */
int
findings_report(struct findings *findings, bool quiet);

#endif
