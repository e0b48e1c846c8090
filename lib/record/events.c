/* events.c - enter, exit, unroll: what every event runs through */

#include "record/lane.h"

/* A method id, of words or of a key, with its two low bits clear. */
static inline bool
is_method(uint32_t method)
{
	return (method & 3) == 0 && method != 0 &&
	    method < DMT_METHOD_KEYED * 2;
}

DMT_INLINE void
take(struct dmtrace_recorder *recorder, struct dmt_lane *lane, uint32_t word,
    const struct dmt_times *times)
{
	const struct dmt_frame frame = { .method = word };

	if ((word & 3) == DMTRACE_ENTER)
		dmt_lane_enter(recorder, lane, &frame, times);
	else
		dmt_lane_leave(recorder, lane, word, times);
}

/* action is constant where this is called. */
DMT_INLINE void
record(struct dmtrace_recorder *given, uint32_t method,
    enum dmtrace_action action)
{
	struct dmtrace_recorder *recorder = dmt_recorder_get(given);
	struct dmt_lane *lane = dmt_lane_begin(recorder);
	struct dmt_times times;

	if (lane == NULL)
		return;
	if (DMT_UNLIKELY(!is_method(method)))
		lane->dropped++;
	else if (dmt_lane_now(recorder, lane, &times))
		take(recorder, lane, method | action, &times);
	else
		return;
	dmt_lane_release(lane);
}

void
dmtrace_recorder_enter(struct dmtrace_recorder *recorder, uint32_t method)
{
	record(recorder, method, DMTRACE_ENTER);
}

void
dmtrace_recorder_exit(struct dmtrace_recorder *recorder, uint32_t method)
{
	record(recorder, method, DMTRACE_EXIT);
}

void
dmtrace_recorder_unroll(struct dmtrace_recorder *recorder, uint32_t method)
{
	record(recorder, method, DMTRACE_UNROLL);
}

DMT_INLINE void
record_key(struct dmtrace_recorder *given, uint64_t key,
    enum dmtrace_action action)
{
	struct dmtrace_recorder *recorder = dmt_recorder_get(given);
	struct dmt_lane *lane = dmt_lane_begin(recorder);
	struct dmt_times times;

	if (lane == NULL)
		return;
	const uint32_t id = dmt_known_find_key(&recorder->methods, key);
	if (DMT_UNLIKELY(id == 0))
		lane->dropped++;
	else if (DMT_UNLIKELY(id == DMT_METHOD_UNWANTED))
		;
	else if (dmt_lane_now(recorder, lane, &times))
		take(recorder, lane, id | action, &times);
	else
		return;
	dmt_lane_release(lane);
}

void
dmtrace_recorder_enter_key(struct dmtrace_recorder *recorder, uint64_t key)
{
	record_key(recorder, key, DMTRACE_ENTER);
}

void
dmtrace_recorder_exit_key(struct dmtrace_recorder *recorder, uint64_t key)
{
	record_key(recorder, key, DMTRACE_EXIT);
}

void
dmtrace_recorder_unroll_key(struct dmtrace_recorder *recorder, uint64_t key)
{
	record_key(recorder, key, DMTRACE_UNROLL);
}

/* A time of the caller's own in the file's microseconds, which go on from
 * where the last file ended. */
static uint64_t
own_us(const struct dmtrace_recorder *recorder, uint64_t time_ns)
{
	const uint64_t us = time_ns / 1000;

	return us < recorder->own_start_us ? 0 : us - recorder->own_start_us;
}

static bool
is_late(const struct dmtrace_recorder *recorder, const struct dmt_lane *lane,
    uint64_t time_ns)
{
	return time_ns != DMTRACE_NO_TIME &&
	    own_us(recorder, time_ns) > lane->limit_us;
}

/* A time lower than the thread's last is taken as that. */
static void
set_own(const struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    uint64_t time_ns, uint32_t *time_us, uint32_t last_us)
{
	if (time_ns == DMTRACE_NO_TIME)
		return;
	*time_us = (uint32_t)own_us(recorder, time_ns);
	if (*time_us >= last_us)
		return;
	*time_us = last_us;
	lane->stepped_back++;
}

