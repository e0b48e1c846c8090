/* piece_set.c - the output files of a split */

/*
 * Each piece is a temporary file. It begins with the front of all pieces
 * (piece_front.c), grows as events are written, and finally gets its end, its
 * own block of lines and its name, when all pieces are complete. Records are
 * copied; events of trace format V2 are encoded again, each part of a batch as
 * a block, so that none has to wait for the next part, and all pieces share the
 * state of writing. A split by thread writes to all pieces in turn, which may
 * be more files than a process may open: a piece needs no descriptor while its
 * buffer has space, and when it is written, the piece that has had its
 * descriptor for the longest time is closed.
 */

#include "ops/split/piece_set.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/path.h"
#include "private/select.h"
#include "private/trace.h"
#include "trace/container.h"
#include "trace/reader.h"

#define WIDE_PIECES 64		/* this many pieces have large buffers */
#define WIDE_ROOM (68 * 1024)	/* writes end at a page boundary */
#define ROOM (16 * 1024)

enum dmtrace_status
dmt_piece_set_init(struct dmt_piece_set *set, struct dmtrace_op *op,
    struct dmtrace_reader *reader,
    const struct dmtrace_pieces_options *options)
{
	struct dmtrace_error error = { 0 };

	*set = (struct dmt_piece_set){
		.op = op,
		.reader = reader,
		.options = options,
		.in = { .path = dmt_reader_data_path(reader), .fd = 0 },
		.exact = true,
		.open_max = dmt_open_files_max()
	};
	set->open = dmt_array_new(set->open_max, sizeof(*set->open));
	set->source = dmtrace_source_new(reader);
	if (set->open == NULL || set->source == NULL)
		return dmt_error_memory(&op->error);
	dmt_source_set_progress(set->source, op->progress,
	    op->progress_context);
	dmt_piece_front_init(&set->front, reader, &error);
	set->columns = reader->dialect->columns;
	return dmt_op_fail(op, &set->in, &error);
}

void
dmt_piece_set_fini(struct dmt_piece_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		dmt_output_fini(&set->items[i]->output);
		free(set->items[i]->path);
		free(set->items[i]);
	}
	free(set->items);
	free(set->open);
	dmtrace_source_free(set->source);
	dmt_piece_front_fini(&set->front);
}

enum dmtrace_status
dmt_piece_check(struct dmt_piece_set *set, const struct dmt_piece *piece)
{
	return dmt_op_fail(set->op, NULL, &piece->output.error);
}

/* Opens the file of a piece and closes that of the piece that has been open
 * for the longest time, until it is written again. */
static enum dmtrace_status
take_turn(struct dmt_piece_set *set, struct dmt_piece *piece)
{
	struct dmt_piece *const old = set->open[set->open_next];

	set->open[set->open_next] = piece;
	set->open_next = (set->open_next + 1) % set->open_max;
	if (old == NULL || old == piece || !dmt_output_has_fd(&old->output))
		return DMTRACE_OK;
	dmt_output_park(&old->output);
	return dmt_piece_check(set, old);
}

/* Makes sure that the output of the piece has a descriptor. */
static enum dmtrace_status
use_piece(struct dmt_piece_set *set, struct dmt_piece *piece)
{
	if (dmt_output_has_fd(&piece->output))
		return DMTRACE_OK;
	if (take_turn(set, piece) != DMTRACE_OK)
		return set->op->error.status;
	dmt_output_resume(&piece->output);
	return dmt_piece_check(set, piece);
}

enum dmtrace_status
dmt_piece_set_pull(struct dmt_piece_set *set, struct dmt_batch **batch)
{
	return dmt_pull(set->source, batch) == DMTRACE_OK ? DMTRACE_OK :
	    dmt_op_fail(set->op, &set->in, &set->source->error);
}

/* Appends events in the format of the front. */
static enum dmtrace_status
write_piece_events(struct dmt_piece_set *set, struct dmt_piece *piece,
    const struct dmt_batch *batch, size_t first, size_t count)
{
	struct dmt_piece_front *const front = &set->front;
	struct dmt_writing *const writing = front->writing;
	const struct dmt_dialect *const dialect = writing->format.dialect;
	struct dmt_output *const output = &piece->output;

	if (count * front->event_max > output->capacity - output->len &&
	    use_piece(set, piece) != DMTRACE_OK)
		return set->op->error.status;
	if (set->last != piece)
		dmt_piece_front_forget(front);
	set->last = piece;
	if (front->lines.unit_ns != 0) {
		const uint64_t *const times_ns =
		    dmt_clock_times(set->source, batch);

		for (size_t i = first; i < first + count; i++)
			if (times_ns[batch->keep[i]] > piece->facts.last_ns)
				piece->facts.last_ns =
				    times_ns[batch->keep[i]];
	}
	const size_t done = dialect->put(writing, output, set->source, batch,
	    first, count);
	dialect->flush(writing, output);
	if (dmt_piece_check(set, piece) != DMTRACE_OK || done == count)
		return set->op->error.status;
	return dmt_error_set(&set->op->error, DMTRACE_ERR_RANGE,
	    "an event does not fit a piece");
}

enum dmtrace_status
dmt_piece_put(struct dmt_piece_set *set, struct dmt_piece *piece,
    const struct dmt_batch *batch, size_t first, size_t count)
{
	piece->facts.records += count;
	for (size_t i = first; i < first + count; i++) {
		const unsigned flags = batch->flags[batch->keep[i]];

		piece->facts.was_opened += (flags & DMT_EVENT_OPENED) != 0;
		piece->facts.was_closed += (flags & DMT_EVENT_CLOSED) != 0;
	}
	return write_piece_events(set, piece, batch, first, count);
}

