/* select_stage.c - the stage that drops the events that are not selected */

/*
 * Each condition is judged on the input as it is, independently of the others,
 * and clears one byte per event of the batch if it does not hold; the events
 * whose byte is still set are kept. Conditions on threads and methods are
 * tables by index. Conditions on calls (depth, caller, duration) follow the
 * call stacks of the selected threads: the enter and the exit of a call share
 * its frame, and the frame says if the conditions hold.
 *
 * Two conditions need a first pass over all events. The duration of a call is
 * known at its exit, long after its enter. And a time window must enter the
 * calls that are open at its start, and exit those that are open at its end:
 * the first pass records the open frames when the time of a thread passes an
 * edge of the window. They become events before and after all others, in the
 * order of thread numbers. The first pass stores its result for threads, calls
 * and the window as one bit per event, so that the second pass neither decodes
 * times nor follows calls; conditions on methods are judged in the second one.
 *
 * Windows are on the wall clock. If the records have CPU time too, that of an
 * edge is interpolated between the events of the thread before and after the
 * edge; the latter is the one with which the thread passes it. A thread that
 * never passes it, because its last event is earlier, may have used the CPU
 * until the edge or not: its events at the edge have the last known CPU time
 * and the flag that says so.
 */

#include <dmtrace/select.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/inline.h"
#include "events/callstacks.h"
#include "events/inserts.h"
#include "events/pipeline.h"
#include "events/select.h"
#include "events/tables.h"
#include "format/layout.h"

/* An open call, with what the conditions on calls need. */
struct select_frame {
	struct dmt_call_frame frame;
	bool under;			/* it is the method of UNDER, or inside
					   a call of it */
	bool holds;			/* the conditions on depth and caller
					   hold */
	bool stays;			/* for durations: the enter is kept if
					   the call lasts; which event the
					   enter was, */
	uint64_t entered;
	uint64_t entered_ns;
	size_t cuts[2];			/* 1 + its position in each list of cut
					   calls; 0: none */
};

/* Where the latest time of a thread is. A time that goes back does not change
 * the phase, so that a call is either in the window or not. */
enum phase {
	BEFORE_WINDOW, IN_WINDOW, AFTER_WINDOW
};

struct select_thread {
	uint64_t edge_ns;		/* the time at which the phase ends */
	enum phase phase;		/* always IN_WINDOW if there is no
					   window */
	bool wanted;
	uint64_t latest_ns;		/* for durations: the latest time of
					   its events */
	uint64_t cpu_ns;		/* for the CPU time at an edge: the */
	uint64_t wall_ns;		/* times of its last event */
};

/* A call that is open at an edge of the window: the window cuts it. */
struct cut_call {
	uint32_t thread;		/* indexes */
	uint32_t method;
	uint32_t number;		/* number in records */
	uint32_t rank;			/* position in the thread's order of
					   enters or exits */
	bool lasts;			/* its duration is selected */
	uint64_t cpu_ns;		/* of its thread at the edge, or of the
					   last event before it: */
	bool no_cpu;			/* there is no event after the edge */
};

/* The edges of a window. */
enum edge {
	OPENED, CLOSED
};

struct cut_calls {
	struct cut_call *items;
	size_t count;
	size_t capacity;
	struct cut_call spare;
};

struct select_stage {
	struct dmtrace_source source;
	struct dmt_selection *asked;
	struct dmt_selection *own;	/* the selection to free, if any */
	unsigned wanted;		/* columns that the stage above asked
					   for */
	bool by_method;			/* there are conditions on methods */
	bool by_call;			/* on calls: depth, caller, duration */
	bool by_caller;			/* on callers */
	bool by_time;			/* on durations */
	bool cuts;			/* a window that cuts calls */
	bool cuts_cpu;			/* and records have two clocks */
	bool looks_ahead;		/* durations, or a window that cuts:
					   two passes */
	bool learned;			/* the first pass is done */
	struct select_thread *threads;	/* by thread index */
	uint8_t *methods;		/* by method index: bits of
					   DMT_METHOD_... */
	struct dmt_callstacks stacks;
	uint32_t first_depth;
	uint32_t last_depth;
	uint64_t reach_ns;		/* the latest time in any thread */
	uint64_t judged;		/* events of this pass so far */
	uint8_t *staying;		/* a bit per event: kept by the first
					   pass */
	size_t staying_len;		/* in bytes */
	struct cut_calls edges[2];
	struct dmt_inserts inserts[2];	/* the events made from cut calls */
	struct dmt_batch *added;	/* the next of them */
	bool no_memory;
	uint8_t holds[DMT_BATCH_EVENTS + 7];	/* by position in keep */
};

