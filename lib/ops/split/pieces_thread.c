/* pieces_thread.c - splits a trace into one piece per thread */

/*
 * Each batch is sorted by thread: the events of each thread are counted, then
 * the list of positions is filled again, thread after thread, with each
 * thread's events in order. Each part of the list is written to its piece at
 * once. The cost does not depend on the number of threads, and records are
 * copied one by one only into the buffer of their piece. A run of events of
 * one thread is counted and moved as a whole.
 *
 * Meanwhile it checks if "merge --rejoin" can restore the order of the whole
 * trace. Rejoining merges pieces by wall time, with equal times in the order
 * of the pieces, which is that of their first events; if wall times cannot be
 * compared, one piece follows the other. Times are compared as in records,
 * without unwrapping.
 */

#include "ops/split/piece_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/inline.h"
#include "events/select.h"

/* By thread index. */
struct thread_part {
	struct dmt_piece *piece;	/* NULL: no event yet */
	uint32_t rank;			/* position among the pieces */
	uint32_t count;			/* number of events in this batch,
					   then */
	uint32_t end;			/* the end of its part of the list */
};

struct thread_split {
	struct dmt_piece_set *set;
	bool timed;			/* wall times can be compared */
	uint64_t last;			/* sort key of the last event */
	struct thread_part *parts;
	uint32_t touched[DMT_BATCH_EVENTS];	/* threads of this batch */
	struct thread_run {
		uint32_t thread;
		uint32_t count;
	} runs[DMT_BATCH_EVENTS];
	uint16_t sorted[DMT_BATCH_EVENTS];	/* positions, by thread */
};

DMT_COLD static enum dmtrace_status
begin_thread_piece(struct thread_split *split, uint32_t thread)
{
	struct dmt_piece_set *const set = split->set;
	const struct dmt_indexed_thread *const indexed =
	    &set->source->indexes->threads[thread];

	if (dmt_piece_set_add(set) != DMTRACE_OK)
		return set->op->error.status;
	struct dmt_piece *const piece = set->items[set->count - 1];
	piece->thread = indexed->number;
	if (indexed->row != NULL)
		piece->name = indexed->row->name;
	split->parts[thread].piece = piece;
	split->parts[thread].rank = (uint32_t)set->count - 1;
	return DMTRACE_OK;
}

/* Notes that the order is lost if the sort key is lower than the last one. */
static void
check_order(struct thread_split *split, uint64_t wall_ns, uint32_t rank)
{
	const uint64_t time_us =
	    split->timed ? (uint32_t)(wall_ns / 1000) : 0;
	const uint64_t now = time_us << 31 | rank;

	if (now < split->last)
		split->set->exact = false;
	split->last = now;
}

static enum dmtrace_status
copy_thread_runs(struct thread_split *split, struct dmt_batch *batch)
{
	struct thread_part *const parts = split->parts;
	const size_t kept = batch->kept;
	size_t touched = 0, runs = 0, at = 0;

	/* Count the events of each run and thread. */
	for (size_t i = 0; i < kept; ) {
		const uint32_t thread = batch->thread[batch->keep[i]];
		struct thread_part *const part = &parts[thread];
		const size_t first = i;

		if (part->piece == NULL &&
		    begin_thread_piece(split, thread) != DMTRACE_OK)
			return split->set->op->error.status;
		do
			check_order(split, batch->wall_ns[batch->keep[i++]],
			    part->rank);
		while (i < kept && batch->thread[batch->keep[i]] == thread);
		if (part->count == 0)
			split->touched[touched++] = thread;
		part->count += (uint32_t)(i - first);
		split->runs[runs++] =
		    (struct thread_run){ thread, (uint32_t)(i - first) };
	}

	/* Compute where each thread begins in the list. */
	for (size_t i = 0; i < touched; i++) {
		struct thread_part *const part = &parts[split->touched[i]];

		part->end = (uint32_t)at;
		at += part->count;
	}
	at = 0;
	for (size_t i = 0; i < runs; i++) {
		const struct thread_run *const run = &split->runs[i];
		struct thread_part *const part = &parts[run->thread];

		memcpy(split->sorted + part->end, batch->keep + at,
		    run->count * sizeof(*batch->keep));
		part->end += run->count;
		at += run->count;
	}
	memcpy(batch->keep, split->sorted,
	    kept * sizeof(*batch->keep));

	for (size_t i = 0; i < touched; i++) {
		struct thread_part *const part = &parts[split->touched[i]];
		const size_t count = part->count;

		part->count = 0;
		if (dmt_piece_put(split->set, part->piece, batch,
		    part->end - count, count) != DMTRACE_OK)
			return split->set->op->error.status;
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
copy_by_thread(struct thread_split *split)
{
	struct dmt_piece_set *const set = split->set;
	struct dmt_batch *batch;

	dmt_attach(set->source, &split->parts, &(struct dmt_table){
	    .by = DMT_BY_THREAD, .item_size = sizeof(*split->parts) });
	dmt_want(set->source, DMT_COLUMN_THREAD | DMT_COLUMN_FLAGS |
	    (split->timed ? DMT_COLUMN_WALL : 0) | set->columns);
	for (;;) {
		if (dmt_piece_set_pull(set, &batch) != DMTRACE_OK)
			return set->op->error.status;
		if (batch == NULL)
			break;
		if (copy_thread_runs(split, batch) != DMTRACE_OK)
			return set->op->error.status;
	}
	return set->count > 0 ? DMTRACE_OK : dmt_piece_set_add(set);
}

enum dmtrace_status
dmt_pieces_by_thread(struct dmt_piece_set *set)
{
	struct thread_split *const split = calloc(1, sizeof(*split));

	if (split == NULL)
		return dmt_error_memory(&set->op->error);
	split->set = set;
	split->timed = dmt_times_comparable(set->source->key,
	    set->source->layout);
	const enum dmtrace_status status = copy_by_thread(split);
	free(split);
	return status;
}
