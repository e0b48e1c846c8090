/* pieces_thread.c - a trace to one piece for each of its threads */

#include "ops/pieces.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "data/record.h"
#include "data/record_deal.h"
#include "key/added.h"

#define HELD_MAX (16 * 1024 * 1024)	/* bytes; see struct deal */

struct deal {
	struct dmt_piece_set *set;
	struct dmt_deal deal;
	struct dmt_piece **pieces;	/* by thread number */
	/* Records that are not dealt until it is known that they are not, or
	 * are, among the last ones, which were added before. */
	size_t held;
	uint64_t opened;		/* the first ones that were */
	uint64_t done;			/* records */
};

/* Records in the lane that the sink does not know of yet become its. */
static void
settle(struct dmt_deal_lane *lane, struct dmt_piece *piece, size_t size)
{
	struct dmt_sink *const sink = &piece->sink;

	if (lane->at == NULL)
		return;
	const size_t len =
	    (size_t)(lane->at - (sink->buffer + sink->used));
	piece->facts.records += len / size;
	dmt_sink_advance(sink, len);
	lane->at = NULL;
	lane->room = 0;
}

static enum dmtrace_status
begin_piece(struct deal *deal, uint32_t thread)
{
	struct dmt_piece_set *const set = deal->set;
	const struct dmtrace_thread *const row = dmtrace_key_thread_match(
	    set->reader->key, &set->reader->layout, thread);

	if (dmt_piece_set_add(set) != DMTRACE_OK)
		return set->op->error.status;
	struct dmt_piece *const piece = set->items[set->count - 1];
	piece->thread = thread;
	if (row != NULL)
		piece->name = row->name;
	deal->pieces[thread] = piece;
	deal->deal.lanes[thread].rank = (uint32_t)set->count - 1;
	return DMTRACE_OK;
}

/* The lane of the thread has no room: the buffer is full, or there is no
 * piece. */
static enum dmtrace_status
make_room(struct deal *deal, uint32_t thread)
{
	struct dmt_piece_set *const set = deal->set;
	struct dmt_deal_lane *const lane = &deal->deal.lanes[thread];
	const size_t size = set->reader->layout.record_size;

	if (deal->pieces[thread] == NULL &&
	    begin_piece(deal, thread) != DMTRACE_OK)
		return set->op->error.status;
	struct dmt_piece *const piece = deal->pieces[thread];
	settle(lane, piece, size);
	if (dmt_piece_use(set, piece) != DMTRACE_OK)
		return set->op->error.status;
	dmt_sink_spill(&piece->sink, dmt_piece_unit(piece));
	lane->at = dmt_sink_reserve(&piece->sink, size);
	if (lane->at == NULL)
		return dmt_piece_check(set, piece);
	lane->room = (uint32_t)((piece->sink.capacity - piece->sink.used) /
	    size);
	return DMTRACE_OK;
}

static enum dmtrace_status
deal_out(struct deal *deal, const uint8_t *in, size_t count)
{
	const struct dmtrace_layout *const layout =
	    &deal->set->reader->layout;
	enum dmtrace_status status = DMTRACE_OK;

	deal->done += count;
	while (status == DMTRACE_OK) {
		const size_t done =
		    dmt_records_deal(&deal->deal, layout, in, count);

		in += done * layout->record_size;
		count -= done;
		if (count == 0)
			break;
		status = make_room(deal,
		    (uint32_t)dmt_field_get(layout->thread, in));
	}
	return status;
}

static void
settle_all(struct deal *deal)
{
	struct dmt_piece_set *const set = deal->set;

	for (size_t i = 0; i < set->count; i++)
		settle(&deal->deal.lanes[set->items[i]->thread],
		    set->items[i], set->reader->layout.record_size);
}

/* The records so far are those that were added before. */
static void
note_opened(struct deal *deal)
{
	struct dmt_piece_set *const set = deal->set;

	settle_all(deal);
	for (size_t i = 0; i < set->count; i++)
		set->items[i]->facts.was_opened =
		    set->items[i]->facts.records;
}