static enum dmtrace_status
fail_select_memory(struct select_stage *stage)
{
	return dmt_error_memory(&stage->source.error);
}

/* Asks for the columns that the next pass needs, and those that the stage
 * above asked for. */
static void
want_select_columns(struct dmtrace_source *source, unsigned columns)
{
	struct select_stage *const stage = (struct select_stage *)source;
	const struct dmt_selection *const asked = stage->asked;
	const bool learns = !stage->learned;
	unsigned own = 0;

	stage->wanted = columns;
	if (learns || !stage->looks_ahead)
		own |= DMT_COLUMN_THREAD;
	if (stage->by_method)
		own |= DMT_COLUMN_METHOD;
	if (learns || (stage->by_call && !stage->looks_ahead))
		own |= DMT_COLUMN_METHOD | DMT_COLUMN_ACTION;
	if (learns || (asked->windowed && asked->raw))
		own |= dmt_clock_column(source);
	if (learns && stage->cuts_cpu)
		own |= DMT_COLUMN_CPU;
	/* Findings in a column are reported in the first pass, or never. */
	dmt_want(source->from, learns ? own | (columns & (DMT_COLUMN_ACTION |
	    DMT_COLUMN_CPU | DMT_COLUMN_WALL)) : own | columns);
}

/* The state of a thread before its first event. */
static struct select_thread
new_thread(const struct select_stage *stage, bool wanted)
{
	return (struct select_thread){
		.edge_ns = stage->cuts ? stage->asked->from_ns : UINT64_MAX,
		.phase = stage->cuts ? BEFORE_WINDOW : IN_WINDOW,
		.wanted = wanted,
	};
}

static bool
see_thread(void *owner, uint32_t index, void *thread)
{
	const struct select_stage *const stage = owner;
	struct dmt_selection *const asked = stage->asked;
	const uint32_t number = stage->source.indexes->threads[index].number;

	if (number < asked->numbers)
		asked->seen[number] = 1;
	*(struct select_thread *)thread = new_thread(stage,
	    asked->kinds[DMT_SELECT_THREAD] == 0 ||
	    dmt_selection_has_thread(asked, number));
	return true;
}

static bool
see_method(void *owner, uint32_t index, void *bits)
{
	const struct select_stage *const stage = owner;

	return dmt_selection_see_method(stage->asked, stage->source.indexes,
	    index, bits);
}

static bool
method_wanted(const struct select_stage *stage, uint32_t method)
{
	const unsigned bits = stage->methods[method];

	return (stage->asked->kinds[DMT_SELECT_METHOD] == 0 ||
	    (bits & DMT_METHOD_WANTED)) && !(bits & DMT_METHOD_HIDDEN);
}

/* Reports that a call of the thread could not be entered. */
static enum dmtrace_status
fail_step(struct select_stage *stage, uint32_t thread,
    enum dmtrace_status status)
{
	return dmt_callstack_fail(&stage->stacks,
	    &stage->stacks.items[thread], status,
	    stage->source.indexes->threads[thread].number, 0,
	    &stage->source.error);
}

/*
 * Applies an event to its thread's call stack. Returns the frame of the call
 * that it enters or exits; the frame at depth 0, for which no condition holds,
 * if it does neither; NULL on failure. The frame above the innermost one is
 * filled in any case, as a branch on whether a call is entered would be
 * mispredicted.
 */
