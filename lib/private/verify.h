/* verify.h - rules of validate, parts of specs, comparison of call trees */
/* layer: verify */
#ifndef DMT_PRIVATE_VERIFY_H
#define DMT_PRIVATE_VERIFY_H

#include <dmtrace/verify.h>
#include <stdbool.h>

#include "private/select.h"
#include "private/output.h"

/* The operators of rules. */
enum dmt_compare {
	DMT_EQUAL,
	DMT_UNEQUAL,
	DMT_LESS,
	DMT_AT_MOST,
	DMT_MORE,
	DMT_AT_LEAST
};

/* Returns true if the operator holds between a figure and a limit; order is
 * less than, equal to or more than 0, as the figure is to the limit. */
static inline bool
dmt_compare_holds(enum dmt_compare compare, int order)
{
	switch (compare) {
	case DMT_EQUAL: return order == 0;
	case DMT_UNEQUAL: return order != 0;
	case DMT_LESS: return order < 0;
	case DMT_AT_MOST: return order <= 0;
	case DMT_MORE: return order > 0;
	case DMT_AT_LEAST: return order >= 0;
	}
	return false;
}

/* Which time a rule is about. */
enum dmt_time {
	DMT_TIME_CPU,
	DMT_TIME_WALL,
	DMT_TIME_ANY			/* the one that is chosen: wall time if
					   there is any */
};

/* A finding of dmtrace_validate; see dmtrace.5, FINDINGS. */
struct dmt_rule_info {
	const char *name;
	enum dmtrace_severity severity;
	const char *part;	/* "key", "data", "records", "calls", or
				   "entries" (event logs) */
	const char *description;
};

/* Gets the rules, by index from 0 on; their strings are valid as long as the
 * program runs. Returns 0, or 1 if index is past the last one; then *rule is
 * unchanged. Thread-safe. */
int
dmt_rule_get(size_t index, struct dmt_rule_info *rule);

/* What each reader does with a trace that has a property, and no other. */
struct dmt_reader_rule {
	const char *name;
	const char *description;
	enum dmtrace_reception receptions[DMTRACE_READERS];
	int measured;		/* 0: from knowledge of the readers */
};

/* Gets the table of verdicts, by index from 0 on; its strings are valid as
 * long as the program runs. Returns 0, or 1 if index is past the last one;
 * then *rule is unchanged. Thread-safe. */
int
dmt_reader_rule_get(size_t index, struct dmt_reader_rule *rule);

/*
 * Judges only a part of the trace, like a line "select CONDITION VALUE", such
 * as "method" and "com.app.*". The first call drops the selection in the text.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  no such condition, or an invalid value
 */
enum dmtrace_status
dmt_spec_select(struct dmtrace_spec *spec, const char *condition,
    const char *value);

/* Returns 1 if it has neither rules nor trees, else 0. */
int
dmt_spec_is_empty(const struct dmtrace_spec *spec);

/* Returns the selection, for callers that resolve it to report values that
 * match nothing; it belongs to the spec. NULL: all events are selected. */
struct dmt_selection *
dmt_spec_selection(struct dmtrace_spec *spec);

/* Flags of dmt_spec_update. */
enum {
	DMT_SPEC_SIGNATURES = 1	/* write signatures of all methods, not only
				   where names are ambiguous */
};

/*
 * Reads the remaining records of an open reader and writes the text of spec to
 * an open sink, with exact trees that are not met replaced by the calls of the
 * trace. Threads without a tree get one if spec has no tree at all, or says
 * "no other threads". Other lines are unchanged. Memory is limited by the
 * text, the key, the different calls of the threads and the depth of their
 * stacks.
 *
 * Returns what dmtrace_expect does; DMTRACE_ERR_LIMIT also for a tree that is
 * deeper than 16,384. Errors of the sink are reported when it is closed.
 */
