/* callstacks.c - the open calls of each thread: the call-stack engine */

/*
 * A thread's frames are an array, the outermost call first. Nearly all exits
 * are of the innermost call, which takes one comparison. For any other exit,
 * the engine must find out if its method is open at all. Searching the frames
 * would cost their number for each stray exit, which a hostile trace can make
 * expensive. So the first such exit of a thread counts how often each of its
 * methods is open, and from then on the counts are kept up to date. Only
 * frames that really close are visited.
 *
 * Calls that began before the trace are below the others. No exit matches the
 * method of their frames, and they are not counted or searched: they only end
 * by exits that come while nothing else is open.
 */

#include "events/callstacks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "events/tables.h"

void
dmt_callstacks_init(struct dmt_callstacks *stacks, size_t frame_size)
{
	*stacks = (struct dmt_callstacks){
		.frame_size = frame_size, .limit = DMT_OPEN_CALLS_MAX
	};
}

static bool
begin_callstack(void *owner, uint32_t thread, void *item)
{
	(void)item;
	return dmt_callstacks_reserve(owner, thread + (size_t)1);
}

void
dmt_callstacks_attach(struct dmt_callstacks *stacks,
    struct dmtrace_source *source, size_t frame_size)
{
	dmt_callstacks_init(stacks, frame_size);
	dmt_attach(source, NULL, &(struct dmt_table){
	    .init = begin_callstack, .owner = stacks });
}

void
dmt_callstacks_fini(struct dmt_callstacks *stacks)
{
	for (size_t i = 0; i < stacks->count; i++) {
		free(stacks->items[i].frames);
		free(stacks->items[i].before);
		dmt_idmap_fini(&stacks->items[i].open);
	}
	free(stacks->items);
	*stacks = (struct dmt_callstacks){ 0 };
}

void
dmt_callstacks_reset(struct dmt_callstacks *stacks)
{
	for (size_t i = 0; i < stacks->count; i++) {
		stacks->items[i].depth = stacks->items[i].base = 0;
		stacks->items[i].counted = false;
		dmt_idmap_fini(&stacks->items[i].open);
	}
}

bool
dmt_callstacks_reserve(struct dmt_callstacks *stacks, size_t threads)
{
	if (threads <= stacks->count)
		return true;
	struct dmt_callstack *const items = dmt_array_grow(stacks->items,
	    &stacks->capacity, threads, sizeof(*items));
	if (items == NULL)
		return false;
	stacks->items = items;
	while (stacks->count < threads)
		items[stacks->count++] = (struct dmt_callstack){ 0 };
	return true;
}

uint32_t
dmt_callstack_method(const struct dmt_callstacks *stacks,
    const struct dmt_callstack *stack, uint32_t depth)
{
	const struct dmt_call_frame *const frame =
	    dmt_frame_at(stacks, stack, depth);

	return depth <= stack->base ?
	    stack->before[stack->before_count - depth] : frame->method;
}

/* One more call of the method is open. false: no memory. */
static bool
count_method(struct dmt_idmap *open, uint32_t method)
{
	uint32_t *const times = dmt_idmap_at(open, method);

	if (times != NULL)
		++*times;
	return times != NULL;
}

/* Counts the open calls again, without methods that are no longer open. */
static bool
count_all(const struct dmt_callstacks *stacks, struct dmt_callstack *stack)
{
	struct dmt_idmap open = { 0 };

	for (uint32_t i = stack->base + 1; i <= stack->depth; i++)
		if (!count_method(&open,
		    dmt_callstack_method(stacks, stack, i))) {
			dmt_idmap_fini(&open);
			return false;
		}
	dmt_idmap_fini(&stack->open);
	stack->open = open;
	stack->counted = true;
	return true;
}

/* Makes space for the frame at a depth, and for the one above it, which is
 * always writable. */
static bool
grow_frames(const struct dmt_callstacks *stacks, struct dmt_callstack *stack,
    size_t depth)
{
	const bool first = stack->frames == NULL;
	uint8_t *const frames = dmt_array_grow_zero(stack->frames,
	    &stack->capacity, depth + 2, stacks->frame_size);

	if (frames == NULL)
		return false;
	stack->frames = frames;
	if (first)
		((struct dmt_call_frame *)(void *)frames)->method =
		    DMT_NO_METHOD;
	stack->room = stack->capacity - 2 < stacks->limit ?
	    (uint32_t)(stack->capacity - 2) : stacks->limit;
	return true;
}

bool
dmt_callstack_begin(const struct dmt_callstacks *stacks,
    struct dmt_callstack *stack)
{
	const uint32_t base = stacks->notes ? 0 : stack->before_count;

	if (!grow_frames(stacks, stack, base))
		return false;
	for (uint32_t i = 1; i <= base; i++) {
		struct dmt_call_frame *const frame =
		    dmt_frame_at(stacks, stack, i);

		frame->method = DMT_NO_METHOD;
	}
	stack->base = stack->depth = base;
	return true;
}

