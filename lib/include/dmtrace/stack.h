/* dmtrace/stack.h - the call stacks that a sequence of events describes */
#ifndef DMTRACE_STACK_H
#define DMTRACE_STACK_H

#include <dmtrace/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One stack per thread, for events in the order of the file. It stands what
 * real traces hold: exits of frames that were entered before the trace
 * began, frames that an exit leaves out, exits of methods that are not open.
 * Used by one thread at a time.
 */
struct dmtrace_stacks;

enum dmtrace_step_kind {
	DMTRACE_STEP_ENTERED = 0,	/* a frame was opened */
	DMTRACE_STEP_LEFT = 1,		/* the innermost frame was closed */
	DMTRACE_STEP_UNWOUND = 2,	/* as LEFT, after frames above it */
	DMTRACE_STEP_BEFORE = 3,	/* an exit with nothing open */
	DMTRACE_STEP_STRAY = 4,		/* an exit of a method not open */
	DMTRACE_STEP_IGNORED = 5	/* the reserved action */
};

struct dmtrace_step {
	enum dmtrace_step_kind kind;
	uint32_t depth;		/* of the frame, the outermost is 1; 0: none */
	uint32_t dropped;	/* frames above it that UNWOUND closed */
};

/* Without any frame. NULL: no memory. */
DMTRACE_API struct dmtrace_stacks *
dmtrace_stacks_new(void);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_stacks_free(struct dmtrace_stacks *stacks);

/* The most frames that a thread may have open, in place of the default of
 * DMTRACE_LIMIT_DEPTH. */
DMTRACE_API void
dmtrace_stacks_set_limit(struct dmtrace_stacks *stacks, uint32_t depth);

/*
 * Takes the next event. On failure the stacks are as they were. Frames are
 * those of the events' own thread numbers.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT  the thread has as many open frames as the limit
 */
DMTRACE_API enum dmtrace_status
dmtrace_stacks_step(struct dmtrace_stacks *stacks,
    const struct dmtrace_event *event, struct dmtrace_step *step);

/* Frames that a thread has open; 0 for one that never came. */
DMTRACE_API uint32_t
dmtrace_stacks_depth(const struct dmtrace_stacks *stacks, uint32_t thread);

/* The method of an open frame; depth is 1 to dmtrace_stacks_depth. Frames that
 * the last step of the thread has closed can still be asked for. */
DMTRACE_API uint64_t
dmtrace_stacks_method(const struct dmtrace_stacks *stacks, uint32_t thread,
    uint32_t depth);

#ifdef __cplusplus
}
#endif

#endif
