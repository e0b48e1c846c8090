/* repair_put.c - records to the output, and what their tables must list */

#include "ops/repair_walk.h"

#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "data/record.h"

#define UNLISTED_MAX 1048576	/* methods */

bool
dmt_repair_ids_add(struct dmt_repair_ids *ids, uint64_t id)
{
	uint64_t *const items = dmt_array_grow(ids->items, &ids->room,
	    ids->count + 1, sizeof(*items));

	if (items == NULL)
		return false;
	ids->items = items;
	items[ids->count++] = id;
	return true;
}

void
dmt_walked_tell(struct dmt_walked *walk, enum dmt_finding which,
    const struct dmt_repair_record *record)
{
	walk->altered = true;
	dmt_change_add(&walk->changes, which, 1, DMTRACE_PLACE_OFFSET,
	    walk->at, "thread %" PRIu32 ", method 0x%" PRIx64,
	    record->event.thread, record->event.method);
}

/* The first record of a thread in the output. */
static void
see_thread(struct dmt_walked *walk, const struct dmt_repair_record *record)
{
	struct dmt_repair_lane *const lane = record->lane;

	lane->seen = true;
	lane->cpu.first = record->cpu.us;
	lane->wall.first = record->wall.us;
	lane->listed = dmtrace_key_thread_match(walk->repair->key,
	    walk->layout, record->event.thread) != NULL;
	if (!dmt_repair_ids_add(&walk->order, record->event.thread))
		dmt_error_memory(&walk->error);
}

static void
see_unlisted(struct dmt_walked *walk, uint64_t method)
{
	if (dmt_idmap_find(&walk->has_unlisted, method) != NULL)
		return;
	if (walk->unlisted.count == UNLISTED_MAX)
		dmt_error_at(&walk->error, DMTRACE_ERR_LIMIT,
		    DMTRACE_PLACE_OFFSET, walk->at, "more than %d methods"
		    " that no table lists: these are no records of this key",
		    UNLISTED_MAX);
	else if (!dmt_idmap_add(&walk->has_unlisted, method, 1) ||
	    !dmt_repair_ids_add(&walk->unlisted, method))
		dmt_error_memory(&walk->error);
}

/* What the tables must list. */
static void
see(struct dmt_walked *walk, const struct dmt_repair_record *record)
{
	if (!record->lane->seen)
		see_thread(walk, record);
	if (dmtrace_key_method_find(walk->repair->key,
	    record->event.method) != NULL)
		record->lane->known = true;
	else
		see_unlisted(walk, record->event.method);
}

static void
put_bytes(struct dmt_walked *walk, const uint8_t *bytes)
{
	walk->out_count++;
	if (walk->out != NULL)
		dmt_sink_write(walk->out, bytes, walk->layout->record_size);
}

static void
fill(const struct dmtrace_layout *layout, uint8_t *out,
    const struct dmtrace_event *event, uint64_t cpu_us, uint64_t wall_us)
{
	dmt_field_put(layout->thread, out, event->thread);
	dmt_field_put(layout->method, out, event->method | event->action);
	dmt_field_put(layout->cpu, out, cpu_us);
	dmt_field_put(layout->wall, out, wall_us);
}

/* A record that the input does not have. */
void
dmt_walked_put_new(struct dmt_walked *walk, const struct dmtrace_event *event,
    uint64_t cpu_us, uint64_t wall_us)
{
	uint8_t *bytes;

	walk->altered = true;
	walk->out_count++;
	if (walk->out == NULL)
		return;
	bytes = dmt_sink_reserve(walk->out, walk->layout->record_size);
	if (bytes == NULL)
		return;
	memset(bytes, 0, walk->layout->record_size);
	fill(walk->layout, bytes, event, cpu_us, wall_us);
	dmt_sink_advance(walk->out, walk->layout->record_size);
}

static void
tell_back(struct dmt_walked *walk, struct dmt_repair_record *record)
{
	const struct dmtrace_layout *const layout = walk->layout;

	if ((layout->cpu.width == 0 || (uint32_t)record->cpu.us ==
	    dmt_field_get(layout->cpu, record->in)) &&
	    (layout->wall.width == 0 || (uint32_t)record->wall.us ==
	    dmt_field_get(layout->wall, record->in)))
		return;
	record->changed = true;
	dmt_walked_tell(walk, DMT_TIME_BACK, record);
}

/* The record goes to the output, with what was changed in it. */
void
dmt_walked_put(struct dmt_walked *walk, struct dmt_repair_record *record)
{
	tell_back(walk, record);
	see(walk, record);
	dmt_lane_clock_set(&record->lane->cpu, &record->cpu);
	dmt_lane_clock_set(&record->lane->wall, &record->wall);
	if (!record->changed || walk->out == NULL) {
		put_bytes(walk, record->in);
		return;
	}
	uint8_t *const bytes =
	    dmt_sink_reserve(walk->out, walk->layout->record_size);
	if (bytes == NULL)
		return;
	memcpy(bytes, record->in, walk->layout->record_size);
	fill(walk->layout, bytes, &record->event, record->cpu.us,
	    record->wall.us);
	dmt_sink_advance(walk->out, walk->layout->record_size);
	walk->out_count++;
}
