/* dmtrace/event.h - events, their actions and clocks */
#ifndef DMTRACE_EVENT_H
#define DMTRACE_EVENT_H

#include <dmtrace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What happened. */
enum dmtrace_action {
	DMTRACE_ENTER = 0,
	DMTRACE_EXIT = 1,
	DMTRACE_UNROLL = 2,	/* exit by an exception */
	DMTRACE_RESERVED = 3	/* not written by any VM */
};

/* What the times of a trace measure, by the clock line of its key. */
enum dmtrace_clock {
	DMTRACE_CLOCK_MISSING = 0,	/* no clock line: as THREAD_CPU */
	DMTRACE_CLOCK_THREAD_CPU = 1,
	DMTRACE_CLOCK_WALL = 2,
	DMTRACE_CLOCK_GLOBAL = 3,	/* wall time, as Dalvik 1.0 named it */
	DMTRACE_CLOCK_DUAL = 4,		/* thread CPU and wall */
	DMTRACE_CLOCK_UNKNOWN = 5	/* another name: as THREAD_CPU */
};

/* A time that an event does not have. */
#define DMTRACE_NO_TIME UINT64_MAX

/* One event, of any dialect. Times are nanoseconds since the start of the
 * trace. */
struct dmtrace_event {
	uint64_t method;	/* method id, a multiple of 4 */
	uint64_t cpu_ns;	/* thread CPU time, or DMTRACE_NO_TIME */
	uint64_t wall_ns;	/* wall time, or DMTRACE_NO_TIME */
	uint32_t thread;	/* thread number */
	enum dmtrace_action action;
};

/* The name of a clock in a key: "thread-cpu", "wall", "global" or "dual"; ""
 * for another one. Thread-safe. */
DMTRACE_API const char *
dmtrace_clock_name(enum dmtrace_clock clock);

/* "enter", "exit", "unroll" or "reserved"; "" for another number.
 * Thread-safe. */
DMTRACE_API const char *
dmtrace_action_name(enum dmtrace_action action);

#ifdef __cplusplus
}
#endif

#endif
