/* repair_events.c - records that make sense, in place of those that do not */

#include "ops/repair_walk.h"

#include <inttypes.h>

#include "base/array.h"
#include "base/error.h"
#include "data/record.h"

#define OPENED_MAX 1048576	/* frames of a thread before its records */

/* An exit without an enter: the frame was open at the beginning. */
static void
put_before(struct dmt_walked *walk, struct dmt_repair_record *record)
{
	struct dmt_repair_lane *const lane = record->lane;

	if (dmt_repair_keeps_edges(walk->repair)) {
		dmt_walked_put(walk, record);
		return;
	}
	if (lane->opened_count == OPENED_MAX) {
		dmt_walked_tell(walk, DMT_EXIT_STRAY, record);
		return;
	}
	uint64_t *const opened = dmt_array_grow(lane->opened,
	    &lane->opened_room, lane->opened_count + 1, sizeof(*opened));
	if (opened == NULL) {
		dmt_error_memory(&walk->error);
		return;
	}
	lane->opened = opened;
	opened[lane->opened_count++] = record->event.method;
	dmt_walked_tell(walk, DMT_EXIT_BEFORE, record);
	dmt_walked_put(walk, record);
}

/* Exits of the frames that the record's own leaves out, inside out. */
static void
put_dropped(struct dmt_walked *walk, struct dmt_repair_record *record,
    const struct dmtrace_step *step)
{
	struct dmtrace_event event = record->event;

	for (uint32_t i = step->dropped; i > 0; i--) {
		event.method = dmtrace_stacks_method(walk->stacks,
		    event.thread, step->depth + i);
		dmt_walked_put_new(walk, &event, record->cpu.us,
		    record->wall.us);
	}
	dmt_change_add(&walk->changes, DMT_EXIT_MISMATCH, step->dropped,
	    DMTRACE_PLACE_OFFSET, walk->at, "thread %" PRIu32
	    ", method 0x%" PRIx64, event.thread, event.method);
	dmt_walked_put(walk, record);
}

static void
step(struct dmt_walked *walk, struct dmt_repair_record *record)
{
	struct dmtrace_step made;
	const enum dmtrace_status status = dmtrace_stacks_step(walk->stacks,
	    &record->event, &made);

	if (status == DMTRACE_ERR_LIMIT)
		dmt_error_at(&walk->error, status, DMTRACE_PLACE_OFFSET,
		    walk->at, "thread %" PRIu32 " has more than 1,048,576"
		    " frames open", record->event.thread);
	else if (status != DMTRACE_OK)
		dmt_error_memory(&walk->error);
	else if (made.kind == DMTRACE_STEP_BEFORE)
		put_before(walk, record);
	else if (made.kind == DMTRACE_STEP_UNWOUND)
		put_dropped(walk, record, &made);
	else if (made.kind == DMTRACE_STEP_STRAY)
		dmt_walked_tell(walk, DMT_EXIT_STRAY, record);
	else
		dmt_walked_put(walk, record);
}

/* One bit away from an exit: it is one where its method would be left. */
static bool
mend_action(struct dmt_walked *walk, struct dmt_repair_record *record)
{
	struct dmtrace_event *const event = &record->event;
	const uint32_t depth =
	    dmtrace_stacks_depth(walk->stacks, event->thread);

	if (event->action != DMTRACE_RESERVED)
		return true;
	if (depth == 0 || dmtrace_stacks_method(walk->stacks, event->thread,
	    depth) != event->method) {
		dmt_walked_tell(walk, DMT_RECORD_RESERVED_DROPPED, record);
		return false;
	}
	event->action = DMTRACE_EXIT;
	record->changed = true;
	dmt_walked_tell(walk, DMT_RECORD_RESERVED, record);
	return true;
}

static bool
mend_time(struct dmt_walked *walk, struct dmt_repair_record *record)
{
	const struct dmtrace_layout *const layout = walk->layout;
	const enum dmtrace_repair_time strategy = walk->repair->options->time;

	if (layout->cpu.width != 0)
		record->cpu = dmt_lane_clock_next(&record->lane->cpu,
		    (uint32_t)dmt_field_get(layout->cpu, record->in),
		    strategy);
	if (layout->wall.width != 0)
		record->wall = dmt_lane_clock_next(&record->lane->wall,
		    (uint32_t)dmt_field_get(layout->wall, record->in),
		    strategy);
	if (strategy != DMTRACE_REPAIR_DROP ||
	    !(record->cpu.back || record->wall.back))
		return true;
	dmt_walked_tell(walk, DMT_TIME_BACK_DROPPED, record);
	return false;
}

/* A block that never reached the disk reads as zeros. */
static bool
is_blank(const struct dmt_walked *walk, const struct dmt_repair_record *record)
{
	const size_t size = walk->layout->record_size;
	size_t i = 0;

	if (!walk->repair->has_blanks || record->event.thread != 0 ||
	    record->event.method != 0)
		return false;
	while (i < size && record->in[i] == 0)
		i++;
	return i == size;
}

/* The lane of a thread that may be new. NULL: no memory. */
static struct dmt_repair_lane *
meet(struct dmt_walked *walk, uint32_t thread)
{
	struct dmt_repair_lane **const page =
	    &walk->pages[thread / DMT_LANE_PAGE];

	if (*page == NULL)
		*page = dmt_array_new(DMT_LANE_PAGE, sizeof(**page));
	if (*page == NULL)
		dmt_error_memory(&walk->error);
	return dmt_walked_lane(walk, thread);
}

void
dmt_walked_take(struct dmt_walked *walk, const uint8_t *in)
{
	const struct dmtrace_layout *const layout = walk->layout;
	struct dmt_repair_record record = { .in = in };

	record.event.thread = (uint32_t)dmt_field_get(layout->thread, in);
	record.event.method =
	    dmt_field_get(layout->method, in) & ~UINT64_C(3);
	record.event.action = dmt_action_get(layout, in);
	record.lane = meet(walk, record.event.thread);
	if (record.lane == NULL)
		return;
	if (is_blank(walk, &record))
		dmt_walked_tell(walk, DMT_RECORD_BLANK, &record);
	else if (mend_time(walk, &record) && mend_action(walk, &record))
		step(walk, &record);
}
