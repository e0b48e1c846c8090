/* profile.h - the totals of traces, and the threads of the one under way */
#ifndef DMT_PROFILE_PROFILE_H
#define DMT_PROFILE_PROFILE_H

#include <dmtrace/profile.h>
#include <dmtrace/stack.h>
#include <stdbool.h>

#include "base/arena.h"
#include "profile/calls.h"
#include "profile/edges.h"
#include "profile/ids.h"
#include "profile/nodes.h"

enum { DMT_CLOCKS = DMTRACE_PROFILE_CLOCKS };

/* How long something took, on each clock; handed on by value, so that the loops
 * have it in registers. */
struct dmt_took {
	uint64_t ns[DMT_CLOCKS];
};

/* Of one method, 64 bytes. Second index: 1 in recursive calls. Times are ns
 * modulo 2^64. */
struct dmt_cell {
	uint64_t calls[2];
	uint64_t inclusive[DMT_CLOCKS];
	uint64_t exclusive[DMT_CLOCKS][2];
};

/* The totals of one thread, or of all. */
struct dmt_table {
	struct dmt_cell *cells;		/* one per method, in all tables */
	struct dmt_calls *calls;	/* the same; NULL: not kept */
	struct dmt_edges edges;
	struct dmt_nodes nodes;
};

/* An open call. The first one of a thread stands for its top. */
struct dmt_profile_frame {
	uint64_t start[DMT_CLOCKS];
	uint64_t edge;		/* how it was called: see dmt_edge_key, but
				   the caller only with
				   DMTRACE_PROFILE_EDGES; of the first one: 0 */
	uint32_t caller;	/* what it is to edges: the method or, of the
				   first one, above DMT_CALLER_TOP */
	uint32_t node;
};

/* A call that was left, and does not count for its edge yet: it takes some
 * of them for the cache to be asked for all their edges at once. */
struct dmt_left {
	uint64_t edge;
	uint64_t inclusive[DMT_CLOCKS];
};

#define DMT_LEFT 64			/* calls of a thread at most */

/* A thread of the trace under way. */
struct dmt_thread {
	struct dmt_profile_frame *frames;	/* the first one stays */
	size_t capacity;
	size_t room;		/* so many calls may be open */
	struct dmt_profile_frame *top;
	struct dmt_left *left;	/* with DMTRACE_PROFILE_EDGES */
	size_t left_count;
	uint64_t *open;		/* a bit for each method with an open call */
	struct dmt_table *table;
	struct dmt_nodes nodes;
	uint64_t *tops;		/* keys of the edges from its top */
	size_t tops_count, tops_capacity;
	uint64_t first[DMT_CLOCKS];
	uint64_t last[DMT_CLOCKS];
	uint64_t outside[DMT_CLOCKS];	/* time outside of methods */
	uint64_t overhead[DMT_CLOCKS];	/* that was subtracted */
	double back[DMT_CLOCKS];	/* see dmt_ns_of */
	double calls[DMT_CLOCKS];	/* the same */
	uint64_t records;
	uint64_t enters;
	uint64_t before;	/* calls that began before the trace */
	uint32_t row;		/* in the rows of threads */
	uint32_t around_end;	/* the last one of these; 0: none. See
				   again.c, as for the next ones */
	struct dmt_idmap around;	/* methods: the last exit without
					   entry */
	struct dmt_edges from_top;	/* since the last of these */
};

struct dmt_profile_row {
	struct dmtrace_profile_thread thread;
	uint32_t next;		/* of the same number; UINT32_MAX: none */
	struct dmt_table table;	/* with DMTRACE_PROFILE_THREADS */
};

struct dmt_method {
	struct dmtrace_text class_name, name, signature;
	uint64_t id;
	uint32_t next;		/* of the same hash; 0: none */
	bool listed;
	uint64_t in_trace;	/* the last one with an id of it, from 1; 0:
				   none */
};

struct dmtrace_profile {
	struct dmtrace_profile_options options;
	unsigned keep;
	bool under_way;
	struct dmtrace_profile_summary summary;
	double steps[DMT_CLOCKS];	/* of all threads: see dmt_ns_of */
	double calls[DMT_CLOCKS];	/* the same */
	struct dmtrace_error error;

	struct dmt_method *methods;	/* the first one is the top */
	size_t method_count;
	size_t method_room;		/* so many have cells and bits */
	size_t method_capacity;
	struct dmt_idmap by_name;	/* the first of a hash of names */
	struct dmt_arena names;
	uint32_t unknown;		/* for all ids that are not listed;
					   0: each is a method */

	struct dmt_table all;
	struct dmt_profile_row **rows;
	size_t row_count;
	size_t row_capacity;
	struct dmt_idmap by_row;	/* the first row of a number */

	/* Of the trace under way. */
	const struct dmtrace_key *key;
	const struct dmtrace_layout *layout;
	struct dmt_ids ids;
	uint64_t call_overhead;		/* ns to subtract before each event */
	bool shares;			/* ids of the trace share an index */
	struct dmtrace_stacks *stacks;	/* then: which call an exit ends; else
					   NULL */
	struct dmt_thread **threads;
	size_t thread_count;
	size_t thread_capacity;
	struct dmt_idmap by_thread;	/* numbers that are not direct */
	uint32_t *direct;		/* index + 1, by number */
	uint32_t tops;			/* callers that were, of any trace */
	bool ended;			/* its threads are added up */
	bool is_again;			/* events come for the second time */
	size_t again_left;		/* threads that need more of them */
};