DMT_INLINE struct select_frame *
step_event(struct select_stage *stage, const struct dmt_batch *batch,
    size_t at, struct dmt_step *step)
{
	const uint32_t thread = batch->thread[at], method = batch->method[at];
	struct dmt_callstack *const stack = &stage->stacks.items[thread];
	const uint32_t depth = stack->depth + 1;
	const enum dmtrace_status status = dmt_callstack_step(&stage->stacks,
	    stack, method, batch->action[at], step);

	if (status != DMTRACE_OK) {
		fail_step(stage, thread, status);
		return NULL;
	}
	struct select_frame *const frame =
	    dmt_frame_at(&stage->stacks, stack, step->depth);
	struct select_frame *const above =
	    dmt_frame_at(&stage->stacks, stack, depth);
	above->under = !stage->by_caller | above[-1].under |
	    ((stage->methods[method] & DMT_METHOD_UNDER) != 0);
	above->holds = above->under & (depth >= stage->first_depth) &
	    (depth <= stage->last_depth);
	return frame;
}

/* Judging events. */

static void
judge_threads(struct select_stage *stage, const struct dmt_batch *batch)
{
	const struct select_thread *const threads = stage->threads;

	if (stage->asked->kinds[DMT_SELECT_THREAD] == 0) {
		memset(stage->holds, 1, batch->kept);
		return;
	}
	const size_t count = batch->kept;
	DMT_UNROLL
	for (size_t i = 0; i < count; i++)
		stage->holds[i] =
		    threads[batch->thread[batch->keep[i]]].wanted;
}

static enum dmtrace_status
judge_calls(struct select_stage *stage, const struct dmt_batch *batch)
{
	for (size_t i = 0; i < batch->kept; i++) {
		const struct select_frame *frame;
		struct dmt_step step;

		if (!stage->holds[i])
			continue;
		frame = step_event(stage, batch, batch->keep[i], &step);
		if (frame == NULL)
			return stage->source.error.status;
		stage->holds[i] = frame->holds;
	}
	return DMTRACE_OK;
}

/* Judges each event by its own time only. */
static void
judge_raw_window(struct select_stage *stage, const struct dmt_batch *batch)
{
	const uint64_t *const times =
	    dmt_clock_times(&stage->source, batch);
	const uint64_t from_ns = stage->asked->from_ns;
	const uint64_t len_ns = stage->asked->to_ns - from_ns;

	for (size_t i = 0; i < batch->kept; i++)
		stage->holds[i] &= times[batch->keep[i]] - from_ns < len_ns;
}

/* Drops the events whose method lacks the bit. DMT_METHOD_HIDDEN is the
 * opposite: it drops events whose method has it, and --invert does not reverse
 * it. */
static void
judge_methods(struct select_stage *stage, const struct dmt_batch *batch,
    unsigned bit)
{
	const bool hides = bit == DMT_METHOD_HIDDEN;
	const uint8_t *const methods = stage->methods;

	const size_t count = batch->kept;
	DMT_UNROLL
	for (size_t i = 0; i < count; i++)
		stage->holds[i] &= hides !=
		    ((methods[batch->method[batch->keep[i]]] & bit) != 0);
}

/* The first pass. */

/* Rounds the time of an edge up to whole microseconds, the unit of records. */
static uint64_t
edge_time(uint64_t edge_ns)
{
	const uint64_t rest = edge_ns % 1000;

	return rest == 0 || edge_ns > UINT64_MAX - 1000 ? edge_ns - rest :
	    edge_ns - rest + 1000;
}

uint64_t
dmt_interpolate_cpu(const struct dmt_event_times *last,
    const struct dmt_event_times *next, uint64_t edge_ns)
{
	const uint64_t wall_ns = next->wall_ns - last->wall_ns;
	const uint64_t cpu_ns = next->cpu_ns - last->cpu_ns;
	const uint64_t part_ns = edge_ns < next->wall_ns ?
	    edge_ns - last->wall_ns : wall_ns;

	if (next->cpu_ns < last->cpu_ns)
		return last->cpu_ns;
	const uint64_t passed_ns = cpu_ns >= wall_ns ? part_ns :
	    (uint64_t)((double)cpu_ns * (double)part_ns / (double)wall_ns +
	    0.5);
	return last->cpu_ns + passed_ns - passed_ns % 1000;
}

