/* dmtrace/verify.h - whether a trace is as it should be */
#ifndef DMTRACE_VERIFY_H
#define DMTRACE_VERIFY_H

#include <dmtrace/ops.h>
#include <dmtrace/profile.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The result of validating a trace. */
struct dmtrace_validity {
	uint64_t findings[3];	/* by enum dmtrace_severity */
	uint64_t records;	/* or entries */
	int is_eventlog;	/* it is not a trace */
};

/*
 * Reads a whole trace, in the order of the file, and calls the function of
 * dmtrace_op_set_report for each finding. file is what dmtrace_reader_open_path
 * or _fd takes. If the key can be read and the data cannot, that is a finding,
 * not a failure. Memory is bounded by the key, the threads and the depth of
 * their stacks. A file that is not a trace, but an Android event log, is read
 * as one: each entry in its first MiB must be valid (dmtrace-eventlog.5).
 *
 * Returns DMTRACE_OK, whatever was found, with *validity filled;
 * DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, DMTRACE_ERR_CANCELLED, or
 *   DMTRACE_ERR_NOT_TRACE, DMTRACE_ERR_TRUNCATED, DMTRACE_ERR_UNSUPPORTED,
 *   DMTRACE_ERR_FOREIGN  there is no whole key to begin with
 *   DMTRACE_ERR_LIMIT    the key, one of its lines, or a thread's stack is
 *                        too large
 * After a failure *validity is as it was.
 */
DMTRACE_API enum dmtrace_status
dmtrace_validate(struct dmtrace_op *op, const struct dmtrace_file *file,
    struct dmtrace_validity *validity);

/* The same for the len bytes of a joined trace. */
DMTRACE_API enum dmtrace_status
dmtrace_validate_memory(struct dmtrace_op *op, const void *bytes, size_t len,
    struct dmtrace_validity *validity);

/* Which other programs can read a trace */

/* As measured; see dmtrace-validate.1. */
enum dmtrace_other_reader {
	DMTRACE_READER_DMTRACEDUMP = 0,	/* of Android 11 */
	DMTRACE_READER_TRACEVIEW = 1,	/* of SDK tools r22.2 */
	DMTRACE_READER_PERFLIB2016 = 2,
	DMTRACE_READER_STUDIO = 3,	/* perflib of November 2024 */
	DMTRACE_READER_FIREFOX = 4,	/* profiler, of August 2026 */
	DMTRACE_READER_PERFETTO = 5,	/* trace_processor, August 2026 */
	DMTRACE_READERS = 6
};

/* What a reader does, the worst last. */
enum dmtrace_reception {
	DMTRACE_READS = 0,		/* reads the trace as it is */
	DMTRACE_DUMP_ONLY = 1,		/* lists events, fails to summarize */
	DMTRACE_MISREADS = 2,		/* opens it, and shows wrong things */
	DMTRACE_REFUSES = 3,
	DMTRACE_CRASHES = 4		/* or uses up all memory */
};

struct dmtrace_verdict {
	enum dmtrace_reception reception;
	const char *rule;	/* the finding or quirk that decides, or NULL */
	const char *message;	/* for people; NULL where rule is */
};

/* "dmtracedump", "traceview", "perflib2016", "studio", "firefox" or
 * "perfetto"; "" for another number. Thread-safe. */
DMTRACE_API const char *
dmtrace_other_reader_name(enum dmtrace_other_reader reader);

/* "reads", "dump-only", "misreads", "refuses" or "crashes"; "" for another
 * number. Thread-safe. */
DMTRACE_API const char *
dmtrace_reception_name(enum dmtrace_reception reception);

/*
 * Validates as dmtrace_validate does, and says what each reader makes of the
 * file: for several quirks at once, the worst. *validity is all zero where
 * dmtrace_validate fails. The strings live as long as the program.
 *
 * Returns DMTRACE_OK, also for what is not a trace and for ART streaming and
 * format V2; DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, DMTRACE_ERR_CANCELLED or
 * DMTRACE_ERR_LIMIT; then *verdicts and *validity are as they were.
 */
