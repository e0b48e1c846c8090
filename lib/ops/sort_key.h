/* sort_key.h - what records are sorted by: a time that never goes back */
#ifndef DMT_OPS_SORT_KEY_H
#define DMT_OPS_SORT_KEY_H

#include "data/unwrap.h"

/*
 * A record's key is the highest time of its thread so far: so events of a
 * thread stay in their order even where its clock stepped back. The clock is
 * the wall clock, or the only one that there is.
 */
struct dmt_sort_keys {
	struct dmt_clocks *clocks;	/* by thread number */
	uint64_t *tops;			/* the highest times, in us */
	bool back;			/* a key is not its record's time */
};

DMT_INLINE struct dmt_field
dmt_sort_field(const struct dmtrace_layout *layout)
{
	return layout->wall.width != 0 ? layout->wall : layout->cpu;
}

/* Of the same clock. */
DMT_INLINE struct dmt_clock *
dmt_sort_clock(struct dmt_clocks *clocks, const struct dmtrace_layout *layout)
{
	return layout->wall.width != 0 ? &clocks->wall : &clocks->cpu;
}

/* A call keeps the loop from waiting for the top that it has just stored. */
DMT_COLD static uint64_t
dmt_sort_key_behind(struct dmt_sort_keys *keys, size_t thread)
{
	keys->back = true;
	return keys->tops[thread];
}

/* In microseconds, of the record at in, the index-th of a batch. */
DMT_INLINE uint64_t
dmt_sort_key(struct dmt_sort_keys *keys, const struct dmtrace_layout *layout,
    const uint8_t *in, size_t index, const struct dmt_watch *watch)
{
	const size_t thread = (size_t)dmt_field_get(layout->thread, in);
	struct dmt_clocks *const clocks = &keys->clocks[thread];

	dmt_clocks_take(clocks, layout, in, index, watch);
	const uint64_t time_us = dmt_clock_us(dmt_sort_clock(clocks, layout));
	if (time_us < keys->tops[thread])
		return dmt_sort_key_behind(keys, thread);
	keys->tops[thread] = time_us;
	return time_us;
}

#endif
