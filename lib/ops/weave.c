/* weave.c - runs of records to one trace, in the order of their keys */

#include "ops/weave.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "ops/sort_key.h"

/* Where a run is. */
struct cursor {
	uint64_t key;			/* of the record at next */
	size_t run;
	const uint8_t *next;
	const uint8_t *end;		/* of what is in the buffer */
	uint8_t *buffer;
	uint64_t at;			/* bytes: where end is */
	uint64_t left;			/* bytes behind end */
};

/* One weave, as long as it lasts. */
struct loom {
	struct dmtrace_op *op;
	struct dmt_weave *weave;
	const size_t *order;
	size_t begun;			/* runs, in that order */
	size_t stride;			/* bytes from record to record */
	size_t buffer_len;
	uint8_t *buffers;
	struct cursor *cursors;		/* a heap: the lowest key first */
	size_t open;			/* cursors in the heap */
	uint8_t *out;			/* a block of records */
	size_t out_room;
	size_t out_used;
};

static inline bool
is_before(const struct cursor *a, const struct cursor *b)
{
	return a->key < b->key || (a->key == b->key && a->run < b->run);
}

static void
sift_down(struct loom *loom, size_t at)
{
	struct cursor *const heap = loom->cursors;
	const struct cursor moved = heap[at];

	for (size_t child; (child = 2 * at + 1) < loom->open; at = child) {
		if (child + 1 < loom->open &&
		    is_before(&heap[child + 1], &heap[child]))
			child++;
		if (!is_before(&heap[child], &moved))
			break;
		heap[at] = heap[child];
	}
	heap[at] = moved;
}

static void
sift_up(struct loom *loom, size_t at)
{
	struct cursor *const heap = loom->cursors;
	const struct cursor moved = heap[at];

	while (at > 0 && is_before(&moved, &heap[(at - 1) / 2])) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = moved;
}

/* false: failed. */
static bool
refill(struct loom *loom, struct cursor *cursor)
{
	const size_t len = cursor->left < loom->buffer_len ?
	    (size_t)cursor->left : loom->buffer_len;

	if (dmt_replay_read(loom->weave->replay, cursor->at, cursor->buffer,
	    len) != DMTRACE_OK) {
		dmt_op_fail(loom->op, NULL, &loom->weave->replay->error);
		return false;
	}
	cursor->next = cursor->buffer;
	cursor->end = cursor->buffer + len;
	cursor->at += len;
	cursor->left -= len;
	return true;
}

/* The next run, with a buffer that no other one has: heap and free cursors
 * together have each of them once. */
static bool
begin_run(struct loom *loom)
{
	const size_t run = loom->order[loom->begun++];
	const struct dmt_run *const from = &loom->weave->runs->items[run];
	struct cursor *const cursor = &loom->cursors[loom->open];

	cursor->run = run;
	cursor->key = from->first;
	cursor->at = from->at * loom->stride;
	cursor->left = from->count * loom->stride;
	if (!refill(loom, cursor))
		return false;
	sift_up(loom, loom->open++);
	return true;
}

/* Those that begin before the lowest key is past. */
static bool
begin_runs(struct loom *loom)
{
	const struct dmt_runs *const runs = loom->weave->runs;

	while (loom->begun < runs->count && (loom->open == 0 ||
	    runs->items[loom->order[loom->begun]].first <=
	    loom->cursors[0].key))
		if (!begin_run(loom))
			return false;
	return true;
}

/* The highest key that the first cursor may go on to. */
static uint64_t
limit(const struct loom *loom)
{
	const struct dmt_runs *const runs = loom->weave->runs;
	const struct cursor *const heap = loom->cursors;
	uint64_t most = UINT64_MAX;

	if (loom->begun < runs->count)
		most = runs->items[loom->order[loom->begun]].first - 1;
	for (size_t i = 1; i <= 2 && i < loom->open; i++) {
		const uint64_t own = heap[i].key - (heap[i].run < heap[0].run);

		if (own < most)
			most = own;
	}
	return most;
}

struct stretch {
	struct cursor *cursor;
	uint64_t most;
	bool keyed;
	size_t stride;
};

/* Moves the cursor on to a key above the most, or to the end of its buffer.
 * Returns how many records that is. */
DMT_INLINE size_t
go_on(const void *context, const struct dmtrace_layout *layout)
{
	const struct stretch *const stretch = context;
	const struct dmt_field field = dmt_sort_field(layout);
	const size_t stride = stretch->keyed ? stretch->stride :
	    layout->record_size;
	const uint8_t *in = stretch->cursor->next;
	const uint8_t *const end = stretch->cursor->end;
	uint64_t key = stretch->cursor->key;
	size_t count = 0;

	do {
		in += stride;
		count++;
		if (in == end)
			break;
		key = stretch->keyed ? dmt_get_le64(in) : key + (uint32_t)
		    ((uint32_t)dmt_field_get(field, in) - (uint32_t)key);
	} while (key <= stretch->most);
	stretch->cursor->key = key;
	stretch->cursor->next = in;
	return count;
}

