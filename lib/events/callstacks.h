/* callstacks.h - the open calls of each thread: the call-stack engine */
#ifndef DMT_EVENTS_CALLSTACKS_H
#define DMT_EVENTS_CALLSTACKS_H

#include <dmtrace/event.h>
#include <dmtrace/select.h>
#include <dmtrace/status.h>
#include <stdbool.h>

#include "base/idmap.h"

#define DMT_OPEN_CALLS_MAX 1048576	/* per thread, if no limit is set */

/* What an event does to the open calls. */
enum dmt_step_kind {
	DMT_STEP_ENTERED = 0,		/* a call began */
	DMT_STEP_LEFT = 1,		/* the innermost call ended */
	DMT_STEP_UNWOUND = 2,		/* another call ended, with all calls
					   that it had made */
	DMT_STEP_BEFORE = 3,		/* exit of a method while no call is
					   open */
	DMT_STEP_STRAY = 4,		/* exit of a method that is not open */
	DMT_STEP_IGNORED = 5		/* the reserved action */
};

struct dmt_step {
	enum dmt_step_kind kind;
	uint32_t depth;		/* of the call, 1 for the outermost; 0: no
				   call */
	uint32_t dropped;	/* number of inner calls that UNWOUND ended */
};

/*
 * The beginning of a frame. A user that stores more per call declares a struct
 * with this as its first member, and passes its size to init.
 */
struct dmt_call_frame {
	uint32_t method;		/* index */
};

/* The method of frames that no exit matches: the frame at depth 0, which
 * belongs to no call, and those up to the depth base. */
#define DMT_NO_METHOD UINT32_MAX

/* The open calls of one thread. */
struct dmt_callstack {
	uint8_t *frames;		/* the outermost call is at 1 */
	uint32_t depth;
	uint32_t room;			/* depth that can be reached without
					   growing, at most the limit */
	uint32_t base;			/* calls that were open before the
					   first event and still are */
	size_t capacity;		/* in frames, including the one at 0 */
	bool counted;			/* open is kept up to date */
	struct dmt_idmap open;		/* number of open calls by method,
					   above base */
	uint32_t *before;		/* methods that were exited but not
					   entered, in that order */
	uint32_t before_count;
	size_t before_capacity;
};

/*
 * Follows the calls of a trace, by indexes of threads and methods. An exit
 * ends the innermost call of its method; calls inside that one are ended, too,
 * as by an exception. An exit of a method that is not open changes nothing.
 *
 * A trace begins in the middle of calls, which only their exits show. A user
 * that needs these calls reads the events twice. In the first pass notes is
 * set, and exits while no call is open are stored. After a reset, in the pass
 * without notes, each thread begins with these calls, the last one exited as
 * the outermost. An exit while nothing else is open ends the innermost of
 * them, whatever its method.
 */
struct dmt_callstacks {
	size_t frame_size;
	uint32_t limit;			/* open calls per thread, and stored
					   ones */
	bool notes;			/* store calls that were open before
					   the trace */
	struct dmt_callstack *items;	/* by thread index */
	size_t count;
	size_t capacity;
};

void
dmt_callstacks_init(struct dmt_callstacks *stacks, size_t frame_size);

/* The same, for a stage or sink that pulls from the source: there is a stack
 * for each thread of a batch (tables.h). */
void
dmt_callstacks_attach(struct dmt_callstacks *stacks,
    struct dmtrace_source *source, size_t frame_size);

void
dmt_callstacks_fini(struct dmt_callstacks *stacks);

/* Closes all calls of all threads; the memory of the stacks does not move, and
 * stored calls stay stored. */
void
dmt_callstacks_reset(struct dmt_callstacks *stacks);

/* Makes sure that there are at least that many stacks, unless they are
 * attached. false: no memory. */
bool
dmt_callstacks_reserve(struct dmt_callstacks *stacks, size_t threads);

/*
 * Begins a thread with the calls that were stored; the caller fills their
 * frames, 1 to depth. Makes the frame at depth 0 in any case. false: no
 * memory.
 */
bool
dmt_callstack_begin(const struct dmt_callstacks *stacks,
    struct dmt_callstack *stack);

/* Returns the method of an open call. */
uint32_t
dmt_callstack_method(const struct dmt_callstacks *stacks,
    const struct dmt_callstack *stack, uint32_t depth);

/*
 * Returns the frame at a depth from 1 on; that at 0 belongs to no call and is
 * zero except for its method. Valid until the thread's next step; frames that
 * the last step closed can still be read. A frame is zero before the first call
 * at its depth.
 */
static inline void *
dmt_frame_at(const struct dmt_callstacks *stacks,
    const struct dmt_callstack *stack, uint32_t depth)
{
	return stack->frames + depth * stacks->frame_size;
}

/* The part of dmt_callstack_step for rare events. */
enum dmtrace_status
dmt_callstack_step_slowly(struct dmt_callstacks *stacks,
    struct dmt_callstack *stack, uint32_t method, unsigned action,
    struct dmt_step *step);

/*
 * Applies the next event of the thread. After DMT_STEP_ENTERED the caller
 * fills the rest of the new frame. The frame above the innermost one may be
 * written to at any time, unless the step failed.
 *
 * Enters, and exits of the innermost call, which are nearly all events, are
 * handled without a branch: which of the two comes next is hard to predict,
 * and a misprediction costs twice as much as the rest of the step.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or DMTRACE_ERR_LIMIT; after a failure
 * the stack is unchanged.
 */
static inline enum dmtrace_status
dmt_callstack_step(struct dmt_callstacks *stacks, struct dmt_callstack *stack,
    uint32_t method, unsigned action, struct dmt_step *step)
{
	const uint32_t depth = stack->depth;
	const uint32_t leaves = action != DMTRACE_ENTER;

	if (depth >= stack->room || stack->counted ||
	    action == DMTRACE_RESERVED)
		return dmt_callstack_step_slowly(stacks, stack, method,
		    action, step);
	const struct dmt_call_frame *const innermost =
	    dmt_frame_at(stacks, stack, depth);
	if (((innermost->method ^ method) & (0 - leaves)) != 0)
		return dmt_callstack_step_slowly(stacks, stack, method,
		    action, step);
	struct dmt_call_frame *const above =
	    dmt_frame_at(stacks, stack, depth + 1);
	above->method = method;
	stack->depth = depth + 1 - 2 * leaves;
	step->kind = (enum dmt_step_kind)(DMT_STEP_ENTERED + leaves);
	step->depth = depth + 1 - leaves;
	step->dropped = 0;
	return DMTRACE_OK;
}

/*
 * Sets the error for a step that returned this status. thread is its number in
 * records; offset is that of the event in its file, or 0. Returns the error's
 * status.
 */
enum dmtrace_status
dmt_callstack_fail(const struct dmt_callstacks *stacks,
    const struct dmt_callstack *stack, enum dmtrace_status status,
    uint32_t thread, uint64_t offset, struct dmtrace_error *error);

#endif
