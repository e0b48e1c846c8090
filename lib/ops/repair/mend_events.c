/* mend_events.c - a stage that repairs the events of damaged records */

/*
 * Each event is compared with the previous events of its thread: its time must
 * not be lower than the last one, and an exit must be of an open call. An
 * invalid event is dropped or changed in place. If an exit skips calls that
 * are still open, exits of these are inserted before it: the stage returns the
 * batch up to that event, then the inserted events as a batch without records,
 * then the rest of the batch.
 *
 * Calls that are open at the beginning of the trace are entered before its
 * first event, and calls that are open at its end are exited after its last
 * one. Which calls were open at the beginning is only known later: an exit on
 * an empty stack is of the innermost of them. So there is a first pass that
 * returns no events. It also counts all changes, since the key, which is
 * written first, states what was changed. Data without packets may be followed
 * by bytes that are no records; this, too, is known at the end of the pass: a
 * tail of records whose threads and methods are all unknown is removed, and
 * the first pass is run again without it.
 *
 * Memory depends on the threads, the methods and the depth of calls.
 */

#include "ops/repair/mend_events.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "data/unwrap.h"
#include "events/callstacks.h"
#include "events/inserts.h"
#include "events/select.h"
#include "format/layout.h"
#include "trace/records_source.h"

#define OPENED_MAX 1048576	/* calls of a thread that were open before its
				   first event */
#define UNLISTED_MAX 1048576	/* methods */
#define TIME_MAX (DMTRACE_NO_TIME - 1)

/* One clock of a thread. */
struct mended_clock {
	uint64_t first_ns;		/* the first time that was returned, */
	uint64_t last_ns;		/* and the last one */
	uint64_t shift_ns;		/* what later times are shifted by */
	struct dmt_clock kept;		/* of the records that were kept */
};

struct mended_time {
	uint64_t ns;			/* the time to return */
	uint64_t shift_ns;
	struct dmt_clock kept;
	bool back;			/* the time in the record is lower */
};

struct mended_thread {
	struct mended_clock cpu, wall;
	bool seen;			/* it has events in the output */
	bool known;			/* one of their methods is listed */
	uint64_t last;			/* number of its last record */
	struct dmt_index_list opened;	/* methods that were open before its
					   first event, innermost first */
};

struct mend_stage {
	struct dmtrace_source source;
	enum dmtrace_repair_time strategy;
	bool keeps_edges;		/* do not close calls that the trace
					   cuts */
	bool comparable;		/* wall times of threads can be
					   compared */
	bool wraps;			/* times are stored modulo 2^32 us */
	bool moved;			/* see struct dmt_mend_input */
	bool bare;			/* there may be a tail that is no
					   records */
	bool skips;			/* repair nothing */
	struct dmt_mended found;	/* result of this pass */
	struct dmt_mended learned;	/* result of the first pass */
	struct mended_thread *threads;	/* by thread index */
	bool *methods;			/* by method index: it is in
					   found.unlisted */
	struct dmt_callstacks stacks;
	uint64_t listed_end;		/* number of the last record with a
					   listed thread or method, + 1 */
	struct dmt_inserts enters;	/* to insert before the first event */
	struct dmt_inserts exits;	/* to insert before the next event */
	bool no_memory;
	struct dmt_batch *in;		/* current batch; NULL: pull the next
					   one */
	size_t in_kept;			/* its kept when it was pulled */
	size_t next;			/* position in keep of the next to
					   judge */
	bool judged;			/* that event was judged and is kept,
					   but exits are inserted before it */
	bool ended;
	struct dmt_batch added;
};

/* Counts n changes, with the place of the event at that position of the
 * current batch; they concern a call of method. */
static void
count_changes(struct mend_stage *stage, enum dmt_finding which, uint64_t n,
    size_t at, uint32_t method)
{
	const struct dmt_indexes *const indexes = stage->source.indexes;
	const struct dmt_batch *const in = stage->in;

	dmt_change_add(&stage->found.changes, which, n, stage->moved ?
	    DMTRACE_PLACE_NONE : DMTRACE_PLACE_OFFSET,
	    dmt_batch_offset(&stage->source, in, at),
	    "thread %" PRIu32 ", method 0x%" PRIx64,
	    indexes->threads[in->thread[at]].number,
	    indexes->methods[method].id);
}

