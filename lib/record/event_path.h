/* event_path.h - an event, from the recorder's switch to the thread's buffer */
#ifndef DMT_RECORD_EVENT_PATH_H
#define DMT_RECORD_EVENT_PATH_H

#include "record/thread_state.h"

/*
 * This file determines the cost of an event: it is inlined in the functions
 * that record one. A thread writes records to its own buffer, without a lock.
 * For each event it sets busy, and checks that the recorder is still in the
 * epoch (the current file of the current session) that the thread has joined;
 * reads the clock; writes the record; adds or removes a frame; clears busy.
 * Only three kinds of events take the lock: the first one of a thread in an
 * epoch, one that finds the buffer full (buffer.c), and one whose time is too
 * late for the file (any_event.c).
 *
 * The thread that stops or rotates changes the epoch, and then waits until no
 * thread is busy (session.c). That is safe only if each side's store is
 * visible before its load of the other side's variable. A fence in each event
 * would guarantee it, but costs as much as the rest of the event; so the
 * thread that stops makes the system execute a fence in every thread
 * (dmt_barrier).
 *
 * A signal handler can run between any two instructions. If it records, it
 * finds busy set, and its event is dropped and counted. If it jumps out of the
 * interrupted event, busy stays set, and the thread records nothing more. The
 * state is valid at every point: the bytes of a record are written before the
 * end of the buffer moves, and before the frame is added; an exit removes its
 * frame before its record is written. So an interrupted event may lack an
 * exit, but there is never an additional exit.
 *
 * dmt_thread_record_fast, at the end, handles nearly all events; any_event.c
 * has the same steps for all others.
 */

/* ThreadSanitizer does not understand fences: where it is used, the accesses
 * that they order are sequentially consistent instead. */
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

/* Begin and end of an event. */

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

/* Returns the calling thread's state, which is made if it does not exist.
 * NULL: no memory. */
DMT_INLINE struct dmt_thread_state *
dmt_thread_get(struct dmtrace_recorder *recorder)
{
	struct dmt_thread_state *thread = dmt_thread_cached;

	if (DMT_UNLIKELY(thread == NULL || atomic_load_explicit(
	    &thread->recorder, memory_order_relaxed) != recorder))
		thread = dmt_thread_find(recorder);
	return thread;
}

/* Makes busy visible to others before the epoch is read: see dmt_barrier. */
DMT_INLINE uint32_t
dmt_thread_set_busy(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
#if DMT_TSAN
	atomic_store(&thread->busy, true);
	return atomic_load(&recorder->epoch);
#else
	atomic_store_explicit(&thread->busy, true, memory_order_relaxed);
	if (DMT_UNLIKELY(recorder->fences))
		atomic_thread_fence(memory_order_seq_cst);
	else
		atomic_signal_fence(memory_order_seq_cst);
	return atomic_load_explicit(&recorder->epoch, memory_order_acquire);
#endif
}

/* Sets busy. false: the recorder is not in the epoch that the thread has
 * joined; then no event has begun, but the caller must clear busy. */
DMT_INLINE bool
dmt_thread_try_event(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	const uint32_t epoch = dmt_thread_set_busy(recorder, thread);

	return (epoch & DMT_EPOCH_ON) != 0 && epoch == thread->epoch;
}

DMT_INLINE void
dmt_thread_end_event(struct dmt_thread_state *thread)
{
	atomic_store_explicit(&thread->busy, false, memory_order_release);
}

/* The time of an event. */

/* May be read while the thread is not busy. */
DMT_INLINE enum dmt_time_source
dmt_thread_time_source(const struct dmt_thread_state *thread)
{
	return atomic_load_explicit(&thread->source, memory_order_relaxed);
}

/* Returns microseconds since the start of the file, possibly more than the
 * file can hold; 0 before its start. */
DMT_INLINE uint64_t
dmt_thread_wall_us(const struct dmt_thread_state *thread)
{
	const uint64_t us = dmt_recorder_clock_us();

	return us < thread->start_us ? 0 : us - thread->start_us;
}

/* The record of an event. */

