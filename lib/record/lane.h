/* lane.h - one thread's way into a recorder: its buffer, clock and stack */
#ifndef DMT_RECORD_LANE_H
#define DMT_RECORD_LANE_H

#include "record/clock.h"
#include "record/recorder.h"

#include <stdatomic.h>

/* ThreadSanitizer knows no fences; in what it builds, every access that they
 * order is of the strongest kind. */
#if defined(__SANITIZE_THREAD__)
#define DMT_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DMT_TSAN 1
#endif
#endif
#ifndef DMT_TSAN
#define DMT_TSAN 0
#endif

/* Kept out of the way of functions that call nothing. */
#if defined(__GNUC__)
#define DMT_APART __attribute__((noinline))
#else
#define DMT_APART
#endif

#define DMT_FEW_SIZE 1024	/* bytes of a buffer beyond the limit */

/* Where on the stack the calling function is: never 0. */
#if defined(__GNUC__)
#define DMT_PLACE() ((uintptr_t)__builtin_dwarf_cfa())
#else
#define DMT_PLACE() ((uintptr_t)&(char){ 0 })
#endif

/* What place and tag are is up to whoever enters; see lib/instrument. */
struct dmt_frame {
	uintptr_t place;
	uint32_t method;
	uint32_t tag;
};

/* In microseconds since the start of the file. */
struct dmt_times {
	uint32_t cpu_us;
	uint32_t wall_us;
};

/*
 * Only its thread writes to it, while busy is set; whoever has seen busy
 * clear after changing the recorder's epoch may do it instead, under the
 * lock, until the epoch is the lane's again.
 */
struct dmt_lane {
	_Atomic(struct dmtrace_recorder *) recorder;	/* NULL: freed */
	atomic_uintptr_t busy;		/* DMT_PLACE of the event, or 0 */
	uint32_t epoch;			/* of the recorder, when joined */
	uint8_t *at;			/* of the next record */
	uint8_t *end;			/* there is no room for another */
	struct dmt_frame *frames;	/* the outermost first */
	_Atomic(enum dmt_time_source) source;
	enum dmt_record_form form;
	uint32_t thread;		/* its number; 0: none was left */
	uint32_t depth;
	uint32_t base_depth;		/* before the first in the buffer */
	uint32_t max_depth;
	struct dmt_times last;
	struct dmt_anchor anchor;
	uint64_t start_us;		/* of the file */
	uint64_t cpu_start_ns;		/* of the file, in this thread */
	uint64_t own_cpu_start_us;	/* the same on the caller's clock */
	uint64_t limit_us;

	uint64_t beyond;		/* open frames deeper than max_depth */
	uint64_t dropped;
	uint64_t mismatched;
	uint64_t stepped_back;
	atomic_uint reentered;		/* dropped by signal handlers */

	struct dmt_lane *next;		/* of the recorder */
	struct dmt_lane *thread_next;	/* of the thread */
	struct dmt_block *block;	/* NULL: few is its buffer */
	uint8_t *buffer;
	uint32_t session;		/* the last that it took part in */
	long thread_id;			/* the system's */
	bool named;			/* by the program */
	bool own_times;			/* by the caller's clock */
	char name[DMT_THREAD_NAME_MAX];
	uint8_t few[DMT_FEW_SIZE];
};

/* The calling thread's lane of the recorder, which is made if there is none.
 * NULL: no memory. */
struct dmt_lane *
dmt_lane_find(struct dmtrace_recorder *recorder);

/* The same, but NULL if there is none. */
struct dmt_lane *
dmt_lane_own(const struct dmtrace_recorder *recorder);

/* In the child of a fork: frees the lanes of threads that are not there. */
void
dmt_lanes_orphan(struct dmtrace_recorder *recorder);

/* What is under the lock, and the lane not busy, or its owner's. */

