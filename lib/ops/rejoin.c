/* rejoin.c - the pieces of a trace to what it was; the mirror of pieces.c */

#include "ops/rejoin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/path.h"

static enum dmtrace_status
fail(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    const struct dmtrace_error *error)
{
	return dmt_op_fail(rejoin->op, &part->file, error);
}

static enum dmtrace_status
foreign(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    const char *words)
{
	struct dmtrace_error error = { 0 };

	dmt_error_set(&error, DMTRACE_ERR_FOREIGN, "%s", words);
	return fail(rejoin, part, &error);
}

enum dmtrace_status
dmt_part_changed(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    const char *words)
{
	struct dmtrace_error error = { 0 };

	dmt_error_set(&error, DMTRACE_ERR_CORRUPT,
	    "was changed since the split: %s", words);
	return fail(rejoin, part, &error);
}

enum dmtrace_status
dmt_part_too_few(struct dmt_rejoin *rejoin, const struct dmt_part *part)
{
	return dmt_part_changed(rejoin, part,
	    "it has fewer records than its key says");
}

/* The first part's is that of all of them. */
static enum dmtrace_status
take_front(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    const struct dmtrace_reader *reader, size_t len)
{
	if (rejoin->front == NULL) {
		rejoin->front = rejoin->stripped;
		rejoin->front_len = len;
		rejoin->key_len = len - reader->header.data_offset -
		    reader->gap_in_data;
		rejoin->layout = reader->layout;
		rejoin->timed = dmt_piece_timed(reader);
		rejoin->stripped = NULL;
		rejoin->capacity = 0;
		return DMTRACE_OK;
	}
	return len == rejoin->front_len &&
	    memcmp(rejoin->stripped, rejoin->front, len) == 0 ? DMTRACE_OK :
	    foreign(rejoin, part,
	    "is a piece of another trace: its key or header differs");
}

/* Of one part after the other: in the same place, for keys can be large. */
static bool
make_room(struct dmt_rejoin *rejoin, const struct dmtrace_reader *reader)
{
	uint8_t *const stripped = dmt_array_grow(rejoin->stripped,
	    &rejoin->capacity, dmt_piece_front_max(reader), 1);

	if (stripped == NULL)
		return false;
	rejoin->stripped = stripped;
	return true;
}

static enum dmtrace_status
take_part(struct dmt_rejoin *rejoin, struct dmt_part *part,
    const struct dmtrace_reader *reader)
{
	struct dmtrace_error error = { 0 };
	struct dmt_piece_facts facts;
	size_t len;

	if (!make_room(rejoin, reader))
		return dmt_error_memory(&rejoin->op->error);
	if (dmt_piece_front_strip(&facts, rejoin->stripped, &len, reader,
	    &error) != DMTRACE_OK)
		return fail(rejoin, part, &error);
	if (part->facts.total != 0 &&
	    (part->facts.index != facts.index || part->facts.id != facts.id))
		return dmt_part_changed(rejoin, part, "another file by now");
	part->facts = facts;
	return take_front(rejoin, part, reader, len);
}

/* Goes over bytes of added records. */
static enum dmtrace_status
pass(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    struct dmt_source *source, uint64_t bytes)
{
	const uint8_t *in;

	while (bytes > 0) {
		const size_t len = dmt_source_peek(source, 1, &in);
		const size_t some = bytes < len ? (size_t)bytes : len;

		if (len == 0)
			break;
		dmt_source_skip(source, some);
		bytes -= some;
	}
	if (fail(rejoin, part, &source->error) != DMTRACE_OK)
		return rejoin->op->error.status;
	return bytes == 0 ? DMTRACE_OK : dmt_part_too_few(rejoin, part);
}

