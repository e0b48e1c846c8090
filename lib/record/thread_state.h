/* thread_state.h - what a recorder has of one thread: buffer, clock, stack */
#ifndef DMT_RECORD_THREAD_STATE_H
#define DMT_RECORD_THREAD_STATE_H

#include <stdatomic.h>

#include "record/clock.h"
#include "record/recorder.h"

/* Kept out of the way of functions that call nothing. */
#if defined(__GNUC__)
#define DMT_APART __attribute__((noinline))
#else
#define DMT_APART
#endif

#define DMT_SMALL_BUFFER_SIZE 1024	/* bytes of a buffer beyond the limit */

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
 * Thread state: all that a recorder has of one thread. Only the thread writes
 * to it, while busy is set; whoever has seen busy clear after changing the
 * recorder's epoch may do it instead, under the lock, until the epoch is the
 * thread's again.
 */
struct dmt_thread_state {
	_Atomic(struct dmtrace_recorder *) recorder;	/* NULL: freed */
	atomic_bool busy;		/* an event is under way */
	uint32_t epoch;			/* of the recorder, when joined */
	uint8_t *at;			/* of the next record */
	uint8_t *end;			/* there is no room for another */
	struct dmt_frame *frames;	/* the outermost first */
	_Atomic(enum dmt_time_source) source;
	enum dmt_record_form form;
	uint32_t number;		/* in the records; 0: too many */
	uint32_t depth;
	uint32_t max_depth;
	struct dmt_times last;
	struct dmt_anchor anchor;
	uint64_t start_us;		/* of the file */
	uint64_t cpu_start_ns;		/* of the file, in this thread */
	uint64_t own_cpu_start_us;	/* the same on the caller's clock */
	uint64_t limit_us;

	uint64_t too_deep;		/* open frames deeper than max_depth */
	uint64_t dropped;
	uint64_t mismatched;
	uint64_t stepped_back;
	atomic_uint reentered;		/* dropped by signal handlers */

	struct dmt_thread_state *next;		/* of the recorder */
	struct dmt_thread_state *own_next;	/* of the thread */
	struct dmt_block *block;	/* NULL: the small buffer */
	uint8_t *buffer;
	uint32_t session;		/* the last that it took part in */
	long system_id;			/* for the system */
	bool named;			/* by the program */
	bool gone;			/* its event never comes to its end */
	bool own_times;			/* by the caller's clock */
	char name[DMT_THREAD_NAME_MAX];
	uint8_t small_buffer[DMT_SMALL_BUFFER_SIZE];
};

/* Taken before a recorder's own lock: whoever holds it finds the recorders
 * of thread states alive. */
extern pthread_mutex_t dmt_registry;

/* The state that the thread used last. */
extern _Thread_local struct dmt_thread_state *dmt_thread_cached DMT_NEAR;

/* Before the first state is made. false: the process has no pthread key
 * left. */
bool
dmt_threads_init(void);

/* The calling thread's state in the recorder, which is made if there is none.
 * NULL: no memory. */
struct dmt_thread_state *
dmt_thread_find(struct dmtrace_recorder *recorder);

/* The same, but NULL if there is none. */
struct dmt_thread_state *
dmt_thread_find_own(const struct dmtrace_recorder *recorder);

/* Called in the child of a fork: frees the states of threads that are not
 * there. */
void
dmt_threads_reset_in_child(struct dmtrace_recorder *recorder);

/* What event_path.h seldom calls; without the lock. */

/* Has the thread take part in what is recorded now; it is busy if so. */
bool
dmt_thread_join(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Counts an event that could not begin: a handler recorded within another one,
 * there was no memory for a state, or recording has ended by itself. In that
 * case an event of an unwanted key is not counted; key 0: it has none. */
void
dmt_thread_count_lost(struct dmtrace_recorder *recorder, uint64_t key);

/* A time that is too late for the anchor, or for the file: *times is one that
 * is not, if need be the latest of the next file. false: recording has ended,
 * and the thread is not busy. */
bool
dmt_thread_late_time(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, struct dmt_times *times);

/* A time that is too late for the file: it rotates, or recording ends.
 * own_ns is the caller's own time, or 0. false: as above. */
bool
dmt_thread_rotate(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, uint64_t own_ns);

/* Records an exit that is not that of the innermost frame, as the options say.
 * */
void
dmt_thread_exit_mismatched(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, uint32_t word,
    const struct dmt_times *times);

/* What session.c does with a thread that is not busy, under the lock. */

static inline bool
dmt_thread_takes_part(const struct dmtrace_recorder *recorder,
    const struct dmt_thread_state *thread)
{
	return thread->session == recorder->session && thread->number != 0;
}

/* Begins with a new file: the times, and enters of open frames. */
void
dmt_thread_begin_file(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);
void
dmt_thread_reopen_frames(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Records the exits of open frames, which stay open. Returns how many. */
uint64_t
dmt_thread_close_frames(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/*
 * The method of a call that is open in the records, but has no frame: a handler
 * has jumped out of an event between the two. 0: there is none; of a method
 * that calls itself nobody can know.
 */
uint32_t
dmt_thread_half_open_method(const struct dmtrace_recorder *recorder,
    const struct dmt_thread_state *thread);

/* Moves the thread's counts to those of the file. */
void
dmt_thread_collect_counts(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Takes the name that the program gave the thread, or the system has now. */
void
dmt_thread_update_name(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Ends the part that the thread had in a session, if it had one. */
void
dmt_thread_leave_session(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Has the state be none of the recorder's any more. Its thread may still write
 * to it, and frees it when it wants another one, or at its end. */
void
dmt_thread_abandon(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

#endif