enum dmtrace_status
dmt_spec_update(struct dmtrace_op *op, struct dmtrace_spec *spec,
    struct dmtrace_reader *reader, unsigned flags, struct dmt_output *sink);

/* Returns the lowest p-value that is possible with so many runs: that of two
 * sides that do not overlap. 1 if a side has no run. Thread-safe. */
double
dmt_diff_least_p(size_t base_runs, size_t new_runs);

/* The figure that a rule compares with its limit. */
enum dmt_diff_measure {
	DMT_DIFF_SHIFT = 0,
	DMT_DIFF_PERCENT = 1,	/* the shift in percent of the base's
				   median; if that is 0, any shift is beyond
				   the limit */
	DMT_DIFF_VALUE = 2		/* the median of the new side */
};

struct dmt_diff_limit {
	enum dmt_compare compare;
	enum dmt_diff_measure measure;
	double number;
};

/* What a rule is about; its clock decides which figure that is. */
enum dmt_diff_subject {
	DMT_DIFF_OF_INCLUSIVE,
	DMT_DIFF_OF_EXCLUSIVE,
	DMT_DIFF_OF_CALLS
};

/* A rule that must not hold: all its limits for one method. */
struct dmt_diff_rule {
	const char *method;		/* a pattern as in dmtrace/select.h;
					   NULL: the whole trace */
	char *parsed;			/* the same, if it was parsed */
	bool is_name;			/* no character in it is special */
	enum dmt_diff_subject subject;
	enum dmt_time clock;
	enum dmtrace_diff_figure figure;	/* set by the caller, for both
						   of these */
	struct dmt_diff_limit limits[2];
	unsigned limit_count;
};

/*
 * Parses the text of a rule, "inclusive(METHOD) > +5% and > +1ms cpu". Ended by
 * fini, even after a failure.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_CORRUPT  it is malformed; the message says where
 */
enum dmtrace_status
dmt_diff_rule_parse(struct dmt_diff_rule *rule, const char *text,
    struct dmtrace_error *error);

void
dmt_diff_rule_fini(struct dmt_diff_rule *rule);

/* Returns the figure that a limit of this measure is compared with. */
double
dmt_diff_measured(enum dmt_diff_measure measure,
    const struct dmtrace_diff_change *change);

/* Returns true if one of the limits is about a change. */
bool
dmt_diff_rule_is_change(const struct dmt_diff_rule *rule);

struct dmt_diff_verdict {
	size_t matches;			/* methods that the rule is about */
	size_t holds;			/* those for which it holds, */
	size_t unknown;			/* and whose figure is not known */
};

/* Called for each method for which a rule holds. */
typedef void
dmt_diff_fn(void *context, size_t index,
    const struct dmtrace_diff_change *change);

/*
 * Applies a rule to all methods that it is about. report, unless NULL, is
 * called for those for which it holds, by rising index. If the sides were
 * tested, a shift counts only if it is significant: its p-value, adjusted for
 * the number of methods that the rule is about, is at most the comparison's
 * alpha, or it is a number of calls that is constant on each side. p_adjusted
 * of the change is that p-value. *verdict, unless NULL, is set.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  the method is empty, or an invalid regular expression
 *   DMTRACE_ERR_STATE  the sides were not compared
 */
enum dmtrace_status
dmt_diff_judge(struct dmtrace_diff *diff,
    const struct dmt_diff_rule *rule, dmt_diff_fn *report,
    void *context, struct dmt_diff_verdict *verdict);

/*
 * Compares the call trees of two traces, thread by thread: the methods, in
 * order, and the calls that they are in. Ids of methods and threads, times,
 * the order of events in different threads, and how a call ends do not matter.
 * Threads are matched by name; among threads of one name, those with equal
 * trees are matched first, then the first ones, the second ones and so on.
 * Threads that no key lists are treated as threads of one name.
 *
 * The traces are not stored. Each is read once and, if they differ, several
 * times more to find the differences:
 *
 * do for both sides dmt_call_diff_add while (dmt_call_diff_again(diff));
 *
 * Memory is needed for the methods, the threads and their stacks, and, for the
 * first DMT_CALL_DIFF_THREADS threads that differ, some thousand calls each.
 * Threads are compared by hashes of 128 bits, whose seed differs in each
 * process. Used by one thread at a time.
 */