/* false: recording has ended, and the lane is not busy any more. */
static bool
own_times(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    const struct dmtrace_event *event, struct dmt_times *times)
{
	if ((event->cpu_ns == DMTRACE_NO_TIME ||
	    event->wall_ns == DMTRACE_NO_TIME) &&
	    !dmt_lane_now(recorder, lane, times))
		return false;
	while (is_late(recorder, lane, event->cpu_ns) ||
	    is_late(recorder, lane, event->wall_ns))
		if (!dmt_lane_turn(recorder, lane,
		    event->wall_ns != DMTRACE_NO_TIME ? event->wall_ns :
		    event->cpu_ns))
			return false;
	lane->own_times = event->cpu_ns != DMTRACE_NO_TIME ||
	    event->wall_ns != DMTRACE_NO_TIME;
	set_own(recorder, lane, event->cpu_ns, &times->cpu_us,
	    lane->last.cpu_us);
	set_own(recorder, lane, event->wall_ns, &times->wall_us,
	    lane->last.wall_us);
	return true;
}

void
dmtrace_recorder_event(struct dmtrace_recorder *given,
    const struct dmtrace_event *event)
{
	struct dmtrace_recorder *recorder = dmt_recorder_get(given);
	struct dmt_lane *lane = dmt_lane_begin(recorder);
	struct dmt_times times;

	if (lane == NULL)
		return;
	if (event->method > UINT32_MAX ||
	    !is_method((uint32_t)event->method) ||
	    (unsigned)event->action > DMTRACE_UNROLL)
		lane->dropped++;
	else if (own_times(recorder, lane, event, &times))
		take(recorder, lane, (uint32_t)event->method | event->action,
		    &times);
	else
		return;
	dmt_lane_release(lane);
}

static void
record_at(struct dmtrace_recorder *recorder, uint32_t method,
    enum dmtrace_action action, uint64_t time_ns)
{
	const struct dmtrace_event event = {
		.method = method,
		.cpu_ns = time_ns,
		.wall_ns = time_ns,
		.action = action
	};

	dmtrace_recorder_event(recorder, &event);
}

void
dmtrace_recorder_enter_at(struct dmtrace_recorder *recorder, uint32_t method,
    uint64_t time_ns)
{
	record_at(recorder, method, DMTRACE_ENTER, time_ns);
}

void
dmtrace_recorder_exit_at(struct dmtrace_recorder *recorder, uint32_t method,
    uint64_t time_ns)
{
	record_at(recorder, method, DMTRACE_EXIT, time_ns);
}

void
dmtrace_recorder_unroll_at(struct dmtrace_recorder *recorder, uint32_t method,
    uint64_t time_ns)
{
	record_at(recorder, method, DMTRACE_UNROLL, time_ns);
}

/* Frames that the lane and the stack have in common. */
static uint32_t
common(const struct dmt_lane *lane, const uint32_t *stack, size_t depth)
{
	uint32_t same = 0;

	while (same < lane->depth && same < depth &&
	    lane->frames[same].method == stack[same])
		same++;
	return same;
}

static void
sample(struct dmtrace_recorder *recorder, struct dmt_lane *lane,
    const uint32_t *stack, size_t depth, const struct dmt_times *times)
{
	const uint32_t same = common(lane, stack, depth);

	while (lane->depth > same) {
		const uint32_t before = lane->depth;
		take(recorder, lane, lane->frames[before - 1].method |
		    DMTRACE_EXIT, times);
		if (lane->depth == before)
			return;		/* dropped */
	}
	lane->beyond = 0;
	for (size_t i = same; i < depth; i++) {
		if (is_method(stack[i]))
			take(recorder, lane, stack[i], times);
		else
			lane->dropped++;
	}
	lane->beyond = 0;
}

void
dmtrace_recorder_sample(struct dmtrace_recorder *given,
    const uint32_t *stack, size_t depth, uint64_t time_ns)
{
	struct dmtrace_recorder *recorder = dmt_recorder_get(given);
	struct dmt_lane *lane = dmt_lane_begin(recorder);
	const struct dmtrace_event now = {
		.cpu_ns = time_ns,
		.wall_ns = time_ns
	};
	struct dmt_times times;

	if (lane == NULL || !own_times(recorder, lane, &now, &times))
		return;
	sample(recorder, lane, stack, depth, &times);
	dmt_lane_release(lane);
}
