/* record_decode.c - records to events, one or a batch; mirror of _encode */

#include "data/record_decode.h"

#include "format/layouts.h"

DMT_INLINE uint64_t
time_ns(struct dmt_field field, uint64_t time_us)
{
	return field.width == 0 ? DMTRACE_NO_TIME : time_us * 1000;
}

DMT_INLINE void
decode(struct dmtrace_event *event, const struct dmtrace_layout *layout,
    const uint8_t *in, uint64_t cpu_us, uint64_t wall_us)
{
	event->method = dmt_field_get(layout->method, in) & ~(uint64_t)3;
	event->cpu_ns = time_ns(layout->cpu, cpu_us);
	event->wall_ns = time_ns(layout->wall, wall_us);
	event->thread = (uint32_t)dmt_field_get(layout->thread, in);
	event->action = dmt_action_get(layout, in);
}

enum dmtrace_status
dmtrace_record_decode(struct dmtrace_event *event,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t len)
{
	if (len < layout->record_size)
		return DMTRACE_ERR_TRUNCATED;
	decode(event, layout, in, dmt_field_get(layout->cpu, in),
	    dmt_field_get(layout->wall, in));
	return DMTRACE_OK;
}

struct batch {
	struct dmtrace_event *events;
	const uint8_t *in;
	size_t count;
	struct dmt_clocks *clocks;
	const struct dmt_watch *watch;
};

DMT_INLINE void
decode_batch(const struct batch *batch, const struct dmtrace_layout *layout)
{
	const uint8_t *in = batch->in;

	for (size_t i = 0; i < batch->count; i++) {
		struct dmt_clocks *clocks =
		    &batch->clocks[dmt_field_get(layout->thread, in)];

		dmt_clocks_take(clocks, layout, in, i, batch->watch);
		decode(&batch->events[i], layout, in,
		    dmt_clock_us(&clocks->cpu), dmt_clock_us(&clocks->wall));
		in += layout->record_size;
	}
}

void
dmt_records_decode(struct dmtrace_event *events,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t count,
    struct dmt_clocks *clocks, const struct dmt_watch *watch)
{
	const struct batch batch = { events, in, count, clocks, watch };

	switch (dmt_layout_row(layout)) {
	case DMT_LAYOUT_1_CPU:
		decode_batch(&batch, &dmt_layouts[DMT_LAYOUT_1_CPU]);
		break;
	case DMT_LAYOUT_1_WALL:
		decode_batch(&batch, &dmt_layouts[DMT_LAYOUT_1_WALL]);
		break;
	case DMT_LAYOUT_2_CPU:
	case DMT_LAYOUT_3_CPU:
		decode_batch(&batch, &dmt_layouts[DMT_LAYOUT_2_CPU]);
		break;
	case DMT_LAYOUT_2_WALL:
	case DMT_LAYOUT_3_WALL:
		decode_batch(&batch, &dmt_layouts[DMT_LAYOUT_2_WALL]);
		break;
	case DMT_LAYOUT_3_DUAL:
		decode_batch(&batch, &dmt_layouts[DMT_LAYOUT_3_DUAL]);
		break;
	default:
		decode_batch(&batch, layout);
		break;
	}
}
