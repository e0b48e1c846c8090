/* rejoin_parts.c - the pieces of a trace: are they all of it, and unchanged */

/*
 * The key of each piece is read, and the lines that the split put into it are
 * taken out again: what is left, and the header, must be the same in all. The
 * lines number the pieces and have one id, a hash of these bytes and of the
 * counts in all lines, so that a missing piece, one of another split and a
 * changed count are found before anything is written. When a piece is opened
 * for its records, its lines are compared with those that were found here.
 */

#include "ops/merge/rejoin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "events/select.h"

static enum dmtrace_status
fail_part(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    const struct dmtrace_error *error)
{
	return dmt_op_fail(rejoin->op, &part->file, error);
}

static enum dmtrace_status
fail_foreign_part(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    const char *how)
{
	struct dmtrace_error error = { 0 };

	dmt_error_set(&error, DMTRACE_ERR_FOREIGN, "%s", how);
	return fail_part(rejoin, part, &error);
}

enum dmtrace_status
dmt_part_changed(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    const char *how)
{
	struct dmtrace_error error = { 0 };

	dmt_error_set(&error, DMTRACE_ERR_CORRUPT,
	    "was changed since the split: %s", how);
	return fail_part(rejoin, part, &error);
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
		rejoin->key_len = len - dmt_reader_data_lead_len(reader);
		rejoin->layout = *dmt_reader_layout(reader);
		rejoin->timed = dmt_times_comparable(
		    dmtrace_reader_key(reader), &rejoin->layout);
		rejoin->stripped = NULL;
		rejoin->capacity = 0;
		return DMTRACE_OK;
	}
	return len == rejoin->front_len &&
	    memcmp(rejoin->stripped, rejoin->front, len) == 0 ? DMTRACE_OK :
	    fail_foreign_part(rejoin, part,
	    "is a piece of another trace: its key or header differs");
}

/* Of one part after the other: in the same place, for keys can be large. */
static bool
make_part_room(struct dmt_rejoin *rejoin, const struct dmtrace_reader *reader)
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

	if (!make_part_room(rejoin, reader))
		return dmt_error_memory(&rejoin->op->error);
	if (dmt_piece_front_strip(&facts, rejoin->stripped, &len, reader,
	    &error) != DMTRACE_OK)
		return fail_part(rejoin, part, &error);
	if (part->facts.total != 0 &&
	    (part->facts.index != facts.index || part->facts.id != facts.id))
		return dmt_part_changed(rejoin, part, "another file by now");
	part->facts = facts;
	return take_front(rejoin, part, reader, len);
}

enum dmtrace_status
dmt_part_open(struct dmt_rejoin *rejoin, struct dmt_part *part,
    struct dmtrace_reader **reader)
{
	*reader = dmtrace_reader_new();
	if (*reader == NULL)
		return dmt_error_memory(&rejoin->op->error);
	if (dmtrace_reader_open_path(*reader, part->file.path) != DMTRACE_OK)
		return fail_part(rejoin, part, dmtrace_reader_error(*reader));
	if (dmt_reader_container(*reader) == DMTRACE_CONTAINER_PACKETS) {
		struct dmtrace_error error = { 0 };

		dmt_error_set(&error, DMTRACE_ERR_UNSUPPORTED,
		    "ART trace format V2 can be read, not merged");
		return fail_part(rejoin, part, &error);
	}
	return take_part(rejoin, part, *reader);
}

enum dmtrace_status
dmt_part_take_tail(struct dmt_rejoin *rejoin, const struct dmt_part *part,
    const uint8_t *bytes, size_t len)
{
	if (rejoin->has_tail)
		return len == rejoin->tail_len &&
		    (len == 0 || memcmp(bytes, rejoin->tail, len) == 0) ?
		    DMTRACE_OK : dmt_part_changed(rejoin, part,
		    "not the bytes after the last record of the others");
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
look_at_part(struct dmt_rejoin *rejoin, struct dmt_part *part)
{
	struct dmtrace_reader *reader;
	const enum dmtrace_status status =
	    dmt_part_open(rejoin, part, &reader);

	dmtrace_reader_free(reader);
	return status;
}

static int
compare_parts(const void *left, const void *right)
{
	const uint64_t a = ((const struct dmt_part *)left)->facts.index;
	const uint64_t b = ((const struct dmt_part *)right)->facts.index;

	return a < b ? -1 : a > b;
}

/* Adds ", 4 to 6" for the parts from first up to end. */
static void
put_range(char *list, size_t size, uint64_t first, uint64_t end)
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
fail_missing_part(struct dmt_rejoin *rejoin)
{
	const uint64_t total = rejoin->parts[0].facts.total;
	char list[160] = "";
	uint64_t next = 1;

	for (size_t i = 0; i < rejoin->count; i++) {
		put_range(list, sizeof(list), next,
		    rejoin->parts[i].facts.index);
		next = rejoin->parts[i].facts.index + 1;
	}
	put_range(list, sizeof(list), next, total + 1);
	return dmt_error_set(&rejoin->op->error, DMTRACE_ERR_TRUNCATED,
	    "%" PRIu64 " of %" PRIu64 " pieces missing: %s",
	    total - rejoin->count, total, list + 2);
}

static enum dmtrace_status
fail_part_twice(struct dmt_rejoin *rejoin, const struct dmt_part *one,
    const struct dmt_part *other)
{
	struct dmtrace_error error = { 0 };

	dmt_error_set(&error, DMTRACE_ERR_FOREIGN, "is piece %" PRIu64
	    ", and so is %s", one->facts.index, other->file.path);
	return fail_part(rejoin, one, &error);
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
			return fail_foreign_part(rejoin, &parts[i],
			    "is a piece of another split of the trace");
	qsort(parts, count, sizeof(*parts), compare_parts);
	for (size_t i = 1; i < count; i++)
		if (parts[i].facts.index == parts[i - 1].facts.index)
			return fail_part_twice(rejoin, &parts[i],
			    &parts[i - 1]);
	return count == parts[0].facts.total ? DMTRACE_OK :
	    fail_missing_part(rejoin);
}

/* The split gave all its pieces a hash of what it knew of them. */
static enum dmtrace_status
check_id(struct dmt_rejoin *rejoin)
{
	uint64_t id = dmt_piece_hash(DMT_PIECE_HASH, rejoin->front,
	    rejoin->front_len);

	for (size_t i = 0; i < rejoin->count; i++) {
		id = dmt_piece_hash_facts(id, &rejoin->parts[i].facts);
		rejoin->total += dmt_records_len(&rejoin->layout,
		    rejoin->parts[i].facts.records);
	}
	return id == rejoin->parts[0].facts.id ? DMTRACE_OK :
	    dmt_error_set(&rejoin->op->error, DMTRACE_ERR_CORRUPT,
	    "the keys of the pieces were changed since the split");
}

enum dmtrace_status
dmt_rejoin_look(struct dmt_rejoin *rejoin, const char *const *paths)
{
	rejoin->parts = dmt_array_new(rejoin->count, sizeof(*rejoin->parts));
	if (rejoin->parts == NULL)
		return dmt_error_memory(&rejoin->op->error);
	for (size_t i = 0; i < rejoin->count; i++) {
		rejoin->parts[i].file = (struct dmtrace_file){ paths[i], -1 };
		if (look_at_part(rejoin, &rejoin->parts[i]) != DMTRACE_OK)
			return rejoin->op->error.status;
	}
	if (check_parts(rejoin) != DMTRACE_OK)
		return rejoin->op->error.status;
	return check_id(rejoin);
}
