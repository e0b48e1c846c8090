/* test_layout.c - the layout of a version, a clock and a record size */

#include <dmtrace.h>
#include <limits.h>

#include "format/layout.h"
#include "helpers/unit.h"

#define MISSING DMTRACE_CLOCK_MISSING
#define CPU DMTRACE_CLOCK_THREAD_CPU
#define WALL DMTRACE_CLOCK_WALL
#define GLOBAL DMTRACE_CLOCK_GLOBAL
#define DUAL DMTRACE_CLOCK_DUAL
#define UNKNOWN DMTRACE_CLOCK_UNKNOWN

static const struct {
	unsigned version;
	enum dmtrace_clock clock;
	size_t size;
	enum dmtrace_clock times;
} found[] = {
	{ 1, MISSING, 9, CPU },
	{ 1, CPU, 9, CPU },
	{ 1, WALL, 9, WALL },
	{ 1, GLOBAL, 9, WALL },
	{ 1, UNKNOWN, 9, CPU },
	{ 2, MISSING, 10, CPU },
	{ 2, CPU, 10, CPU },
	{ 2, WALL, 10, WALL },
	{ 2, GLOBAL, 10, WALL },
	{ 2, UNKNOWN, 10, CPU },
	{ 3, MISSING, 10, CPU },
	{ 3, CPU, 10, CPU },
	{ 3, WALL, 10, WALL },
	{ 3, GLOBAL, 10, WALL },
	{ 3, DUAL, 14, DUAL },
	{ 3, UNKNOWN, 10, CPU },
};

START_TEST(finds_a_layout)
{
	const struct dmt_layout *layout =
	    dmt_layout_find(found[_i].version, found[_i].clock);

	ck_assert_ptr_nonnull(layout);
	ck_assert_uint_eq(dmt_layout_version(layout), found[_i].version);
	ck_assert_uint_eq(dmt_layout_record_size(layout), found[_i].size);
	ck_assert_int_eq(dmt_layout_clock(layout), found[_i].times);
}
END_TEST

static const struct {
	unsigned version;
	int clock;
} absent[] = {
	{ 0, WALL },
	{ 1, DUAL },
	{ 2, DUAL },
	{ 4, WALL },
	{ 0xf3, DUAL },
	{ UINT_MAX, WALL },
	{ 3, UNKNOWN + 1 },
	{ 3, -1 },
};

START_TEST(finds_no_layout)
{
	ck_assert_ptr_null(dmt_layout_find(absent[_i].version,
	    (enum dmtrace_clock)absent[_i].clock));
}
END_TEST

static const struct {
	unsigned version;
	enum dmtrace_clock clock;
	uint16_t stated;
	size_t size;
	enum dmtrace_clock times;
	unsigned numbers;		/* of threads */
} resolved[] = {
	{ 1, MISSING, 0, 9, CPU, 256 },
	{ 1, GLOBAL, 9, 9, WALL, 256 },
	{ 1, DUAL, 9, 9, CPU, 256 },
	{ 2, UNKNOWN, 0, 10, CPU, 65536 },
	{ 2, WALL, 10, 10, WALL, 65536 },
	{ 2, DUAL, 0, 10, CPU, 65536 },
	{ 3, MISSING, 0, 14, DUAL, 65536 },
	{ 3, WALL, 0, 14, DUAL, 65536 },
	{ 3, DUAL, 10, 10, CPU, 65536 },
	{ 3, CPU, 11, 11, CPU, 65536 },
	{ 3, GLOBAL, 12, 12, WALL, 65536 },
	{ 3, WALL, 13, 13, WALL, 65536 },
	{ 3, WALL, 14, 14, DUAL, 65536 },
	{ 3, DUAL, 15, 15, DUAL, 65536 },
	{ 3, MISSING, 1186, 1186, DUAL, 65536 },
	{ 3, UNKNOWN, 65535, 65535, DUAL, 65536 },
};

START_TEST(resolves_what_a_trace_says)
{
	struct dmt_layout layout;

	ck_assert(dmt_layout_resolve(&layout, resolved[_i].version,
	    resolved[_i].clock, resolved[_i].stated));
	ck_assert_uint_eq(layout.version, resolved[_i].version);
	ck_assert_uint_eq(layout.record_size, resolved[_i].size);
	ck_assert_int_eq(layout.clock, resolved[_i].times);
	ck_assert_uint_eq(dmt_layout_thread_numbers(&layout),
	    resolved[_i].numbers);
}
END_TEST

static const struct {
	unsigned version;
	uint16_t stated;
} unresolved[] = {
	{ 0, 0 }, { 0, 9 }, { 1, 1 }, { 1, 8 }, { 1, 10 }, { 1, 14 },
	{ 2, 9 }, { 2, 11 }, { 2, 14 }, { 3, 1 }, { 3, 9 }, { 4, 0 },
	{ 4, 14 }, { 0xf2, 10 }, { 0xf3, 14 },
};

START_TEST(resolves_nothing_else)
{
	struct dmt_layout layout = { .version = 77 };

	ck_assert(!dmt_layout_resolve(&layout, unresolved[_i].version, WALL,
	    unresolved[_i].stated));
	ck_assert_uint_eq(layout.version, 77);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("layout");
	TCase *tcase = unit_tcase(suite, "layout");

	ADD_CASES(tcase, finds_a_layout, found);
	ADD_CASES(tcase, finds_no_layout, absent);
	ADD_CASES(tcase, resolves_what_a_trace_says, resolved);
	ADD_CASES(tcase, resolves_nothing_else, unresolved);
	return unit_main(suite);
}
