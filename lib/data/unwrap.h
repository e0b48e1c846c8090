/* unwrap.h - 64-bit times from 32-bit fields, per thread and clock */
#ifndef DMT_DATA_UNWRAP_H
#define DMT_DATA_UNWRAP_H

#include "data/record.h"

/* What watch is called for; index is in the batch. */
enum dmt_oddity {
	DMT_ODD_RESERVED = 1,
	DMT_ODD_BACK = 2,
	DMT_ODD_WRAPPED = 4
};

struct dmt_watch {
	void (*odd)(void *context, unsigned oddities, size_t index);
	void *context;
};

/*
 * A clock's last time, in halves: the high one changes at a wrap alone, so
 * that a loop over records does not wait for what it has just stored.
 */
struct dmt_clock {
	uint32_t low_us;	/* as in the record */
	uint32_t wraps;
};

/* Of one thread. What the layout lacks stays 0. */
struct dmt_clocks {
	struct dmt_clock cpu;
	struct dmt_clock wall;
};

/* One for every thread number that the layout can hold, or one that is not
 * used if its times are nanoseconds. Pages are touched as threads come. NULL:
 * no memory. */
struct dmt_clocks *
dmt_clocks_new(const struct dmt_layout *layout);

void
dmt_clocks_free(struct dmt_clocks *clocks);

static inline uint64_t
dmt_clock_us(const struct dmt_clock *clock)
{
	return (uint64_t)clock->wraps << 32 | clock->low_us;
}

/* Where a clock's next value is lower than its last: counts a wrap if there
 * was one. Returns DMT_ODD_BACK or DMT_ODD_WRAPPED; 0 if it is not lower. */
unsigned
dmt_clock_turn(struct dmt_clock *clock, uint32_t field_us);

/*
 * Counts the wraps of the clocks at a record in that is odd, and calls watch
 * for it: a value lower than the last by more than 2^31 has wrapped; any
 * other step back is kept (dmtrace.5, TIMES).
 */
DMT_COLD void
dmt_clocks_odd(struct dmt_clocks *clocks, const struct dmt_layout *layout,
    const uint8_t *in, size_t index, const struct dmt_watch *watch);

/* Takes the times of count records at in as the last ones of their threads.
 * clocks are by thread number. */
void
dmt_clocks_follow(struct dmt_clocks *clocks,
    const struct dmt_layout *layout, const uint8_t *in, size_t count,
    const struct dmt_watch *watch);

DMT_INLINE bool
dmt_clock_goes_back(const struct dmt_clock *clock, struct dmt_field field,
    uint32_t field_us)
{
	return field.width != 0 && field_us < clock->low_us;
}

/* Takes the times of the record at in, which is the index-th of a batch, as
 * the last ones of its thread. */
DMT_INLINE void
dmt_clocks_take(struct dmt_clocks *clocks, const struct dmt_layout *layout,
    const uint8_t *in, size_t index, const struct dmt_watch *watch)
{
	const uint32_t cpu_us = (uint32_t)dmt_field_get(layout->cpu, in);
	const uint32_t wall_us = (uint32_t)dmt_field_get(layout->wall, in);

	if (dmt_action_get(layout, in) == DMTRACE_RESERVED ||
	    dmt_clock_goes_back(&clocks->cpu, layout->cpu, cpu_us) ||
	    dmt_clock_goes_back(&clocks->wall, layout->wall, wall_us))
		dmt_clocks_odd(clocks, layout, in, index, watch);
	if (layout->cpu.width != 0)
		clocks->cpu.low_us = cpu_us;
	if (layout->wall.width != 0)
		clocks->wall.low_us = wall_us;
}

#endif
