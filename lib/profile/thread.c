/* thread.c - what is seldom among the events of a thread */

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "profile/again.h"
#include "profile/lane.h"

static bool
note_top(struct dmt_thread *thread, uint64_t key)
{
	uint64_t *tops = dmt_array_grow(thread->tops, &thread->tops_capacity,
	    thread->tops_count + 1, sizeof(*tops));

	if (tops == NULL)
		return false;
	thread->tops = tops;
	tops[thread->tops_count++] = key;
	return true;
}

/* The place of an edge, which is added if need be; SIZE_MAX: no memory. */
static size_t
get_edge(struct dmtrace_profile *profile,
    struct dmt_thread *thread, uint64_t key)
{
	struct dmt_edges *edges = &thread->table->edges;
	const size_t edge = dmt_edges_get(edges, key);

	if (edge == SIZE_MAX || (edges->items[edge].calls == 0 &&
	    dmt_edge_caller(key) >= DMT_CALLER_TOP &&
	    !note_top(thread, key))) {
		dmt_profile_no_memory(profile);
		return SIZE_MAX;
	}
	return edge;
}

/* A call counts for its method, too. */
static void
count_call(struct dmt_cell *cells, const struct dmt_left *left)
{
	struct dmt_cell *cell = &cells[dmt_edge_callee(left->edge)];
	const uint64_t recursive = left->edge & 1;

	cell->calls[recursive]++;
	cell->inclusive[0] += left->inclusive[0] & (recursive - 1);
	cell->inclusive[1] += left->inclusive[1] & (recursive - 1);
}

/* Adds the calls that were left to their edges. All of them are asked for
 * first: no search waits for the one before to come from memory. */
static bool
count_left(struct dmtrace_profile *profile, struct dmt_thread *thread)
{
	const struct dmt_edges *edges = &thread->table->edges;
	size_t homes[DMT_LEFT];

	for (size_t i = 0; i < thread->left_count; i++) {
		homes[i] = dmt_edge_home(edges, thread->left[i].edge);
		DMT_FETCH(&edges->items[homes[i]]);
	}
	for (size_t i = 0; i < thread->left_count; i++) {
		const struct dmt_left *left = &thread->left[i];
		size_t at = dmt_edges_guess(edges, homes[i], left->edge);

		if (edges->items[at].key != left->edge &&
		    (at = get_edge(profile, thread, left->edge)) == SIZE_MAX)
			return false;
		edges->items[at].calls++;
		for (int clock = 0; clock < DMT_CLOCKS; clock++) {
			edges->items[at].inclusive[clock] +=
			    left->inclusive[clock];
			thread->calls[clock] +=
			    dmt_ns_of(left->inclusive[clock]);
		}
		count_call(thread->table->cells, left);
	}
	thread->left_count = 0;
	return true;
}

bool
dmt_thread_move_tops(struct dmtrace_profile *profile,
    struct dmt_thread *thread, uint32_t caller)
{
	struct dmt_edges *edges = &thread->table->edges;

	if (!count_left(profile, thread))
		return false;
	for (size_t i = 0; i < thread->tops_count; i++) {
		const uint64_t key = thread->tops[i];
		struct dmt_edge *edge =
		    &edges->items[dmt_edges_find(edges, key)];
		const struct dmt_edge amount = *edge;

		*edge = (struct dmt_edge){ .key = key };
		if (!dmt_edges_add(edges, (uint64_t)caller << 32 |
		    (uint32_t)key, &amount))
			return dmt_profile_no_memory(profile);
	}
	thread->tops_count = 0;
	return dmt_thread_rename_top(profile, thread);
}

void
dmt_thread_set_room(const struct dmtrace_profile *profile,
    struct dmt_thread *thread)
{
	const size_t room = thread->capacity - 2;

	thread->room = room < profile->options.max_depth ? room :
	    profile->options.max_depth;
}

bool
dmt_thread_room(struct dmtrace_profile *profile, struct dmt_thread *thread)
{
	const size_t depth = (size_t)(thread->top - thread->frames);

	if (depth >= profile->options.max_depth) {
		dmt_error_set(&profile->error, DMTRACE_ERR_LIMIT,
		    "thread %u has %zu open frames, which is the limit",
		    (unsigned)profile->rows[thread->row]->thread.number,
		    depth);
		return false;
	}
	const size_t old = thread->capacity;
	struct dmt_profile_frame *frames = dmt_array_grow(thread->frames,
	    &thread->capacity, depth + 3, sizeof(*frames));
	if (frames == NULL)
		return dmt_profile_no_memory(profile);
	memset(frames + old, 0, (thread->capacity - old) * sizeof(*frames));
	thread->frames = frames;
	thread->top = frames + depth;
	dmt_thread_set_room(profile, thread);
	return true;
}

/* One call of a method that the thread has no frame of. */
static bool
count_before(struct dmtrace_profile *profile, struct dmt_thread *thread,
    uint32_t method, const uint64_t inclusive[DMT_CLOCKS])
{
	struct dmt_cell *cell = &thread->table->cells[method];

	cell->calls[0]++;
	thread->before++;
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		cell->inclusive[clock] += inclusive[clock];
		thread->calls[clock] += dmt_ns_of(inclusive[clock]);
	}
	if (profile->keep & DMTRACE_PROFILE_CALLS)
		dmt_calls_take(&thread->table->calls[method],
		    (int64_t)inclusive[profile->options.clock]);
	if (!(profile->keep & DMTRACE_PROFILE_EDGES))
		return true;
	const uint64_t key = dmt_edge_key(thread->frames->caller, method, 0,
	    0);
	const size_t index = get_edge(profile, thread, key);
	if (index == SIZE_MAX)
		return false;
	struct dmt_edge *edge = &thread->table->edges.items[index];
	edge->calls++;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		edge->inclusive[clock] += inclusive[clock];
	return true;
}

