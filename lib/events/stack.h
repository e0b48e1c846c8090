/* stack.h - the threads that call stacks were made for */
#ifndef DMT_EVENTS_STACK_H
#define DMT_EVENTS_STACK_H

#include <dmtrace/stack.h>
#include <stddef.h>

/* Threads that have had an event, in the order of their first ones. */
size_t
dmt_stacks_count(const struct dmtrace_stacks *stacks);

/* The number of one of them. */
uint32_t
dmt_stacks_thread(const struct dmtrace_stacks *stacks, size_t index);

#endif
