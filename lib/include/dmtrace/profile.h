/* dmtrace/profile.h - where the time of traces went */
#ifndef DMTRACE_PROFILE_H
#define DMTRACE_PROFILE_H

#include <dmtrace/select.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A profile adds up the calls and times of one trace or several: of methods,
 * of callers and callees, of threads, and of the paths of the call tree. The
 * order of calls is: new, add for each trace, the functions that return totals,
 * free. A profile is used by one thread at a time. Times are nanoseconds; they
 * are negative if a clock was set back.
 *
 * Traces start and end in the middle of calls. If a method returns without
 * having been entered, its call started at the first event of its thread, and
 * contains all that the thread did outside of other calls until then. A call
 * that is open at the end lasts until the last event of its thread. An exit of
 * an outer call ends the calls inside it; an exit of a method that is not open
 * is ignored. An exit ends the call with its own id, also if several ids are
 * one row of the totals; calls of one of them inside a call of another are
 * recursive.
 */
struct dmtrace_profile;

/* Indexes of the clocks in arrays of times. */
enum dmtrace_profile_clock {
	DMTRACE_PROFILE_CPU = 0,
	DMTRACE_PROFILE_WALL = 1,
	DMTRACE_PROFILE_CLOCKS = 2
};

/* What a row of the totals is about. Calls inside calls of the same row are
 * recursive. */
enum dmtrace_profile_by {
	DMTRACE_PROFILE_BY_METHOD = 0,	/* a class, name and signature */
	DMTRACE_PROFILE_BY_ROW = 1,	/* a row of the key: not for several
					   traces */
	DMTRACE_PROFILE_BY_NAME = 2,	/* methods of one name */
	DMTRACE_PROFILE_BY_CLASS = 3,
	DMTRACE_PROFILE_BY_PACKAGE = 4
};

/* What to keep besides the totals of methods and threads. */
enum {
	DMTRACE_PROFILE_EDGES = 1,	/* callers and callees */
	DMTRACE_PROFILE_TREE = 2,	/* the call tree */
	DMTRACE_PROFILE_CALLS = 4,	/* how long single calls took */
	DMTRACE_PROFILE_THREADS = 8,	/* all of it for each thread, too */
	DMTRACE_PROFILE_COMPENSATE = 16,	/* subtract the key's
					   clock-call-overhead-nsec from the
					   time before each event */
	DMTRACE_PROFILE_AS_DMTRACEDUMP = 32	/* as dmtracedump counts: see
					   dmtrace-report.1 */
};

struct dmtrace_profile_options {
	unsigned keep;		/* DMTRACE_PROFILE_EDGES and so on */
	enum dmtrace_profile_by by;
	enum dmtrace_clock clock;	/* of DMTRACE_PROFILE_CALLS: THREAD_CPU,
					   else WALL; the other if the first
					   trace lacks it */
	uint32_t max_depth;	/* open frames of a thread; 0: 1,048,576 */
};

/* options may be NULL. NULL: no memory. */
DMTRACE_API struct dmtrace_profile *
dmtrace_profile_new(const struct dmtrace_profile_options *options);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_profile_free(struct dmtrace_profile *profile);

/* The first failure; belongs to the profile, which is of no use then. */
DMTRACE_API const struct dmtrace_error *
dmtrace_profile_error(const struct dmtrace_profile *profile);

/*
 * Adds the events of a source, to their end. If a method returns without
 * having been entered, they are read a second time, with that method open
 * from the start; input that can be read only once is copied to a temporary
 * file in TMPDIR, else /tmp. Names are copied.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT  a thread has more open frames than max_depth, or
 *                      leaves more that it did not enter; or times add up to
 *                      more than 2^63 ns
 *   DMTRACE_ERR_STATE  a second trace with DMTRACE_PROFILE_BY_ROW; or events
 *                      of the source were read, or a call has taken it
 * or the status of the source's error. Then the events that came before it
 * count, and the profile itself has no error.
 */
DMTRACE_API enum dmtrace_status
dmtrace_profile_add(struct dmtrace_profile *profile,
    struct dmtrace_source *source);

/*
 * The totals, after the last trace or between two. Names belong to the profile.
 * Table 0 is all threads together; with DMTRACE_PROFILE_THREADS, 1 is the first
 * thread, and so on. An index is below the count; for another one, or a table
 * that does not exist, the struct is set to zero.
 */

/* The profile as a whole. */
struct dmtrace_profile_summary {
	uint64_t traces;
	uint64_t records;
	int has_clock[DMTRACE_PROFILE_CLOCKS];	/* in every trace */
	int lower_bounds;	/* a trace overflowed: more happened */
	int64_t total_ns[DMTRACE_PROFILE_CLOCKS];	/* from the first to
					   the last event of each thread */
	int64_t overhead_ns[DMTRACE_PROFILE_CLOCKS];	/* subtracted */
	int64_t span_ns;	/* wall time from the first to the last event
				   of all threads, traces added up; a trace
				   whose threads have no time in common counts
				   as 0 */
};

