/* id_stacks.h - call stacks by thread numbers and method ids, for tests */

#ifndef ID_STACKS_H
#define ID_STACKS_H

#include <dmtrace.h>
#include <stdlib.h>

#include "events/callstacks.h"
#include "events/indexes.h"
#include "private/key.h"

struct id_stacks {
	struct dmtrace_key *key;	/* empty */
	struct dmt_indexes indexes;
	struct dmt_callstacks stacks;
};

static inline struct id_stacks *
id_stacks_new(void)
{
	struct id_stacks *const stacks = calloc(1, sizeof(*stacks));

	stacks->key = dmt_key_new();
	dmt_indexes_init(&stacks->indexes, stacks->key,
	    dmt_layout_find(3, DMTRACE_CLOCK_DUAL));
	dmt_callstacks_init(&stacks->stacks, sizeof(struct dmt_call_frame));
	return stacks;
}

static inline void
id_stacks_free(struct id_stacks *stacks)
{
	dmt_callstacks_fini(&stacks->stacks);
	dmt_indexes_fini(&stacks->indexes);
	dmt_key_free(stacks->key);
	free(stacks);
}

static inline struct dmt_callstack *
id_stack_of(const struct id_stacks *stacks, uint32_t thread)
{
	struct id_stacks *const own = (struct id_stacks *)(uintptr_t)stacks;
	const uint32_t index = dmt_thread_index(&own->indexes, thread);

	dmt_callstacks_reserve(&own->stacks, own->indexes.thread_count);
	return &own->stacks.items[index];
}

static inline enum dmtrace_status
id_stacks_step(struct id_stacks *stacks, const struct dmtrace_event *event,
    struct dmt_step *step)
{
	struct dmt_callstack *const stack =
	    id_stack_of(stacks, event->thread);

	return dmt_callstack_step(&stacks->stacks, stack,
	    dmt_method_index(&stacks->indexes, event->method), event->action,
	    step);
}

static inline uint32_t
id_stacks_depth(const struct id_stacks *stacks, uint32_t thread)
{
	return id_stack_of(stacks, thread)->depth;
}

/* The open calls of all threads. */
static inline uint64_t
id_stacks_open_count(const struct id_stacks *stacks)
{
	uint64_t count = 0;

	for (size_t i = 0; i < stacks->stacks.count; i++)
		count += stacks->stacks.items[i].depth;
	return count;
}

/* Of an open call; the outermost has depth 1. */
static inline uint64_t
id_stacks_method(const struct id_stacks *stacks, uint32_t thread,
    uint32_t depth)
{
	const struct dmt_call_frame *const frame = dmt_frame_at(
	    &stacks->stacks, id_stack_of(stacks, thread), depth);

	return stacks->indexes.methods[frame->method].id;
}

#endif
