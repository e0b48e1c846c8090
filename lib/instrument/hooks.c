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

DMT_INLINE struct dmt_lane *
begin(void)
{
	struct dmt_lane *lane = dmt_lane_begin(DMT_SHIM_RECORDER);

	return DMT_UNLIKELY(lane == NULL) ? begin_first() : lane;
}

/* The id of a function that is wanted; 0: there is no event. */
DMT_INLINE uint32_t
find(struct dmt_lane *lane, const void *function)
{
	const uint32_t id = dmt_known_find_key(&DMT_SHIM_RECORDER->methods,
	    (uintptr_t)function);

	if (DMT_UNLIKELY(id == 0))
		lane->dropped++;
	return id == DMT_METHOD_UNWANTED ? 0 : id;
}

DMT_INLINE void
enter(struct dmt_lane *lane, const struct dmt_frame *frame,
    const struct dmt_times *times)
{
	if (lane->depth > 0 &&
	    DMT_UNLIKELY(lane->frames[lane->depth - 1].place < frame->place))
		dmt_frames_unroll(lane, frame->place, times);
	dmt_frames_push(lane, frame, times);
}

void
__cyg_profile_func_enter(void *function, void *site)
{
	struct dmt_lane *lane = begin();
	struct dmt_times times;

	(void)site;
	if (DMT_UNLIKELY(lane == NULL))
		return;
	const struct dmt_frame frame = {
		.place = DMT_FRAMES_PLACE(),
		.method = find(lane, function),
		.tag = dmt_shim_exceptions()
	};
	if (DMT_UNLIKELY(frame.method == 0))
		;
	else if (dmt_lane_now(DMT_SHIM_RECORDER, lane, &times))
		enter(lane, &frame, &times);
	else
		return;
	dmt_lane_release(lane);
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
DMT_INLINE void
leave(struct dmt_lane *lane, const struct dmt_times *times)
{
	const bool thrown = dmt_shim_exceptions() >
	    lane->frames[lane->depth - 1].tag;

	dmt_frames_pop(lane, thrown ? DMTRACE_UNROLL : DMTRACE_EXIT, times);
}

/* Of functions that were too deep to be recorded, as many exit as entered,
 * unless they were jumped over. */
static DMT_COLD void
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

void
__cyg_profile_func_exit(void *function, void *site)
{
	struct dmt_lane *lane = begin();
	const uintptr_t place = DMT_FRAMES_PLACE();
	struct dmt_times times;

	if (DMT_UNLIKELY(lane == NULL))
		return;
	const uint32_t method = find(lane, function);
	if (DMT_UNLIKELY(method == 0))
		;
	else if (!dmt_lane_now(DMT_SHIM_RECORDER, lane, &times))
		return;
	else if (is_innermost(lane, method, place))
		leave(lane, &times);
	else
		leave_odd(lane, method, place,
		    __builtin_return_address(0) == site, &times);
	dmt_lane_release(lane);
}
