/* rejoin.c - the pieces of a trace to what it was; the mirror of pieces.c */

/*
 * The key of each piece is read, and the lines that the split put into it are
 * taken out again: what is left, and the header, must be the same bytes in all
 * pieces, and is written as it stands. The lines number the pieces, say how
 * many records of each are its own, after those that were added at its start
 * and before those at its end, and have one id, a hash of these bytes and of
 * the counts in all lines. So a missing piece, one of another split and a
 * changed count are found before anything is written.
 *
 * Then each piece is opened once more, its lines are compared with those that
 * were found before, and it is an input of the merger, with its own records
 * alone. Pieces of threads go by the wall time, if it can be compared, between
 * events that were added to the trace itself before; all others have one place
 * in the order, and follow each other by their number.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/path.h"
#include "events/select.h"
#include "key/key.h"
#include "ops/merge/merger.h"
#include "ops/op.h"
#include "ops/split/piece_key.h"
#include "trace/batch_write.h"

/* A piece among the operands. */
struct part {
	struct dmtrace_file file;
	struct dmt_piece_facts facts;
	struct dmtrace_reader *reader;	/* while its records are read */
};

struct rejoin {
	struct dmtrace_op *op;
	unsigned flags;
	struct part *parts;		/* by their index, all of them */
	size_t count;
	uint8_t *front;			/* what stands before the records */
	size_t front_len;
	uint8_t *stripped;		/* that of another part */
	size_t capacity;
	size_t key_len;			/* of it, with the gap of a pair */
	struct dmt_layout layout;
	uint8_t *tail;			/* and after them */
	size_t tail_len;
	bool has_tail;			/* the first piece's is known */
	bool timed;
	uint64_t done;			/* bytes of records, of total */
	uint64_t total;
	struct dmt_pool pool;
	struct dmtrace_source *merger;
	struct dmt_output key_output;	/* of a pair */
	struct dmt_output output;
};

/* The records of a part that are its own, in their order. */
struct part_stage {
	struct dmtrace_source source;
	struct rejoin *rejoin;
	struct part *part;
	uint64_t number;		/* of records that came */
	uint64_t last;			/* order */
	uint64_t order[DMT_BATCH_EVENTS];
};

static enum dmtrace_status
fail_part(struct rejoin *rejoin, const struct part *part,
    enum dmtrace_status status, const char *how)
{
	struct dmtrace_error error = { 0 };

	dmt_error_set(&error, status, "%s", how);
	return dmt_op_fail(rejoin->op, &part->file, &error);
}

/* Opens a part, whose reader then is at its first record, and takes what the
 * split has added out of its key. */
static enum dmtrace_status
open_part(struct rejoin *rejoin, struct part *part)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_error error = { 0 };
	struct dmt_piece_facts facts;
	size_t len;

	part->reader = reader;
	if (reader == NULL)
		return dmt_error_memory(&rejoin->op->error);
	if (dmtrace_reader_open_path(reader, part->file.path) != DMTRACE_OK)
		return dmt_op_fail(rejoin->op, &part->file,
		    dmtrace_reader_error(reader));
	if (dmt_reader_container(reader) == DMTRACE_CONTAINER_PACKETS)
		return fail_part(rejoin, part, DMTRACE_ERR_UNSUPPORTED,
		    "ART trace format V2 can be read, not merged");

	/* Of one part after the other in one place, for keys can be large. */
	uint8_t *const stripped = dmt_array_grow(rejoin->stripped,
	    &rejoin->capacity, dmt_piece_front_max(reader), 1);
	if (stripped == NULL)
		return dmt_error_memory(&rejoin->op->error);
	rejoin->stripped = stripped;
	if (dmt_piece_front_strip(&facts, stripped, &len, reader, &error) !=
	    DMTRACE_OK)
		return dmt_op_fail(rejoin->op, &part->file, &error);
	if (part->facts.total != 0 &&
	    (part->facts.index != facts.index || part->facts.id != facts.id))
		return fail_part(rejoin, part, DMTRACE_ERR_CORRUPT,
		    "was changed since the split: another file by now");
	part->facts = facts;

	/* The first part's is that of all of them. */
	if (rejoin->front == NULL) {
		rejoin->front = stripped;
		rejoin->front_len = len;
		rejoin->key_len = len - dmt_reader_data_lead_len(reader);
		rejoin->layout = *dmt_reader_layout(reader);
		rejoin->timed = dmt_times_comparable(
		    dmtrace_reader_key(reader), &rejoin->layout);
		rejoin->stripped = NULL;
		rejoin->capacity = 0;
	} else if (len != rejoin->front_len ||
	    memcmp(stripped, rejoin->front, len) != 0) {
		return fail_part(rejoin, part, DMTRACE_ERR_FOREIGN,
		    "is a piece of another trace: its key or header differs");
	}
	return DMTRACE_OK;
}

static int
compare_parts(const void *left, const void *right)
{
	const uint64_t a = ((const struct part *)left)->facts.index;
	const uint64_t b = ((const struct part *)right)->facts.index;

	return a < b ? -1 : a > b;
}

