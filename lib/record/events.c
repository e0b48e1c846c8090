/* events.c - the recorder's events: enter, exit, unroll, sample */

#include <inttypes.h>

#include "record/any_event.h"
#include "record/event_path.h"

/*
 * An event goes from here through event_path.h (thread state, clock, record,
 * frame) to the thread's buffer, which buffer.c writes to the file. enter and
 * exit try the fast path: if ticks are the clock, it is inlined and calls
 * nothing, so that no register has to be saved. The slow path handles all
 * other cases. If the clock is the system's, which is read by a call, the slow
 * path first tries the fast path, too. Unrolls, events with times from the
 * caller, and samples of a stack are rare and take the slow path at once.
 */

static void
refuse_handle(struct dmtrace_recorder *recorder, const char *call,
    uint64_t method)
{
	dmt_recorder_count_misuse(recorder, "%s: 0x%" PRIx64 " is not a "
	    "method handle; dmtrace_recorder_intern returns "
	    "handles", call, method);
}

/* Counts an event that had neither a handle nor a key as misuse. */
static void
refuse_id(struct dmtrace_recorder *recorder, uint64_t id, bool is_key,
    enum dmtrace_action action)
{
	static const char *const calls[][2] = {
		[DMTRACE_ENTER] = { "dmtrace_recorder_enter",
		    "dmtrace_recorder_enter_key" },
		[DMTRACE_EXIT] = { "dmtrace_recorder_exit",
		    "dmtrace_recorder_exit_key" },
		[DMTRACE_UNROLL] = { "dmtrace_recorder_unroll",
		    "dmtrace_recorder_unroll_key" },
	};

	if (is_key)
		dmt_recorder_count_misuse(recorder,
		    "%s: 0 and 1 are not keys", calls[action][1]);
	else
		refuse_handle(recorder, calls[action][0], id);
}

/* Records an event of any kind; word is the method with the action in its low
 * bits. */
static void
record_word(struct dmtrace_recorder *recorder, struct dmt_thread_state *thread,
    uint32_t word, const struct dmt_times *times)
{
	const struct dmt_frame frame = { .method = word };

	if ((word & 3) == DMTRACE_ENTER)
		dmt_thread_record_enter(recorder, thread, &frame, times);
	else
		dmt_thread_record_exit(recorder, thread, word, times);
}

/* Records an event by the slow path. id is a method, or a key if is_key is
 * true. */
DMT_APART static void
record_slow(struct dmtrace_recorder *recorder, uint64_t id, bool is_key,
    enum dmtrace_action action)
{
	struct dmt_thread_state *thread = dmt_thread_begin_event(recorder);
	const uint64_t key = is_key ? id : 0;
	struct dmt_times times;

	if (thread == NULL) {
		dmt_thread_count_lost(recorder, key);
		return;
	}
	const uint32_t method = is_key ?
	    dmt_method_find_key(&recorder->methods, id) :
	    dmt_method_is_interned(&recorder->methods, (uint32_t)id) ?
	    (uint32_t)id : 0;
	const struct dmt_frame frame = { .method = method };
	const bool done = method > DMT_METHOD_UNWANTED &&
	    dmt_thread_time_source(thread) == DMT_TIME_MONOTONIC &&
	    dmt_thread_record_fast(thread, DMT_TIME_MONOTONIC, &frame,
	    action);
	if (DMT_UNLIKELY(method == 0)) {
		thread->dropped++;
	} else if (!done && method != DMT_METHOD_UNWANTED) {
		if (!dmt_thread_now(recorder, thread, &times)) {
			dmt_thread_count_lost(recorder, key);
			return;
		}
		record_word(recorder, thread, method | action, &times);
	}
	dmt_thread_end_event(thread);
	if (DMT_UNLIKELY(method == 0) && (!is_key || id <= DMT_KEY_FORGOTTEN))
		refuse_id(recorder, id, is_key, action);
}

/* Records an event by the fast path if possible. A key that is not in its first
 * slot takes the slow path; an unwanted one needs no record. Callers pass
 * constants for is_key and action. */
DMT_INLINE void
record_event(struct dmtrace_recorder *given, uint64_t id, bool is_key,
    enum dmtrace_action action)
{
	struct dmtrace_recorder *recorder = dmt_recorder_get(given);
	bool done = false;

