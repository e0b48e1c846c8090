/* add.c - the loops that take events and records */

#include <stdlib.h>

#include "base/error.h"
#include "profile/again.h"
#include "profile/lane.h"
#include "trace/reader.h"

#define BATCH 256		/* events */
#define WRAPS_MAX (1u << 21)	/* of a clock: 285 years; below 2^63 ns */

/* The index of a method's id, which may be new; 0: no memory. */
DMT_INLINE uint32_t
find_method(struct dmtrace_profile *profile, struct dmt_profile_lane *lane,
    uint64_t id, unsigned keep)
{
	uint32_t method = dmt_ids_find(&profile->ids, id);

	if (method != 0)
		return method;
	dmt_lane_store(lane, keep);
	method = dmt_methods_add_unlisted(profile, id);
	*lane = dmt_lane_load(lane->thread, keep);
	return method;
}

/* Takes an event, after the calls that it ends besides its own have ended; an
 * exit of a method that is not open ends none. */
static bool
take_event(struct dmtrace_profile *profile, struct dmt_profile_lane *lane,
    uint32_t method, const struct dmtrace_event *event,
    const uint64_t now[DMT_CLOCKS])
{
	const unsigned keep = profile->keep | DMT_KEEP_CLOCKS;
	uint64_t took[DMT_CLOCKS] = { 0, 0 };
	struct dmtrace_step step;

	if (!dmt_profile_step(profile, event, &step))
		return false;
	if (step.kind == DMTRACE_STEP_STRAY || step.dropped > 0)
		dmt_lane_charge(lane, keep, now, took);
	if (step.kind == DMTRACE_STEP_STRAY)
		return true;
	dmt_lane_store(lane, keep);
	for (uint32_t i = 0; i < step.dropped; i++)
		if (!dmt_thread_pop(profile, lane->thread))
			return false;
	*lane = dmt_lane_load(lane->thread, keep);
	return dmt_lane_take(lane, profile, method, event->action, now, keep);
}

static bool
add_one(struct dmtrace_profile *profile, const struct dmtrace_event *event)
{
	const unsigned keep = profile->keep | DMT_KEEP_CLOCKS;
	uint64_t now[DMT_CLOCKS];

	dmt_event_times(event, now);
	struct dmt_thread *thread =
	    dmt_thread_find_near(profile, event->thread);
	if (thread == NULL && (thread =
	    dmt_thread_add(profile, event->thread, now)) == NULL)
		return false;
	if ((now[0] | now[1]) > INT64_MAX)
		return dmt_profile_too_long(profile);
	if (profile->call_overhead != 0)
		dmt_thread_compensate(profile, thread, now);
	struct dmt_profile_lane lane = dmt_lane_load(thread, keep);
	const uint32_t method = find_method(profile, &lane, event->method,
	    keep);
	if (method == 0)
		return false;
	thread->records++;
	const bool taken = take_event(profile, &lane, method, event, now);
	dmt_lane_store(&lane, keep);
	return taken;
}

/* A time that not all events have is no clock of the profile. */
static void
note_clocks(struct dmtrace_profile *profile,
    const struct dmtrace_event *event)
{
	if (event->cpu_ns == DMTRACE_NO_TIME)
		profile->summary.has_clock[DMTRACE_PROFILE_CPU] = 0;
	if (event->wall_ns == DMTRACE_NO_TIME)
		profile->summary.has_clock[DMTRACE_PROFILE_WALL] = 0;
}

enum dmtrace_status
dmtrace_profile_add(struct dmtrace_profile *profile,
    const struct dmtrace_event *events, size_t count)
{
	if (profile->error.status != DMTRACE_OK)
		return profile->error.status;
	if (!profile->under_way)
		return DMTRACE_ERR_STATE;
	if (profile->is_again)
		return dmt_again_add(profile, events, count);
	if (count > 0)
		note_clocks(profile, events);
	for (size_t i = 0; i < count; i++)
		if (!add_one(profile, &events[i]))
			return profile->error.status;
	return DMTRACE_OK;
}

#define BLOCK 512		/* records; their methods are looked up first */

struct run {
	struct dmtrace_profile *profile;
	struct dmt_clocks *clocks;
	const struct dmt_watch *watch;
	const uint8_t *in;
	size_t count;
};

/* What the methods of some records are known as; 0: not yet. No search waits
 * for the one before. */
DMT_INLINE void
find_methods(const struct dmt_ids *ids, const struct dmtrace_layout *layout,
    const uint8_t *in, size_t count, uint32_t *methods)
{
	for (size_t i = 0; i < count; i++, in += layout->record_size)
		methods[i] = dmt_ids_find(ids,
		    dmt_field_get(layout->method, in) & ~(uint64_t)3);
}

DMT_INLINE bool
take_record(const struct run *run, struct dmt_profile_lane *lane,
    const struct dmtrace_layout *layout, struct dmt_clocks *clocks,
    const uint8_t *in, size_t i, uint32_t method, unsigned keep)
{
	uint64_t now[DMT_CLOCKS];

	if (method == 0 && (method = find_method(run->profile, lane,
	    dmt_field_get(layout->method, in) & ~(uint64_t)3, keep)) == 0)
		return false;
	dmt_clocks_take(clocks, layout, in, i, run->watch);
	now[0] = dmt_clock_us(&clocks->cpu) * 1000;
	now[1] = dmt_clock_us(&clocks->wall) * 1000;
	if (keep & DMTRACE_PROFILE_COMPENSATE) {
		dmt_lane_store(lane, keep);
		dmt_thread_compensate(run->profile, lane->thread, now);
	}
	return dmt_lane_take(lane, run->profile, method,
	    dmt_action_get(layout, in), now, keep);
}

