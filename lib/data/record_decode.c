/* record_decode.c - decodes records to events; mirror of record_encode.c */

#include "data/record_decode.h"

DMT_INLINE uint64_t
time_ns(struct dmt_field field, uint64_t time)
{
	return field.width == 0 ? DMTRACE_NO_TIME : time * dmt_unit_ns(field);
}

DMT_INLINE void
decode(struct dmtrace_event *event, const struct dmt_layout *layout,
    const uint8_t *in, uint64_t cpu, uint64_t wall)
{
	event->method = dmt_field_get(layout->method, in) & ~(uint64_t)3;
	event->cpu_ns = time_ns(layout->cpu, cpu);
	event->wall_ns = time_ns(layout->wall, wall);
	event->thread = (uint32_t)dmt_field_get(layout->thread, in);
	event->action = dmt_action_get(layout, in);
}

enum dmtrace_status
dmt_record_decode(struct dmtrace_event *event,
    const struct dmt_layout *layout, const uint8_t *in, size_t len)
{
	if (len < layout->record_size)
		return DMTRACE_ERR_TRUNCATED;
	decode(event, layout, in, dmt_field_get(layout->cpu, in),
	    dmt_field_get(layout->wall, in));
	return DMTRACE_OK;
}

void
dmt_record_get(struct dmtrace_event *event,
    const struct dmt_layout *layout, const uint8_t *in, size_t number)
{
	dmt_record_decode(event, layout,
	    in + number * layout->record_size, layout->record_size);
}

struct record_run {
	struct dmtrace_event *events;
	const uint8_t *in;
	size_t count;
	struct dmt_clocks *clocks;
	const struct dmt_watch *watch;
};

DMT_INLINE size_t
decode_record_run(const void *context, const struct dmt_layout *layout)
{
	const struct record_run *run = context;
	const uint8_t *in = run->in;
	size_t i;

	for (i = 0; i < run->count; i++, in += layout->record_size) {
		if (dmt_layout_has_ns(layout)) {
			if (dmt_action_get(layout, in) == DMTRACE_RESERVED)
				run->watch->odd(run->watch->context,
				    DMT_ODD_RESERVED, i);
			decode(&run->events[i], layout, in,
			    dmt_field_get(layout->cpu, in),
			    dmt_field_get(layout->wall, in));
			continue;
		}
		struct dmt_clocks *clocks =
		    &run->clocks[dmt_field_get(layout->thread, in)];

		dmt_clocks_take(clocks, layout, in, i, run->watch);
		decode(&run->events[i], layout, in,
		    dmt_clock_us(&clocks->cpu), dmt_clock_us(&clocks->wall));
	}
	return i;
}

void
dmt_records_decode(struct dmtrace_event *events,
    const struct dmt_layout *layout, const uint8_t *in, size_t count,
    struct dmt_clocks *clocks, const struct dmt_watch *watch)
{
	const struct record_run run = { events, in, count, clocks, watch };

	dmt_loop(decode_record_run, &run, layout);
}