/* next is the event with which the thread passes the edge; NULL: none. */
static void
note_cut_calls(struct select_stage *stage, enum edge edge, uint32_t thread,
    const struct dmt_event_times *next)
{
	const struct select_thread *const last = &stage->threads[thread];
	const bool no_cpu = stage->cuts_cpu && next == NULL;
	const uint64_t cpu_ns = no_cpu || !stage->cuts_cpu ? last->cpu_ns :
	    dmt_interpolate_cpu(&(struct dmt_event_times){ last->wall_ns,
	    last->cpu_ns }, next, edge_time(edge == OPENED ?
	    stage->asked->from_ns : stage->asked->to_ns));
	const struct dmt_callstack *const stack =
	    &stage->stacks.items[thread];
	struct cut_calls *const cuts = &stage->edges[edge];

	for (uint32_t depth = 1; depth <= stack->depth; depth++) {
		struct select_frame *const frame =
		    dmt_frame_at(&stage->stacks, stack, depth);

		if ((stage->by_call && !frame->holds) ||
		    !method_wanted(stage, frame->frame.method))
			continue;
		*dmt_push(cuts, &stage->no_memory) = (struct cut_call){
			.thread = thread,
			.method = frame->frame.method,
			.number =
			    stage->source.indexes->threads[thread].number,
			.rank = edge == OPENED ? depth : stack->depth - depth,
			.lasts = !stage->by_time,
			.cpu_ns = cpu_ns,
			.no_cpu = no_cpu,
		};
		frame->cuts[edge] = cuts->count;
	}
}

/* The time of a thread reaches time_ns, which is at or after the next edge,
 * while its calls are as they were before the event, next, or after its last
 * one: NULL. */
static void
pass_edges(struct select_stage *stage, uint32_t index, uint64_t time_ns,
    const struct dmt_event_times *next)
{
	struct select_thread *const thread = &stage->threads[index];
	const bool after = time_ns >= stage->asked->to_ns;

	if (thread->phase == AFTER_WINDOW)	/* there is no edge after the
						   window */
		return;
	if (thread->phase == BEFORE_WINDOW)
		note_cut_calls(stage, OPENED, index, next);
	if (after)
		note_cut_calls(stage, CLOSED, index, next);
	thread->phase = after ? AFTER_WINDOW : IN_WINDOW;
	thread->edge_ns = after ? UINT64_MAX : stage->asked->to_ns;
}

/* Orders by thread number, then as the calls are entered or exited. */
static int
compare_cut_calls(const void *a, const void *b)
{
	const struct cut_call *const one = a, *const other = b;

	if (one->number != other->number)
		return one->number < other->number ? -1 : 1;
	return one->rank < other->rank ? -1 : 1;
}

/* Makes the events at an edge, of the calls that are kept. */
static void
insert_cut_calls(struct select_stage *stage, enum edge edge)
{
	const bool opens = edge == OPENED;
	const bool walled = stage->asked->walled;
	const uint64_t time_ns = edge_time(opens ? stage->asked->from_ns :
	    stage->asked->to_ns);
	const struct cut_calls *const cuts = &stage->edges[edge];

	if (cuts->count > 1)
		qsort(cuts->items, cuts->count, sizeof(*cuts->items),
		    compare_cut_calls);
	for (size_t i = 0; i < cuts->count; i++) {
		const struct cut_call *const cut = &cuts->items[i];

		if (!cut->lasts)
			continue;
		*dmt_push(&stage->inserts[edge], &stage->no_memory) =
		    (struct dmt_insert){
			.thread = cut->thread,
			.method = cut->method,
			.action = opens ? DMTRACE_ENTER : DMTRACE_EXIT,
			.flags = (uint8_t)(DMT_EVENT_NEW |
			    (opens ? DMT_EVENT_OPENED : DMT_EVENT_CLOSED) |
			    (cut->no_cpu ? DMT_EVENT_NO_CPU : 0)),
			.cpu_ns = stage->cuts_cpu ? cut->cpu_ns :
			    walled ? DMTRACE_NO_TIME : time_ns,
			.wall_ns = walled ? time_ns : DMTRACE_NO_TIME,
		};
	}
}

