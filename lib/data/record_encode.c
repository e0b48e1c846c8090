/* record_encode.c - encodes events as records; mirror of record_decode.c */

#include "data/record_encode.h"

#include "data/record.h"

/* NULL: the time fits its field. */
static const char *
time_misfit(struct dmt_field field, uint64_t time_ns, bool modulo,
    const char *missing, const char *large)
{
	if (field.width == 0)
		return NULL;
	if (time_ns == DMTRACE_NO_TIME)
		return missing;
	return modulo || dmt_fits(field.width, time_ns / dmt_unit_ns(field)) ?
	    NULL : large;
}

const char *
dmt_record_misfit(const struct dmt_layout *layout,
    const struct dmtrace_event *event, bool modulo)
{
	const char *misfit;

	if ((unsigned)event->action > DMTRACE_RESERVED)
		return "unknown action";
	if (!dmt_fits(layout->thread.width, event->thread))
		return "thread number too large";
	if (!dmt_fits(layout->method.width, event->method))
		return "method id too large";
	if (!modulo && (event->method & 3) != 0)
		return "method id not a multiple of 4";
	misfit = time_misfit(layout->cpu, event->cpu_ns, modulo,
	    "no CPU time", "CPU time too large");
	return misfit != NULL ? misfit : time_misfit(layout->wall,
	    event->wall_ns, modulo, "no wall time", "wall time too large");
}

static void
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
	if (dmt_record_misfit(layout, event, false) != NULL)
		return DMTRACE_ERR_RANGE;
	encode_record(out, layout, event);
	return DMTRACE_OK;
}

size_t
dmt_records_fit(const struct dmt_layout *layout,
    const struct dmtrace_event *events, size_t count, bool modulo)
{
	size_t i = 0;

	while (i < count &&
	    dmt_record_misfit(layout, &events[i], modulo) == NULL)
		i++;
	return i;
}
