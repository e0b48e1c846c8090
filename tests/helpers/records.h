/* records.h - records and their events, for the tests of both directions */

#ifndef RECORDS_H
#define RECORDS_H

#include <dmtrace.h>
#include <string.h>

#include "data/unwrap.h"
#include "helpers/events.h"
#include "helpers/random.h"
#include "helpers/unit.h"

#define NO_TIME DMTRACE_NO_TIME
#define CPU DMTRACE_CLOCK_THREAD_CPU
#define WALL DMTRACE_CLOCK_WALL
#define DUAL DMTRACE_CLOCK_DUAL

/* What a trace says of its records: see dmt_layout_resolve. */
struct dialect {
	unsigned version;
	enum dmtrace_clock clock;
	uint16_t record_size;
};

static const struct dialect dialects[] = {
	{ 1, CPU, 9 }, { 1, WALL, 9 }, { 2, CPU, 10 }, { 2, WALL, 10 },
	{ 3, CPU, 10 }, { 3, WALL, 10 }, { 3, CPU, 11 }, { 3, WALL, 12 },
	{ 3, CPU, 13 }, { 3, DUAL, 14 }, { 3, DUAL, 15 }, { 3, DUAL, 16 },
	{ 3, DUAL, 17 }, { 3, DUAL, 18 }, { 3, DUAL, 19 }, { 3, DUAL, 20 },
	{ 3, DUAL, 1186 }, { 3, DUAL, 65535 },
	{ 4, CPU, 19 }, { 4, WALL, 19 }, { 5, DUAL, 27 },
};

/* Records that no loop over them should stumble at, each with its event. */
static const struct {
	const char *label;
	struct dialect dialect;
	uint8_t bytes[28];
	struct dmtrace_event event;
} records[] = {
	{ "version 1", { 1, CPU, 9 },
	    { 0x11, 0x25, 0x32, 0x43, 0x54, 0x65, 0x76, 0x07, 0x18 },
	    { 0x54433224, UINT64_C(0x18077665) * 1000, NO_TIME, 0x11,
	    DMTRACE_EXIT } },
	{ "version 1, wall", { 1, WALL, 9 },
	    { 0x11, 0x25, 0x32, 0x43, 0x54, 0x65, 0x76, 0x07, 0x18 },
	    { 0x54433224, NO_TIME, UINT64_C(0x18077665) * 1000, 0x11,
	    DMTRACE_EXIT } },
	{ "version 1, the largest of all", { 1, CPU, 9 },
	    { 255, 255, 255, 255, 255, 255, 255, 255, 255 },
	    { 0xfffffffc, UINT64_C(4294967295000), NO_TIME, 255,
	    DMTRACE_RESERVED } },
	{ "version 2", { 2, CPU, 10 },
	    { 0xf1, 0xe2, 0xd4, 0xc5, 0xb6, 0xa7, 0x98, 0x89, 0x7a, 0x6b },
	    { 0xa7b6c5d4, UINT64_C(0x6b7a8998) * 1000, NO_TIME, 0xe2f1,
	    DMTRACE_ENTER } },
	{ "version 2, wall", { 2, WALL, 10 },
	    { 0xf1, 0xe2, 0xd4, 0xc5, 0xb6, 0xa7, 0x98, 0x89, 0x7a, 0x6b },
	    { 0xa7b6c5d4, NO_TIME, UINT64_C(0x6b7a8998) * 1000, 0xe2f1,
	    DMTRACE_ENTER } },
	{ "version 2, thread 65535", { 2, WALL, 10 },
	    { 255, 255, 2, 0, 0, 0x80, 0, 0, 0, 0x80 },
	    { 0x80000000, NO_TIME, UINT64_C(2147483648000), 65535,
	    DMTRACE_UNROLL } },
	{ "version 3", { 3, DUAL, 14 },
	    { 0x01, 0x12, 0x26, 0x34, 0x45, 0x56, 0x67, 0x78, 0x89, 0x9a,
	    0xab, 0xbc, 0xcd, 0xde },
	    { 0x56453424, UINT64_C(0x9a897867) * 1000,
	    UINT64_C(0xdecdbcab) * 1000, 0x1201, DMTRACE_UNROLL } },
	{ "version 3 with one time", { 3, CPU, 10 },
	    { 0x01, 0x12, 0x26, 0x34, 0x45, 0x56, 0x67, 0x78, 0x89, 0x9a },
	    { 0x56453424, UINT64_C(0x9a897867) * 1000, NO_TIME, 0x1201,
	    DMTRACE_UNROLL } },
	{ "version 3 with one time and a rest", { 3, WALL, 13 },
	    { 0x01, 0x12, 0x27, 0x34, 0x45, 0x56, 0x67, 0x78, 0x89, 0x9a },
	    { 0x56453424, NO_TIME, UINT64_C(0x9a897867) * 1000, 0x1201,
	    DMTRACE_RESERVED } },
	{ "version 3 with a rest", { 3, DUAL, 20 },
	    { 0x01, 0x12, 0x26, 0x34, 0x45, 0x56, 0x67, 0x78, 0x89, 0x9a,
	    0xab, 0xbc, 0xcd, 0xde },
	    { 0x56453424, UINT64_C(0x9a897867) * 1000,
	    UINT64_C(0xdecdbcab) * 1000, 0x1201, DMTRACE_UNROLL } },
	{ "trace format V2", { 5, DUAL, 27 },
	    { 0x01, 0x12, 0x23, 0x36, 0x45, 0x56, 0x67, 0x78, 0x89, 0x9a,
	    0xab, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x21, 0x22,
	    0x23, 0x24, 0x25, 0x26, 0x27, 0x28 },
	    { UINT64_C(0xab9a897867564534), UINT64_C(0x1817161514131211),
	    UINT64_C(0x2827262524232221), 0x231201, DMTRACE_UNROLL } },
	{ "trace format V2, wall", { 4, WALL, 19 },
	    { 0x01, 0x12, 0x23, 0x35, 0x45, 0x56, 0x67, 0x78, 0x89, 0x9a,
	    0xab, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28 },
	    { UINT64_C(0xab9a897867564534), NO_TIME,
	    UINT64_C(0x2827262524232221), 0x231201, DMTRACE_EXIT } },
};

