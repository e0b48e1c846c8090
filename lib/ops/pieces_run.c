/* pieces_run.c - a trace to pieces that are runs of its records */

#include "ops/pieces.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "data/record_encode.h"

#include <dmtrace/stack.h>

#define BATCH 1024		/* events that are read at once */
#define FRAMES 64		/* that are written at once */

/* The times of one thread number, in nanoseconds. */
struct times {
	uint64_t cpu_ns;		/* of its last record */
	uint64_t wall_ns;
	uint64_t open_ns;		/* wall: of the frames entered again */
	uint64_t open_at;		/* where these are in the piece */
	size_t piece;			/* the last one that it is in; 0: no */
};

struct cut {
	struct dmt_piece_set *set;
	struct dmtrace_stacks *stacks;
	struct times *times;		/* by thread number */
	uint32_t *threads;		/* numbers, as they came */
	size_t thread_count;
	uint8_t *records;		/* FRAMES of them */
	struct dmt_piece *piece;	/* the last one */
	uint64_t live;			/* open frames of all threads */
	uint64_t end_ns;		/* of the window, by time */
	uint64_t last_ns;		/* the latest wall time so far */
	bool timed;			/* it can be compared */
};

static uint64_t
latest(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Writes records of count frames of a thread from that depth on, inwards to
 * enter them, outwards to leave them: behind the others or at a place. */
static void
put_some(struct cut *cut, struct dmtrace_event *event, uint32_t depth,
    unsigned count, uint64_t at)
{
	const struct dmtrace_layout *const layout = &cut->set->reader->layout;
	struct dmtrace_event events[FRAMES];
	struct dmt_sink *const sink = &cut->piece->sink;
	const bool enters = event->action == DMTRACE_ENTER;

	for (unsigned i = 0; i < count; i++) {
		events[i] = *event;
		events[i].method = dmtrace_stacks_method(cut->stacks,
		    event->thread, enters ? depth + i : depth - i);
	}
	dmt_records_encode(cut->records, layout, events, count, true);
	if (at == 0)
		dmt_sink_write(sink, cut->records,
		    count * layout->record_size);
	else
		dmt_sink_patch(sink, at, cut->records,
		    count * layout->record_size);
}

/* All frames of the event's thread; at is 0, or where to put them. */
static void
put_frames(struct cut *cut, struct dmtrace_event *event, uint64_t at)
{
	const size_t size = cut->set->reader->layout.record_size;
	const uint32_t depth = dmtrace_stacks_depth(cut->stacks,
	    event->thread);
	const bool enters = event->action == DMTRACE_ENTER;

	for (uint32_t done = 0; done < depth;) {
		const unsigned count =
		    depth - done < FRAMES ? depth - done : FRAMES;

		put_some(cut, event, enters ? done + 1 : depth - done, count,
		    at == 0 ? 0 : at + (uint64_t)done * size);
		done += count;
	}
}

/* A thread's clocks stand still where it is not seen, but for a wall clock
 * that is everybody's. */
static struct dmtrace_event
edge(const struct cut *cut, uint32_t thread, uint64_t now_ns,
    enum dmtrace_action action)
{
	const struct times *const times = &cut->times[thread];

	return (struct dmtrace_event){
		.thread = thread,
		.action = action,
		.cpu_ns = times->cpu_ns,
		.wall_ns = cut->timed ? latest(times->wall_ns, now_ns) :
		    times->wall_ns
	};
}

static enum dmtrace_status
begin_piece(struct cut *cut, uint64_t now_ns)
{
	struct dmt_piece_set *const set = cut->set;

	if (dmt_piece_set_add(set) != DMTRACE_OK)
		return set->op->error.status;
	cut->piece = set->items[set->count - 1];
	cut->piece->facts.opened = cut->live;
	for (size_t i = 0; i < cut->thread_count; i++) {
		struct times *const times = &cut->times[cut->threads[i]];
		struct dmtrace_event event = edge(cut, cut->threads[i],
		    now_ns, DMTRACE_ENTER);

		times->open_ns = event.wall_ns;
		times->open_at = cut->piece->sink.written;
		put_frames(cut, &event, 0);
	}
	return dmt_piece_check(set, cut->piece);
}

static enum dmtrace_status
end_piece(struct cut *cut, uint64_t now_ns)
{
	cut->piece->facts.closed = cut->live;
	for (size_t i = 0; i < cut->thread_count; i++) {
		struct dmtrace_event event = edge(cut, cut->threads[i],
		    now_ns, DMTRACE_EXIT);

		put_frames(cut, &event, 0);
	}
	return dmt_piece_rest(cut->set, cut->piece);
}

/* Bytes of a piece at most that has so many records of either kind, if it
 * ends behind one more, which is the event. */
static uint64_t
size_with(const struct cut *cut, const struct dmtrace_event *event,
    uint64_t opened, uint64_t records)
{
	const size_t size = cut->set->reader->layout.record_size;
	const size_t tail_max = size - 1;
	const uint64_t closed =
	    cut->live + (event->action == DMTRACE_ENTER);

	return cut->set->front.len + tail_max +
	    (opened + records + 1 + closed) * size;
}

static enum dmtrace_status
refuse_size(struct cut *cut, uint64_t needed)
{
	return dmt_error_set(&cut->set->op->error, DMTRACE_ERR_RANGE,
	    "a piece of %" PRIu64 " bytes has no room for the key, the open"
	    " frames and one record, which take %" PRIu64,
	    cut->set->options->amount, needed);
}

static uint64_t
event_ns(const struct cut *cut, const struct dmtrace_event *event)
{
	return cut->set->reader->layout.wall.width != 0 ? event->wall_ns :
	    event->cpu_ns;
}

/* Whether the event is one of the next piece; records is how many this one
 * has. */
static bool
is_next(const struct cut *cut, const struct dmtrace_event *event,
    uint64_t records)
{
	const uint64_t amount = cut->set->options->amount;

	switch (cut->set->options->by) {
	case DMTRACE_PIECES_TIME:
		return event_ns(cut, event) >= cut->end_ns;
	case DMTRACE_PIECES_RECORDS:
		return records >= amount;
	default:
		return size_with(cut, event, cut->piece->facts.opened,
		    records) > amount;
	}
}

/* The window of the event; returns its start. */
static uint64_t
begin_window(struct cut *cut, const struct dmtrace_event *event)
{
	const uint64_t amount = cut->set->options->amount;
	const uint64_t now_ns = event_ns(cut, event);
	const uint64_t start = now_ns - now_ns % amount;

	cut->end_ns = start > UINT64_MAX - amount ? UINT64_MAX :
	    start + amount;
	return start;
}

/* Goes on to the piece that the event is in. */
static enum dmtrace_status
turn(struct cut *cut, const struct dmtrace_event *event)
{
	const bool by_time = cut->set->options->by == DMTRACE_PIECES_TIME;
	uint64_t now_ns = event->wall_ns;

	if (cut->piece != NULL && end_piece(cut,
	    by_time ? cut->end_ns : now_ns) != DMTRACE_OK)
		return cut->set->op->error.status;
	if (by_time)
		now_ns = begin_window(cut, event);
	if (cut->set->options->by == DMTRACE_PIECES_SIZE) {
		const uint64_t needed = size_with(cut, event, cut->live, 0);

		if (needed > cut->set->options->amount)
			return refuse_size(cut, needed);
	}
	return begin_piece(cut, now_ns);
}

/* A thread whose record is older than the piece's beginning, which happens in
 * traces that are not sorted, has its frames entered again by then. */
static enum dmtrace_status
catch_up(struct cut *cut, const struct dmtrace_event *event)
{
	struct times *const times = &cut->times[event->thread];
	struct dmtrace_event again = edge(cut, event->thread, event->wall_ns,
	    DMTRACE_ENTER);

	if (times->piece == 0)
		cut->threads[cut->thread_count++] = event->thread;
	else if (cut->timed && again.wall_ns < times->open_ns)
		put_frames(cut, &again, times->open_at);
	times->piece = cut->set->count;
	return dmt_piece_check(cut->set, cut->piece);
}

static enum dmtrace_status
step(struct cut *cut, const struct dmtrace_event *event)
{
	struct times *const times = &cut->times[event->thread];
	struct dmtrace_step step;
	const enum dmtrace_status status =
	    dmtrace_stacks_step(cut->stacks, event, &step);

	if (status == DMTRACE_ERR_MEMORY)
		return dmt_error_memory(&cut->set->op->error);
	if (status != DMTRACE_OK)
		return dmt_error_set(&cut->set->op->error, status,
		    "thread %" PRIu32 " has more open frames than %" PRIu32,
		    event->thread,
		    dmtrace_stacks_depth(cut->stacks, event->thread));
	if (step.kind == DMTRACE_STEP_ENTERED)
		cut->live++;
	else if (step.kind == DMTRACE_STEP_LEFT ||
	    step.kind == DMTRACE_STEP_UNWOUND)
		cut->live -= 1 + (uint64_t)step.dropped;
	times->cpu_ns = event->cpu_ns;
	times->wall_ns = event->wall_ns;
	if (cut->timed && event->wall_ns > cut->last_ns)
		cut->last_ns = event->wall_ns;
	return DMTRACE_OK;
}

/* Records of the last read from first up to, not with, end. */
static void
put_run(struct cut *cut, size_t first, size_t end)
{
	const size_t size = cut->set->reader->layout.record_size;

	cut->piece->facts.records += end - first;
	dmt_sink_write(&cut->piece->sink,
	    dmtrace_reader_records(cut->set->reader) + first * size,
	    (end - first) * size);
}

static enum dmtrace_status
take(struct cut *cut, const struct dmtrace_event *events, size_t count)
{
	struct dmtrace_op *const op = cut->set->op;
	size_t first = 0;

	for (size_t i = 0; i < count; i++) {
		if (cut->piece == NULL || is_next(cut, &events[i],
		    cut->piece->facts.records + (i - first))) {
			if (cut->piece != NULL)
				put_run(cut, first, i);
			first = i;
			if (turn(cut, &events[i]) != DMTRACE_OK)
				return op->error.status;
		}
		if (cut->times[events[i].thread].piece != cut->set->count &&
		    catch_up(cut, &events[i]) != DMTRACE_OK)
			return op->error.status;
		if (step(cut, &events[i]) != DMTRACE_OK)
			return op->error.status;
	}
	put_run(cut, first, count);
	return dmt_piece_check(cut->set, cut->piece);
}

/* Without any record there is one piece. */
static enum dmtrace_status
begin_empty(struct cut *cut)
{
	const struct dmt_piece_set *const set = cut->set;
	const uint64_t needed = set->front.len +
	    set->reader->layout.record_size - 1;

	return set->options->by == DMTRACE_PIECES_SIZE &&
	    needed > set->options->amount ? refuse_size(cut, needed) :
	    dmt_piece_set_add(cut->set);
}

static enum dmtrace_status
take_all(struct cut *cut)
{
	struct dmtrace_reader *const reader = cut->set->reader;
	struct dmtrace_op *const op = cut->set->op;
	struct dmtrace_event events[BATCH];
	size_t count;

	for (;;) {
		if (dmtrace_reader_read(reader, events, BATCH, &count) !=
		    DMTRACE_OK)
			return dmt_op_fail(op, &cut->set->in, &reader->error);
		if (count == 0)
			break;
		if (dmt_op_progress(op, reader->source->offset,
		    dmt_source_size(reader->source)) != DMTRACE_OK ||
		    take(cut, events, count) != DMTRACE_OK)
			return op->error.status;
	}
	return cut->piece == NULL ? begin_empty(cut) :
	    end_piece(cut, cut->last_ns);
}

static enum dmtrace_status
run(struct cut *cut)
{
	const struct dmtrace_layout *const layout = &cut->set->reader->layout;
	const size_t numbers = dmt_layout_thread_numbers(layout);

	cut->stacks = dmtrace_stacks_new();
	cut->times = dmt_array_new(numbers, sizeof(*cut->times));
	cut->threads = dmt_array_new(numbers, sizeof(*cut->threads));
	cut->records = dmt_array_new(FRAMES, layout->record_size);
	if (cut->stacks == NULL || cut->times == NULL ||
	    cut->threads == NULL || cut->records == NULL)
		return dmt_error_memory(&cut->set->op->error);
	return take_all(cut);
}

enum dmtrace_status
dmt_pieces_by_run(struct dmt_piece_set *set)
{
	struct cut cut = { .set = set, .timed = dmt_piece_timed(set->reader) };
	const enum dmtrace_status status = run(&cut);

	free(cut.records);
	free(cut.threads);
	free(cut.times);
	dmtrace_stacks_free(cut.stacks);
	return status;
}
