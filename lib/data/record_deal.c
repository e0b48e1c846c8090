/* record_deal.c - records to one place for each thread, in their order */

#include "data/record_deal.h"

#include "data/record.h"

struct run {
	struct dmt_deal *deal;
	const uint8_t *in;
	size_t count;
};

/* Takes the records from in on that are of one thread, at most count and as
 * many as its lane has room for; returns how many. They are sorted by the wall
 * time, if it counts, then the rank of the lane. What the lane and the deal
 * have is copied, since what is stored could change it. */
DMT_INLINE size_t
deal_same(const struct run *run, const struct dmtrace_layout *layout,
    const uint8_t *in, size_t count)
{
	const size_t size = layout->record_size;
	const uint64_t thread = dmt_field_get(layout->thread, in);
	struct dmt_deal_lane *const lane = &run->deal->lanes[thread];
	const uint64_t rank = lane->rank;
	const uint64_t timed = 0 - (uint64_t)run->deal->timed;
	uint8_t *out = lane->at;
	uint64_t last = run->deal->last, back = 0;
	size_t i;

	if (count > lane->room)
		count = lane->room;
	if (count == 0)
		return 0;
	for (i = 0; i < count; i++, in += size, out += size) {
		if (dmt_field_get(layout->thread, in) != thread)
			break;
		memcpy(out, in, size);
		const uint64_t now = (dmt_field_get(layout->wall, in) << 31 &
		    timed) | rank;
		back |= now - last;
		last = now;
	}
	lane->at = out;
	lane->room -= (uint32_t)i;
	run->deal->last = last;
	run->deal->unsorted |= back >> 63 != 0;
	return i;
}

DMT_INLINE size_t
deal_run(const void *context, const struct dmtrace_layout *layout)
{
	const struct run *const run = context;
	size_t done = 0, some;

	while (done < run->count) {
		some = deal_same(run, layout,
		    run->in + done * layout->record_size, run->count - done);
		if (some == 0)
			break;
		done += some;
	}
	return done;
}

size_t
dmt_records_deal(struct dmt_deal *deal, const struct dmtrace_layout *layout,
    const uint8_t *in, size_t count)
{
	const struct run run = { deal, in, count };

	return dmt_loop(deal_run, &run, layout);
}
