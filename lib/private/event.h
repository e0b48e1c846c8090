/* event.h - record layouts, and single records as bytes */
#ifndef DMT_PRIVATE_EVENT_H
#define DMT_PRIVATE_EVENT_H

#include <dmtrace/event.h>

/* What the records of one version and clock look like. */
struct dmt_layout;

/*
 * The layout of version 1, 2 or 3 with the times of clock, or NULL where
 * there is none: versions 1 and 2 have no room for DMTRACE_CLOCK_DUAL.
 * Version 3 is 14 bytes with DMTRACE_CLOCK_DUAL, else 10. It lives as long
 * as the program. Thread-safe.
 */
const struct dmt_layout *
dmt_layout_find(unsigned version, enum dmtrace_clock clock);

/* Bytes of a record. Thread-safe. */
size_t
dmt_layout_record_size(const struct dmt_layout *layout);

/* 1, 2 or 3. Thread-safe. */
unsigned
dmt_layout_version(const struct dmt_layout *layout);

/*
 * The times that the records hold: DMTRACE_CLOCK_DUAL both, else
 * DMTRACE_CLOCK_WALL or DMTRACE_CLOCK_THREAD_CPU one. Thread-safe.
 */
enum dmtrace_clock
dmt_layout_clock(const struct dmt_layout *layout);

/*
 * Decodes the record at in, of which len bytes are readable. Times are
 * those of the record: a reader unwraps them, this does not. On failure
 * *event is left as it was. Thread-safe.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_TRUNCATED  len is less than the record size
 */
enum dmtrace_status
dmt_record_decode(struct dmtrace_event *event,
    const struct dmt_layout *layout, const uint8_t *in, size_t len);

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
enum dmtrace_status
dmt_record_encode(uint8_t *out, const struct dmt_layout *layout,
    const struct dmtrace_event *event);

#endif
