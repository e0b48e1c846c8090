/* dmtrace/event.h - one event, and the record that holds it */
#ifndef DMTRACE_EVENT_H
#define DMTRACE_EVENT_H

#include <dmtrace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The two low bits of a method word (dmtrace.5, RECORDS). */
enum dmtrace_action {
	DMTRACE_ENTER = 0,
	DMTRACE_EXIT = 1,
	DMTRACE_UNROLL = 2,	/* left by an exception */
	DMTRACE_RESERVED = 3	/* no VM writes it */
};

/* What the times of a trace measure: the word of the key's clock line. */
enum dmtrace_clock {
	DMTRACE_CLOCK_MISSING = 0,	/* no such line: read as thread-cpu */
	DMTRACE_CLOCK_THREAD_CPU = 1,
	DMTRACE_CLOCK_WALL = 2,
	DMTRACE_CLOCK_GLOBAL = 3,	/* wall time, as Dalvik 1.0 named it */
	DMTRACE_CLOCK_DUAL = 4,		/* thread CPU and wall */
	DMTRACE_CLOCK_UNKNOWN = 5	/* another word: read as thread-cpu */
};

#define DMTRACE_NO_TIME UINT64_MAX

/* Every dialect fits in it; widths and units belong to the layouts. */
struct dmtrace_event {
	uint64_t method;	/* method id; the action bits are not in it */
	uint64_t cpu_ns;	/* thread CPU time, or DMTRACE_NO_TIME */
	uint64_t wall_ns;	/* wall time, or DMTRACE_NO_TIME */
	uint32_t thread;	/* the record's own thread number */
	enum dmtrace_action action;
};

/* What the records of one version and clock look like. */
struct dmtrace_layout;

/*
 * The layout of version 1, 2 or 3 with the times of clock, or NULL where
 * there is none: versions 1 and 2 have no room for DMTRACE_CLOCK_DUAL.
 * Version 3 is 14 bytes with DMTRACE_CLOCK_DUAL, else 10. It lives as long
 * as the program. Thread-safe.
 */
DMTRACE_API const struct dmtrace_layout *
dmtrace_layout_find(unsigned version, enum dmtrace_clock clock);

/* Bytes of a record. Thread-safe. */
DMTRACE_API size_t
dmtrace_layout_record_size(const struct dmtrace_layout *layout);

/* 1, 2 or 3. Thread-safe. */
DMTRACE_API unsigned
dmtrace_layout_version(const struct dmtrace_layout *layout);

/*
 * The times that the records hold: DMTRACE_CLOCK_DUAL both, else
 * DMTRACE_CLOCK_WALL or DMTRACE_CLOCK_THREAD_CPU one. Thread-safe.
 */
DMTRACE_API enum dmtrace_clock
dmtrace_layout_clock(const struct dmtrace_layout *layout);

/*
 * Decodes the record at in, of which len bytes are readable. Times are
 * those of the record: a reader unwraps them, this does not. On failure
 * *event is left as it was. Thread-safe.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_TRUNCATED  len is less than the record size
 */
DMTRACE_API enum dmtrace_status
dmtrace_record_decode(struct dmtrace_event *event,
    const struct dmtrace_layout *layout, const uint8_t *in, size_t len);

/*
 * Encodes *event to the record size's bytes at out; bytes that the layout
 * has no field for are 0. Times are cut to whole microseconds; one that the
 * layout has no field for is left out. On failure nothing is written.
 * Thread-safe.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_RANGE  the thread number, method id or a time does not fit
 *                      its field, the id has one of its two low bits set, a
 *                      time of the layout is DMTRACE_NO_TIME, or the action
 *                      is not one of the four
 */
DMTRACE_API enum dmtrace_status
dmtrace_record_encode(uint8_t *out, const struct dmtrace_layout *layout,
    const struct dmtrace_event *event);

/*
 * The word of a clock line ("thread-cpu", "wall", "global", "dual"), or ""
 * for DMTRACE_CLOCK_MISSING and DMTRACE_CLOCK_UNKNOWN. Thread-safe.
 */
DMTRACE_API const char *
dmtrace_clock_name(enum dmtrace_clock clock);

/* "enter", "exit", "unroll" or "reserved". Thread-safe. */
DMTRACE_API const char *
dmtrace_action_name(enum dmtrace_action action);

#ifdef __cplusplus
}
#endif

#endif
