/* lane.c - one thread's way into a recorder: its buffer, clock and stack */

#include "record/lane.h"

#include <string.h>

#define SMALLEST_BLOCK 4096

static void
rewind_buffer(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	const size_t size = lane->block == NULL ? sizeof(lane->few) :
	    lane->block->size - sizeof(*lane->block);

	lane->buffer = lane->block == NULL ? lane->few :
	    dmt_block_bytes(lane->block);
	lane->at = lane->buffer;
	lane->left = (uint32_t)(size / recorder->layout->record_size);
}

/* As large as the limit allows; none: the lane has a little one itself. */
static struct dmt_block *
new_block(struct dmtrace_recorder *recorder)
{
	size_t size = recorder->options.buffer_size;
	struct dmt_block *block = dmt_block_new(&recorder->blocks, size);

	while (block == NULL && (size /= 2) >= SMALLEST_BLOCK)
		block = dmt_block_new(&recorder->blocks, size);
	return block;
}

static void
drop_block(struct dmtrace_recorder *recorder, struct dmt_block *block)
{
	recorder->file.dropped += block->used / recorder->layout->record_size;
	block->used = 0;
}

/* For the ring: the oldest one, whose records are dropped. */
static struct dmt_block *
recycle(struct dmtrace_recorder *recorder)
{
	struct dmt_block *block = dmt_blocks_shift(&recorder->blocks);

	if (block != NULL)
		drop_block(recorder, block);
	return block;
}

static void
drop_buffer(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	recorder->file.dropped += (uint64_t)(lane->at - lane->buffer) /
	    recorder->layout->record_size;
	lane->at = lane->buffer;
}

/* The lane is left without a block. */
static void
push(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	if (lane->block == NULL) {
		drop_buffer(recorder, lane);
		return;
	}
	lane->block->used = (size_t)(lane->at - lane->buffer);
	lane->block->thread = lane->thread;
	dmt_blocks_push(&recorder->blocks, lane->block);
	lane->block = NULL;
}

/* A full buffer stays in memory, and the lane gets another. */
static bool
keep(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	const bool ring = recorder->options.full == DMTRACE_FULL_RING;
	struct dmt_block *block = dmt_block_new(&recorder->blocks,
	    recorder->options.buffer_size);

	if (block == NULL && ring)
		block = recycle(recorder);
	if (block == NULL && !ring) {
		dmt_recorder_end(recorder, DMTRACE_RECORDER_FULL);
		return false;
	}
	if (block == NULL)
		drop_buffer(recorder, lane);
	else
		push(recorder, lane);
	lane->block = block != NULL ? block : lane->block;
	return true;
}

static bool
goes_to_file(const struct dmtrace_recorder *recorder)
{
	return recorder->options.full == DMTRACE_FULL_FLUSH ||
	    recorder->draining;
}

static void
write_out(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	dmt_recorder_write(recorder, lane->thread, lane->buffer,
	    (size_t)(lane->at - lane->buffer));
}

bool
dmt_lane_hand_over(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	if (goes_to_file(recorder))
		write_out(recorder, lane);
	else if (!keep(recorder, lane))
		return false;
	rewind_buffer(recorder, lane);
	return true;
}

void
dmt_lane_begin_file(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	lane->cpu_start_ns += (uint64_t)lane->last.cpu_us * 1000;
	lane->last = (struct dmt_times){ 0, 0 };
	lane->start_ns = recorder->start_ns;
	lane->limit_us = recorder->options.max_time_us;
	lane->source = recorder->source;
	lane->anchor.limit = 0;		/* to be set at the next event */
	lane->anchor.ticks = 0;
	rewind_buffer(recorder, lane);
}

/* The n-th thread gets the number n; one too many is heard of no more. */
static void
number(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	lane->thread = 0;
	if (recorder->thread_count >= recorder->max_threads)
		return;
	lane->thread = ++recorder->thread_count;
	lane->thread_id = dmt_thread_id();
	memset(&recorder->threads[lane->thread - 1], 0,
	    sizeof(*recorder->threads));
	dmt_lane_learn_name(recorder, lane);
}

static void
attach(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	lane->session = recorder->session;
	lane->depth = 0;
	lane->beyond = lane->dropped = lane->mismatched = 0;
	lane->stepped_back = 0;
	atomic_store(&lane->reentered, 0);
	lane->own_times = false;
	lane->form = recorder->form;
	lane->left = 0;
	lane->limit_us = UINT64_MAX;
	lane->source = DMT_TIME_MONOTONIC;
	number(recorder, lane);
	if (lane->thread == 0)
		return;
	lane->block = new_block(recorder);
	lane->last = (struct dmt_times){ 0, 0 };
	lane->cpu_start_ns = dmt_clock_cpu_ns();
	dmt_lane_begin_file(recorder, lane);
}

bool
dmt_lane_join(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	struct dmt_guard guard;

	dmt_lane_release(lane);
	dmt_lock(&recorder->mutex, &guard);
	while (recorder->state == DMT_STATE_BUSY)
		pthread_cond_wait(&recorder->changed, &recorder->mutex);
	const bool on = recorder->state == DMT_STATE_ON;
	if (on && lane->session != recorder->session)
		attach(recorder, lane);
	if (on) {
		lane->epoch = atomic_load(&recorder->epoch);
		atomic_store(&lane->busy, 1);
	}
	dmt_unlock(&recorder->mutex, &guard);
	return on;
}

