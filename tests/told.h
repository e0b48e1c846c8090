/* told.h - an operation for each test, and the findings that it tells */

#ifndef TOLD_H
#define TOLD_H

#include <dmtrace.h>

#include <check.h>
#include <stdio.h>

#include "op.h"

/* The last finding, and how many there were. */
struct told {
	const struct dmtrace_op *op;
	unsigned count;
	char name[32];
	char path[32];
	enum dmtrace_place place;
	uint64_t at;
	char words[DMTRACE_MESSAGE_MAX];
};

static inline void
told_finding(void *context, const struct dmtrace_finding *finding)
{
	struct told *const told = context;
	const char *const path = finding->file->path;

	told->count++;
	snprintf(told->name, sizeof(told->name), "%s", finding->name);
	snprintf(told->path, sizeof(told->path), "%s",
	    path == NULL ? "" : path);
	told->place = finding->place;
	told->at = finding->at;
	snprintf(told->words, sizeof(told->words), "%s", finding->message);
}

static struct told told;

/* A checked fixture, with op_end: an empty folder, and op, which tells told. */
static inline void
told_begin(void)
{
	op_begin();
	told = (struct told){ .op = op };
	dmtrace_op_set_report(op, told_finding, &told);
}

#endif
