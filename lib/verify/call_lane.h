/* call_lane.h - the calls of one thread, as they go by */
#ifndef DMT_VERIFY_CALL_LANE_H
#define DMT_VERIFY_CALL_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DMT_MARKS 64

/* A sum over all calls so far, in order. */
struct dmt_call_sum {
	uint64_t low, high;
};

/* A call: depth, and twice the index of its name, and 1 for a return of what
 * was entered before. */
struct dmt_call {
	uint32_t depth;
	uint32_t token;
};

/*
 * Sums after from + step calls, from + 2 * step and so on. As long as it may
 * grow, every other one goes when there is no more room.
 */
struct dmt_call_marks {
	uint64_t from;
	uint64_t step;
	bool grows;
	size_t count;
	struct dmt_call_sum sums[DMT_MARKS];
};

/* Calls that are kept, from one on. */
struct dmt_window {
	uint64_t from;
	size_t count;
	size_t room;
	struct dmt_call *calls;
	uint32_t *callers;		/* tokens that the first one lies in */
	uint32_t caller_count;
};

struct dmt_call_lane {
	uint32_t number;
	uint32_t name;			/* index */
	bool active;			/* looked at, this time */
	uint64_t calls;
	uint64_t next_mark;
	struct dmt_call_sum sum;
	struct dmt_call_marks *marks;	/* NULL: there was no need yet */
	struct dmt_window *window;	/* NULL: none is kept */
};

/* Before a trace is gone through, once more or for the first time. */
void
dmt_call_lane_begin(struct dmt_call_lane *lane);

/* seed is another one in each process. false: no memory. */
bool
dmt_call_lane_take(struct dmt_call_lane *lane, struct dmt_call call,
    uint64_t seed);

void
dmt_call_lane_fini(struct dmt_call_lane *lane);

/*
 * After how many calls the two lanes were last seen to be the same; *within
 * is how many calls further they are not any more.
 */
uint64_t
dmt_call_lanes_part(const struct dmt_call_lane *a,
    const struct dmt_call_lane *b, uint64_t *within);

/* Looks closer, at as many calls from there on. */
void
dmt_call_lane_refine(struct dmt_call_lane *lane, uint64_t from,
    uint64_t within);

/* Keeps calls from there on. false: no memory. */
bool
dmt_call_lane_keep(struct dmt_call_lane *lane, uint64_t from, size_t room);

#endif
