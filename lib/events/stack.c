/* stack.c - the call stacks that a sequence of events describes */

#include "events/stack.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/idmap.h"

#define DEFAULT_LIMIT 1048576	/* open frames of a thread */
#define DIRECT_THREADS 65536	/* numbers looked up without the map */

/*
 * The frames that one thread has open, the outermost first. From the first
 * exit that does not match the innermost frame on, open tells how often each
 * method is among them: else stray exits would search a deep stack again and
 * again.
 */
struct stack {
	uint32_t thread;
	uint64_t *methods;
	size_t capacity;
	uint32_t depth;
	bool counted;
	struct dmt_idmap open;
};

struct dmtrace_stacks {
	struct stack *items;
	size_t count;
	size_t capacity;
	uint32_t limit;
	struct dmt_idmap by_thread;	/* index in items, of large numbers */
	uint32_t direct[DIRECT_THREADS];	/* index + 1, of small ones */
};

struct dmtrace_stacks *
dmtrace_stacks_new(void)
{
	struct dmtrace_stacks *stacks = dmt_array_new(1, sizeof(*stacks));

	if (stacks != NULL)
		stacks->limit = DEFAULT_LIMIT;
	return stacks;
}

void
dmtrace_stacks_free(struct dmtrace_stacks *stacks)
{
	if (stacks == NULL)
		return;
	for (size_t i = 0; i < stacks->count; i++) {
		free(stacks->items[i].methods);
		dmt_idmap_fini(&stacks->items[i].open);
	}
	free(stacks->items);
	dmt_idmap_fini(&stacks->by_thread);
	free(stacks);
}

void
dmtrace_stacks_set_limit(struct dmtrace_stacks *stacks, uint32_t depth)
{
	stacks->limit = depth;
}

static inline struct stack *
find(const struct dmtrace_stacks *stacks, uint32_t thread)
{
	if (thread < DIRECT_THREADS)
		return stacks->direct[thread] == 0 ? NULL :
		    &stacks->items[stacks->direct[thread] - 1];
	const uint32_t *index = dmt_idmap_find(&stacks->by_thread, thread);
	return index == NULL ? NULL : &stacks->items[*index];
}

static struct stack *
add(struct dmtrace_stacks *stacks, uint32_t thread)
{
	struct stack *items = dmt_array_grow(stacks->items, &stacks->capacity,
	    stacks->count + 1, sizeof(*items));

	if (items == NULL)
		return NULL;
	stacks->items = items;
	if (thread < DIRECT_THREADS)
		stacks->direct[thread] = (uint32_t)stacks->count + 1;
	else if (!dmt_idmap_add(&stacks->by_thread, thread,
	    (uint32_t)stacks->count))
		return NULL;
	items[stacks->count] = (struct stack){ .thread = thread };
	return &items[stacks->count++];
}

/* NULL: no memory. */
static inline struct stack *
get(struct dmtrace_stacks *stacks, uint32_t thread)
{
	struct stack *stack = find(stacks, thread);

	return stack == NULL ? add(stacks, thread) : stack;
}

static bool
count_one(struct dmt_idmap *open, uint64_t method)
{
	uint32_t *times = dmt_idmap_find(open, method);

	if (times == NULL)
		return dmt_idmap_add(open, method, 1);
	++*times;
	return true;
}

/* Counts all frames anew, without the methods that are not open any more. */
static bool
count_all(struct stack *stack)
{
	struct dmt_idmap open = { 0 };

	for (uint32_t i = 0; i < stack->depth; i++)
		if (!count_one(&open, stack->methods[i])) {
			dmt_idmap_fini(&open);
			return false;
		}
	dmt_idmap_fini(&stack->open);
	stack->open = open;
	stack->counted = true;
	return true;
}

/* The map holds methods that are not open, too: not many more than there are
 * frames, however many come and go. */
