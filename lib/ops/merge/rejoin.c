/* rejoin.c - joins the pieces of a split trace; the reverse of pieces.c */

/*
 * The key of each piece is read, and the lines that the split added to it are
 * removed: the rest, and the header, must be the same bytes in all pieces. The
 * added lines number the pieces, state how many records of each piece are its
 * own, how many were added at its start and its end, and have a common id, a
 * hash of these bytes and of the counts in all pieces. So a missing piece, a
 * piece of another split and a changed count are detected before anything is
 * written.
 *
 * Then each piece is opened again, its lines are compared with those that were
 * found before, and its own records become an input of the merger. A writer
 * that is like the first piece writes them: records are copied, packets are
 * made anew. If the split was by thread, the records are ordered by wall time,
 * if that can be compared, between those that had been added to the whole
 * trace before. Otherwise all records have equal sort keys, and the pieces
 * follow each other by their number.
 *
 * Methods are those of the common key. Where an id has several rows, a piece
 * may announce them again, in its own order: then its indexes are matched by
 * the lines of the rows, and records are followed by an index. They are also
 * followed by the name of their thread, whose rows are the same in all pieces.
 */

#include "ops/merge/rejoin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/hash.h"
#include "data/record_list.h"
#include "events/select.h"
#include "key/key.h"
#include "ops/file.h"
#include "ops/merge/merger.h"
#include "ops/split/piece_front.h"
#include "private/key.h"
#include "trace/reader_source.h"
#include "trace/writer.h"

/* One of the pieces. */
struct part {
	struct dmtrace_file file;
	struct dmt_piece_facts facts;
	struct dmtrace_reader *reader;	/* while its records are read */
};

struct rejoin {
	struct dmtrace_op *op;
	unsigned flags;
	struct part *parts;		/* by their index in the split */
	size_t count;
	uint8_t *front;			/* the bytes before the records: */
	size_t front_len;
	size_t key_len;			/* the key comes first */
	uint8_t *stripped;		/* the same of another part */
	size_t capacity;
	uint64_t form;			/* see dmt_piece_form */
	struct dmt_layout layout;	/* of the records */
	struct dmt_layout merged;	/* of the records in the merger */
	uint8_t *tail;			/* the bytes after the records */
	size_t tail_len;
	bool has_tail;			/* that of the first piece is known */
	bool timed;
	bool redefines;			/* a record alone does not determine
					   its method and thread's name */
	uint32_t names[DMT_BATCH_EVENTS];	/* of a batch */
	uint64_t done;			/* bytes of records, of total */
	uint64_t total;
	struct dmt_pool pool;
	struct dmt_indexes indexes;	/* of all parts, with the common key */
	struct dmt_idmap by_line;	/* indexes by the hash of id and line */
	uint8_t *records;		/* of a batch, without methods */
	struct dmtrace_source *merger;
	struct dmtrace_key *key;	/* the common key, until it is the */
	struct dmtrace_writer *writer;	/* property of the writer */
};

/* A stage that returns the part's own records in order. */
struct part_stage {
	struct dmtrace_source source;
	struct rejoin *rejoin;
	struct part *part;
	uint64_t number;		/* of records so far */
	uint64_t last;			/* sort key */
	struct dmt_indexes *indexes;	/* of this part; NULL: the rejoin's */
	uint32_t *methods;		/* by own index: 1 + the rejoin's
					   index; 0: that of the id */
	size_t method_count;
	uint8_t *records;		/* of a batch, with methods */
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

/* Opens a part up to its first record, and removes from its key what the split
 * added. */
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

