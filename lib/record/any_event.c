/* any_event.c - an event of any kind, step by step: time, record, frame */

#include "record/any_event.h"

#include "record/event_path.h"

/*
 * Nearly all events take the fast path, which is inlined where they begin
 * (event_path.h). Here are the same steps for all others: the records of every
 * layout and clock, a full buffer, a time that is too late for the file, exits
 * that do not match. They are called and not inlined: an event whose clock is
 * read by a system call costs ten times as much as the calls.
 */

/* Begin of an event. */

struct dmt_thread_state *
dmt_thread_begin_event(struct dmtrace_recorder *recorder)
{
	if (DMT_UNLIKELY(dmt_recorder_is_off(recorder)))
		return NULL;
	struct dmt_thread_state *thread = dmt_thread_get(recorder);
	if (DMT_UNLIKELY(thread == NULL))
		return NULL;
	if (DMT_UNLIKELY(atomic_load_explicit(&thread->busy,
	    memory_order_relaxed)))
		return NULL;
	if (DMT_UNLIKELY(!dmt_thread_try_event(recorder, thread)))
		return dmt_thread_join(recorder, thread) ? thread : NULL;
	return thread;
}

/* The time of an event. */

static uint64_t
cpu_time_us(const struct dmt_thread_state *thread)
{
	const uint64_t ns = dmt_clock_cpu_ns();

	return ns < thread->cpu_start_ns ? 0 :
	    (ns - thread->cpu_start_ns) / 1000;
}

/* false: the time is too late for the anchor or for the file. */
static bool
read_now(const struct dmt_thread_state *thread, struct dmt_times *times)
{
	const enum dmt_time_source source = dmt_thread_time_source(thread);

	if (source == DMT_TIME_TICKS) {
		const uint64_t ticks = dmt_ticks() - thread->anchor.ticks;
		times->cpu_us = 0;
		times->wall_us = dmt_anchor_us(&thread->anchor, ticks);
		return ticks <= thread->anchor.limit;
	}
	const uint64_t cpu_us = source == DMT_TIME_MONOTONIC ? 0 :
	    cpu_time_us(thread);
	const uint64_t wall_us = source == DMT_TIME_CPU ? 0 :
	    dmt_thread_wall_us(thread);
	times->cpu_us = (uint32_t)cpu_us;
	times->wall_us = (uint32_t)wall_us;
	return cpu_us <= thread->limit_us && wall_us <= thread->limit_us;
}

static uint32_t
clamp_us(uint64_t us, uint64_t limit_us)
{
	return (uint32_t)(us < limit_us ? us : limit_us);
}

/* Returns the current time, or the end of the file if that is earlier. A
 * thread may use more CPU time between two events than a file can hold: the
 * excess is left out. */
static struct dmt_times
latest_times(struct dmt_thread_state *thread)
{
	const enum dmt_time_source source = dmt_thread_time_source(thread);
	const uint64_t cpu_us = source == DMT_TIME_CPU ||
	    source == DMT_TIME_DUAL ? cpu_time_us(thread) : 0;
	const uint64_t wall_us = source == DMT_TIME_CPU ? 0 :
	    dmt_thread_wall_us(thread);

	if (cpu_us > thread->limit_us)
		thread->cpu_start_ns += (cpu_us - thread->limit_us) * 1000;
	return (struct dmt_times){ clamp_us(cpu_us, thread->limit_us),
	    clamp_us(wall_us, thread->limit_us) };
}

bool
dmt_thread_rotate(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, uint64_t own_ns)
{
	const uint32_t epoch = thread->epoch;
	struct dmt_guard guard;

	dmt_thread_end_event(thread);
	dmt_fork_check();
	dmt_lock(&recorder->mutex, &guard);
	if (recorder->state == DMT_STATE_ON &&
	    atomic_load(&recorder->epoch) == epoch) {
		if (!recorder->options.no_rotate)
			dmt_recorder_rotate(recorder, own_ns);
		else
			dmt_recorder_end(recorder, DMTRACE_RECORDER_TIMEOUT);
	}
	dmt_unlock(&recorder->mutex, &guard);
	return dmt_thread_join(recorder, thread);
}

/*
 * Called for a time that is too late for the anchor or for the file. Usually
 * the time fits with a new anchor for the ticks, otherwise in a new file. A
 * time that does not fit even there becomes the end of that file. false:
 * recording has ended, and the thread is not busy.
 */
static bool
fit_late_time(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, struct dmt_times *times)
{
	const uint32_t epoch = thread->epoch;

	do {
		if (dmt_thread_time_source(thread) == DMT_TIME_TICKS &&
		    dmt_anchor_set(&thread->anchor, thread->start_us,
		    thread->limit_us)) {
			if (thread->anchor.factor == 0)	/* the counter does not
							   count */
				thread->source = DMT_TIME_MONOTONIC;
			continue;
		}
		if (thread->epoch != epoch) {
			*times = latest_times(thread);
			return true;
		}
		if (!dmt_thread_rotate(recorder, thread, 0))
			return false;
	} while (!read_now(thread, times));
	return true;
}

bool
dmt_thread_now(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, struct dmt_times *times)
{
	if (DMT_UNLIKELY(!read_now(thread, times)) &&
	    !fit_late_time(recorder, thread, times))
		return false;
	if (times->cpu_us < thread->last.cpu_us)
		times->cpu_us = thread->last.cpu_us;
	if (times->wall_us < thread->last.wall_us)
		times->wall_us = thread->last.wall_us;
	return true;
}

/* Its record. */

