/* call_side.c - the calls of one trace, thread by thread */

#include "verify/call_diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "key/rows.h"

static void
end_side(struct dmt_call_side *side)
{
	dmtrace_stacks_free(side->stacks);
	side->stacks = NULL;
	dmt_ids_fini(&side->ids);
}

void
dmt_call_side_fini(struct dmt_call_side *side)
{
	end_side(side);
	for (size_t i = 0; i < side->count; i++)
		dmt_call_lane_fini(&side->lanes[i]);
	free(side->lanes);
	free(side->direct);
	dmt_idmap_fini(&side->by_thread);
}

/* The name of a row, or made of an id that has none; 0: no memory. */
static uint32_t
add_id(struct dmtrace_call_diff *diff, struct dmt_call_side *side,
    uint64_t id, const struct dmtrace_method *row)
{
	char number[DMT_NUMBER_MAX];
	const struct dmtrace_method method =
	    dmt_method_named(row, id, number);
	const struct dmt_name name = {
		.class_name = method.class_name, .name = method.name,
		.signature = method.signature,
		.listed = row != NULL && row->name.len > 0
	};
	const uint32_t index = dmt_names_find(&diff->methods, &name);
	return index == DMT_NO_NAME ||
	    !dmt_ids_add(&side->ids, id, index + 1) ? 0 : index + 1;
}

static bool
add_ids(struct dmtrace_call_diff *diff, struct dmt_call_side *side)
{
	if (!dmt_ids_init(&side->ids, side->key))
		return false;
	for (size_t i = 0; i < dmtrace_key_method_count(side->key); i++) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_get(side->key, i);
		const uint64_t id = row->id & ~UINT64_C(3);

		if (dmt_ids_find(&side->ids, id) == 0 &&
		    add_id(diff, side, id, row) == 0)
			return false;
	}
	return true;
}

enum dmtrace_status
dmtrace_call_diff_begin(struct dmtrace_call_diff *diff,
    enum dmtrace_diff_side which, const struct dmtrace_key *key,
    const struct dmtrace_layout *layout)
{
	struct dmt_call_side *const side = &diff->sides[which];

	end_side(side);
	side->key = key;
	side->layout = layout;
	for (size_t i = 0; i < side->count; i++)
		dmt_call_lane_begin(&side->lanes[i]);
	side->stacks = dmtrace_stacks_new();
	if (side->stacks == NULL || !add_ids(diff, side))
		return dmt_error_memory(&diff->error);
	return DMTRACE_OK;
}

static uint32_t
name_thread(struct dmtrace_call_diff *diff, const struct dmt_call_side *side,
    uint32_t thread)
{
	const struct dmtrace_thread *const row = side->layout == NULL ?
	    dmtrace_key_thread_find(side->key, thread) :
	    dmtrace_key_thread_match(side->key, side->layout, thread);
	struct dmt_name name = { .listed = row != NULL };

	if (row != NULL)
		name.name = row->name;
	return dmt_names_find(&diff->threads, &name);
}

/* One that comes later than the first time belongs to no pair. */
static struct dmt_call_lane *
add_lane(struct dmtrace_call_diff *diff, struct dmt_call_side *side,
    uint32_t thread)
{
	const size_t index = side->count;
	struct dmt_call_lane *const lanes = dmt_array_grow(side->lanes,
	    &side->capacity, index + 1, sizeof(*lanes));

	if (lanes == NULL)
		return NULL;
	side->lanes = lanes;
	const uint32_t name = name_thread(diff, side, thread);
	if (name == DMT_NO_NAME)
		return NULL;
	if (thread < DMT_DIRECT_LANES)
		side->direct[thread] = (uint32_t)index + 1;
	else if (!dmt_idmap_add(&side->by_thread, thread, (uint32_t)index))
		return NULL;
	lanes[index] = (struct dmt_call_lane){
		.number = thread, .name = name, .active = diff->pairs == NULL
	};
	dmt_call_lane_begin(&lanes[index]);
	side->count++;
	return &lanes[index];
}

