/* call_side.c - the calls of one trace, thread by thread */

/*
 * One pass over a source. The call-stack engine finds the calls; each becomes a
 * token, which says its name, whatever id or index the trace gives the method,
 * and goes to the lane of its thread. Lanes stay from one pass to the next: the
 * same trace has its threads in the same order.
 */

#include "verify/call_diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "events/callstacks.h"
#include "events/pipeline.h"
#include "key/rows.h"

/* A pass; NONE in an array by index is what no event had yet. */
#define NONE UINT32_MAX

struct side_pass {
	struct dmtrace_call_diff *diff;
	struct dmt_call_side *side;
	struct dmtrace_source *source;
	struct dmt_callstacks stacks;
	uint32_t *lanes;		/* by index of the thread */
	size_t thread_count;
	size_t thread_capacity;
	uint32_t *names;		/* by index of the method */
	size_t method_count;
	size_t method_capacity;
	size_t begun;			/* threads that had an event */
};

void
dmt_call_side_fini(struct dmt_call_side *side)
{
	for (size_t i = 0; i < side->count; i++)
		dmt_call_lane_fini(&side->lanes[i]);
	free(side->lanes);
}

/* Of a row, or made of an id that has none. false: no memory. */
static bool
find_name(struct side_pass *pass, uint32_t index)
{
	const struct dmt_indexed_method *const indexed =
	    &pass->source->indexes->methods[index];
	char number[DMT_NUMBER_MAX];
	const struct dmtrace_method method =
	    dmt_method_named(indexed->row, indexed->id, number);
	const struct dmt_name name = {
		.class_name = method.class_name, .name = method.name,
		.signature = method.signature,
		.listed = indexed->row != NULL && indexed->row->name.len > 0
	};

	pass->names[index] = dmt_names_find(&pass->diff->methods, &name);
	return pass->names[index] != DMT_NO_NAME;
}

/* One that comes later than the first time belongs to no pair. */
static bool
append_lane(struct side_pass *pass, const struct dmt_indexed_thread *indexed)
{
	struct dmtrace_call_diff *const diff = pass->diff;
	struct dmt_call_side *const side = pass->side;
	struct dmt_name name = { .listed = indexed->row != NULL };

	if (indexed->row != NULL)
		name.name = indexed->row->name;
	struct dmt_call_lane *const lanes = dmt_array_grow(side->lanes,
	    &side->capacity, side->count + 1, sizeof(*lanes));
	if (lanes == NULL)
		return false;
	side->lanes = lanes;
	const uint32_t found = dmt_names_find(&diff->threads, &name);
	if (found == DMT_NO_NAME)
		return false;
	lanes[side->count] = (struct dmt_call_lane){
		.number = indexed->number, .name = found,
		.active = diff->pairs == NULL
	};
	dmt_call_lane_begin(&lanes[side->count++]);
	return true;
}

/* Where a file changed meanwhile, threads come in another order. */
static bool
find_lane(struct side_pass *pass, uint32_t index)
{
	const struct dmt_indexed_thread *const indexed =
	    &pass->source->indexes->threads[index];
	const struct dmt_call_side *const side = pass->side;

	if (pass->begun < side->count &&
	    side->lanes[pass->begun].number == indexed->number) {
		pass->lanes[index] = (uint32_t)pass->begun++;
		return true;
	}
	pass->lanes[index] = (uint32_t)side->count;
	pass->begun = side->count + 1;
	pass->lanes[index] = (uint32_t)side->count;
	pass->begun = side->count + 1;
	return append_lane(pass, indexed);
}

/* What a window begins in. */
static bool
note_callers(const struct side_pass *pass, struct dmt_call_lane *lane,
    const struct dmt_callstack *stack, uint32_t depth)
{
	struct dmt_window *const window = lane->window;

	if (window == NULL || lane->calls != window->from || depth < 2 ||
	    window->callers != NULL)
		return true;
	window->callers = dmt_array_new(depth - 1, sizeof(*window->callers));
	if (window->callers == NULL)
		return false;
	for (uint32_t i = 1; i < depth; i++) {
		const struct dmt_call_frame *const frame =
		    dmt_frame_at(&pass->stacks, stack, i);

		window->callers[i - 1] = 2 * pass->names[frame->method];
	}
	window->caller_count = depth - 1;
	return true;
}

