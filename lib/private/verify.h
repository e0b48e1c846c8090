/* verify.h - rules, parts of specifications, trees of calls compared */
#ifndef DMT_PRIVATE_VERIFY_H
#define DMT_PRIVATE_VERIFY_H

#include <dmtrace/verify.h>

#include "private/select.h"
#include "private/sink.h"

/* A finding that dmtrace_validate looks for; see dmtrace.5, FINDINGS. */
struct dmt_rule_info {
	const char *name;
	enum dmtrace_severity severity;
	const char *part;	/* "key", "data", "records", "calls", or
				   "entries" of an event log */
	const char *description;
};

/* The rules, by index from 0; their strings live as long as the program.
 * Returns 0, or 1 past the last one, and then *rule is as it was.
 * Thread-safe. */
int
dmt_rule_get(size_t index, struct dmt_rule_info *rule);

/* Each reader's reception of a trace that has a property, and no other. */
struct dmt_reader_rule {
	const char *name;
	const char *description;
	enum dmtrace_reception receptions[DMTRACE_READERS];
	int measured;		/* 0: it is what is known of the readers */
};

/* The table of the verdicts, by index from 0; its strings live as long as
 * the program. Returns 0, or 1 past the last one, and then *rule is as it
 * was. Thread-safe. */
int
dmt_reader_rule_get(size_t index, struct dmt_reader_rule *rule);

/*
 * Judges only a part of the trace, as a line "select CONDITION VALUE" does,
 * such as "method" and "com.app.*". The first call drops what the text selects.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  no such condition, or no such value of it
 */
enum dmtrace_status
dmt_spec_select(struct dmtrace_spec *spec, const char *condition,
    const char *value);

/* What is selected, for callers that resolve it to report values that nothing
 * matches; belongs to the spec. NULL: everything. */
struct dmt_selection *
dmt_spec_selection(struct dmtrace_spec *spec);

/* Flags of dmt_spec_update. */
enum {
	DMT_SPEC_SIGNATURES = 1	/* of every method, not only where
					   names alone are not enough */
};

/*
 * Reads the records of an open reader to their end and writes the text of spec
 * to an open sink, with the calls of the trace in place of exact trees that are
 * not met. Threads without a tree get one if spec has no tree at all, or says
 * "no other threads". The rest stays as it is. Memory is bounded by the text,
 * the key, the different calls of the threads and the depth of their stacks.
 *
 * Returns what dmtrace_expect does; DMTRACE_ERR_LIMIT also for a tree that is
 * deeper than 16,384. The sink's own errors are reported when it is closed.
 */
enum dmtrace_status
dmt_spec_update(struct dmtrace_op *op, struct dmtrace_spec *spec,
    struct dmtrace_reader *reader, unsigned flags, struct dmt_sink *sink);

/* The least p that so many runs can have: that of two sides that do not
 * overlap. 1 if a side has no run. Thread-safe. */
double
dmt_diff_least_p(size_t base_runs, size_t new_runs);

/* What a rule compares with its limit. */
enum dmt_diff_measure {
	DMT_DIFF_SHIFT = 0,
	DMT_DIFF_PERCENT = 1,	/* the shift, of the base's median: of
					   0, as much as it takes */
	DMT_DIFF_VALUE = 2		/* the median of what is new */
};

/* Something that must not be. */
struct dmt_diff_rule {
	const char *method;	/* a pattern as in dmtrace/select.h; NULL: the
				   top */
	enum dmtrace_diff_figure figure;
	enum dmt_diff_measure measure;
	int below;		/* it is less than the limit; 0: more */
	int or_equal;
	double limit;
};

/* Called for each method that a rule holds for. */
typedef void
dmt_diff_fn(void *context, size_t index,
    const struct dmtrace_diff_change *change);

/*
 * Looks at all methods that the rule is about; report, unless NULL, is called
 * for those that it holds for, by rising index. If the sides were tested, a
 * shift counts only if it is different: its p, adjusted for as many methods as
 * the rule is about, is the comparison's alpha at most, or they are calls, and
 * constant. p_adjusted of the change is that p. *matches, unless NULL, is how
 * many methods it is about, and *hold_count for how many it holds.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  the method is empty, or no regular expression
 *   DMTRACE_ERR_STATE  the sides were not compared
 */