/* NULL: no memory. */
static struct dmt_call_lane *
get_lane(struct dmtrace_call_diff *diff, struct dmt_call_side *side,
    uint32_t thread)
{
	const uint32_t *index;

	if (thread < DMT_DIRECT_LANES && side->direct[thread] != 0)
		return &side->lanes[side->direct[thread] - 1];
	if (thread >= DMT_DIRECT_LANES &&
	    (index = dmt_idmap_find(&side->by_thread, thread)) != NULL)
		return &side->lanes[*index];
	return add_lane(diff, side, thread);
}

/* What a window begins in. */
static bool
note_callers(const struct dmt_call_side *side, struct dmt_call_lane *lane,
    uint32_t depth)
{
	struct dmt_window *const window = lane->window;

	if (window == NULL || lane->calls != window->from || depth < 2 ||
	    window->callers != NULL)
		return true;
	window->callers = dmt_array_new(depth - 1, sizeof(*window->callers));
	if (window->callers == NULL)
		return false;
	for (uint32_t i = 1; i < depth; i++)
		window->callers[i - 1] = 2 * (dmt_ids_find(&side->ids,
		    dmtrace_stacks_method(side->stacks, lane->number, i)) -
		    1);
	window->caller_count = depth - 1;
	return true;
}

static bool
take(struct dmtrace_call_diff *diff, struct dmt_call_side *side,
    struct dmt_call_lane *lane, const struct dmtrace_event *event,
    uint32_t depth)
{
	uint32_t name = dmt_ids_find(&side->ids, event->method);

	if (name == 0)
		name = add_id(diff, side, event->method, NULL);
	const struct dmt_call call = {
		.depth = depth, .token = 2 * (name - 1) + (depth == 0)
	};
	return name != 0 && note_callers(side, lane, depth) &&
	    dmt_call_lane_take(lane, call, diff->seed);
}

static enum dmtrace_status
step(struct dmtrace_call_diff *diff, struct dmt_call_side *side,
    const struct dmtrace_event *event)
{
	struct dmt_call_lane *const lane =
	    get_lane(diff, side, event->thread);
	struct dmtrace_step step;

	if (lane == NULL)
		return dmt_error_memory(&diff->error);
	if (!lane->active)
		return DMTRACE_OK;
	const enum dmtrace_status status =
	    dmtrace_stacks_step(side->stacks, event, &step);
	if (status == DMTRACE_ERR_LIMIT)
		return dmt_error_set(&diff->error, status,
		    "thread %" PRIu32 " has too many calls open",
		    event->thread);
	if (status != DMTRACE_OK)
		return dmt_error_memory(&diff->error);
	if (step.kind != DMTRACE_STEP_ENTERED &&
	    step.kind != DMTRACE_STEP_BEFORE)
		return DMTRACE_OK;
	return take(diff, side, lane, event, step.depth) ? DMTRACE_OK :
	    dmt_error_memory(&diff->error);
}

enum dmtrace_status
dmtrace_call_diff_add(struct dmtrace_call_diff *diff,
    enum dmtrace_diff_side which, const struct dmtrace_event *events,
    size_t count)
{
	struct dmt_call_side *const side = &diff->sides[which];
	enum dmtrace_status status = diff->error.status;

	if (side->stacks == NULL)
		return DMTRACE_ERR_STATE;
	for (size_t i = 0; i < count && status == DMTRACE_OK; i++)
		status = step(diff, side, &events[i]);
	return status;
}

enum dmtrace_status
dmtrace_call_diff_end(struct dmtrace_call_diff *diff,
    enum dmtrace_diff_side which)
{
	if (diff->sides[which].stacks == NULL)
		return DMTRACE_ERR_STATE;
	end_side(&diff->sides[which]);
	return DMTRACE_OK;
}
