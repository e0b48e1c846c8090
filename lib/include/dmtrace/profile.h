/* dmtrace/profile.h - where the time of traces went */
#ifndef DMTRACE_PROFILE_H
#define DMTRACE_PROFILE_H

#include <dmtrace/select.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A profile has the total calls and times of one trace or several: by method,
 * by caller and callee, by thread, and by path in the call tree. The
 * order of calls is: new, add for each trace, the functions that return totals,
 * free. A profile is used by one thread at a time. Times are nanoseconds; they
 * are negative if a clock was set back.
 *
 * Traces start and end in the middle of calls. If a method returns without
 * having been entered, its call started at the first event of its thread, and
 * contains all that the thread did outside of other calls until then. A call
 * that is open at the end lasts until the last event of its thread. An exit of
 * an outer call ends the calls inside it; an exit of a method that is not open
 * is ignored. An exit ends the call of the method with the same id, even if
 * several ids are one row of the totals; a call of one of these ids inside a
 * call of another one is recursive.
 *
 * A selection with a window ends calls after the last event of their thread,
 * if that is earlier than the window's end. Their wall time is known then, but
 * not their CPU time: totals that are said to be partial have the CPU time up
 * to the last event, and the true one is between it and the wall time.
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
	DMTRACE_PROFILE_BY_METHOD = 0,	/* a class, name and signature; '/' and
					   '.' of a class are the same */
	DMTRACE_PROFILE_BY_ROW = 1,	/* a row of the key; for one trace
					   only */
	DMTRACE_PROFILE_BY_NAME = 2,	/* all methods of the same name */
	DMTRACE_PROFILE_BY_CLASS = 3,
	DMTRACE_PROFILE_BY_PACKAGE = 4
};

/* What to keep besides the totals of methods and threads. */
enum {
	DMTRACE_PROFILE_EDGES = 1,	/* callers and callees */
	DMTRACE_PROFILE_TREE = 2,	/* the call tree */
	DMTRACE_PROFILE_CALLS = 4,	/* how long single calls took */
	DMTRACE_PROFILE_THREADS = 8,	/* totals of each thread, too */
	DMTRACE_PROFILE_COMPENSATE = 16,	/* subtract the key's
					   clock-call-overhead-nsec from the
					   time before each event */
	DMTRACE_PROFILE_AS_DMTRACEDUMP = 32	/* count as dmtracedump does:
					   see dmtrace-report.1 */
};

struct dmtrace_profile_options {
	unsigned keep;		/* DMTRACE_PROFILE_EDGES and so on */
	enum dmtrace_profile_by by;
	enum dmtrace_clock clock;	/* of DMTRACE_PROFILE_CALLS: CPU time if
					   THREAD_CPU, else wall time; the other
					   one if the first trace lacks it */
	uint32_t max_depth;	/* limit of the open frames of a thread; 0:
				   1,048,576 */
};

/* Makes a profile. options are copied, and may be NULL. If they have an unknown
 * bit of keep, or value of by or clock, every add returns DMTRACE_ERR_RANGE.
 * NULL: no memory. */
DMTRACE_API struct dmtrace_profile *
dmtrace_profile_new(const struct dmtrace_profile_options *options);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_profile_free(struct dmtrace_profile *profile);

/* The first failure; belongs to the profile, which can only be freed then. */
DMTRACE_API const struct dmtrace_error *
dmtrace_profile_error(const struct dmtrace_profile *profile);

/*
 * Reads a source to its end and adds its events. If a method returns without
 * having been entered, the events are read a second time, with that method open
 * from the start; input that can be read only once is copied to a temporary
 * file in TMPDIR, else /tmp. Names are copied.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT  a thread has more open frames than max_depth, or exits
 *                      more calls that it did not enter; or times add up to
 *                      more than 2^63 ns
 *   DMTRACE_ERR_STATE  a second trace with DMTRACE_PROFILE_BY_ROW; or events
 *                      of the source were read before, or it was passed to
 *                      another call that reads it
 * or the status of the source's error: then the events before the failure are
 * added, and the profile itself has no error.
 */
DMTRACE_API enum dmtrace_status
dmtrace_profile_add(struct dmtrace_profile *profile,
    struct dmtrace_source *source);

/*
 * The following functions return totals, after the last trace or between two.
 * Names belong to the profile. Table 0 is all threads together; with
 * DMTRACE_PROFILE_THREADS, table 1 is the first thread, and so on. An index is
 * below the count. For any other index, or a table that does not exist, the
 * struct is set to zero.
 */

/* The profile as a whole. */
struct dmtrace_profile_summary {
	uint64_t traces;
	uint64_t records;
	int has_clock[DMTRACE_PROFILE_CLOCKS];	/* every trace has it */
	int lower_bounds;	/* a trace lost events because its buffer was
				   full: the true totals are larger */
	int64_t total_ns[DMTRACE_PROFILE_CLOCKS];	/* from the first to
					   the last event of a thread, summed
					   over threads */
	int total_partial;
	int64_t overhead_ns[DMTRACE_PROFILE_CLOCKS];	/* the time that was
					   subtracted */
	int64_t span_ns;	/* wall time from the first to the last event
				   of all threads, summed over traces; 0 for a
				   trace whose threads share no clock */
};

