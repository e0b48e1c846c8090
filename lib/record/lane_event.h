/* lane_event.h - where an event of a lane begins and ends */
#ifndef DMT_RECORD_LANE_EVENT_H
#define DMT_RECORD_LANE_EVENT_H

#include "record/lane_put.h"
#include "record/lane_times.h"

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

DMT_INLINE bool
dmt_recorder_is_off(const struct dmtrace_recorder *recorder)
{
	return atomic_load_explicit(&recorder->epoch, memory_order_relaxed) ==
	    DMT_EPOCH_OFF;
}

DMT_INLINE bool
dmt_recorder_has_ended(const struct dmtrace_recorder *recorder)
{
	return atomic_load_explicit(&recorder->epoch, memory_order_relaxed) ==
	    DMT_EPOCH_ENDED;
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
	atomic_store(&lane->busy, true);
	return atomic_load(&recorder->epoch);
#else
	atomic_store_explicit(&lane->busy, true, memory_order_relaxed);
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
	atomic_store_explicit(&lane->busy, false, memory_order_release);
}

/*
 * Begins an event; dmt_lane_release ends it. NULL: there will be none, see
 * dmt_lane_lose. A lane that is busy already has been interrupted by the
 * signal handler that comes here; or a handler has jumped out of the event,
 * and the thread records no more.
 */
DMT_INLINE struct dmt_lane *
dmt_lane_begin(struct dmtrace_recorder *recorder)
{
	if (DMT_UNLIKELY(dmt_recorder_is_off(recorder)))
		return NULL;
	struct dmt_lane *lane = dmt_lane_get(recorder);
	if (DMT_UNLIKELY(lane == NULL))
		return NULL;
	if (DMT_UNLIKELY(atomic_load_explicit(&lane->busy,
	    memory_order_relaxed)))
		return NULL;
	if (DMT_UNLIKELY(!dmt_lane_enters(recorder, lane)))
		return dmt_lane_join(recorder, lane) ? lane : NULL;
	return lane;
}

/* The lane if it is at hand and not busy, or NULL; without a call. */
DMT_INLINE struct dmt_lane *
dmt_lane_near(const struct dmtrace_recorder *recorder)
{
	struct dmt_lane *lane = dmt_lane_cached;

	if (DMT_UNLIKELY(lane == NULL || atomic_load_explicit(&lane->recorder,
	    memory_order_relaxed) != recorder || atomic_load_explicit(
	    &lane->busy, memory_order_relaxed)))
		return NULL;
	return lane;
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
dmt_lane_take(struct dmt_lane *lane, const struct dmt_frame *frame,
    enum dmtrace_action action)
{
	uint32_t wall_us;

	if (DMT_UNLIKELY(!dmt_lane_is_apt(lane, frame, action)) ||
	    DMT_UNLIKELY(!dmt_lane_read_wall(lane, &wall_us)))
		return false;
	if (action != DMTRACE_ENTER)
		lane->depth--;
	dmt_lane_append_wall(lane, frame->method | action, wall_us);
	if (action == DMTRACE_ENTER)
		dmt_lane_push(lane, frame);
	return true;
}

/*
 * What nearly every event is, on a lane that is near and reads ticks: there is
 * room for it, and an exit is that of the innermost frame. false: nothing was
 * done.
 */
DMT_INLINE bool
dmt_lane_record(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    const struct dmt_frame *frame, enum dmtrace_action action)
{
	const bool done = !DMT_UNLIKELY(!dmt_lane_enters(recorder, lane)) &&
	    dmt_lane_take(lane, frame, action);

	dmt_lane_release(lane);
	return done;
}

#endif
