/* rejoin_threads.c - the records of many pieces, in the order of their times */

#include "ops/rejoin.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/path.h"
#include "data/record.h"
#include "key/added.h"

#define ROOM (64 * 1024)

/*
 * The records of one part that are still to come. A part has no descriptor
 * but while its buffer is filled: there may be more parts than descriptors.
 */
struct lane {
	struct dmt_part *part;
	char *path;			/* of the file with the records */
	uint64_t offset;		/* behind the bytes of the buffer */
	uint64_t left;			/* records that are not in it */
	uint8_t *buffer;
	const uint8_t *at;
	const uint8_t *end;
	uint64_t number;		/* of the record at, from 0, */
	uint64_t time_us;		/* its time, */
	unsigned stretch;		/* and where it belongs */
};

/* Of the trace: records that had been added to its edges stay there. */
enum { OPENED, OWN, CLOSED };

struct merge {
	struct dmt_rejoin *rejoin;
	struct lane *lanes;
	size_t *heap;			/* of lanes: the next one first */
	size_t count;			/* in the heap */
};

/* Reads up to len bytes, less at the end alone. */
static ptrdiff_t
read_fd(int fd, uint8_t *out, size_t len)
{
	size_t done = 0;

	while (done < len) {
		const ptrdiff_t got = read(fd, out + done, len - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (ptrdiff_t)done;
}

/* The same, at the offset of the lane, which moves on; -1: op has the
 * failure. */
static ptrdiff_t
read_lane(struct merge *merge, struct lane *lane, size_t len)
{
	struct dmtrace_error error = { 0 };
	const int fd = open(lane->path, O_RDONLY | O_CLOEXEC);
	ptrdiff_t got = -1;

	if (fd >= 0 && lseek(fd, (off_t)lane->offset, SEEK_SET) >= 0)
		got = read_fd(fd, lane->buffer, len);
	if (got < 0) {
		dmt_path_failed(&error, "cannot read", lane->path);
		dmt_op_fail(merge->rejoin->op, &lane->part->file, &error);
	} else {
		lane->offset += (uint64_t)got;
	}
	if (fd >= 0)
		close(fd);
	return got;
}

static enum dmtrace_status
fill(struct merge *merge, struct lane *lane)
{
	const size_t size = merge->rejoin->layout.record_size;
	const size_t most = ROOM / size < 1 ? 1 : ROOM / size;
	const size_t count = lane->left < most ? (size_t)lane->left : most;
	const ptrdiff_t got = read_lane(merge, lane, count * size);

	if (got < 0)
		return merge->rejoin->op->error.status;
	if ((size_t)got < count * size)
		return dmt_part_too_few(merge->rejoin, lane->part);
	lane->left -= count;
	lane->at = lane->buffer;
	lane->end = lane->buffer + got;
	return DMTRACE_OK;
}

/* Behind the last record. */
static enum dmtrace_status
end_lane(struct merge *merge, struct lane *lane)
{
	const size_t size = merge->rejoin->layout.record_size;

	lane->offset += lane->part->facts.closed * size;
	const ptrdiff_t got = read_lane(merge, lane, size);
	if (got < 0)
		return merge->rejoin->op->error.status;
	return dmt_part_take_tail(merge->rejoin, lane->part, lane->buffer,
	    (size_t)got);
}

/* The time of the next record, unwrapped. */
static void
take_time(const struct merge *merge, struct lane *lane)
{
	const struct dmt_rejoin *const rejoin = merge->rejoin;
	const uint32_t last = (uint32_t)lane->time_us;
	uint32_t now;

	if (!rejoin->timed)
		return;
	now = (uint32_t)dmt_field_get(rejoin->layout.wall, lane->at);
	lane->time_us = (lane->time_us - last) + now;
	if (now < last && last - now > UINT32_C(1) << 31)
		lane->time_us += UINT64_C(1) << 32;
}

/* That of the next record. */
static unsigned
find_stretch(const struct lane *lane)
{
	const struct dmt_piece_facts *const facts = &lane->part->facts;

	if (lane->number < facts->was_opened)
		return OPENED;
	return facts->records - lane->number > facts->was_closed ? OWN :
	    CLOSED;
}

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

static enum dmtrace_status
open_lane(struct merge *merge, struct lane *lane, struct dmt_part *part)
{
	const size_t size = merge->rejoin->layout.record_size;
	struct dmtrace_reader *reader;

	lane->part = part;
	lane->buffer = dmt_array_new(ROOM < size ? size : ROOM, 1);
	if (lane->buffer == NULL)
		return dmt_error_memory(&merge->rejoin->op->error);
	const enum dmtrace_status status =
	    dmt_part_open(merge->rejoin, part, &reader);
	if (status == DMTRACE_OK) {
		lane->path = dmt_path_concat(
		    dmtrace_reader_data_path(reader), "");
		lane->offset = reader->source->offset;
		lane->left = part->facts.records;
		take_added(&part->facts, dmtrace_reader_key(reader));
	}
	dmt_reader_leave(reader, &merge->rejoin->legacy);
	if (status != DMTRACE_OK)
		return status;
	return lane->path == NULL ?
	    dmt_error_memory(&merge->rejoin->op->error) : DMTRACE_OK;
}

/* Of the same time, the record of the first part comes first. */
static bool
is_before(const struct merge *merge, size_t a, size_t b)
{
	const struct lane *const left = &merge->lanes[a];
	const struct lane *const right = &merge->lanes[b];

	if (left->stretch != right->stretch)
		return left->stretch < right->stretch;
	return left->time_us < right->time_us ||
	    (left->time_us == right->time_us && a < b);
}

/* Moves the lane at index i of the heap down to where it belongs. */
static void
sift(struct merge *merge, size_t i)
{
	const size_t lane = merge->heap[i];

	for (size_t child; (child = 2 * i + 1) < merge->count; i = child) {
		if (child + 1 < merge->count && is_before(merge,
		    merge->heap[child + 1], merge->heap[child]))
			child++;
		if (!is_before(merge, merge->heap[child], lane))
			break;
		merge->heap[i] = merge->heap[child];
	}
	merge->heap[i] = lane;
}

/* The lane's next record; without one, the lane is left out. */
static enum dmtrace_status
next(struct merge *merge, struct lane *lane, bool *more)
{
	*more = lane->at != lane->end || lane->left > 0;
	if (!*more)
		return end_lane(merge, lane);
	if (lane->at == lane->end && fill(merge, lane) != DMTRACE_OK)
		return merge->rejoin->op->error.status;
	take_time(merge, lane);
	lane->stretch = find_stretch(lane);
	return DMTRACE_OK;
}

static enum dmtrace_status
put(struct merge *merge, struct lane *lane)
{
	struct dmt_rejoin *const rejoin = merge->rejoin;
	const size_t size = rejoin->layout.record_size;

	dmt_sink_write(&rejoin->sink, lane->at, size);
	lane->at += size;
	lane->number++;
	rejoin->done += size;
	if (lane->at != lane->end)
		return DMTRACE_OK;
	return dmt_op_progress(rejoin->op, rejoin->done, rejoin->total);
}

static enum dmtrace_status
drain(struct merge *merge)
{
	while (merge->count > 0) {
		struct lane *const lane = &merge->lanes[merge->heap[0]];
		bool more;

		if (put(merge, lane) != DMTRACE_OK ||
		    next(merge, lane, &more) != DMTRACE_OK)
			return merge->rejoin->op->error.status;
		if (!more)
			merge->heap[0] = merge->heap[--merge->count];
		if (merge->count > 0)
			sift(merge, 0);
	}
	return DMTRACE_OK;
}

static enum dmtrace_status
begin(struct merge *merge)
{
	struct dmt_rejoin *const rejoin = merge->rejoin;

	for (size_t i = 0; i < rejoin->count; i++) {
		struct lane *const lane = &merge->lanes[i];
		bool more;

		if (open_lane(merge, lane, &rejoin->parts[i]) !=
		    DMTRACE_OK || next(merge, lane, &more) != DMTRACE_OK)
			return rejoin->op->error.status;
		if (more)
			merge->heap[merge->count++] = i;
	}
	for (size_t i = merge->count / 2; i-- > 0;)
		sift(merge, i);
	return DMTRACE_OK;
}

enum dmtrace_status
dmt_rejoin_threads(struct dmt_rejoin *rejoin)
{
	struct merge merge = {
		.rejoin = rejoin,
		.lanes = dmt_array_new(rejoin->count, sizeof(struct lane)),
		.heap = dmt_array_new(rejoin->count, sizeof(size_t))
	};

	if (merge.lanes == NULL || merge.heap == NULL)
		dmt_error_memory(&rejoin->op->error);
	else if (begin(&merge) == DMTRACE_OK)
		drain(&merge);
	for (size_t i = 0; merge.lanes != NULL && i < rejoin->count; i++) {
		free(merge.lanes[i].path);
		free(merge.lanes[i].buffer);
	}
	free(merge.heap);
	free(merge.lanes);
	return rejoin->op->error.status;
}
