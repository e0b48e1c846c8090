/* lane.h - the events of one thread in a row, with its state in registers */
#ifndef DMT_PROFILE_LANE_H
#define DMT_PROFILE_LANE_H

#include "profile/profile.h"

/*
 * Whether an event enters or leaves cannot be foreseen, so the two take the
 * same steps, with masks in place of branches: a frame is always written
 * above the top, where it does no harm.
 */
struct dmt_profile_lane {
	struct dmt_thread *thread;
	struct dmt_profile_frame *top;
	struct dmt_profile_frame *limit;	/* no call enters above it */
	struct dmt_left *left;		/* the next one */
	struct dmt_left *left_limit;	/* behind the last one */
	struct dmt_cell *cells;
	uint64_t *open;
	uint64_t last[DMT_CLOCKS];
	uint64_t outside[DMT_CLOCKS];	/* less dmt_lane_outside */
	uint64_t enters;
};

/* With the things to keep, in the arguments called keep: the clocks that the
 * loop has. */
enum {
	DMT_KEEP_CPU = 1 << 16,
	DMT_KEEP_WALL = 2 << 16,
	DMT_KEEP_CLOCKS = 3 << 16
};

DMT_INLINE bool
dmt_keeps_clock(unsigned keep, int clock)
{
	return keep & (unsigned)DMT_KEEP_CPU << clock;
}

/* The time that all threads of the lane's table were outside of methods. */
DMT_INLINE uint64_t
dmt_lane_outside(const struct dmt_profile_lane *lane, int clock)
{
	return lane->cells[DMTRACE_PROFILE_TOP].exclusive[clock][0];
}

DMT_INLINE struct dmt_profile_lane
dmt_lane_load(struct dmt_thread *thread, unsigned keep)
{
	struct dmt_profile_lane lane = {
		.thread = thread,
		.top = thread->top,
		.limit = thread->frames + thread->room,
		.cells = thread->table->cells,
		.open = thread->open,
		.enters = thread->enters,
	};

	if (keep & DMTRACE_PROFILE_EDGES) {
		lane.left = thread->left + thread->left_count;
		lane.left_limit = thread->left + DMT_LEFT;
	}
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		if (dmt_keeps_clock(keep, clock)) {
			lane.last[clock] = thread->last[clock];
			lane.outside[clock] = thread->outside[clock] -
			    dmt_lane_outside(&lane, clock);
		}
	return lane;
}

DMT_INLINE void
dmt_lane_store(const struct dmt_profile_lane *lane, unsigned keep)
{
	struct dmt_thread *thread = lane->thread;

	thread->top = lane->top;
	if (keep & DMTRACE_PROFILE_EDGES)
		thread->left_count = (size_t)(lane->left - thread->left);
	thread->enters = lane->enters;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		if (dmt_keeps_clock(keep, clock)) {
			thread->last[clock] = lane->last[clock];
			thread->outside[clock] = lane->outside[clock] +
			    dmt_lane_outside(lane, clock);
		}
}

/* The innermost method had the time until now. */
DMT_INLINE void
dmt_lane_charge(struct dmt_profile_lane *lane, unsigned keep,
    const uint64_t now[DMT_CLOCKS], uint64_t took[DMT_CLOCKS])
{
	const struct dmt_profile_frame *top = lane->top;
	const uint64_t edge = top->edge;
	struct dmt_cell *cell = &lane->cells[dmt_edge_callee(edge)];

	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		if (!dmt_keeps_clock(keep, clock))
			continue;
		took[clock] = now[clock] - lane->last[clock];
		lane->last[clock] = now[clock];
		cell->exclusive[clock][edge & 1] += took[clock];
		if ((keep & DMTRACE_PROFILE_TREE) &&
		    lane->thread->nodes.has_clock[clock])
			lane->thread->nodes.times[clock][top->node] +=
			    took[clock];
	}
	if (DMT_UNLIKELY((int64_t)(took[0] | took[1]) < 0))
		dmt_thread_go_back(lane->thread,
		    (struct dmt_took){ { took[0], took[1] } });
}

/* The innermost call, of that edge, is left, if leaves is all ones: it is put
 * down, and its edge looked up later. */
DMT_INLINE void
dmt_lane_put_down(struct dmt_profile_lane *lane, uint64_t edge,
    uint64_t leaves, unsigned keep)
{
	const struct dmt_profile_frame *top = lane->top;

	lane->left->edge = edge;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		if (dmt_keeps_clock(keep, clock))
			lane->left->inclusive[clock] =
			    lane->last[clock] - top->start[clock];
	lane->left += leaves & 1;
}

