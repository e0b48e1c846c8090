/* frames.c - open frames, by where on the stack they are */

#include "instrument/frames.h"
#include "instrument/shim.h"

/* How far above its enter hook the outermost frame of a thread may reach; what
 * is higher is another stack, as signal handlers and coroutines have. */
#define OUTERMOST_MAX 16384

static uintptr_t
top_of_stack(const struct dmt_lane *lane)
{
	return lane->frames[0].place + OUTERMOST_MAX;
}

/* Whether a frame cannot be there with the stack pointer at place. */
static bool
has_gone(const struct dmt_lane *lane, const struct dmt_frame *frame,
    uintptr_t place)
{
	const uintptr_t top = top_of_stack(lane);

	if (place > top)
		return frame->place > top && frame->place < place;
	return frame->place < place || frame->place > top;
}

void
dmt_frames_unroll(struct dmt_lane *lane, uintptr_t place,
    const struct dmt_times *times)
{
	while (lane->depth > 0 &&
	    has_gone(lane, &lane->frames[lane->depth - 1], place) &&
	    dmt_lane_pop(DMT_SHIM_RECORDER, lane, DMTRACE_UNROLL, times))
		lane->beyond = 0;
}

/* The outermost frame that is not above place, of those on its stack. */
static uint32_t
first_not_above(const struct dmt_lane *lane, uintptr_t place)
{
	uint32_t first = lane->depth;

	while (first > 0 && lane->frames[first - 1].place <= place)
		first--;
	return first;
}

/* The innermost frame of the method among [from, to); to if there is none. */
static uint32_t
innermost(const struct dmt_lane *lane, uint32_t method, uint32_t from,
    uint32_t to)
{
	for (uint32_t i = to; i > from; i--)
		if (lane->frames[i - 1].method == method)
			return i - 1;
	return to;
}

/*
 * Behind a jump to the hook, the stack pointer has come back to the caller's:
 * the return address is the highest word that was the frame's. Frames that
 * were inlined into it share its place.
 */
static uint32_t
find_tail(const struct dmt_lane *lane, uint32_t method, uintptr_t place)
{
	const uint32_t first = first_not_above(lane,
	    place - sizeof(uintptr_t));
	uint32_t end = first;

	while (end < lane->depth &&
	    lane->frames[end].place == lane->frames[first].place)
		end++;
	const uint32_t found = innermost(lane, method, first, end);
	return found < end ? found : lane->depth;
}

static uint32_t
find(const struct dmt_lane *lane, uint32_t method, uintptr_t place, bool tail)
{
	const uint32_t depth = lane->depth;
	uint32_t found = depth;

	if (depth > 0 && tail && place <= top_of_stack(lane))
		found = find_tail(lane, method, place);
	return found < depth ? found : innermost(lane, method, 0, depth);
}

void
dmt_frames_leave(struct dmt_lane *lane, uint32_t method, uintptr_t place,
    bool tail, const struct dmt_times *times)
{
	if (!tail)
		dmt_frames_unroll(lane, place, times);
	const uint32_t found = find(lane, method, place, tail);
	if (found == lane->depth) {
		lane->mismatched++;
		lane->dropped++;
		return;
	}
	while (lane->depth > found + 1)
		if (!dmt_lane_pop(DMT_SHIM_RECORDER, lane, DMTRACE_UNROLL,
		    times))
			return;
	dmt_lane_pop(DMT_SHIM_RECORDER, lane, DMTRACE_EXIT, times);
}

void
dmt_frames_jump(uintptr_t place)
{
	struct dmt_lane *lane = dmt_lane_begin(DMT_SHIM_RECORDER);
	struct dmt_times times;

	if (lane == NULL || !dmt_lane_now(DMT_SHIM_RECORDER, lane, &times))
		return;
	dmt_frames_unroll(lane, place, &times);
	dmt_lane_release(lane);
}
