/* scan.c - a window over records whose calls nest, in less time */

#include "events/scan.h"

#include <stdlib.h>

#include "base/array.h"

#define NO_METHOD UINT64_MAX	/* below the outermost frame; no id is odd */
#define DEPTH_MAX 1048576	/* a selector says what is wrong beyond */

bool
dmt_scan_fits(const struct dmtrace_selection *selection)
{
	return selection->windowed && !selection->raw &&
	    selection->count == selection->kinds[DMTRACE_SELECT_THREAD] &&
	    selection->first_depth == 0 && selection->min_ns == 0;
}

/* In whole microseconds, as records have them. */
static uint64_t
edge_us(uint64_t edge_ns)
{
	return edge_ns / 1000 + (edge_ns % 1000 != 0);
}

bool
dmt_scan_init(struct dmt_scan *scan,
    const struct dmtrace_selection *selection,
    const struct dmtrace_layout *layout)
{
	*scan = (struct dmt_scan){
		.selection = selection,
		.layout = layout,
		.lanes = dmt_array_new(selection->numbers,
		    sizeof(*scan->lanes)),
		.edges_us = { edge_us(selection->from_ns),
		    edge_us(selection->to_ns), UINT64_MAX }
	};
	return scan->lanes != NULL;
}

static void
free_lanes(struct dmt_scan *scan)
{
	for (size_t i = 0; scan->lanes != NULL &&
	    i < scan->selection->numbers; i++)
		free(scan->lanes[i].frames);
	free(scan->lanes);
}

void
dmt_scan_fini(struct dmt_scan *scan)
{
	free_lanes(scan);
	dmt_cuts_fini(&scan->opened);
	dmt_cuts_fini(&scan->closed);
}

static const struct dmt_clock *
get_clock(const struct dmt_scan *scan, const struct dmt_scan_lane *lane)
{
	return scan->layout->wall.width != 0 ? &lane->clocks.wall :
	    &lane->clocks.cpu;
}

/* Notes the frames that are open. */
static void
note(struct dmt_scan *scan, const struct dmt_scan_lane *lane,
    enum dmtrace_action action)
{
	const uint32_t thread = (uint32_t)(lane - scan->lanes);
	const uint64_t cpu_ns = scan->layout->cpu.width == 0 ?
	    DMTRACE_NO_TIME : dmt_clock_us(&lane->clocks.cpu) * 1000;
	struct dmt_cut cut = {
		.event = dmt_cut_event(scan->selection, thread, action,
		    cpu_ns)
	};

	for (uint32_t i = 1; i <= lane->depth; i++) {
		cut.event.method = lane->frames[i];
		cut.call = i;
		scan->failed |= !dmt_cuts_push(action == DMTRACE_ENTER ?
		    &scan->opened : &scan->closed, &cut);
	}
}

/* The thread's time has come to time_us. In the second pass no frame is
 * open. */
static void
pass_edges(struct dmt_scan *scan, struct dmt_scan_lane *lane,
    uint64_t time_us)
{
	const bool meant = dmt_selection_has_thread(scan->selection,
	    (uint32_t)(lane - scan->lanes));

	for (; lane->phase < 2 && time_us >= scan->edges_us[lane->phase];
	    lane->phase++)
		if (meant)
			note(scan, lane, lane->phase == 0 ? DMTRACE_ENTER :
			    DMTRACE_EXIT);
	lane->inside = meant && lane->phase == 1;
}

/* For struct dmt_watch. */
static void
note_odd(void *context, unsigned oddities, size_t index)
{
	struct dmt_scan *const scan = context;

	(void)index;
	scan->unsteady |= (oddities & ~(unsigned)DMT_ODD_RESERVED) != 0;
}

/* The loop leaves it to the clock as long as that does not go back. */
static void
take_latest(const struct dmt_scan *scan, struct dmt_scan_lane *lane)
{
	const uint64_t time_us = dmt_clock_us(get_clock(scan, lane));

	if (time_us > lane->latest_us)
		lane->latest_us = time_us;
}

/* The time of the record at in, which may be back, or the next turn. */
static void
take_time(struct dmt_scan *scan, struct dmt_scan_lane *lane,
    const uint8_t *in)
{
	const struct dmt_watch watch = { note_odd, scan };
	struct dmt_clocks next = lane->clocks;

	take_latest(scan, lane);
	dmt_clocks_take(&next, scan->layout, in, 0, &watch);
	const struct dmt_clocks last = lane->clocks;
	lane->clocks = next;
	const struct dmt_clock clock = *get_clock(scan, lane);
	lane->clocks = last;
	pass_edges(scan, lane, dmt_clock_us(&clock) > lane->latest_us ?
	    dmt_clock_us(&clock) : lane->latest_us);
	lane->clocks = next;
	lane->came = true;
	const uint64_t turn = (uint64_t)clock.wraps << 32;
	const uint64_t edge = scan->edges_us[lane->phase];
	lane->edge = edge > turn ? edge - turn : 0;
}

static void
push(struct dmt_scan *scan, struct dmt_scan_lane *lane, uint64_t id)
{
	if (lane->depth >= DEPTH_MAX) {
		scan->odd = true;
		return;
	}
	if (lane->depth == lane->capacity) {
		size_t capacity = lane->capacity;
		uint64_t *const frames = dmt_array_grow(lane->frames,
		    &capacity, lane->depth + (size_t)2, sizeof(*frames));
		if (frames == NULL) {
			scan->failed = true;
			return;
		}
		frames[0] = NO_METHOD;
		lane->frames = frames;
		lane->capacity = (uint32_t)(capacity - 1);
	}
	lane->frames[++lane->depth] = id;
}

