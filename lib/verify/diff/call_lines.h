/* call_lines.h - what differs between two sequences of calls, line by line */
#ifndef DMT_VERIFY_CALL_LINES_H
#define DMT_VERIFY_CALL_LINES_H

#include <dmtrace/verify.h>

#include "private/verify.h"
#include "verify/diff/thread_calls.h"

struct dmt_call_line {
	enum dmt_call_diff_kind kind;
	bool first;			/* lines before it are left out */
	struct dmt_call call;
	uint64_t next[DMTRACE_DIFF_SIDES];	/* number of the next call on
						   either side */
};

struct dmt_call_lines {
	struct dmt_call_line *items;
	size_t count;
};

/* Makes the lines of two windows that begin at the same call. false: no memory.
 * The caller frees the items in any case. */
bool
dmt_call_lines_make(struct dmt_call_lines *lines,
    const struct dmt_call_window *const windows[DMTRACE_DIFF_SIDES],
    const struct dmt_call_diff_options *options);

#endif