DMTRACE_API void
dmtrace_profile_summary_get(const struct dmtrace_profile *profile,
    struct dmtrace_profile_summary *summary);

/* The totals of a method. Index 0 stands for the time outside of all methods:
 * see DMTRACE_PROFILE_TOP. */
struct dmtrace_profile_method {
	struct dmtrace_text class_name;	/* or the package; may be empty */
	struct dmtrace_text name;	/* empty with BY_CLASS, BY_PACKAGE */
	struct dmtrace_text signature;	/* empty unless BY_METHOD or BY_ROW */
	struct dmtrace_text file;	/* the same; may be empty */
	int32_t line;		/* as in the key, or DMTRACE_NO_LINE */
	uint64_t id;		/* of the first method of the row */
	int listed;		/* 0: no key lists that id; the name is then
				   made from the id */
	uint64_t calls;		/* that are not recursive */
	uint64_t recursive_calls;
	int64_t inclusive_ns[DMTRACE_PROFILE_CLOCKS];	/* of calls that are
					   not recursive */
	int64_t exclusive_ns[DMTRACE_PROFILE_CLOCKS];	/* of all calls */
	int64_t outer_ns[DMTRACE_PROFILE_CLOCKS];	/* exclusive time of
					   calls that are not recursive */
	int inclusive_partial;	/* the CPU time is, see above */
	int exclusive_partial;
};

/* The index of the time outside of all methods. Its name is "(toplevel)", and
 * its inclusive time is the total. */
#define DMTRACE_PROFILE_TOP 0

DMTRACE_API size_t
dmtrace_profile_method_count(const struct dmtrace_profile *profile);
DMTRACE_API void
dmtrace_profile_method_get(const struct dmtrace_profile *profile,
    size_t table, size_t index, struct dmtrace_profile_method *method);

/*
 * The calls of one method by another, with DMTRACE_PROFILE_EDGES. The inclusive
 * times of a method's callers where the callee is not recursive add up to its
 * inclusive time; those of its callees where the caller is not recursive add
 * up, with its outer_ns, to the same. Edges are sorted by caller, then callee,
 * then by the two flags.
 */
struct dmtrace_profile_edge {
	uint32_t caller;	/* index of the method, or the top */
	uint32_t callee;
	int caller_recursive;	/* the call that makes these is recursive */
	int callee_recursive;	/* these calls are recursive */
	uint64_t calls;
	int64_t inclusive_ns[DMTRACE_PROFILE_CLOCKS];	/* of the calls */
	int inclusive_partial;
};

DMTRACE_API size_t
dmtrace_profile_edge_count(const struct dmtrace_profile *profile,
    size_t table);
DMTRACE_API void
dmtrace_profile_edge_get(const struct dmtrace_profile *profile, size_t table,
    size_t index, struct dmtrace_profile_edge *edge);

/*
 * A path in the call tree, with DMTRACE_PROFILE_TREE. Index 0 is the top; all
 * other nodes come after their parents.
 */
struct dmtrace_profile_node {
	uint32_t parent;	/* index of the node; of the top: 0 */
	uint32_t first_child;	/* index of the node; 0: none */
	uint32_t next_sibling;	/* index of the node; 0: none */
	uint32_t method;	/* index of the method */
	uint64_t calls;
	int64_t inclusive_ns[DMTRACE_PROFILE_CLOCKS];
	int64_t exclusive_ns[DMTRACE_PROFILE_CLOCKS];
	int inclusive_partial;
	int exclusive_partial;
};

DMTRACE_API size_t
dmtrace_profile_node_count(const struct dmtrace_profile *profile,
    size_t table);
DMTRACE_API void
dmtrace_profile_node_get(const struct dmtrace_profile *profile, size_t table,
    size_t index, struct dmtrace_profile_node *node);

/* How long the single calls of a method took, recursive calls included, with
 * DMTRACE_PROFILE_CALLS; times of the clock of the options. All are 0 if that
 * is CPU time and the method's is partial. */
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

/* Returns the time that percent of the calls of a method do not exceed: of up
 * to 64 calls exactly, else to within 1/16 of it. percent is 0 to 100. */
DMTRACE_API int64_t
dmtrace_profile_percentile(const struct dmtrace_profile *profile,
    size_t table, size_t index, double percent);

/* A thread. Threads of several traces with the same number and name are one. */
struct dmtrace_profile_thread {
	uint32_t number;	/* as in the records */
	struct dmtrace_text name;	/* may be empty */
	int listed;		/* 0: no key lists it */
	uint64_t records;
	uint64_t calls;
	int64_t total_ns[DMTRACE_PROFILE_CLOCKS];	/* from the first to
					   the last event */
	int64_t top_ns[DMTRACE_PROFILE_CLOCKS];	/* outside of methods */
	int total_partial;
};

/* The threads, in the order of their first events. */
DMTRACE_API size_t
dmtrace_profile_thread_count(const struct dmtrace_profile *profile);
DMTRACE_API void
dmtrace_profile_thread_get(const struct dmtrace_profile *profile,
    size_t index, struct dmtrace_profile_thread *thread);

#ifdef __cplusplus
}
#endif

#endif