/* A record that the loop does not do. */
static DMT_COLD void
take_slowly(struct dmt_scan *scan, struct dmt_scan_lane *lane,
    const uint8_t *in)
{
	const uint64_t id =
	    dmt_field_get(scan->layout->method, in) & ~UINT64_C(3);
	const enum dmtrace_action action = dmt_action_get(scan->layout, in);

	take_time(scan, lane, in);
	if (action == DMTRACE_ENTER)
		push(scan, lane, id);
	else if (action != DMTRACE_RESERVED && lane->depth > 0) {
		scan->odd |= lane->frames[lane->depth] != id;
		lane->depth--;
	}
}

struct run {
	struct dmt_scan *scan;
	const uint8_t *in;
	size_t count;
	uint8_t *keep;
};

/* Where the clock stands still or goes on, up to an edge. */
DMT_INLINE bool
take_clocks(struct dmt_scan_lane *lane, const struct dmtrace_layout *layout,
    const uint8_t *in)
{
	const uint32_t cpu_us = (uint32_t)dmt_field_get(layout->cpu, in);
	const uint32_t wall_us = (uint32_t)dmt_field_get(layout->wall, in);
	const uint32_t time_us = layout->wall.width != 0 ? wall_us : cpu_us;
	const bool odd = (cpu_us < lane->clocks.cpu.low_us) |
	    (wall_us < lane->clocks.wall.low_us) | (time_us >= lane->edge);

	if (odd)
		return false;
	lane->clocks.cpu.low_us = cpu_us;
	lane->clocks.wall.low_us = wall_us;
	return true;
}

/* Whether a record leaves another frame than the innermost, or does neither:
 * by masks, since enter or leave cannot be guessed. */
DMT_INLINE bool
is_odd(uint64_t innermost, uint64_t word)
{
	const uint64_t leaves = 0 - (uint64_t)((word & 3) != 0);
	const uint64_t reserved = word & word >> 1 & 1;

	return (((innermost ^ (word & ~UINT64_C(3))) & leaves) | reserved) !=
	    0;
}

/* A frame is always stored, above the innermost one if none is entered. */
DMT_INLINE size_t
learn_run(const void *context, const struct dmtrace_layout *layout)
{
	const struct run *const run = context;
	const uint8_t *in = run->in;
	size_t i;

	for (i = 0; i < run->count; i++, in += layout->record_size) {
		struct dmt_scan_lane *const lane =
		    &run->scan->lanes[dmt_field_get(layout->thread, in)];
		const uint64_t word = dmt_field_get(layout->method, in);
		const uint32_t leaves = (word & 3) != 0;
		const uint32_t depth = lane->depth;

		if (depth >= lane->capacity ||
		    is_odd(lane->frames[depth], word) ||
		    !take_clocks(lane, layout, in)) {
			take_slowly(run->scan, lane, in);
		} else {
			lane->frames[depth + 1] = word;
			lane->depth = depth + 1 - 2 * leaves;
		}
		run->keep[i] = lane->inside;
	}
	return i;
}

DMT_INLINE size_t
select_run(const void *context, const struct dmtrace_layout *layout)
{
	const struct run *const run = context;
	const uint8_t *in = run->in;
	size_t i;

	for (i = 0; i < run->count; i++, in += layout->record_size) {
		struct dmt_scan_lane *const lane =
		    &run->scan->lanes[dmt_field_get(layout->thread, in)];

		if (!take_clocks(lane, layout, in))
			take_time(run->scan, lane, in);
		run->keep[i] = lane->inside;
	}
	return i;
}

void
dmt_scan_learn(struct dmt_scan *scan, const uint8_t *in, size_t count,
    uint8_t *keep)
{
	const struct run run = { scan, in, count, keep };

	dmt_loop(learn_run, &run, scan->layout);
}

void
dmt_scan_select(struct dmt_scan *scan, const uint8_t *in, size_t count,
    uint8_t *keep)
{
	const struct run run = { scan, in, count, keep };

	dmt_loop(select_run, &run, scan->layout);
}

/* Where one clock is that of all threads, it has passed an edge for a thread
 * that no record tells so. */
void
dmt_scan_learned(struct dmt_scan *scan)
{
	const size_t numbers = scan->selection->numbers;
	uint64_t reach_us = 0;

	for (size_t i = 0; i < numbers; i++) {
		if (!scan->lanes[i].came)
			continue;
		take_latest(scan, &scan->lanes[i]);
		if (scan->lanes[i].latest_us > reach_us)
			reach_us = scan->lanes[i].latest_us;
	}
	for (size_t i = 0; i < numbers && scan->selection->comparable; i++)
		if (scan->lanes[i].came)
			pass_edges(scan, &scan->lanes[i], reach_us);
	scan->failed |=
	    !dmt_cuts_finish(&scan->opened, DMTRACE_ENTER, NULL) ||
	    !dmt_cuts_finish(&scan->closed, DMTRACE_EXIT, NULL);
	free_lanes(scan);
	scan->lanes = dmt_array_new(numbers, sizeof(*scan->lanes));
	scan->failed |= scan->lanes == NULL;
}
