/* walk.c - all checks of the records of a trace, in one loop */

#include "verify/walk.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "data/record_decode.h"
#include "events/calls.h"
#include "events/stack.h"
#include "verify/plain.h"
#include "verify/traits.h"

bool
dmt_walk_init(struct dmt_judge_walk *walk)
{
	const struct dmtrace_reader *const reader = walk->reader;
	struct dmt_judge_times *const times = &walk->times;

	times->findings.report = walk->findings->report;
	times->findings.context = walk->findings->context;
	walk->calls = dmtrace_calls_new(reader->key, &reader->layout);
	walk->stacks = dmt_array_new(
	    dmt_layout_thread_numbers(&reader->layout),
	    sizeof(struct dmt_stack *));
	if (walk->calls == NULL || walk->stacks == NULL ||
	    !dmt_times_init(times, reader->key, &reader->layout))
		return false;
	dmtrace_calls_set_report(walk->calls, walk->findings->report,
	    walk->findings->context);
	return true;
}

void
dmt_walk_fini(struct dmt_judge_walk *walk)
{
	dmtrace_calls_free(walk->calls);
	free(walk->stacks);
	dmt_times_fini(&walk->times);
}

static enum dmtrace_status
fail(struct dmt_judge_walk *walk, enum dmtrace_status status,
    const struct dmtrace_event *event, uint64_t at)
{
	if (status == DMTRACE_ERR_MEMORY)
		return dmt_error_memory(&walk->error);
	return dmt_error_at(&walk->error, status, DMTRACE_PLACE_OFFSET, at,
	    "thread %u has too many calls open", (unsigned)event->thread);
}

/* Some take the reserved action for an exit, and for all others a trace that
 * has it is worse than one whose calls do not match. */
static void
look_at_reserved(struct dmt_judge_walk *walk, struct dmtrace_event *event)
{
	const struct dmtrace_stacks *const stacks =
	    dmtrace_calls_stacks(walk->calls);
	const uint32_t depth = dmtrace_stacks_depth(stacks, event->thread);

	if (depth == 0)
		return;
	if (dmtrace_stacks_method(stacks, event->thread, depth) !=
	    event->method)
		walk->reserved_other = true;
	else if (walk->reserved_ends)
		event->action = DMTRACE_EXIT;
}

static void
look_at_depth(struct dmt_judge_walk *walk, const struct dmtrace_event *event,
    const struct dmtrace_step *step, uint64_t at)
{
	if (step->kind != DMTRACE_STEP_ENTERED || step->depth <= DMT_DEEP)
		return;
	dmt_finding_add(walk->findings, DMT_CALL_DEEP, DMTRACE_PLACE_OFFSET,
	    at, "thread %u, %u", (unsigned)event->thread,
	    (unsigned)step->depth);
	if (step->depth > walk->deepest)
		walk->deepest = step->depth;
}

/* The first record of a thread. */
static void
meet(struct dmt_judge_walk *walk, uint32_t number)
{
	const struct dmtrace_thread *const row = dmtrace_key_thread_match(
	    walk->reader->key, &walk->reader->layout, number);

	walk->stacks[number] = dmt_stacks_find(
	    dmtrace_calls_stacks(walk->calls), number);
	walk->renumbered |= row != NULL && row->id != number;
}

/* As dmtrace_reader_read would, the index-th that the reader took. */
static struct dmtrace_event
decode(struct dmt_judge_walk *walk, size_t index)
{
	struct dmtrace_reader *const reader = walk->reader;
	const struct dmtrace_layout *const layout = &reader->layout;
	const struct dmt_watch watch = dmt_reader_watch(reader);
	const size_t size = layout->record_size;
	const uint8_t *const in = reader->records + index * size;
	struct dmt_clocks *const clocks =
	    &reader->clocks[dmt_field_get(layout->thread, in)];
	struct dmtrace_event event;

	dmt_clocks_take(clocks, layout, in, index, &watch);
	dmtrace_record_decode(&event, layout, in, size);
	if (layout->cpu.width != 0)
		event.cpu_ns = dmt_clock_us(&clocks->cpu) * 1000;
	if (layout->wall.width != 0)
		event.wall_ns = dmt_clock_us(&clocks->wall) * 1000;
	return event;
}