	/* One buffer for all parts, as keys can be large. */
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
		    "was changed since the split: another file has replaced "
		    "it");
	part->facts = facts;

	/* Keep the front of the first part, to compare others with it. */
	if (rejoin->front == NULL) {
		rejoin->front = stripped;
		rejoin->front_len = len;
		rejoin->key_len = len - dmt_reader_lead_len(reader);
		rejoin->form = dmt_piece_form(reader);
		rejoin->redefines = reader->definitions.redefined_count > 0 ||
		    reader->definitions.named_count > 0;
		rejoin->layout = *dmt_reader_layout(reader);
		rejoin->timed = dmt_times_comparable(
		    dmtrace_reader_key(reader), &rejoin->layout);
		rejoin->stripped = NULL;
		rejoin->capacity = 0;
	} else if (len != rejoin->front_len ||
	    memcmp(stripped, rejoin->front, len) != 0) {
		return fail_part(rejoin, part, DMTRACE_ERR_FOREIGN,
		    "is a piece of another trace: its key or header differs");
	} else if (dmt_piece_form(reader) != rejoin->form) {
		return fail_part(rejoin, part, DMTRACE_ERR_CORRUPT,
		    "was changed since the split: its events are read as those"
		    " of another stage or record size");
	}
	if (reader->definitions.redefined_count > 0 && !rejoin->redefines)
		return fail_part(rejoin, part, DMTRACE_ERR_CORRUPT,
		    "was changed since the split: it redefines a method");
	return DMTRACE_OK;
}

static int
compare_parts(const void *left, const void *right)
{
	const uint64_t a = ((const struct part *)left)->facts.index;
	const uint64_t b = ((const struct part *)right)->facts.index;

	return a < b ? -1 : a > b;
}

/* Appends ", 4 to 6" for the parts first to end - 1. */
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
	    "%" PRIu64 " of %" PRIu64 " pieces missing: %s; \"dmtrace merge"
	    " --rejoin\" needs all of them",
	    total - rejoin->count, total, list + 2);
}

/* Checks that the files are all pieces of one split, each exactly once and
 * unchanged. Sorts them by index. */
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
		    ", and so is %s; \"dmtrace merge --rejoin\" needs each"
		    " piece once", parts[i].facts.index,
		    parts[i - 1].file.path);
		return dmt_op_fail(rejoin->op, &parts[i].file, &error);
	}
	if (count != parts[0].facts.total)
		return fail_missing_parts(rejoin);

	/* All pieces have a hash of the facts that the split knew. */
	uint64_t id = dmt_piece_hash_form(dmt_hash_bytes(DMT_HASH,
	    rejoin->front, rejoin->front_len), rejoin->form);
	for (size_t i = 0; i < count; i++) {
		id = dmt_piece_hash_facts(id, &parts[i].facts);
		rejoin->total += dmt_records_len(&rejoin->layout,
		    parts[i].facts.records);
	}
	return id == parts[0].facts.id ? DMTRACE_OK :
	    dmt_error_set(&rejoin->op->error, DMTRACE_ERR_CORRUPT,
	    "the keys of the pieces were changed since the split");
}

/* Returns the sort key of a part's record; number counts its own records only.
 * Records that an earlier filter had added at the edges of the trace are first
 * or last. */
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

/* Appends the rejoin's method index, and the name of the thread, to each
 * record. */
static enum dmtrace_status
add_numbers(struct part_stage *stage, struct dmt_batch *batch)
{
	struct dmt_indexes *const indexes = &stage->rejoin->indexes;

	for (size_t i = 0; i < batch->count; i++) {
		const uint32_t own = batch->method[i];

		batch->method[i] = own < stage->method_count &&
		    stage->methods[own] != 0 ? stage->methods[own] - 1 :
		    dmt_method_index(indexes, stage->indexes->methods[own].id);
	}
	if (indexes->failed)
		return dmt_error_memory(&stage->rejoin->op->error);
	dmt_records_add_numbers(stage->records, &stage->rejoin->layout,
	    batch->records, batch->method, batch->names, batch->count);
	batch->records = stage->records;
	return DMTRACE_OK;
}

/* Drops the records that the split added to the part. */
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
	if (stage->number > facts->opened + facts->records + facts->closed)
		return fail_part(stage->rejoin, stage->part,
		    DMTRACE_ERR_CORRUPT, "was changed since the split: it has"
		    " more events than its key says");
	return stage->records == NULL ? DMTRACE_OK :
	    add_numbers(stage, batch);
}

/* After the last record of a part: checks how many it had, and that the bytes
 * after the records are the same in all parts. */
