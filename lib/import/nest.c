/* nest.c - makes calls that nest of the events of another format */

/*
 * The events of the input need not be in order. BEGIN and END go to a sorter
 * by time, calls with their end to one by thread and time, and a thread that
 * has both gets calls only: a stack pairs its begins and ends. Then a stack of
 * open calls per thread makes enters and exits that nest. Calls are sorted so
 * that an outer call precedes those inside it; a call that ends after the call
 * around it is cut at its end. The exits of calls come later than the events
 * that follow their ends, so a third sorter orders the result by time; events
 * that came in order pass through all of this as one sequential run.
 *
 * Memory holds the stacks and the blocks of the sorters. Matching everything
 * in memory would be one pass, but 200 bytes for each event.
 */

#include <stdlib.h>

#include "base/array.h"
#include "events/callstacks.h"
#include "import/import.h"

struct nest_thread {
	struct dmt_import_event *open;	/* begins; of calls, with their end */
	size_t depth, capacity;
	uint64_t order;			/* the highest so far */
	int64_t cpu_ns;			/* the last */
};

struct nest {
	struct dmt_import *import;
	struct nest_thread *threads;	/* by index */
};

static bool
put_step(struct nest *nest, const struct dmt_import_event *event,
    uint32_t method, int64_t time_ns, int64_t cpu_ns,
    enum dmtrace_action action)
{
	struct dmt_import *const import = nest->import;
	struct nest_thread *const thread = &nest->threads[event->thread];

	if (event->order > thread->order)
		thread->order = event->order;
	if (cpu_ns < thread->cpu_ns) {
		cpu_ns = thread->cpu_ns;
		import->result.cpu_raised++;
	}
	thread->cpu_ns = cpu_ns;
	return dmt_import_put(import, &(struct dmt_import_step){
		.time_ns = time_ns, .cpu_ns = cpu_ns, .order = thread->order,
		.thread = event->thread, .method = method, .action = action
	});
}

static bool
push_call(struct nest *nest, const struct dmt_import_event *event)
{
	struct nest_thread *const thread = &nest->threads[event->thread];

	if (thread->depth == DMT_OPEN_CALLS_MAX) {
		dmt_error_set(&nest->import->error, DMTRACE_ERR_LIMIT,
		    "more than %d nested calls", DMT_OPEN_CALLS_MAX);
		return false;
	}
	struct dmt_import_event *const open = dmt_array_grow(thread->open,
	    &thread->capacity, thread->depth + 1, sizeof(*open));
	if (open == NULL) {
		dmt_error_memory(&nest->import->error);
		return false;
	}
	thread->open = open;
	open[thread->depth++] = *event;
	return true;
}

static bool
begin_call(struct nest *nest, const struct dmt_import_event *event)
{
	nest->import->result.calls++;
	return push_call(nest, event) && put_step(nest, event, event->method,
	    event->time_ns, event->cpu_ns, DMTRACE_ENTER);
}

/* Returns how many calls stay open around the one that an END ends, and counts
 * what it ends besides; an END without a name ends the innermost call, one
 * without a signature the innermost of that name. depth: it matches none. */
static size_t
find_begin(struct nest *nest, const struct dmt_import_event *end)
{
	const struct dmt_import_method *const methods =
	    nest->import->method_rows;
	const struct nest_thread *const thread = &nest->threads[end->thread];
	size_t depth = thread->depth;

	while (depth > 0 && end->method != DMT_NO_NAME) {
		const uint32_t method = thread->open[depth - 1].method;

		if (method == end->method ||
		    methods[method].plain == end->method)
			break;
		depth--;
	}
	if (depth == 0) {
		nest->import->result.strays++;
		return thread->depth;
	}
	nest->import->result.unwound += thread->depth - depth;
	return depth - 1;
}

static bool
end_matched_calls(struct nest *nest, const struct dmt_import_event *end)
{
	struct nest_thread *const thread = &nest->threads[end->thread];
	const size_t left = find_begin(nest, end);

	while (thread->depth > left) {
		thread->depth--;
		if (!put_step(nest, end,
		    thread->open[thread->depth].method, end->time_ns,
		    end->cpu_ns, DMTRACE_EXIT))
			return false;
	}
	return true;
}

/* Makes calls of begins that have no end, or got the one of their thread. */
static bool
add_pairs(struct nest *nest, uint32_t index, size_t left, int64_t end_ns,
    int64_t end_cpu_ns)
{
	struct nest_thread *const thread = &nest->threads[index];

	while (thread->depth > left) {
		struct dmt_import_event call =
		    thread->open[--thread->depth];

		call.kind = DMT_IMPORT_CALL;
		call.end_ns = end_ns;
		call.end_cpu_ns = end_cpu_ns;
		if (!dmt_sorter_add(&nest->import->calls, &call))
			return false;
	}
	return true;
}

/* BEGIN and END, by time: to calls in threads that have calls, else to the
 * trace. */
