/* hooks.c - the functions that instrumented code calls at enter and exit */

#define _GNU_SOURCE		/* RTLD_DEFAULT */

#include "instrument/hooks.h"

#include <dlfcn.h>
#include <string.h>

#include "instrument/shim.h"
#include "record/any_event.h"
#include "record/event_path.h"

/*
 * The address of a function is its key in the recorder. Each enter makes a
 * frame and a record. The next exit need not be of the innermost frame,
 * because longjmp and exceptions leave functions without calling the exit
 * hook. So each frame stores its place, the stack pointer when its enter hook
 * was called. Stacks grow downward: at any event, frames with a place below
 * the current stack pointer no longer exist, and are unrolled. Functions that
 * the compiler has inlined into one another have frames with the same place. A
 * frame also stores, as its tag, the number of exceptions in flight when it
 * was entered: if there are more of them at its exit, the exit is an unroll.
 * Wrapping longjmp instead would miss jumps inside the C library, and would
 * not show which frames a jump leaves.
 *
 * Nearly every event takes the fast path: the clock is ticks, the function is
 * known, the buffer has space for the record, and the frame is the innermost
 * one. The fast path calls nothing, so that no register has to be saved, and
 * costs about 12 ns. If one of its conditions is not met, it does nothing, and
 * the slow path handles the event.
 */

/* How far the outermost frame of a thread can extend above the place of its
 * enter hook. A higher place is on another stack, that of a signal handler or
 * a coroutine. */
#define OUTERMOST_MAX 16384

/* The number of C++ exceptions that are thrown and not yet caught; NULL: not
 * looked up yet. It uses the initial-exec model, as a hook must not allocate
 * memory. */
static _Thread_local __attribute__((tls_model("initial-exec")))
const unsigned *uncaught_exceptions;

static const unsigned no_exceptions;

/* In the C++ ABI, the number follows the pointer to the caught exceptions. */
struct cxx_globals {
	void *caught;
	unsigned uncaught;
};

typedef struct cxx_globals *
globals_fn(void);

void
dmt_hooks_use_globals(void *symbol)
{
	globals_fn *function;

	memcpy(&function, &symbol, sizeof(function));
	if (uncaught_exceptions == NULL ||
	    uncaught_exceptions == &no_exceptions)
		uncaught_exceptions = function == NULL ? &no_exceptions :
		    &function()->uncaught;
}

static uint32_t
count_exceptions(void)
{
	if (DMT_UNLIKELY(uncaught_exceptions == NULL)) {
		void *const symbol = dlsym(RTLD_DEFAULT, "__cxa_get_globals");
		if (symbol == NULL)
			(void)dlerror();	/* Not a failure of the
						   program: clear it. */
		dmt_hooks_use_globals(symbol);
	}
	return *(const volatile unsigned *)uncaught_exceptions;
}

/* Returns true if the frame no longer exists when the stack pointer is at
 * place. */
static bool
has_frame_gone(const struct dmt_thread_state *thread,
    const struct dmt_frame *frame, uintptr_t place)
{
	const uintptr_t top = thread->frames[0].place + OUTERMOST_MAX;

	if (place > top)
		return frame->place > top && frame->place < place;
	return frame->place < place || frame->place > top;
}

static void
unroll_gone_frames(struct dmt_thread_state *thread, uintptr_t place,
    const struct dmt_times *times)
{
	while (thread->depth > 0 &&
	    has_frame_gone(thread, &thread->frames[thread->depth - 1], place) &&
	    dmt_thread_pop_frame(DMT_SHIM_RECORDER, thread, DMTRACE_UNROLL,
	    times))
		thread->too_deep = 0;
}

/* Returns the innermost frame of the method among [from, to); to if there is
 * none. */
static uint32_t
innermost_of_method(const struct dmt_thread_state *thread, uint32_t method,
    uint32_t from, uint32_t to)
{
	for (uint32_t i = to; i > from; i--)
		if (thread->frames[i - 1].method == method)
			return i - 1;
	return to;
}

/*
 * Finds the frame of a function that exits by jumping to the hook (a tail
 * call): the stack pointer is already that of the caller, and the highest word
 * of the frame was its return address. Frames that were inlined into it have
 * the same place. Returns depth if there is no such frame.
 */
