/* pieces_run.c - splits a trace into runs of its records */

/*
 * Each batch is cut where the next piece begins: by the time of an event, by
 * the number of records, or by the size that the piece would have after one
 * more event, including the exits at its end. The parts between the cuts are
 * written unchanged.
 *
 * A piece is a complete trace: it begins with enters of the calls that are
 * open, and ends with their exits, thread by thread. These have the time of
 * the cut if wall times can be compared, otherwise the last time of the
 * thread. In a trace that is not sorted by time, a thread may later have an
 * event with an older time than the enters at the start of the piece; then the
 * enters, which are already written, are overwritten with that time. Where
 * that is impossible, the enters have the last time of their thread: in trace
 * format V2, where the size of an event depends on its times, and in a stream
 * that redefines methods, where packets are between the records.
 */

#include "ops/split/piece_set.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "events/callstacks.h"
#include "events/select.h"

/* By thread index, in nanoseconds. */
struct thread_times {
	uint64_t cpu_ns;		/* of its last record */
	uint64_t wall_ns;
	uint64_t open_ns;		/* wall time of the inserted enters */
	uint64_t open_at;		/* their offset in the piece */
	size_t piece;			/* the last piece with events; 0:
					   none */
};

struct cut {
	struct dmt_piece_set *set;
	struct dmt_callstacks stacks;
	struct thread_times *times;
	size_t count;
	size_t capacity;
	uint32_t seen;			/* number of threads so far */
	struct dmt_batch edge;		/* enters or exits to insert */
	struct dmt_piece *piece;	/* the current piece */
	uint64_t live;			/* number of open calls in all
					   threads */
	uint64_t end_ns;		/* of the piece, if split by time */
	uint64_t last_ns;		/* the highest wall time so far */
	bool timed;			/* wall times can be compared */
	bool patches;			/* inserted enters can be overwritten */
};

/* Times of enters or exits at the edge of a piece. */
struct edge_times {
	uint64_t cpu_ns;
	uint64_t wall_ns;
};

