/* window.c - the frames that the edges of a window cut */

#include "events/selector.h"

#include <stdlib.h>

#include "base/array.h"

/* In whole microseconds, as records have them; not before the edge. */
static uint64_t
edge_time(uint64_t edge_ns)
{
	const uint64_t rest = edge_ns % 1000;

	return rest == 0 || edge_ns > UINT64_MAX - 1000 ? edge_ns - rest :
	    edge_ns - rest + 1000;
}

/* An event at an edge, but for the method. */
static struct dmtrace_event
make(const struct dmtrace_selector *selector, uint32_t thread,
    enum dmtrace_action action)
{
	const struct dmtrace_selection *const asked = selector->selection;
	const uint64_t time_ns = edge_time(action == DMTRACE_ENTER ?
	    asked->from_ns : asked->to_ns);

	return (struct dmtrace_event){
		.cpu_ns = asked->walled ? selector->lanes[thread].cpu_ns :
		    time_ns,
		.wall_ns = asked->walled ? time_ns : DMTRACE_NO_TIME,
		.thread = thread,
		.action = action,
	};
}

static bool
push(struct dmt_cuts *cuts, const struct dmt_cut *cut)
{
	struct dmt_cut *const items = dmt_array_grow(cuts->items,
	    &cuts->capacity, cuts->count + 1, sizeof(*items));

	if (items == NULL)
		return false;
	cuts->items = items;
	items[cuts->count++] = *cut;
	return true;
}

/* Notes the frames that the thread has open. */
static bool
note(struct dmtrace_selector *selector, uint32_t thread,
    enum dmtrace_action action)
{
	const uint32_t depth = dmtrace_stacks_depth(selector->stacks, thread);
	const struct dmt_frame *const frames = selector->lanes[thread].frames;
	struct dmt_cut cut = { .event = make(selector, thread, action) };

	for (uint32_t i = 0; i < depth; i++) {
		cut.event.method = dmtrace_stacks_method(selector->stacks,
		    thread, i + 1);
		cut.call = frames[i].call;
		if (frames[i].holds && dmtrace_selection_has_method(
		    selector->selection, cut.event.method) &&
		    !push(action == DMTRACE_ENTER ? &selector->opened :
		    &selector->closed, &cut))
			return false;
	}
	return true;
}

bool
dmt_window_pass(struct dmtrace_selector *selector, uint32_t thread,
    uint64_t time_ns)
{
	const struct dmtrace_selection *const asked = selector->selection;
	struct dmt_lane *const lane = &selector->lanes[thread];

	if (!lane->opened && time_ns >= asked->from_ns) {
		lane->opened = true;
		if (!note(selector, thread, DMTRACE_ENTER))
			return false;
	}
	if (!lane->closed && time_ns >= asked->to_ns) {
		lane->closed = true;
		return note(selector, thread, DMTRACE_EXIT);
	}
	return true;
}

static int
compare(const struct dmt_cut *a, const struct dmt_cut *b)
{
	if (a->event.thread != b->event.thread)
		return a->event.thread < b->event.thread ? -1 : 1;
	return a->call < b->call ? -1 : 1;
}

/* The outermost first. */
static int
compare_opened(const void *a, const void *b)
{
	return compare(a, b);
}

/* The innermost first. */
static int
compare_closed(const void *a, const void *b)
{
	const struct dmt_cut *const one = a, *const other = b;

	return one->event.thread == other->event.thread ?
	    compare(other, one) : compare(one, other);
}

/* The items in order, without calls that do not last. */
static bool
finish(struct dmtrace_selector *selector, struct dmt_cuts *cuts,
    int (*order)(const void *a, const void *b))
{
	size_t count = 0;

	if (cuts->count == 0)
		return true;
	qsort(cuts->items, cuts->count, sizeof(*cuts->items), order);
	cuts->events = dmt_array_new(cuts->count, sizeof(*cuts->events));
	if (cuts->events == NULL)
		return false;
	for (size_t i = 0; i < cuts->count; i++)
		if (selector->selection->min_ns == 0 || dmt_marks_has(
		    &selector->lasting, cuts->items[i].call))
			cuts->events[count++] = cuts->items[i].event;
	cuts->count = count;
	return true;
}

/* Where the times of all threads are of one clock, it has passed an edge for
 * a thread that no event tells so. */
bool
dmt_window_end(struct dmtrace_selector *selector)
{
	const size_t numbers = selector->selection->numbers;

	for (uint32_t i = 0; i < numbers; i++)
		if (selector->lanes[i].came &&
		    selector->selection->comparable &&
		    !dmt_window_pass(selector, i, selector->reach_ns))
			return false;
	return finish(selector, &selector->opened, compare_opened) &&
	    finish(selector, &selector->closed, compare_closed);
}
