/* check_events.h - the checks of the events of a trace */
#ifndef DMT_VERIFY_CHECK_EVENTS_H
#define DMT_VERIFY_CHECK_EVENTS_H

#include "events/callstacks.h"
#include "events/pipeline.h"
#include "format/finding.h"

/* Open calls of a thread: Perfetto shows so many, and dmtracedump. */
enum { DMT_DEEP = 512, DMT_DEEPER = 10000 };

/* What is known of a thread, by its index. */
struct dmt_checked_thread {
	uint64_t first_cpu_ns;		/* of its first event */
	uint64_t first_wall_ns;
	bool high;			/* its times were reported as high, */
	bool ahead;			/* its CPU time as ahead */
};

/* Set the first three; the rest is zero at first. */
struct dmt_event_checks {
	struct dmtrace_source *source;
	struct dmt_findings *findings;
	bool reserved_ends;		/* the reserved action ends the
					   innermost call of its method, as it
					   does for dmtracedump */

	/* What only some readers mind. */
	uint32_t deepest;		/* depth, if beyond DMT_DEEP */
	bool mismatch;			/* an exit was of no open call, or not
					   of the innermost one */
	bool beyond;			/* before that, a thread came that is
					   beyond DMT_DUMP_THREADS */
	bool reserved_other;		/* a reserved action was of another
					   method than the innermost call's */
	uint64_t latest_ns;		/* of the wall clock, if there is one */

	struct dmt_callstacks stacks;
	struct dmt_checked_thread *threads;
	size_t thread_count;
	size_t thread_capacity;
	bool dual;			/* events have both clocks */
	bool comparable;		/* wall times of different threads */
	uint64_t last_wall_ns;		/* of the event before */
	uint32_t last_thread;		/* its index */
	struct dmtrace_error error;
};

/* Asks the source for the columns that the checks need. Ended by fini. */
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

/* After the last batch: reports the calls that stay open. */
void
dmt_event_checks_end(struct dmt_event_checks *checks);

#endif