static void
count_change(struct mend_stage *stage, enum dmt_finding which, size_t at)
{
	count_changes(stage, which, 1, at, stage->in->method[at]);
}

/* Times. */

/*
 * Returns the first time from ns on that a reader does not take for a step
 * back. If times are stored modulo 2^32 us, and the stored value would be
 * lower than the last one, but not by enough to count as a wrap, that is the
 * highest time before the wrap.
 */
static uint64_t
reach_time(const struct mend_stage *stage, uint64_t last_ns, uint64_t ns)
{
	const uint64_t last_us = last_ns / 1000, us = ns / 1000;
	const uint32_t last = (uint32_t)last_us, next = (uint32_t)us;

	if (ns <= last_ns)
		return last_ns;
	if (stage->wraps && ((us - last_us) >> 32 != 0 ||
	    (next < last && last - next <= 1u << 31)))
		return (last_us | UINT32_MAX) * 1000;
	return ns;
}

static struct mended_time
mend_time(const struct mend_stage *stage, const struct mended_clock *clock,
    uint64_t time_ns)
{
	struct mended_time time = { .ns = time_ns };

	if (time_ns == DMTRACE_NO_TIME)
		return (struct mended_time){ .ns = 0 };
	/* The source has compared it with those of dropped records, too. */
	if (stage->wraps) {
		const uint32_t time_us = (uint32_t)(time_ns / 1000);

		time.kept = clock->kept;
		dmt_clock_turn(&time.kept, time_us);
		time.kept.low_us = time_us;
		time.ns = dmt_clock_us(&time.kept) * 1000;
	}
	time.back = time.ns < clock->last_ns;
	if (stage->strategy == DMTRACE_REPAIR_SHIFT) {
		time.shift_ns = clock->shift_ns;
		if (time.ns > TIME_MAX - time.shift_ns)
			time.shift_ns = TIME_MAX - time.ns;
		if (time.ns + time.shift_ns < clock->last_ns)
			time.shift_ns = clock->last_ns - time.ns;
		time.ns += time.shift_ns;
	}
	time.ns = reach_time(stage, clock->last_ns, time.ns);
	return time;
}

/* Sets the repaired time of the event. Returns true if its record must
 * change. */
static bool
set_time(const struct mend_stage *stage, struct mended_clock *clock,
    const struct mended_time *time, uint64_t *time_ns, bool first)
{
	const uint64_t shown_ns = *time_ns;

	clock->last_ns = time->ns;
	clock->shift_ns = time->shift_ns;
	clock->kept = time->kept;
	if (first)
		clock->first_ns = time->ns;
	if (shown_ns == DMTRACE_NO_TIME)
		return false;
	*time_ns = time->ns;
	return stage->wraps ?
	    (uint32_t)(time->ns / 1000) != (uint32_t)(shown_ns / 1000) :
	    time->ns != shown_ns;
}

/* Calls. */

static uint32_t
open_method_at(const struct mend_stage *stage, uint32_t thread, uint32_t depth)
{
	const struct dmt_call_frame *const frame = dmt_frame_at(
	    &stage->stacks, &stage->stacks.items[thread], depth);

	return frame->method;
}

/* Inserts exits like the event, of the calls from that depth on, innermost
 * first. */
static void
add_exits(struct mend_stage *stage, struct dmt_insert event, uint32_t depth,
    uint32_t count)
{
	for (uint32_t i = count; i > 0; i--) {
		event.method =
		    open_method_at(stage, event.thread, depth + i - 1);
		*dmt_push(&stage->exits, &stage->no_memory) = event;
	}
}

/* Applies an event to the calls of its thread, or repairs it. Returns true if
 * the event is kept. */
