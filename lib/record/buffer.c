/* buffer.c - a lane's buffer: where it comes from, and where it goes full */

#include <string.h>

#include "record/lane.h"

#define SMALLEST_BLOCK 4096

/* Bytes of a buffer that hold whole records; those of a large one end where a
 * page of the file ends, if they began so: such writes cost a third less. */
static size_t
usable(size_t size, size_t record_size)
{
	size_t unit = record_size;

	while (unit % DMT_FILE_PAGE != 0)
		unit *= 2;
	if (size < 2 * unit)
		unit = record_size;
	return size - size % unit;
}

static void
rewind_buffer(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	const size_t size = lane->block == NULL ? sizeof(lane->few) :
	    lane->block->size - DMT_BLOCK_HEAD;

	lane->buffer = lane->block == NULL ? lane->few :
	    dmt_block_bytes(lane->block);
	lane->at = lane->buffer;
	lane->end = lane->at + usable(size, recorder->layout->record_size);
}

static size_t
used(const struct dmt_lane *lane)
{
	return (size_t)(lane->at - lane->buffer);
}

/* As large as the limit allows; none: the lane has a little one itself. */
void
dmt_lane_take_buffer(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	size_t size = recorder->options.buffer_size;

	lane->block = dmt_block_new(&recorder->blocks, size);
	while (lane->block == NULL && (size /= 2) >= SMALLEST_BLOCK)
		lane->block = dmt_block_new(&recorder->blocks, size);
	rewind_buffer(recorder, lane);
}

static void
drop(struct dmtrace_recorder *recorder, uint32_t thread, size_t len)
{
	recorder->file.dropped += len / recorder->layout->record_size;
	if (len > 0)
		recorder->threads[thread - 1].lost = true;
}

/* A block of at least that size. In the ring the oldest ones make room, and
 * what they hold is dropped. NULL: there is no room. */
static struct dmt_block *
make_block(struct dmtrace_recorder *recorder, size_t size)
{
	struct dmt_block *block = dmt_block_new(&recorder->blocks, size);

	while (block == NULL &&
	    recorder->options.full == DMTRACE_FULL_RING) {
		block = dmt_blocks_shift(&recorder->blocks);
		if (block == NULL)
			return NULL;
		drop(recorder, block->thread, block->used);
		if (block->size == size)
			return block;
		dmt_block_free(&recorder->blocks, block);
		block = dmt_block_new(&recorder->blocks, size);
	}
	return block;
}

/* The lane is left without a block. */
static void
push(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	lane->block->used = used(lane);
	lane->block->thread = lane->thread;
	dmt_blocks_push(&recorder->blocks, lane->block);
	lane->block = NULL;
}

/* The buffer gets another block; what it held by itself moves there. */
static void
move_to(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    struct dmt_block *block)
{
	const size_t few = lane->block == NULL ? used(lane) : 0;

	if (lane->block != NULL)
		push(recorder, lane);
	lane->block = block;
	rewind_buffer(recorder, lane);
	memcpy(lane->at, lane->few, few);
	lane->at += few;
}

/* A full buffer stays in memory, and the lane gets another. */
static bool
keep(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	struct dmt_block *block = make_block(recorder,
	    recorder->options.buffer_size);

	if (block != NULL) {
		move_to(recorder, lane, block);
		return true;
	}
	if (recorder->options.full == DMTRACE_FULL_STOP) {
		dmt_recorder_end(recorder, DMTRACE_RECORDER_FULL);
		return false;
	}
	drop(recorder, lane->thread, used(lane));
	rewind_buffer(recorder, lane);
	return true;
}

static bool
goes_to_file(const struct dmtrace_recorder *recorder)
{
	return recorder->options.full == DMTRACE_FULL_FLUSH ||
	    recorder->draining;
}

/* The first len bytes; what is behind them moves to the front. */
static void
write_out(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    size_t len)
{
	const size_t rest = used(lane) - len;

	dmt_recorder_write(recorder, lane->buffer, len);
	memmove(lane->buffer, lane->buffer + len, rest);
	rewind_buffer(recorder, lane);
	lane->at += rest;
}

bool
dmt_lane_make_room(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	if (!goes_to_file(recorder))
		return keep(recorder, lane);
	write_out(recorder, lane, dmt_files_fit(&recorder->files,
	    used(lane), recorder->layout->record_size));
	return true;
}

void
dmt_lane_hand_over(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	write_out(recorder, lane, used(lane));
}

/* What the lane holds by itself gets a block of its own. */
static void
keep_few(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	struct dmt_block *block = make_block(recorder, SMALLEST_BLOCK);

	if (block != NULL) {
		move_to(recorder, lane, block);
		return;
	}
	drop(recorder, lane->thread, used(lane));
	if (recorder->options.full == DMTRACE_FULL_STOP)
		dmt_recorder_end(recorder, DMTRACE_RECORDER_FULL);
}

void
dmt_lane_give_buffer(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	if (used(lane) == 0)
		return;
	if (lane->block == NULL)
		keep_few(recorder, lane);
	if (lane->block == NULL)
		return;
	struct dmt_block *block = lane->block;
	push(recorder, lane);
	dmt_block_trim(&recorder->blocks, block);
}