	if (dmt_recorder_is_off(recorder))
		return;
	struct dmt_thread_state *thread = dmt_thread_get_cached(recorder);
	if (DMT_LIKELY(thread != NULL && (is_key ||
	    dmt_method_is_interned(&recorder->methods, (uint32_t)id))) &&
	    dmt_thread_time_source(thread) == DMT_TIME_TICKS) {
		if (DMT_LIKELY(dmt_thread_try_event(recorder, thread))) {
			const struct dmt_frame frame = {
				.method = is_key ? dmt_method_find_first(
				    &recorder->methods, id) : (uint32_t)id
			};

			if (!is_key ||
			    DMT_LIKELY(frame.method > DMT_METHOD_UNWANTED))
				done = dmt_thread_record_fast(thread,
				    DMT_TIME_TICKS, &frame, action);
			else
				done = frame.method == DMT_METHOD_UNWANTED;
		}
		dmt_thread_end_event(thread);
	}
	if (!done)
		record_slow(recorder, id, is_key, action);
}

void
dmtrace_recorder_enter(struct dmtrace_recorder *recorder, uint32_t method)
{
	record_event(recorder, method, false, DMTRACE_ENTER);
}

void
dmtrace_recorder_exit(struct dmtrace_recorder *recorder, uint32_t method)
{
	record_event(recorder, method, false, DMTRACE_EXIT);
}

void
dmtrace_recorder_unroll(struct dmtrace_recorder *recorder, uint32_t method)
{
	record_slow(dmt_recorder_get(recorder), method, false,
	    DMTRACE_UNROLL);
}

void
dmtrace_recorder_enter_key(struct dmtrace_recorder *recorder, uint64_t key)
{
	record_event(recorder, key, true, DMTRACE_ENTER);
}

void
dmtrace_recorder_exit_key(struct dmtrace_recorder *recorder, uint64_t key)
{
	record_event(recorder, key, true, DMTRACE_EXIT);
}

void
dmtrace_recorder_unroll_key(struct dmtrace_recorder *recorder, uint64_t key)
{
	record_slow(dmt_recorder_get(recorder), key, true, DMTRACE_UNROLL);
}

/* Events with times from the caller. */

/* Converts the caller's time to microseconds since the start of a file. */
static uint64_t
own_time_us(uint64_t time_ns, uint64_t start_us)
{
	const uint64_t us = time_ns / 1000;

	return us < start_us ? 0 : us - start_us;
}

static bool
is_own_time_late(const struct dmt_thread_state *thread, uint64_t time_ns,
    uint64_t start_us)
{
	return time_ns != DMTRACE_NO_TIME &&
	    own_time_us(time_ns, start_us) > thread->limit_us;
}

/* A time lower than the thread's last one, or than the start of the file, is
 * replaced by that. */
static void
set_own_time(struct dmt_thread_state *thread, uint64_t time_ns,
    uint64_t start_us, uint32_t *time_us, uint32_t last_us)
{
	if (time_ns == DMTRACE_NO_TIME)
		return;
	*time_us = (uint32_t)own_time_us(time_ns, start_us);
	if (*time_us >= last_us && time_ns / 1000 >= start_us)
		return;
	*time_us = last_us;
	thread->stepped_back++;
}

/*
 * Gets the times of an event: from the caller, for clocks that the records
 * have, otherwise from the clock. If the caller's time is too late for the
 * file, the next file starts at that time. false: recording has ended, and the
 * thread is not busy any more.
 */
static bool
read_own_times(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread,
    const struct dmtrace_event *event, struct dmt_times *times)
{
	const bool has_cpu = recorder->layout->cpu.width > 0;
	const bool has_wall = recorder->layout->wall.width > 0;
	const uint64_t cpu_ns = has_cpu ? event->cpu_ns : DMTRACE_NO_TIME;
	const uint64_t wall_ns = has_wall ? event->wall_ns : DMTRACE_NO_TIME;
	const bool asks_clock = (has_cpu && cpu_ns == DMTRACE_NO_TIME) ||
	    (has_wall && wall_ns == DMTRACE_NO_TIME);

	for (;;) {
		*times = (struct dmt_times){ 0, 0 };
		if (asks_clock && !dmt_thread_now(recorder, thread, times))
			return false;
		if (!is_own_time_late(thread, cpu_ns,
		    thread->own_cpu_start_us) &&
		    !is_own_time_late(thread, wall_ns, recorder->own_start_us))
			break;
		if (!dmt_thread_rotate(recorder, thread,
		    wall_ns != DMTRACE_NO_TIME ? wall_ns : 0))
			return false;
		if (is_own_time_late(thread, cpu_ns, thread->own_cpu_start_us))
			thread->own_cpu_start_us = cpu_ns / 1000;
	}
	thread->own_times = cpu_ns != DMTRACE_NO_TIME ||
	    wall_ns != DMTRACE_NO_TIME;
	set_own_time(thread, cpu_ns, thread->own_cpu_start_us,
	    &times->cpu_us, thread->last.cpu_us);
	set_own_time(thread, wall_ns, recorder->own_start_us,
	    &times->wall_us, thread->last.wall_us);
	return true;
}

