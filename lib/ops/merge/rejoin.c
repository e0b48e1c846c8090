/* rejoin.c - the pieces of a trace to what it was; the mirror of pieces.c */

/*
 * The options that a split puts into the keys of its pieces say which pieces
 * belong together, and how many records of each are its own, after those that
 * were added at its start and before those at its end. All keys are checked
 * first (rejoin_parts.c); without the options they and the headers are the same
 * bytes, which are written as they stand. Then each piece is an input of the
 * merger, with its own records alone. Pieces of threads go by the wall time,
 * if it can be compared, between events that were added to the trace itself
 * before; all others have one place in the order, and follow each other by
 * their number.
 */

#include "ops/merge/rejoin.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "base/path.h"
#include "key/key.h"
#include "ops/merge/merger.h"
#include "trace/batch_write.h"

/* The records of a part that are its own, in their order. */
struct part_stage {
	struct dmtrace_source source;
	struct dmt_rejoin *rejoin;
	struct dmt_part *part;
	uint64_t number;		/* of records that came */
	uint64_t last;			/* order */
	uint64_t order[DMT_BATCH_EVENTS];
};

/* Of a record with that number among its part's own: those that an earlier
 * filter had added to the edges of the trace stay there. */
static uint64_t
find_piece_order(struct part_stage *stage, uint64_t number, uint64_t time_ns)
{
	const struct dmt_piece_facts *const facts = &stage->part->facts;
	uint64_t order = stage->rejoin->timed ? time_ns / 1000 + 1 : 1;

	if (facts->by != DMTRACE_PIECES_THREAD || number < facts->was_opened)
		order = 0;
	else if (facts->records - number <= facts->was_closed)
		order = DMT_ORDER_LAST;
	if (order > stage->last)
		stage->last = order;
	return stage->last;
}

/* After the last record. */
static enum dmtrace_status
end_part(struct part_stage *stage)
{
	const struct dmt_piece_facts *const facts = &stage->part->facts;
	const uint8_t *bytes;

	if (stage->number < facts->opened + facts->records + facts->closed)
		return dmt_part_too_few(stage->rejoin, stage->part);
	const size_t len = dmt_reader_tail(stage->part->reader, &bytes);
	return dmt_part_take_tail(stage->rejoin, stage->part, bytes, len);
}

/* Drops what the split has added to the part. */
static enum dmtrace_status
take_rejoin_batch(struct part_stage *stage, struct dmt_batch *batch)
{
	const struct dmt_piece_facts *const facts = &stage->part->facts;

	batch->kept = 0;
	for (size_t i = 0; i < batch->count; i++, stage->number++) {
		const uint64_t own = stage->number - facts->opened;

		if (stage->number < facts->opened || own >= facts->records)
			continue;
		stage->order[i] = find_piece_order(stage, own,
		    batch->wall_ns[i]);
		batch->keep[batch->kept++] = (uint16_t)i;
	}
	batch->order = stage->order;
	return stage->number <=
	    facts->opened + facts->records + facts->closed ? DMTRACE_OK :
	    dmt_part_changed(stage->rejoin, stage->part,
	    "it has more records than its key says");
}

static enum dmtrace_status
pull_part(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct part_stage *const stage = (struct part_stage *)source;
	struct dmtrace_op *const op = stage->rejoin->op;

	if (dmt_pull(source->from, out) != DMTRACE_OK)
		return dmt_op_fail(op, &stage->part->file,
		    &source->from->error);
	if ((*out == NULL ? end_part(stage) : take_rejoin_batch(stage, *out)) ==
	    DMTRACE_OK)
		return DMTRACE_OK;
	source->error = op->error;
	return op->error.status;
}

static void
want_part(struct dmtrace_source *source, unsigned columns)
{
	const struct part_stage *const stage = (struct part_stage *)source;

	(void)columns;
	dmt_want(source->from, DMT_COLUMN_RECORDS |
	    (stage->rejoin->timed ? DMT_COLUMN_WALL : 0));
}

