/* diff.h - two sets of runs, and what is different */
#ifndef DMT_VERIFY_DIFF_H
#define DMT_VERIFY_DIFF_H

#include <dmtrace/diff.h>

#include "verify/names.h"
#include "verify/rank.h"

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

/* A p, and where it goes when it is adjusted. */
struct dmt_adjusted {
	double p;
	double *to;
};

/* Adjusts all of them for how many there are. */
void
dmt_adjust(struct dmt_adjusted *all, size_t count);

#endif
