/* unwrap.c - unwraps 32-bit times to 64 bits, per thread and clock */

#include "data/unwrap.h"

#include <assert.h>

#include "base/array.h"

/* Layouts with 32-bit times have thread numbers of at most two bytes. */
#define CLOCKS_LEN (65536 * sizeof(struct dmt_clocks))

/* Mapped, as calloc would clear memory that was used before, and so touch
 * every page; that is expensive when many traces are open. */
struct dmt_clocks *
dmt_clocks_new(const struct dmt_layout *layout)
{
	assert(dmt_layout_has_ns(layout) ||
	    dmt_layout_thread_numbers(layout) * sizeof(struct dmt_clocks) <=
	    CLOCKS_LEN);
	return dmt_mapped_new(CLOCKS_LEN);
}

void
dmt_clocks_free(struct dmt_clocks *clocks)
{
	dmt_mapped_free(clocks, CLOCKS_LEN);
}

bool
dmt_clocks_reset(struct dmt_clocks **clocks, const struct dmt_layout *layout)
{
	struct dmt_clocks *const zeros = dmt_clocks_new(layout);

	if (zeros == NULL)
		return false;
	dmt_clocks_free(*clocks);
	*clocks = zeros;
	return true;
}

unsigned
dmt_clock_turn(struct dmt_clock *clock, uint32_t field_us)
{
	/* Count wraps only while the time in nanoseconds fits in 64 bits. */
	const uint64_t wraps_max = (UINT64_MAX / 1000 >> 32) - 1;

	if (field_us >= clock->low_us)
		return 0;
	if (clock->low_us - field_us <= 1u << 31)
		return DMT_ODD_BACK;
	if (clock->wraps < wraps_max)
		clock->wraps++;
	return DMT_ODD_WRAPPED;
}

void
dmt_clocks_odd(struct dmt_clocks *clocks, const struct dmt_layout *layout,
    const uint8_t *in, size_t index, const struct dmt_watch *watch)
{
	const uint32_t cpu_us = (uint32_t)dmt_field_get(layout->cpu, in);
	const uint32_t wall_us = (uint32_t)dmt_field_get(layout->wall, in);
	unsigned oddities =
	    dmt_clock_turn(&clocks->cpu, cpu_us) |
	    dmt_clock_turn(&clocks->wall, wall_us);

	if (dmt_action_get(layout, in) == DMTRACE_RESERVED)
		oddities |= DMT_ODD_RESERVED;
	watch->odd(watch->context, oddities, index);
}

static void
ignore_oddity(void *context, unsigned oddities, size_t index)
{
	(void)context;
	(void)oddities;
	(void)index;
}

const struct dmt_watch dmt_watch_nothing = { ignore_oddity, NULL };
