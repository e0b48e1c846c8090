/* convert_stage.c - a stage: events for another format */

/*
 * An index stands for the same thread or method as in the source, but has the
 * number or id of the output: one that the caller has decided, or the old one
 * or, if that does not fit or has another meaning in the output, a free one. A
 * clock that the trace lacks gets the times of the other clock. What the output
 * cannot hold is counted: times are wrapped, and unwrapped as a reader of the
 * output will do, and where exits have no method, the calls are followed.
 *
 * For readers that need it, calls that are too deep are dropped, with all calls
 * that they make, and if times are too high, the least time of their thread and
 * clock is subtracted. A separate pass finds these times before the header is
 * written, because the start time changes, too.
 */

#include "ops/convert/convert_stage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "data/unwrap.h"
#include "events/select.h"
#include "private/key.h"

#define WRAP_NS (UINT64_C(1000) << 32)	/* after this, a time of 32 bits
					   wraps */
#define HIGHEST_NS (((UINT64_C(1) << 31) - 1) * 1000)

struct convert_thread {
	struct dmt_clocks clocks;	/* of a reader of the output */
	uint64_t cpu_base_ns;		/* subtracted from its times */
	uint64_t wall_base_ns;
	uint32_t depth;			/* open calls that are kept */
	uint32_t skipped;		/* open calls in these that are
					   dropped */
};

struct convert_stage {
	struct dmtrace_source source;
	struct dmt_conversion *conversion;
	struct dmt_indexes out;		/* of the output; its indexes are those
					   of the source */
	struct dmt_idmap taken;		/* thread numbers in use */
	uint32_t next_number;		/* the search for a free one starts
					   here */
	struct convert_thread *threads;	/* by index */
	struct dmt_callstacks stacks;	/* calls of the output, for stage F */
};

uint64_t
dmt_conversion_new_id(struct dmt_conversion *conversion)
{
	do
		conversion->last_id += 4;
	while (dmtrace_key_method_find(conversion->from,
	    conversion->last_id) != NULL);
	conversion->losses[DMTRACE_LOSS_METHOD_ID]++;
	return dmt_idmap_add(&conversion->new_ids, conversion->last_id, 0) ?
	    conversion->last_id : 0;
}

void
dmt_conversion_fini(struct dmt_conversion *conversion)
{
	free(conversion->method_ids);
	dmt_idmap_fini(&conversion->numbers);
	dmt_idmap_fini(&conversion->row_numbers);
	dmt_idmap_fini(&conversion->new_ids);
}

/* Returns true if events of the output can have that thread number. */
static bool
fits_thread(const struct dmt_conversion *conversion, uint32_t number)
{
	return number >= conversion->format.dialect->first_thread &&
	    number < dmt_layout_thread_numbers(&conversion->format.layout);
}

/* Chooses the number of a thread: the decided one, or the listed one, where
 * there is room for it (records may have its low bits), or that of the records;
 * a free one if that is taken, does not fit, or is another row's in records
 * with fewer bits. */
static enum dmtrace_status
choose_number(struct convert_stage *stage, struct dmt_indexed_thread *thread)
{
	struct dmt_conversion *const conversion = stage->conversion;
	const uint32_t *const decided =
	    dmt_idmap_find(&conversion->numbers, thread->number);
	const uint32_t old = thread->number;
	uint32_t next = stage->next_number;

	if (decided != NULL) {
		thread->number = *decided;
		return DMTRACE_OK;
	}
	if (thread->row != NULL && fits_thread(conversion, thread->row->id))
		thread->number = thread->row->id;
	if (!fits_thread(conversion, thread->number) ||
	    dmt_key_thread_match(conversion->from, &conversion->format.layout,
	    thread->number) != thread->row ||
	    dmt_idmap_find(&stage->taken, thread->number) != NULL) {
		while (fits_thread(conversion, next) &&
		    (dmt_idmap_find(&stage->taken, next) != NULL ||
		    dmt_key_thread_match(conversion->from,
		    &conversion->format.layout, next) != NULL))
			next++;
		if (!fits_thread(conversion, next))
			return dmt_error_set(&stage->source.error,
			    DMTRACE_ERR_RANGE, "there are more threads than "
			    "version %u can number",
			    conversion->format.layout.version);
		thread->number = next;
		stage->next_number = next + 1;
		conversion->losses[DMTRACE_LOSS_THREAD_NUMBER]++;
	}
	bool noted = dmt_idmap_at(&stage->taken, thread->number) != NULL;
	if (noted && thread->number != old && thread->row != NULL) {
		noted = dmt_idmap_reserve(&conversion->row_numbers);
		if (noted)
			dmt_idmap_put(&conversion->row_numbers,
			    thread->row->id, thread->number);
	}
	return noted ? DMTRACE_OK : dmt_error_memory(&stage->source.error);
}