DMTRACE_API enum dmtrace_status
dmtrace_judge(struct dmtrace_op *op, const struct dmtrace_file *file,
    struct dmtrace_verdict verdicts[DMTRACE_READERS],
    struct dmtrace_validity *validity);

/* Make a trace that other programs can read */

/* The bit of a reader in dmtrace_fix_options. */
#define DMTRACE_READER_BIT(reader) (1u << (reader))

struct dmtrace_fix_options {
	unsigned readers;		/* the readers that must read it, by
					   DMTRACE_READER_BIT; 0: none */
	unsigned strict;		/* 0: fix errors; 1: also warnings; 2:
					   also notes */
	unsigned flags;			/* DMTRACE_SYNC, DMTRACE_NO_REPLACE */
	dmtrace_change_fn *change;	/* NULL: none */
	void *context;			/* of change */
};

struct dmtrace_fix_result {
	int fixed;		/* 0: there is no fix, and no output */
	uint64_t changes;	/* except those of kind KEPT */
	uint64_t records;	/* in the output */
	/* If there is no fix, why: the verdict of a reader that does not read
	 * the trace, or a finding; then reader is DMTRACE_READERS. */
	enum dmtrace_other_reader reader;
	struct dmtrace_verdict verdict;
};

/*
 * Writes a trace that each of options->readers reads, and that has no error,
 * with what is in the trace in: a copy if it is one already, else its repair
 * (dmtrace_repair, but for calls that its edges cut), else the canonical form
 * of that, with what the readers need. in and out are what dmtrace_repair
 * takes; nothing is written to out before the result was judged as
 * dmtrace_judge does. options->change is called as by dmtrace_repair, before
 * out gets its name. *result is set where DMTRACE_OK is returned, also if there
 * is no fix. Temporaries are made beside out, or in TMPDIR, else /tmp.
 *
 * Returns what dmtrace_repair does; and DMTRACE_ERR_RANGE for a bit that stands
 * for none of the readers
 */
DMTRACE_API enum dmtrace_status
dmtrace_fix(struct dmtrace_op *op, const struct dmtrace_file *in,
    const struct dmtrace_file *out,
    const struct dmtrace_fix_options *options,
    struct dmtrace_fix_result *result);

/* Check a trace against a specification: golden traces */

/*
 * A specification: what is expected of a trace, see dmtrace-expect.1, SPEC. A
 * new one expects nothing. It can be used for one trace after another, by one
 * thread at a time.
 */
struct dmtrace_spec;

/* Makes a specification. NULL: no memory. */
DMTRACE_API struct dmtrace_spec *
dmtrace_spec_new(void);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_spec_free(struct dmtrace_spec *spec);

/* The error of the last call that decoded, read or selected, with its line;
 * belongs to the spec. */
DMTRACE_API const struct dmtrace_error *
dmtrace_spec_error(const struct dmtrace_spec *spec);

/*
 * Decodes the text of a new spec, which keeps a copy. After a failure it can
 * only be freed.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, DMTRACE_ERR_STATE (it is not a new
 * one), or
 *   DMTRACE_ERR_CORRUPT  a line is malformed
 *   DMTRACE_ERR_LIMIT    more than 2^31 bytes
 */
DMTRACE_API enum dmtrace_status
dmtrace_spec_decode(struct dmtrace_spec *spec, const void *bytes,
    size_t len);

/* The same for a file; DMTRACE_ERR_IO: it cannot be read. */
DMTRACE_API enum dmtrace_status
dmtrace_spec_read(struct dmtrace_spec *spec, const struct dmtrace_file *file);

