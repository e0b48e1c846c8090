/* times.c - what is odd about the times of events, and about their threads */

#include "verify/times.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "events/select.h"

#define HIGH_US (UINT64_C(1) << 31)
#define HIGH_NS (HIGH_US * 1000)
#define SLACK_NS 20000000	/* two ticks of a slow CPU clock */

bool
dmt_times_init(struct dmt_judge_times *times, const struct dmtrace_key *key,
    const struct dmtrace_layout *layout)
{
	times->layout = layout;
	times->comparable = layout->wall.width != 0 &&
	    dmt_times_comparable(key, layout);
	times->lanes = dmt_array_new(dmt_layout_thread_numbers(layout),
	    sizeof(*times->lanes));
	return times->lanes != NULL;
}

void
dmt_times_fini(struct dmt_judge_times *times)
{
	free(times->lanes);
}

static void
meet(struct dmt_judge_times *times, const struct dmtrace_event *event,
    uint64_t at)
{
	struct dmt_times_lane *const lane = &times->lanes[event->thread];

	lane->came = true;
	lane->first_cpu_ns = event->cpu_ns;
	lane->first_wall_ns = event->wall_ns;
	if (event->thread >> (8 * times->layout->thread.width - 1) != 0)
		dmt_finding_add(&times->findings, DMT_THREAD_HIGH,
		    DMTRACE_PLACE_OFFSET, at, "%" PRIu32, event->thread);
}

static bool
is_high(uint64_t time_ns)
{
	return time_ns >= HIGH_NS && time_ns != DMTRACE_NO_TIME;
}

static bool
is_ahead(const struct dmt_times_lane *lane, const struct dmtrace_event *event)
{
	const int64_t cpu_ns = (int64_t)(event->cpu_ns - lane->first_cpu_ns);
	const int64_t wall_ns =
	    (int64_t)(event->wall_ns - lane->first_wall_ns);

	return cpu_ns > wall_ns + SLACK_NS;
}

/* Once for each thread. */
static void
tell(struct dmt_judge_times *times, bool *told, enum dmt_finding which,
    const struct dmtrace_event *event, uint64_t at)
{
	*told = true;
	dmt_finding_add(&times->findings, which, DMTRACE_PLACE_OFFSET, at,
	    "thread %" PRIu32, event->thread);
}

static void
tell_across(struct dmt_judge_times *times, const struct dmtrace_event *event,
    uint64_t at)
{
	dmt_finding_add(&times->findings, DMT_TIME_ACROSS,
	    DMTRACE_PLACE_OFFSET, at, "thread %" PRIu32 " behind %" PRIu32,
	    event->thread, times->last_thread);
}

/* In the fields of the next record, whose wraps are those of the clocks. */
static void
set_bounds(struct dmt_times_lane *lane, const struct dmt_clocks *clocks)
{
	const int64_t wraps =
	    (int64_t)clocks->wall.wraps - (int64_t)clocks->cpu.wraps;
	const int64_t begin_ns =
	    (int64_t)(lane->first_cpu_ns - lane->first_wall_ns);

	lane->edge_us = lane->high ? UINT64_MAX : HIGH_US;
	lane->ahead_us = lane->ahead ? INT64_MAX :
	    (begin_ns + SLACK_NS) / 1000 + wraps * (INT64_C(1) << 32);
}

void
dmt_times_look(struct dmt_judge_times *times, const struct dmtrace_event *event,
    const struct dmt_clocks *clocks, uint64_t at)
{
	struct dmt_times_lane *const lane = &times->lanes[event->thread];
	const struct dmtrace_layout *const layout = times->layout;
	const bool dual = layout->cpu.width != 0 && layout->wall.width != 0;

	if (!lane->came)
		meet(times, event, at);
	if (!lane->high && (is_high(event->wall_ns) ||
	    is_high(event->cpu_ns)))
		tell(times, &lane->high, DMT_TIME_HIGH, event, at);
	if (dual && !lane->ahead && is_ahead(lane, event))
		tell(times, &lane->ahead, DMT_CPU_AHEAD, event, at);
	if (times->comparable && event->wall_ns < times->last_wall_ns &&
	    event->thread != times->last_thread)
		tell_across(times, event, at);
	times->last_wall_ns = event->wall_ns;
	times->last_thread = event->thread;
	set_bounds(lane, clocks);
}
