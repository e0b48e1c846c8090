/* reported.h - an operation for each test, and its last finding */

#ifndef REPORTED_H
#define REPORTED_H

#include <dmtrace.h>

#include <check.h>
#include <stdio.h>

#include "helpers/op.h"

/* The last finding, and how many there were. */
struct reported {
	const struct dmtrace_op *op;
	unsigned count;
	char name[32];
	char path[32];
	enum dmtrace_place place;
	uint64_t at;
	char message[DMTRACE_MESSAGE_MAX];
};

static inline void
reported_finding(void *context, const struct dmtrace_finding *finding)
{
	struct reported *const reported = context;
	const char *const path = finding->file->path;

	reported->count++;
	snprintf(reported->name, sizeof(reported->name), "%s", finding->name);
	snprintf(reported->path, sizeof(reported->path), "%s",
	    path == NULL ? "" : path);
	reported->place = finding->place;
	reported->at = finding->at;
	snprintf(reported->message, sizeof(reported->message), "%s",
	    finding->message);
}

static struct reported reported;

/* A checked fixture, with op_end: an empty folder, and op, whose findings go to
 * reported. */
static inline void
reported_begin(void)
{
	op_begin();
	reported = (struct reported){ .op = op };
	dmtrace_op_set_report(op, reported_finding, &reported);
}

#endif