struct dmt_call_diff;

/* The number of threads for which differences are stored. */
#define DMT_CALL_DIFF_THREADS 64

struct dmt_call_diff_options {
	uint32_t context;	/* calls shown around a difference, at most
				   100; 0: 3; or DMTRACE_NONE */
	uint32_t lines;		/* most different calls that are reported per
				   thread, at most 200; 0: 20 */
};

/* options may be NULL. NULL: no memory. */
struct dmt_call_diff *
dmt_call_diff_new(const struct dmt_call_diff_options *options);

/* diff may be NULL. */
void
dmt_call_diff_free(struct dmt_call_diff *diff);

/* Returns the first failure; it belongs to the diff, which cannot be used
 * after it. */
const struct dmtrace_error *
dmt_call_diff_error(const struct dmt_call_diff *diff);

/*
 * Reads one of the traces: all events of a source that is at its first event.
 * Names are copied.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT  a thread has more open frames than
 *                      DMTRACE_LIMIT_DEPTH
 * or the status of the source's error; then the diff itself has none.
 */
enum dmtrace_status
dmt_call_diff_add(struct dmt_call_diff *diff,
    enum dmtrace_diff_side side, struct dmtrace_source *source);

/* Called after both sides. Returns 1 if both must be read once more to find
 * the differences; 0 otherwise, and after a failure. */
int
dmt_call_diff_again(struct dmt_call_diff *diff);

/* A thread, after the first pass. The texts belong to the diff. */
struct dmt_call_diff_thread {
	struct dmtrace_text name;
	int listed;		/* 0: no key lists it, and it has no name */
	int present[DMTRACE_DIFF_SIDES];
	uint32_t numbers[DMTRACE_DIFF_SIDES];	/* in the records */
	uint64_t calls[DMTRACE_DIFF_SIDES];
	int same;
};

/* The number of threads, and the threads: those of the base in the order of
 * their first events, then those that are only in the new trace. index is
 * below the number. */
size_t
dmt_call_diff_thread_count(const struct dmt_call_diff *diff);
void
dmt_call_diff_thread_get(const struct dmt_call_diff *diff,
    size_t index, struct dmt_call_diff_thread *thread);

/* Kinds of lines. */
enum dmt_call_diff_kind {
	DMT_CALL_DIFF_SAME = 0,
	DMT_CALL_DIFF_BASE = 1,	/* only in the base */
	DMT_CALL_DIFF_NEW = 2,
	DMT_CALL_DIFF_CALLER = 3	/* a caller of the call in the next
					   line; only the last few callers are
					   reported, the outermost first */
};

/* A line: a call. */
struct dmt_call_diff_line {
	enum dmt_call_diff_kind kind;
	int first;		/* 1: calls before it are left out */
	uint32_t depth;		/* 1 for the outermost; 0: see before */
	int before;		/* 1: the exit of a call that was open when the
				   trace began */
	struct dmtrace_text class_name;
	struct dmtrace_text name;
	struct dmtrace_text signature;
	int listed;
	uint64_t at[DMTRACE_DIFF_SIDES];	/* its number in the thread,
						   from 1 on; 0: none */
	uint64_t next[DMTRACE_DIFF_SIDES];	/* the number of the next call
						   on either side */
};

/* Gets the lines of a thread, by index from 0 on. Returns 0, or 1 if index is
 * past the last one; then *line is unchanged. */
int
dmt_call_diff_line_get(const struct dmt_call_diff *diff,
    size_t thread, size_t index, struct dmt_call_diff_line *line);

#endif