/* Chooses the id of a method: that of its row, or that of the records; a free
 * one if that has another meaning or does not fit. */
static enum dmtrace_status
choose_method(struct convert_stage *stage, struct dmt_indexed_method *method)
{
	struct dmt_conversion *const conversion = stage->conversion;
	const size_t row = method->row == NULL ? 0 :
	    (size_t)(method->row -
	    dmtrace_key_method_get(conversion->from, 0));

	if (method->row == NULL) {
		if (dmt_fits(conversion->format.layout.method.width,
		    method->id) && dmt_idmap_find(&conversion->new_ids,
		    method->id) == NULL)
			return DMTRACE_OK;
		method->id = dmt_conversion_new_id(conversion);
		return method->id != 0 ? DMTRACE_OK :
		    dmt_error_memory(&stage->source.error);
	}
	if (conversion->method_ids[row] != DMT_NO_ID)
		method->id = conversion->method_ids[row] & ~UINT64_C(3);
	method->row = conversion->key == NULL ? NULL :
	    dmtrace_key_method_get(conversion->key, row);
	return DMTRACE_OK;
}

/* Adds the indexes that are new, with their numbers and ids in the output. They
 * are those that the next stage sees, not a table attached to indexes. */
static enum dmtrace_status
follow_indexes(struct convert_stage *stage)
{
	const struct dmt_indexes *const in = stage->source.from->indexes;
	struct dmt_indexes *const out = &stage->out;

	if (in->thread_count > out->thread_count) {
		struct dmt_indexed_thread *const items = dmt_array_grow(
		    out->threads, &out->thread_capacity, in->thread_count,
		    sizeof(*items));
		if (items == NULL)
			return dmt_error_memory(&stage->source.error);
		out->threads = items;
	}
	if (in->method_count > out->method_count) {
		struct dmt_indexed_method *const items = dmt_array_grow(
		    out->methods, &out->method_capacity, in->method_count,
		    sizeof(*items));
		if (items == NULL)
			return dmt_error_memory(&stage->source.error);
		out->methods = items;
	}
	for (; out->thread_count < in->thread_count; out->thread_count++) {
		out->threads[out->thread_count] =
		    in->threads[out->thread_count];
		if (choose_number(stage, &out->threads[out->thread_count]) !=
		    DMTRACE_OK)
			return stage->source.error.status;
	}
	for (; out->method_count < in->method_count; out->method_count++) {
		out->methods[out->method_count] =
		    in->methods[out->method_count];
		if (choose_method(stage, &out->methods[out->method_count]) !=
		    DMTRACE_OK)
			return stage->source.error.status;
	}
	return DMTRACE_OK;
}

/* Returns true if an event is kept, and updates the depths. */
static bool
follow_depth(struct convert_thread *thread, unsigned action, uint32_t most)
{
	if (action == DMTRACE_ENTER && thread->depth >= most) {
		thread->skipped++;
		return false;
	}
	if (action == DMTRACE_ENTER) {
		thread->depth++;
		return true;
	}
	if (thread->skipped > 0) {
		thread->skipped--;
		return false;
	}
	thread->depth -= thread->depth > 0;
	return true;
}

