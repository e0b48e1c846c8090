/* method_diff.h - two sets of runs, and what differs between them */
#ifndef DMT_VERIFY_METHOD_DIFF_H
#define DMT_VERIFY_METHOD_DIFF_H

#include <dmtrace/diff.h>

#include "verify/diff/method_names.h"

/* The figures of one run, by index of the method; what came later is 0. */
struct dmt_diff_run {
	int64_t (*figures)[DMTRACE_DIFF_FIGURES];
	size_t count;
};

struct dmt_diff_runs {
	struct dmt_diff_run *items;
	size_t count;
	size_t capacity;
	size_t *called;			/* in how many, by index */
	size_t called_capacity;
};

struct dmtrace_diff {
	struct dmt_names names;
	struct dmt_diff_runs sides[DMTRACE_DIFF_SIDES];
	struct dmtrace_diff_summary summary;
	struct dmtrace_diff_change *changes;	/* FIGURES for each method;
						   NULL: not compared */
	double alpha;
};

#endif
