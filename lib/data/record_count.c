/* record_count.c - what a run of records comes to, without the events */

#include "data/record_count.h"

#include "base/array.h"
#include "format/layouts.h"

#include <stdlib.h>

bool
dmt_tallies_init(struct dmt_tallies *tallies,
    const struct dmtrace_layout *layout)
{
	const size_t numbers = dmt_layout_thread_numbers(layout);

	*tallies = (struct dmt_tallies){
		.threads = dmt_array_new(numbers, sizeof(*tallies->threads)),
		.thread_numbers = numbers,
	};
	return tallies->threads != NULL;
}

void
dmt_tallies_fini(struct dmt_tallies *tallies)
{
	free(tallies->threads);
}

struct batch {
	struct dmt_tallies *tallies;
	const uint8_t *in;
	size_t count;
	const struct dmt_watch *watch;
};

DMT_INLINE void
count_batch(const struct batch *batch, const struct dmtrace_layout *layout)
{
	const uint8_t *in = batch->in;

	for (size_t i = 0; i < batch->count; i++) {
		struct dmt_thread_tally *tally =
		    &batch->tallies->threads[dmt_field_get(layout->thread, in)];
		const struct dmt_clock *clock = layout->wall.width != 0
		    ? &tally->clocks.wall : &tally->clocks.cpu;

		dmt_clocks_take(&tally->clocks, layout, in, i, batch->watch);
		tally->last_us = dmt_clock_us(clock);
		if (tally->records++ == 0)
			tally->first_us = clock->low_us;
		batch->tallies->actions[dmt_record_action(layout, in)]++;
		in += layout->record_size;
	}
}

void
dmt_records_count(struct dmt_tallies *tallies,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t count,
    const struct dmt_watch *watch)
{
	const struct batch batch = { tallies, in, count, watch };

	switch (dmt_layout_row(layout)) {
	case DMT_LAYOUT_1_CPU:
		count_batch(&batch, &dmt_layouts[DMT_LAYOUT_1_CPU]);
		break;
	case DMT_LAYOUT_1_WALL:
		count_batch(&batch, &dmt_layouts[DMT_LAYOUT_1_WALL]);
		break;
	case DMT_LAYOUT_2_CPU:
	case DMT_LAYOUT_3_CPU:
		count_batch(&batch, &dmt_layouts[DMT_LAYOUT_2_CPU]);
		break;
	case DMT_LAYOUT_2_WALL:
	case DMT_LAYOUT_3_WALL:
		count_batch(&batch, &dmt_layouts[DMT_LAYOUT_2_WALL]);
		break;
	case DMT_LAYOUT_3_DUAL:
		count_batch(&batch, &dmt_layouts[DMT_LAYOUT_3_DUAL]);
		break;
	default:
		count_batch(&batch, layout);
		break;
	}
}