static void
fini_part(struct dmtrace_source *source)
{
	(void)source;
}

/* A merger reads its inputs once. */
static const struct dmt_input_kind part_kind = {
	pull_part, NULL, want_part, fini_part
};

/* What the piece's key says beyond what the split has added. */
static void
take_added(struct dmt_piece_facts *facts, const struct dmtrace_key *key)
{
	const uint64_t opened = dmt_added(key, "dmtrace-opened");
	const uint64_t closed = dmt_added(key, "dmtrace-closed");

	facts->was_opened = opened > facts->opened ?
	    opened - facts->opened : 0;
	facts->was_closed = closed > facts->closed ?
	    closed - facts->closed : 0;
}

/* NULL: op has the failure. */
static struct dmtrace_source *
open_part(struct dmt_rejoin *rejoin, struct dmt_part *part)
{
	if (dmt_part_open(rejoin, part, &part->reader) != DMTRACE_OK)
		return NULL;
	take_added(&part->facts, dmtrace_reader_key(part->reader));
	struct dmtrace_source *const source = dmtrace_source_new(part->reader);
	struct part_stage *const stage = calloc(1, sizeof(*stage));
	if (source == NULL || stage == NULL) {
		dmt_error_memory(&rejoin->op->error);
	} else if (dmt_input_narrow(source, &rejoin->pool,
	    dmt_merger_events(rejoin->count)) != DMTRACE_OK) {
		dmt_op_fail(rejoin->op, &part->file, &source->error);
	} else {
		dmt_stage_init(&stage->source, &part_kind, source);
		stage->rejoin = rejoin;
		stage->part = part;
		return &stage->source;
	}
	dmtrace_source_free(source);
	free(stage);
	return NULL;
}

/* All parts to a merger; NULL: op has the failure. */
static struct dmtrace_source *
open_parts(struct dmt_rejoin *rejoin)
{
	struct dmtrace_source **const sources =
	    dmt_array_new(rejoin->count, sizeof(struct dmtrace_source *));
	struct dmtrace_source *merger = NULL;
	size_t made = 0;

	while (sources != NULL && made < rejoin->count) {
		sources[made] = open_part(rejoin, &rejoin->parts[made]);
		if (sources[made] == NULL)
			break;
		made++;
	}
	if (made == rejoin->count)
		merger = dmt_merger_new(sources, made, NULL, &rejoin->layout,
		    NULL);
	else
		while (made > 0)
			dmtrace_source_free(sources[--made]);
	free(sources);
	if (merger == NULL && rejoin->op->error.status == DMTRACE_OK)
		dmt_error_memory(&rejoin->op->error);
	return merger;
}

static enum dmtrace_status
write_rejoined(struct dmt_rejoin *rejoin)
{
	const struct dmt_batch_form form =
	    { .layout = &rejoin->layout, .like = true };
	struct dmtrace_op *const op = rejoin->op;
	struct dmt_batch *batch = NULL;

	if (!dmt_pool_init(&rejoin->pool))
		return dmt_error_memory(&op->error);
	rejoin->merger = open_parts(rejoin);
	if (rejoin->merger == NULL)
		return op->error.status;
	dmt_want(rejoin->merger, 0);
	do {
		if (dmt_pull(rejoin->merger, &batch) != DMTRACE_OK)
			return dmt_op_fail(op, NULL, &rejoin->merger->error);
		if (batch == NULL)
			break;
		dmt_batch_write(&rejoin->output, &form, batch, 0, batch->kept);
		rejoin->done += dmt_records_len(form.layout, batch->kept);
	} while (dmt_op_progress(op, rejoin->done, rejoin->total) ==
	    DMTRACE_OK);
	return op->error.status;
}

static void
open_half(struct dmt_rejoin *rejoin, struct dmt_output *output,
    const char *path)
{
	dmt_output_open_path(output, path);
	output->no_replace = rejoin->flags & DMTRACE_NO_REPLACE;
	output->sync = rejoin->flags & DMTRACE_SYNC;
}