static bool
lasts(const struct select_stage *stage, const struct select_frame *frame,
    uint64_t end_ns)
{
	return end_ns >= frame->entered_ns &&
	    end_ns - frame->entered_ns >= stage->asked->min_ns;
}

/* Ends the calls at depths first to last of a thread. Those that last long
 * enough are kept: their enters, and the events at the edges of the window. */
static void
end_calls(struct select_stage *stage, const struct dmt_callstack *stack,
    uint32_t first, uint32_t last, uint64_t end_ns)
{
	for (uint32_t depth = first; depth <= last; depth++) {
		const struct select_frame *const frame =
		    dmt_frame_at(&stage->stacks, stack, depth);

		if (!lasts(stage, frame, end_ns))
			continue;
		if (frame->stays)
			stage->staying[frame->entered / 8] |=
			    (uint8_t)(1u << frame->entered % 8);
		for (size_t edge = OPENED; edge <= CLOSED; edge++)
			if (frame->cuts[edge] > 0)
				stage->edges[edge].items[frame->cuts[edge] -
				    1].lasts = true;
	}
}

/* Judges the conditions on calls for the i-th event, whose time is known, and
 * clears its byte if they do not hold. If durations are selected, the enter of
 * a call is decided at its exit. */
static enum dmtrace_status
learn_call(struct select_stage *stage, const struct dmt_batch *batch, size_t i,
    uint64_t time_ns)
{
	const uint32_t thread = batch->thread[batch->keep[i]];
	struct dmt_step step;
	struct select_frame *const frame =
	    step_event(stage, batch, batch->keep[i], &step);

	if (frame == NULL)
		return stage->source.error.status;
	stage->holds[i] &= frame->holds;
	if (!stage->by_time)
		return DMTRACE_OK;
	if (step.kind == DMT_STEP_ENTERED) {
		frame->stays = stage->holds[i];
		frame->entered = stage->judged + i;
		frame->entered_ns = time_ns;
		frame->cuts[OPENED] = frame->cuts[CLOSED] = 0;
		stage->holds[i] = false;
	} else if (step.depth > 0) {
		stage->holds[i] &= lasts(stage, frame, time_ns);
		end_calls(stage, &stage->stacks.items[thread], step.depth,
		    step.depth + step.dropped, time_ns);
	}
	if (time_ns > stage->threads[thread].latest_ns)
		stage->threads[thread].latest_ns = time_ns;
	return DMTRACE_OK;
}

/* Follows the calls of the selected threads, and keeps the bytes of the events
 * for which the conditions on threads, calls and time hold. */
static enum dmtrace_status
learn_events(struct select_stage *stage, const struct dmt_batch *batch)
{
	const uint64_t *const times =
	    dmt_clock_times(&stage->source, batch);
	struct select_thread *const threads = stage->threads;
	struct dmt_callstack *const stacks = stage->stacks.items;
	const bool by_call = stage->by_call, by_time = stage->by_time;
	const bool cuts = stage->cuts, cuts_cpu = stage->cuts_cpu;
	const size_t count = batch->kept;
	uint64_t reach_ns = stage->reach_ns;

	for (size_t i = 0; i < count; i++) {
		const size_t at = batch->keep[i];
		const uint32_t index = batch->thread[at];
		const uint64_t time_ns = times[at];
		struct select_thread *const thread = &threads[index];
		struct dmt_step step;

		reach_ns = time_ns > reach_ns ? time_ns : reach_ns;
		if (!stage->holds[i])
			continue;
		if (time_ns >= thread->edge_ns && cuts) {
			const struct dmt_event_times next = { time_ns,
			    cuts_cpu ? batch->cpu_ns[at] : 0 };

			pass_edges(stage, index, time_ns, &next);
		}
		stage->holds[i] = thread->phase == IN_WINDOW;
		if (thread->phase == AFTER_WINDOW && !by_time)
			continue;
		const enum dmtrace_status status = by_call ?
		    learn_call(stage, batch, i, time_ns) :
		    dmt_callstack_step(&stage->stacks, &stacks[index],
		    batch->method[at], batch->action[at], &step);
		if (status != DMTRACE_OK)
			return by_call ? status :
			    fail_step(stage, index, status);
		if (cuts_cpu) {
			thread->cpu_ns = batch->cpu_ns[at];
			thread->wall_ns = time_ns;
		}
	}
	stage->reach_ns = reach_ns;
	return stage->no_memory ? fail_select_memory(stage) : DMTRACE_OK;
}