static void
drop_deep_calls(struct convert_stage *stage, struct dmt_batch *batch)
{
	struct dmt_conversion *const conversion = stage->conversion;
	size_t kept = 0;

	for (size_t i = 0; i < batch->kept; i++) {
		const uint16_t at = batch->keep[i];

		if (follow_depth(&stage->threads[batch->thread[at]],
		    batch->action[at], conversion->depth_max)) {
			batch->keep[kept++] = at;
			continue;
		}
		conversion->dropped++;
		conversion->opened_dropped +=
		    (batch->flags[at] & DMT_EVENT_OPENED) != 0;
		conversion->closed_dropped +=
		    (batch->flags[at] & DMT_EVENT_CLOSED) != 0;
		dmt_change_add(conversion->changes, DMT_CALL_DEEP, 1,
		    DMTRACE_PLACE_NONE, 0, NULL);
	}
	batch->kept = kept;
}

/* Returns true if it is what readers of stage F give an exit of no call. */
static bool
is_none(const struct dmt_indexed_method *method)
{
	return method->id == 0 && method->row == NULL;
}

/* Stage F: an exit ends the innermost call, whatever its method is; readers
 * give it the method of that call, or none. */
static enum dmtrace_status
follow_calls(struct convert_stage *stage, const struct dmt_batch *batch)
{
	struct dmtrace_error *const error = &stage->source.error;
	uint64_t *const lost =
	    &stage->conversion->losses[DMTRACE_LOSS_EXIT_METHOD];
	const struct dmt_indexes *const indexes = stage->source.from->indexes;
	struct dmt_step step;

	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		const uint32_t thread = batch->thread[at];
		struct dmt_callstack *const stack =
		    &stage->stacks.items[thread];
		uint32_t method = batch->method[at];

		if (batch->action[at] != DMTRACE_ENTER && stack->depth == 0) {
			*lost += !is_none(&indexes->methods[method]);
			continue;
		}
		if (batch->action[at] != DMTRACE_ENTER) {
			method = dmt_callstack_method(&stage->stacks, stack,
			    stack->depth);
			*lost += method != batch->method[at];
		}
		const enum dmtrace_status status = dmt_callstack_step(
		    &stage->stacks, stack, method, batch->action[at], &step);
		if (status != DMTRACE_OK)
			return dmt_callstack_fail(&stage->stacks, stack,
			    status, stage->out.threads[thread].number, 0,
			    error);
	}
	return DMTRACE_OK;
}

/* Returns the time that the output stores: microseconds modulo 2^32. Sets
 * *wrapped if a reader will unwrap it to another time, because the step from
 * the previous one is too large. */
static uint64_t
wrap_time(uint64_t time_ns, struct dmt_clock *clock, uint64_t *counts,
    bool *wrapped)
{
	const uint32_t time_us = (uint32_t)(time_ns / 1000);

	counts[DMTRACE_LOSS_ROUNDED] += time_ns % 1000 != 0;
	dmt_clock_turn(clock, time_us);
	clock->low_us = time_us;
	*wrapped |= dmt_clock_us(clock) != time_ns / 1000;
	return time_us * UINT64_C(1000);
}

/* The clocks that the trace has and the output needs: its own, or to replace a
 * missing one. */
static void
find_clocks(const struct convert_stage *stage, bool *cpu, bool *wall)
{
	const struct dmt_layout *const from = stage->source.from->layout;
	const struct dmt_layout *const to = &stage->conversion->format.layout;

	*cpu = dmt_layout_has_cpu(from) &&
	    (dmt_layout_has_cpu(to) || !dmt_layout_has_wall(from));
	*wall = dmt_layout_has_wall(from) &&
	    (dmt_layout_has_wall(to) || !dmt_layout_has_cpu(from));
}

/* Returns a time without the base. */
static uint64_t
move_time(const struct convert_stage *stage, uint64_t time_ns,
    uint64_t base_ns)
{
	if (time_ns - base_ns <= HIGHEST_NS)
		return time_ns - base_ns;
	dmt_change_add(stage->conversion->changes, DMT_TIME_HIGH_LOST, 1,
	    DMTRACE_PLACE_NONE, 0, NULL);
	return HIGHEST_NS;
}