/* Adds ", 4 to 6" for the parts from first up to end. */
static void
append_range(char *list, size_t size, uint64_t first, uint64_t end)
{
	const size_t len = strlen(list);

	if (first == end || len > size - 64)
		return;
	if (end - first == 1)
		snprintf(list + len, size - len, ", %" PRIu64, first);
	else
		snprintf(list + len, size - len, ", %" PRIu64 " to %" PRIu64,
		    first, end - 1);
}

static enum dmtrace_status
fail_missing_parts(struct rejoin *rejoin)
{
	const uint64_t total = rejoin->parts[0].facts.total;
	char list[160] = "";
	uint64_t next = 1;

	for (size_t i = 0; i < rejoin->count; i++) {
		append_range(list, sizeof(list), next,
		    rejoin->parts[i].facts.index);
		next = rejoin->parts[i].facts.index + 1;
	}
	append_range(list, sizeof(list), next, total + 1);
	return dmt_error_set(&rejoin->op->error, DMTRACE_ERR_TRUNCATED,
	    "%" PRIu64 " of %" PRIu64 " pieces missing: %s",
	    total - rejoin->count, total, list + 2);
}

/* Looks at the files: whether they are the pieces of one split, all of them,
 * each once, and as it made them. Sorts them by index. */
static enum dmtrace_status
check_parts(struct rejoin *rejoin, const char *const *paths)
{
	const size_t count = rejoin->count;
	struct part *const parts = dmt_array_new(count, sizeof(*parts));

	rejoin->parts = parts;
	if (parts == NULL)
		return dmt_error_memory(&rejoin->op->error);
	for (size_t i = 0; i < count; i++) {
		parts[i].file = (struct dmtrace_file){ paths[i], -1 };
		const enum dmtrace_status status =
		    open_part(rejoin, &parts[i]);
		dmtrace_reader_free(parts[i].reader);
		parts[i].reader = NULL;
		if (status != DMTRACE_OK)
			return status;
	}

	for (size_t i = 1; i < count; i++)
		if (parts[i].facts.id != parts[0].facts.id ||
		    parts[i].facts.total != parts[0].facts.total)
			return fail_part(rejoin, &parts[i],
			    DMTRACE_ERR_FOREIGN,
			    "is a piece of another split of the trace");
	qsort(parts, count, sizeof(*parts), compare_parts);
	for (size_t i = 1; i < count; i++) {
		struct dmtrace_error error = { 0 };

		if (parts[i].facts.index != parts[i - 1].facts.index)
			continue;
		dmt_error_set(&error, DMTRACE_ERR_FOREIGN, "is piece %" PRIu64
		    ", and so is %s", parts[i].facts.index,
		    parts[i - 1].file.path);
		return dmt_op_fail(rejoin->op, &parts[i].file, &error);
	}
	if (count != parts[0].facts.total)
		return fail_missing_parts(rejoin);

	/* The split gave all its pieces a hash of what it knew of them. */
	uint64_t id = dmt_piece_hash(DMT_PIECE_HASH, rejoin->front,
	    rejoin->front_len);
	for (size_t i = 0; i < count; i++) {
		id = dmt_piece_hash_facts(id, &parts[i].facts);
		rejoin->total += dmt_records_len(&rejoin->layout,
		    parts[i].facts.records);
	}
	return id == parts[0].facts.id ? DMTRACE_OK :
	    dmt_error_set(&rejoin->op->error, DMTRACE_ERR_CORRUPT,
	    "the keys of the pieces were changed since the split");
}

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

/* Drops what the split has added to the part. */
static enum dmtrace_status
keep_own_records(struct part_stage *stage, struct dmt_batch *batch)
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
	    fail_part(stage->rejoin, stage->part, DMTRACE_ERR_CORRUPT,
	    "was changed since the split: it has more records than its key"
	    " says");
}

/* After the last record, whose number is known; what follows the records must
 * be the same in all parts. */