static enum dmtrace_status
end_part(struct part_stage *stage)
{
	struct rejoin *const rejoin = stage->rejoin;
	const struct dmt_piece_facts *const facts = &stage->part->facts;
	const uint8_t *bytes;

	if (stage->number < facts->opened + facts->records + facts->closed)
		return fail_part(rejoin, stage->part, DMTRACE_ERR_CORRUPT,
		    "was changed since the split: it has fewer events than"
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
		    " last event of the others");
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
	    (stage->rejoin->timed ? DMT_COLUMN_WALL : 0) |
	    (stage->records == NULL ? 0 :
	    DMT_COLUMN_THREAD | DMT_COLUMN_METHOD));
}

static void
fini_part(struct dmtrace_source *source)
{
	free(((struct part_stage *)source)->methods);
	free(((struct part_stage *)source)->records);
}

/* A merger reads its inputs once. */
static const struct dmt_input_kind part_kind = {
	pull_part, NULL, want_part, fini_part
};

/* Returns the hash of a row of key: of its id and its line. */
static uint64_t
hash_line(const struct rejoin *rejoin, const struct dmtrace_key *key,
    size_t row)
{
	const struct dmtrace_text line = dmt_key_method_line(key, row);
	const uint64_t from[] = {
		(uintptr_t)rejoin, dmtrace_key_method_get(key, row)->id
	};

	return dmt_hash_bytes(dmt_hash_bytes(DMT_HASH, from,
	    sizeof(from)), line.bytes, line.len);
}

/* Makes indexes for all rows of the key, if some share an id. */
static enum dmtrace_status
index_rows(struct rejoin *rejoin)
{
	const struct dmtrace_key *const key = rejoin->key;
	struct dmt_indexes *const indexes = &rejoin->indexes;

	for (size_t i = 0; i < dmtrace_key_method_count(key); i++) {
		const struct dmtrace_method *const row =
		    dmtrace_key_method_get(key, i);
		const uint64_t id = row->id & ~UINT64_C(3);
		const uint32_t index =
		    dmtrace_key_method_find(key, id) == row ?
		    dmt_method_index(indexes, id) :
		    dmt_method_index_add(indexes, id, row);

		if (indexes->failed || !dmt_idmap_reserve(&rejoin->by_line))
			return dmt_error_memory(&rejoin->op->error);
		dmt_idmap_put(&rejoin->by_line, hash_line(rejoin, key, i),
		    index);
	}
	return DMTRACE_OK;
}

/* For a piece that redefines ids or renames threads: maps its method indexes to
 * those of the rejoin. */
static enum dmtrace_status
match_rows(struct part_stage *stage, struct dmtrace_source *source)
{
	struct rejoin *const rejoin = stage->rejoin;
	const struct dmt_definitions *const definitions =
	    &stage->part->reader->definitions;
	const size_t most = dmt_merger_events(rejoin->count);

	if (dmt_input_redefine(source) != DMTRACE_OK)
		return dmt_error_memory(&rejoin->op->error);
	stage->indexes = source->indexes;
	stage->method_count = source->indexes->method_count;
	stage->methods =
	    dmt_array_new(stage->method_count, sizeof(*stage->methods));
	stage->records = dmt_array_new(most,
	    (size_t)dmt_records_len(&rejoin->merged, 1));
	if (stage->methods == NULL || stage->records == NULL)
		return dmt_error_memory(&rejoin->op->error);
	for (size_t i = 0; i < definitions->redefined_count; i++) {
		const uint32_t *const index = dmt_idmap_find(&rejoin->by_line,
		    hash_line(rejoin, source->key,
		    definitions->redefined[i].row));

		if (index == NULL)
			return fail_part(rejoin, stage->part,
			    DMTRACE_ERR_CORRUPT, "was changed since the split:"
			    " it redefines a method");
		stage->methods[dmt_input_redefined(source, i)] = *index + 1;
	}
	return DMTRACE_OK;
}