DMT_COLD static struct dmt_thread *
add_thread(struct dmtrace_profile *profile,
    const struct dmtrace_layout *layout, const uint8_t *in,
    const struct dmt_clocks *clocks)
{
	const uint64_t now[DMT_CLOCKS] = {
		(clocks->cpu.wraps * (UINT64_C(1) << 32) +
		dmt_field_get(layout->cpu, in)) * 1000,
		(clocks->wall.wraps * (UINT64_C(1) << 32) +
		dmt_field_get(layout->wall, in)) * 1000
	};

	return dmt_thread_add(profile,
	    (uint32_t)dmt_field_get(layout->thread, in), now);
}

/* Records of one thread in a row, up to end. Returns how many it took, or
 * SIZE_MAX. */
DMT_INLINE size_t
take_lane(const struct run *run, const struct dmtrace_layout *layout,
    const uint32_t *methods, size_t begin, size_t end, unsigned keep)
{
	const uint8_t *in = run->in + begin * layout->record_size;
	const uint64_t number = dmt_field_get(layout->thread, in);
	struct dmt_clocks *clocks = &run->clocks[number];
	struct dmt_thread *thread =
	    dmt_thread_find_near(run->profile, (uint32_t)number);
	size_t i = begin;

	if (thread == NULL && (thread = add_thread(run->profile, layout, in,
	    clocks)) == NULL)
		return SIZE_MAX;
	struct dmt_profile_lane lane = dmt_lane_load(thread, keep);
	do {
		if (!take_record(run, &lane, layout, clocks, in, i,
		    methods[i - begin], keep))
			return SIZE_MAX;
		in += layout->record_size;
		i++;
	} while (i < end && dmt_field_get(layout->thread, in) == number);
	dmt_lane_store(&lane, keep);
	thread->records += i - begin;
	if ((clocks->cpu.wraps | clocks->wall.wraps) >= WRAPS_MAX &&
	    !dmt_profile_too_long(run->profile))
		return SIZE_MAX;
	return i - begin;
}

/* One pass for each set of things to keep that is worth it. */
DMT_INLINE size_t
take_run(const void *context, const struct dmtrace_layout *layout,
    unsigned things)
{
	const struct run *run = context;
	const unsigned keep = things |
	    (layout->cpu.width != 0 ? DMT_KEEP_CPU : 0) |
	    (layout->wall.width != 0 ? DMT_KEEP_WALL : 0);
	uint32_t methods[BLOCK];

	for (size_t begin = 0, end; begin < run->count; begin = end) {
		end = begin + BLOCK < run->count ? begin + BLOCK : run->count;
		find_methods(&run->profile->ids, layout,
		    run->in + begin * layout->record_size, end - begin,
		    methods);
		for (size_t i = begin; i < end; ) {
			const size_t taken = take_lane(run, layout,
			    methods + (i - begin), i, end, keep);

			if (taken == SIZE_MAX)
				return 0;
			i += taken;
		}
	}
	return run->count;
}

DMT_INLINE size_t
take_plain(const void *context, const struct dmtrace_layout *layout)
{
	return take_run(context, layout, 0);
}

DMT_INLINE size_t
take_edges(const void *context, const struct dmtrace_layout *layout)
{
	return take_run(context, layout, DMTRACE_PROFILE_EDGES);
}

DMT_INLINE size_t
take_all(const void *context, const struct dmtrace_layout *layout)
{
	const struct run *run = context;

	return take_run(context, layout, run->profile->keep);
}

/* If it does not take all of them, the profile has the error. */
static void
take(const struct run *run, const struct dmtrace_layout *layout)
{
	const unsigned keep = run->profile->keep &
	    (DMTRACE_PROFILE_TREE | DMTRACE_PROFILE_CALLS |
	    DMTRACE_PROFILE_COMPENSATE | DMTRACE_PROFILE_EDGES);

	if (keep == 0)
		dmt_loop(take_plain, run, layout);
	else if (keep == DMTRACE_PROFILE_EDGES)
		dmt_loop(take_edges, run, layout);
	else
		dmt_loop(take_all, run, layout);
}

/* Records as events. */
static enum dmtrace_status
read_events(struct dmtrace_profile *profile, struct dmtrace_reader *reader,
    size_t *count)
{
	struct dmtrace_event events[BATCH];
	const enum dmtrace_status status = dmtrace_reader_read(reader, events,
	    BATCH, count);

	return status != DMTRACE_OK ? status :
	    dmtrace_profile_add(profile, events, *count);
}

enum dmtrace_status
dmtrace_profile_read(struct dmtrace_profile *profile,
    struct dmtrace_reader *reader, size_t *count)
{
	const struct dmt_watch watch = dmt_reader_watch(reader);
	struct run run = {
		.profile = profile, .clocks = reader->clocks, .watch = &watch
	};

	*count = 0;
	if (profile->error.status != DMTRACE_OK)
		return profile->error.status;
	if (!profile->under_way || dmtrace_reader_layout(reader) == NULL)
		return DMTRACE_ERR_STATE;
	if (profile->is_again)
		return dmt_again_read(profile, reader, count);
	if (profile->stacks != NULL)
		return read_events(profile, reader, count);
	run.count = dmt_reader_take(reader, SIZE_MAX);
	if (run.count == 0)
		return dmt_reader_end(reader);
	run.in = reader->records;
	take(&run, &reader->layout);
	*count = run.count;
	return profile->error.status;
}