static bool
mend_call(struct mend_stage *stage, size_t at, uint64_t cpu_ns,
    uint64_t wall_ns)
{
	struct dmt_batch *const in = stage->in;
	const uint32_t index = in->thread[at], method = in->method[at];
	struct mended_thread *const thread = &stage->threads[index];
	struct dmt_callstack *const stack = &stage->stacks.items[index];
	struct dmt_step step;

	/* The reserved action differs in one bit from an exit: it becomes one
	 * if the innermost call is of that method. */
	if (in->action[at] == DMTRACE_RESERVED) {
		if (stack->depth == 0 || open_method_at(stage, index,
		    stack->depth) != method) {
			count_change(stage, DMT_RECORD_RESERVED_DROPPED, at);
			return false;
		}
		in->action[at] = DMTRACE_EXIT;
		in->flags[at] |= DMT_EVENT_CHANGED;
		count_change(stage, DMT_RECORD_RESERVED, at);
	}

	const enum dmtrace_status status = dmt_callstack_step(&stage->stacks,
	    stack, method, in->action[at], &step);
	if (status != DMTRACE_OK) {
		dmt_callstack_fail(&stage->stacks, stack, status,
		    stage->source.indexes->threads[index].number,
		    dmt_batch_offset(&stage->source, in, at),
		    &stage->source.error);
		return false;
	}

	if (stack->depth > stage->found.deepest)
		stage->found.deepest = stack->depth;

	/* An exit on an empty stack: the call was open at the beginning. */
	if (step.kind == DMT_STEP_BEFORE && !stage->keeps_edges) {
		if (thread->opened.count == OPENED_MAX) {
			count_change(stage, DMT_EXIT_STRAY, at);
			return false;
		}
		count_change(stage, DMT_EXIT_BEFORE, at);
		*dmt_push(&thread->opened, &stage->no_memory) = method;
	}
	if (step.kind == DMT_STEP_STRAY) {
		count_change(stage, DMT_EXIT_STRAY, at);
		return false;
	}
	if (step.kind == DMT_STEP_UNWOUND) {
		add_exits(stage, (struct dmt_insert){ .thread = index,
		    .action = in->action[at], .flags = DMT_EVENT_NEW,
		    .cpu_ns = cpu_ns, .wall_ns = wall_ns },
		    step.depth + 1, step.dropped);
		count_changes(stage, DMT_EXIT_MISMATCH, step.dropped, at,
		    open_method_at(stage, index, step.depth + 1));
	}
	return true;
}

/* Events. */

/* Judges the event at a position of the current batch. Returns true if it is
 * kept. */
static bool
mend_event(struct mend_stage *stage, size_t at)
{
	struct dmt_batch *const in = stage->in;
	struct dmt_mended *const found = &stage->found;
	struct dmtrace_error *const error = &stage->source.error;
	const uint32_t method = in->method[at];
	struct mended_thread *const thread =
	    &stage->threads[in->thread[at]];
	const struct mended_time cpu =
	    mend_time(stage, &thread->cpu, in->cpu_ns[at]);
	const struct mended_time wall =
	    mend_time(stage, &thread->wall, in->wall_ns[at]);

	if (stage->strategy == DMTRACE_REPAIR_DROP &&
	    (cpu.back || wall.back)) {
		count_change(stage, DMT_TIME_BACK_DROPPED, at);
		return false;
	}
	if (!mend_call(stage, at, cpu.ns, wall.ns))
		return false;
	const bool first = !thread->seen;
	const bool cpu_changed = set_time(stage, &thread->cpu, &cpu,
	    &in->cpu_ns[at], first);
	if (set_time(stage, &thread->wall, &wall, &in->wall_ns[at], first) ||
	    cpu_changed) {
		in->flags[at] |= DMT_EVENT_CHANGED;
		count_change(stage, DMT_TIME_BACK, at);
	}

	/* Note what the tables of the key must list. */
	if (first)
		*dmt_push(&found->threads, &stage->no_memory) =
		    in->thread[at];
	thread->seen = true;
	if (stage->source.indexes->methods[method].row != NULL) {
		thread->known = true;
	} else if (!stage->methods[method]) {
		stage->methods[method] = true;
		if (found->unlisted.count == UNLISTED_MAX)
			dmt_error_at(error, DMTRACE_ERR_LIMIT,
			    DMTRACE_PLACE_OFFSET,
			    dmt_batch_offset(&stage->source, in, at),
			    "more than %d methods that are not listed: the "
			    "records do not belong to this key", UNLISTED_MAX);
		else
			*dmt_push(&found->unlisted, &stage->no_memory) = method;
	}
	return true;
}

/* Judges the current batch and keeps the valid events, up to one before which
 * exits must be inserted; the next call continues with that event. */