/* NULL: the failure is in op. */
static struct dmtrace_source *
new_part_stage(struct rejoin *rejoin, struct part *part)
{
	struct dmt_piece_facts *const facts = &part->facts;

	if (open_part(rejoin, part) != DMTRACE_OK)
		return NULL;

	/* What is in a compressed part is copied, so that one program unpacks
	 * at a time, not one for each part. */
	if (part->reader->input->packed &&
	    dmt_reader_hold(part->reader) != DMTRACE_OK) {
		dmt_op_fail(rejoin->op, &part->file,
		    dmtrace_reader_error(part->reader));
		return NULL;
	}

	/* What the piece's key says besides what the split added. */
	const struct dmtrace_key *const key = dmtrace_reader_key(part->reader);
	const struct dmt_key_counts counts = dmt_key_counts(key);
	facts->was_opened = counts.opened > facts->opened ?
	    counts.opened - facts->opened : 0;
	facts->was_closed = counts.closed > facts->closed ?
	    counts.closed - facts->closed : 0;

	struct dmtrace_source *const source = dmt_input_source(part->reader,
	    rejoin->redefines ? NULL : &rejoin->indexes);
	struct part_stage *const stage = calloc(1, sizeof(*stage));
	if (source == NULL || stage == NULL) {
		dmt_error_memory(&rejoin->op->error);
		dmtrace_source_free(source);
		free(stage);
		return NULL;
	}
	dmt_stage_init(&stage->source, &part_kind, source);
	stage->rejoin = rejoin;
	stage->part = part;
	if ((!rejoin->redefines || match_rows(stage, source) == DMTRACE_OK) &&
	    dmt_input_narrow(source, &rejoin->pool,
	    dmt_merger_events(rejoin->count)) == DMTRACE_OK)
		return &stage->source;
	dmt_op_fail(rejoin->op, &part->file, &source->error);
	dmtrace_source_free(&stage->source);
	return NULL;
}

/* Makes a merger over all parts; it then owns their stages. */
static enum dmtrace_status
merge_parts(struct rejoin *rejoin)
{
	struct dmtrace_op *const op = rejoin->op;
	struct dmtrace_source **const stages =
	    dmt_array_new(rejoin->count, sizeof(struct dmtrace_source *));
	size_t made = 0;

	for (; stages != NULL && made < rejoin->count; made++) {
		stages[made] = new_part_stage(rejoin, &rejoin->parts[made]);
		if (stages[made] == NULL)
			break;
	}
	if (made == rejoin->count)
		rejoin->merger = dmt_merger_new(stages, made, rejoin->key,
		    &rejoin->merged, &rejoin->indexes);
	else
		while (made > 0)
			dmtrace_source_free(stages[--made]);
	free(stages);
	return rejoin->merger != NULL ? DMTRACE_OK :
	    op->error.status != DMTRACE_OK ? op->error.status :
	    dmt_error_memory(&op->error);
}

/* Makes the merger of the parts, with the common key, and a writer that is
 * like the first part and has that key. */
static enum dmtrace_status
begin_rejoin(struct rejoin *rejoin)
{
	struct dmtrace_op *const op = rejoin->op;
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	rejoin->writer = writer;
	rejoin->merged = rejoin->layout;
	if (writer != NULL)
		rejoin->key = dmt_key_make(dmtrace_writer_key(writer),
		    rejoin->front, rejoin->key_len);
	if (rejoin->key == NULL || !dmt_pool_init(&rejoin->pool) ||
	    !dmt_indexes_init(&rejoin->indexes, rejoin->key, &rejoin->layout))
		return dmt_error_memory(&op->error);
	if (rejoin->redefines) {
		dmt_layout_add_numbers(&rejoin->merged);
		rejoin->records = dmt_array_new(DMT_BATCH_EVENTS,
		    (size_t)dmt_records_len(&rejoin->layout, 1));
		if (rejoin->records == NULL)
			return dmt_error_memory(&op->error);
		if (index_rows(rejoin) != DMTRACE_OK)
			return op->error.status;
	}
	if (merge_parts(rejoin) != DMTRACE_OK)
		return op->error.status;
	if (dmtrace_writer_set_like(writer, rejoin->parts[0].reader) !=
	    DMTRACE_OK)
		return dmt_op_fail(op, NULL, dmtrace_writer_error(writer));
	writer->writing->format.names_threads = false;	/* as in the pieces */
	dmt_writer_set_key(writer, rejoin->key);
	rejoin->key = NULL;
	if (rejoin->flags & DMTRACE_NO_REPLACE)
		dmt_writer_set_no_replace(writer);
	dmtrace_writer_set_sync(writer, rejoin->flags & DMTRACE_SYNC);
	return DMTRACE_OK;
}

