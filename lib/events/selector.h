/* selector.h - a walk over events, and what it keeps of each thread */
#ifndef DMT_EVENTS_SELECTOR_H
#define DMT_EVENTS_SELECTOR_H

#include "events/cuts.h"

/* What is known of an open frame. */
struct dmt_selector_frame {
	uint64_t call;			/* the how-manieth call it is */
	uint64_t entered_ns;
	bool holds;			/* the conditions on frames do */
	bool under;			/* in the subtree of UNDER */
};

struct dmt_selector_lane {
	uint32_t thread;
	struct dmt_selector_frame *frames;	/* of the thread's stack */
	size_t capacity;
	uint64_t latest_ns;		/* of its events so far */
	uint64_t cpu_ns;		/* of the last one */
	bool opened;			/* the window has begun for it, */
	bool closed;			/* and ended */
};

struct dmtrace_selector {
	struct dmtrace_selection *selection;
	bool framed;			/* there is a condition on frames */
	bool cuts;			/* a window that opens and closes */
	struct dmtrace_stacks *stacks;
	uint32_t *lane_of;		/* by thread: in lanes, + 1; 0: none */
	struct dmt_selector_lane *lanes;
	size_t lane_count;
	size_t lane_capacity;
	uint64_t calls;			/* so far in this pass */
	uint64_t reach_ns;		/* the latest time of all threads */
	struct dmt_marks lasting;	/* calls of at least min_ns */
	struct dmt_cuts opened;
	struct dmt_cuts closed;
	struct dmtrace_error error;
};

/* The clock that windows and durations are by. */
static inline uint64_t
dmt_event_time(const struct dmtrace_event *event)
{
	return event->wall_ns != DMTRACE_NO_TIME ? event->wall_ns :
	    event->cpu_ns;
}

/* The lane of a thread that had an event; it moves when another is added. */
static inline struct dmt_selector_lane *
dmt_lane_find(const struct dmtrace_selector *selector, uint32_t thread)
{
	return &selector->lanes[selector->lane_of[thread] - 1];
}

/*
 * Before an event of the lane at time_ns is taken: if it brings the thread
 * over an edge of the window, the open frames are noted. false: no memory.
 */
bool
dmt_window_pass(struct dmtrace_selector *selector,
    struct dmt_selector_lane *lane,
    uint64_t time_ns);

/* After the last event, when it is known which calls last: notes the frames
 * of threads that stopped before an edge, and makes the events. false: no
 * memory. */
bool
dmt_window_end(struct dmtrace_selector *selector);

#endif