static void
record_timed(struct dmtrace_recorder *recorder, const char *call,
    const struct dmtrace_event *event)
{
	struct dmt_thread_state *thread = dmt_thread_begin_event(recorder);
	const bool has_handle = event->method <= UINT32_MAX &&
	    dmt_method_is_interned(&recorder->methods,
	    (uint32_t)event->method);
	const bool has_action = (unsigned)event->action <= DMTRACE_UNROLL;
	struct dmt_times times;

	if (thread == NULL) {
		dmt_thread_count_lost(recorder, 0);
		return;
	}
	if (!has_handle || !has_action)
		thread->dropped++;
	else if (read_own_times(recorder, thread, event, &times))
		record_word(recorder, thread,
		    (uint32_t)event->method | event->action, &times);
	else {
		dmt_thread_count_lost(recorder, 0);
		return;
	}
	dmt_thread_end_event(thread);
	if (!has_handle)
		refuse_handle(recorder, call, event->method);
	else if (!has_action)
		dmt_recorder_count_misuse(recorder,
		    "%s: an event is an enter, an exit or an unroll", call);
}

void
dmtrace_recorder_event(struct dmtrace_recorder *given,
    const struct dmtrace_event *event)
{
	struct dmtrace_recorder *recorder = dmt_recorder_get(given);

	if (event != NULL)
		record_timed(recorder, __func__, event);
	else if (!dmt_recorder_is_off(recorder))
		dmt_recorder_count_misuse(recorder, "%s was called with NULL",
		    __func__);
}

static void
record_at(struct dmtrace_recorder *given, const char *call, uint32_t method,
    enum dmtrace_action action, uint64_t time_ns)
{
	const struct dmtrace_event event = {
		.method = method,
		.cpu_ns = time_ns,
		.wall_ns = time_ns,
		.action = action
	};

	record_timed(dmt_recorder_get(given), call, &event);
}

void
dmtrace_recorder_enter_at(struct dmtrace_recorder *recorder, uint32_t method,
    uint64_t time_ns)
{
	record_at(recorder, __func__, method, DMTRACE_ENTER, time_ns);
}

void
dmtrace_recorder_exit_at(struct dmtrace_recorder *recorder, uint32_t method,
    uint64_t time_ns)
{
	record_at(recorder, __func__, method, DMTRACE_EXIT, time_ns);
}

/* Exits the frames that are not in the sampled stack, and enters the new ones.
 * Returns how many of the methods are invalid handles; *wrong is one of
 * them. */
static size_t
record_sample(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread,
    const uint32_t *stack, size_t depth, const struct dmt_times *times,
    uint32_t *wrong)
{
	uint32_t same = 0;
	size_t refused = 0;

	while (same < thread->depth && same < depth &&
	    thread->frames[same].method == stack[same])
		same++;
	thread->too_deep = 0;
	while (thread->depth > same) {
		const uint32_t before = thread->depth;
		record_word(recorder, thread, thread->frames[before -
		    1].method | DMTRACE_EXIT, times);
		if (thread->depth == before)
			return 0;	/* dropped */
	}
	for (size_t i = same; i < depth; i++) {
		if (dmt_method_is_interned(&recorder->methods, stack[i])) {
			record_word(recorder, thread, stack[i], times);
			continue;
		}
		thread->dropped++;
		*wrong = stack[i];
		refused++;
	}
	thread->too_deep = 0;
	return refused;
}

void
dmtrace_recorder_sample(struct dmtrace_recorder *given,
    const uint32_t *stack, size_t depth, uint64_t time_ns)
{
	struct dmtrace_recorder *recorder = dmt_recorder_get(given);
	const struct dmtrace_event now = {
		.cpu_ns = time_ns,
		.wall_ns = time_ns
	};
	struct dmt_times times;
	uint32_t wrong;

	if (dmt_recorder_is_off(recorder))
		return;
	if (stack == NULL && depth > 0) {
		dmt_recorder_count_misuse(recorder, "%s was called with NULL",
		    __func__);
		return;
	}
	struct dmt_thread_state *thread = dmt_thread_begin_event(recorder);
	if (thread == NULL || !read_own_times(recorder, thread, &now, &times)) {
		dmt_thread_count_lost(recorder, 0);
		return;
	}
	const size_t refused = record_sample(recorder, thread, stack, depth,
	    &times, &wrong);
	dmt_thread_end_event(thread);
	if (refused > 0)
		refuse_handle(recorder, __func__, wrong);
}