/* Writes the merged events to the writer, which is open. */
static enum dmtrace_status
write_rejoined(struct rejoin *rejoin)
{
	struct dmtrace_op *const op = rejoin->op;
	struct dmtrace_writer *const writer = rejoin->writer;
	struct dmt_batch *batch = NULL;

	dmt_want(rejoin->merger, dmt_writer_columns(writer));
	do {
		if (dmt_pull(rejoin->merger, &batch) != DMTRACE_OK)
			return dmt_op_fail(op, NULL, &rejoin->merger->error);
		if (batch == NULL)
			break;
		if (rejoin->redefines) {
			dmt_records_take_numbers(rejoin->records,
			    batch->method, rejoin->names, &rejoin->layout,
			    batch->records, batch->count);
			batch->records = rejoin->records;
			batch->names = rejoin->names;
		}
		if (dmt_writer_put(writer, rejoin->merger, batch) !=
		    DMTRACE_OK)
			return dmt_op_fail(op, NULL,
			    dmtrace_writer_error(writer));
		rejoin->done += dmt_records_len(&rejoin->layout, batch->kept);
	} while (dmt_op_progress(op, rejoin->done, rejoin->total) ==
	    DMTRACE_OK);
	return op->error.status;
}

enum dmtrace_status
dmt_join_pieces(struct dmtrace_op *op, const char *const *paths,
    size_t count, const struct dmtrace_file *out, unsigned flags, int *exact)
{
	struct rejoin rejoin = { .op = op, .flags = flags, .count = count };

	if (check_parts(&rejoin, paths) != DMTRACE_OK ||
	    begin_rejoin(&rejoin) != DMTRACE_OK)
		goto end;
	struct dmtrace_writer *const writer = rejoin.writer;
	if (dmt_file_open_writer(op, writer, out) == DMTRACE_OK &&
	    dmtrace_writer_complete(writer) == DMTRACE_OK &&
	    write_rejoined(&rejoin) == DMTRACE_OK)
		dmtrace_writer_close(writer);
	if (dmt_op_fail(op, out, dmtrace_writer_error(writer)) == DMTRACE_OK &&
	    exact != NULL)
		*exact = !rejoin.parts[0].facts.exact ? 0 :
		    rejoin.form == 0 ? 1 : 2;
end:
	dmtrace_source_free(rejoin.merger);
	dmtrace_writer_free(rejoin.writer);
	for (size_t i = 0; rejoin.parts != NULL && i < count; i++)
		dmtrace_reader_free(rejoin.parts[i].reader);
	dmt_pool_fini(&rejoin.pool);
	dmt_indexes_fini(&rejoin.indexes);
	dmt_idmap_fini(&rejoin.by_line);
	dmt_key_free(rejoin.key);
	free(rejoin.records);
	free(rejoin.parts);
	free(rejoin.front);
	free(rejoin.stripped);
	free(rejoin.tail);
	return op->error.status;
}

enum dmtrace_status
dmtrace_join_pieces(struct dmtrace_op *op, const char *const *paths,
    size_t count, const struct dmtrace_file *out, unsigned flags, int *exact)
{
	bool missing = out == NULL || (paths == NULL && count > 0);
	for (size_t i = 0; !missing && i < count; i++)
		missing = paths[i] == NULL;
	if (dmt_op_begin_call(op, __func__, missing) != DMTRACE_OK)
		return DMTRACE_ERR_STATE;
	if (dmt_op_check_flags(op, __func__, flags, DMT_FILE_FLAGS) !=
	    DMTRACE_OK)
		return op->error.status;
	if (count == 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_TRUNCATED,
		    "there are no pieces");
	return dmt_join_pieces(op, paths, count, out, flags, exact);
}