bool
dmt_lane_flush(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	struct dmt_guard guard;

	if (lane->thread == 0)
		return false;
	dmt_lock(&recorder->mutex, &guard);
	const bool done = recorder->state != DMT_STATE_ENDED &&
	    dmt_lane_hand_over(recorder, lane);
	dmt_unlock(&recorder->mutex, &guard);
	if (done && lane->source == DMT_TIME_TICKS)
		dmt_anchor_set(&lane->anchor, lane->start_ns, lane->limit_us);
	return done;
}

bool
dmt_lane_turn(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint64_t own_ns)
{
	const uint32_t epoch = lane->epoch;
	struct dmt_guard guard;

	dmt_lane_release(lane);
	dmt_lock(&recorder->mutex, &guard);
	if (recorder->state == DMT_STATE_ON &&
	    atomic_load(&recorder->epoch) == epoch) {
		if (recorder->options.rotate)
			dmt_recorder_rotate(recorder, own_ns, &guard);
		else
			dmt_recorder_end(recorder, DMTRACE_RECORDER_TIMEOUT);
	}
	dmt_unlock(&recorder->mutex, &guard);
	return dmt_lane_join(recorder, lane);
}

bool
dmt_lane_late(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	if (lane->source == DMT_TIME_TICKS &&
	    dmt_anchor_set(&lane->anchor, lane->start_ns, lane->limit_us)) {
		if (lane->anchor.factor == 0)	/* it does not count */
			lane->source = DMT_TIME_MONOTONIC;
		return true;
	}
	return dmt_lane_turn(recorder, lane, 0);
}

/* Open frames from the innermost one that is the method; 0: it is not. */
static uint32_t
frames_down_to(const struct dmt_lane *lane, uint32_t method)
{
	for (uint32_t i = lane->depth; i > 0; i--)
		if (lane->frames[i - 1].method == method)
			return lane->depth - i + 1;
	return 0;
}

void
dmt_lane_mismatch(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint32_t word, const struct dmt_times *times)
{
	const uint32_t method = word & ~UINT32_C(3);
	uint32_t frames = frames_down_to(lane, method);

	lane->mismatched++;
	if (recorder->options.mismatch == DMTRACE_MISMATCH_AS_IS) {
		if (dmt_lane_put(recorder, lane, word, times))
			lane->depth -= frames;
		return;
	}
	if (recorder->options.mismatch == DMTRACE_MISMATCH_ERROR ||
	    frames == 0) {
		lane->dropped++;
		return;
	}
	for (; frames > 0; frames--) {
		const uint32_t inner = lane->frames[lane->depth - 1].method;
		if (!dmt_lane_put(recorder, lane, inner | (word & 3), times))
			return;
		lane->depth--;
	}
}

/* As late as the system's clock is, unless the caller has another. */
static struct dmt_times
closing_time(const struct dmt_lane *lane)
{
	struct dmt_times times = lane->last;
	const uint64_t wall_us = dmt_lane_wall_us(lane);

	if (!lane->own_times && lane->source != DMT_TIME_CPU &&
	    wall_us > times.wall_us)
		times.wall_us = (uint32_t)(wall_us < lane->limit_us ?
		    wall_us : lane->limit_us);
	return times;
}

/* Under the lock, where a put must not flush by itself. */
static bool
put_locked(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint32_t word, const struct dmt_times *times)
{
	if (lane->left == 0 && !dmt_lane_hand_over(recorder, lane)) {
		lane->dropped++;
		return false;
	}
	return dmt_lane_put(recorder, lane, word, times);
}

void
dmt_lane_close(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	const struct dmt_times times = closing_time(lane);

	for (uint32_t i = lane->depth; i > 0; i--)
		if (put_locked(recorder, lane,
		    lane->frames[i - 1].method | DMTRACE_EXIT, &times))
			recorder->file.closed++;
}

void
dmt_lane_reopen(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	const struct dmt_times times = { 0, 0 };

	for (uint32_t i = 0; i < lane->depth; i++)
		put_locked(recorder, lane,
		    lane->frames[i].method | DMTRACE_ENTER, &times);
}

void
dmt_lane_collect(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	recorder->file.dropped += lane->dropped +
	    atomic_exchange(&lane->reentered, 0);
	recorder->file.mismatched += lane->mismatched;
	recorder->file.stepped_back += lane->stepped_back;
	lane->dropped = lane->mismatched = lane->stepped_back = 0;
}

void
dmt_lane_learn_name(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	char *name = recorder->threads[lane->thread - 1].name;

	if (lane->named)
		memcpy(name, lane->name, DMT_THREAD_NAME_MAX);
	else
		dmt_thread_name(lane->thread_id, name);
}

void
dmt_lane_finish(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	dmt_lane_learn_name(recorder, lane);
	dmt_lane_close(recorder, lane);
	if (goes_to_file(recorder))
		write_out(recorder, lane);
	else
		push(recorder, lane);
}

void
dmt_lane_leave_session(struct dmtrace_recorder *recorder,
    struct dmt_lane *lane)
{
	dmt_lane_collect(recorder, lane);
	dmt_block_free(&recorder->blocks, lane->block);
	lane->block = NULL;
	lane->left = 0;
	lane->epoch = DMT_EPOCH_OFF;
}
