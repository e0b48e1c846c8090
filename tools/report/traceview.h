/* traceview.h - the tables of "traceview -r" */
#ifndef TRACEVIEW_H
#define TRACEVIEW_H

#include <dmtrace.h>
#include <stdbool.h>

#include "cli/selection.h"

/* By index in a struct view_call. */
enum { VIEW_CPU, VIEW_WALL, VIEW_CLOCKS };

/* A call, or the root of a thread. Times are microseconds. */
struct view_call {
	uint32_t thread;
	uint32_t method;
	uint32_t caller;		/* VIEW_ROOT: the root */
	bool recursive;
	int64_t start[VIEW_CLOCKS];
	int64_t end[VIEW_CLOCKS];
	int64_t inclusive[VIEW_CLOCKS];
	int64_t exclusive[VIEW_CLOCKS];
};

#define VIEW_ROOT UINT32_MAX
#define VIEW_THREADS 65536	/* numbers that records can have */

struct view_thread {
	uint32_t number;
	const struct dmtrace_thread *listed;	/* NULL: it is not */
	bool has_calls;
	bool has_time[VIEW_CLOCKS];
	int64_t start[VIEW_CLOCKS];
	int64_t end[VIEW_CLOCKS];
	int64_t current;		/* of a single clock, in the replay */
	struct view_call root;
	uint32_t *open;			/* calls, the outermost first */
	size_t depth, capacity;
	uint64_t *methods;		/* a bit for each with an open call */
	size_t words;
};

struct view_method {
	uint64_t id;
	const struct dmtrace_method *listed;	/* NULL: it is not */
	const char *special;		/* "(toplevel)"; NULL: it is a method */
	int64_t inclusive[VIEW_CLOCKS];
	int64_t exclusive[VIEW_CLOCKS];
	uint64_t calls[2];		/* outer, recursive */
};

/* The first methods. */
enum { VIEW_TOP, VIEW_SWITCH, VIEW_LISTED };

struct view {
	const struct dmtrace_key *key;
	const struct dmt_layout *layout;
	bool has_clock[VIEW_CLOCKS];
	bool takes_first;		/* the only clock is the first time */
	struct view_thread *threads;
	size_t thread_count, thread_capacity;
	uint32_t *direct;		/* index + 1, by number; 0: none */
	struct view_method *methods;
	size_t method_count, method_capacity;
	uint32_t *slots;		/* of methods by id; 0: free */
	size_t slot_count;		/* a power of two */
	struct view_call *calls;	/* in the order of their begin */
	size_t call_count, call_capacity;
	uint32_t *actions;		/* of a CPU clock alone */
	size_t action_count, action_capacity;
	uint32_t last_thread;		/* VIEW_ROOT: none yet */
	uint32_t *depths;		/* of open calls, by number */
};

/* Takes one event. False: no memory, or more than 2^31 calls. */
bool
view_take(struct view *view, const struct dmtrace_row *row);

/* When all are taken: ends what is open, and adds up. */
void
view_finish(struct view *view);

/* Threads and methods of the key. False: no memory. */
bool
view_init(struct view *view, const struct dmtrace_reader *reader);
void
view_fini(struct view *view);

/*
 * All of it: puts the tables of the trace of an operand, as far as it is
 * selected, to the file of -o; with as much memory as all calls need. Returns
 * the exit status.
 */
int
view_file(const char *operand, struct selection *selection,
    const char *output, bool quiet, bool asked);

#endif