static void
move_times(struct convert_stage *stage, struct dmt_batch *batch)
{
	bool cpu, wall;

	find_clocks(stage, &cpu, &wall);
	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		const struct convert_thread *const thread =
		    &stage->threads[batch->thread[at]];

		if (cpu)
			batch->cpu_ns[at] = move_time(stage,
			    batch->cpu_ns[at], thread->cpu_base_ns);
		if (wall)
			batch->wall_ns[at] = move_time(stage,
			    batch->wall_ns[at], thread->wall_base_ns);
	}
}

/* Rounds and wraps times in nanoseconds for an output with microseconds. */
static void
wrap_times(struct convert_stage *stage, struct dmt_batch *batch)
{
	uint64_t *const counts = stage->conversion->losses;
	bool cpu, wall;

	find_clocks(stage, &cpu, &wall);
	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		struct dmt_clocks *const own =
		    &stage->threads[batch->thread[at]].clocks;
		bool wrapped = false;

		if (cpu)
			batch->cpu_ns[at] = wrap_time(batch->cpu_ns[at],
			    &own->cpu, counts, &wrapped);
		if (wall)
			batch->wall_ns[at] = wrap_time(batch->wall_ns[at],
			    &own->wall, counts, &wrapped);
		counts[DMTRACE_LOSS_WRAPPED] += wrapped;
	}
}

/* Wraps times that were read from microseconds, as they were stored. */
static void
rewrap_times(uint64_t *times_ns, const struct dmt_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		if (times_ns[i] >= WRAP_NS)
			times_ns[i] %= WRAP_NS;
}

static enum dmtrace_status
pull_converted(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct convert_stage *const stage = (struct convert_stage *)source;
	struct dmt_conversion *const conversion = stage->conversion;
	const struct dmt_layout *const from = source->from->layout;
	const struct dmt_layout *const to = &conversion->format.layout;
	const bool from_cpu = dmt_layout_has_cpu(from);
	const bool to_cpu = dmt_layout_has_cpu(to);
	const bool from_wall = dmt_layout_has_wall(from);
	const bool to_wall = dmt_layout_has_wall(to);
	uint64_t *const counts = conversion->losses;

	if (dmt_pull(source->from, out) != DMTRACE_OK)
		return source->from->error.status;
	struct dmt_batch *const batch = *out;
	if (batch == NULL)
		return DMTRACE_OK;
	if (follow_indexes(stage) != DMTRACE_OK)
		return source->error.status;
	if (conversion->depth_max > 0)
		drop_deep_calls(stage, batch);
	conversion->written += batch->kept;
	if (conversion->format.bare_exits &&
	    follow_calls(stage, batch) != DMTRACE_OK)
		return source->error.status;

	if (conversion->moves)
		move_times(stage, batch);
	if (!conversion->format.ns && dmt_layout_has_ns(from)) {
		wrap_times(stage, batch);
	} else if (!conversion->format.ns) {
		if (from_cpu)
			rewrap_times(batch->cpu_ns, batch);
		if (from_wall)
			rewrap_times(batch->wall_ns, batch);
	}
	const size_t size = batch->count * sizeof(batch->cpu_ns[0]);
	if (!from_cpu)
		memcpy(batch->cpu_ns, batch->wall_ns, size);
	if (!from_wall)
		memcpy(batch->wall_ns, batch->cpu_ns, size);

	counts[DMTRACE_LOSS_CPU] += from_cpu && !to_cpu ? batch->kept : 0;
	counts[DMTRACE_LOSS_WALL] += from_wall && !to_wall ? batch->kept : 0;
	counts[DMTRACE_LOSS_CPU_FROM_WALL] +=
	    !from_cpu && to_cpu ? batch->kept : 0;
	counts[DMTRACE_LOSS_WALL_FROM_CPU] +=
	    !from_wall && to_wall ? batch->kept : 0;
	counts[DMTRACE_LOSS_PADDING] +=
	    dmt_records_len(from, 1) > dmt_layout_fields_size(from) ?
	    batch->kept : 0;
	return DMTRACE_OK;
}

