/* lane.h - the events of one thread in a row, with its state in registers */
#ifndef DMT_PROFILE_LANE_H
#define DMT_PROFILE_LANE_H

#include "profile/profile.h"

/*
 * Whether an event enters or leaves cannot be foreseen, so the two take the
 * same steps, with masks in place of branches: a frame is always written
 * above the top, where it does no harm.
 */
struct dmt_lane {
	struct dmt_thread *thread;
	struct dmt_frame *bottom;
	struct dmt_frame *top;
	struct dmt_frame *limit;	/* the last one; the top is below */
	struct dmt_cell *cells;
	uint64_t *open;
	uint64_t last[DMT_CLOCKS];
	uint64_t outside[DMT_CLOCKS];
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

DMT_INLINE struct dmt_lane
dmt_lane_load(struct dmt_thread *thread, unsigned keep)
{
	struct dmt_lane lane = {
		.thread = thread,
		.bottom = thread->frames,
		.top = thread->top,
		.limit = thread->frames + thread->capacity - 1,
		.cells = thread->table->cells,
		.open = thread->open,
		.enters = thread->enters,
	};

	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		if (dmt_keeps_clock(keep, clock)) {
			lane.last[clock] = thread->last[clock];
			lane.outside[clock] = thread->outside[clock];
		}
	return lane;
}

DMT_INLINE void
dmt_lane_store(const struct dmt_lane *lane, unsigned keep)
{
	struct dmt_thread *thread = lane->thread;

	thread->top = lane->top;
	thread->enters = lane->enters;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		if (dmt_keeps_clock(keep, clock)) {
			thread->last[clock] = lane->last[clock];
			thread->outside[clock] = lane->outside[clock];
		}
}

/* The innermost method had the time until now. */
DMT_INLINE void
dmt_lane_charge(struct dmt_lane *lane, unsigned keep,
    const uint64_t now[DMT_CLOCKS], uint64_t took[DMT_CLOCKS])
{
	const struct dmt_frame *top = lane->top;
	struct dmt_cell *cell = &lane->cells[top->method];
	const uint64_t is_outside = -(uint64_t)(top == lane->bottom);

	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		if (!dmt_keeps_clock(keep, clock))
			continue;
		took[clock] = now[clock] - lane->last[clock];
		lane->last[clock] = now[clock];
		cell->exclusive[clock][top->recursive] += took[clock];
		lane->outside[clock] += took[clock] & is_outside;
		if (keep & DMTRACE_PROFILE_TREE)
			lane->thread->nodes.items[top->node]
			    .exclusive[clock] += took[clock];
	}
}

/*
 * The edge of the call that is entered or left: looked up at the one, known
 * from the frame at the other.
 */
DMT_INLINE bool
dmt_lane_count_edge(struct dmt_lane *lane, struct dmtrace_profile *profile,
    uint32_t method, uint32_t recursive, uint64_t entered, unsigned keep)
{
	const struct dmt_edges *edges = &lane->thread->table->edges;
	struct dmt_frame *const top = lane->top;
	const struct dmt_frame *from = top - 1 + entered;
	const uint64_t key = dmt_edge_key(from->caller, method,
	    from->recursive, recursive);
	size_t at = (dmt_edge_home(edges, key) & (0 - (size_t)entered)) |
	    (top->edge & ((size_t)entered - 1));

	while (edges->items[at].key != key) {
		if (edges->items[at].key == 0) {
			dmt_lane_store(lane, keep);
			at = dmt_thread_get_edge(profile, lane->thread, key);
			break;
		}
		at = (at + 1) & (edges->capacity - 1);
	}
	if (at == SIZE_MAX)
		return false;
	top[1].edge = (uint32_t)at;
	struct dmt_edge *edge = &edges->items[at];
	edge->calls += entered;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		if (dmt_keeps_clock(keep, clock))
			edge->inclusive[clock] += (lane->last[clock] -
			    top->start[clock]) & (entered - 1);
	return true;
}