/* A call that was expected and one that was found, side by side. */
struct dmtrace_expect_row {
	uint64_t line;			/* of the spec; 0: none */
	const char *expected;		/* NULL: none */
	uint32_t expected_depth;	/* how far to indent it */
	const char *found;		/* NULL: none */
	uint32_t found_depth;
	int differs;			/* the first that does */
};

/* The result of one rule or tree. Strings are UTF-8 that is safe to print,
 * except for thread_name, and live as long as the callback runs. */
struct dmtrace_expectation {
	uint64_t line;			/* of the spec, from 1: its own, or
					   that of the call of its tree that
					   was not met */
	const char *text;		/* its own line; of a rule of a thread,
					   after "thread NAME: " */
	int met;
	const char *expected;		/* if it is not met, both */
	const char *found;
	const char *note;		/* what may be wrong with it, or
					   NULL */
	uint64_t record;		/* from 1; 0: at no record */
	uint64_t at;			/* the byte of its file */
	uint32_t thread;		/* its number in records, */
	const char *thread_name;	/* and name, as in the key; NULL: of no
					   thread */
	uint64_t time_ns;		/* or DMTRACE_NO_TIME */
	const struct dmtrace_expect_row *rows;	/* the calls of a tree */
	size_t row_count;
};

/* Called for every expectation, in the order of the spec. */
typedef void
dmtrace_expectation_fn(void *context,
    const struct dmtrace_expectation *expectation);

/* The result of a trace. */
struct dmtrace_expected {
	uint64_t expectations;
	uint64_t unmet;
	uint64_t records;		/* that were judged */
};

/*
 * Reads the records of an open reader to their end and judges them. report may
 * be NULL. What the spec selects need not be in the trace. Memory is bounded by
 * the spec, the key, the threads and the depth of their stacks.
 *
 * Returns DMTRACE_OK, whether they are met or not, with *expected filled;
 * DMTRACE_ERR_MEMORY, DMTRACE_ERR_IO, DMTRACE_ERR_CANCELLED, the earlier
 * failure of the spec or of the reader, or
 *   DMTRACE_ERR_STATE  the reader is not open, or records were read; or the
 *                      spec expects nothing
 *   DMTRACE_ERR_LIMIT  a thread has more open frames than DMTRACE_LIMIT_DEPTH,
 *                      or the times of a rule add up to 2^63 ns or more
 * Then *expected is as it was, and what was reported is incomplete.
 */
DMTRACE_API enum dmtrace_status
dmtrace_expect(struct dmtrace_op *op, struct dmtrace_spec *spec,
    struct dmtrace_reader *reader, dmtrace_expectation_fn *report,
    void *context, struct dmtrace_expected *expected);

/* Compare two sets of runs */

/*
 * Two sets of runs of a program, the base and the new ones, compared method by
 * method. Each run is the profile of a trace. The order of calls is: new, add
 * for each run, compare, the functions that return results, free. A diff is
 * used by one thread at a time.
 */
struct dmtrace_diff;

enum dmtrace_diff_side {
	DMTRACE_DIFF_BASE = 0,
	DMTRACE_DIFF_NEW = 1,
	DMTRACE_DIFF_SIDES = 2
};

/* What is compared: times are nanoseconds. */
enum dmtrace_diff_figure {
	DMTRACE_DIFF_CALLS = 0,		/* including recursive calls */
	DMTRACE_DIFF_INCLUSIVE_CPU = 1,
	DMTRACE_DIFF_INCLUSIVE_WALL = 2,
	DMTRACE_DIFF_EXCLUSIVE_CPU = 3,
	DMTRACE_DIFF_EXCLUSIVE_WALL = 4,
	DMTRACE_DIFF_FIGURES = 5
};

/* Makes a diff. NULL: no memory. */
DMTRACE_API struct dmtrace_diff *
dmtrace_diff_new(void);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_diff_free(struct dmtrace_diff *diff);

/* The failure of the last add or compare; belongs to the diff. */
DMTRACE_API const struct dmtrace_error *
dmtrace_diff_error(const struct dmtrace_diff *diff);