static uint64_t
later_time(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* A clock keeps the last time of the thread, unless it is a wall clock that
 * all threads share. */
static struct edge_times
get_edge_times(const struct cut *cut, uint32_t thread, uint64_t now_ns)
{
	const struct thread_times *const times = &cut->times[thread];

	return (struct edge_times){
		.cpu_ns = times->cpu_ns,
		.wall_ns = cut->timed ? later_time(times->wall_ns, now_ns) :
		    times->wall_ns
	};
}

/* Writes an event for each open call of the thread: from the outermost inwards
 * for enters, outwards for exits. It is appended or, if at is not 0,
 * overwrites the events at that offset. */
static enum dmtrace_status
put_edge_frames(struct cut *cut, uint32_t thread, enum dmtrace_action action,
    const struct edge_times *times, uint64_t at)
{
	struct dmt_batch *const edge = &cut->edge;
	const struct dmt_callstack *const stack = &cut->stacks.items[thread];

	for (uint32_t done = 0; done < stack->depth;) {
		const uint32_t left = stack->depth - done;
		const uint32_t count =
		    left < DMT_BATCH_EVENTS ? left : DMT_BATCH_EVENTS;

		dmt_batch_begin(edge, count);
		for (uint32_t i = 0; i < count; i++, done++) {
			const uint32_t depth = action == DMTRACE_ENTER ?
			    done + 1 : stack->depth - done;
			const struct dmt_call_frame *const frame =
			    dmt_frame_at(&cut->stacks, stack, depth);

			edge->thread[i] = thread;
			edge->method[i] = frame->method;
			edge->action[i] = (uint8_t)action;
			edge->cpu_ns[i] = times->cpu_ns;
			edge->wall_ns[i] = times->wall_ns;
		}
		if (at != 0)
			at = dmt_batch_patch(cut->set->front.writing,
			    &cut->piece->output, at, cut->set->source, edge);
		else if (dmt_piece_put_frames(cut->set, cut->piece, edge) !=
		    DMTRACE_OK)
			return cut->set->op->error.status;
	}
	return dmt_piece_check(cut->set, cut->piece);
}

static enum dmtrace_status
begin_run(struct cut *cut, uint64_t now_ns)
{
	struct dmt_piece_set *const set = cut->set;

	if (dmt_piece_set_add(set) != DMTRACE_OK)
		return set->op->error.status;
	cut->piece = set->items[set->count - 1];
	cut->piece->facts.opened = cut->live;
	for (uint32_t i = 0; i < cut->seen; i++) {
		const struct edge_times times = get_edge_times(cut, i,
		    cut->patches ? now_ns : 0);

		cut->times[i].open_ns = times.wall_ns;
		cut->times[i].open_at = cut->piece->output.written;
		if (put_edge_frames(cut, i, DMTRACE_ENTER, &times, 0) !=
		    DMTRACE_OK)
			return set->op->error.status;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
end_run(struct cut *cut, uint64_t now_ns)
{
	cut->piece->facts.closed = cut->live;
	for (uint32_t i = 0; i < cut->seen; i++) {
		const struct edge_times times = get_edge_times(cut, i, now_ns);

		if (put_edge_frames(cut, i, DMTRACE_EXIT, &times, 0) !=
		    DMTRACE_OK)
			return cut->set->op->error.status;
	}
	return dmt_piece_close(cut->set, cut->piece);
}

/* Returns the largest possible size of a piece with written bytes, if that
 * many more events and one of that action are its last ones. */
static uint64_t
size_with(const struct cut *cut, unsigned action, uint64_t written,
    uint64_t events)
{
	const uint64_t closed = cut->live + (action == DMTRACE_ENTER);

	return dmt_piece_size_with(cut->set, written, events + 1 + closed);
}

static enum dmtrace_status
refuse_size(struct cut *cut, uint64_t needed)
{
	return dmt_error_set(&cut->set->op->error, DMTRACE_ERR_RANGE,
	    "a piece of %" PRIu64 " bytes has no room for the key, the open"
	    " frames and one record, which take %" PRIu64,
	    cut->set->options->amount, needed);
}

/* Returns true if the event at that position begins the next piece; waiting is
 * the number of events before it that are not written yet. */
static bool
is_next(const struct cut *cut, const struct dmt_batch *batch, size_t at,
    uint64_t waiting)
{
	const uint64_t amount = cut->set->options->amount;

	switch (cut->set->options->by) {
	case DMTRACE_PIECES_TIME:
		return dmt_clock_times(cut->set->source, batch)[at] >=
		    cut->end_ns;
	case DMTRACE_PIECES_RECORDS:
		return cut->piece->facts.records + waiting >= amount;
	default:
		return size_with(cut, batch->action[at],
		    cut->piece->output.written, waiting) > amount;
	}
}

/* Sets the time window of the piece; returns its start. */
static uint64_t
begin_time_window(struct cut *cut, uint64_t now_ns)
{
	const uint64_t amount = cut->set->options->amount;
	const uint64_t start = now_ns - now_ns % amount;

	cut->end_ns = start > UINT64_MAX - amount ? UINT64_MAX :
	    start + amount;
	return start;
}

/* Continues with the piece that the event at that position is in. */
static enum dmtrace_status
turn_to_next(struct cut *cut, const struct dmt_batch *batch, size_t at)
{
	const bool by_time = cut->set->options->by == DMTRACE_PIECES_TIME;
	uint64_t now_ns = batch->wall_ns[at];

	if (cut->piece != NULL && end_run(cut,
	    by_time ? cut->end_ns : now_ns) != DMTRACE_OK)
		return cut->set->op->error.status;
	if (by_time)
		now_ns = begin_time_window(cut,
		    dmt_clock_times(cut->set->source, batch)[at]);
	if (cut->set->options->by == DMTRACE_PIECES_SIZE) {
		const uint64_t needed =
		    size_with(cut, batch->action[at], cut->set->front.len,
		    cut->live);

		if (needed > cut->set->options->amount)
			return refuse_size(cut, needed);
	}
	return begin_run(cut, now_ns);
}

/* Handles the first event of a thread in the piece: see the top of this
 * file. */
static enum dmtrace_status
meet_thread(struct cut *cut, uint32_t thread, uint64_t wall_ns)
{
	struct thread_times *const times = &cut->times[thread];
	const struct edge_times again = get_edge_times(cut, thread, wall_ns);
	const bool known = times->piece != 0;

	times->piece = cut->set->count;
	if (!known)
		cut->seen = thread + 1;
	if (!known || !cut->timed || !cut->patches ||
	    again.wall_ns >= times->open_ns)
		return DMTRACE_OK;
	return put_edge_frames(cut, thread, DMTRACE_ENTER, &again,
	    times->open_at);
}

static enum dmtrace_status
step_run(struct cut *cut, const struct dmt_batch *batch, size_t at)
{
	const uint32_t thread = batch->thread[at];
	struct dmt_callstack *const stack = &cut->stacks.items[thread];
	struct dmt_step step;
	const enum dmtrace_status status = dmt_callstack_step(&cut->stacks,
	    stack, batch->method[at], batch->action[at], &step);

	if (status != DMTRACE_OK)
		return dmt_callstack_fail(&cut->stacks, stack, status,
		    cut->set->source->indexes->threads[thread].number, 0,
		    &cut->set->op->error);
	if (step.kind == DMT_STEP_ENTERED)
		cut->live++;
	else if (step.kind == DMT_STEP_LEFT ||
	    step.kind == DMT_STEP_UNWOUND)
		cut->live -= 1 + (uint64_t)step.dropped;
	cut->times[thread].cpu_ns = batch->cpu_ns[at];
	cut->times[thread].wall_ns = batch->wall_ns[at];
	if (cut->timed)
		cut->last_ns = later_time(cut->last_ns, batch->wall_ns[at]);
	return DMTRACE_OK;
}

static enum dmtrace_status
cut_batch(struct cut *cut, const struct dmt_batch *batch)
{
	struct dmt_piece_set *const set = cut->set;
	size_t first = 0;

	for (size_t i = 0; i < batch->kept; i++) {
		const size_t at = batch->keep[i];
		const uint32_t thread = batch->thread[at];

		bool next = cut->piece == NULL;
		if (!next && is_next(cut, batch, at, i - first)) {
			if (dmt_piece_put(set, cut->piece, batch, first,
			    i - first) != DMTRACE_OK)
				return set->op->error.status;
			first = i;
			/* Packets may have been shorter than estimated. */
			next = is_next(cut, batch, at, 0);
		}
		if (next && turn_to_next(cut, batch, at) != DMTRACE_OK)
			return set->op->error.status;
		if (cut->times[thread].piece != set->count && meet_thread(cut,
		    thread, batch->wall_ns[at]) != DMTRACE_OK)
			return set->op->error.status;
		if (step_run(cut, batch, at) != DMTRACE_OK)
			return set->op->error.status;
	}
	return dmt_piece_put(set, cut->piece, batch, first,
	    batch->kept - first);
}

/* Begins the only piece of a trace without records. */
static enum dmtrace_status
begin_empty_run(struct cut *cut)
{
	const struct dmt_piece_set *const set = cut->set;
	const uint64_t needed =
	    dmt_piece_size_with(set, set->front.len, 0);

	return set->options->by == DMTRACE_PIECES_SIZE &&
	    needed > set->options->amount ? refuse_size(cut, needed) :
	    dmt_piece_set_add(cut->set);
}

static enum dmtrace_status
cut_all(struct cut *cut)
{
	struct dmt_batch *batch;

	dmt_callstacks_attach(&cut->stacks, cut->set->source,
	    sizeof(struct dmt_call_frame));
	dmt_attach(cut->set->source, &cut->times, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*cut->times) });
	dmt_want(cut->set->source, DMT_COLUMN_ALL);
	for (;;) {
		if (dmt_piece_set_pull(cut->set, &batch) != DMTRACE_OK)
			return cut->set->op->error.status;
		if (batch == NULL)
			break;
		if (cut_batch(cut, batch) != DMTRACE_OK)
			return cut->set->op->error.status;
	}
	return cut->piece == NULL ? begin_empty_run(cut) :
	    end_run(cut, cut->last_ns);
}

enum dmtrace_status
dmt_pieces_by_run(struct dmt_piece_set *set)
{
	struct cut *const cut = calloc(1, sizeof(*cut));

	if (cut == NULL)
		return dmt_error_memory(&set->op->error);
	cut->set = set;
	cut->timed = dmt_times_comparable(set->source->key,
	    set->source->layout);
	cut->patches = set->reader->dialect->has_records &&
	    set->front.redefined_count == 0;
	const enum dmtrace_status status = cut_all(cut);
	dmt_callstacks_fini(&cut->stacks);
	free(cut);
	return status;
}
