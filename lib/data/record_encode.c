/* record_encode.c - events to records, one or a batch; mirror of _decode */

#include "data/record_encode.h"

#include "data/record.h"
#include "format/layouts.h"

DMT_INLINE bool
time_fits(struct dmt_field field, uint64_t time_ns, bool modulo)
{
	if (field.width == 0)
		return true;
	return time_ns != DMTRACE_NO_TIME &&
	    (modulo || dmt_fits(field.width, time_ns / 1000));
}

DMT_INLINE bool
fits(const struct dmtrace_layout *layout, const struct dmtrace_event *event,
    bool modulo)
{
	return (unsigned)event->action <= DMTRACE_RESERVED &&
	    dmt_fits(layout->thread.width, event->thread) &&
	    dmt_fits(layout->method.width, event->method) &&
	    (modulo || (event->method & 3) == 0) &&
	    time_fits(layout->cpu, event->cpu_ns, modulo) &&
	    time_fits(layout->wall, event->wall_ns, modulo);
}

DMT_INLINE void
encode(uint8_t *out, const struct dmtrace_layout *layout,
    const struct dmtrace_event *event)
{
	memset(out, 0, layout->record_size);
	dmt_field_put(layout->thread, out, event->thread);
	dmt_field_put(layout->method, out, (event->method & ~(uint64_t)3) | event->action);
	dmt_field_put(layout->cpu, out, event->cpu_ns / 1000);
	dmt_field_put(layout->wall, out, event->wall_ns / 1000);
}

enum dmtrace_status
dmtrace_record_encode(uint8_t *out, const struct dmtrace_layout *layout,
    const struct dmtrace_event *event)
{
	if (!fits(layout, event, false))
		return DMTRACE_ERR_RANGE;
	encode(out, layout, event);
	return DMTRACE_OK;
}

struct batch {
	uint8_t *out;
	const struct dmtrace_event *events;
	size_t count;
	bool modulo;
};

DMT_INLINE size_t
encode_batch(const struct batch *batch, const struct dmtrace_layout *layout)
{
	uint8_t *out = batch->out;
	size_t i;

	for (i = 0; i < batch->count; i++) {
		if (!fits(layout, &batch->events[i], batch->modulo))
			break;
		encode(out, layout, &batch->events[i]);
		out += layout->record_size;
	}
	return i;
}

size_t
dmt_records_encode(uint8_t *out, const struct dmtrace_layout *layout,
    const struct dmtrace_event *events, size_t count, bool modulo)
{
	const struct batch batch = { out, events, count, modulo };

	switch (dmt_layout_row(layout)) {
	case DMT_LAYOUT_1_CPU:
		return encode_batch(&batch, &dmt_layouts[DMT_LAYOUT_1_CPU]);
	case DMT_LAYOUT_1_WALL:
		return encode_batch(&batch, &dmt_layouts[DMT_LAYOUT_1_WALL]);
	case DMT_LAYOUT_2_CPU:
	case DMT_LAYOUT_3_CPU:
		return encode_batch(&batch, &dmt_layouts[DMT_LAYOUT_2_CPU]);
	case DMT_LAYOUT_2_WALL:
	case DMT_LAYOUT_3_WALL:
		return encode_batch(&batch, &dmt_layouts[DMT_LAYOUT_2_WALL]);
	case DMT_LAYOUT_3_DUAL:
		return encode_batch(&batch, &dmt_layouts[DMT_LAYOUT_3_DUAL]);
	default:
		return encode_batch(&batch, layout);
	}
}
