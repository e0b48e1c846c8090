/* writer_strict.c - refuses events that readers would misread */

/*
 * A strict writer compares each event with the key and with the earlier events
 * of its thread, before it writes any: the last time of each clock, and the
 * open calls. It refuses every exit but that of the innermost call, so the ids
 * of the open calls are all that it stores; the call-stack engine, which
 * recovers from other exits, is not needed. An event costs three searches in
 * hash tables, which only who asks for the checks pays.
 */

#include "trace/writer_strict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/escape.h"
#include "events/callstacks.h"
#include "format/layout.h"

struct strict_thread {
	bool has_last;			/* an event before this one, at: */
	uint64_t cpu_ns, wall_ns;
	uint64_t *open;			/* ids of open calls, outermost first */
	size_t depth;
	size_t capacity;
};

struct dmt_strict {
	struct dmt_idmap indexes;	/* of threads, by number: single events
					   come from a caller, not from a source
					   with indexes to attach to */
	struct strict_thread *threads;
	size_t capacity;
	uint64_t rounded;
};

struct dmt_strict *
dmt_strict_new(void)
{
	return calloc(1, sizeof(struct dmt_strict));
}

void
dmt_strict_free(struct dmt_strict *strict)
{
	if (strict == NULL)
		return;
	for (size_t i = 0; i < strict->indexes.count; i++)
		free(strict->threads[i].open);
	free(strict->threads);
	dmt_idmap_fini(&strict->indexes);
	free(strict);
}

uint64_t
dmt_strict_rounded(const struct dmt_strict *strict)
{
	return strict->rounded;
}

/* Returns the thread, which is added if it is new, with room for one more open
 * call. NULL: no memory. */
static struct strict_thread *
find_strict_thread(struct dmt_strict *strict, uint32_t number)
{
	const uint32_t count = (uint32_t)strict->indexes.count;
	struct strict_thread *const threads = dmt_array_grow(strict->threads,
	    &strict->capacity, count + 1, sizeof(*threads));

	if (threads == NULL)
		return NULL;
	strict->threads = threads;
	if (!dmt_idmap_reserve(&strict->indexes))
		return NULL;
	if (dmt_idmap_put(&strict->indexes, number, count))
		threads[count] = (struct strict_thread){ 0 };
	struct strict_thread *const thread =
	    &threads[*dmt_idmap_find(&strict->indexes, number)];
	uint64_t *const open = dmt_array_grow(thread->open,
	    &thread->capacity, thread->depth + 1, sizeof(*open));
	if (open == NULL)
		return NULL;
	thread->open = open;
	return thread;
}

static bool
is_rounded(const struct dmtrace_writer *writer, uint64_t time_ns)
{
	return !writer->writing->format.ns && time_ns % 1000 != 0;
}

/* Sets the writer's error: an event of the thread is refused at a time of one
 * of its clocks, and why. */
static enum dmtrace_status
refuse(struct dmtrace_writer *writer, const struct dmtrace_event *event,
    const struct strict_thread *thread, bool wall, const char *why)
{
	static const char *const actions[] = {
		"enter", "exit", "unroll", "reserved action"
	};
	const struct dmtrace_method *const method =
	    dmtrace_key_method_find(writer->key, event->method);
	char name[DMT_ESCAPED_MAX] = "not listed";
	char last[48] = "first event";

	if (method != NULL)
		dmt_escape(name, sizeof(name), method->name.bytes,
		    method->name.len);
	if (thread->has_last)
		snprintf(last, sizeof(last), "last event at %" PRIu64 " ns",
		    wall ? thread->wall_ns : thread->cpu_ns);
	return dmt_error_set(&writer->error, DMTRACE_ERR_EVENT,
	    "thread %" PRIu32 ": %s of method 0x%" PRIx64 " (%s) at %" PRIu64
	    " ns, %s: %s", event->thread, actions[event->action & 3],
	    event->method, name, wall ? event->wall_ns : event->cpu_ns, last,
	    why);
}

/* Compares the event with the open calls of its thread, and enters or ends
 * one. */
static enum dmtrace_status
check_call(struct dmtrace_writer *writer, const struct dmtrace_event *event,
    struct strict_thread *thread, bool wall)
{
	char why[64];

	if (event->action == DMTRACE_ENTER) {
		if (thread->depth == DMT_OPEN_CALLS_MAX)
			return dmt_error_set(&writer->error, DMTRACE_ERR_LIMIT,
			    "thread %" PRIu32 " has more than %d open calls",
			    event->thread, DMT_OPEN_CALLS_MAX);
		thread->open[thread->depth++] = event->method;
		return DMTRACE_OK;
	}
	if (thread->depth == 0)
		return refuse(writer, event, thread, wall, "no call is open");
	const uint64_t innermost = thread->open[thread->depth - 1];
	if (innermost != event->method) {
		snprintf(why, sizeof(why), "the innermost open call is of "
		    "method 0x%" PRIx64, innermost);
		return refuse(writer, event, thread, wall, why);
	}
	thread->depth--;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_strict_check(struct dmt_strict *strict, struct dmtrace_writer *writer,
    const struct dmtrace_event *event)
{
	const struct dmt_layout *const layout = dmt_writer_layout(writer);
	const bool cpu = dmt_layout_has_cpu(layout);
	const bool wall = dmt_layout_has_wall(layout);
	struct strict_thread *const thread =
	    find_strict_thread(strict, event->thread);

	if (thread == NULL)
		return dmt_error_memory(&writer->error);
	if (event->action == DMTRACE_RESERVED)
		return refuse(writer, event, thread, wall,
		    "no reader knows what it means");
	if (dmtrace_key_thread_find(writer->key, event->thread) == NULL)
		return refuse(writer, event, thread, wall,
		    "the thread was not added");
	if (dmtrace_key_method_find(writer->key, event->method) == NULL)
		return refuse(writer, event, thread, wall,
		    "the method was not added");
	if (cpu && event->cpu_ns < thread->cpu_ns)
		return refuse(writer, event, thread, false,
		    "CPU time goes back");
	if (wall && event->wall_ns < thread->wall_ns)
		return refuse(writer, event, thread, true,
		    "wall time goes back");
	if (check_call(writer, event, thread, wall) != DMTRACE_OK)
		return writer->error.status;
	strict->rounded += cpu && is_rounded(writer, event->cpu_ns);
	strict->rounded += wall && is_rounded(writer, event->wall_ns);
	thread->has_last = true;
	thread->cpu_ns = event->cpu_ns;
	thread->wall_ns = event->wall_ns;
	return DMTRACE_OK;
}
