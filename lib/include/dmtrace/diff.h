/* dmtrace/diff.h - what is different between two sets of runs */
#ifndef DMTRACE_DIFF_H
#define DMTRACE_DIFF_H

#include <dmtrace/profile.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Two sets of runs of one program, a base and what is new, method by method.
 * Each run is the profile of a trace. The order of calls is: new, add for
 * each run, compare; then what is asked; free. Used by one thread at a time.
 */
struct dmtrace_diff;

enum dmtrace_diff_side {
	DMTRACE_DIFF_BASE = 0,
	DMTRACE_DIFF_NEW = 1,
	DMTRACE_DIFF_SIDES = 2
};

/* What is compared: times are nanoseconds. */
enum dmtrace_diff_figure {
	DMTRACE_DIFF_CALLS = 0,		/* recursive ones and all */
	DMTRACE_DIFF_INCLUSIVE_CPU = 1,
	DMTRACE_DIFF_INCLUSIVE_WALL = 2,
	DMTRACE_DIFF_EXCLUSIVE_CPU = 3,
	DMTRACE_DIFF_EXCLUSIVE_WALL = 4,
	DMTRACE_DIFF_FIGURES = 5
};

/* NULL: no memory. */
DMTRACE_API struct dmtrace_diff *
dmtrace_diff_new(void);

/* NULL is allowed. */
DMTRACE_API void
dmtrace_diff_free(struct dmtrace_diff *diff);

/*
 * Adds a run: the totals of a profile by method, which belongs to the caller
 * and is not needed any more.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY or, if times of one method add up to
 * more than 2^60 ns, DMTRACE_ERR_LIMIT; then the diff is of no use
 */
DMTRACE_API enum dmtrace_status
dmtrace_diff_add(struct dmtrace_diff *diff, enum dmtrace_diff_side side,
    const struct dmtrace_profile *profile);

/*
 * Compares the two sides. A test of so many figures would find some by
 * chance; alpha, above 0 and below 1, is how often all of them together may
 * (Benjamini and Hochberg): calls and the times of one clock, or those of the
 * other.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_STATE  a side has no run
 *   DMTRACE_ERR_RANGE  alpha is none
 */
DMTRACE_API enum dmtrace_status
dmtrace_diff_compare(struct dmtrace_diff *diff,
    enum dmtrace_profile_clock clock, double alpha);

/* The two sides as a whole. */
struct dmtrace_diff_summary {
	size_t runs[DMTRACE_DIFF_SIDES];
	uint64_t records[DMTRACE_DIFF_SIDES];	/* of all their runs */
	int has_clock[DMTRACE_PROFILE_CLOCKS];	/* in every run */
	int lower_bounds;	/* a trace overflowed: more happened */
	int tested;		/* there are several runs on each side */
};

DMTRACE_API void
dmtrace_diff_summary_get(const struct dmtrace_diff *diff,
    struct dmtrace_diff_summary *summary);

/* The least p that so many runs can have: that of two sides that do not
 * overlap. 1 if a side has no run. Thread-safe. */
DMTRACE_API double
dmtrace_diff_least_p(size_t base_runs, size_t new_runs);

/* A method that was called. '/' and '.' of a class are the same. Texts belong
 * to the diff. */
struct dmtrace_diff_method {
	struct dmtrace_text class_name;
	struct dmtrace_text name;
	struct dmtrace_text signature;
	int listed;		/* 0: no key has its id, which is its name */
	size_t runs[DMTRACE_DIFF_SIDES];	/* that called it */
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
	double percent;		/* the shift, of the base's median; 0 if that
				   is 0 */
	double p;		/* how often chance alone makes a difference
				   as large, either way: 0 to 1 */
	double p_adjusted;	/* for as many tests as there are */
	double delta;		/* how much more often new is more than base
				   than less: -1 to 1 */
	double detectable;	/* a shift beyond it, between figures that
				   scatter like these, has a p of alpha at
				   most; -1: none has, there are too few */
	int constant;		/* the same in all runs of each side */
	int different;		/* tested: p_adjusted is alpha at most, or
				   they are calls, and constant; else: there
				   is a shift */
};

/* After dmtrace_diff_compare. */
DMTRACE_API void
dmtrace_diff_change_get(const struct dmtrace_diff *diff, size_t index,
    enum dmtrace_diff_figure figure, struct dmtrace_diff_change *change);

/* What a rule compares with its limit. */
enum dmtrace_diff_measure {
	DMTRACE_DIFF_SHIFT = 0,
	DMTRACE_DIFF_PERCENT = 1,	/* the shift, of the base's median: of
					   0, as much as it takes */
	DMTRACE_DIFF_VALUE = 2		/* the median of what is new */
};

/* Something that must not be. */
struct dmtrace_diff_rule {
	const char *method;	/* a pattern as in dmtrace/select.h; NULL: the
				   top */
	enum dmtrace_diff_figure figure;
	enum dmtrace_diff_measure measure;
	int below;		/* it is less than the limit; 0: more */
	int or_equal;
	double limit;
};

/* Told of a method that a rule holds for. */
typedef void
dmtrace_diff_fn(void *context, size_t index,
    const struct dmtrace_diff_change *change);

/*
 * Looks at all methods that the rule is about; report, unless NULL, is told
 * those that it holds for, by rising index. If the sides were tested, a shift
 * counts only if it is different: its p, adjusted for as many methods as the
 * rule is about, is the comparison's alpha at most, or they are calls, and
 * constant. p_adjusted of the change is that p. *matches, unless NULL, is how
 * many methods it is about, and *hold_count for how many it holds.
 *
 * Returns DMTRACE_OK, DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_RANGE  the method is empty, or no regular expression
 *   DMTRACE_ERR_STATE  the sides were not compared
 */
DMTRACE_API enum dmtrace_status
dmtrace_diff_judge(struct dmtrace_diff *diff,
    const struct dmtrace_diff_rule *rule, dmtrace_diff_fn *report,
    void *context, size_t *matches, size_t *hold_count);

#ifdef __cplusplus
}
#endif

#endif
