/* window.c - the frames that the edges of a window cut */

#include "events/selector.h"

/* Notes the frames that the thread has open. */
static bool
note(struct dmtrace_selector *selector, const struct dmt_selector_lane *lane,
    enum dmtrace_action action)
{
	const uint32_t depth = dmtrace_stacks_depth(selector->stacks,
	    lane->thread);
	struct dmt_cut cut = {
		.event = dmt_cut_event(selector->selection, lane->thread,
		    action, lane->cpu_ns)
	};

	for (uint32_t i = 0; i < depth; i++) {
		cut.event.method = dmtrace_stacks_method(selector->stacks,
		    lane->thread, i + 1);
		cut.call = lane->frames[i].call;
		if (lane->frames[i].holds && dmtrace_selection_has_method(
		    selector->selection, cut.event.method) &&
		    !dmt_cuts_push(action == DMTRACE_ENTER ? &selector->opened :
		    &selector->closed, &cut))
			return false;
	}
	return true;
}

bool
dmt_window_pass(struct dmtrace_selector *selector,
    struct dmt_selector_lane *lane,
    uint64_t time_ns)
{
	const struct dmtrace_selection *const asked = selector->selection;

	if (!lane->opened && time_ns >= asked->from_ns) {
		lane->opened = true;
		if (!note(selector, lane, DMTRACE_ENTER))
			return false;
	}
	if (!lane->closed && time_ns >= asked->to_ns) {
		lane->closed = true;
		return note(selector, lane, DMTRACE_EXIT);
	}
	return true;
}

/* Where the times of all threads are of one clock, it has passed an edge for
 * a thread that no event tells so. */
bool
dmt_window_end(struct dmtrace_selector *selector)
{
	struct dmt_marks *const lasting = selector->selection->min_ns == 0 ?
	    NULL : &selector->lasting;

	for (size_t i = 0; i < selector->lane_count; i++)
		if (selector->selection->comparable && !dmt_window_pass(
		    selector, &selector->lanes[i], selector->reach_ns))
			return false;
	return dmt_cuts_finish(&selector->opened, DMTRACE_ENTER, lasting) &&
	    dmt_cuts_finish(&selector->closed, DMTRACE_EXIT, lasting);
}