enum dmtrace_status
dmt_part_open(struct dmt_rejoin *rejoin, struct dmt_part *part,
    struct dmtrace_reader **reader)
{
	*reader = dmtrace_reader_new();
	if (*reader == NULL)
		return dmt_error_memory(&rejoin->op->error);
	dmt_reader_follow(*reader, &rejoin->legacy);
	if (dmtrace_reader_open_path(*reader, part->file.path) != DMTRACE_OK)
		return fail(rejoin, part, &(*reader)->error);
	if (take_part(rejoin, part, *reader) != DMTRACE_OK)
		return rejoin->op->error.status;
	return pass(rejoin, part, (*reader)->source,
	    part->facts.opened * rejoin->layout.record_size);
}

enum dmtrace_status
dmt_part_take_tail(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    const uint8_t *bytes, size_t len)
{
	const size_t size = rejoin->layout.record_size;

	if (len >= size)
		return dmt_part_changed(rejoin, part,
		    "it has more records than its key says");
	if (rejoin->has_tail)
		return len == rejoin->tail_len &&
		    (len == 0 || memcmp(bytes, rejoin->tail, len) == 0) ?
		    DMTRACE_OK : dmt_part_changed(rejoin, part,
		    "not the bytes behind the last record of the others");
	rejoin->tail = dmt_array_new(len, 1);
	if (rejoin->tail == NULL)
		return dmt_error_memory(&rejoin->op->error);
	if (len > 0)
		memcpy(rejoin->tail, bytes, len);
	rejoin->tail_len = len;
	rejoin->has_tail = true;
	return DMTRACE_OK;
}

static enum dmtrace_status
look(struct dmt_rejoin *rejoin, struct dmt_part *part)
{
	struct dmtrace_reader *reader;
	const enum dmtrace_status status =
	    dmt_part_open(rejoin, part, &reader);

	dmt_reader_leave(reader, &rejoin->legacy);
	return status;
}

static int
compare(const void *left, const void *right)
{
	const uint64_t a = ((const struct dmt_part *)left)->facts.index;
	const uint64_t b = ((const struct dmt_part *)right)->facts.index;

	return a < b ? -1 : a > b;
}

/* Adds ", 4 to 6" for the parts from first up to end. */
static void
tell_range(char *words, size_t size, uint64_t first, uint64_t end)
{
	const size_t len = strlen(words);

	if (first == end || len > size - 64)
		return;
	if (end - first == 1)
		snprintf(words + len, size - len, ", %" PRIu64, first);
	else
		snprintf(words + len, size - len, ", %" PRIu64 " to %" PRIu64,
		    first, end - 1);
}

static enum dmtrace_status
missing(struct dmt_rejoin *rejoin)
{
	const uint64_t total = rejoin->parts[0].facts.total;
	char words[160] = "";
	uint64_t next = 1;

	for (size_t i = 0; i < rejoin->count; i++) {
		tell_range(words, sizeof(words), next,
		    rejoin->parts[i].facts.index);
		next = rejoin->parts[i].facts.index + 1;
	}
	tell_range(words, sizeof(words), next, total + 1);
	return dmt_error_set(&rejoin->op->error, DMTRACE_ERR_TRUNCATED,
	    "%" PRIu64 " of %" PRIu64 " pieces missing: %s",
	    total - rejoin->count, total, words + 2);
}

static enum dmtrace_status
twice(struct dmt_rejoin *rejoin, const struct dmt_part *one,
    const struct dmt_part *other)
{
	struct dmtrace_error error = { 0 };

	dmt_error_set(&error, DMTRACE_ERR_FOREIGN, "is piece %" PRIu64
	    ", and so is %s", one->facts.index, other->file.path);
	return fail(rejoin, one, &error);
}

/* Whether these are the pieces of one split, all of them and each once. */
static enum dmtrace_status
check_parts(struct dmt_rejoin *rejoin)
{
	struct dmt_part *const parts = rejoin->parts;
	const size_t count = rejoin->count;

	for (size_t i = 1; i < count; i++)
		if (parts[i].facts.id != parts[0].facts.id ||
		    parts[i].facts.total != parts[0].facts.total)
			return foreign(rejoin, &parts[i],
			    "is a piece of another split of the trace");
	qsort(parts, count, sizeof(*parts), compare);
	for (size_t i = 1; i < count; i++)
		if (parts[i].facts.index == parts[i - 1].facts.index)
			return twice(rejoin, &parts[i], &parts[i - 1]);
	return count == parts[0].facts.total ? DMTRACE_OK : missing(rejoin);
}