/* word is the method with the action in its low bits. The buffer has space. */
static void
append_record(struct dmt_thread_state *thread, uint32_t word,
    const struct dmt_times *times)
{
	switch (thread->form) {
	case DMT_FORM_1:
		dmt_thread_append_as(thread, DMT_LAYOUT_1_WALL, word, times);
		break;
	case DMT_FORM_1_CPU:
		dmt_thread_append_as(thread, DMT_LAYOUT_1_CPU, word, times);
		break;
	case DMT_FORM_2:
		dmt_thread_append_as(thread, DMT_LAYOUT_2_WALL, word, times);
		break;
	case DMT_FORM_2_CPU:
		dmt_thread_append_as(thread, DMT_LAYOUT_2_CPU, word, times);
		break;
	case DMT_FORM_DUAL:
		dmt_thread_append_as(thread, DMT_LAYOUT_3_DUAL, word, times);
		break;
	}
	thread->last = *times;
}

/* Makes sure that the buffer has space for a record. false: the record is
 * dropped, and counted. */
static bool
has_room(struct dmtrace_recorder *recorder, struct dmt_thread_state *thread)
{
	if (DMT_UNLIKELY(thread->at == thread->end) &&
	    !dmt_buffer_flush(recorder, thread)) {
		thread->dropped++;
		return false;
	}
	return true;
}

/* false: dropped, and counted. */
static bool
record_in_thread(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, uint32_t word,
    const struct dmt_times *times)
{
	if (!has_room(recorder, thread))
		return false;
	append_record(thread, word, times);
	return true;
}

/* Its frame. */

void
dmt_thread_record_enter(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, const struct dmt_frame *frame,
    const struct dmt_times *times)
{
	if (DMT_UNLIKELY(thread->depth >= thread->max_depth)) {
		thread->too_deep++;
		thread->dropped++;
		return;
	}
	if (record_in_thread(recorder, thread, frame->method | DMTRACE_ENTER,
	    times))
		dmt_thread_push_frame(thread, frame);
}

bool
dmt_thread_pop_frame(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, enum dmtrace_action action,
    const struct dmt_times *times)
{
	/* If a handler jumps out at the end of a flush, only the frame shows
	 * which call was open. */
	if (DMT_UNLIKELY(!has_room(recorder, thread)))
		return false;
	const uint32_t method = thread->frames[--thread->depth].method;
	append_record(thread, method | action, times);
	return true;
}

/* Records an exit that does not match the innermost frame, as the options
 * say. */
static void
exit_mismatched(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, uint32_t word,
    const struct dmt_times *times)
{
	const uint32_t method = word & ~UINT32_C(3);
	uint32_t frames = 0;	/* frames to remove, up to the method's; 0: the
				   method has none */

	for (uint32_t i = thread->depth; i > 0 && frames == 0; i--)
		if (thread->frames[i - 1].method == method)
			frames = thread->depth - i + 1;
	if (thread->number == 0) {	/* its enter was dropped, too */
		thread->dropped++;
		return;
	}
	thread->mismatched++;
	if (recorder->options.mismatch == DMTRACE_MISMATCH_AS_IS) {
		if (record_in_thread(recorder, thread, word, times))
			thread->depth -= frames;
		return;
	}
	if (recorder->options.mismatch == DMTRACE_MISMATCH_ERROR ||
	    frames == 0) {
		thread->dropped++;
		return;
	}
	for (; frames > 0; frames--)
		if (!dmt_thread_pop_frame(recorder, thread, word & 3, times))
			return;
}

void
dmt_thread_record_exit(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, uint32_t word,
    const struct dmt_times *times)
{
	if (DMT_UNLIKELY(thread->too_deep > 0)) {
		thread->too_deep--;
		thread->dropped++;
	} else if (DMT_UNLIKELY(thread->depth == 0 ||
	    thread->frames[thread->depth - 1].method !=
	    (word & ~UINT32_C(3)))) {
		exit_mismatched(recorder, thread, word, times);
	} else {
		dmt_thread_pop_frame(recorder, thread, word & 3, times);
	}
}

/* Open frames at the end of a file, and in the next one. */

/* Records while the lock is held, which a flush would take again. The recorder
 * adds the record itself, so it is not counted as dropped if there is no
 * space. */
static bool
record_locked(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread, uint32_t word,
    const struct dmt_times *times)
{
	if (thread->at == thread->end && !dmt_buffer_make_room(recorder,
	    thread, true))
		return false;
	if (!record_in_thread(recorder, thread, word, times))
		return false;
	thread->added++;
	return true;
}

uint64_t
dmt_thread_close_frames(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	const uint64_t wall_us = dmt_thread_wall_us(thread);
	struct dmt_times times = thread->last;
	uint32_t closed = 0;

	/* Use the system's current time if it is later, unless the caller has
	 * a clock. */
	if (!thread->own_times && dmt_thread_time_source(thread) !=
	    DMT_TIME_CPU && wall_us > times.wall_us)
		times.wall_us = clamp_us(wall_us, thread->limit_us);
	/* Without memory for an exit, the calls around it stay open, too. */
	while (closed < thread->depth && record_locked(recorder, thread,
	    thread->frames[thread->depth - 1 - closed].method | DMTRACE_EXIT,
	    &times))
		closed++;
	return closed;
}

void
dmt_thread_reopen_frames(struct dmtrace_recorder *recorder,
    struct dmt_thread_state *thread)
{
	const struct dmt_times times = { 0, 0 };

	for (uint32_t i = 0; i < thread->depth; i++)
		record_locked(recorder, thread,
		    thread->frames[i].method | DMTRACE_ENTER, &times);
}