/* A record that the loop does not do. */
static enum dmtrace_status
take_slowly(struct dmt_judge_walk *walk, size_t index)
{
	const struct dmtrace_reader *const reader = walk->reader;
	const uint64_t at = reader->source->offset +
	    index * reader->layout.record_size;
	struct dmtrace_event event = decode(walk, index);
	struct dmtrace_step step;

	walk->beyond |= event.thread > DMT_DUMP_THREADS && !walk->mismatch;

	if (event.action == DMTRACE_RESERVED)
		look_at_reserved(walk, &event);
	dmt_times_look(&walk->times, &event, &reader->clocks[event.thread],
	    at);
	const enum dmtrace_status status =
	    dmtrace_calls_step(walk->calls, &event, at, &step);
	if (status != DMTRACE_OK)
		return fail(walk, status, &event, at);
	look_at_depth(walk, &event, &step, at);
	walk->mismatch |= step.kind == DMTRACE_STEP_UNWOUND ||
	    step.kind == DMTRACE_STEP_STRAY;
	if (walk->stacks[event.thread] == NULL)
		meet(walk, event.thread);
	return DMTRACE_OK;
}

struct run {
	struct dmt_judge_walk *walk;
	const uint8_t *in;
	size_t count;
};

/*
 * Records of threads that came before, whose times go on, and which enter a
 * method that is listed or leave the innermost frame: up to the first other
 * one. Where wall times can be compared, last_us is that of the record before.
 */
DMT_INLINE size_t
take_run(const void *context, const struct dmtrace_layout *layout)
{
	const struct run *const run = context;
	struct dmt_judge_times *const times = &run->walk->times;
	const struct dmt_recent *const recent =
	    dmt_calls_recent(run->walk->calls);
	const uint8_t *in = run->in;
	uint64_t last_us = times->last_wall_ns / 1000;
	size_t thread = times->last_thread, i;

	for (i = 0; i < run->count; i++, in += layout->record_size) {
		const size_t next = dmt_field_get(layout->thread, in);
		const uint64_t word = dmt_field_get(layout->method, in);
		const uint32_t cpu_us =
		    (uint32_t)dmt_field_get(layout->cpu, in);
		const uint32_t wall_us =
		    (uint32_t)dmt_field_get(layout->wall, in);
		struct dmt_clocks *const clocks =
		    &run->walk->reader->clocks[next];
		struct dmt_stack *const stack = run->walk->stacks[next];
		const uint64_t time_us =
		    (uint64_t)clocks->wall.wraps << 32 | wall_us;
		const bool strange =
		    ((word & 3) == 0) & !dmt_recent_has(recent, word);

		if (stack == NULL || dmt_times_need_look(&times->lanes[next],
		    layout, clocks, cpu_us, wall_us) ||
		    (time_us < last_us && times->comparable) ||
		    (DMT_UNLIKELY(strange) &&
		    !dmt_calls_lists(run->walk->calls, word)) ||
		    !dmt_stack_take(stack, word, DMT_DEEP))
			break;
		clocks->cpu.low_us = cpu_us;
		clocks->wall.low_us = wall_us;
		last_us = time_us;
		thread = next;
	}
	if (i > 0) {
		times->last_wall_ns = last_us * 1000;
		times->last_thread = (uint32_t)thread;
	}
	return i;
}

enum dmtrace_status
dmt_walk_take(struct dmt_judge_walk *walk, size_t count)
{
	const struct dmtrace_layout *const layout = &walk->reader->layout;
	size_t done = 0;

	while (done < count) {
		const struct run run = { walk, walk->reader->records +
		    done * layout->record_size, count - done };

		done += dmt_loop(take_run, &run, layout);
		if (done < count && take_slowly(walk, done++) != DMTRACE_OK)
			return walk->error.status;
	}
	return DMTRACE_OK;
}
