/* again.c - calls that an exit without entry makes recursive, later on */

#include "profile/again.h"

#define BATCH 256		/* events */

/*
 * Exits without entry are counted from 1 in each thread. A method is around
 * what comes before the last of its own, so its calls there are recursive, and
 * those by them are calls by a recursive one; the first time they were counted
 * by the frames that were known then, and that is made good now.
 *
 * In the frames of a thread, edge is what the first time made it, and node
 * tells whether the call is recursive in truth.
 */
static bool
is_around(const struct dmt_thread *thread, uint32_t method)
{
	const uint32_t *last = dmt_idmap_find(&thread->around, method);

	return last != NULL && *last > thread->before;
}

bool
dmt_again_note(struct dmt_thread *thread, uint32_t method)
{
	uint32_t *last = dmt_idmap_find(&thread->around, method);

	thread->around_end = (uint32_t)thread->before + 1;
	if (last == NULL)
		return dmt_idmap_add(&thread->around, method,
		    thread->around_end);
	*last = thread->around_end;
	return true;
}

void
dmt_again_begin(struct dmtrace_profile *profile)
{
	profile->again_left = 0;
	for (size_t i = 0; i < profile->thread_count; i++) {
		struct dmt_thread *thread = profile->threads[i];

		profile->again_left += thread->around_end > 0;
		thread->before = 0;
		thread->top->node = 0;
		for (int clock = 0; clock < DMT_CLOCKS; clock++) {
			thread->last[clock] = thread->first[clock];
			thread->outside[clock] = 0;
			thread->overhead[clock] = 0;
		}
	}
}

/* The first time, from was counted; it is to. */
static bool
move_edge(struct dmtrace_profile *profile, struct dmt_edges *edges,
    uint64_t from, uint64_t to, const struct dmt_edge *amount)
{
	const struct dmt_edge less = {
		.calls = -amount->calls,
		.inclusive = { -amount->inclusive[0], -amount->inclusive[1] }
	};

	if (from == to || (dmt_edges_add(edges, from, &less) &&
	    dmt_edges_add(edges, to, amount)))
		return true;
	return dmt_profile_no_memory(profile);
}

/* One call was counted as an outer one. */
static void
move_call(const struct dmt_thread *thread, uint32_t method,
    const struct dmt_edge *call)
{
	struct dmt_cell *cell = &thread->table->cells[method];

	cell->calls[0]--;
	cell->calls[1]++;
	for (int clock = 0; clock < DMT_CLOCKS; clock++)
		cell->inclusive[clock] -= call->inclusive[clock];
}

static void
move_time(const struct dmt_thread *thread, uint32_t method, int clock,
    uint64_t time)
{
	uint64_t *exclusive =
	    thread->table->cells[method].exclusive[clock];

	exclusive[0] -= time;
	exclusive[1] += time;
}

static void
charge(struct dmt_thread *thread, const uint64_t now[DMT_CLOCKS])
{
	const struct dmt_profile_frame *top = thread->top;

	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		const uint64_t took = now[clock] - thread->last[clock];

		thread->last[clock] = now[clock];
		if (top == thread->frames)
			thread->outside[clock] += took;
		else if (top->node != (top->edge & 1))
			move_time(thread, dmt_edge_callee(top->edge), clock,
			    took);
	}
}

/* Calls from the top wait for the exit without entry that they lie in. The bit
 * of the caller tells what the callee was counted as. */
static bool
note_from_top(struct dmtrace_profile *profile, struct dmt_thread *thread,
    uint32_t method, uint32_t counted, uint32_t recursive,
    const struct dmt_edge *call)
{
	const uint64_t key = dmt_edge_key(DMTRACE_PROFILE_TOP, method,
	    counted, recursive);

	if (!(profile->keep & DMTRACE_PROFILE_EDGES))
		return true;
	return (dmt_edges_init(&thread->from_top) &&
	    dmt_edges_add(&thread->from_top, key, call)) ||
	    dmt_profile_no_memory(profile);
}

/* They were counted as calls by an outer call of caller. */
static bool
move_from_top(struct dmtrace_profile *profile, struct dmt_thread *thread,
    uint32_t caller, uint32_t recursive)
{
	struct dmt_edges *from_top = &thread->from_top;
	bool fine = true;

	for (size_t i = 0; i < from_top->capacity && fine; i++) {
		const struct dmt_edge *calls = &from_top->items[i];
		const uint32_t callee = dmt_edge_callee(calls->key);

		fine = calls->calls == 0 || move_edge(profile,
		    &thread->table->edges, dmt_edge_key(caller, callee, 0,
		    calls->key >> 1 & 1), dmt_edge_key(caller, callee,
		    recursive, calls->key & 1), calls);
	}
	dmt_edges_fini(from_top);
	return fine;
}

