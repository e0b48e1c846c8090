/* test_unwrap.c - 64-bit times from 32-bit fields, and findings about them */

#include <dmtrace.h>

#include "data/unwrap.h"
#include "helpers/unit.h"

#define HALF UINT32_C(0x80000000)
#define TURN (UINT64_C(1) << 32)

static void
add_oddities(void *context, unsigned oddities, size_t index)
{
	unsigned *sum = context;

	ck_assert_uint_eq(index, 42);
	*sum |= oddities;
}

/* Takes a time of a version 2 trace; returns what is odd about it. */
static unsigned
take(struct dmt_clocks *clocks, enum dmtrace_clock clock, uint32_t time_us)
{
	unsigned oddities = 0;
	const struct dmt_watch watch = { add_oddities, &oddities };
	uint8_t record[10] = { 0 };

	dmt_put_le32(record + 6, time_us);
	dmt_clocks_take(clocks, dmt_layout_find(2, clock), record, 42,
	    &watch);
	return oddities;
}

static const struct {
	const char *label;
	uint32_t times_us[2];
	uint64_t full_us;
	unsigned oddities;
} steps[] = {
	{ "no step", { 7, 7 }, 7, 0 },
	{ "one ahead", { 7, 8 }, 8, 0 },
	{ "from nothing to the last", { 0, UINT32_MAX }, UINT32_MAX, 0 },
	{ "one back", { 7, 6 }, 6, DMT_ODD_BACK },
	{ "one back in the upper half", { HALF, HALF - 1 }, HALF - 1,
	    DMT_ODD_BACK },
	{ "half a turn back", { HALF, 0 }, 0, DMT_ODD_BACK },
	{ "half a turn back from the last", { UINT32_MAX, HALF - 1 },
	    HALF - 1, DMT_ODD_BACK },
	{ "more than that", { HALF + 1, 0 }, TURN, DMT_ODD_WRAPPED },
	{ "more than that from the last", { UINT32_MAX, HALF - 2 },
	    TURN + HALF - 2, DMT_ODD_WRAPPED },
	{ "from the last to the first", { UINT32_MAX, 0 }, TURN,
	    DMT_ODD_WRAPPED },
};

START_TEST(takes_a_step)
{
	struct dmt_clocks clocks = { { 0, 0 }, { 0, 0 } };

	ck_assert_uint_eq(take(&clocks, DMTRACE_CLOCK_WALL,
	    steps[_i].times_us[0]), 0);
	ck_assert_uint_eq(take(&clocks, DMTRACE_CLOCK_WALL,
	    steps[_i].times_us[1]), steps[_i].oddities);
	ck_assert_uint_eq(dmt_clock_us(&clocks.wall), steps[_i].full_us);
	ck_assert_uint_eq(dmt_clock_us(&clocks.cpu), 0);
}
END_TEST

START_TEST(wraps_again_and_again)
{
	struct dmt_clocks clocks = { { 0, 0 }, { 0, 0 } };

	for (uint64_t turn = 0; turn < 5; turn++) {
		take(&clocks, DMTRACE_CLOCK_THREAD_CPU, 3);
		ck_assert_uint_eq(dmt_clock_us(&clocks.cpu), turn * TURN + 3);
		ck_assert_uint_eq(take(&clocks, DMTRACE_CLOCK_THREAD_CPU,
		    HALF + 4), 0);
		ck_assert_uint_eq(dmt_clock_us(&clocks.cpu),
		    turn * TURN + HALF + 4);
	}
	ck_assert_uint_eq(dmt_clock_us(&clocks.wall), 0);
}
END_TEST

START_TEST(goes_on_from_a_step_back)
{
	struct dmt_clocks clocks = { { 0, 0 }, { 0, 0 } };

	take(&clocks, DMTRACE_CLOCK_WALL, UINT32_MAX);
	take(&clocks, DMTRACE_CLOCK_WALL, 100);
	ck_assert_uint_eq(take(&clocks, DMTRACE_CLOCK_WALL, 90),
	    DMT_ODD_BACK);
	ck_assert_uint_eq(take(&clocks, DMTRACE_CLOCK_WALL, 95), 0);
	ck_assert_uint_eq(dmt_clock_us(&clocks.wall), TURN + 95);
}
END_TEST

/* The last turn whose times all fit 64 bits in nanoseconds. */
#define LAST_TURN UINT32_C(4294966)

START_TEST(stays_in_64_bits_of_nanoseconds)
{
	struct dmt_clocks clocks = { { 0, 0 }, { UINT32_MAX, LAST_TURN - 1 } };

	take(&clocks, DMTRACE_CLOCK_WALL, 1);
	ck_assert_uint_eq(dmt_clock_us(&clocks.wall), LAST_TURN * TURN + 1);
	take(&clocks, DMTRACE_CLOCK_WALL, UINT32_MAX);
	ck_assert_uint_le(dmt_clock_us(&clocks.wall), UINT64_MAX / 1000);
	ck_assert_uint_eq(take(&clocks, DMTRACE_CLOCK_WALL, 2),
	    DMT_ODD_WRAPPED);
	ck_assert_uint_eq(dmt_clock_us(&clocks.wall), LAST_TURN * TURN + 2);
}
END_TEST

START_TEST(reports_of_both_clocks_and_the_action)
{
	static const uint8_t records[2][14] = {
		{ 0, 0, 3, 0, 0, 0, 9, 0, 0, 0, 0xff, 0xff, 0xff, 0xff },
		{ 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0 },
	};
	const struct dmt_layout *layout =
	    dmt_layout_find(3, DMTRACE_CLOCK_DUAL);
	struct dmt_clocks clocks = { { 0, 0 }, { 0, 0 } };
	unsigned oddities = 0;
	const struct dmt_watch watch = { add_oddities, &oddities };

	dmt_clocks_take(&clocks, layout, records[0], 42, &watch);
	ck_assert_uint_eq(oddities, DMT_ODD_RESERVED);
	dmt_clocks_take(&clocks, layout, records[1], 42, &watch);
	ck_assert_uint_eq(oddities,
	    DMT_ODD_RESERVED | DMT_ODD_BACK | DMT_ODD_WRAPPED);
	ck_assert_uint_eq(dmt_clock_us(&clocks.cpu), 8);
	ck_assert_uint_eq(dmt_clock_us(&clocks.wall), TURN);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("unwrap");
	TCase *tcase = unit_tcase(suite, "unwrap");

	ADD_CASES(tcase, takes_a_step, steps);
	tcase_add_test(tcase, wraps_again_and_again);
	tcase_add_test(tcase, goes_on_from_a_step_back);
	tcase_add_test(tcase, stays_in_64_bits_of_nanoseconds);
	tcase_add_test(tcase, reports_of_both_clocks_and_the_action);
	return unit_main(suite);
}