enum dmtrace_status
dmt_piece_put_frames(struct dmt_piece_set *set, struct dmt_piece *piece,
    const struct dmt_batch *batch)
{
	return write_piece_events(set, piece, batch, 0, batch->kept);
}

uint64_t
dmt_piece_size_with(const struct dmt_piece_set *set, uint64_t written,
    uint64_t events)
{
	const struct dmt_piece_front *const front = &set->front;
	const uint64_t tail = front->lines.packets ? 0 :
	    dmt_records_len(set->source->layout, 1) - 1;

	return written + events * front->event_max + front->end_len + tail;
}

enum dmtrace_status
dmt_piece_close(struct dmt_piece_set *set, struct dmt_piece *piece)
{
	dmt_output_finish(&piece->output);
	free(piece->output.bytes);
	piece->output.bytes = NULL;
	piece->output.capacity = 0;
	return dmt_piece_check(set, piece);
}

enum dmtrace_status
dmt_piece_set_add(struct dmt_piece_set *set)
{
	const unsigned number = (unsigned)set->count;
	const size_t usual = set->count < WIDE_PIECES ? WIDE_ROOM : ROOM;
	const size_t least = (size_t)dmt_records_len(set->source->layout, 1);

	if (set->count >= set->options->max_files) {
		set->too_many = true;
		return dmt_error_set(&set->op->error, DMTRACE_ERR_LIMIT,
		    "there are more pieces than %" PRIu64,
		    set->options->max_files);
	}
	struct dmt_piece **const items = dmt_array_grow(set->items,
	    &set->capacity, set->count + 1, sizeof(struct dmt_piece *));
	if (items == NULL)
		return dmt_error_memory(&set->op->error);
	set->items = items;
	struct dmt_piece *const piece = dmt_array_new(1, sizeof(*piece));
	if (piece == NULL)
		return dmt_error_memory(&set->op->error);
	items[set->count++] = piece;
	if (take_turn(set, piece) != DMTRACE_OK)
		return set->op->error.status;
	dmt_output_open_part(&piece->output, set->options->before, number,
	    usual < least ? least : usual);
	dmt_output_patch(&piece->output, 0, set->front.bytes, set->front.len);
	return dmt_piece_check(set, piece);
}

/* Completes the facts of each piece. */
static void
complete_facts(struct dmt_piece_set *set)
{
	uint64_t id = dmt_piece_hash_form(set->front.id,
	    dmt_piece_form(set->reader));

	for (size_t i = 0; i < set->count; i++) {
		struct dmt_piece_facts *const facts = &set->items[i]->facts;

		facts->index = i + 1;
		facts->total = set->count;
		facts->by = set->options->by;
		facts->exact = set->exact;
		facts->methods = set->front.methods;
		id = dmt_piece_hash_facts(id, facts);
	}
	for (size_t i = 0; i < set->count; i++)
		set->items[i]->facts.id = id;
}

/* Writes the end of a piece, and its block. */
static enum dmtrace_status
complete_piece(struct dmt_piece_set *set, struct dmt_piece *piece,
    const uint8_t *tail, size_t tail_len)
{
	const struct dmt_piece_front *const front = &set->front;
	struct dmt_output *const output = &piece->output;

	if (!dmt_piece_front_fill(&set->front, &piece->facts))
		return dmt_error_set(&set->op->error, DMTRACE_ERR_LIMIT,
		    "a piece has too many events for its key");
	if (use_piece(set, piece) != DMTRACE_OK)
		return set->op->error.status;
	dmt_output_patch(output, output->written, tail, tail_len);
	dmt_output_patch(output, output->written, front->bytes + front->len,
	    front->end_len);
	if (!front->lines.packets)
		dmt_output_patch(output, front->block_at,
		    front->bytes + front->block_at, front->lines.len);
	if (dmt_path_ends(set->options->after, ".dmt"))
		dmt_output_write_text(output);
	output->sync = set->options->flags & DMTRACE_SYNC;
	return dmt_piece_close(set, piece);
}

enum dmtrace_status
dmt_piece_set_finish(struct dmt_piece_set *set)
{
	const uint8_t *tail;
	const size_t tail_len = dmt_reader_tail(set->reader, &tail);
	size_t published = 0;

	complete_facts(set);
	for (size_t i = 0; i < set->count; i++)
		if (complete_piece(set, set->items[i], tail, tail_len) !=
		    DMTRACE_OK)
			return set->op->error.status;

	/* Choose the names, which must not be those of existing files. */
	if (!dmt_piece_set_name(set))
		return dmt_error_memory(&set->op->error);
	for (size_t i = 0; i < set->count; i++) {
		struct dmt_piece *const piece = set->items[i];
		struct dmt_output *const output = &piece->output;

		dmt_output_name(output, piece->path);
		output->no_replace = set->options->flags & DMTRACE_NO_REPLACE;
		if (dmt_reader_reads(set->reader, piece->path))
			dmt_error_set(&output->error, DMTRACE_ERR_IO,
			    "a piece would replace the input");
		errno = EEXIST;
		if (output->no_replace && output->replaces)
			dmt_path_failed(&output->error, "cannot create",
			    output->path);
		if (dmt_piece_check(set, piece) != DMTRACE_OK)
			return set->op->error.status;
	}

	/* Either all files get their final names, or none. */
	while (published < set->count && dmt_output_publish(
	    &set->items[published]->output) == DMTRACE_OK)
		published++;
	if (published == set->count)
		return DMTRACE_OK;
	dmt_piece_check(set, set->items[published]);
	while (published-- > 0)
		dmt_output_withdraw(&set->items[published]->output);
	return set->op->error.status;
}