static enum dmtrace_status
take_call(struct side_pass *pass, const struct dmt_batch *batch, size_t at)
{
	const uint32_t thread = batch->thread[at], method = batch->method[at];
	struct dmtrace_error *const error = &pass->diff->error;
	struct dmt_callstack *const stack = &pass->stacks.items[thread];
	struct dmt_step step;

	if ((pass->lanes[thread] == NONE && !find_lane(pass, thread)) ||
	    (pass->names[method] == NONE && !find_name(pass, method)))
		return dmt_error_memory(error);
	struct dmt_call_lane *const lane =
	    &pass->side->lanes[pass->lanes[thread]];
	if (!lane->active)
		return DMTRACE_OK;
	const enum dmtrace_status status = dmt_callstack_step(&pass->stacks,
	    stack, method, batch->action[at], &step);
	if (status == DMTRACE_ERR_LIMIT)
		return dmt_error_set(error, status, "thread %" PRIu32
		    " has too many calls open", lane->number);
	if (status != DMTRACE_OK)
		return dmt_error_memory(error);
	if (step.kind != DMT_STEP_ENTERED &&
	    step.kind != DMT_STEP_BEFORE)
		return DMTRACE_OK;
	const struct dmt_call call = {
		.depth = step.depth,
		.token = 2 * pass->names[method] + (step.depth == 0)
	};
	return note_callers(pass, lane, stack, step.depth) &&
	    dmt_call_lane_take(lane, call, pass->diff->seed) ? DMTRACE_OK :
	    dmt_error_memory(error);
}

/* Makes an array by index as long as there are indexes. */
static bool
grow_indexes(uint32_t **items, size_t *count, size_t *capacity, size_t wanted)
{
	if (*count >= wanted)
		return true;
	uint32_t *const grown = dmt_array_grow(*items, capacity, wanted,
	    sizeof(*grown));
	if (grown == NULL)
		return false;
	*items = grown;
	memset(grown + *count, 0xff, (wanted - *count) * sizeof(*grown));
	*count = wanted;
	return true;
}

static enum dmtrace_status
take_batch(struct side_pass *pass, const struct dmt_batch *batch)
{
	const struct dmt_indexes *const indexes = pass->source->indexes;
	enum dmtrace_status status = DMTRACE_OK;

	if (!grow_indexes(&pass->lanes, &pass->thread_count,
	    &pass->thread_capacity, indexes->thread_count) ||
	    !grow_indexes(&pass->names, &pass->method_count,
	    &pass->method_capacity, indexes->method_count) ||
	    !dmt_callstacks_reserve(&pass->stacks, indexes->thread_count))
		return dmt_error_memory(&pass->diff->error);
	for (size_t i = 0; i < batch->kept && status == DMTRACE_OK; i++)
		status = take_call(pass, batch, batch->keep[i]);
	return status;
}

enum dmtrace_status
dmtrace_call_diff_add(struct dmtrace_call_diff *diff,
    enum dmtrace_diff_side which, struct dmtrace_source *source)
{
	struct side_pass pass = {
		.diff = diff, .side = &diff->sides[which], .source = source
	};
	enum dmtrace_status status = diff->error.status;
	struct dmt_batch *batch = NULL;

	for (size_t i = 0; i < pass.side->count; i++)
		dmt_call_lane_begin(&pass.side->lanes[i]);
	dmt_callstacks_init(&pass.stacks, sizeof(struct dmt_call_frame));
	dmt_want(source, DMT_COLUMN_THREAD | DMT_COLUMN_METHOD |
	    DMT_COLUMN_ACTION);
	while (status == DMTRACE_OK) {
		status = dmt_pull(source, &batch);
		if (status != DMTRACE_OK || batch == NULL)
			break;
		status = take_batch(&pass, batch);
	}
	dmt_callstacks_fini(&pass.stacks);
	free(pass.lanes);
	free(pass.names);
	return status;
}
