/* event.h - record layouts; single records as bytes */
/* layer: format */
#ifndef DMT_PRIVATE_EVENT_H
#define DMT_PRIVATE_EVENT_H

#include <dmtrace/event.h>

/* The layout of the records of one version and clock. */
struct dmt_layout;

/*
 * Returns the layout of version 1, 2 or 3 with the times of clock. NULL: there
 * is none, as DMTRACE_CLOCK_DUAL does not exist in versions 1 and 2. Records
 * of version 3 have 14 bytes with DMTRACE_CLOCK_DUAL, otherwise 10. It is
 * valid as long as the program runs. Thread-safe.
 */
const struct dmt_layout *
dmt_layout_find(unsigned version, enum dmtrace_clock clock);

/* Returns the size of a record in bytes. Thread-safe. */
size_t
dmt_layout_record_size(const struct dmt_layout *layout);

/* Returns 1, 2 or 3; in trace format V2, 4 or 5. Thread-safe. */
unsigned
dmt_layout_version(const struct dmt_layout *layout);

/*
 * Returns which times the records hold: DMTRACE_CLOCK_DUAL for both, otherwise
 * DMTRACE_CLOCK_WALL or DMTRACE_CLOCK_THREAD_CPU. Thread-safe.
 */
enum dmtrace_clock
dmt_layout_clock(const struct dmt_layout *layout);

/*
 * Decodes the record at in, of which len bytes are readable. Times are those
 * in the record; unlike a reader, it does not unwrap them. On failure *event
 * is unchanged. Thread-safe.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_TRUNCATED  len is less than the record size
 */
enum dmtrace_status
dmt_record_decode(struct dmtrace_event *event,
    const struct dmt_layout *layout, const uint8_t *in, size_t len);

/*
 * Encodes *event to out, which has the size of a record; bytes that belong to
 * no field are 0. Times are rounded down to microseconds; a time that the
 * layout lacks is left out. On failure nothing is written. Thread-safe.
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