DMTRACE_API void
dmtrace_profile_summary_get(const struct dmtrace_profile *profile,
    struct dmtrace_profile_summary *summary);

/* The totals of a method. Index 0 stands for the time outside of all methods:
 * see DMTRACE_PROFILE_TOP. */
struct dmtrace_profile_method {
	struct dmtrace_text class_name;	/* or the package; may be empty */
	struct dmtrace_text name;	/* empty by class and package */
	struct dmtrace_text signature;	/* empty but by method and row */
	struct dmtrace_text file;	/* by method and row; may be empty */
	int32_t line;		/* as in its row, or DMTRACE_NO_LINE */
	uint64_t id;		/* of the first method that it stands for */
	int listed;		/* 0: no key has a name for that id; its name
				   is then made of it */
	uint64_t calls;		/* while it had no open call in the thread */
	uint64_t recursive_calls;	/* while it had */
	int64_t inclusive_ns[DMTRACE_PROFILE_CLOCKS];	/* of the former */
	int64_t exclusive_ns[DMTRACE_PROFILE_CLOCKS];	/* of both */
	int64_t outer_ns[DMTRACE_PROFILE_CLOCKS];	/* exclusive time of
					   the former alone */
};

/* Outside of any method: its name is "(toplevel)", its inclusive time the
 * total. */
#define DMTRACE_PROFILE_TOP 0

DMTRACE_API size_t
dmtrace_profile_method_count(const struct dmtrace_profile *profile);
DMTRACE_API void
dmtrace_profile_method_get(const struct dmtrace_profile *profile,
    size_t table, size_t index, struct dmtrace_profile_method *method);

/*
 * Calls of one method by another, with DMTRACE_PROFILE_EDGES. Those whose
 * callee is not recursive add up to the callee's inclusive time; those whose
 * caller is not recursive add up, with its outer_ns, to that of the caller.
 * They are sorted by caller, then callee, then what is recursive.
 */
struct dmtrace_profile_edge {
	uint32_t caller;	/* index of the method, or the top */
	uint32_t callee;
	int caller_recursive;	/* the calling frame lies in another one */
	int callee_recursive;
	uint64_t calls;
	int64_t inclusive_ns[DMTRACE_PROFILE_CLOCKS];	/* of the calls */
};

DMTRACE_API size_t
dmtrace_profile_edge_count(const struct dmtrace_profile *profile,
    size_t table);
DMTRACE_API void
dmtrace_profile_edge_get(const struct dmtrace_profile *profile, size_t table,
    size_t index, struct dmtrace_profile_edge *edge);

/*
 * A path of calls, with DMTRACE_PROFILE_TREE. The first one, index 0, is the
 * top; the parent of the others is before them.
 */
struct dmtrace_profile_node {
	uint32_t parent;	/* index of the node; of the top: 0 */
	uint32_t first_child;	/* the same; 0: none */
	uint32_t next_sibling;	/* the same */
	uint32_t method;	/* index of the method */
	uint64_t calls;
	int64_t inclusive_ns[DMTRACE_PROFILE_CLOCKS];
	int64_t exclusive_ns[DMTRACE_PROFILE_CLOCKS];
};

DMTRACE_API size_t
dmtrace_profile_node_count(const struct dmtrace_profile *profile,
    size_t table);
DMTRACE_API void
dmtrace_profile_node_get(const struct dmtrace_profile *profile, size_t table,
    size_t index, struct dmtrace_profile_node *node);

/* How long single calls took, recursive ones and all, with
 * DMTRACE_PROFILE_CALLS; times of the options' clock. */
struct dmtrace_profile_calls {
	uint64_t calls;
	int64_t min_ns;
	int64_t max_ns;
	double mean_ns;
	double deviation_ns;	/* the standard deviation */
};

DMTRACE_API void
dmtrace_profile_calls_get(const struct dmtrace_profile *profile, size_t table,
    size_t index, struct dmtrace_profile_calls *calls);

/* The time that percent of the calls do not exceed, to within 1/16 of it.
 * percent is 0 to 100. */
DMTRACE_API int64_t
dmtrace_profile_percentile(const struct dmtrace_profile *profile,
    size_t table, size_t index, double percent);

/* A thread; those of several traces are one if number and name are. */
struct dmtrace_profile_thread {
	uint32_t number;	/* the records' own */
	struct dmtrace_text name;	/* may be empty */
	int listed;
	uint64_t records;
	uint64_t calls;
	int64_t total_ns[DMTRACE_PROFILE_CLOCKS];	/* from the first to
					   the last event */
	int64_t top_ns[DMTRACE_PROFILE_CLOCKS];	/* outside of methods */
};

/* In the order in which they came. */
DMTRACE_API size_t
dmtrace_profile_thread_count(const struct dmtrace_profile *profile);
DMTRACE_API void
dmtrace_profile_thread_get(const struct dmtrace_profile *profile,
    size_t index, struct dmtrace_profile_thread *thread);

#ifdef __cplusplus
}
#endif

#endif
