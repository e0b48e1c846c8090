/* times.h - what is odd about the times of events, and about their threads */
#ifndef DMT_VERIFY_TIMES_H
#define DMT_VERIFY_TIMES_H

#include <dmtrace/key.h>

#include "data/unwrap.h"
#include "format/finding.h"

/* Of one thread number. The first two bounds are for its next record: times
 * below both, and not behind the last, need no look. */
struct dmt_times_lane {
	uint64_t edge_us;		/* times that are high begin there */
	int64_t ahead_us;		/* CPU time less wall time, at most */
	uint64_t first_cpu_ns;
	uint64_t first_wall_ns;
	bool came;
	bool high;			/* its time was told to be */
	bool ahead;
};

struct dmt_judge_times {
	const struct dmtrace_layout *layout;
	struct dmt_times_lane *lanes;	/* by thread number */
	bool comparable;		/* wall times of different threads */
	uint64_t last_wall_ns;		/* of the record before */
	uint32_t last_thread;
	struct dmt_findings findings;
};

/* The layout must live as long; times must be zero. false: no memory. */
bool
dmt_times_init(struct dmt_judge_times *times, const struct dmtrace_key *key,
    const struct dmtrace_layout *layout);

void
dmt_times_fini(struct dmt_judge_times *times);

/* Looks at the next event, whose record begins at byte at; clocks are those of
 * its thread, with its times. */
void
dmt_times_look(struct dmt_judge_times *times, const struct dmtrace_event *event,
    const struct dmt_clocks *clocks, uint64_t at);

/* Whether the fields of a record, with the clocks before it, need that. */
DMT_INLINE bool
dmt_times_need_look(const struct dmt_times_lane *lane,
    const struct dmtrace_layout *layout, const struct dmt_clocks *clocks,
    uint32_t cpu_us, uint32_t wall_us)
{
	const bool dual = layout->cpu.width != 0 && layout->wall.width != 0;
	const int64_t ahead_us = (int64_t)cpu_us - (int64_t)wall_us;

	return (cpu_us < clocks->cpu.low_us) |
	    (wall_us < clocks->wall.low_us) | (cpu_us >= lane->edge_us) |
	    (wall_us >= lane->edge_us) | (dual && ahead_us > lane->ahead_us);
}

#endif