/*
 * Adds a run: the totals of a profile by method, which belongs to the caller
 * and is not needed any more.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT  times of one method add up to more than 2^60 ns; then
 *                      the diff can only be freed
 *   DMTRACE_ERR_RANGE  there is no such side
 */
DMTRACE_API enum dmtrace_status
dmtrace_diff_add(struct dmtrace_diff *diff, enum dmtrace_diff_side side,
    const struct dmtrace_profile *profile);

/*
 * Compares the two sides. Among many tests, some find a difference by chance.
 * alpha, above 0 and below 1, limits the expected share of such false
 * differences among those that are found (Benjamini and Hochberg): for calls
 * and the times of clock together, and for the times of the other clock.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE  a side has no run
 *   DMTRACE_ERR_RANGE  alpha is not between 0 and 1, or clock is unknown
 */
DMTRACE_API enum dmtrace_status
dmtrace_diff_compare(struct dmtrace_diff *diff,
    enum dmtrace_profile_clock clock, double alpha);

/* The two sides as a whole. */
struct dmtrace_diff_summary {
	size_t runs[DMTRACE_DIFF_SIDES];
	uint64_t records[DMTRACE_DIFF_SIDES];	/* of all their runs */
	int has_clock[DMTRACE_PROFILE_CLOCKS];	/* every run has it */
	int lower_bounds;	/* a trace lost events because its buffer was
				   full: the true totals are larger */
	int tested;		/* there are several runs on each side */
};

/* Says what was added so far. */
DMTRACE_API void
dmtrace_diff_summary_get(const struct dmtrace_diff *diff,
    struct dmtrace_diff_summary *summary);

/* A method that was called. '/' and '.' of a class are the same. Texts belong
 * to the diff. */
struct dmtrace_diff_method {
	struct dmtrace_text class_name;
	struct dmtrace_text name;
	struct dmtrace_text signature;
	int listed;		/* 0: no key has its id, which is its name */
	size_t runs[DMTRACE_DIFF_SIDES];	/* runs that called it */
};

/* Index 0 is DMTRACE_PROFILE_TOP, what is outside of any method: its
 * inclusive time is the total. An index is below the count. */
DMTRACE_API size_t
dmtrace_diff_method_count(const struct dmtrace_diff *diff);
DMTRACE_API void
dmtrace_diff_method_get(const struct dmtrace_diff *diff, size_t index,
    struct dmtrace_diff_method *method);

/*
 * One figure of a method; in a run that did not call it, it is 0. What a rank
 * test (Mann and Whitney) says of it is there if it is tested; see
 * dmtrace-diff(1).
 */
struct dmtrace_diff_change {
	double medians[DMTRACE_DIFF_SIDES];
	double shift;		/* from base to new: the median of all
				   differences; of two runs, the difference */
	double percent;		/* the shift in percent of the base's median; 0
				   if that is 0 */
	double p;		/* the probability that chance alone makes a
				   difference as large, in either direction */
	double p_adjusted;	/* adjusted for the number of tests */
	double delta;		/* of all pairs of a base and a new run, the
				   share in which new is greater, minus the
				   share in which it is less: -1 to 1 */
	double detectable;	/* between figures that scatter like these, a
				   larger shift has a p of at most alpha; -1:
				   there are too few runs for any */
	int missing;		/* it is a CPU time, and partial in a run (see
				   profile.h): the others are 0, and p is 1 */
	int constant;		/* the same in all runs of each side */
	int different;		/* if tested: p_adjusted is at most alpha, or
				   these are calls that are constant and have a
				   shift; else: there is a shift */
};

/* After dmtrace_diff_compare. */
DMTRACE_API void
dmtrace_diff_change_get(const struct dmtrace_diff *diff, size_t index,
    enum dmtrace_diff_figure figure, struct dmtrace_diff_change *change);

#ifdef __cplusplus
}
#endif

#endif