static bool
count_entered(struct stack *stack, uint64_t method)
{
	if (stack->open.count / 2 > stack->depth + 64u && !count_all(stack))
		return false;
	return count_one(&stack->open, method);
}

static enum dmtrace_status
enter(struct stack *stack, uint64_t method, uint32_t limit,
    struct dmtrace_step *step)
{
	if (stack->depth >= limit)
		return DMTRACE_ERR_LIMIT;
	if (stack->depth == stack->capacity) {
		uint64_t *methods = dmt_array_grow(stack->methods,
		    &stack->capacity, stack->depth + (size_t)1,
		    sizeof(*methods));
		if (methods == NULL)
			return DMTRACE_ERR_MEMORY;
		stack->methods = methods;
	}
	if (stack->counted && !count_entered(stack, method))
		return DMTRACE_ERR_MEMORY;
	stack->methods[stack->depth++] = method;
	*step = (struct dmtrace_step){ DMTRACE_STEP_ENTERED, stack->depth, 0 };
	return DMTRACE_OK;
}

static void
pop(struct stack *stack)
{
	const uint64_t method = stack->methods[--stack->depth];

	if (stack->counted)
		--*dmt_idmap_find(&stack->open, method);
}

/* An exit of what is not the innermost frame. */
static enum dmtrace_status
unwind(struct stack *stack, uint64_t method, struct dmtrace_step *step)
{
	const uint32_t before = stack->depth;

	if (!stack->counted && !count_all(stack))
		return DMTRACE_ERR_MEMORY;
	const uint32_t *times = dmt_idmap_find(&stack->open, method);
	if (times == NULL || *times == 0) {
		*step = (struct dmtrace_step){ DMTRACE_STEP_STRAY, 0, 0 };
		return DMTRACE_OK;
	}
	while (stack->methods[stack->depth - 1] != method)
		pop(stack);
	*step = (struct dmtrace_step){ DMTRACE_STEP_UNWOUND, stack->depth,
	    before - stack->depth };
	pop(stack);
	return DMTRACE_OK;
}

static enum dmtrace_status
leave(struct stack *stack, uint64_t method, struct dmtrace_step *step)
{
	if (stack->depth == 0) {
		*step = (struct dmtrace_step){ DMTRACE_STEP_BEFORE, 0, 0 };
		return DMTRACE_OK;
	}
	if (stack->methods[stack->depth - 1] != method)
		return unwind(stack, method, step);
	*step = (struct dmtrace_step){ DMTRACE_STEP_LEFT, stack->depth, 0 };
	pop(stack);
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_stacks_step(struct dmtrace_stacks *stacks,
    const struct dmtrace_event *event, struct dmtrace_step *step)
{
	struct stack *stack = get(stacks, event->thread);

	if (stack == NULL)
		return DMTRACE_ERR_MEMORY;
	switch (event->action) {
	case DMTRACE_ENTER:
		return enter(stack, event->method, stacks->limit, step);
	case DMTRACE_EXIT:
	case DMTRACE_UNROLL:
		return leave(stack, event->method, step);
	case DMTRACE_RESERVED:
		break;
	}
	*step = (struct dmtrace_step){ DMTRACE_STEP_IGNORED, 0, 0 };
	return DMTRACE_OK;
}

uint32_t
dmtrace_stacks_depth(const struct dmtrace_stacks *stacks, uint32_t thread)
{
	const struct stack *stack = find(stacks, thread);

	return stack == NULL ? 0 : stack->depth;
}

uint64_t
dmtrace_stacks_method(const struct dmtrace_stacks *stacks, uint32_t thread,
    uint32_t depth)
{
	return find(stacks, thread)->methods[depth - 1];
}

size_t
dmt_stacks_count(const struct dmtrace_stacks *stacks)
{
	return stacks->count;
}

uint32_t
dmt_stacks_thread(const struct dmtrace_stacks *stacks, size_t index)
{
	return stacks->items[index].thread;
}