static void
mend_part(struct mend_stage *stage)
{
	struct dmt_batch *const in = stage->in;
	size_t kept = 0;

	for (; stage->next < stage->in_kept; stage->next++) {
		const uint16_t at = in->keep[stage->next];
		const bool stays = stage->judged || mend_event(stage, at);

		stage->judged = stage->exits.next < stage->exits.count;
		if (stage->judged || stage->source.error.status != DMTRACE_OK)
			break;
		if (stays)
			in->keep[kept++] = at;
	}
	in->kept = kept;
}

/* Edges of the trace. */

/* Returns the lowest first, or the highest last, wall time of all threads. */
static uint64_t
find_edge(const struct mend_stage *stage, bool last)
{
	const struct dmt_index_list *const order = &stage->found.threads;
	uint64_t edge_ns = last ? 0 : UINT64_MAX;

	for (size_t i = 0; i < order->count; i++) {
		const struct mended_clock *const wall =
		    &stage->threads[order->items[i]].wall;

		if (last ? wall->last_ns > edge_ns : wall->first_ns < edge_ns)
			edge_ns = last ? wall->last_ns : wall->first_ns;
	}
	return edge_ns;
}

/* Inserts exits of the open calls, at the end of the trace or, if the times of
 * threads cannot be compared, of the thread. */
static void
close_calls(struct mend_stage *stage)
{
	const struct dmt_indexes *const indexes = stage->source.indexes;
	const struct dmt_index_list *const order = &stage->found.threads;
	const uint64_t end_ns = find_edge(stage, true);

	if (stage->keeps_edges)
		return;
	for (size_t i = 0; i < order->count; i++) {
		const uint32_t index = order->items[i];
		const struct mended_thread *const thread =
		    &stage->threads[index];
		const uint32_t depth = stage->stacks.items[index].depth;
		const uint64_t last_ns = thread->wall.last_ns;

		if (depth == 0)
			continue;
		add_exits(stage, (struct dmt_insert){ .thread = index,
		    .action = DMTRACE_EXIT, .flags = DMT_EVENT_NEW,
		    .cpu_ns = thread->cpu.last_ns,
		    .wall_ns = stage->comparable ?
		    reach_time(stage, last_ns, end_ns) : last_ns }, 1, depth);
		dmt_change_add(&stage->found.changes, DMT_CALL_OPEN, depth,
		    DMTRACE_PLACE_NONE, 0, "thread %" PRIu32 ", method 0x%"
		    PRIx64, indexes->threads[index].number,
		    indexes->methods[open_method_at(stage, index, depth)].id);
		stage->found.closed += depth;
	}
}

/* Passes. */

