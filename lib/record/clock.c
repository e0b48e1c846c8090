/* clock.c - wall time at the cost of reading a counter of the CPU */

#include "record/clock.h"

#include <pthread.h>

#if DMT_HAVE_TICKS
#include <cpuid.h>
#endif

/*
 * clock_gettime costs more than all the rest of an event, so wall time is read
 * from the CPU's counter where that counts at a rate that does not change. The
 * rate is measured against the monotonic clock from a first pair of reads, the
 * origin: for 100 us at the start, and over all the time since then at each
 * anchor, so that it gets better. An anchor is a moment on both clocks, from
 * which a thread's times are computed by one product for less than a second,
 * and at first only for as long as the rate can be trusted to a microsecond.
 * Then, and at each flush, the thread sets another one.
 *
 * The error of a rate never adds up, as each anchor starts at the system's own
 * time; an event is never earlier than the thread's last one.
 */

#define CALIBRATION_NS 100000
#define AHEAD 16	/* a rate holds for as many times as it was measured */
#define READS 64		/* to measure the overhead */
#define TRIES 4			/* for a close pair of reads */

/* Where the rate of ticks is measured from; it gets better with time. */
static struct clock_pair {
	uint64_t ticks;
	uint64_t ns;
} tick_origin;
static bool are_ticks_steady;
static pthread_once_t ticks_calibrated = PTHREAD_ONCE_INIT;

/* Reads both clocks several times, and takes the pair whose reads are closest
 * to each other. */
static struct clock_pair
read_clock_pair(void)
{
	struct clock_pair best = { 0, 0 };
	uint64_t closest = UINT64_MAX;

	for (unsigned i = 0; i < TRIES; i++) {
		const uint64_t before = dmt_ticks();
		const uint64_t ns = dmt_clock_ns();
		const uint64_t took = dmt_ticks() - before;

		if (took >= closest)
			continue;
		closest = took;
		best = (struct clock_pair){ before + took / 2, ns };
	}
	return best;
}

static void
calibrate_ticks(void)
{
#if DMT_HAVE_TICKS
	unsigned a, b, c, d;

	if (!__get_cpuid(0x80000007, &a, &b, &c, &d) || (d >> 8 & 1) == 0)
		return;		/* the rate is not constant */
	tick_origin = read_clock_pair();
	while (dmt_clock_ns() - tick_origin.ns < CALIBRATION_NS)
		continue;
	are_ticks_steady = dmt_ticks() > tick_origin.ticks;
#endif
}

bool
dmt_ticks_init(void)
{
	pthread_once(&ticks_calibrated, calibrate_ticks);
	return are_ticks_steady;
}

/* 0: the counter has not counted since the origin, or counts too slowly. */
static uint64_t
tick_factor(const struct clock_pair *now)
{
	const uint64_t ns = now->ns - tick_origin.ns;
	const uint64_t ticks = now->ticks - tick_origin.ticks;

	if (now->ticks <= tick_origin.ticks || ticks / 64 <= ns / 1000)
		return 0;
	return (uint64_t)((double)ns / 1000 / (double)ticks *
	    (double)(UINT64_C(1) << DMT_TICK_SHIFT));
}

bool
dmt_anchor_set(struct dmt_anchor *anchor, uint64_t start_us,
    uint64_t limit_us)
{
	const struct clock_pair now = read_clock_pair();
	const uint64_t us = now.ns / 1000 < start_us ? 0 :
	    now.ns / 1000 - start_us;

	if (us > limit_us)
		return false;
	anchor->us = (uint32_t)us;
	anchor->ticks = now.ticks;
	anchor->factor = tick_factor(&now);
	anchor->limit = 0;
	if (anchor->factor == 0)
		return true;

	/* Ticks for which the rate is good: its error, of two reads of the
	 * clock, grows to AHEAD times theirs, which is less than a
	 * microsecond. And no more than up to the limit. */
	const uint64_t ticks = now.ticks - tick_origin.ticks;
	const uint64_t good = ticks < DMT_TICK_SPAN / AHEAD ?
	    ticks * AHEAD : DMT_TICK_SPAN;
	const uint64_t left = (limit_us - us) *
	    ((UINT64_C(1) << DMT_TICK_SHIFT) / anchor->factor);
	anchor->limit = good < left ? good : left;
	return true;
}

uint64_t
dmt_clock_overhead_ns(bool ticks)
{
	volatile uint64_t last;
	const uint64_t begin = dmt_clock_ns();

	for (unsigned i = 0; i < READS; i++)
		last = ticks ? dmt_ticks() : dmt_clock_ns();
	(void)last;
	return (dmt_clock_ns() - begin) / READS;
}
