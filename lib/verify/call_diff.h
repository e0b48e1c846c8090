/* call_diff.h - the calls of two traces, side by side */
#ifndef DMT_VERIFY_CALL_DIFF_H
#define DMT_VERIFY_CALL_DIFF_H

#include <dmtrace/call_diff.h>

#include "verify/call_lane.h"
#include "verify/diff/method_names.h"

/* The threads of a trace that have events, in the order of their first. */
struct dmt_call_side {
	struct dmt_call_lane *lanes;
	size_t count;
	size_t capacity;
};

#define DMT_NO_LANE UINT32_MAX

struct dmt_call_line {
	enum dmtrace_call_diff_kind kind;
	bool first;
	struct dmt_call call;
	uint64_t next[DMTRACE_DIFF_SIDES];
};

/* A thread of both traces, or of one. */
struct dmt_call_pair {
	uint32_t lanes[DMTRACE_DIFF_SIDES];
	uint64_t calls[DMTRACE_DIFF_SIDES];	/* of the first time */
	bool same;
	bool found;			/* where they differ */
	bool kept;			/* calls around it */
	struct dmt_call_line *lines;
	size_t line_count;
};

struct dmtrace_call_diff {
	struct dmtrace_call_diff_options options;
	struct dmtrace_error error;
	uint64_t seed;
	struct dmt_names methods;
	struct dmt_names threads;
	struct dmt_call_side sides[DMTRACE_DIFF_SIDES];
	struct dmt_call_pair *pairs;	/* NULL: not gone through yet */
	size_t pair_count;
};

void
dmt_call_side_fini(struct dmt_call_side *side);

/* Puts the threads of both sides together. false: no memory. */
bool
dmt_call_pairs_make(struct dmtrace_call_diff *diff);

/* The lines of a pair whose calls were kept. false: no memory. */
bool
dmt_call_lines_make(struct dmtrace_call_diff *diff,
    struct dmt_call_pair *pair);

#endif