/*
 * The absolute value of a time. Sums of times are kept modulo 2^64; they are
 * right if each time is below 2^63, and two sums of absolute values, which
 * cannot wrap, are too: that of all steps from one event of a thread to the
 * next bounds the times of methods, that of all calls those of edges and
 * paths. The former is the time from the first event to the last one, and
 * twice the time that the clock went back.
 */
DMT_INLINE double
dmt_ns_of(uint64_t time)
{
	const double ns = (double)(int64_t)time;

	return ns < 0 ? -ns : ns;
}

/* So many numbers of threads are looked up without a map. */
#define DMT_DIRECT_THREADS 65536

/* They set the profile's error on failure, and return false. */
bool
dmt_profile_room(struct dmtrace_profile *profile, size_t methods);
bool
dmt_profile_no_memory(struct dmtrace_profile *profile);
bool
dmt_profile_too_long(struct dmtrace_profile *profile);

/* The methods of the key. */
bool
dmt_methods_list(struct dmtrace_profile *profile);

/* The index of an id that is not known yet; 0: no memory. Cells may move. */
DMT_COLD uint32_t
dmt_methods_add_unlisted(struct dmtrace_profile *profile, uint64_t id);

/* The thread of a number that has not come yet; NULL: no memory. */
struct dmt_thread *
dmt_thread_add(struct dmtrace_profile *profile, uint32_t number,
    const uint64_t now[DMT_CLOCKS]);

struct dmt_thread *
dmt_thread_find_far(const struct dmtrace_profile *profile, uint32_t number);

/* NULL: it has not come yet. */
DMT_INLINE struct dmt_thread *
dmt_thread_find_near(const struct dmtrace_profile *profile, uint32_t number)
{
	if (number >= DMT_DIRECT_THREADS)
		return dmt_thread_find_far(profile, number);
	return profile->direct[number] == 0 ? NULL :
	    profile->threads[profile->direct[number] - 1];
}

DMT_INLINE bool
dmt_thread_has_open(const struct dmt_thread *thread, uint32_t method)
{
	return thread->open[method / 64] >> (method % 64) & 1;
}

/* Without a clock, its time is 0. */
DMT_INLINE void
dmt_event_times(const struct dmtrace_event *event, uint64_t now[DMT_CLOCKS])
{
	now[0] = event->cpu_ns == DMTRACE_NO_TIME ? 0 : event->cpu_ns;
	now[1] = event->wall_ns == DMTRACE_NO_TIME ? 0 : event->wall_ns;
}

/* Forgets the threads of the trace. */
void
dmt_threads_clear(struct dmtrace_profile *profile);

/*
 * What the loops leave to others, at an event whose time up to now is already
 * charged; took is that time. *again: there is more room now, and the loop
 * takes the event again. false: no memory, or too deep.
 */
DMT_COLD bool
dmt_thread_odd(struct dmtrace_profile *profile, struct dmt_thread *thread,
    uint32_t method, enum dmtrace_action action,
    struct dmt_took took, bool *again);

/* A clock went back, or both: it took a negative time. */
DMT_COLD void
dmt_thread_go_back(struct dmt_thread *thread, struct dmt_took took);

/* Makes the stacks, if there are to be any, anew. */
bool
dmt_profile_make_stacks(struct dmtrace_profile *profile);

/* What an event does to the stacks, if there are any: an exit of a method
 * that is not open is a stray. */
bool
dmt_profile_step(struct dmtrace_profile *profile,
    const struct dmtrace_event *event, struct dmtrace_step *step);

/* Ends the innermost call at the thread's last time. */
bool
dmt_thread_pop(struct dmtrace_profile *profile, struct dmt_thread *thread);

/* Ends all calls of a thread that are open, at its last time. */
bool
dmt_thread_close(struct dmtrace_profile *profile, struct dmt_thread *thread);

/* Makes its top another caller, whom nobody was called by. false: there were
 * too many. */
bool
dmt_thread_rename_top(struct dmtrace_profile *profile,
    struct dmt_thread *thread);

/* Moves the edges from the thread's top to edges from caller. */
bool
dmt_thread_move_tops(struct dmtrace_profile *profile,
    struct dmt_thread *thread, uint32_t caller);

/* Sets how many calls may be open: above the last one, which a loop may write,
 * there is a frame, too. */
void
dmt_thread_set_room(const struct dmtrace_profile *profile,
    struct dmt_thread *thread);

/* Makes room for one more frame. */
bool
dmt_thread_room(struct dmtrace_profile *profile, struct dmt_thread *thread);

/* Subtracts from now what the events of a thread cost so far. */
void
dmt_thread_compensate(const struct dmtrace_profile *profile,
    struct dmt_thread *thread, uint64_t now[DMT_CLOCKS]);

void
dmt_table_fini(struct dmt_table *table);

/* Adds what from came to, which has to be finished again. false: no memory. */
bool
dmt_table_add(struct dmtrace_profile *profile, struct dmt_table *to,
    struct dmt_table *from);

#endif
