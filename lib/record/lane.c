/* lane.c - one thread's way into a recorder: its buffer, clock and stack */

#include "record/lane.h"

#include <string.h>

#include "record/lane_event.h"

void
dmt_lane_begin_file(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	if (lane->own_times)
		lane->own_cpu_start_us += lane->last.cpu_us;
	else
		lane->cpu_start_ns += (uint64_t)lane->last.cpu_us * 1000;
	lane->last = (struct dmt_times){ 0, 0 };
	lane->start_us = recorder->start_us;
	lane->limit_us = recorder->options.max_time_us;
	lane->source = recorder->source;
	lane->anchor.limit = 0;		/* to be set at the next event */
	lane->anchor.ticks = 0;
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

/* As many as the options say now; none if there is no memory. */
static void
make_frames(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	const uint32_t count = recorder->options.max_depth;

	if (lane->max_depth == count)
		return;
	dmt_pages_free(lane->frames, lane->max_depth *
	    sizeof(*lane->frames));
	lane->frames = dmt_pages_new(count * sizeof(*lane->frames));
	lane->max_depth = lane->frames == NULL ? 0 : count;
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
	lane->own_cpu_start_us = 0;
	lane->buffer = lane->at = lane->end = lane->few;
	lane->limit_us = UINT64_MAX;
	lane->source = DMT_TIME_MONOTONIC;
	number(recorder, lane);
	if (lane->thread == 0)
		return;
	make_frames(recorder, lane);
	dmt_lane_take_buffer(recorder, lane);
	lane->last = (struct dmt_times){ 0, 0 };
	lane->cpu_start_ns = dmt_clock_cpu_ns();
	dmt_lane_begin_file(recorder, lane);
}

/* What a lane counts is collected if it takes part. */
void
dmt_lane_lose(struct dmtrace_recorder *recorder, uint64_t key)
{
	struct dmt_lane *lane = dmt_recorder_is_off(recorder) ? NULL :
	    dmt_lane_get(recorder);

	if (lane == NULL) {
		if (!dmt_recorder_is_off(recorder))
			atomic_fetch_add(&recorder->laneless, 1);
		return;
	}
	if (atomic_load(&lane->busy)) {
		atomic_fetch_add(&lane->reentered, 1);
		return;
	}
	if (dmt_lane_occupy(recorder, lane) == DMT_EPOCH_ENDED &&
	    (key == 0 || dmt_method_find_key(&recorder->methods, key) !=
	    DMT_METHOD_UNWANTED)) {
		if (lane->session == recorder->session)
			lane->dropped++;
		else
			atomic_fetch_add(&recorder->laneless, 1);
	}
	dmt_lane_release(lane);
}

bool
dmt_lane_join(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	struct dmt_guard guard;

	dmt_lane_release(lane);
	if (dmt_recorder_has_ended(recorder))
		return false;
	dmt_fork_check();
	dmt_lock(&recorder->mutex, &guard);
	while (recorder->state == DMT_STATE_BUSY)
		pthread_cond_wait(&recorder->changed, &recorder->mutex);
	const bool on = recorder->state == DMT_STATE_ON &&
	    atomic_load(&lane->recorder) == recorder;
	if (on && lane->session != recorder->session)
		attach(recorder, lane);
	if (on) {
		lane->epoch = atomic_load(&recorder->epoch);
		atomic_store(&lane->busy, true);
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
	dmt_fork_check();
	dmt_lock(&recorder->mutex, &guard);
	const bool done = recorder->state != DMT_STATE_ENDED &&
	    dmt_lane_takes_part(recorder, lane) &&
	    dmt_lane_make_room(recorder, lane);
	dmt_unlock(&recorder->mutex, &guard);
	if (done && dmt_lane_source(lane) == DMT_TIME_TICKS)
		dmt_anchor_set(&lane->anchor, lane->start_us, lane->limit_us);
	return done;
}

bool
dmt_lane_turn(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint64_t own_ns)
{
	const uint32_t epoch = lane->epoch;
	struct dmt_guard guard;

	dmt_lane_release(lane);
	dmt_fork_check();
	dmt_lock(&recorder->mutex, &guard);
	if (recorder->state == DMT_STATE_ON &&
	    atomic_load(&recorder->epoch) == epoch) {
		if (recorder->options.rotate)
			dmt_recorder_rotate(recorder, own_ns);
		else
			dmt_recorder_end(recorder, DMTRACE_RECORDER_TIMEOUT);
	}
	dmt_unlock(&recorder->mutex, &guard);
	return dmt_lane_join(recorder, lane);
}

static uint32_t
at_most(uint64_t us, uint64_t limit_us)
{
	return (uint32_t)(us < limit_us ? us : limit_us);
}

static bool
has_cpu(const struct dmt_lane *lane)
{
	return dmt_lane_source(lane) == DMT_TIME_CPU ||
	    dmt_lane_source(lane) == DMT_TIME_DUAL;
}

/* Now, or the end of the file. CPU time that no file has room for between two
 * events is left out, lest it were too late for all files to come. */
static struct dmt_times
latest(struct dmt_lane *lane)
{
	const uint64_t cpu_us = has_cpu(lane) ? dmt_lane_cpu_us(lane) : 0;
	const uint64_t wall_us = dmt_lane_source(lane) == DMT_TIME_CPU ? 0 :
	    dmt_lane_wall_us(lane);

	if (cpu_us > lane->limit_us)
		lane->cpu_start_ns += (cpu_us - lane->limit_us) * 1000;
	return (struct dmt_times){ at_most(cpu_us, lane->limit_us),
	    at_most(wall_us, lane->limit_us) };
}

static bool
set_anchor(struct dmt_lane *lane)
{
	if (dmt_lane_source(lane) != DMT_TIME_TICKS ||
	    !dmt_anchor_set(&lane->anchor, lane->start_us, lane->limit_us))
		return false;
	if (lane->anchor.factor == 0)		/* it does not count */
		lane->source = DMT_TIME_MONOTONIC;
	return true;
}

bool
dmt_lane_late(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    struct dmt_times *times)
{
	const uint32_t epoch = lane->epoch;

	do {
		if (set_anchor(lane))
			continue;
		if (lane->epoch != epoch) {
			*times = latest(lane);
			return true;
		}
		if (!dmt_lane_turn(recorder, lane, 0))
			return false;
	} while (!dmt_lane_read_times(lane, times));
	return true;
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

	if (lane->thread == 0) {	/* its enter was dropped, too */
		lane->dropped++;
		return;
	}
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
	for (; frames > 0; frames--)
		if (!dmt_lane_pop(recorder, lane, word & 3, times))
			return;
}

/* As late as the system's clock is, unless the caller has another. */
static struct dmt_times
closing_time(const struct dmt_lane *lane)
{
	struct dmt_times times = lane->last;
	const uint64_t wall_us = dmt_lane_wall_us(lane);

	if (!lane->own_times && dmt_lane_source(lane) != DMT_TIME_CPU &&
	    wall_us > times.wall_us)
		times.wall_us = at_most(wall_us, lane->limit_us);
	return times;
}

/* Under the lock, where a put must not flush by itself. */
static bool
put_locked(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint32_t word, const struct dmt_times *times)
{
	if (lane->at == lane->end && !dmt_lane_make_room(recorder, lane)) {
		lane->dropped++;
		return false;
	}
	return dmt_lane_put(recorder, lane, word, times);
}

uint64_t
dmt_lane_close(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	const struct dmt_times times = closing_time(lane);
	uint64_t closed = 0;

	for (uint32_t i = lane->depth; i > 0; i--)
		closed += put_locked(recorder, lane,
		    lane->frames[i - 1].method | DMTRACE_EXIT, &times);
	return closed;
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

/* Records say it by their last one, which comes before its frame and after
 * that of an exit has gone; the place of that frame still has it. */
uint32_t
dmt_lane_half_open(const struct dmtrace_recorder *recorder,
    const struct dmt_lane *lane)
{
	const struct dmtrace_layout *layout = recorder->layout;
	const struct dmt_frame *top = lane->frames + lane->depth;

	if (lane->at == lane->buffer || lane->depth >= lane->max_depth ||
	    recorder->options.mismatch == DMTRACE_MISMATCH_AS_IS)
		return 0;
	const uint32_t word = (uint32_t)dmt_field_get(layout->method,
	    lane->at - layout->record_size);
	const uint32_t method = word & ~UINT32_C(3);
	if ((word & 3) != DMTRACE_ENTER)
		return top->method == method ? 0 : top->method;
	return lane->depth > 0 && top[-1].method == method ? 0 : method;
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
	struct dmt_counts *counts = &recorder->file;

	/* Exits of the recorder's own are no loss if they cannot be written. */
	dmt_lane_learn_name(recorder, lane);
	dmt_lane_collect(recorder, lane);
	if (dmt_recorder_keeps(recorder)) {
		counts->ended += dmt_lane_close(recorder, lane);
		lane->dropped = 0;
		dmt_lane_give_buffer(recorder, lane);
		return;
	}
	dmt_lane_hand_over(recorder, lane);
	const uint64_t events = counts->events, dropped = counts->dropped;
	dmt_lane_close(recorder, lane);
	dmt_lane_hand_over(recorder, lane);
	counts->ended += counts->events - events;
	counts->dropped = dropped;
}

void
dmt_lane_leave_session(struct dmtrace_recorder *recorder,
    struct dmt_lane *lane)
{
	dmt_lane_collect(recorder, lane);
	dmt_block_free(&recorder->blocks, lane->block);
	lane->block = NULL;
	lane->buffer = lane->at = lane->end = lane->few;
	lane->epoch = DMT_EPOCH_OFF;
}
