/* hooks.c - what the compiler has each function call at its two ends */

#include "instrument/frames.h"
#include "instrument/hooks.h"
#include "instrument/shim.h"
#include "instrument/thread.h"

/* Off, or not yet begun: the first event of a process begins its trace. */
static DMT_COLD struct dmt_lane *
begin_first(void)
{
	return dmt_shim_start() ? dmt_lane_begin(DMT_SHIM_RECORDER) : NULL;
}

/* NULL: there is no event, but for one that is lost, which is counted. */
static struct dmt_lane *
begin(const void *function)
{
	struct dmt_lane *lane = dmt_lane_begin(DMT_SHIM_RECORDER);

	if (lane == NULL && dmt_recorder_is_off(DMT_SHIM_RECORDER))
		lane = begin_first();
	if (lane == NULL)
		dmt_lane_lose(DMT_SHIM_RECORDER, (uintptr_t)function);
	return lane;
}

/* false: there is no event, but for one that is lost. */
static bool
read_clock(struct dmt_lane *lane, const void *function,
    struct dmt_times *times)
{
	if (dmt_lane_now(DMT_SHIM_RECORDER, lane, times))
		return true;
	dmt_lane_lose(DMT_SHIM_RECORDER, (uintptr_t)function);
	return false;
}

/* The id of a function that is wanted; 0: there is no event. */
static uint32_t
find(struct dmt_lane *lane, const void *function)
{
	const uint32_t id = dmt_known_find_key(&DMT_SHIM_RECORDER->methods,
	    (uintptr_t)function);

	if (id == 0)
		lane->dropped++;
	return id == DMT_METHOD_UNWANTED ? 0 : id;
}

/* Frames below it on the stack have gone. */
DMT_INLINE bool
is_above(const struct dmt_lane *lane, uintptr_t place)
{
	return lane->depth > 0 &&
	    lane->frames[lane->depth - 1].place < place;
}

/* All that an enter may be. */
DMT_APART static void
enter_any(const void *function, uintptr_t place)
{
	struct dmt_lane *lane = begin(function);
	struct dmt_times times;

	if (lane == NULL)
		return;
	const struct dmt_frame frame = {
		.place = place,
		.method = find(lane, function),
		.tag = dmt_shim_exceptions()
	};
	if (frame.method != 0) {
		if (!read_clock(lane, function, &times))
			return;
		if (is_above(lane, place))
			dmt_frames_unroll(lane, place, &times);
		dmt_lane_enter(DMT_SHIM_RECORDER, lane, &frame, &times);
	}
	dmt_lane_release(lane);
}

/*
 * What nearly every event is: on ticks, of a function that is known, with room
 * for it, and in C++ programs not the thread's first. It calls nothing, so that
 * no register has to be saved, and no time is put together from halves, for
 * which the processor would wait. false: nothing was done.
 */
DMT_INLINE bool
is_apt(const struct dmt_lane *lane, const volatile unsigned *uncaught)
{
	return lane->at != lane->end && uncaught != NULL &&
	    dmt_lane_source(lane) == DMT_TIME_TICKS;
}

DMT_INLINE bool
take_enter(struct dmt_lane *lane, const void *function, uintptr_t place)
{
	const volatile unsigned *const uncaught = dmt_shim_uncaught;
	const uint32_t method = dmt_known_look(&DMT_SHIM_RECORDER->methods,
	    (uintptr_t)function);
	uint32_t wall_us;

	if (DMT_UNLIKELY(method <= DMT_METHOD_UNWANTED))
		return method == DMT_METHOD_UNWANTED;
	if (DMT_UNLIKELY(!is_apt(lane, uncaught) ||
	    lane->depth >= lane->max_depth) ||
	    DMT_UNLIKELY(is_above(lane, place)) ||
	    DMT_UNLIKELY(!dmt_lane_read_wall(lane, &wall_us)))
		return false;
	dmt_lane_append_wall(lane, method | DMTRACE_ENTER, wall_us);
	const struct dmt_frame frame = {
		.place = place,
		.method = method,
		.tag = *uncaught
	};
	dmt_lane_push(lane, &frame);
	return true;
}

