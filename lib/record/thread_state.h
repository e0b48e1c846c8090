/* thread_state.h - the state of a thread in a recorder: buffer, clock, stack */
#ifndef DMT_RECORD_THREAD_STATE_H
#define DMT_RECORD_THREAD_STATE_H

#include <stdatomic.h>

#include "record/clock.h"
#include "record/recorder.h"

/* For rare paths that must not be inlined in functions that call nothing. */
#if defined(__GNUC__)
#define DMT_APART __attribute__((noinline))
#else
#define DMT_APART
#endif

#define DMT_SMALL_BUFFER_SIZE 1024	/* bytes of a buffer when the limit is
					   reached */

/* place and tag are for the caller; see lib/instrument. */
struct dmt_frame {
	uintptr_t place;
	uint32_t method;
	uint32_t tag;
};

/* Microseconds since the start of the file. */
struct dmt_times {
	uint32_t cpu_us;
	uint32_t wall_us;
};

/*
 * The state of one thread in a recorder. Only the thread writes to it, while
 * busy is set. Another thread that has changed the recorder's epoch and then
 * seen busy clear may write to it with the lock, until the thread joins the
 * new epoch.
 */
struct dmt_thread_state {
	_Atomic(struct dmtrace_recorder *) recorder;	/* NULL: freed */
	atomic_bool busy;		/* an event is in progress */
	uint32_t epoch;			/* the recorder's, when it joined */
	uint8_t *at;			/* where the next record goes */
	uint8_t *end;			/* the last position with space for a
					   record */
	struct dmt_frame *frames;	/* the outermost first */
	_Atomic(enum dmt_time_source) source;
	enum dmt_record_form form;
	uint32_t number;		/* in records; 0: too many threads */
	uint32_t depth;
	uint32_t max_depth;
	struct dmt_times last;
	struct dmt_anchor anchor;
	uint64_t start_us;		/* start of the file */
	uint64_t cpu_start_ns;		/* the same on the thread's CPU clock */
	uint64_t own_cpu_start_us;	/* the same on the caller's CPU clock */
	uint64_t limit_us;

	uint64_t too_deep;		/* number of open calls below
					   max_depth */
	uint64_t dropped;
	uint64_t mismatched;
	uint64_t stepped_back;
	atomic_uint reentered;		/* events in signal handlers, dropped */

	struct dmt_thread_state *next;		/* in the recorder's list */
	struct dmt_thread_state *own_next;	/* in the thread's list */
	struct dmt_block *block;	/* NULL: uses the small buffer */
	uint8_t *buffer;
	uint32_t added;			/* the last records in the buffer, which
					   the recorder added */
	uint32_t session;		/* the last one it recorded in */
	long system_id;			/* the system's number of the thread */
	bool named;			/* the program has named it */
	bool gone;			/* its event will never end */
	bool own_times;			/* times come from the caller */
	char name[DMT_THREAD_NAME_MAX];
	uint8_t small_buffer[DMT_SMALL_BUFFER_SIZE];
};

/* Taken before a recorder's own lock: while it is held, the recorders of
 * thread states are not freed. */
extern pthread_mutex_t dmt_registry;

/* The state that the thread used last. */
extern _Thread_local struct dmt_thread_state *dmt_thread_cached DMT_NEAR;

/* Called before the first state is made. false: the process has no pthread key
 * left. */
bool
dmt_threads_init(void);

/* Returns the calling thread's state in the recorder, which is made if it does
 * not exist. NULL: no memory. */
struct dmt_thread_state *
dmt_thread_find(struct dmtrace_recorder *recorder);

/* The same, but NULL if it does not exist. */
struct dmt_thread_state *
dmt_thread_find_own(const struct dmtrace_recorder *recorder);

/* Called in the child of a fork: frees the states of threads that do not exist
 * there. */
void
dmt_threads_reset_in_child(struct dmtrace_recorder *recorder);

/* Rare parts of an event, called without the lock. */

/* Makes the thread join the current file. Returns true if events are recorded;
 * it is then busy. */
bool
dmt_thread_join(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/*
 * Counts an event that could not begin: a signal handler recorded during
 * another event, there was no memory for a state, or recording has ended by
 * itself. In the last case an event of an unwanted key is not counted; key 0:
 * it has no key.
 */
void
dmt_thread_count_lost(struct dmtrace_recorder *recorder, uint64_t key);

/* Functions that session.c calls with the lock for a thread that is not
 * busy. */

static inline bool
dmt_thread_takes_part(const struct dmtrace_recorder *recorder,
    const struct dmt_thread_state *thread)
{
	return thread->session == recorder->session && thread->number != 0;
}

/* Resets the times for a new file. */
void
dmt_thread_begin_file(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/*
 * Returns the method of a call that is open in the records but has no frame,
 * because a signal handler has jumped out of an event between the two. 0:
 * none; if a method calls itself, this cannot be detected.
 */
uint32_t
dmt_thread_half_open_method(const struct dmtrace_recorder *recorder,
    const struct dmt_thread_state *thread);

/* Adds the thread's counts to those of the file, and resets them. */
void
dmt_thread_collect_counts(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Sets the thread's name to the one given by the program, or by the system. */
void
dmt_thread_update_name(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Ends the thread's part of a session, if it had one. */
void
dmt_thread_leave_session(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

/* Removes the state from the recorder. Its thread may still write to it, and
 * frees it when it needs another state, or at its end. */
void
dmt_thread_abandon(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread);

#endif
