/* stack.c - the call stacks that a sequence of events describes */

#include "events/stack.h"

#include <stdlib.h>

#include "base/array.h"

#define DEFAULT_LIMIT 1048576	/* open frames of a thread */
#define DIRECT_THREADS 65536	/* numbers looked up without the map */
#define FIRST_FRAMES 16		/* that a new stack has room for */

struct dmtrace_stacks {
	struct dmt_stack **items;	/* in the order that threads came */
	size_t count;
	size_t capacity;
	uint32_t limit;
	struct dmt_idmap by_thread;	/* index in items, of large numbers */
	struct dmt_stack *direct[DIRECT_THREADS];	/* of small ones */
};

struct dmtrace_stacks *
dmtrace_stacks_new(void)
{
	struct dmtrace_stacks *stacks = dmt_array_new(1, sizeof(*stacks));

	if (stacks != NULL)
		stacks->limit = DEFAULT_LIMIT;
	return stacks;
}

/* The depth that needs neither more memory nor a look at the limit: the last
 * frame is for what is stored above the innermost one. */
static void
set_room(const struct dmtrace_stacks *stacks, struct dmt_stack *stack)
{
	const size_t room = stack->capacity < 2 ? 0 : stack->capacity - 1;

	stack->room = room < stacks->limit ? (uint32_t)room : stacks->limit;
}

void
dmtrace_stacks_set_limit(struct dmtrace_stacks *stacks, uint32_t depth)
{
	stacks->limit = depth;
	for (size_t i = 0; i < stacks->count; i++)
		set_room(stacks, stacks->items[i]);
}

struct dmt_stack *
dmt_stacks_find(const struct dmtrace_stacks *stacks, uint32_t thread)
{
	if (thread < DIRECT_THREADS)
		return stacks->direct[thread];
	const uint32_t *index = dmt_idmap_find(&stacks->by_thread, thread);
	return index == NULL ? NULL : stacks->items[*index];
}

/* With room for a few frames. */
static struct dmt_stack *
stack_new(const struct dmtrace_stacks *stacks, uint32_t thread)
{
	struct dmt_stack *const stack = dmt_array_new(1, sizeof(*stack));

	if (stack == NULL)
		return NULL;
	stack->thread = thread;
	stack->frames = dmt_array_grow(NULL, &stack->capacity, FIRST_FRAMES,
	    sizeof(*stack->frames));
	if (stack->frames == NULL) {
		free(stack);
		return NULL;
	}
	stack->frames[0] = DMT_NO_METHOD;
	set_room(stacks, stack);
	return stack;
}

static void
stack_free(struct dmt_stack *stack)
{
	if (stack == NULL)
		return;
	free(stack->frames);
	dmt_idmap_fini(&stack->open);
	free(stack);
}

void
dmtrace_stacks_free(struct dmtrace_stacks *stacks)
{
	if (stacks == NULL)
		return;
	for (size_t i = 0; i < stacks->count; i++)
		stack_free(stacks->items[i]);
	free(stacks->items);
	dmt_idmap_fini(&stacks->by_thread);
	free(stacks);
}

static struct dmt_stack *
add(struct dmtrace_stacks *stacks, uint32_t thread)
{
	struct dmt_stack **const items = dmt_array_grow(stacks->items,
	    &stacks->capacity, stacks->count + 1, sizeof(*items));

	if (items == NULL)
		return NULL;
	stacks->items = items;
	struct dmt_stack *const stack = stack_new(stacks, thread);
	if (stack == NULL)
		return NULL;
	if (thread < DIRECT_THREADS) {
		stacks->direct[thread] = stack;
	} else if (!dmt_idmap_add(&stacks->by_thread, thread,
	    (uint32_t)stacks->count)) {
		stack_free(stack);
		return NULL;
	}
	stacks->items[stacks->count++] = stack;
	return stack;
}

