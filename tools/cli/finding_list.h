/* finding_list.h - an operation's findings, each name once with its count */
#ifndef FINDING_LIST_H
#define FINDING_LIST_H

#include <dmtrace.h>
#include <stdbool.h>

struct finding_row;

/* Zero is a valid, empty list. */
struct finding_list {
	struct finding_row *rows;	/* in the order of the first ones */
	struct finding_row *recent;	/* the one that was added last */
	bool failed;			/* one was lost, for memory */
};

/* Counts a finding in a file, as messages call it, which is copied. */
void
finding_list_add(struct finding_list *findings, const char *file,
    const struct dmtrace_finding *finding);

/* Reports each with how often it came, if quiet only errors, and forgets them.
 * Returns CMD_NO if one is an error, CMD_TROUBLE if one was lost, which is
 * reported, or CMD_OK. */
int
finding_list_report(struct finding_list *findings, bool quiet);

#endif