/* The split gave all its pieces a hash of what it knew of them. */
static enum dmtrace_status
check_id(struct dmt_rejoin *rejoin)
{
	uint64_t id = dmt_piece_hash(DMT_PIECE_HASH, rejoin->front,
	    rejoin->front_len);

	for (size_t i = 0; i < rejoin->count; i++) {
		id = dmt_piece_hash_facts(id, &rejoin->parts[i].facts);
		rejoin->total += rejoin->parts[i].facts.records *
		    rejoin->layout.record_size;
	}
	return id == rejoin->parts[0].facts.id ? DMTRACE_OK :
	    dmt_error_set(&rejoin->op->error, DMTRACE_ERR_CORRUPT,
	    "the keys of the pieces were changed since the split");
}

static enum dmtrace_status
look_all(struct dmt_rejoin *rejoin, const char *const *paths)
{
	rejoin->parts = dmt_array_new(rejoin->count, sizeof(*rejoin->parts));
	if (rejoin->parts == NULL)
		return dmt_error_memory(&rejoin->op->error);
	for (size_t i = 0; i < rejoin->count; i++) {
		rejoin->parts[i].file = (struct dmtrace_file){ paths[i], -1 };
		if (look(rejoin, &rejoin->parts[i]) != DMTRACE_OK)
			return rejoin->op->error.status;
	}
	if (check_parts(rejoin) != DMTRACE_OK)
		return rejoin->op->error.status;
	return check_id(rejoin);
}

/* Copies bytes of records, or fails if there are fewer. */
static enum dmtrace_status
copy(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    struct dmt_source *source, uint64_t bytes)
{
	const uint8_t *in;

	while (bytes > 0) {
		const size_t len = dmt_source_peek(source, 1, &in);
		const size_t some = bytes < len ? (size_t)bytes : len;

		if (len == 0)
			break;
		dmt_sink_write(&rejoin->sink, in, some);
		dmt_source_skip(source, some);
		bytes -= some;
		rejoin->done += some;
		if (dmt_op_progress(rejoin->op, rejoin->done,
		    rejoin->total) != DMTRACE_OK)
			return rejoin->op->error.status;
	}
	if (fail(rejoin, part, &source->error) != DMTRACE_OK)
		return rejoin->op->error.status;
	return bytes == 0 ? DMTRACE_OK : dmt_part_too_few(rejoin, part);
}

static enum dmtrace_status
copy_part(struct dmt_rejoin *rejoin, struct dmt_part *part)
{
	const size_t size = rejoin->layout.record_size;
	struct dmtrace_reader *reader;
	const uint8_t *in;

	enum dmtrace_status status = dmt_part_open(rejoin, part, &reader);
	if (status == DMTRACE_OK)
		status = copy(rejoin, part, reader->source,
		    part->facts.records * size);
	if (status == DMTRACE_OK)
		status = pass(rejoin, part, reader->source,
		    part->facts.closed * size);
	if (status == DMTRACE_OK) {
		const size_t len = dmt_source_peek(reader->source, size, &in);
		status = dmt_part_take_tail(rejoin, part, in, len);
	}
	dmt_reader_leave(reader, &rejoin->legacy);
	return status;
}

static enum dmtrace_status
copy_all(struct dmt_rejoin *rejoin)
{
	if (rejoin->parts[0].facts.by == DMTRACE_PIECES_THREAD)
		return dmt_rejoin_threads(rejoin);
	for (size_t i = 0; i < rejoin->count; i++)
		if (copy_part(rejoin, &rejoin->parts[i]) != DMTRACE_OK)
			return rejoin->op->error.status;
	return DMTRACE_OK;
}