/* The 2015 preview's, with an 8-byte method id. */
static const uint8_t preview_bytes[18] = {
	0x01, 0x12, 0x25, 0x34, 0x45, 0x56, 0x67, 0x78, 0x89, 0x9a,
	0xab, 0xbc, 0xcd, 0xde, 0xef, 0xf0, 0x0f, 0x1e,
};
static const struct dmtrace_event preview_event = {
	UINT64_C(0x9a89786756453424), UINT64_C(0xdecdbcab) * 1000,
	UINT64_C(0x1e0ff0ef) * 1000, 0x1201, DMTRACE_EXIT
};

static inline struct dmt_layout
layout_of(const struct dialect *dialect)
{
	struct dmt_layout layout;

	if (dialect->version > 3)
		return *dmt_layout_v2(dialect->clock);
	ck_assert(dmt_layout_resolve(&layout, dialect->version,
	    dialect->clock, dialect->record_size));
	return layout;
}

#define RUN 150

/* RUN records of random bytes, of threads 0, 1 and the last one. The caller
 * frees them. */
static inline uint8_t *
random_run(const struct dmt_layout *layout)
{
	static const uint8_t threads[] = { 0, 1, 255 };
	const size_t size = layout->record_size;
	uint8_t *run = malloc(RUN * size);
	uint64_t seed = size + layout->clock;

	for (size_t i = 0; i < RUN * size; i++)
		run[i] = (uint8_t)(next_random(&seed) >> 32);
	for (size_t i = 0; i < RUN; i++)
		memset(run + i * size, threads[next_random(&seed) % 3],
		    layout->thread.width);
	return run;
}

/* What a watch was reported of each record, base records before the batch. */
struct oddities {
	unsigned of[RUN];
	size_t base;
};

static inline void
note_odd(void *context, unsigned oddities, size_t index)
{
	struct oddities *noted = context;

	ck_assert_uint_ne(oddities, 0);
	ck_assert_uint_lt(noted->base + index, RUN);
	ck_assert_uint_eq(noted->of[noted->base + index], 0);
	noted->of[noted->base + index] = oddities;
}

#endif
