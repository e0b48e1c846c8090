/* dmtrace/call_diff.h - whether two traces made the same calls, in order */
#ifndef DMTRACE_CALL_DIFF_H
#define DMTRACE_CALL_DIFF_H

#include <dmtrace/diff.h>
#include <dmtrace/source.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The trees of calls of two traces, thread by thread: the methods, in order,
 * and in which other calls they lie. Ids of methods and threads, times, how
 * the threads take turns and how a call ends do not matter. Threads are told
 * apart by name; of several with one name, those that do the same belong
 * together, then the first ones, the second ones and so on. So do all that no
 * key lists.
 *
 * Neither trace is kept. Each is gone through once, and, if they differ, a
 * few times more, to find where:
 *
 *	do
 *		for both sides
 *			dmtrace_call_diff_add
 *	while (dmtrace_call_diff_again(diff));
 *
 * Memory is for the methods, the threads and their stacks, and, for the first
 * DMTRACE_CALL_DIFF_THREADS threads that differ, some thousand calls each.
 * Threads are compared by sums of 128 bits that are other ones in each
 * process. Used by one thread at a time.
 */
struct dmtrace_call_diff;

/* Of so many threads lines are kept. */
#define DMTRACE_CALL_DIFF_THREADS 64

struct dmtrace_call_diff_options {
	size_t size;		/* sizeof(struct dmtrace_call_diff_options) */
	uint32_t context;	/* calls around what is different: 3; 100 at
				   most */
	uint32_t lines;		/* of a thread that are different, as many as
				   are told: 20; 200 at most */
};

/* 3 calls around, 20 lines. */
DMTRACE_API void
dmtrace_call_diff_options_init(struct dmtrace_call_diff_options *options);

/* options may be NULL: those of the init. NULL: no memory. */
DMTRACE_API struct dmtrace_call_diff *
dmtrace_call_diff_new(const struct dmtrace_call_diff_options *options);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_call_diff_free(struct dmtrace_call_diff *diff);

/* The first failure; belongs to the diff, which is of no use then. */
DMTRACE_API const struct dmtrace_error *
dmtrace_call_diff_error(const struct dmtrace_call_diff *diff);

/*
 * Goes through a trace: takes all events of a source of it, which is at its
 * first event. Names are copied.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT  a thread has more open frames than
 *                      DMTRACE_LIMIT_DEPTH
 * or the status of the source's error; then the diff itself has none.
 */
DMTRACE_API enum dmtrace_status
dmtrace_call_diff_add(struct dmtrace_call_diff *diff,
    enum dmtrace_diff_side side, struct dmtrace_source *source);

/* After both sides: 1 if both are to be gone through once more, to
 * find what is different. After a failure, 0. */
DMTRACE_API int
dmtrace_call_diff_again(struct dmtrace_call_diff *diff);

/* A thread, after the first time. Texts belong to the diff. */
struct dmtrace_call_diff_thread {
	struct dmtrace_text name;
	int listed;		/* 0: no key lists it, and there is no name */
	int present[DMTRACE_DIFF_SIDES];
	uint32_t numbers[DMTRACE_DIFF_SIDES];	/* in the records */
	uint64_t calls[DMTRACE_DIFF_SIDES];
	int same;
};

/* Those of the base in the order of their first events, then those that are
 * only in what is new. An index is below the count. */
DMTRACE_API size_t
dmtrace_call_diff_thread_count(const struct dmtrace_call_diff *diff);
DMTRACE_API void
dmtrace_call_diff_thread_get(const struct dmtrace_call_diff *diff,
    size_t index, struct dmtrace_call_diff_thread *thread);

/* What a line is. */
enum dmtrace_call_diff_kind {
	DMTRACE_CALL_DIFF_SAME = 0,
	DMTRACE_CALL_DIFF_BASE = 1,	/* only there */
	DMTRACE_CALL_DIFF_NEW = 2,
	DMTRACE_CALL_DIFF_CALLER = 3	/* the calls that the next line lies
					   in, the outermost first; the last
					   few of them */
};

/* A call. */
struct dmtrace_call_diff_line {
	enum dmtrace_call_diff_kind kind;
	int first;		/* others are left out before it */
	uint32_t depth;		/* the outermost is 1; 0: before */
	int before;		/* a return of a call that was entered before
				   the trace began */
	struct dmtrace_text class_name;
	struct dmtrace_text name;
	struct dmtrace_text signature;
	int listed;
	uint64_t at[DMTRACE_DIFF_SIDES];	/* which one of the thread it
						   is, from 1; 0: none */
	uint64_t next[DMTRACE_DIFF_SIDES];	/* which one either side has
						   come to */
};

/* The lines of a thread, by index from 0. Returns 0, or 1 past the last
 * one, and then *line is as it was. */
DMTRACE_API int
dmtrace_call_diff_line_get(const struct dmtrace_call_diff *diff,
    size_t thread, size_t index, struct dmtrace_call_diff_line *line);

#ifdef __cplusplus
}
#endif

#endif