/* Time outside of methods was inside of that one. */
static void
move_outside(struct dmt_thread *thread, uint32_t method,
    struct dmt_took moved)
{
	struct dmt_cell *cells = thread->table->cells;

	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		cells[DMTRACE_PROFILE_TOP].exclusive[clock][0] -=
		    moved.ns[clock];
		cells[method].exclusive[clock][0] += moved.ns[clock];
		thread->outside[clock] -= moved.ns[clock];
	}
}

/* dmtracedump lets it begin at 0, and begin its own time at the last event. */
static bool
leave_as_dmtracedump(struct dmtrace_profile *profile,
    struct dmt_thread *thread, uint32_t method,
    struct dmt_took took)
{
	move_outside(thread, method, took);
	return count_before(profile, thread, method, thread->last);
}

/* An exit with nothing open: the method was entered before the trace. */
static bool
leave_before(struct dmtrace_profile *profile, struct dmt_thread *thread,
    uint32_t method, struct dmt_took took)
{
	const struct dmt_cell *cell = &thread->table->cells[method];
	uint64_t inclusive[DMT_CLOCKS];
	struct dmt_took outside;

	if (profile->keep & DMTRACE_PROFILE_AS_DMTRACEDUMP)
		return leave_as_dmtracedump(profile, thread, method, took);
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		inclusive[clock] = thread->last[clock] - thread->first[clock];
		outside.ns[clock] = thread->outside[clock];
	}
	if (!count_left(profile, thread))
		return false;
	if (cell->calls[0] + cell->calls[1] > 0 &&
	    !dmt_again_note(thread, method))
		return dmt_profile_no_memory(profile);
	move_outside(thread, method, outside);
	if (!dmt_thread_move_tops(profile, thread, method))
		return false;
	if (profile->keep & DMTRACE_PROFILE_TREE) {
		if (thread->before >= profile->options.max_depth) {
			dmt_error_set(&profile->error, DMTRACE_ERR_LIMIT,
			    "thread %u leaves %u frames that it did not"
			    " enter, which is the limit", (unsigned)
			    profile->rows[thread->row]->thread.number,
			    (unsigned)profile->options.max_depth);
			return false;
		}
		if (!dmt_nodes_raise(&thread->nodes, method))
			return dmt_profile_no_memory(profile);
		thread->frames->node = thread->nodes.root;
	}
	return count_before(profile, thread, method, inclusive);
}

void
dmt_thread_go_back(struct dmt_thread *thread, struct dmt_took took)
{
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		if ((int64_t)took.ns[clock] < 0)
			thread->back[clock] += dmt_ns_of(took.ns[clock]);
}

bool
dmt_thread_pop(struct dmtrace_profile *profile, struct dmt_thread *thread)
{
	const unsigned keep = profile->keep | DMT_KEEP_CLOCKS;

	if (thread->left_count == DMT_LEFT && !count_left(profile, thread))
		return false;
	struct dmt_profile_lane lane = dmt_lane_load(thread, keep);
	const bool taken = dmt_lane_leave(&lane, profile, keep);

	dmt_lane_store(&lane, keep);
	return taken;
}

static bool
leave(struct dmtrace_profile *profile, struct dmt_thread *thread,
    uint32_t method, struct dmt_took took)
{
	if (thread->top == thread->frames)
		return leave_before(profile, thread, method, took);
	if (!dmt_thread_has_open(thread, method))
		return true;
	while (dmt_edge_callee(thread->top->edge) != method)
		if (!dmt_thread_pop(profile, thread))
			return false;
	return dmt_thread_pop(profile, thread);
}

bool
dmt_thread_odd(struct dmtrace_profile *profile, struct dmt_thread *thread,
    uint32_t method, enum dmtrace_action action,
    struct dmt_took took, bool *again)
{
	*again = thread->left_count == DMT_LEFT;
	if (*again)
		return count_left(profile, thread);
	if (action == DMTRACE_RESERVED &&
	    !(profile->keep & DMTRACE_PROFILE_AS_DMTRACEDUMP))
		return true;
	if (action != DMTRACE_ENTER)
		return leave(profile, thread, method, took);
	*again = true;
	return dmt_thread_room(profile, thread);
}

bool
dmt_thread_close(struct dmtrace_profile *profile, struct dmt_thread *thread)
{
	while (thread->top != thread->frames)
		if (!dmt_thread_pop(profile, thread))
			return false;
	return true;
}

/* One clock as far as it went on: time does not go back for it. */
void
dmt_thread_compensate(const struct dmtrace_profile *profile,
    struct dmt_thread *thread, uint64_t now[DMT_CLOCKS])
{
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		const uint64_t took = now[clock] - thread->overhead[clock] -
		    thread->last[clock];

		if ((int64_t)took > 0)
			thread->overhead[clock] +=
			    took < profile->call_overhead ? took :
			    profile->call_overhead;
		now[clock] -= thread->overhead[clock];
	}
}