/* Appends one record, with a layout whose offsets the compiler knows. */
DMT_INLINE void
dmt_thread_append_as(struct dmt_thread_state *thread, enum dmt_layout_row row,
    uint32_t word, const struct dmt_times *times)
{
	const struct dmt_layout *layout = &dmt_layouts[row];
	uint8_t *const out = thread->at;

	dmt_put_le(out + layout->thread.offset, layout->thread.width,
	    thread->number);
	dmt_put_le(out + layout->method.offset, layout->method.width, word);
	dmt_put_le(out + layout->cpu.offset, layout->cpu.width,
	    times->cpu_us);
	dmt_put_le(out + layout->wall.offset, layout->wall.width,
	    times->wall_us);
	atomic_signal_fence(memory_order_seq_cst);
	thread->at += layout->record_size;
	atomic_signal_fence(memory_order_seq_cst);
}

/* Its frame. */

/* The frame is written completely before it counts. */
DMT_INLINE void
dmt_thread_push_frame(struct dmt_thread_state *thread,
    const struct dmt_frame *frame)
{
	thread->frames[thread->depth] = *frame;
	atomic_signal_fence(memory_order_seq_cst);
	thread->depth++;
}

/* The fast path. */

/* Returns the thread's state if it is cached, of this recorder, and not busy.
 * NULL: use dmt_thread_get. Calls nothing. */
DMT_INLINE struct dmt_thread_state *
dmt_thread_get_cached(const struct dmtrace_recorder *recorder)
{
	struct dmt_thread_state *thread = dmt_thread_cached;

	if (DMT_UNLIKELY(thread == NULL || atomic_load_explicit(
	    &thread->recorder, memory_order_relaxed) != recorder ||
	    atomic_load_explicit(&thread->busy, memory_order_relaxed)))
		return NULL;
	return thread;
}

/* Reads the wall time, by ticks or from the monotonic clock; callers pass a
 * constant source. false: dmt_thread_now is needed, for example because the
 * time is before the last one. */
DMT_INLINE bool
dmt_thread_read_wall(const struct dmt_thread_state *thread,
    enum dmt_time_source source, uint32_t *wall_us)
{
	if (source == DMT_TIME_MONOTONIC) {
		const uint64_t us = dmt_thread_wall_us(thread);

		*wall_us = (uint32_t)us;
		return us <= thread->limit_us && us >= thread->last.wall_us;
	}
	const uint64_t ticks = dmt_ticks() - thread->anchor.ticks;

	*wall_us = dmt_anchor_us(&thread->anchor, ticks);
	return ticks <= thread->anchor.limit &&
	    *wall_us >= thread->last.wall_us;
}

/* Appends the record of a wall time. */
DMT_INLINE void
dmt_thread_append_wall(struct dmt_thread_state *thread, uint32_t word,
    uint32_t wall_us)
{
	const struct dmt_times times = { 0, wall_us };

	if (DMT_UNLIKELY(thread->form == DMT_FORM_1))
		dmt_thread_append_as(thread, DMT_LAYOUT_1_WALL, word, &times);
	else
		dmt_thread_append_as(thread, DMT_LAYOUT_2_WALL, word, &times);
	thread->last.wall_us = wall_us;
}

/*
 * Records the usual event of a busy thread that records only wall time: the
 * buffer has space, and an exit ends the innermost frame. Callers pass
 * constants for source and action. false: it is another kind of event, and
 * nothing was done.
 */
DMT_INLINE bool
dmt_thread_record_fast(struct dmt_thread_state *thread,
    enum dmt_time_source source, const struct dmt_frame *frame,
    enum dmtrace_action action)
{
	const bool fits = thread->at != thread->end &&
	    (action == DMTRACE_ENTER ? thread->depth < thread->max_depth :
	    thread->too_deep == 0 && thread->depth > 0 &&
	    thread->frames[thread->depth - 1].method == frame->method);
	uint32_t wall_us;

	if (DMT_UNLIKELY(!fits) ||
	    DMT_UNLIKELY(!dmt_thread_read_wall(thread, source, &wall_us)))
		return false;
	if (action != DMTRACE_ENTER)
		thread->depth--;
	dmt_thread_append_wall(thread, frame->method | action, wall_us);
	if (action == DMTRACE_ENTER)
		dmt_thread_push_frame(thread, frame);
	return true;
}

#endif