static void
open_half(struct dmt_rejoin *rejoin, struct dmt_sink *sink, const char *path)
{
	dmt_sink_open_path(sink, path);
	sink->no_replace = rejoin->flags & DMTRACE_NO_REPLACE;
	sink->sync = rejoin->flags & DMTRACE_SYNC;
}

/* The names of a pair, or that of a joined file. */
static enum dmtrace_status
open_output(struct dmt_rejoin *rejoin, const struct dmtrace_file *out)
{
	const bool is_key = dmt_path_ends(out->path, ".key");
	char *partner;

	if (out->path == NULL)
		dmt_sink_open_fd(&rejoin->sink, out->fd);
	else if (!is_key && !dmt_path_ends(out->path, ".data"))
		open_half(rejoin, &rejoin->sink, out->path);
	else {
		partner = dmt_path_partner(out->path);
		if (partner == NULL)
			return dmt_error_memory(&rejoin->op->error);
		open_half(rejoin, &rejoin->key_sink,
		    is_key ? out->path : partner);
		open_half(rejoin, &rejoin->sink,
		    is_key ? partner : out->path);
		free(partner);
	}
	dmt_op_fail(rejoin->op, out, &rejoin->key_sink.error);
	return dmt_op_fail(rejoin->op, out, &rejoin->sink.error);
}

/* The data gets its name before the key. */
static enum dmtrace_status
finish(struct dmt_rejoin *rejoin, const struct dmtrace_file *out)
{
	struct dmtrace_op *const op = rejoin->op;

	dmt_sink_write(&rejoin->sink, rejoin->tail, rejoin->tail_len);
	dmt_sink_finish(&rejoin->key_sink);
	dmt_sink_finish(&rejoin->sink);
	dmt_op_fail(op, out, &rejoin->key_sink.error);
	if (dmt_op_fail(op, out, &rejoin->sink.error) != DMTRACE_OK)
		return op->error.status;
	if (dmt_sink_publish(&rejoin->sink) == DMTRACE_OK &&
	    dmt_sink_publish(&rejoin->key_sink) != DMTRACE_OK)
		dmt_sink_withdraw(&rejoin->sink);
	dmt_op_fail(op, out, &rejoin->key_sink.error);
	return dmt_op_fail(op, out, &rejoin->sink.error);
}

static enum dmtrace_status
run(struct dmt_rejoin *rejoin, const char *const *paths,
    const struct dmtrace_file *out)
{
	struct dmt_sink *key = &rejoin->sink;

	if (look_all(rejoin, paths) != DMTRACE_OK ||
	    open_output(rejoin, out) != DMTRACE_OK)
		return rejoin->op->error.status;
	if (rejoin->key_sink.path != NULL)
		key = &rejoin->key_sink;
	dmt_sink_write(key, rejoin->front, rejoin->key_len);
	dmt_sink_write(&rejoin->sink, rejoin->front + rejoin->key_len,
	    rejoin->front_len - rejoin->key_len);
	return copy_all(rejoin) == DMTRACE_OK ? finish(rejoin, out) :
	    rejoin->op->error.status;
}

enum dmtrace_status
dmtrace_rejoin(struct dmtrace_op *op, const char *const *paths, size_t count,
    const struct dmtrace_file *out, unsigned flags, int *exact)
{
	struct dmt_rejoin rejoin = { .op = op, .flags = flags,
	    .count = count };

	dmt_op_begin(op);
	if (count == 0)
		return dmt_error_set(&op->error, DMTRACE_ERR_TRUNCATED,
		    "there are no pieces");
	dmt_sink_open_memory(&rejoin.key_sink);
	dmt_sink_open_memory(&rejoin.sink);
	const enum dmtrace_status status = run(&rejoin, paths, out);
	if (status == DMTRACE_OK && exact != NULL)
		*exact = rejoin.parts[0].facts.exact;
	dmt_legacy_fini(&rejoin.legacy);
	dmt_sink_fini(&rejoin.sink);
	dmt_sink_fini(&rejoin.key_sink);
	free(rejoin.parts);
	free(rejoin.front);
	free(rejoin.stripped);
	free(rejoin.tail);
	return status;
}
