/* layout.h - what the records of each version look like */
#ifndef DMT_FORMAT_LAYOUT_H
#define DMT_FORMAT_LAYOUT_H

#include <dmtrace/event.h>
#include <stdbool.h>

#include "private/event.h"

struct dmt_field {
	uint8_t offset;
	uint8_t width;		/* 0 if the layout lacks this field */
};

/* Times of 4 bytes are microseconds, modulo 2^32; of 8 bytes nanoseconds, as
 * they are. */
#define DMT_WIDTH_NS 8

struct dmt_layout {
	uint8_t version;
	enum dmtrace_clock clock;	/* THREAD_CPU, WALL or DUAL */
	uint16_t record_size;		/* may be more than the fields need */
	struct dmt_field thread;
	struct dmt_field method;
	struct dmt_field cpu;
	struct dmt_field wall;
};

/*
 * The layout of a trace that says version, clock and record_size (0: the
 * version's own, the largest). Lenient: where there is one time, it is
 * THREAD_CPU for MISSING, UNKNOWN and DUAL, and WALL for GLOBAL; the size
 * decides how many times version 3 has. false: no such version, or it has no
 * such size.
 */
bool
dmt_layout_resolve(struct dmt_layout *layout, unsigned version,
    enum dmtrace_clock clock, uint16_t record_size);

/* Makes it that of a trace of the same records whose key says clock. */
void
dmt_layout_set_clock(struct dmt_layout *layout, enum dmtrace_clock clock);

/* How many thread numbers its records have room for. */
static inline size_t
dmt_layout_thread_numbers(const struct dmt_layout *layout)
{
	return (size_t)1 << 8 * layout->thread.width;
}

/* Whether its records hold times of that clock. */
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

/* Whether its records end with bytes that are of no field. */
static inline bool
dmt_layout_is_padded(const struct dmt_layout *layout)
{
	return layout->record_size > layout->thread.width +
	    layout->method.width + layout->cpu.width + layout->wall.width;
}

/* Bytes of so many records. */
static inline uint64_t
dmt_records_len(const struct dmt_layout *layout, uint64_t count)
{
	return count * layout->record_size;
}

/* Whole records in so many bytes. */
static inline uint64_t
dmt_records_in(const struct dmt_layout *layout, uint64_t len)
{
	return len / layout->record_size;
}

/* Whether its times are nanoseconds, which need no unwrapping. */
static inline bool
dmt_layout_has_ns(const struct dmt_layout *layout)
{
	return layout->cpu.width == DMT_WIDTH_NS ||
	    layout->wall.width == DMT_WIDTH_NS;
}

/*
 * Of trace format V2, whose events have no records in the file: those that a
 * reader makes of them. Threads have the kernel's numbers, which are below
 * 2^22. clock: DUAL, THREAD_CPU or WALL.
 */
const struct dmt_layout *
dmt_layout_v2(enum dmtrace_clock clock);

/* Version 3 of the 2015 preview: 18 bytes, with 8-byte method ids. */
extern const struct dmt_layout dmt_layout_preview;

#endif
