/* stack.h - the threads that call stacks were made for */
#ifndef DMT_EVENTS_STACK_H
#define DMT_EVENTS_STACK_H

#include <dmtrace/stack.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/idmap.h"

/* Below the outermost frame; no method's id is odd. */
#define DMT_NO_METHOD UINT64_MAX

/*
 * The frames that one thread has open, the outermost first. From the first
 * exit that does not match the innermost frame on, open tells how often each
 * method is among them: else stray exits would search a deep stack again and
 * again.
 */
struct dmt_stack {
	uint64_t *frames;		/* from 1 on; 0 is DMT_NO_METHOD */
	uint32_t depth;
	uint32_t room;			/* depth that needs no more memory */
	uint32_t thread;
	bool counted;
	struct dmt_idmap open;
	size_t capacity;		/* of frames, with the first */
};

/*
 * For loops that keep up with memory: an enter or exit by the method word of
 * its record, at a depth below limit, which are most of them. false: it is
 * for dmtrace_stacks_step, and nothing was done. By masks, since enter or
 * leave cannot be guessed; a frame is always stored, above the innermost one
 * if none is entered.
 */
static inline bool
dmt_stack_take(struct dmt_stack *stack, uint64_t word, uint32_t limit)
{
	const uint64_t leaves = 0 - (uint64_t)((word & 3) != 0);
	const uint64_t reserved = word & word >> 1 & 1;
	const uint32_t depth = stack->depth;
	const uint64_t differs =
	    (stack->frames[depth] ^ (word & ~UINT64_C(3))) & leaves;
	const bool full = (depth >= limit) & (leaves == 0);

	if ((differs | reserved) != 0 || full || depth >= stack->room ||
	    stack->counted)
		return false;
	stack->frames[depth + 1] = word;
	stack->depth = depth + 1 + 2 * (uint32_t)leaves;
	return true;
}

/* That of a thread; NULL: it never came. Stays where it is. */
struct dmt_stack *
dmt_stacks_find(const struct dmtrace_stacks *stacks, uint32_t thread);

/* Threads that have had an event, in the order of their first ones. */
size_t
dmt_stacks_count(const struct dmtrace_stacks *stacks);

/* The number of one of them. */
uint32_t
dmt_stacks_thread(const struct dmtrace_stacks *stacks, size_t index);

#endif
