/* record_encode.c - encodes events as records; mirror of record_decode.c */

#include "data/record_encode.h"

#include "data/record.h"

DMT_INLINE bool
time_fits(struct dmt_field field, uint64_t time_ns, bool modulo)
{
	if (field.width == 0)
		return true;
	return time_ns != DMTRACE_NO_TIME &&
	    (modulo || dmt_fits(field.width, time_ns / dmt_unit_ns(field)));
}

DMT_INLINE bool
record_fits(const struct dmt_layout *layout,
    const struct dmtrace_event *event, bool modulo)
{
	return (unsigned)event->action <= DMTRACE_RESERVED &&
	    dmt_fits(layout->thread.width, event->thread) &&
	    dmt_fits(layout->method.width, event->method) &&
	    (modulo || (event->method & 3) == 0) &&
	    time_fits(layout->cpu, event->cpu_ns, modulo) &&
	    time_fits(layout->wall, event->wall_ns, modulo);
}

DMT_INLINE void
encode_record(uint8_t *out, const struct dmt_layout *layout,
    const struct dmtrace_event *event)
{
	const uint64_t id = event->method & ~(uint64_t)3;

	memset(out, 0, layout->record_size);
	dmt_field_put(layout->thread, out, event->thread);
	dmt_field_put(layout->method, out, id | event->action);
	dmt_field_put(layout->cpu, out,
	    event->cpu_ns / dmt_unit_ns(layout->cpu));
	dmt_field_put(layout->wall, out,
	    event->wall_ns / dmt_unit_ns(layout->wall));
}

enum dmtrace_status
dmt_record_encode(uint8_t *out, const struct dmt_layout *layout,
    const struct dmtrace_event *event)
{
	if (!record_fits(layout, event, false))
		return DMTRACE_ERR_RANGE;
	encode_record(out, layout, event);
	return DMTRACE_OK;
}

struct encode_run {
	uint8_t *out;
	const struct dmtrace_event *events;
	size_t count;
	bool modulo;
};

DMT_INLINE size_t
encode_run(const void *context, const struct dmt_layout *layout)
{
	const struct encode_run *run = context;
	uint8_t *out = run->out;
	size_t i;

	for (i = 0; i < run->count; i++) {
		if (!record_fits(layout, &run->events[i], run->modulo))
			break;
		encode_record(out, layout, &run->events[i]);
		out += layout->record_size;
	}
	return i;
}

size_t
dmt_records_encode(uint8_t *out, const struct dmt_layout *layout,
    const struct dmtrace_event *events, size_t count, bool modulo)
{
	const struct encode_run run = { out, events, count, modulo };

	return dmt_loop(encode_run, &run, layout);
}
