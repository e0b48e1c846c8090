/* writer_strict.c - refuses events that readers would misread */

/*
 * A strict writer compares each event with the key and with the earlier events
 * of its thread, before it writes any: the same call stacks as those of
 * validation, and the last time of each clock. Threads and methods get indexes
 * of their own here, as the events that a program writes one by one have none,
 * and rows of the key may be added at any time. An event costs four searches
 * in hash tables, which only who asks for the checks pays.
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

struct last_times {
	uint64_t cpu_ns, wall_ns;
};

struct dmt_strict {
	struct dmt_idmap threads;	/* indexes by number */
	struct dmt_idmap methods;	/* indexes by id */
	uint64_t *ids;			/* of methods, by index */
	size_t id_capacity;
	struct last_times *last;	/* by thread index */
	size_t last_capacity;
	struct dmt_callstacks stacks;
	uint64_t rounded;
};

struct dmt_strict *
dmt_strict_new(void)
{
	struct dmt_strict *const strict = calloc(1, sizeof(*strict));

	if (strict != NULL)
		dmt_callstacks_init(&strict->stacks,
		    sizeof(struct dmt_call_frame));
	return strict;
}

void
dmt_strict_free(struct dmt_strict *strict)
{
	if (strict == NULL)
		return;
	dmt_idmap_fini(&strict->threads);
	dmt_idmap_fini(&strict->methods);
	free(strict->ids);
	free(strict->last);
	dmt_callstacks_fini(&strict->stacks);
	free(strict);
}

uint64_t
dmt_strict_rounded(const struct dmt_strict *strict)
{
	return strict->rounded;
}

/* Adds the thread and the method of an event, if they are new. false: no
 * memory. */
static bool
index_event(struct dmt_strict *strict, const struct dmtrace_event *event,
    uint32_t *thread, uint32_t *method)
{
	const uint32_t threads = (uint32_t)strict->threads.count;
	const uint32_t methods = (uint32_t)strict->methods.count;
	struct last_times *const last = dmt_array_grow(strict->last,
	    &strict->last_capacity, threads + 1, sizeof(*last));
	uint64_t *const ids = dmt_array_grow(strict->ids,
	    &strict->id_capacity, methods + 1, sizeof(*ids));

	if (last != NULL)
		strict->last = last;
	if (ids != NULL)
		strict->ids = ids;
	if (last == NULL || ids == NULL ||
	    !dmt_idmap_reserve(&strict->threads) ||
	    !dmt_idmap_reserve(&strict->methods) ||
	    !dmt_callstacks_reserve(&strict->stacks, threads + 1))
		return false;
	if (dmt_idmap_put(&strict->threads, event->thread, threads)) {
		last[threads] = (struct last_times){ 0 };
		if (!dmt_callstack_begin(&strict->stacks,
		    &strict->stacks.items[threads]))
			return false;
	}
	if (dmt_idmap_put(&strict->methods, event->method, methods))
		ids[methods] = event->method;
	*thread = *dmt_idmap_find(&strict->threads, event->thread);
	*method = *dmt_idmap_find(&strict->methods, event->method);
	return true;
}

static bool
is_rounded(const struct dmtrace_writer *writer, uint64_t time_ns)
{
	return !writer->writing->format.ns && time_ns % 1000 != 0;
}

/* Sets the writer's error: an event of the method is refused, and why. */
static enum dmtrace_status
refuse(struct dmtrace_writer *writer, const struct dmtrace_event *event,
    const char *why)
{
	static const char *const actions[] = {
		"enter", "exit", "unroll", "reserved action"
	};
	const struct dmtrace_method *const method =
	    dmtrace_key_method_find(writer->key, event->method);
	char name[DMT_ESCAPED_MAX] = "not listed";

	if (method != NULL)
		dmt_escape(name, sizeof(name), method->name.bytes,
		    method->name.len);
	return dmt_error_set(&writer->error, DMTRACE_ERR_EVENT,
	    "thread %" PRIu32 ": %s of method 0x%" PRIx64 " (%s): %s",
	    event->thread, actions[event->action & 3], event->method, name,
	    why);
}

/* Compares a time with the thread's last one of the same clock, and stores
 * it. */
static enum dmtrace_status
check_time(struct dmtrace_writer *writer, const struct dmtrace_event *event,
    const char *clock, uint64_t time_ns, uint64_t *last_ns)
{
	char why[120];

	if (time_ns < *last_ns) {
		snprintf(why, sizeof(why), "%s time %" PRIu64 " ns is before "
		    "%" PRIu64 " ns, that of the thread's last event",
		    clock, time_ns, *last_ns);
		return refuse(writer, event, why);
	}
	*last_ns = time_ns;
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_strict_check(struct dmt_strict *strict, struct dmtrace_writer *writer,
    const struct dmtrace_event *event)
{
	const struct dmt_layout *const layout = dmt_writer_layout(writer);
	uint32_t thread, method;
	struct dmt_step step;
	char why[120];

	if (event->action == DMTRACE_RESERVED)
		return refuse(writer, event, "no reader knows what it means");
	if (dmtrace_key_thread_find(writer->key, event->thread) == NULL)
		return refuse(writer, event, "the thread was not added");
	if (dmtrace_key_method_find(writer->key, event->method) == NULL)
		return refuse(writer, event, "the method was not added");
	if (!index_event(strict, event, &thread, &method))
		return dmt_error_memory(&writer->error);

	struct last_times *const last = &strict->last[thread];
	if (dmt_layout_has_cpu(layout)) {
		strict->rounded += is_rounded(writer, event->cpu_ns);
		if (check_time(writer, event, "CPU", event->cpu_ns,
		    &last->cpu_ns) != DMTRACE_OK)
			return writer->error.status;
	}
	if (dmt_layout_has_wall(layout)) {
		strict->rounded += is_rounded(writer, event->wall_ns);
		if (check_time(writer, event, "wall", event->wall_ns,
		    &last->wall_ns) != DMTRACE_OK)
			return writer->error.status;
	}

	struct dmt_callstack *const stack = &strict->stacks.items[thread];
	const uint32_t depth = stack->depth;
	const uint32_t innermost = depth == 0 ? 0 :
	    dmt_callstack_method(&strict->stacks, stack, depth);
	const enum dmtrace_status status = dmt_callstack_step(
	    &strict->stacks, stack, method, event->action, &step);
	if (status != DMTRACE_OK)
		return dmt_callstack_fail(&strict->stacks, stack, status,
		    event->thread, 0, &writer->error);
	if (step.kind == DMT_STEP_ENTERED || step.kind == DMT_STEP_LEFT)
		return DMTRACE_OK;
	if (depth == 0)
		return refuse(writer, event, "no call is open");
	snprintf(why, sizeof(why), "the innermost open call is of method 0x%"
	    PRIx64, strict->ids[innermost]);
	return refuse(writer, event, why);
}
