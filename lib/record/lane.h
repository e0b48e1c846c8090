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

#if defined(__GNUC__)
#define DMT_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define DMT_COLD __attribute__((cold, noinline))
#else
#define DMT_UNLIKELY(condition) (condition)
#define DMT_COLD
#endif

#define DMT_FEW_SIZE 1024	/* bytes of a buffer beyond the limit */

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
	atomic_uint busy;
	uint32_t epoch;			/* of the recorder, when joined */
	uint32_t left;			/* records that have room */
	uint32_t depth;
	uint8_t *at;			/* of the next record */
	struct dmt_frame *frames;	/* the outermost first */
	enum dmt_time_source source;
	enum dmt_record_form form;
	uint32_t thread;		/* its number; 0: none was left */
	uint32_t max_depth;
	struct dmt_times last;
	struct dmt_anchor anchor;
	uint64_t start_ns;		/* of the file */
	uint64_t cpu_start_ns;		/* of the file, in this thread */
	uint64_t limit_us;

	uint64_t beyond;		/* open frames deeper than max_depth */
	uint64_t dropped;
	uint64_t mismatched;
	uint64_t stepped_back;
	atomic_uint reentered;		/* dropped by signal handlers */

	_Atomic(struct dmtrace_recorder *) recorder;	/* NULL: freed */
	struct dmt_lane *next;		/* of the recorder */
	struct dmt_lane *thread_next;	/* of the thread */
	struct dmt_block *block;	/* NULL: few is its buffer */
	uint8_t *buffer;
	uint32_t session;		/* the last that it took part in */
	long thread_id;			/* the system's */
	bool named;			/* by the program */
	bool own_times;			/* by the caller's clock */
	size_t mapped;			/* bytes of this and the frames */
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

/* The buffer goes where full buffers go. false: it could not. */
bool
dmt_lane_hand_over(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* Records the exits of open frames, which stay open. */
void
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

/* The thread's innermost lane is kept at hand: see threads.c. */
extern _Thread_local struct dmt_lane *dmt_lane_cached;

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
	atomic_store(&lane->busy, 1);
	return atomic_load(&recorder->epoch);
#else
	atomic_store_explicit(&lane->busy, 1, memory_order_relaxed);
	if (DMT_UNLIKELY(recorder->fences))
		atomic_thread_fence(memory_order_seq_cst);
	else
		atomic_signal_fence(memory_order_seq_cst);
	return atomic_load_explicit(&recorder->epoch, memory_order_acquire);
#endif
}

DMT_INLINE void
dmt_lane_release(struct dmt_lane *lane)
{
	atomic_store_explicit(&lane->busy, 0, memory_order_release);
}

/*
 * Begins an event; dmt_lane_release ends it. NULL: there will be none. A lane
 * that is busy already has been interrupted by the signal handler that comes
 * here.
 */
DMT_INLINE struct dmt_lane *
dmt_lane_begin(struct dmtrace_recorder *recorder)
{
	if (DMT_UNLIKELY(atomic_load_explicit(&recorder->epoch,
	    memory_order_relaxed) == DMT_EPOCH_OFF))
		return NULL;
	struct dmt_lane *lane = dmt_lane_get(recorder);
	if (DMT_UNLIKELY(lane == NULL)) {
		atomic_fetch_add(&recorder->laneless, 1);
		return NULL;
	}
	if (DMT_UNLIKELY(atomic_load_explicit(&lane->busy,
	    memory_order_relaxed) != 0)) {
		atomic_fetch_add(&lane->reentered, 1);
		return NULL;
	}
	const uint32_t epoch = dmt_lane_occupy(recorder, lane);
	if (DMT_UNLIKELY((epoch & DMT_EPOCH_ON) == 0 ||
	    epoch != lane->epoch))
		return dmt_lane_join(recorder, lane) ? lane : NULL;
	return lane;
}

/* Microseconds, which may be more than the file holds. */
DMT_INLINE uint64_t
dmt_lane_wall_us(const struct dmt_lane *lane)
{
	return (dmt_clock_ns() - lane->start_ns) / 1000;
}

DMT_INLINE uint64_t
dmt_lane_cpu_us(const struct dmt_lane *lane)
{
	return (dmt_clock_cpu_ns() - lane->cpu_start_ns) / 1000;
}

/* false: the file is too old for the time. */
DMT_INLINE bool
dmt_lane_system_times(const struct dmt_lane *lane, struct dmt_times *times)
{
	const uint64_t cpu_us = lane->source == DMT_TIME_MONOTONIC ? 0 :
	    dmt_lane_cpu_us(lane);
	const uint64_t wall_us = lane->source == DMT_TIME_CPU ? 0 :
	    dmt_lane_wall_us(lane);

	times->cpu_us = (uint32_t)cpu_us;
	times->wall_us = (uint32_t)wall_us;
	return cpu_us <= lane->limit_us && wall_us <= lane->limit_us;
}

DMT_INLINE bool
dmt_lane_read_times(const struct dmt_lane *lane, struct dmt_times *times)
{
	if (lane->source != DMT_TIME_TICKS)
		return dmt_lane_system_times(lane, times);
	const uint64_t ticks = dmt_ticks() - lane->anchor.ticks;
	times->cpu_us = 0;
	times->wall_us = dmt_anchor_us(&lane->anchor, ticks);
	return ticks <= lane->anchor.limit;
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

/* One record, with a layout whose offsets the compiler knows. */
DMT_INLINE void
dmt_lane_encode_as(struct dmt_lane *lane, enum dmt_layout_row row,
    uint32_t word, const struct dmt_times *times)
{
	dmt_lane_encode(lane->at, &dmt_layouts[row], lane, word, times);
	atomic_signal_fence(memory_order_seq_cst);
	lane->at += dmt_layouts[row].record_size;
}

/* false: dropped, and counted. */
DMT_INLINE bool
dmt_lane_put(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint32_t word, const struct dmt_times *times)
{
	if (DMT_UNLIKELY(lane->left == 0) && !dmt_lane_flush(recorder, lane)) {
		lane->dropped++;
		return false;
	}
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
	lane->left--;
	lane->last = *times;
	return true;
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
		lane->frames[lane->depth++] = *frame;
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

#endif