static enum dmtrace_status
end_part(struct part_stage *stage)
{
	struct rejoin *const rejoin = stage->rejoin;
	const struct dmt_piece_facts *const facts = &stage->part->facts;
	const uint8_t *bytes;

	if (stage->number < facts->opened + facts->records + facts->closed)
		return fail_part(rejoin, stage->part, DMTRACE_ERR_CORRUPT,
		    "was changed since the split: it has fewer records than"
		    " its key says");
	const size_t len = dmt_reader_tail(stage->part->reader, &bytes);
	if (!rejoin->has_tail) {
		rejoin->tail = dmt_array_new(len, 1);
		if (rejoin->tail == NULL)
			return dmt_error_memory(&rejoin->op->error);
		if (len > 0)
			memcpy(rejoin->tail, bytes, len);
		rejoin->tail_len = len;
		rejoin->has_tail = true;
	} else if (len != rejoin->tail_len ||
	    (len > 0 && memcmp(bytes, rejoin->tail, len) != 0)) {
		return fail_part(rejoin, stage->part, DMTRACE_ERR_CORRUPT,
		    "was changed since the split: not the bytes after the"
		    " last record of the others");
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
pull_part(struct dmtrace_source *source, struct dmt_batch **out)
{
	struct part_stage *const stage = (struct part_stage *)source;
	struct dmtrace_op *const op = stage->rejoin->op;

	if (dmt_pull(source->from, out) != DMTRACE_OK)
		return dmt_op_fail(op, &stage->part->file,
		    &source->from->error);
	if ((*out == NULL ? end_part(stage) : keep_own_records(stage, *out)) ==
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

/* NULL: op has the failure. */
static struct dmtrace_source *
new_part_stage(struct rejoin *rejoin, struct part *part)
{
	struct dmt_piece_facts *const facts = &part->facts;

	if (open_part(rejoin, part) != DMTRACE_OK)
		return NULL;

	/* What the piece's key says beyond what the split has added. */
	const struct dmtrace_key *const key = dmtrace_reader_key(part->reader);
	const uint64_t opened = dmt_added(key, "dmtrace-opened");
	const uint64_t closed = dmt_added(key, "dmtrace-closed");
	facts->was_opened = opened > facts->opened ?
	    opened - facts->opened : 0;
	facts->was_closed = closed > facts->closed ?
	    closed - facts->closed : 0;

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

static enum dmtrace_status
write_rejoined(struct rejoin *rejoin)
{
	const struct dmt_batch_form form =
	    { .layout = &rejoin->layout, .like = true };
	struct dmtrace_op *const op = rejoin->op;
	struct dmt_batch *batch = NULL;
	size_t made = 0;

	/* All parts to a merger, which owns their stages then. */
	if (!dmt_pool_init(&rejoin->pool))
		return dmt_error_memory(&op->error);
	struct dmtrace_source **const stages =
	    dmt_array_new(rejoin->count, sizeof(struct dmtrace_source *));
	for (; stages != NULL && made < rejoin->count; made++) {
		stages[made] = new_part_stage(rejoin, &rejoin->parts[made]);
		if (stages[made] == NULL)
			break;
	}
	if (made == rejoin->count)
		rejoin->merger = dmt_merger_new(stages, made, NULL,
		    &rejoin->layout, NULL);
	else
		while (made > 0)
			dmtrace_source_free(stages[--made]);
	free(stages);
	if (rejoin->merger == NULL)
		return op->error.status != DMTRACE_OK ? op->error.status :
		    dmt_error_memory(&op->error);

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
open_rejoined_file(struct rejoin *rejoin, struct dmt_output *output,
    const char *path)
{
	dmt_output_open_path(output, path);
	output->no_replace = rejoin->flags & DMTRACE_NO_REPLACE;
	output->sync = rejoin->flags & DMTRACE_SYNC;
}

/* The names of a pair, or that of a joined file. */
static enum dmtrace_status
open_rejoined(struct rejoin *rejoin, const struct dmtrace_file *out)
{
	const bool is_key = dmt_path_ends(out->path, ".key");

	if (out->path == NULL) {
		dmt_output_open_fd(&rejoin->output, out->fd);
	} else if (!is_key && !dmt_path_ends(out->path, ".data")) {
		open_rejoined_file(rejoin, &rejoin->output, out->path);
	} else {
		char *const partner = dmt_path_partner(out->path);

		if (partner == NULL)
			return dmt_error_memory(&rejoin->op->error);
		open_rejoined_file(rejoin, &rejoin->key_output,
		    is_key ? out->path : partner);
		open_rejoined_file(rejoin, &rejoin->output,
		    is_key ? partner : out->path);
		free(partner);
	}
	dmt_op_fail(rejoin->op, out, &rejoin->key_output.error);
	return dmt_op_fail(rejoin->op, out, &rejoin->output.error);
}

/* The data gets its name before the key. */
static enum dmtrace_status
finish_rejoined(struct rejoin *rejoin, const struct dmtrace_file *out)
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

enum dmtrace_status
dmtrace_join_pieces(struct dmtrace_op *op, const char *const *paths,
    size_t count, const struct dmtrace_file *out, unsigned flags, int *exact)
{
	struct rejoin rejoin = { .op = op, .flags = flags, .count = count };

	if (dmt_op_begin_call(op, __func__, out == NULL ||
	    (paths == NULL && count > 0)) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (count == 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_TRUNCATED,
		    "there are no pieces");
	dmt_output_open_memory(&rejoin.key_output);
	dmt_output_open_memory(&rejoin.output);
	if (check_parts(&rejoin, paths) != DMTRACE_OK ||
	    open_rejoined(&rejoin, out) != DMTRACE_OK)
		goto end;
	dmt_output_write(rejoin.key_output.path != NULL ? &rejoin.key_output :
	    &rejoin.output, rejoin.front, rejoin.key_len);
	dmt_output_write(&rejoin.output, rejoin.front + rejoin.key_len,
	    rejoin.front_len - rejoin.key_len);
	if (write_rejoined(&rejoin) == DMTRACE_OK &&
	    finish_rejoined(&rejoin, out) == DMTRACE_OK && exact != NULL)
		*exact = rejoin.parts[0].facts.exact;
end:
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
	return op->error.status;
}
