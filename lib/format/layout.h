/* layout.h - layouts: the fields of a record in each version */
#ifndef DMT_FORMAT_LAYOUT_H
#define DMT_FORMAT_LAYOUT_H

#include <dmtrace/event.h>
#include <stdbool.h>

#include "private/event.h"

struct dmt_field {
	uint8_t offset;
	uint8_t width;		/* 0 if the layout lacks this field */
};

/* Times of 4 bytes are microseconds modulo 2^32; times of 8 bytes are
 * nanoseconds, which do not wrap. */
#define DMT_WIDTH_NS 8

struct dmt_layout {
	uint8_t version;
	enum dmtrace_clock clock;	/* THREAD_CPU, WALL or DUAL */
	uint16_t record_size;		/* may be larger than the sum of the
					   fields */
	struct dmt_field thread;
	struct dmt_field method;
	struct dmt_field cpu;
	struct dmt_field wall;
};

/*
 * Finds the layout for the version, clock and record_size (0: the largest size
 * of the version) that a trace states. It is lenient: a single time counts as
 * THREAD_CPU if clock is MISSING, UNKNOWN or DUAL, and as WALL if it is
 * GLOBAL; in version 3, record_size decides if there are one or two times.
 * false: no such version, or it has no records of that size.
 */
bool
dmt_layout_resolve(struct dmt_layout *layout, unsigned version,
    enum dmtrace_clock clock, uint16_t record_size);

/* Changes a layout to that of the same records with another clock in the
 * key. */
void
dmt_layout_set_clock(struct dmt_layout *layout, enum dmtrace_clock clock);

/* Returns the layout of a version and clock, also one that only readers make;
 * NULL: none. */
const struct dmt_layout *
dmt_layout_any(unsigned version, enum dmtrace_clock clock);

/* Returns the layout of a version that has a wall time and, if there is such a
 * one, a CPU time, too: that of a stream, which does not name its clock before
 * its end. */
const struct dmt_layout *
dmt_layout_most(unsigned version);

/* Returns true if the key of a trace with these records may name that clock,
 * as every value that the records have no other clock for does. */
bool
dmt_layout_has_clock(const struct dmt_layout *layout,
    enum dmtrace_clock clock);

/* Returns how many different thread numbers the records can hold. */
static inline size_t
dmt_layout_thread_numbers(const struct dmt_layout *layout)
{
	return (size_t)1 << 8 * layout->thread.width;
}

/* Returns true if thread numbers may need more than 16 bits. */
static inline bool
dmt_layout_is_wide(const struct dmt_layout *layout)
{
	return layout->thread.width > sizeof(uint16_t);
}

/* Return true if the records hold times of that clock. */
static inline bool
dmt_layout_has_cpu(const struct dmt_layout *layout)
{
	return layout->cpu.width != 0;
}

static inline bool
dmt_layout_has_wall(const struct dmt_layout *layout)
{
	return layout->wall.width != 0;
}

/* Returns how many bytes of a record are fields; the others, which follow
 * them, are padding. */
static inline size_t
dmt_layout_fields_size(const struct dmt_layout *layout)
{
	return (size_t)layout->thread.width + layout->method.width +
	    layout->cpu.width + layout->wall.width;
}

/* Returns the size of count records in bytes. */
static inline uint64_t
dmt_records_len(const struct dmt_layout *layout, uint64_t count)
{
	return count * layout->record_size;
}

/* Returns how many whole records fit in len bytes. */
static inline uint64_t
dmt_records_in(const struct dmt_layout *layout, uint64_t len)
{
	return len / layout->record_size;
}

/* Returns true if times are nanoseconds, which never wrap. */
static inline bool
dmt_layout_has_ns(const struct dmt_layout *layout)
{
	return layout->cpu.width == DMT_WIDTH_NS ||
	    layout->wall.width == DMT_WIDTH_NS;
}

/*
 * The layout of trace format V2. The file has no records of this layout: a
 * reader makes them from the events. Thread numbers are those of the kernel,
 * below 2^22. clock is DUAL, THREAD_CPU or WALL.
 */
const struct dmt_layout *
dmt_layout_v2(enum dmtrace_clock clock);

/* Version 3 of the 2015 preview: records of 18 bytes with method ids of 8
 * bytes. */
extern const struct dmt_layout dmt_layout_preview;

#endif
