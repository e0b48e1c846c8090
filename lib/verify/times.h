/* times.h - what is odd about the times of events, and about their threads */
#ifndef DMT_VERIFY_TIMES_H
#define DMT_VERIFY_TIMES_H

#include <dmtrace/key.h>

#include "format/finding.h"
#include "format/layout.h"

/* Of one thread number. */
struct dmt_times_lane {
	uint64_t first_cpu_ns;
	uint64_t first_wall_ns;
	bool came;
	bool high;			/* its time was told to be */
	bool ahead;
};

struct dmt_times {
	const struct dmtrace_layout *layout;
	struct dmt_times_lane *lanes;	/* by thread number */
	bool comparable;		/* wall times of different threads */
	uint64_t last_wall_ns;		/* of the record before */
	uint32_t last_thread;
	uint32_t highest;		/* thread number */
	struct dmt_findings findings;
};

/* The layout must live as long; times must be zero. false: no memory. */
bool
dmt_times_init(struct dmt_times *times, const struct dmtrace_key *key,
    const struct dmtrace_layout *layout);

void
dmt_times_fini(struct dmt_times *times);

/* Looks at the next count events; their records begin at byte at. */
void
dmt_times_look(struct dmt_times *times, const struct dmtrace_event *events,
    size_t count, uint64_t at);

#endif