/* Makes room in staying for count more events. */
static enum dmtrace_status
reserve_staying(struct select_stage *stage, size_t count)
{
	const size_t len = (size_t)((stage->judged + count) / 8) + 2;
	uint8_t *const staying = dmt_array_grow_zero(stage->staying,
	    &stage->staying_len, len, 1);

	if (staying == NULL)
		return fail_select_memory(stage);
	stage->staying = staying;
	return DMTRACE_OK;
}

/* Stores the bytes of holds as the bits of the next events, or loads them,
 * eight at a time. */
static void
keep_staying(struct select_stage *stage, size_t count)
{
	uint8_t *out = stage->staying + stage->judged / 8;
	const unsigned shift = stage->judged % 8;

	memset(stage->holds + count, 0, 7);
	for (size_t i = 0; i < count; i += 8, out++) {
		unsigned bits = 0;

		for (size_t j = 0; j < 8; j++)
			bits |= (unsigned)stage->holds[i + j] << j;
		out[0] |= (uint8_t)(bits << shift);
		out[1] |= (uint8_t)(bits << shift >> 8);
	}
}

static void
recall_staying(struct select_stage *stage, size_t count)
{
	const uint8_t *in = stage->staying + stage->judged / 8;
	const unsigned shift = stage->judged % 8;

	/* Most batches are completely inside or outside the window. */
	if ((in[0] == 0 || in[0] == UINT8_MAX) &&
	    memcmp(in, in + 1, (shift + count - 1) / 8) == 0) {
		memset(stage->holds, in[0] & 1, count);
		return;
	}
	for (size_t i = 0; i < count; i += 8, in++) {
		const unsigned bits = (in[0] | (unsigned)in[1] << 8) >> shift;

		for (size_t j = 0; j < 8; j++)
			stage->holds[i + j] = bits >> j & 1;
	}
}

/* Resets the state of threads and calls for another pass. */
static void
reset_threads(struct select_stage *stage)
{
	dmt_callstacks_reset(&stage->stacks);
	stage->judged = 0;
	stage->inserts[OPENED].next = stage->inserts[CLOSED].next = 0;
	for (size_t i = 0; i < stage->source.indexes->thread_count; i++)
		stage->threads[i] = new_thread(stage,
		    stage->threads[i].wanted);
}

/*
 * Runs the first pass. At its end, calls that are still open last until the
 * latest event of their thread. If all threads share one clock, a thread whose
 * last event is before an edge passes that edge when another thread does.
 */
static enum dmtrace_status
learn_all(struct select_stage *stage)
{
	struct dmtrace_source *const source = &stage->source;
	struct dmt_batch *batch;

	for (;;) {
		if (dmt_pull(source->from, &batch) != DMTRACE_OK)
			return source->from->error.status;
		if (batch == NULL)
			break;
		judge_threads(stage, batch);
		if (reserve_staying(stage, batch->kept) != DMTRACE_OK ||
		    learn_events(stage, batch) != DMTRACE_OK)
			return source->error.status;
		keep_staying(stage, batch->kept);
		stage->judged += batch->kept;
	}
	for (uint32_t i = 0; i < source->indexes->thread_count; i++) {
		const struct select_thread *const thread = &stage->threads[i];
		const struct dmt_callstack *const stack =
		    &stage->stacks.items[i];

		if (stage->asked->comparable &&
		    stage->reach_ns >= thread->edge_ns)
			pass_edges(stage, i, stage->reach_ns, NULL);
		if (stage->by_time)
			end_calls(stage, stack, 1, stack->depth,
			    thread->latest_ns);
	}
	insert_cut_calls(stage, OPENED);
	insert_cut_calls(stage, CLOSED);
	if (stage->no_memory)
		return fail_select_memory(stage);
	source->opened = stage->inserts[OPENED].count;
	source->closed = stage->inserts[CLOSED].count;
	stage->learned = true;
	want_select_columns(source, stage->wanted);
	if (dmt_source_rewind(source->from) != DMTRACE_OK)
		return source->from->error.status;
	reset_threads(stage);
	return DMTRACE_OK;
}

