/* clock.h - wall time, computed from a counter of the CPU */
#ifndef DMT_RECORD_CLOCK_H
#define DMT_RECORD_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "data/record.h"

#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define DMT_HAVE_TICKS 1
#else
#define DMT_HAVE_TICKS 0
#endif

#define DMT_TICK_SHIFT 42	/* of the factor */
#define DMT_TICK_SPAN (UINT64_C(1) << 28)	/* most ticks since an anchor */

/*
 * A pair of readings of both clocks. Ticks are converted to microseconds by a
 * 64-bit multiplication, which does not overflow for less than a second; then
 * a new anchor is made.
 */
struct dmt_anchor {
	uint64_t ticks;
	uint64_t limit;		/* it can be used for that many ticks */
	uint64_t factor;	/* us per tick << DMT_TICK_SHIFT */
	uint32_t us;		/* since the start of the file */
};

DMT_INLINE uint64_t
dmt_clock_read(clockid_t id)
{
	struct timespec time;

	clock_gettime(id, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

DMT_INLINE uint64_t
dmt_clock_ns(void)
{
	return dmt_clock_read(CLOCK_MONOTONIC);
}

DMT_INLINE uint64_t
dmt_recorder_clock_us(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000 +
	    (uint32_t)time.tv_nsec / 1000;
}

/* Reads the CPU time of the calling thread; a system call. */
DMT_INLINE uint64_t
dmt_clock_cpu_ns(void)
{
	return dmt_clock_read(CLOCK_THREAD_CPUTIME_ID);
}

/* Returns true if the CPU's counter has a constant rate; measures it once per
 * process, for about 100 us. Each anchor makes it more accurate. */
bool
dmt_ticks_init(void);

/*
 * Makes an anchor at the current time. start_us is the start of the file on
 * the monotonic clock, limit_us the latest time in the file. false: the time
 * is past the limit.
 */
bool
dmt_anchor_set(struct dmt_anchor *anchor, uint64_t start_us,
    uint64_t limit_us);

/* Returns the cost of reading the counter, or of clock_gettime, in ns. */
uint64_t
dmt_clock_overhead_ns(bool ticks);

DMT_INLINE uint64_t
dmt_ticks(void)
{
#if DMT_HAVE_TICKS
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

DMT_INLINE uint32_t
dmt_anchor_us(const struct dmt_anchor *anchor, uint64_t ticks)
{
	return anchor->us +
	    (uint32_t)(ticks * anchor->factor >> DMT_TICK_SHIFT);
}

#endif
