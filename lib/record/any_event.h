/* any_event.h - an event of any kind, step by step: time, record, frame */
#ifndef DMT_RECORD_ANY_EVENT_H
#define DMT_RECORD_ANY_EVENT_H

#include "record/thread_state.h"

/*
 * Begins an event; dmt_thread_end_event ends it. NULL: the event is lost, see
 * dmt_thread_count_lost. If the thread is busy already, the caller is a signal
 * handler that has interrupted an event, or an earlier handler has jumped out
 * of one.
 */
struct dmt_thread_state *
dmt_thread_begin_event(struct dmtrace_recorder *recorder);

/*
 * Gets the current time, but not before the thread's last time. false:
 * recording has ended, and the thread is not busy any more.
 */
bool
dmt_thread_now(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, struct dmt_times *times);

/* Called for a time that is too late for the file: rotates, or ends recording.
 * own_ns is the caller's time, or 0. false: as above. */
bool
dmt_thread_rotate(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, uint64_t own_ns);

/* Records an enter, and adds its frame; counts it if it is dropped. */
void
dmt_thread_record_enter(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, const struct dmt_frame *frame,
    const struct dmt_times *times);

/* Records an exit or unroll of the innermost frame or of another one; word is
 * the method with the action in its low bits. */
void
dmt_thread_record_exit(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, uint32_t word,
    const struct dmt_times *times);

/* Removes the innermost frame, and records that. false: there is no space for
 * the record, and the frame stays. */
bool
dmt_thread_pop_frame(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, enum dmtrace_action action,
    const struct dmt_times *times);

/* Records the exits of open frames, which stay open, at the end of a file, and
 * their enters in the next one; called with the lock for a thread that is not
 * busy. Returns how many exits it recorded. */
uint64_t
dmt_thread_close_frames(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);
void
dmt_thread_reopen_frames(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

#endif
