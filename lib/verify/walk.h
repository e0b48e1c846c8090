/* walk.h - all checks of the records of a trace, in one loop */
#ifndef DMT_VERIFY_WALK_H
#define DMT_VERIFY_WALK_H

#include <dmtrace/calls.h>

#include "trace/reader.h"
#include "verify/times.h"

struct dmt_judge_walk {
	struct dmtrace_reader *reader;	/* open */
	struct dmtrace_calls *calls;
	struct dmt_stack **stacks;	/* by thread number; NULL: none yet */
	struct dmt_judge_times times;
	struct dmt_findings *findings;	/* those of no other part */
	bool reserved_ends;		/* a call, as for dmtracedump */
	uint32_t deepest;		/* if that was told */
	bool mismatch;			/* an exit that is none came */
	bool beyond;			/* before, a thread beyond
					   DMT_DUMP_THREADS */
	bool reserved_other;		/* on another than the innermost */
	bool renumbered;		/* a thread is listed by a number that
					   no record can hold */
	struct dmtrace_error error;
};

/* The reader is set, and findings; the rest is zero. Whatever comes of it, end
 * it with dmt_walk_fini. false: no memory. */
bool
dmt_walk_init(struct dmt_judge_walk *walk);

void
dmt_walk_fini(struct dmt_judge_walk *walk);

/* The records that the reader took last, count of them. */
enum dmtrace_status
dmt_walk_take(struct dmt_judge_walk *walk, size_t count);

#endif