static bool
take_ends(struct nest *nest)
{
	struct dmt_import *const import = nest->import;
	const size_t count = import->thread_keys.count;
	const struct dmt_import_event *next;

	if (!dmt_sorter_finish(&import->ends))
		return false;
	while ((next = dmt_sorter_next(&import->ends)) != NULL) {
		struct dmt_import_event event = *next;
		const bool pairs = import->threads[event.thread].has_calls;

		event.end_ns = DMT_NO_END;
		event.end_cpu_ns = DMT_NO_CPU;
		if (import->lacks_cpu)
			event.cpu_ns = DMT_NO_CPU;
		if (event.kind == DMT_IMPORT_BEGIN ? !(pairs ?
		    push_call(nest, &event) : begin_call(nest, &event)) :
		    !(pairs ? add_pairs(nest, event.thread, find_begin(nest,
		    &event), event.time_ns, event.cpu_ns) :
		    end_matched_calls(nest, &event)))
			return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (import->threads[i].has_calls) {
			if (!add_pairs(nest, i, 0, DMT_NO_END, DMT_NO_CPU))
				return false;
		} else {
			import->result.open += nest->threads[i].depth;
		}
	}
	return import->ends.error.status == DMTRACE_OK;
}

/* Ends the calls of the event's thread that have ended by that time. */
static bool
end_calls_until(struct nest *nest, const struct dmt_import_event *event,
    int64_t time_ns)
{
	struct nest_thread *const thread = &nest->threads[event->thread];

	while (thread->depth > 0) {
		const struct dmt_import_event *const call =
		    &thread->open[thread->depth - 1];

		if (call->end_ns > time_ns)
			break;
		thread->depth--;
		if (!put_step(nest, event, call->method, call->end_ns,
		    call->end_cpu_ns, DMTRACE_EXIT))
			return false;
	}
	return true;
}

/* Begins a call within those that are open when it begins. */
static bool
nest_call(struct nest *nest, struct dmt_import_event *call)
{
	struct nest_thread *const thread = &nest->threads[call->thread];

	if (!end_calls_until(nest, call, call->time_ns))
		return false;
	if (thread->depth > 0) {
		const struct dmt_import_event *const outer =
		    &thread->open[thread->depth - 1];

		if (call->end_ns > outer->end_ns) {
			nest->import->result.overlapping +=
			    call->end_ns != DMT_NO_END;
			call->end_ns = outer->end_ns;
			call->end_cpu_ns = outer->end_cpu_ns;
		}
	}
	return begin_call(nest, call);
}

/* Calls with their end, thread by thread. */
static bool
take_calls(struct nest *nest)
{
	struct dmt_import *const import = nest->import;
	const struct dmt_import_event *next;
	struct dmt_import_event last = { .thread = DMT_NO_NAME };
	bool more;

	if (!dmt_sorter_finish(&import->calls))
		return false;
	do {
		next = dmt_sorter_next(&import->calls);
		more = next != NULL;
		if (last.thread != DMT_NO_NAME &&
		    (!more || next->thread != last.thread)) {
			if (!end_calls_until(nest, &last, DMT_NO_END - 1))
				return false;
			import->result.open +=
			    nest->threads[last.thread].depth;
		}
		if (more)
			last = *next;
	} while (more && nest_call(nest, &last));
	return !more && import->calls.error.status == DMTRACE_OK;
}

/* Calls that have a CPU time were sorted by it; if not all have one, it must
 * not decide. */
static bool
drop_cpu(struct dmt_import *import)
{
	struct dmt_sorter old = import->calls;
	const struct dmt_import_event *next;
	bool fine = dmt_sorter_finish(&old);

	dmt_sorter_init(&import->calls, old.item_size, old.compare,
	    old.block * old.item_size);
	while (fine && (next = dmt_sorter_next(&old)) != NULL) {
		struct dmt_import_event call = *next;

		call.cpu_ns = call.end_cpu_ns = DMT_NO_CPU;
		fine = dmt_sorter_add(&import->calls, &call);
	}
	if (import->error.status == DMTRACE_OK)
		import->error = old.error;
	dmt_sorter_fini(&old);
	return fine && import->error.status == DMTRACE_OK;
}

bool
dmt_import_nest(struct dmt_import *import)
{
	const size_t count = import->thread_keys.count;
	struct nest nest = {
		.import = import,
		.threads = dmt_array_new(count + 1, sizeof(*nest.threads))
	};
	bool fine = nest.threads != NULL;

	if (!fine)
		dmt_error_memory(&import->error);
	for (size_t i = 0; fine && i < count; i++)
		nest.threads[i].cpu_ns = DMT_NO_CPU;
	if (fine && import->has_cpu && import->lacks_cpu)
		fine = drop_cpu(import);
	fine = fine && take_ends(&nest) && take_calls(&nest);
	for (size_t i = 0; nest.threads != NULL && i < count; i++)
		free(nest.threads[i].open);
	free(nest.threads);
	const struct dmt_sorter *const sorters[] =
	    { &import->ends, &import->calls, &import->steps };
	for (size_t i = 0; i < 3; i++)
		if (sorters[i]->error.status != DMTRACE_OK &&
		    import->error.status == DMTRACE_OK)
			import->error = sorters[i]->error;
	return fine && import->error.status == DMTRACE_OK;
}
