/* failing.h - each call of a kind fails in turn, until none is left */

#ifndef FAILING_H
#define FAILING_H

#include <dmtrace.h>

#include <check.h>

#include "helpers/faults.h"

/* What a whole operation on files calls. */
static const enum fault all_faults[] = {
	FAULT_ALLOC, FAULT_OPEN, FAULT_READ, FAULT_WRITE, FAULT_SYNC,
	FAULT_CLOSE, FAULT_NAME
};

/* What a failing call of that kind comes to. */
static inline enum dmtrace_status
fault_status(enum fault kind)
{
	return kind == FAULT_ALLOC || kind == FAULT_MAP ? DMTRACE_ERR_MEMORY :
	    DMTRACE_ERR_IO;
}

/* Of a function that returns NULL for want of memory alone. */
static inline enum dmtrace_status
status_of_new(const void *made)
{
	return made == NULL ? DMTRACE_ERR_MEMORY : DMTRACE_OK;
}

/*
 * Zero but for the first two:
 *
 *	struct failing failing = { .kind = FAULT_READ };
 *
 *	do {
 *		failing_arm(&failing);
 *		if (failing_reported(&failing, what_may_fail()))
 *			there is nothing;
 *		else
 *			there is all;
 *	} while (failing.failed);
 */
struct failing {
	enum fault kind;
	enum fault harmless;	/* failures of this kind may do no harm, such
				 * as that of closing an input */
	unsigned nth;		/* the call that fails, from 1 */
	bool failed;		/* there was such a call */
	unsigned reported;		/* failures that ended in a status */
};

static inline void
failing_arm(struct failing *failing)
{
	fault_arm(failing->kind, ++failing->nth);
}

/* Nothing fails any more. status is what it ended in: that of the failure, or
 * DMTRACE_OK without one. Returns whether a failure was reported. */
static inline bool
failing_reported(struct failing *failing, enum dmtrace_status status)
{
	failing->failed = fault_disarm();
	if (status == DMTRACE_OK &&
	    (!failing->failed || failing->kind == failing->harmless))
		return false;
	ck_assert_int_eq(status, failing->failed ?
	    fault_status(failing->kind) : DMTRACE_OK);
	failing->reported++;
	return true;
}

#endif