/* The key of the first record of a new buffer. */
static void
find_key(const struct loom *loom, struct cursor *cursor)
{
	const uint32_t low = (uint32_t)dmt_field_get(
	    dmt_sort_field(loom->weave->layout), cursor->next);

	if (loom->weave->keyed)
		cursor->key = dmt_get_le64(cursor->next);
	else
		cursor->key += (uint32_t)(low - (uint32_t)cursor->key);
}

static bool
flush(struct loom *loom)
{
	struct dmt_weave *const weave = loom->weave;
	const size_t size = weave->layout->record_size;

	if (dmtrace_writer_write_records(weave->writer, loom->out,
	    loom->out_used / size) != DMTRACE_OK) {
		dmt_op_fail(loom->op, NULL, &weave->writer->error);
		return false;
	}
	weave->done += loom->out_used;
	loom->out_used = 0;
	return dmt_op_progress(loom->op, weave->done, weave->total) ==
	    DMTRACE_OK;
}

/* Copies count records from in, without their keys. */
static bool
put(struct loom *loom, const uint8_t *in, size_t count)
{
	const size_t size = loom->weave->layout->record_size;

	while (count > 0) {
		const size_t room = (loom->out_room - loom->out_used) / size;
		const size_t n = count < room ? count : room;
		uint8_t *out = loom->out + loom->out_used;

		if (loom->weave->keyed)
			for (size_t i = 0; i < n; i++, out += size)
				memcpy(out, in + i * loom->stride +
				    DMT_KEY_SIZE, size);
		else
			memcpy(out, in, n * size);
		in += n * loom->stride;
		count -= n;
		loom->out_used += n * size;
		if (count > 0 && !flush(loom))
			return false;
	}
	return true;
}

/* Its buffer stays with the place that it had in the heap. */
static void
end_run(struct loom *loom)
{
	const struct cursor ended = loom->cursors[0];

	loom->open--;
	loom->cursors[0] = loom->cursors[loom->open];
	loom->cursors[loom->open] = ended;
}

/* What the first cursor has before any other. */
static bool
step(struct loom *loom)
{
	struct cursor *const cursor = &loom->cursors[0];
	const struct stretch stretch = { cursor, limit(loom),
	    loom->weave->keyed, loom->stride };
	const uint8_t *const from = cursor->next;

	if (!put(loom, from, dmt_loop(go_on, &stretch, loom->weave->layout)))
		return false;
	if (cursor->next == cursor->end && cursor->left == 0) {
		end_run(loom);
	} else if (cursor->next == cursor->end) {
		if (!refill(loom, cursor))
			return false;
		find_key(loom, cursor);
	}
	if (loom->open > 0)
		sift_down(loom, 0);
	return true;
}

static bool
prepare(struct loom *loom, size_t overlap)
{
	const size_t size = loom->weave->layout->record_size;
	uint64_t share = loom->weave->memory / overlap;

	if (share > DMT_BLOCK_SIZE)
		share = DMT_BLOCK_SIZE;
	loom->stride = size + (loom->weave->keyed ? DMT_KEY_SIZE : 0);
	loom->buffer_len = share < loom->stride ? loom->stride :
	    (size_t)share - (size_t)share % loom->stride;
	loom->out_room = size > DMT_BLOCK_SIZE ? size :
	    DMT_BLOCK_SIZE - DMT_BLOCK_SIZE % size;
	loom->buffers = dmt_array_new(overlap, loom->buffer_len);
	loom->cursors = dmt_array_new(overlap, sizeof(*loom->cursors));
	loom->out = dmt_array_new(loom->out_room, 1);
	if (loom->buffers == NULL || loom->cursors == NULL ||
	    loom->out == NULL) {
		dmt_error_memory(&loom->op->error);
		return false;
	}
	for (size_t i = 0; i < overlap; i++)
		loom->cursors[i].buffer =
		    loom->buffers + i * loom->buffer_len;
	return true;
}

enum dmtrace_status
dmt_weave(struct dmtrace_op *op, struct dmt_weave *weave,
    const size_t *order, size_t overlap)
{
	struct loom loom = { .op = op, .weave = weave, .order = order };
	bool good = prepare(&loom, overlap);

	while (good && (good = begin_runs(&loom)) && loom.open > 0)
		good = step(&loom);
	if (good && loom.out_used > 0)
		flush(&loom);
	free(loom.out);
	free(loom.cursors);
	free(loom.buffers);
	return op->error.status;
}
