/* cuts.c - frames that are open at an edge of a window */

#include "events/cuts.h"

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

struct dmtrace_event
dmt_cut_event(const struct dmtrace_selection *selection, uint32_t thread,
    enum dmtrace_action action, uint64_t cpu_ns)
{
	const uint64_t time_ns = edge_time(action == DMTRACE_ENTER ?
	    selection->from_ns : selection->to_ns);

	return (struct dmtrace_event){
		.cpu_ns = selection->walled ? cpu_ns : time_ns,
		.wall_ns = selection->walled ? time_ns : DMTRACE_NO_TIME,
		.thread = thread,
		.action = action,
	};
}

bool
dmt_cuts_push(struct dmt_cuts *cuts, const struct dmt_cut *cut)
{
	struct dmt_cut *const items = dmt_array_grow(cuts->items,
	    &cuts->capacity, cuts->count + 1, sizeof(*items));

	if (items == NULL)
		return false;
	cuts->items = items;
	items[cuts->count++] = *cut;
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
compare_entered(const void *a, const void *b)
{
	return compare(a, b);
}

/* The innermost first. */
static int
compare_left(const void *a, const void *b)
{
	const struct dmt_cut *const one = a, *const other = b;

	return one->event.thread == other->event.thread ?
	    compare(other, one) : compare(one, other);
}

bool
dmt_cuts_finish(struct dmt_cuts *cuts, enum dmtrace_action action,
    struct dmt_marks *lasting)
{
	size_t count = 0;

	if (cuts->count == 0)
		return true;
	qsort(cuts->items, cuts->count, sizeof(*cuts->items),
	    action == DMTRACE_ENTER ? compare_entered : compare_left);
	cuts->events = dmt_array_new(cuts->count, sizeof(*cuts->events));
	if (cuts->events == NULL)
		return false;
	for (size_t i = 0; i < cuts->count; i++)
		if (lasting == NULL ||
		    dmt_marks_has(lasting, cuts->items[i].call))
			cuts->events[count++] = cuts->items[i].event;
	cuts->count = count;
	return true;
}

void
dmt_cuts_fini(struct dmt_cuts *cuts)
{
	free(cuts->items);
	free(cuts->events);
	*cuts = (struct dmt_cuts){ 0 };
}