/* Continues with the next batch, or with the exits after the last one. */
static enum dmtrace_status
begin_batch(struct mend_stage *stage)
{
	struct dmtrace_source *const from = stage->source.from;

	if (dmt_pull(from, &stage->in) != DMTRACE_OK)
		return from->error.status;
	if (stage->in == NULL) {
		close_calls(stage);
		stage->ended = true;
		return DMTRACE_OK;
	}
	const struct dmt_batch *const in = stage->in;
	const struct dmt_indexes *const indexes = stage->source.indexes;
	stage->in_kept = in->kept;
	stage->next = 0;
	if (!stage->bare) {
		stage->found.records += in->kept;
		return DMTRACE_OK;
	}

	/* Remember which records could be a tail: see count_tail. */
	for (size_t i = 0; i < in->kept; i++) {
		const size_t at = in->keep[i];

		stage->threads[in->thread[at]].last = in->first + at;
		if (indexes->threads[in->thread[at]].row != NULL ||
		    indexes->methods[in->method[at]].row != NULL)
			stage->listed_end = in->first + at + 1;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
pull_mended(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct mend_stage *const stage = (struct mend_stage *)source;

	if (stage->skips)
		return dmt_pull(source->from, out);
	for (;;) {
		*out = dmt_inserts_next(&stage->enters, &stage->added);
		if (*out == NULL)
			*out = dmt_inserts_next(&stage->exits, &stage->added);
		if (*out != NULL || stage->ended)
			return DMTRACE_OK;
		stage->exits.count = stage->exits.next = 0;

		const enum dmtrace_status status = stage->in != NULL ?
		    DMTRACE_OK : begin_batch(stage);
		if (status != DMTRACE_OK)
			return status;
		struct dmt_batch *const part = stage->in;
		if (!stage->ended)
			mend_part(stage);
		if (stage->no_memory)
			dmt_error_memory(&source->error);
		if (source->error.status != DMTRACE_OK)
			return source->error.status;
		if (stage->ended)
			continue;
		if (stage->next == stage->in_kept)
			stage->in = NULL;
		if (part->kept > 0) {
			*out = part;
			return DMTRACE_OK;
		}
	}
}

/* Resets the state to before the first event. */
static void
reset_stage(struct mend_stage *stage)
{
	const struct dmt_indexes *const indexes = stage->source.indexes;
	struct dmt_mended *const found = &stage->found;

	for (size_t i = 0; i < indexes->thread_count; i++) {
		struct mended_thread *const thread = &stage->threads[i];
		struct dmt_index_list opened = thread->opened;

		opened.count = 0;
		*thread = (struct mended_thread){ .opened = opened };
	}
	dmt_callstacks_reset(&stage->stacks);
	if (indexes->method_count > 0)
		memset(stage->methods, 0, indexes->method_count);
	stage->listed_end = 0;
	stage->enters.next = 0;
	stage->exits.count = stage->exits.next = 0;
	stage->in = NULL;
	stage->judged = stage->ended = false;
	found->closed = found->records_out = 0;
	if (!stage->bare)
		found->records = 0;
	found->threads.count = found->unlisted.count = 0;
	memset(&found->changes, 0, sizeof(found->changes));
}

static enum dmtrace_status
rewind_mended(struct dmtrace_source *source)
{
	if (dmt_source_rewind(source->from) != DMTRACE_OK)
		return source->from->error.status;
	reset_stage((struct mend_stage *)source);
	return DMTRACE_OK;
}

/*
 * Returns how many records at the end are garbage: their method is not listed,
 * and their thread is neither listed nor has an event of a listed method. 0 if
 * all records are like that.
 */
static uint64_t
count_tail(const struct mend_stage *stage)
{
	const struct dmtrace_source *const source = &stage->source;
	const struct dmt_blanks blanks =
	    dmt_records_source_blanks(source->from);
	uint64_t end = stage->listed_end;

	if (dmtrace_key_thread_count(source->key) == 0 ||
	    dmtrace_key_method_count(source->key) == 0)
		return 0;
	for (size_t i = 0; i < source->indexes->thread_count; i++) {
		const struct mended_thread *const thread = &stage->threads[i];

		if (!thread->known)
			continue;
		if (thread->last >= end)
			end = thread->last + 1;
		if (source->indexes->threads[i].number == 0 &&
		    blanks.count > 0 && blanks.last >= end)
			end = blanks.last + 1;
	}
	return end == 0 ? 0 : stage->found.records - end;
}

static enum dmtrace_status
pull_all(struct mend_stage *stage)
{
	struct dmt_batch *batch;

	do {
		if (dmt_pull(&stage->source, &batch) != DMTRACE_OK)
			return stage->source.error.status;
		if (batch != NULL)
			stage->found.records_out += batch->kept;
	} while (batch != NULL);
	return DMTRACE_OK;
}

/* After the first pass: removes the tail, which requires another pass, and
 * counts other records that were dropped. */
static enum dmtrace_status
drop_bare_records(struct mend_stage *stage)
{
	struct dmtrace_source *const source = &stage->source;
	struct dmt_mended *const found = &stage->found;
	const uint64_t tail = count_tail(stage);

	if (tail > 0) {
		found->records -= tail;
		const uint64_t at = dmt_records_source_shorten(source->from,
		    found->records);
		if (dmt_source_rewind(source) != DMTRACE_OK ||
		    pull_all(stage) != DMTRACE_OK)
			return source->error.status;
		dmt_change_add(&found->changes, DMT_RECORD_TAIL, tail,
		    DMTRACE_PLACE_OFFSET, at,
		    "neither their threads nor their methods are listed");
	}
	const struct dmt_blanks blanks =
	    dmt_records_source_blanks(source->from);
	dmt_change_add(&found->changes, DMT_RECORD_BLANK, blanks.count,
	    DMTRACE_PLACE_OFFSET, blanks.first_at,
	    "thread 0, method 0x0");
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_mend_learn(struct dmtrace_source *source)
{
	struct mend_stage *const stage = (struct mend_stage *)source;
	struct dmt_mended *const found = &stage->found;

	if (pull_all(stage) != DMTRACE_OK ||
	    (stage->bare && drop_bare_records(stage) != DMTRACE_OK))
		return source->error.status;

	for (size_t i = 0; i < found->threads.count; i++) {
		const struct mended_thread *const thread =
		    &stage->threads[found->threads.items[i]];

		if (dmt_layout_has_cpu(source->layout) &&
		    thread->cpu.last_ns > found->latest_ns)
			found->latest_ns = thread->cpu.last_ns;
		if (dmt_layout_has_wall(source->layout) &&
		    thread->wall.last_ns > found->latest_ns)
			found->latest_ns = thread->wall.last_ns;
	}

	/* Calls that were open before the first event are entered there. */
	const uint64_t start_ns = find_edge(stage, false);
	for (size_t i = 0; i < found->threads.count; i++) {
		const uint32_t index = found->threads.items[i];
		const struct mended_thread *const thread =
		    &stage->threads[index];

		for (size_t j = thread->opened.count; j > 0; j--)
			*dmt_push(&stage->enters, &stage->no_memory) =
			    (struct dmt_insert){
				.thread = index,
				.method = thread->opened.items[j - 1],
				.action = DMTRACE_ENTER,
				.flags = DMT_EVENT_NEW,
				.cpu_ns = thread->cpu.first_ns,
				.wall_ns = stage->comparable ? start_ns :
				    thread->wall.first_ns
			};
	}
	if (stage->no_memory)
		return dmt_error_memory(&source->error);
	found->opened = stage->enters.count;
	found->records_out += found->opened;
	stage->learned = *found;
	found->threads = found->unlisted = (struct dmt_index_list){ 0 };
	return DMTRACE_OK;
}

const struct dmt_mended *
dmt_mend_found(const struct dmtrace_source *source)
{
	return &((const struct mend_stage *)source)->learned;
}

void
dmt_mend_skip(struct dmtrace_source *source)
{
	((struct mend_stage *)source)->skips = true;
}

static void
want_columns(struct dmtrace_source *source, unsigned columns)
{
	dmt_want(source->from,
	    columns | (DMT_COLUMN_ALL & ~DMT_COLUMN_FLAGS));
}

static void
fini_mended_thread(void *thread)
{
	free(((struct mended_thread *)thread)->opened.items);
}

static void
fini_mended(struct dmtrace_source *source)
{
	struct mend_stage *const stage = (struct mend_stage *)source;

	free(stage->enters.items);
	free(stage->exits.items);
	free(stage->found.threads.items);
	free(stage->found.unlisted.items);
	free(stage->learned.threads.items);
	free(stage->learned.unlisted.items);
	dmt_callstacks_fini(&stage->stacks);
}

static const struct dmt_input_kind mend_kind = {
	pull_mended, rewind_mended, want_columns, fini_mended
};

struct dmtrace_source *
dmt_mend_events(const struct dmt_mend_input *input,
    const struct dmtrace_repair_options *options)
{
	struct dmtrace_source *const from = input->source;
	struct mend_stage *const stage = from == NULL ? NULL :
	    calloc(1, sizeof(*stage));

	if (stage == NULL) {
		dmtrace_source_free(from);
		return NULL;
	}
	dmt_stage_init(&stage->source, &mend_kind, from);
	stage->source.changes |= DMT_COLUMN_METHOD | DMT_COLUMN_CPU |
	    DMT_COLUMN_WALL;
	stage->strategy = options->time;
	stage->keeps_edges = (options->flags & DMTRACE_REPAIR_EDGES) != 0;
	stage->comparable = dmt_times_comparable(from->key, from->layout);
	stage->wraps = input->wraps;
	stage->moved = input->moved;
	stage->bare = input->bare;
	stage->found.records = input->records;
	dmt_callstacks_attach(&stage->stacks, from,
	    sizeof(struct dmt_call_frame));
	dmt_attach(from, &stage->threads, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*stage->threads),
	    .fini = fini_mended_thread });
	dmt_attach(from, &stage->methods, &(struct dmt_table){
	    .by = DMT_BY_METHOD, .item_size = sizeof(*stage->methods) });
	return &stage->source;
}
