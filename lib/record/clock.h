/* clock.h - wall time at the cost of reading a counter of the CPU */
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
#define DMT_TICK_SPAN (UINT64_C(1) << 28)	/* at most, from an anchor */

/*
 * A moment on both clocks. Ticks become microseconds by a product of 64 bits,
 * which holds for less than a second; then another anchor is set.
 */
struct dmt_anchor {
	uint64_t ticks;
	uint64_t limit;		/* ticks from there that it is good for */
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

/* Whether the CPU counts at a rate that does not change; measures it, once a
 * process, for some 100 us; each anchor knows it better. */
bool
dmt_ticks_init(void);

/*
 * Sets the anchor to now. start_us is where the file starts on the
 * monotonic clock, limit_us how far it may go. false: it is past it.
 */
bool
dmt_anchor_set(struct dmt_anchor *anchor, uint64_t start_us,
    uint64_t limit_us);

/* Cost of one read in ns, of ticks or of clock_gettime. */
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