static void
set_open(struct dmt_thread *thread, uint32_t method, uint64_t is_open)
{
	uint64_t *const word = &thread->open[method / 64];

	*word = (*word & ~(UINT64_C(1) << method % 64)) |
	    is_open << method % 64;
}

static bool
enter(struct dmtrace_profile *profile, struct dmt_thread *thread,
    uint32_t method)
{
	const uint32_t recursive = dmt_thread_has_open(thread, method);

	if (thread->top == thread->frames + thread->room &&
	    !dmt_thread_room(profile, thread))
		return false;
	const struct dmt_profile_frame *caller = thread->top++;
	*thread->top = (struct dmt_profile_frame){
		.start = { thread->last[0], thread->last[1] },
		.edge = dmt_edge_key(dmt_edge_callee(caller->edge), method,
		    (uint32_t)caller->edge & 1, recursive),
		.node = recursive || is_around(thread, method)
	};
	set_open(thread, method, 1);
	return true;
}

static bool
pop(struct dmtrace_profile *profile, struct dmt_thread *thread)
{
	const struct dmt_profile_frame *const frame = thread->top--;
	const uint32_t method = dmt_edge_callee(frame->edge);
	const uint32_t counted = (uint32_t)frame->edge & 1;
	const struct dmt_edge call = {
		.calls = 1, .inclusive = { thread->last[0] - frame->start[0],
		    thread->last[1] - frame->start[1] }
	};

	set_open(thread, method, counted);
	if (frame->node != counted)
		move_call(thread, method, &call);
	if (thread->top == thread->frames)
		return note_from_top(profile, thread, method, counted,
		    frame->node, &call);
	return !(profile->keep & DMTRACE_PROFILE_EDGES) ||
	    move_edge(profile, &thread->table->edges, frame->edge,
	    dmt_edge_key(dmt_edge_caller(frame->edge), method,
	    thread->top->node, frame->node), &call);
}

/* An exit without entry. */
static bool
leave_before(struct dmtrace_profile *profile, struct dmt_thread *thread,
    uint32_t method)
{
	const struct dmt_edge call = {
		.calls = 1, .inclusive = { thread->last[0] - thread->first[0],
		    thread->last[1] - thread->first[1] }
	};

	profile->again_left -= ++thread->before == thread->around_end;
	const uint32_t recursive = is_around(thread, method);
	for (int clock = 0; clock < DMT_CLOCKS; clock++) {
		if (recursive)
			move_time(thread, method, clock,
			    thread->outside[clock]);
		thread->outside[clock] = 0;
	}
	if (recursive)
		move_call(thread, method, &call);
	return move_from_top(profile, thread, method, recursive) &&
	    note_from_top(profile, thread, method, 0, recursive, &call);
}

static bool
leave(struct dmtrace_profile *profile, struct dmt_thread *thread,
    uint32_t method, uint32_t dropped)
{
	bool fine = true;

	if (thread->top == thread->frames)
		return leave_before(profile, thread, method);
	if (!dmt_thread_has_open(thread, method))
		return true;
	for (uint32_t i = 0; i < dropped; i++)
		if (!pop(profile, thread))
			return false;
	while (fine && dmt_edge_callee(thread->top->edge) != method)
		fine = pop(profile, thread);
	return fine && pop(profile, thread);
}

/* What did not come the first time does not count. */
static bool
take(struct dmtrace_profile *profile, const struct dmtrace_event *event)
{
	struct dmt_thread *thread =
	    dmt_thread_find_near(profile, event->thread);
	const uint32_t method = dmt_ids_find(&profile->ids, event->method);
	uint64_t now[DMT_CLOCKS];
	struct dmtrace_step step;

	if (thread == NULL || method == 0 ||
	    thread->before == thread->around_end)
		return true;
	if (!dmt_profile_step(profile, event, &step))
		return false;
	dmt_event_times(event, now);
	if (profile->call_overhead != 0)
		dmt_thread_compensate(profile, thread, now);
	charge(thread, now);
	if (event->action == DMTRACE_RESERVED ||
	    step.kind == DMTRACE_STEP_STRAY)
		return true;
	return event->action == DMTRACE_ENTER ?
	    enter(profile, thread, method) :
	    leave(profile, thread, method, step.dropped);
}

enum dmtrace_status
dmt_again_add(struct dmtrace_profile *profile,
    const struct dmtrace_event *events, size_t count)
{
	for (size_t i = 0; i < count && profile->again_left > 0; i++)
		if (!take(profile, &events[i]))
			break;
	return profile->error.status;
}

enum dmtrace_status
dmt_again_read(struct dmtrace_profile *profile,
    struct dmtrace_reader *reader, size_t *count)
{
	struct dmtrace_event events[BATCH];

	*count = 0;
	if (profile->again_left == 0)
		return DMTRACE_OK;
	const enum dmtrace_status status = dmtrace_reader_read(reader, events,
	    BATCH, count);
	return status != DMTRACE_OK ? status :
	    dmt_again_add(profile, events, *count);
}