/* What is kept of single calls. */
DMT_INLINE bool
dmt_lane_keep(struct dmt_profile_lane *lane, struct dmtrace_profile *profile,
    uint32_t method, uint64_t entered, unsigned keep)
{
	const enum dmtrace_profile_clock clock = profile->options.clock;
	struct dmt_nodes *nodes = &lane->thread->nodes;

	if (entered == 0) {
		if (keep & DMTRACE_PROFILE_TREE)
			for (int i = 0; i < DMT_CLOCKS; i++)
				if (dmt_keeps_clock(keep, i))
					lane->thread->calls[i] += dmt_ns_of(
					    lane->last[i] -
					    lane->top->start[i]);
		if (keep & DMTRACE_PROFILE_CALLS)
			dmt_calls_take(&lane->thread->table->calls[method],
			    (int64_t)(lane->last[clock] -
			    lane->top->start[clock]));
		return true;
	}
	if (!(keep & DMTRACE_PROFILE_TREE))
		return true;
	const uint32_t node = dmt_nodes_child(nodes, lane->top->node, method);
	if (node == UINT32_MAX)
		return dmt_profile_no_memory(profile);
	nodes->items[node].calls++;
	lane->top[1].node = node;
	return true;
}

/* A call, the innermost one, of that edge, counts when it is left. leaves is
 * all ones or 0. */
DMT_INLINE void
dmt_lane_count(const struct dmt_profile_lane *lane, uint64_t edge,
    uint64_t leaves, unsigned keep)
{
	const struct dmt_profile_frame *top = lane->top;
	struct dmt_cell *cell = &lane->cells[dmt_edge_callee(edge)];
	const uint64_t recursive = edge & 1;

	cell->calls[recursive] += leaves & 1;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		if (dmt_keeps_clock(keep, clock))
			cell->inclusive[clock] += (lane->last[clock] -
			    top->start[clock]) & leaves & (recursive - 1);
}

/* Marks method as open if it is entered, else as it was before that call.
 * Returns what it was. */
DMT_INLINE uint32_t
dmt_lane_mark(const struct dmt_profile_lane *lane, uint32_t method,
    uint64_t open)
{
	uint64_t *const word = &lane->open[method / 64];
	const uint64_t was_open = *word >> method % 64 & 1;

	*word ^= (was_open ^ open) << method % 64;
	return (uint32_t)was_open;
}

/*
 * Enters method, if entered is 1, or leaves it, the innermost one, if it is
 * 0, at the last time. false: no memory.
 */
DMT_INLINE bool
dmt_lane_move(struct dmt_profile_lane *lane, struct dmtrace_profile *profile,
    uint32_t method, uint64_t entered, unsigned keep)
{
	struct dmt_profile_frame *const top = lane->top;
	const uint64_t edge = top->edge;
	const uint32_t was_open = dmt_lane_mark(lane, method,
	    entered | (edge & 1));

	if (keep & DMTRACE_PROFILE_EDGES)
		dmt_lane_put_down(lane, edge, entered - 1, keep);
	else
		dmt_lane_count(lane, edge, entered - 1, keep);
	if ((keep & (DMTRACE_PROFILE_CALLS | DMTRACE_PROFILE_TREE)) &&
	    !dmt_lane_keep(lane, profile, method, entered, keep))
		return false;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		if (dmt_keeps_clock(keep, clock))
			top[1].start[clock] = lane->last[clock];
	top[1].caller = method;
	top[1].edge = keep & DMTRACE_PROFILE_EDGES ?
	    dmt_edge_key(top->caller, method, edge & 1, was_open) :
	    dmt_edge_key(0, method, 0, was_open);
	lane->top = top + 2 * entered - 1;
	lane->enters += entered;
	return true;
}

DMT_INLINE bool
dmt_lane_leave(struct dmt_profile_lane *lane, struct dmtrace_profile *profile,
    unsigned keep)
{
	return dmt_lane_move(lane, profile,
	    dmt_edge_callee(lane->top->edge), 0, keep);
}

/* false: the profile has the failure. */
DMT_INLINE bool
dmt_lane_take(struct dmt_profile_lane *lane, struct dmtrace_profile *profile,
    uint32_t method, enum dmtrace_action action,
    const uint64_t now[DMT_CLOCKS], unsigned keep)
{
	const uint64_t entered = action == DMTRACE_ENTER;
	uint64_t took[DMT_CLOCKS] = { 0, 0 };
	bool again;

	dmt_lane_charge(lane, keep, now, took);
	while ((lane->top == lane->limit) | (action == DMTRACE_RESERVED) |
	    ((keep & DMTRACE_PROFILE_EDGES) && lane->left == lane->left_limit) |
	    (!entered & (dmt_edge_callee(lane->top->edge) != method))) {
		const struct dmt_took since = { { took[0], took[1] } };

		dmt_lane_store(lane, keep);
		if (!dmt_thread_odd(profile, lane->thread, method, action,
		    since, &again))
			return false;
		*lane = dmt_lane_load(lane->thread, keep);
		if (!again)
			return true;
	}
	return dmt_lane_move(lane, profile, method, entered, keep);
}

#endif