static uint32_t
find_tail_frame(const struct dmt_thread_state *thread, uint32_t method,
    uintptr_t place)
{
	const uint32_t depth = thread->depth;
	const uintptr_t highest = place - sizeof(uintptr_t);
	uint32_t first = depth;

	if (depth == 0 || place > thread->frames[0].place + OUTERMOST_MAX)
		return depth;
	while (first > 0 && thread->frames[first - 1].place <= highest)
		first--;
	uint32_t end = first;
	while (end < depth &&
	    thread->frames[end].place == thread->frames[first].place)
		end++;
	const uint32_t found = innermost_of_method(thread, method, first, end);
	return found < end ? found : depth;
}

/* Handles the exit of a method that is not of the innermost frame. tail: the
 * hook was jumped to, and the frame no longer exists. */
static void
leave_other_frame(struct dmt_thread_state *thread, uint32_t method,
    uintptr_t place, bool tail, const struct dmt_times *times)
{
	/* Functions that were not recorded because they were too deep exit as
	 * often as they entered, unless a jump left them. */
	if (thread->too_deep > 0 && thread->depth > 0 &&
	    thread->frames[thread->depth - 1].place >= place) {
		thread->too_deep--;
		thread->dropped++;
		return;
	}
	thread->too_deep = 0;

	if (!tail)
		unroll_gone_frames(thread, place, times);
	const uint32_t depth = thread->depth;
	uint32_t found = tail ? find_tail_frame(thread, method, place) : depth;
	if (found == depth)
		found = innermost_of_method(thread, method, 0, depth);
	if (found == depth) {
		thread->mismatched++;
		thread->dropped++;
		return;
	}
	while (thread->depth > found + 1)
		if (!dmt_thread_pop_frame(DMT_SHIM_RECORDER, thread,
		    DMTRACE_UNROLL, times))
			return;
	dmt_thread_pop_frame(DMT_SHIM_RECORDER, thread, DMTRACE_EXIT, times);
}

void
dmt_hooks_unwind_to(uintptr_t place)
{
	struct dmt_thread_state *thread =
	    dmt_thread_begin_event(DMT_SHIM_RECORDER);
	struct dmt_times times;

	if (thread == NULL || !dmt_thread_now(DMT_SHIM_RECORDER, thread,
	    &times))
		return;
	unroll_gone_frames(thread, place, &times);
	dmt_thread_end_event(thread);
}

DMT_INLINE bool
is_innermost_gone(const struct dmt_thread_state *thread, uintptr_t place)
{
	return thread->depth > 0 &&
	    thread->frames[thread->depth - 1].place < place;
}

/* Returns true if the innermost frame is of the method, and its caller's frame
 * still exists. */
DMT_INLINE bool
is_innermost_frame(const struct dmt_thread_state *thread, uint32_t method,
    uintptr_t place)
{
	return thread->depth > 0 && thread->too_deep == 0 &&
	    thread->frames[thread->depth - 1].method == method &&
	    (thread->depth == 1 || thread->frames[thread->depth - 2].place >=
	    place);
}

/* Returns true if the innermost frame ends by an exception: more exceptions
 * are in flight than when it was entered. */
DMT_INLINE bool
was_frame_thrown(const struct dmt_thread_state *thread, uint32_t exceptions)
{
	return exceptions > thread->frames[thread->depth - 1].tag;
}

/*
 * Begins an event in the slow path: finds the method of the function, and the
 * time. NULL: no event, because the function is not selected, the process is
 * not recorded, or the event is lost, which is counted. The first event of a
 * process starts its trace.
 */
static struct dmt_thread_state *
begin_slow_event(const void *function, uint32_t *method,
    struct dmt_times *times)
{
	struct dmtrace_recorder *recorder = DMT_SHIM_RECORDER;
	const uintptr_t key = (uintptr_t)function;
	struct dmt_thread_state *thread = dmt_thread_begin_event(recorder);

	if (thread == NULL && dmt_recorder_is_off(recorder)) {
		if (!dmt_shim_start())
			return NULL;
		thread = dmt_thread_begin_event(recorder);
	}
	if (thread == NULL) {
		dmt_thread_count_lost(recorder, key);
		return NULL;
	}
	*method = dmt_method_find_key(&recorder->methods, key);
	if (*method == 0 || *method == DMT_METHOD_UNWANTED) {
		thread->dropped += *method == 0;
		dmt_thread_end_event(thread);
		return NULL;
	}
	if (dmt_thread_now(recorder, thread, times))
		return thread;
	dmt_thread_count_lost(recorder, key);
	return NULL;
}

