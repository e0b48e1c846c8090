/* lane.h - one thread's way into a recorder: its buffer, clock and stack */
#ifndef DMT_RECORD_LANE_H
#define DMT_RECORD_LANE_H

#include <stdatomic.h>

#include "record/clock.h"
#include "record/recorder.h"

/* Kept out of the way of functions that call nothing. */
#if defined(__GNUC__)
#define DMT_APART __attribute__((noinline))
#else
#define DMT_APART
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
	_Atomic(struct dmtrace_recorder *) recorder;	/* NULL: freed */
	atomic_bool busy;		/* an event is under way */
	uint32_t epoch;			/* of the recorder, when joined */
	uint8_t *at;			/* of the next record */
	uint8_t *end;			/* there is no room for another */
	struct dmt_frame *frames;	/* the outermost first */
	_Atomic(enum dmt_time_source) source;
	enum dmt_record_form form;
	uint32_t thread;		/* its number; 0: none was left */
	uint32_t depth;
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
	bool gone;			/* its event never comes to its end */
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

/* Has the lane be none of the recorder's any more. Its thread may still write
 * to it, and frees it when it wants another one, or at its end. */
void
dmt_lane_leave_behind(struct dmtrace_recorder *recorder,
    struct dmt_lane *lane);

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

/* The buffer of a thread that ends stays in memory. */
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

/*
 * The method of a call that is open in the records, but has no frame: a handler
 * has jumped out of an event between the two. 0: there is none; of a method
 * that calls itself nobody can tell.
 */
uint32_t
dmt_lane_half_open(const struct dmtrace_recorder *recorder,
    const struct dmt_lane *lane);

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

/* The cold halves of lane_event.h and its like; without the lock. */

/* Has the lane take part; it is busy if so. */
bool
dmt_lane_join(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* Counts an event that could not begin: amid another one of the thread, without
 * memory for a lane, or after recording has ended by itself; then not if its
 * key is unwanted. 0: it has no key. */
void
dmt_lane_lose(struct dmtrace_recorder *recorder, uint64_t key);

bool
dmt_lane_flush(struct dmtrace_recorder *recorder, struct dmt_lane *lane);

/* A time that is too late for the anchor, or for the file: *times is one that
 * is not, if need be the latest of the next file. false: recording has ended,
 * and the lane is not busy. */
bool
dmt_lane_late(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    struct dmt_times *times);

/* A time that is too late for the file: it rotates, or recording ends.
 * own_ns is the caller's own time, or 0. */
bool
dmt_lane_turn(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint64_t own_ns);

void
dmt_lane_mismatch(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint32_t word, const struct dmt_times *times);

/* The lane that the thread used last: see threads.c. */
extern _Thread_local struct dmt_lane *dmt_lane_cached DMT_NEAR;

#endif
