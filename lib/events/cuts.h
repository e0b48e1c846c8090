/* cuts.h - frames that are open at an edge of a window */
#ifndef DMT_EVENTS_CUTS_H
#define DMT_EVENTS_CUTS_H

#include "base/marks.h"
#include "events/select.h"

struct dmt_cut {
	struct dmtrace_event event;	/* as it is to be written */
	uint64_t call;			/* rises with the depth in a thread */
};

struct dmt_cuts {
	struct dmt_cut *items;
	size_t count;
	size_t capacity;
	struct dmtrace_event *events;	/* those of the items, at last */
};

/* The event of a frame that is entered at the window's start or left at its
 * end, but for the method; cpu_ns is that of the thread's last record. */
struct dmtrace_event
dmt_cut_event(const struct dmtrace_selection *selection, uint32_t thread,
    enum dmtrace_action action, uint64_t cpu_ns);

/* false: no memory. */
bool
dmt_cuts_push(struct dmt_cuts *cuts, const struct dmt_cut *cut);

/*
 * Makes the events: thread by rising number, frames entered from the outside
 * in, or left from the inside out. lasting: only calls that are in it; NULL:
 * all. false: no memory.
 */
bool
dmt_cuts_finish(struct dmt_cuts *cuts, enum dmtrace_action action,
    struct dmt_marks *lasting);

void
dmt_cuts_fini(struct dmt_cuts *cuts);

#endif
