/* check_events.h - the checks of the events of a trace */
#ifndef DMT_VERIFY_CHECK_EVENTS_H
#define DMT_VERIFY_CHECK_EVENTS_H

#include "events/callstacks.h"
#include "events/pipeline.h"
#include "format/finding.h"

/* The state of a thread. */
struct dmt_checked_thread {
	uint64_t first_cpu_ns;		/* times of its first event */
	uint64_t first_wall_ns;
	bool high;			/* its times were reported as high */
	bool ahead;			/* its CPU time was reported as ahead */
};

/* The caller sets the first three members; the others must be zero. */
struct dmt_event_checks {
	struct dmtrace_source *source;
	struct dmt_findings *findings;
	bool reserved_ends;		/* the reserved action ends the
					   innermost call of its method, as it
					   does for dmtracedump */

	/* Results that matter only to some readers. */
	uint32_t deepest;		/* greatest depth, if above DMT_DEEP */
	bool mismatch;			/* an exit was not that of the innermost
					   open call */
	bool beyond;			/* before the mismatch, there was a
					   thread beyond DMT_DUMP_THREADS */
	bool reserved_other;		/* a reserved action had another method
					   than the innermost open call */
	uint64_t latest_ns;		/* latest wall time, or the only time */

	struct dmt_callstacks stacks;
	struct dmt_checked_thread *threads;	/* by thread index */
	size_t met;			/* threads that had an event: indexes
					   are in the order of first events */
	bool dual;			/* events have both clocks */
	bool comparable;		/* wall times of different threads can
					   be compared */
	uint64_t last_wall_ns;		/* wall time of the event before */
	uint32_t last_thread;		/* index of its thread */
	struct dmtrace_error error;
};

/* Prepares the checks, and asks the source for the columns that they need. Call
 * dmt_event_checks_fini at the end. */
void
dmt_event_checks_init(struct dmt_event_checks *checks);

void
dmt_event_checks_fini(struct dmt_event_checks *checks);

/*
 * Checks the next batch of the source. Returns DMTRACE_OK; on failure error is
 * set: DMTRACE_ERR_MEMORY, or
 *   DMTRACE_ERR_LIMIT  a thread has more open calls than DMTRACE_LIMIT_DEPTH
 */
enum dmtrace_status
dmt_event_checks_take(struct dmt_event_checks *checks,
    const struct dmt_batch *batch);

/* Reports the calls that are open after the last batch. */
void
dmt_event_checks_end(struct dmt_event_checks *checks);

#endif