enum dmtrace_status
dmt_diff_judge(struct dmtrace_diff *diff,
    const struct dmt_diff_rule *rule, dmt_diff_fn *report,
    void *context, size_t *matches, size_t *hold_count);

/*
 * The trees of calls of two traces, thread by thread: the methods, in order,
 * and in which other calls they lie. Ids of methods and threads, times, how
 * the threads take turns and how a call ends do not matter. Threads are
 * matched by name; of several with one name, those that do the same belong
 * together, then the first ones, the second ones and so on. So do all that no
 * key lists.
 *
 * Neither trace is kept. Each is gone through once, and, if they differ, a
 * few times more, to find where:
 *
 *	do
 *		for both sides
 *			dmt_call_diff_add
 *	while (dmt_call_diff_again(diff));
 *
 * Memory is for the methods, the threads and their stacks, and, for the first
 * DMT_CALL_DIFF_THREADS threads that differ, some thousand calls each.
 * Threads are compared by sums of 128 bits that are other ones in each
 * process. Used by one thread at a time.
 */
struct dmt_call_diff;

/* Of so many threads lines are kept. */
#define DMT_CALL_DIFF_THREADS 64

struct dmt_call_diff_options {
	uint32_t context;	/* calls around what is different, 100 at
				   most; 0: 3; or DMTRACE_NONE */
	uint32_t lines;		/* of a thread that are different, as many as
				   are reported, 200 at most; 0: 20 */
};

/* options may be NULL. NULL: no memory. */
struct dmt_call_diff *
dmt_call_diff_new(const struct dmt_call_diff_options *options);

/* NULL is allowed. */
void
dmt_call_diff_free(struct dmt_call_diff *diff);

/* The first failure; belongs to the diff, which is of no use then. */
const struct dmtrace_error *
dmt_call_diff_error(const struct dmt_call_diff *diff);

/*
 * Goes through a trace: takes all events of a source of it, which is at its
 * first event. Names are copied.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT  a thread has more open frames than
 *                      DMTRACE_LIMIT_DEPTH
 * or the status of the source's error; then the diff itself has none.
 */
enum dmtrace_status
dmt_call_diff_add(struct dmt_call_diff *diff,
    enum dmtrace_diff_side side, struct dmtrace_source *source);

/* After both sides: 1 if both are to be gone through once more, to
 * find what is different. After a failure, 0. */
int
dmt_call_diff_again(struct dmt_call_diff *diff);

/* A thread, after the first time. Texts belong to the diff. */
struct dmt_call_diff_thread {
	struct dmtrace_text name;
	int listed;		/* 0: no key lists it, and there is no name */
	int present[DMTRACE_DIFF_SIDES];
	uint32_t numbers[DMTRACE_DIFF_SIDES];	/* in the records */
	uint64_t calls[DMTRACE_DIFF_SIDES];
	int same;
};

/* Those of the base in the order of their first events, then those that are
 * only in what is new. An index is below the count. */
size_t
dmt_call_diff_thread_count(const struct dmt_call_diff *diff);
void
dmt_call_diff_thread_get(const struct dmt_call_diff *diff,
    size_t index, struct dmt_call_diff_thread *thread);

/* What a line is. */
enum dmt_call_diff_kind {
	DMT_CALL_DIFF_SAME = 0,
	DMT_CALL_DIFF_BASE = 1,	/* only there */
	DMT_CALL_DIFF_NEW = 2,
	DMT_CALL_DIFF_CALLER = 3	/* the calls that the next line lies
					   in, the outermost first; the last
					   few of them */
};

/* A call. */
struct dmt_call_diff_line {
	enum dmt_call_diff_kind kind;
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
int
dmt_call_diff_line_get(const struct dmt_call_diff *diff,
    size_t thread, size_t index, struct dmt_call_diff_line *line);

#endif
