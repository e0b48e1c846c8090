/* clock.c - wall time, computed from a counter of the CPU */

#include "record/clock.h"

#include <pthread.h>

#if DMT_HAVE_TICKS
#include <cpuid.h>
#endif

/*
 * clock_gettime costs more than the rest of an event, so wall time is computed
 * from the CPU's counter if that has a constant rate. The rate is measured
 * against the monotonic clock, relative to a first pair of readings, the
 * origin: at the start over 100 us, and at each anchor over the whole time
 * since the origin, so that it gets more accurate. An anchor is a pair of
 * readings from which a thread computes times by one multiplication, for less
 * than a second, and at first only as long as the error of the rate stays
 * below a microsecond. Then, and at each flush, the thread makes a new anchor.
 *
 * Errors of the rate do not add up, as each anchor starts at the system's
 * time; the time of an event is never before the thread's last one.
 */

#define CALIBRATION_NS 100000
#define AHEAD 16	/* a rate is used for that many times the period over
			   which it was measured */
#define READS 64		/* number of reads to measure the overhead */
#define TRIES 4			/* attempts to read both clocks closely
				   together */

/* The origin of the measurement of the counter's rate. */
static struct clock_pair {
	uint64_t ticks;
	uint64_t ns;
} tick_origin;
static bool are_ticks_steady;
static pthread_once_t ticks_calibrated = PTHREAD_ONCE_INIT;

/* Reads both clocks several times, and returns the pair whose readings are
 * closest in time. */
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

/* Returns the factor from ticks to time; 0: the counter did not advance since
 * the origin, or is too slow. */
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

	/* Ticks for which the rate is good enough: the error of the two
	 * readings grows to AHEAD times itself, which is less than a
	 * microsecond. The limit of the file applies, too. */
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