/* The next event enters method, or leaves the innermost one: its edge is
 * fetched from afar meanwhile. */
DMT_INLINE void
dmt_lane_expect(const struct dmt_lane *lane, uint32_t method)
{
#if defined(__GNUC__)
	const struct dmt_edges *edges = &lane->thread->table->edges;
	const uint64_t key = dmt_edge_key(lane->top->caller, method,
	    lane->top->recursive, 0);

	__builtin_prefetch(&edges->items[dmt_edge_home(edges, key)], 1);
	__builtin_prefetch(&edges->items[lane->top->edge], 1);
#else
	(void)lane;
	(void)method;
#endif
}

/* What is kept of single calls. */
DMT_INLINE bool
dmt_lane_keep(struct dmt_lane *lane, struct dmtrace_profile *profile,
    uint32_t method, uint64_t entered, unsigned keep)
{
	const enum dmtrace_profile_clock clock = profile->options.clock;
	struct dmt_nodes *nodes = &lane->thread->nodes;

	if (entered == 0) {
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

/*
 * Enters method, if entered is 1, or leaves it, the innermost one, if it is
 * 0, at the last time. false: no memory.
 */
DMT_INLINE bool
dmt_lane_move(struct dmt_lane *lane, struct dmtrace_profile *profile,
    uint32_t method, uint64_t entered, unsigned keep)
{
	struct dmt_frame *const top = lane->top;
	struct dmt_cell *const cell = &lane->cells[method];
	uint64_t *const word = &lane->open[method / 64];
	const uint64_t is_open = *word >> (method % 64) & 1;
	const uint64_t leaves = entered - 1;
	const uint64_t recursive =
	    (is_open & entered) | (top->recursive & leaves);

	cell->calls[recursive] += entered;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		if (dmt_keeps_clock(keep, clock))
			cell->inclusive[clock] += (lane->last[clock] -
			    top->start[clock]) & leaves & (recursive - 1);
	*word = (*word & ~(UINT64_C(1) << method % 64)) |
	    (entered | recursive) << method % 64;
	if ((keep & DMTRACE_PROFILE_EDGES) &&
	    !dmt_lane_count_edge(lane, profile, method, (uint32_t)recursive,
	    entered, keep))
		return false;
	if ((keep & (DMTRACE_PROFILE_CALLS | DMTRACE_PROFILE_TREE)) &&
	    !dmt_lane_keep(lane, profile, method, entered, keep))
		return false;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		if (dmt_keeps_clock(keep, clock))
			top[1].start[clock] = lane->last[clock];
	top[1].method = method;
	top[1].caller = method;
	top[1].recursive = (uint32_t)is_open;
	lane->top = top + 2 * entered - 1;
	lane->enters += entered;
	return true;
}

DMT_INLINE bool
dmt_lane_leave(struct dmt_lane *lane, struct dmtrace_profile *profile,
    unsigned keep)
{
	return dmt_lane_move(lane, profile, lane->top->method, 0, keep);
}

/* false: the profile has the failure. */
DMT_INLINE bool
dmt_lane_take(struct dmt_lane *lane, struct dmtrace_profile *profile,
    uint32_t method, enum dmtrace_action action,
    const uint64_t now[DMT_CLOCKS], unsigned keep)
{
	const uint64_t entered = action == DMTRACE_ENTER;
	uint64_t took[DMT_CLOCKS] = { 0, 0 };
	bool again;

	dmt_lane_charge(lane, keep, now, took);
	while (lane->top == lane->limit || action == DMTRACE_RESERVED ||
	    (!entered & (lane->top->method != method))) {
		dmt_lane_store(lane, keep);
		if (!dmt_thread_odd(profile, lane->thread, method, action,
		    took, &again))
			return false;
		*lane = dmt_lane_load(lane->thread, keep);
		if (!again)
			return true;
	}
	return dmt_lane_move(lane, profile, method, entered, keep);
}

#endif
