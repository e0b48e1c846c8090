/* calls.h - the events of a source as calls that all begin and end */
#ifndef DMT_EXPORT_CALLS_H
#define DMT_EXPORT_CALLS_H

#include <dmtrace/export.h>
#include <stdbool.h>

#include "events/pipeline.h"

/* A call begins or ends. */
struct dmt_call_step {
	uint32_t thread;		/* indexes of the source */
	uint32_t method;
	uint64_t ns[DMTRACE_PROFILE_CLOCKS];	/* 0: there is no such clock */
	uint32_t depth;			/* of the call, the outermost is 1; 0:
					   an event that is of none */
	bool enters;
	bool begins;			/* the thread's first step */
	bool added;			/* no event: the call is open before
					   the first, or after the last one */
};

struct dmt_calls {
	struct dmtrace_source *source;
	struct dmtrace_export_counts *counts;
	bool rising;			/* no thread's time goes back */
	bool strays;			/* events of no call are steps, too */
	bool has_clock[DMTRACE_PROFILE_CLOCKS];
	struct dmt_callstacks stacks;
	struct dmt_calls_thread *threads;	/* by index */
	size_t thread_count;
	size_t thread_capacity;
	uint32_t *order;		/* indexes of those that have begun */
	size_t order_count;
	size_t order_capacity;
	size_t ended;			/* of these, after the last event */
	struct dmt_call_step *steps;	/* of dmt_calls_next */
	size_t count;
	size_t capacity;
	struct dmtrace_error error;
};

/*
 * Reads the events once, for what was open before them. counts gets what is
 * not as the trace has it; rising: a time before that of the event before
 * in its thread becomes that time. Ended by fini in any case. Returns
 * DMTRACE_OK, or the status of the error.
 */
enum dmtrace_status
dmt_calls_init(struct dmt_calls *calls, struct dmtrace_source *source,
    struct dmtrace_export_counts *counts, bool rising);

/*
 * The next steps, in the order of the events; none at the end. A thread's
 * steps are balanced: each call ends before the one that it is in. Returns
 * what init does.
 */
enum dmtrace_status
dmt_calls_next(struct dmt_calls *calls);

/* The times of a thread's first event, and of its last one so far, by clock;
 * from its first step on. */
const uint64_t *
dmt_calls_first(const struct dmt_calls *calls, uint32_t thread);
const uint64_t *
dmt_calls_last(const struct dmt_calls *calls, uint32_t thread);

void
dmt_calls_fini(struct dmt_calls *calls);

#endif