static enum dmtrace_status
enter_call(struct dmt_callstacks *stacks, struct dmt_callstack *stack,
    uint32_t method, struct dmt_step *step)
{
	if (stack->depth - stack->base >= stacks->limit)
		return DMTRACE_ERR_LIMIT;
	if (stack->depth >= stack->room &&
	    !grow_frames(stacks, stack, stack->depth + (size_t)1))
		return DMTRACE_ERR_MEMORY;
	/* The map also holds methods that have been closed, but at most about
	 * as many as there are frames: then it is counted again. */
	if (stack->counted &&
	    ((stack->open.count / 2 > stack->depth + (size_t)64 &&
	    !count_all(stacks, stack)) ||
	    !count_method(&stack->open, method)))
		return DMTRACE_ERR_MEMORY;
	stack->depth++;
	struct dmt_call_frame *const frame =
	    dmt_frame_at(stacks, stack, stack->depth);
	frame->method = method;
	*step = (struct dmt_step){ DMT_STEP_ENTERED, stack->depth, 0 };
	return DMTRACE_OK;
}

static void
close_innermost(const struct dmt_callstacks *stacks,
    struct dmt_callstack *stack)
{
	if (stack->counted)
		--*dmt_idmap_find(&stack->open,
		    dmt_callstack_method(stacks, stack, stack->depth));
	stack->depth--;
}

/* Handles an exit while no call is open that was entered. */
static enum dmtrace_status
exit_before(struct dmt_callstacks *stacks, struct dmt_callstack *stack,
    uint32_t method, struct dmt_step *step)
{
	if (stack->base > 0) {
		*step = (struct dmt_step){ DMT_STEP_LEFT, stack->depth, 0 };
		stack->base = --stack->depth;
		return DMTRACE_OK;
	}
	if (stacks->notes) {
		if (stack->before_count >= stacks->limit)
			return DMTRACE_ERR_LIMIT;
		uint32_t *const before = dmt_array_grow(stack->before,
		    &stack->before_capacity, stack->before_count + (size_t)1,
		    sizeof(*before));
		if (before == NULL)
			return DMTRACE_ERR_MEMORY;
		stack->before = before;
		before[stack->before_count++] = method;
	}
	*step = (struct dmt_step){ DMT_STEP_BEFORE, 0, 0 };
	return DMTRACE_OK;
}

static enum dmtrace_status
exit_call(struct dmt_callstacks *stacks, struct dmt_callstack *stack,
    uint32_t method, struct dmt_step *step)
{
	const uint32_t before = stack->depth;

	if (before == stack->base)
		return exit_before(stacks, stack, method, step);
	if (dmt_callstack_method(stacks, stack, before) == method) {
		*step = (struct dmt_step){ DMT_STEP_LEFT, before, 0 };
		close_innermost(stacks, stack);
		return DMTRACE_OK;
	}
	if (!stack->counted && !count_all(stacks, stack))
		return DMTRACE_ERR_MEMORY;
	const uint32_t *const times = dmt_idmap_find(&stack->open, method);
	if (times == NULL || *times == 0) {
		*step = (struct dmt_step){ DMT_STEP_STRAY, 0, 0 };
		return DMTRACE_OK;
	}
	while (dmt_callstack_method(stacks, stack, stack->depth) != method)
		close_innermost(stacks, stack);
	*step = (struct dmt_step){ DMT_STEP_UNWOUND, stack->depth,
	    before - stack->depth };
	close_innermost(stacks, stack);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_callstack_step_slowly(struct dmt_callstacks *stacks,
    struct dmt_callstack *stack, uint32_t method, unsigned action,
    struct dmt_step *step)
{
	/* The frame above the innermost one must be writable. */
	if (stack->frames == NULL && !grow_frames(stacks, stack, 1))
		return DMTRACE_ERR_MEMORY;
	switch (action) {
	case DMTRACE_ENTER:
		return enter_call(stacks, stack, method, step);
	case DMTRACE_EXIT:
	case DMTRACE_UNROLL:
		return exit_call(stacks, stack, method, step);
	default:
		*step = (struct dmt_step){ DMT_STEP_IGNORED, 0, 0 };
		return DMTRACE_OK;
	}
}

enum dmtrace_status
dmt_callstack_fail(const struct dmt_callstacks *stacks,
    const struct dmt_callstack *stack, enum dmtrace_status status,
    uint32_t thread, uint64_t offset, struct dmtrace_error *error)
{
	if (status == DMTRACE_ERR_MEMORY)
		return dmt_error_memory(error);
	return dmt_error_at(error, status, offset == 0 ? DMTRACE_PLACE_NONE :
	    DMTRACE_PLACE_OFFSET, offset, stack->depth > stack->base ?
	    "thread %" PRIu32 " has %" PRIu32 " open frames, which is the"
	    " limit" : "thread %" PRIu32 " leaves %" PRIu32 " frames that it"
	    " did not enter, which is the limit", thread, stacks->limit);
}