void
__cyg_profile_func_enter(void *function, void *site)
{
	struct dmt_lane *lane = dmt_lane_near(DMT_SHIM_RECORDER);
	const uintptr_t place = DMT_FRAMES_PLACE();
	bool done = false;

	(void)site;
	if (lane != NULL) {
		done = dmt_lane_enters(DMT_SHIM_RECORDER, lane) &&
		    take_enter(lane, function, place);
		dmt_lane_release(lane);
	}
	if (DMT_UNLIKELY(!done))
		enter_any(function, place);
}

/* The innermost frame, and the one that called it has its place still. */
DMT_INLINE bool
is_innermost(const struct dmt_lane *lane, uint32_t method, uintptr_t place)
{
	return lane->depth > 0 && lane->beyond == 0 &&
	    lane->frames[lane->depth - 1].method == method &&
	    (lane->depth == 1 || lane->frames[lane->depth - 2].place >= place);
}

/* A frame that an exception has ended exits while more are in flight than
 * when it was entered. */
DMT_INLINE bool
is_thrown(const struct dmt_lane *lane, uint32_t exceptions)
{
	return exceptions > lane->frames[lane->depth - 1].tag;
}

/* Of functions that were too deep to be recorded, as many exit as entered,
 * unless they were jumped over. */
static void
leave_odd(struct dmt_lane *lane, uint32_t method, uintptr_t place, bool tail,
    const struct dmt_times *times)
{
	if (lane->beyond > 0 && lane->depth > 0 &&
	    lane->frames[lane->depth - 1].place >= place) {
		lane->beyond--;
		lane->dropped++;
		return;
	}
	lane->beyond = 0;
	dmt_frames_leave(lane, method, place, tail, times);
}

/* All that an exit may be. tail: the hook was jumped to. */
DMT_APART static void
exit_any(const void *function, uintptr_t place, bool tail)
{
	struct dmt_lane *lane = begin(function);
	struct dmt_times times;

	if (lane == NULL)
		return;
	const uint32_t method = find(lane, function);
	if (method != 0) {
		if (!read_clock(lane, function, &times))
			return;
		if (is_innermost(lane, method, place))
			dmt_lane_pop(DMT_SHIM_RECORDER, lane, is_thrown(lane,
			    dmt_shim_exceptions()) ?
			    DMTRACE_UNROLL : DMTRACE_EXIT, &times);
		else
			leave_odd(lane, method, place, tail, &times);
	}
	dmt_lane_release(lane);
}

DMT_INLINE bool
take_exit(struct dmt_lane *lane, const void *function, uintptr_t place)
{
	const volatile unsigned *const uncaught = dmt_shim_uncaught;
	const uint32_t method = dmt_known_look(&DMT_SHIM_RECORDER->methods,
	    (uintptr_t)function);
	uint32_t wall_us;

	if (DMT_UNLIKELY(method <= DMT_METHOD_UNWANTED))
		return method == DMT_METHOD_UNWANTED;
	if (DMT_UNLIKELY(!is_apt(lane, uncaught) ||
	    !is_innermost(lane, method, place)) ||
	    DMT_UNLIKELY(is_thrown(lane, *uncaught)) ||
	    DMT_UNLIKELY(!dmt_lane_read_wall(lane, &wall_us)))
		return false;
	lane->depth--;
	dmt_lane_append_wall(lane, method | DMTRACE_EXIT, wall_us);
	return true;
}

void
__cyg_profile_func_exit(void *function, void *site)
{
	struct dmt_lane *lane = dmt_lane_near(DMT_SHIM_RECORDER);
	const uintptr_t place = DMT_FRAMES_PLACE();
	bool done = false;

	if (lane != NULL) {
		done = dmt_lane_enters(DMT_SHIM_RECORDER, lane) &&
		    take_exit(lane, function, place);
		dmt_lane_release(lane);
	}
	if (DMT_UNLIKELY(!done))
		exit_any(function, place,
		    __builtin_return_address(0) == site);
}