static void
want_converted(struct dmtrace_source *source, unsigned columns)
{
	const struct convert_stage *const stage =
	    (const struct convert_stage *)source;
	const struct dmt_layout *const from = source->from->layout;

	/* The column of a clock that the trace lacks is a copy of the other
	 * one. */
	columns = DMT_COLUMN_ALL;
	if (stage->conversion->depth_max == 0)
		columns &= ~DMT_COLUMN_FLAGS;
	if (!dmt_layout_has_cpu(from))
		columns &= ~DMT_COLUMN_CPU;
	if (!dmt_layout_has_wall(from))
		columns &= ~DMT_COLUMN_WALL;
	dmt_want(source->from, columns);
}

static void
fini_converted(struct dmtrace_source *source)
{
	struct convert_stage *const stage = (struct convert_stage *)source;

	dmt_indexes_fini(&stage->out);
	dmt_idmap_fini(&stage->taken);
	dmt_callstacks_fini(&stage->stacks);
}

static const struct dmt_input_kind convert_kind = {
	pull_converted, NULL, want_converted, fini_converted
};

static bool
begin_converted_thread(void *owner, uint32_t index, void *thread)
{
	(void)owner;
	(void)index;
	*(struct convert_thread *)thread = (struct convert_thread){
		.cpu_base_ns = UINT64_MAX, .wall_base_ns = UINT64_MAX
	};
	return true;
}

struct dmtrace_source *
dmt_convert_stage_new(struct dmt_conversion *conversion,
    struct dmtrace_source *from)
{
	struct convert_stage *const stage = from == NULL ? NULL :
	    calloc(1, sizeof(*stage));

	if (stage == NULL) {
		dmtrace_source_free(from);
		return NULL;
	}
	dmt_stage_init(&stage->source, &convert_kind, from);
	stage->source.indexes = &stage->out;
	stage->conversion = conversion;
	stage->next_number = 1;
	dmt_callstacks_attach(&stage->stacks, from,
	    sizeof(struct dmt_call_frame));
	dmt_attach(from, &stage->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*stage->threads),
	    .init = begin_converted_thread });
	return &stage->source;
}

/* The least time of a thread and clock or, of wall times that can be compared,
 * the least of all threads. */
enum dmtrace_status
dmt_convert_learn(struct dmtrace_source *source)
{
	struct convert_stage *const stage = (struct convert_stage *)source;
	struct dmt_conversion *const conversion = stage->conversion;
	struct dmtrace_source *const from = source->from;
	const bool cpu = dmt_layout_has_cpu(from->layout);
	const bool wall = dmt_layout_has_wall(from->layout);
	uint64_t least_ns = UINT64_MAX;
	struct dmt_batch *batch;

	if (!conversion->moves)
		return DMTRACE_OK;
	dmt_want_pass(from, 1);
	dmt_want(from, DMT_COLUMN_THREAD | (cpu ? DMT_COLUMN_CPU : 0) |
	    (wall ? DMT_COLUMN_WALL : 0));
	do {
		if (dmt_pull(from, &batch) != DMTRACE_OK) {
			source->error = from->error;
			return source->error.status;
		}
		if (follow_indexes(stage) != DMTRACE_OK)
			return source->error.status;
		for (size_t i = 0; batch != NULL && i < batch->kept; i++) {
			const size_t at = batch->keep[i];
			struct convert_thread *const thread =
			    &stage->threads[batch->thread[at]];

			if (cpu && batch->cpu_ns[at] < thread->cpu_base_ns)
				thread->cpu_base_ns = batch->cpu_ns[at];
			if (wall && batch->wall_ns[at] < thread->wall_base_ns)
				thread->wall_base_ns = batch->wall_ns[at];
			if (wall && batch->wall_ns[at] < least_ns)
				least_ns = batch->wall_ns[at];
		}
	} while (batch != NULL);
	if (dmt_times_comparable(conversion->from, from->layout)) {
		for (size_t i = 0; i < stage->out.thread_count; i++)
			stage->threads[i].wall_base_ns = least_ns;
		conversion->moved_us =
		    least_ns == UINT64_MAX ? 0 : least_ns / 1000;
	}
	dmt_change_add(conversion->changes, DMT_TIME_HIGH, 1,
	    DMTRACE_PLACE_NONE, 0, "wall times by %" PRIu64 " us",
	    conversion->moved_us);
	if (dmt_source_rewind(from) != DMTRACE_OK)
		source->error = from->error;
	return source->error.status;
}
