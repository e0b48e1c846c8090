/* calls.h - the events of a source as calls that all begin and end */
#ifndef DMT_EXPORT_CALLS_H
#define DMT_EXPORT_CALLS_H

#include <dmtrace/export.h>
#include <stdbool.h>

#include "events/pipeline.h"

/* The begin or the end of a call. */
struct dmt_call_step {
	uint32_t thread;		/* index in the source */
	uint32_t method;
	uint64_t ns[DMTRACE_PROFILE_CLOCKS];	/* 0 for a clock that the trace
						   lacks */
	uint32_t depth;			/* of the call, 1 for the outermost; 0:
					   the event belongs to no call */
	bool enters;
	bool no_cpu;			/* its CPU time is not known, but is
					   not less than ns says */
	bool begins;			/* the thread's first step */
	bool added;			/* not an event: the call was open
					   before the first event or after the
					   last */
	bool cut;			/* it was added, or made at the edge of
					   a window */
};

/* Lists for dmt_push. */
struct dmt_call_steps {
	struct dmt_call_step *items;
	size_t count;
	size_t capacity;
	struct dmt_call_step spare;
};

struct dmt_thread_order {
	uint32_t *items;		/* thread indexes */
	size_t count;
	size_t capacity;
	uint32_t spare;
};

struct dmt_calls {
	struct dmtrace_source *source;
	struct dmtrace_export_counts *counts;
	bool rising;			/* set a time that goes back to the
					   last one */
	bool strays;			/* events of no call make steps, too */
	bool has_clock[DMTRACE_PROFILE_CLOCKS];
	struct dmt_callstacks stacks;
	struct dmt_calls_thread *threads;	/* by thread index */
	struct dmt_thread_order order;	/* by first step */
	uint64_t count;			/* of all calls, from the first pass */
	size_t ended;			/* how many of them, after the last
					   event */
	struct dmt_call_steps steps;	/* the result of dmt_calls_next */
	bool no_memory;
	struct dmtrace_error error;
};

struct dmt_calls_options {
	bool rising;			/* a time that is lower than the
					   previous one of its thread is
					   replaced by that one */
	bool looks;			/* the first pass counts the calls, and
					   notes threads, with their first and
					   last times; then comes
					   dmt_calls_again */
	size_t frame_size;		/* see dmt_calls_frame */
};

/*
 * Runs the first pass, which finds the calls that were open before the trace.
 * counts receives how many steps differ from the trace. Call fini in any case.
 * Returns DMTRACE_OK, or the status of the error.
 */
enum dmtrace_status
dmt_calls_init(struct dmt_calls *calls, struct dmtrace_source *source,
    struct dmtrace_export_counts *counts,
    const struct dmt_calls_options *options);

/* Returns to the first step, for a pass of that weight (see dmt_want_pass).
 * Returns what init does. */
enum dmtrace_status
dmt_calls_again(struct dmt_calls *calls, unsigned weight);

/*
 * Makes the next steps, in the order of the events; none at the end. The steps
 * of a thread are balanced: each call ends before the one that contains it.
 * Returns what init does.
 */
enum dmtrace_status
dmt_calls_next(struct dmt_calls *calls);

/*
 * Returns what the caller keeps for the open call of a step: a struct of
 * frame_size bytes that begins with a struct dmt_call_frame, which is not the
 * caller's. It is filled when the call begins, and valid until the next steps
 * are made; before it is that of the call outside, or at depth 0 one of the
 * thread, which begins as zero.
 */
static inline void *
dmt_calls_frame(const struct dmt_calls *calls,
    const struct dmt_call_step *step)
{
	return dmt_frame_at(&calls->stacks,
	    &calls->stacks.items[step->thread], step->depth);
}

/* Return the times by clock of a thread's first event, and of its last one so
 * far; valid from its first step on. */
const uint64_t *
dmt_calls_first(const struct dmt_calls *calls, uint32_t thread);
const uint64_t *
dmt_calls_last(const struct dmt_calls *calls, uint32_t thread);

void
dmt_calls_fini(struct dmt_calls *calls);

#endif
