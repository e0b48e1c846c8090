/* whole_calls.c - the whole durations of calls that a window cuts */

/*
 * A window cuts calls: they begin or end with an event that was added at its
 * edge. Their whole durations are found in a pass of their own over all events
 * of the trace, with a stack of the open calls of each thread. Of the calls
 * that end, those that are open at an edge of the window are stored: a few for
 * each thread, whatever the size of the trace. A cut call is then looked up by
 * its thread and method: it begins at the same time or, if its enter was added,
 * before the window.
 */

#include "cli/whole_calls.h"

#include <stdlib.h>

#include "private/array.h"
#include "private/tables.h"
#include "private/trace.h"

enum { ROWS = 1024 };			/* that are read at a time */

struct entered {
	uint64_t method;
	uint64_t at_ns;			/* on the clock of the window */
	uint64_t start_ns;		/* on that of the durations */
};

struct entered_calls {
	struct entered *items;
	size_t count;
	size_t capacity;
	struct entered spare;
	uint32_t thread;		/* its number */
};

struct whole_pass {
	struct whole_calls *whole;
	uint64_t from_ns, to_ns;
	bool has_wall, by_cpu;
	struct entered_calls *threads;	/* by index */
	bool no_memory;
};

/* Ends the innermost call of a thread. exit is NULL at the end of the trace. */
static void
leave_call(struct whole_pass *pass, struct entered_calls *open,
    const struct dmtrace_event *exit)
{
	const struct entered *const call = &open->items[--open->count];
	const uint64_t end_ns = exit == NULL ? UINT64_MAX :
	    pass->has_wall ? exit->wall_ns : exit->cpu_ns;
	struct whole_calls *const whole = pass->whole;
	const bool before = call->at_ns < pass->from_ns;

	if ((!before || end_ns < pass->from_ns) &&
	    (call->at_ns >= pass->to_ns || end_ns < pass->to_ns))
		return;
	*dmt_push(whole, &pass->no_memory) = (struct whole_call){
		open->thread, before, call->method, call->start_ns,
		exit == NULL ? WHOLE_NO_EXIT : (int64_t)((pass->by_cpu ?
		    exit->cpu_ns : exit->wall_ns) - call->start_ns)
	};
}

static void
follow_event(struct whole_pass *pass, const struct dmtrace_row *row)
{
	const struct dmtrace_event *const event = &row->event;
	struct entered_calls *const open = &pass->threads[row->thread_index];

	open->thread = event->thread;
	if (event->action == DMTRACE_ENTER) {
		*dmt_push(open, &pass->no_memory) = (struct entered){
			event->method,
			pass->has_wall ? event->wall_ns : event->cpu_ns,
			pass->by_cpu ? event->cpu_ns : event->wall_ns
		};
		return;
	}
	while (row->depth > 0 && open->count >= row->depth)
		leave_call(pass, open, event);
}

static void
fini_entered_calls(void *item)
{
	free(((struct entered_calls *)item)->items);
}

/* Sorts by thread, then the outermost call first. */
static int
compare_calls(const void *left, const void *right)
{
	const struct whole_call *const a = left, *const b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return a->ns == b->ns ? 0 : a->ns > b->ns ? -1 : 1;
}

bool
whole_calls_find(struct whole_calls *whole, struct dmtrace_reader *reader,
    const struct dmt_selection *selection, bool by_cpu)
{
	struct whole_pass pass = {
		.whole = whole, .by_cpu = by_cpu,
		.has_wall = dmt_layout_clock(dmt_reader_layout(reader)) !=
		    DMTRACE_CLOCK_THREAD_CPU
	};
	struct dmtrace_row rows[ROWS];
	enum dmtrace_status status;
	size_t count;

	dmt_selection_get_window(selection, &pass.from_ns, &pass.to_ns);
	if (pass.from_ns == 0 && pass.to_ns == UINT64_MAX)
		return true;
	struct dmtrace_source *const all = dmtrace_source_new(reader);
	if (all == NULL)
		return false;
	dmt_attach(all, &pass.threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*pass.threads),
	    .fini = fini_entered_calls });
	do {
		status = dmtrace_source_read(all, rows, ROWS, &count);
		for (size_t i = 0; status == DMTRACE_OK && i < count; i++)
			follow_event(&pass, &rows[i]);
	} while (status == DMTRACE_OK && count > 0 && !pass.no_memory);
	const size_t threads = status != DMTRACE_OK ? 0 :
	    dmt_index_count(all, DMT_BY_THREAD);
	for (size_t i = 0; i < threads; i++)
		while (pass.threads[i].count > 0)
			leave_call(&pass, &pass.threads[i], NULL);
	if (whole->count > 1)
		qsort(whole->items, whole->count, sizeof(*whole->items),
		    compare_calls);
	dmtrace_source_free(all);
	return !pass.no_memory && status != DMTRACE_ERR_MEMORY &&
	    dmt_reader_rewind(reader) == DMTRACE_OK;
}

/* Of several calls of one method, recursive ones, it is the one with as many of
 * them around it. */
int64_t
whole_calls_get(const struct whole_calls *whole, const struct cut_call *call)
{
	size_t low = 0, high = whole->count;
	size_t around = call->added ? call->around : 0;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (whole->items[middle].thread < call->thread)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < whole->count &&
	    whole->items[low].thread == call->thread; low++) {
		const struct whole_call *const item = &whole->items[low];

		if (item->method != call->method || (call->added ?
		    !item->before : item->start_ns != call->start_ns))
			continue;
		if (around-- == 0)
			return item->ns;
	}
	return WHOLE_NOT_CUT;
}

void
whole_calls_put(struct dmt_output *buffer, size_t width, int64_t whole_ns)
{
	if (whole_ns == WHOLE_NOT_CUT)
		column_blank(buffer, width);
	else if (whole_ns == WHOLE_NO_EXIT)
		column_string(buffer, width, "no exit");
	else
		column_duration(buffer, width, whole_ns);
}

void
whole_calls_cells(struct table *table, int64_t whole_ns)
{
	table_truth(table, whole_ns != WHOLE_NOT_CUT);
	if (whole_ns == WHOLE_NOT_CUT || whole_ns == WHOLE_NO_EXIT)
		table_absent(table, 1);
	else
		table_signed(table, whole_ns);
}

void
whole_calls_fini(struct whole_calls *whole)
{
	free(whole->items);
	*whole = (struct whole_calls){ 0 };
}