/* Gives it a buffer. */
void
dmt_lane_take_buffer(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* A full buffer goes where full buffers go, or most of it. false: it could
 * not. */
bool
dmt_lane_make_room(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* All of the buffer goes to the file. */
void
dmt_lane_hand_over(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* The buffer of a thread that ends goes to the file, or stays in memory. */
void
dmt_lane_give_buffer(struct dmtrace_recorder *recorder,
    struct dmt_lane *lane);

/* Records the exits of open frames, which stay open. Returns how many. */
uint64_t
dmt_lane_close(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* Begins with a new file: the times, and enters of open frames. */
void
dmt_lane_begin_file(struct dmtrace_recorder *recorder, struct dmt_lane *lane);
void
dmt_lane_reopen(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* Moves the lane's counts to those of the file. */
void
dmt_lane_collect(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* Takes the name that the system has for the thread now. */
void
dmt_lane_learn_name(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* All that there is of a thread that ends. */
void
dmt_lane_finish(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* Ends the part that the lane had in a session, if it had one. */
void
dmt_lane_leave_session(struct dmtrace_recorder *recorder,
    struct dmt_lane *lane);

static inline bool
dmt_lane_takes_part(const struct dmtrace_recorder *recorder,
    const struct dmt_lane *lane)
{
	return lane->session == recorder->session && lane->thread != 0;
}

/* The cold halves of what is below; without the lock. */

/* Has the lane take part; it is busy if so. */
bool
dmt_lane_join(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

bool
dmt_lane_flush(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* A time that is too late for the anchor, or for the file. false: recording
 * has ended, and the lane is not busy. */
bool
dmt_lane_late(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* A time that is too late for the file: it rotates, or recording ends.
 * own_ns is the caller's own time, or 0. */
bool
dmt_lane_turn(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint64_t own_ns);

void
dmt_lane_mismatch(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint32_t word, const struct dmt_times *times);

/*
 * Whether the event that has the lane busy has gone, by a jump out of a signal
 * handler, as its thread's being at that place tells. It is settled then, as
 * done or as never begun, and the lane is not busy any more.
 */
bool
dmt_lane_recover(const struct dmtrace_recorder *recorder,
    struct dmt_lane *lane, uintptr_t place);

/* The same for an event that is known to have gone. */
void
dmt_lane_settle(const struct dmtrace_recorder *recorder,
    struct dmt_lane *lane);

/* Enters less exits of the records in the buffer. */
int64_t
dmt_lane_balance(const struct dmtrace_recorder *recorder,
    const struct dmt_lane *lane);

/* The lane that the thread used last: see threads.c. */
extern _Thread_local struct dmt_lane *dmt_lane_cached DMT_NEAR;

DMT_INLINE bool
dmt_recorder_is_off(const struct dmtrace_recorder *recorder)
{
	return atomic_load_explicit(&recorder->epoch, memory_order_relaxed) ==
	    DMT_EPOCH_OFF;
}

DMT_INLINE struct dmt_lane *
dmt_lane_get(struct dmtrace_recorder *recorder)
{
	struct dmt_lane *lane = dmt_lane_cached;

	if (DMT_UNLIKELY(lane == NULL || atomic_load_explicit(&lane->recorder,
	    memory_order_relaxed) != recorder))
		lane = dmt_lane_find(recorder);
	return lane;
}

/* Makes busy visible before the epoch is looked at: see dmt_barrier. */
DMT_INLINE uint32_t
dmt_lane_occupy(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
#if DMT_TSAN
	atomic_store(&lane->busy, DMT_PLACE());
	return atomic_load(&recorder->epoch);
#else
	atomic_store_explicit(&lane->busy, DMT_PLACE(),
	    memory_order_relaxed);
	if (DMT_UNLIKELY(recorder->fences))
		atomic_thread_fence(memory_order_seq_cst);
	else
		atomic_signal_fence(memory_order_seq_cst);
	return atomic_load_explicit(&recorder->epoch, memory_order_acquire);
#endif
}

/* The lane is busy, and its own if this is true. */
DMT_INLINE bool
dmt_lane_enters(struct dmtrace_recorder *recorder, struct dmt_lane *lane)
{
	const uint32_t epoch = dmt_lane_occupy(recorder, lane);

	return (epoch & DMT_EPOCH_ON) != 0 && epoch == lane->epoch;
}

DMT_INLINE void
dmt_lane_release(struct dmt_lane *lane)
{
	atomic_store_explicit(&lane->busy, 0, memory_order_release);
}

/*
 * Begins an event; dmt_lane_release ends it. NULL: there will be none. A lane
 * that is busy already has been interrupted by the signal handler that comes
 * here, unless a handler has jumped out of the event.
 */
DMT_INLINE struct dmt_lane *
dmt_lane_begin(struct dmtrace_recorder *recorder)
{
	if (DMT_UNLIKELY(dmt_recorder_is_off(recorder)))
		return NULL;
	struct dmt_lane *lane = dmt_lane_get(recorder);
	if (DMT_UNLIKELY(lane == NULL)) {
		atomic_fetch_add(&recorder->laneless, 1);
		return NULL;
	}
	if (DMT_UNLIKELY(atomic_load_explicit(&lane->busy,
	    memory_order_relaxed) != 0) &&
	    !dmt_lane_recover(recorder, lane, DMT_PLACE())) {
		atomic_fetch_add(&lane->reentered, 1);
		return NULL;
	}
	if (DMT_UNLIKELY(!dmt_lane_enters(recorder, lane)))
		return dmt_lane_join(recorder, lane) ? lane : NULL;
	return lane;
}

/* The lane's, which may be read while it is not busy. */
DMT_INLINE enum dmt_time_source
dmt_lane_source(const struct dmt_lane *lane)
{
	return atomic_load_explicit(&lane->source, memory_order_relaxed);
}

/* The lane if it is at hand and not busy, or NULL; without a call. */
DMT_INLINE struct dmt_lane *
dmt_lane_near(const struct dmtrace_recorder *recorder)
{
	struct dmt_lane *lane = dmt_lane_cached;

	if (DMT_UNLIKELY(lane == NULL || atomic_load_explicit(&lane->recorder,
	    memory_order_relaxed) != recorder || atomic_load_explicit(
	    &lane->busy, memory_order_relaxed) != 0))
		return NULL;
	return lane;
}

/* Microseconds, which may be more than the file holds; 0 before its start. */
DMT_INLINE uint64_t
dmt_lane_wall_us(const struct dmt_lane *lane)
{
	const uint64_t us = dmt_clock_us();

	return us < lane->start_us ? 0 : us - lane->start_us;
}

DMT_INLINE uint64_t
dmt_lane_cpu_us(const struct dmt_lane *lane)
{
	const uint64_t ns = dmt_clock_cpu_ns();

	return ns < lane->cpu_start_ns ? 0 :
	    (ns - lane->cpu_start_ns) / 1000;
}

/* false: the file is too old for the time. */
DMT_INLINE bool
dmt_lane_system_times(const struct dmt_lane *lane, struct dmt_times *times)
{
	const enum dmt_time_source source = dmt_lane_source(lane);
	const uint64_t cpu_us = source == DMT_TIME_MONOTONIC ? 0 :
	    dmt_lane_cpu_us(lane);
	const uint64_t wall_us = source == DMT_TIME_CPU ? 0 :
	    dmt_lane_wall_us(lane);

	times->cpu_us = (uint32_t)cpu_us;
	times->wall_us = (uint32_t)wall_us;
	return cpu_us <= lane->limit_us && wall_us <= lane->limit_us;
}

/* Never before the thread's last time. false: the anchor is too old. */
DMT_INLINE bool
dmt_lane_read_ticks(const struct dmt_lane *lane, struct dmt_times *times)
{
	const uint64_t ticks = dmt_ticks() - lane->anchor.ticks;
	const uint32_t wall_us = dmt_anchor_us(&lane->anchor, ticks);

	times->cpu_us = 0;
	times->wall_us = wall_us < lane->last.wall_us ?
	    lane->last.wall_us : wall_us;
	return ticks <= lane->anchor.limit;
}

DMT_INLINE bool
dmt_lane_read_times(const struct dmt_lane *lane, struct dmt_times *times)
{
	return dmt_lane_source(lane) == DMT_TIME_TICKS ?
	    dmt_lane_read_ticks(lane, times) :
	    dmt_lane_system_times(lane, times);
}

/*
 * Now, never before the thread's last time. false: recording has ended, and
 * the lane is not busy any more.
 */
DMT_INLINE bool
dmt_lane_now(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    struct dmt_times *times)
{
	while (DMT_UNLIKELY(!dmt_lane_read_times(lane, times)))
		if (!dmt_lane_late(recorder, lane))
			return false;
	if (times->cpu_us < lane->last.cpu_us)
		times->cpu_us = lane->last.cpu_us;
	if (times->wall_us < lane->last.wall_us)
		times->wall_us = lane->last.wall_us;
	return true;
}

DMT_INLINE void
dmt_lane_encode(uint8_t *out, const struct dmtrace_layout *layout,
    const struct dmt_lane *lane, uint32_t word, const struct dmt_times *times)
{
	dmt_put_le(out + layout->thread.offset, layout->thread.width,
	    lane->thread);
	dmt_put_le(out + layout->method.offset, layout->method.width, word);
	dmt_put_le(out + layout->cpu.offset, layout->cpu.width,
	    times->cpu_us);
	dmt_put_le(out + layout->wall.offset, layout->wall.width,
	    times->wall_us);
}

/* One record, with a layout whose offsets the compiler knows. It counts as
 * written before its frame comes or goes: see abandon.c. */
DMT_INLINE void
dmt_lane_encode_as(struct dmt_lane *lane, enum dmt_layout_row row,
    uint32_t word, const struct dmt_times *times)
{
	dmt_lane_encode(lane->at, &dmt_layouts[row], lane, word, times);
	atomic_signal_fence(memory_order_seq_cst);
	lane->at += dmt_layouts[row].record_size;
	atomic_signal_fence(memory_order_seq_cst);
}

/* There is room for it. */
DMT_INLINE void
dmt_lane_append(struct dmt_lane *lane, uint32_t word,
    const struct dmt_times *times)
{
	switch (lane->form) {
	case DMT_FORM_1:
		dmt_lane_encode_as(lane, DMT_LAYOUT_1_WALL, word, times);
		break;
	case DMT_FORM_1_CPU:
		dmt_lane_encode_as(lane, DMT_LAYOUT_1_CPU, word, times);
		break;
	case DMT_FORM_2:
		dmt_lane_encode_as(lane, DMT_LAYOUT_2_WALL, word, times);
		break;
	case DMT_FORM_2_CPU:
		dmt_lane_encode_as(lane, DMT_LAYOUT_2_CPU, word, times);
		break;
	case DMT_FORM_DUAL:
		dmt_lane_encode_as(lane, DMT_LAYOUT_3_DUAL, word, times);
		break;
	}
	lane->last = *times;
}

/* false: dropped, and counted. */
DMT_INLINE bool
dmt_lane_put(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint32_t word, const struct dmt_times *times)
{
	if (DMT_UNLIKELY(lane->at == lane->end) &&
	    !dmt_lane_flush(recorder, lane)) {
		lane->dropped++;
		return false;
	}
	dmt_lane_append(lane, word, times);
	return true;
}

/* The frame is whole before it counts. */
DMT_INLINE void
dmt_lane_push(struct dmt_lane *lane, const struct dmt_frame *frame)
{
	lane->frames[lane->depth] = *frame;
	atomic_signal_fence(memory_order_seq_cst);
	lane->depth++;
}

DMT_INLINE void
dmt_lane_enter(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    const struct dmt_frame *frame, const struct dmt_times *times)
{
	if (DMT_UNLIKELY(lane->depth >= lane->max_depth)) {
		lane->beyond++;
		lane->dropped++;
		return;
	}
	if (dmt_lane_put(recorder, lane, frame->method | DMTRACE_ENTER,
	    times))
		dmt_lane_push(lane, frame);
}

/* word is the method with the action in its low bits. */
DMT_INLINE void
dmt_lane_leave(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint32_t word, const struct dmt_times *times)
{
	if (DMT_UNLIKELY(lane->beyond > 0)) {
		lane->beyond--;
		lane->dropped++;
	} else if (DMT_UNLIKELY(lane->depth == 0 ||
	    lane->frames[lane->depth - 1].method != (word & ~UINT32_C(3)))) {
		dmt_lane_mismatch(recorder, lane, word, times);
	} else if (dmt_lane_put(recorder, lane, word, times)) {
		lane->depth--;
	}
}

/* Whether the innermost frame is the method's, and none is beyond it. */
DMT_INLINE bool
dmt_lane_is_in(const struct dmt_lane *lane, uint32_t method)
{
	return lane->beyond == 0 && lane->depth > 0 &&
	    lane->frames[lane->depth - 1].method == method;
}

/* On the monotonic clock, or with NULL now on the counter of ticks. false: a
 * time that dmt_lane_now has to look at, such as one before the last. */
DMT_INLINE bool
dmt_lane_read_wall(const struct dmt_lane *lane, const struct timespec *time,
    uint32_t *wall_us)
{
	if (time == NULL) {
		const uint64_t ticks = dmt_ticks() - lane->anchor.ticks;
		*wall_us = dmt_anchor_us(&lane->anchor, ticks);
		return ticks <= lane->anchor.limit &&
		    *wall_us >= lane->last.wall_us;
	}
	const uint64_t us = dmt_clock_us_since(time, lane->start_us);
	*wall_us = (uint32_t)us;
	return us >= lane->last.wall_us && us <= lane->limit_us;
}

/* The same record as dmt_lane_append makes of a wall time. */
DMT_INLINE void
dmt_lane_append_wall(struct dmt_lane *lane, uint32_t word, uint32_t wall_us)
{
	const struct dmt_times times = { 0, wall_us };

	if (DMT_UNLIKELY(lane->form == DMT_FORM_1))
		dmt_lane_encode_as(lane, DMT_LAYOUT_1_WALL, word, &times);
	else
		dmt_lane_encode_as(lane, DMT_LAYOUT_2_WALL, word, &times);
	lane->last.wall_us = wall_us;
}

static inline bool
dmt_lane_is_apt(const struct dmt_lane *lane, const struct dmt_frame *frame,
    enum dmtrace_action action)
{
	return lane->at != lane->end && (action == DMTRACE_ENTER ?
	    lane->depth < lane->max_depth :
	    dmt_lane_is_in(lane, frame->method));
}

DMT_INLINE bool
dmt_lane_take(struct dmt_lane *lane, const struct timespec *time,
    const struct dmt_frame *frame, enum dmtrace_action action)
{
	uint32_t wall_us;

	if (DMT_UNLIKELY(!dmt_lane_is_apt(lane, frame, action)) ||
	    DMT_UNLIKELY(!dmt_lane_read_wall(lane, time, &wall_us)))
		return false;
	dmt_lane_append_wall(lane, frame->method | action, wall_us);
	if (action == DMTRACE_ENTER)
		dmt_lane_push(lane, frame);
	else
		lane->depth--;
	return true;
}

/*
 * What nearly every event is, on a lane that is near, at that time of the
 * monotonic clock or with NULL now by ticks: there is room for it, and an exit
 * is that of the innermost frame. false: nothing was done.
 */
DMT_INLINE bool
dmt_lane_record(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    const struct timespec *time, const struct dmt_frame *frame,
    enum dmtrace_action action)
{
	const bool done = !DMT_UNLIKELY(!dmt_lane_enters(recorder, lane)) &&
	    dmt_lane_take(lane, time, frame, action);

	dmt_lane_release(lane);
	return done;
}

#endif