/* The second pass, or the only one. */

/* Fills holds for the events of the batch. */
static enum dmtrace_status
judge_batch(struct select_stage *stage, const struct dmt_batch *batch)
{
	const struct dmt_selection *const asked = stage->asked;

	if (stage->looks_ahead) {
		if (reserve_staying(stage, batch->kept) != DMTRACE_OK)
			return stage->source.error.status;
		recall_staying(stage, batch->kept);
		stage->judged += batch->kept;
	} else {
		judge_threads(stage, batch);
		if (stage->by_call && judge_calls(stage, batch) != DMTRACE_OK)
			return stage->source.error.status;
	}
	if (asked->windowed && asked->raw)
		judge_raw_window(stage, batch);
	if (asked->kinds[DMT_SELECT_METHOD] > 0)
		judge_methods(stage, batch, DMT_METHOD_WANTED);
	for (size_t i = 0; asked->invert && i < batch->kept; i++)
		stage->holds[i] = !stage->holds[i];
	if (asked->kinds[DMT_SELECT_HIDE] > 0)
		judge_methods(stage, batch, DMT_METHOD_HIDDEN);
	return DMTRACE_OK;
}

/* Drops the events whose byte is 0. It has no branch per event, which would be
 * mispredicted, but checks first if all or none are kept, as in most batches
 * of a time window. */
static void
drop_events(struct select_stage *stage, struct dmt_batch *batch)
{
	uint16_t *const keep = batch->keep;
	const size_t count = batch->kept;
	size_t kept = 0;

	if (memchr(stage->holds, 0, count) == NULL)
		kept = count;
	else if (memchr(stage->holds, 1, count) != NULL) {
		DMT_UNROLL
		for (size_t i = 0; i < count; i++) {
			keep[kept] = keep[i];
			kept += stage->holds[i];
		}
	}
	batch->kept = kept;
	stage->asked->selected += kept;
}

/* Returns a batch with the next cut calls as events; NULL: there are no
 * more. */
static struct dmt_batch *
hand_out_cuts(struct select_stage *stage, enum edge edge)
{
	struct dmt_batch *const batch =
	    dmt_inserts_next(&stage->inserts[edge], stage->added);

	if (batch == NULL)
		return NULL;
	for (size_t i = 0; i < batch->count; i++)
		stage->asked->no_cpu +=
		    (batch->flags[i] & DMT_EVENT_NO_CPU) != 0;
	stage->asked->selected += batch->count;
	return batch;
}

static enum dmtrace_status
pull_selected(struct dmtrace_source *source, struct dmt_batch **batch)
{
	struct select_stage *const stage = (struct select_stage *)source;

	const enum dmtrace_status status =
	    stage->learned ? DMTRACE_OK : learn_all(stage);

	if (status != DMTRACE_OK)
		return status;
	*batch = hand_out_cuts(stage, OPENED);
	if (*batch != NULL)
		return DMTRACE_OK;
	if (dmt_pull(source->from, batch) != DMTRACE_OK)
		return source->from->error.status;
	if (*batch == NULL) {
		dmt_selection_note_seen(stage->asked);
		*batch = hand_out_cuts(stage, CLOSED);
		return DMTRACE_OK;
	}
	if (judge_batch(stage, *batch) != DMTRACE_OK)
		return source->error.status;
	drop_events(stage, *batch);
	return DMTRACE_OK;
}

