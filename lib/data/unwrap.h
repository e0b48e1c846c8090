/* unwrap.h - unwraps 32-bit times to 64 bits, per thread and clock */
#ifndef DMT_DATA_UNWRAP_H
#define DMT_DATA_UNWRAP_H

#include "data/record.h"

/* Why watch is called; index is the position in the batch. */
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
 * The last time of a clock, in two halves: the high half only changes when the
 * time wraps, so that a loop over records seldom waits for a store.
 */
struct dmt_clock {
	uint32_t low_us;	/* as in the record */
	uint32_t wraps;
};

/* The clocks of a thread. A clock that the layout lacks stays 0. */
struct dmt_clocks {
	struct dmt_clock cpu;
	struct dmt_clock wall;
};

/* Returns the clocks of all thread numbers of the layout, or a dummy if its
 * times are nanoseconds. Only pages that are touched use memory. NULL: no
 * memory. */
struct dmt_clocks *
dmt_clocks_new(const struct dmt_layout *layout);

void
dmt_clocks_free(struct dmt_clocks *clocks);

/* Sets all clocks to 0, for another pass: *clocks are new ones. Returns false,
 * and leaves them alone: no memory. */
bool
dmt_clocks_reset(struct dmt_clocks **clocks, const struct dmt_layout *layout);

static inline uint64_t
dmt_clock_us(const struct dmt_clock *clock)
{
	return (uint64_t)clock->wraps << 32 | clock->low_us;
}

/* Called when the next value of a clock is lower than the last one; counts a
 * wrap if it was one. Returns DMT_ODD_BACK or DMT_ODD_WRAPPED; 0 if the value
 * is not lower. */
unsigned
dmt_clock_turn(struct dmt_clock *clock, uint32_t field_us);

/*
 * Handles an unusual record at in: counts wraps of its clocks and calls watch.
 * A value that is lower than the last by more than 2^31 has wrapped; any other
 * step back is kept (dmtrace.5, TIMES).
 */
DMT_COLD void
dmt_clocks_odd(struct dmt_clocks *clocks, const struct dmt_layout *layout,
    const uint8_t *in, size_t index, const struct dmt_watch *watch);

/* Ignores everything, where another pass or source has reported it. */
extern const struct dmt_watch dmt_watch_nothing;

DMT_INLINE bool
dmt_clock_goes_back(const struct dmt_clock *clock, struct dmt_field field,
    uint32_t field_us)
{
	return field.width != 0 && field_us < clock->low_us;
}

/* Makes the times of the record at in, which is the index-th of a batch, the
 * last ones of its thread. */
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