DMT_APART static void
record_enter_slow(const void *function, uintptr_t place)
{
	struct dmt_frame frame = { .place = place };
	struct dmt_times times;
	struct dmt_thread_state *thread = begin_slow_event(function,
	    &frame.method, &times);

	if (thread == NULL)
		return;
	frame.tag = count_exceptions();
	if (is_innermost_gone(thread, place))
		unroll_gone_frames(thread, place, &times);
	dmt_thread_record_enter(DMT_SHIM_RECORDER, thread, &frame, &times);
	dmt_thread_end_event(thread);
}

/* false: it did nothing. */
DMT_INLINE bool
record_enter_fast(struct dmt_thread_state *thread, const void *function,
    uintptr_t place)
{
	const volatile unsigned *const uncaught = uncaught_exceptions;
	const uint32_t method =
	    dmt_method_find_first(&DMT_SHIM_RECORDER->methods,
	    (uintptr_t)function);

	if (DMT_UNLIKELY(method <= DMT_METHOD_UNWANTED))
		return method == DMT_METHOD_UNWANTED;
	if (DMT_UNLIKELY(uncaught == NULL ||
	    dmt_thread_time_source(thread) != DMT_TIME_TICKS) ||
	    DMT_UNLIKELY(is_innermost_gone(thread, place)))
		return false;
	const struct dmt_frame frame = {
		.place = place,
		.method = method,
		.tag = *uncaught
	};
	return dmt_thread_record_fast(thread, DMT_TIME_TICKS, &frame,
	    DMTRACE_ENTER);
}

void
__cyg_profile_func_enter(void *function, void *site)
{
	struct dmt_thread_state *thread =
	    dmt_thread_get_cached(DMT_SHIM_RECORDER);
	const uintptr_t place = DMT_HOOKS_PLACE();
	bool done = false;

	(void)site;
	if (thread != NULL) {
		done = dmt_thread_try_event(DMT_SHIM_RECORDER, thread) &&
		    record_enter_fast(thread, function, place);
		dmt_thread_end_event(thread);
	}
	if (DMT_UNLIKELY(!done))
		record_enter_slow(function, place);
}

/* tail: the hook was jumped to. */
DMT_APART static void
record_exit_slow(const void *function, uintptr_t place, bool tail)
{
	uint32_t method;
	struct dmt_times times;
	struct dmt_thread_state *thread = begin_slow_event(function, &method,
	    &times);

	if (thread == NULL)
		return;
	if (is_innermost_frame(thread, method, place))
		dmt_thread_pop_frame(DMT_SHIM_RECORDER, thread,
		    was_frame_thrown(thread, count_exceptions()) ?
		    DMTRACE_UNROLL : DMTRACE_EXIT, &times);
	else
		leave_other_frame(thread, method, place, tail, &times);
	dmt_thread_end_event(thread);
}

/* false: it did nothing. */
DMT_INLINE bool
record_exit_fast(struct dmt_thread_state *thread, const void *function,
    uintptr_t place)
{
	const volatile unsigned *const uncaught = uncaught_exceptions;
	const uint32_t method =
	    dmt_method_find_first(&DMT_SHIM_RECORDER->methods,
	    (uintptr_t)function);

	if (DMT_UNLIKELY(method <= DMT_METHOD_UNWANTED))
		return method == DMT_METHOD_UNWANTED;
	if (DMT_UNLIKELY(uncaught == NULL ||
	    dmt_thread_time_source(thread) != DMT_TIME_TICKS ||
	    !is_innermost_frame(thread, method, place)) ||
	    DMT_UNLIKELY(was_frame_thrown(thread, *uncaught)))
		return false;
	const struct dmt_frame frame = { .method = method };
	return dmt_thread_record_fast(thread, DMT_TIME_TICKS, &frame,
	    DMTRACE_EXIT);
}

void
__cyg_profile_func_exit(void *function, void *site)
{
	struct dmt_thread_state *thread =
	    dmt_thread_get_cached(DMT_SHIM_RECORDER);
	const uintptr_t place = DMT_HOOKS_PLACE();
	bool done = false;

	if (thread != NULL) {
		done = dmt_thread_try_event(DMT_SHIM_RECORDER, thread) &&
		    record_exit_fast(thread, function, place);
		dmt_thread_end_event(thread);
	}
	if (DMT_UNLIKELY(!done))
		record_exit_slow(function, place,
		    __builtin_return_address(0) == site);
}