static enum dmtrace_status
rewind_selected(struct dmtrace_source *source)
{
	struct select_stage *const stage = (struct select_stage *)source;

	stage->asked->selected = stage->asked->no_cpu = 0;
	if (dmt_source_rewind(source->from) != DMTRACE_OK)
		return source->from->error.status;
	reset_threads(stage);
	return DMTRACE_OK;
}

static void
fini_selected(struct dmtrace_source *source)
{
	struct select_stage *const stage = (struct select_stage *)source;

	free(stage->staying);
	free(stage->edges[OPENED].items);
	free(stage->edges[CLOSED].items);
	free(stage->inserts[OPENED].items);
	free(stage->inserts[CLOSED].items);
	free(stage->added);
	dmt_callstacks_fini(&stage->stacks);
	dmt_selection_free(stage->own);
}

static const struct dmt_input_kind select_kind = {
	pull_selected, rewind_selected, want_select_columns, fini_selected
};

struct dmtrace_source *
dmt_source_select(struct dmtrace_source *from, struct dmt_selection *asked)
{
	struct select_stage *const stage = from == NULL ? NULL :
	    calloc(1, sizeof(*stage));

	if (stage == NULL) {
		dmtrace_source_free(from);
		return NULL;
	}
	dmt_stage_init(&stage->source, &select_kind, from);
	stage->asked = asked;
	asked->selected = asked->no_cpu = 0;
	stage->by_method = asked->kinds[DMT_SELECT_METHOD] +
	    asked->kinds[DMT_SELECT_HIDE] > 0;
	stage->by_call = asked->first_depth > 0 || asked->min_ns > 0 ||
	    asked->kinds[DMT_SELECT_UNDER] > 0;
	stage->by_caller = asked->kinds[DMT_SELECT_UNDER] > 0;
	stage->by_time = asked->min_ns > 0;
	stage->first_depth = asked->first_depth;
	stage->last_depth = asked->first_depth > 0 ? asked->last_depth :
	    UINT32_MAX;
	stage->cuts = asked->windowed && !asked->raw;
	stage->cuts_cpu = stage->cuts && dmt_layout_has_cpu(from->layout) &&
	    dmt_layout_has_wall(from->layout);
	stage->looks_ahead = stage->cuts || stage->by_time;
	stage->learned = !stage->looks_ahead;
	if (stage->looks_ahead)
		dmt_want_pass(from, 1);
	if (stage->cuts) {
		stage->added = malloc(sizeof(*stage->added));
		if (stage->added == NULL) {
			dmtrace_source_free(&stage->source);
			return NULL;
		}
	}
	dmt_callstacks_attach(&stage->stacks, from,
	    sizeof(struct select_frame));
	dmt_attach(from, &stage->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*stage->threads),
	    .init = see_thread, .owner = stage });
	dmt_attach(from, &stage->methods, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .item_size = sizeof(*stage->methods),
	    .init = see_method, .owner = stage });
	return &stage->source;
}

struct dmtrace_source *
dmtrace_select(struct dmtrace_source *from,
    const struct dmtrace_select_options *options)
{
	static const struct dmtrace_select_options all = { 0 };
	struct dmt_selection *selection;

	if (from == NULL)
		return NULL;
	const bool taken = from->taken;
	dmt_source_take(from, __func__);
	from->taken = true;		/* also if it is returned: its first
					   read reports the failure */
	if (from->error.status != DMTRACE_OK)
		return taken ? NULL : from;
	if (dmt_selection_make(&selection, options == NULL ? &all : options,
	    &from->error) != DMTRACE_OK)
		return from;
	if (dmt_selection_resolve(selection, from->key, from->layout) !=
	    DMTRACE_OK) {
		from->error = selection->error;
		dmt_selection_free(selection);
		return from;
	}
	struct dmtrace_source *const source =
	    dmt_source_select(from, selection);
	if (source == NULL)
		dmt_selection_free(selection);
	else
		((struct select_stage *)source)->own = selection;
	return source;
}
