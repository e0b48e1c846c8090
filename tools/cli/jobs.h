/* jobs.h - handles many operands at a time, in processes */
#ifndef JOBS_H
#define JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/progress.h"
#include "cli/table.h"

/* The option of commands that can. */
#define OPT_JOBS(v) \
	OPT_RANGE(0, "jobs", "N", v, 1, 256, \
	    "handle N operands at a time [1]")

/*
 * Operands, by index, and what is done with them. The functions have the names
 * of when they are called: three in a worker, which is a copy of this process
 * that handles some consecutive operands, and two in this process, in the order
 * of the operands.
 */
struct jobs {
	size_t operands;
	uint64_t workers;		/* that run at a time */
	void *context;			/* for the functions */
	int *status;			/* the worst one, kept up to date */
	struct progress *progress;	/* shows how many are done; NULL:
					   none */

	/* Returns the exit status for the operand. */
	int (*handle)(void *context, size_t index);

	/* The table that handle prints to, and what a part of it begins with in
	 * text: see table_take_part. NULL: it prints nothing, or there are
	 * begin, end and take. */
	struct table *table;
	const char *between;

	/* The worker's output goes to fd; its first operand has that index. */
	void (*begin)(void *context, size_t first, int fd);
	/* Writes what is left. false: some of it is lost, which was
	 * reported. */
	bool (*end)(void *context);
	/* Bytes that a worker wrote. */
	void (*take)(void *context, const char *bytes, size_t len);

	/* For results that are not printed as they come. work does in a worker
	 * what handle does in this process, but writes the result to memory;
	 * take_result gets all of it. last: it is the worker's last operand. */
	int (*work)(void *context, size_t index, bool last,
	    struct dmt_output *result);
	void (*take_result)(void *context, size_t index, const char *bytes);

	/* The status of an operand whose output was taken; NULL: only the worst
	 * one matters. */
	void (*note)(void *context, size_t index, int status);

	/* true: what other operands have does not matter any more; neither
	 * their output nor their messages are taken. NULL: never. */
	const bool *stop;
};

/*
 * Handles the operands; one worker is this process itself, which calls only
 * handle and note. A result is taken before its operand is noted. What workers
 * print on standard error appears in the order of the operands, too. Returns
 * false if something is lost, which was reported: a worker died, or its end
 * returned false. A signal that ends this process ends the workers.
 */
bool
jobs_run(const struct jobs *jobs);

/* Ends the workers; for handlers of signals. */
void
jobs_kill(void);

#endif