/* The names of a pair, or that of a joined file. */
static enum dmtrace_status
open_rejoined(struct dmt_rejoin *rejoin, const struct dmtrace_file *out)
{
	const bool is_key = dmt_path_ends(out->path, ".key");
	char *partner;

	if (out->path == NULL)
		dmt_output_open_fd(&rejoin->output, out->fd);
	else if (!is_key && !dmt_path_ends(out->path, ".data"))
		open_half(rejoin, &rejoin->output, out->path);
	else {
		partner = dmt_path_partner(out->path);
		if (partner == NULL)
			return dmt_error_memory(&rejoin->op->error);
		open_half(rejoin, &rejoin->key_output,
		    is_key ? out->path : partner);
		open_half(rejoin, &rejoin->output,
		    is_key ? partner : out->path);
		free(partner);
	}
	dmt_op_fail(rejoin->op, out, &rejoin->key_output.error);
	return dmt_op_fail(rejoin->op, out, &rejoin->output.error);
}

/* The data gets its name before the key. */
static enum dmtrace_status
finish_rejoin(struct dmt_rejoin *rejoin, const struct dmtrace_file *out)
{
	struct dmtrace_op *const op = rejoin->op;

	dmt_output_write(&rejoin->output, rejoin->tail, rejoin->tail_len);
	dmt_output_finish(&rejoin->key_output);
	dmt_output_finish(&rejoin->output);
	dmt_op_fail(op, out, &rejoin->key_output.error);
	if (dmt_op_fail(op, out, &rejoin->output.error) != DMTRACE_OK)
		return op->error.status;
	if (dmt_output_publish(&rejoin->output) == DMTRACE_OK &&
	    dmt_output_publish(&rejoin->key_output) != DMTRACE_OK)
		dmt_output_withdraw(&rejoin->output);
	dmt_op_fail(op, out, &rejoin->key_output.error);
	return dmt_op_fail(op, out, &rejoin->output.error);
}

static enum dmtrace_status
rejoin_pieces(struct dmt_rejoin *rejoin, const char *const *paths,
    const struct dmtrace_file *out)
{
	struct dmt_output *key = &rejoin->output;

	if (dmt_rejoin_look(rejoin, paths) != DMTRACE_OK ||
	    open_rejoined(rejoin, out) != DMTRACE_OK)
		return rejoin->op->error.status;
	if (rejoin->key_output.path != NULL)
		key = &rejoin->key_output;
	dmt_output_write(key, rejoin->front, rejoin->key_len);
	dmt_output_write(&rejoin->output, rejoin->front + rejoin->key_len,
	    rejoin->front_len - rejoin->key_len);
	return write_rejoined(rejoin) == DMTRACE_OK ?
	    finish_rejoin(rejoin, out) :
	    rejoin->op->error.status;
}

enum dmtrace_status
dmtrace_join_pieces(struct dmtrace_op *op, const char *const *paths,
    size_t count, const struct dmtrace_file *out, unsigned flags, int *exact)
{
	struct dmt_rejoin rejoin = { .op = op, .flags = flags,
	    .count = count };

	if (dmt_op_begin_call(op, __func__, out == NULL ||
	    (paths == NULL && count > 0)) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (count == 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_TRUNCATED,
		    "there are no pieces");
	dmt_output_open_memory(&rejoin.key_output);
	dmt_output_open_memory(&rejoin.output);
	const enum dmtrace_status status = rejoin_pieces(&rejoin, paths, out);
	if (status == DMTRACE_OK && exact != NULL)
		*exact = rejoin.parts[0].facts.exact;
	dmtrace_source_free(rejoin.merger);
	for (size_t i = 0; rejoin.parts != NULL && i < count; i++)
		dmtrace_reader_free(rejoin.parts[i].reader);
	dmt_pool_fini(&rejoin.pool);
	dmt_output_fini(&rejoin.output);
	dmt_output_fini(&rejoin.key_output);
	free(rejoin.parts);
	free(rejoin.front);
	free(rejoin.stripped);
	free(rejoin.tail);
	return status;
}
