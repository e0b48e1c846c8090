/* thread_calls.h - the calls of one thread: sums over them, and a window */
#ifndef DMT_VERIFY_THREAD_CALLS_H
#define DMT_VERIFY_THREAD_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DMT_CHECKPOINTS 64

/* A sum over all calls so far, which depends on their order. */
struct dmt_call_sum {
	uint64_t low, high;
};

/* A call: its depth, and twice the index of its name, plus 1 if it is the exit
 * of a call that was entered before the trace. */
struct dmt_call {
	uint32_t depth;
	uint32_t token;
};

/*
 * Sums after from + stride calls, from + 2 * stride and so on. If it may grow
 * and is full, every other one is dropped, and the stride doubles.
 */
struct dmt_checkpoints {
	uint64_t from;
	uint64_t stride;
	bool grows;
	size_t count;
	struct dmt_call_sum sums[DMT_CHECKPOINTS];
};

/* The calls that are kept, from call number from on. */
struct dmt_call_window {
	uint64_t from;
	size_t count;
	size_t room;
	struct dmt_call *calls;
	uint32_t *callers;		/* tokens of the calls that were open
					   at the first one */
	uint32_t caller_count;
};

struct dmt_thread_calls {
	uint32_t number;		/* in the records */
	uint32_t name;			/* index of the thread's name */
	bool active;			/* this pass needs its calls */
	uint64_t calls;
	uint64_t next_checkpoint;
	struct dmt_call_sum sum;
	struct dmt_checkpoints *checkpoints;	/* NULL: none so far */
	struct dmt_call_window *window;	/* NULL: none is kept */
};

/* Prepares a thread for a pass over the trace. */
void
dmt_thread_calls_begin(struct dmt_thread_calls *thread);

/* Adds a call. seed is different in each process. false: no memory. */
bool
dmt_thread_calls_add(struct dmt_thread_calls *thread, struct dmt_call call,
    uint64_t seed);

void
dmt_thread_calls_fini(struct dmt_thread_calls *thread);

/* Returns the number of calls after which two threads still had the same sum.
 * They differ at most *within calls later. */
uint64_t
dmt_thread_calls_part(const struct dmt_thread_calls *a,
    const struct dmt_thread_calls *b, uint64_t *within);

/* In the next pass, checkpoints are kept for the within calls after from. */
void
dmt_thread_calls_refine(struct dmt_thread_calls *thread, uint64_t from,
    uint64_t within);

/* In the next pass, up to room calls after from are kept. false: no memory. */
bool
dmt_thread_calls_keep(struct dmt_thread_calls *thread, uint64_t from,
    size_t room);

#endif