/* NULL: no memory. */
static inline struct dmt_stack *
get(struct dmtrace_stacks *stacks, uint32_t thread)
{
	struct dmt_stack *stack = dmt_stacks_find(stacks, thread);

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
count_all(struct dmt_stack *stack)
{
	struct dmt_idmap open = { 0 };

	for (uint32_t i = 1; i <= stack->depth; i++)
		if (!count_one(&open, stack->frames[i])) {
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
count_entered(struct dmt_stack *stack, uint64_t method)
{
	if (stack->open.count / 2 > stack->depth + 64u && !count_all(stack))
		return false;
	return count_one(&stack->open, method);
}

/* Makes room for twice as many frames. */
static bool
grow(const struct dmtrace_stacks *stacks, struct dmt_stack *stack)
{
	uint64_t *const frames = dmt_array_grow(stack->frames,
	    &stack->capacity, stack->depth + (size_t)2, sizeof(*frames));

	if (frames == NULL)
		return false;
	stack->frames = frames;
	set_room(stacks, stack);
	return true;
}

static enum dmtrace_status
enter(const struct dmtrace_stacks *stacks, struct dmt_stack *stack,
    uint64_t method, struct dmtrace_step *step)
{
	if (stack->depth >= stacks->limit)
		return DMTRACE_ERR_LIMIT;
	if (stack->depth >= stack->room && !grow(stacks, stack))
		return DMTRACE_ERR_MEMORY;
	if (stack->counted && !count_entered(stack, method))
		return DMTRACE_ERR_MEMORY;
	stack->frames[++stack->depth] = method;
	*step = (struct dmtrace_step){ DMTRACE_STEP_ENTERED, stack->depth, 0 };
	return DMTRACE_OK;
}

static void
pop(struct dmt_stack *stack)
{
	const uint64_t method = stack->frames[stack->depth--];

	if (stack->counted)
		--*dmt_idmap_find(&stack->open, method);
}

/* An exit of what is not the innermost frame. */
static enum dmtrace_status
unwind(struct dmt_stack *stack, uint64_t method, struct dmtrace_step *step)
{
	const uint32_t before = stack->depth;

	if (!stack->counted && !count_all(stack))
		return DMTRACE_ERR_MEMORY;
	const uint32_t *times = dmt_idmap_find(&stack->open, method);
	if (times == NULL || *times == 0) {
		*step = (struct dmtrace_step){ DMTRACE_STEP_STRAY, 0, 0 };
		return DMTRACE_OK;
	}
	while (stack->frames[stack->depth] != method)
		pop(stack);
	*step = (struct dmtrace_step){ DMTRACE_STEP_UNWOUND, stack->depth,
	    before - stack->depth };
	pop(stack);
	return DMTRACE_OK;
}

static enum dmtrace_status
leave(struct dmt_stack *stack, uint64_t method, struct dmtrace_step *step)
{
	if (stack->depth == 0) {
		*step = (struct dmtrace_step){ DMTRACE_STEP_BEFORE, 0, 0 };
		return DMTRACE_OK;
	}
	if (stack->frames[stack->depth] != method)
		return unwind(stack, method, step);
	*step = (struct dmtrace_step){ DMTRACE_STEP_LEFT, stack->depth, 0 };
	pop(stack);
	return DMTRACE_OK;
}

enum dmtrace_status
dmtrace_stacks_step(struct dmtrace_stacks *stacks,
    const struct dmtrace_event *event, struct dmtrace_step *step)
{
	struct dmt_stack *stack = get(stacks, event->thread);

	if (stack == NULL)
		return DMTRACE_ERR_MEMORY;
	switch (event->action) {
	case DMTRACE_ENTER:
		return enter(stacks, stack, event->method, step);
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
	const struct dmt_stack *const stack = dmt_stacks_find(stacks, thread);

	return stack == NULL ? 0 : stack->depth;
}

uint64_t
dmtrace_stacks_method(const struct dmtrace_stacks *stacks, uint32_t thread,
    uint32_t depth)
{
	return dmt_stacks_find(stacks, thread)->frames[depth];
}

size_t
dmt_stacks_count(const struct dmtrace_stacks *stacks)
{
	return stacks->count;
}

uint32_t
dmt_stacks_thread(const struct dmtrace_stacks *stacks, size_t index)
{
	return stacks->items[index]->thread;
}