/* The records from here on are. */
static void
note_closing(struct deal *deal)
{
	struct dmt_piece_set *const set = deal->set;

	settle_all(deal);
	for (size_t i = 0; i < set->count; i++)
		set->items[i]->facts.was_closed =
		    set->items[i]->facts.records;
}

static void
note_closed(struct deal *deal)
{
	struct dmt_piece_set *const set = deal->set;

	settle_all(deal);
	for (size_t i = 0; i < set->count; i++)
		set->items[i]->facts.was_closed =
		    set->items[i]->facts.records -
		    set->items[i]->facts.was_closed;
}

/* Deals the next count records of the window. */
static enum dmtrace_status
take(struct deal *deal, const uint8_t *in, size_t count)
{
	const size_t size = deal->set->reader->layout.record_size;
	size_t first = 0;

	if (deal->done < deal->opened && deal->opened - deal->done <= count) {
		first = (size_t)(deal->opened - deal->done);
		if (deal_out(deal, in, first) != DMTRACE_OK)
			return deal->set->op->error.status;
		note_opened(deal);
	}
	if (deal_out(deal, in + first * size, count - first) != DMTRACE_OK)
		return deal->set->op->error.status;
	dmt_source_skip(deal->set->reader->source, count * size);
	return DMTRACE_OK;
}

/* What is held is added, all of it or as much as there is. */
static enum dmtrace_status
take_held(struct deal *deal)
{
	const size_t size = deal->set->reader->layout.record_size;
	const uint8_t *in;
	const size_t count = dmt_source_peek(deal->set->reader->source, 1,
	    &in) / size;

	note_closing(deal);
	if (take(deal, in, count) != DMTRACE_OK)
		return deal->set->op->error.status;
	if (deal->done < deal->opened)
		note_opened(deal);
	note_closed(deal);
	return DMTRACE_OK;
}

static enum dmtrace_status
take_all(struct deal *deal)
{
	struct dmtrace_op *const op = deal->set->op;
	struct dmt_source *const source = deal->set->reader->source;
	const size_t size = deal->set->reader->layout.record_size;
	const size_t want = (deal->held + 1) * size;
	const uint8_t *in;
	size_t len;

	while ((len = dmt_source_peek(source, want, &in)) >= want) {
		if (dmt_op_progress(op, source->offset,
		    dmt_source_size(source)) != DMTRACE_OK ||
		    take(deal, in, len / size - deal->held) != DMTRACE_OK)
			return op->error.status;
	}
	return take_held(deal);
}

static enum dmtrace_status
run(struct deal *deal)
{
	struct dmt_piece_set *const set = deal->set;

	if (take_all(deal) != DMTRACE_OK)
		return set->op->error.status;
	set->exact = !deal->deal.unsorted;
	return set->count > 0 ? DMTRACE_OK : dmt_piece_set_add(set);
}

static size_t
count_held(const struct dmtrace_reader *reader)
{
	const uint64_t closed =
	    dmt_added(reader->key, "dmtrace-closed");
	const size_t most = HELD_MAX / reader->layout.record_size;

	return closed < most ? (size_t)closed : most;
}

enum dmtrace_status
dmt_pieces_by_thread(struct dmt_piece_set *set)
{
	const size_t numbers = dmt_layout_thread_numbers(&set->reader->layout);
	struct deal deal = {
		.set = set,
		.deal = {
			.lanes = dmt_array_new(numbers,
			    sizeof(struct dmt_deal_lane)),
			.timed = dmt_piece_timed(set->reader)
		},
		.pieces = dmt_array_new(numbers, sizeof(struct dmt_piece *)),
		.held = count_held(set->reader),
		.opened = dmt_added(set->reader->key,
		    "dmtrace-opened")
	};
	const enum dmtrace_status status =
	    deal.deal.lanes == NULL || deal.pieces == NULL ?
	    dmt_error_memory(&set->op->error) : run(&deal);

	free(deal.pieces);
	free(deal.deal.lanes);
	return status;
}
