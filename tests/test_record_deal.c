/* test_record_deal.c - records to the lanes of their threads */

#include <dmtrace.h>
#include <stdbool.h>
#include <string.h>

#include "data/record_deal.h"
#include "unit.h"

/* Version 1: threads 3, 255, 3, 3, 255 at 7, 7, 8, 9 and 2 us. */
static const uint8_t version_1[][9] = {
	{ 3, 4, 0, 0, 0, 7, 0, 0, 0 },
	{ 255, 8, 0, 0, 0, 7, 0, 0, 0 },
	{ 3, 9, 1, 2, 3, 8, 0, 0, 0 },
	{ 3, 5, 0, 0, 0, 9, 0, 0, 0 },
	{ 255, 6, 0, 0, 0, 2, 0, 0, 0 },
};

static struct dmt_deal_lane lanes[65536];
static uint8_t first[64], second[64];

static void
begin(void)
{
	memset(lanes, 0, sizeof(lanes));
	lanes[3] = (struct dmt_deal_lane){ first, 4, 0 };
	lanes[255] = (struct dmt_deal_lane){ second, 4, 1 };
}

static size_t
deal(struct dmt_deal *to, size_t count)
{
	return dmt_records_deal(to, dmtrace_layout_find(1,
	    DMTRACE_CLOCK_WALL), version_1[0], count);
}

START_TEST(each_lane_has_its_records_in_order)
{
	struct dmt_deal to = { .lanes = lanes };

	ck_assert_uint_eq(deal(&to, 5), 5);
	ck_assert_ptr_eq(lanes[3].at, first + 27);
	ck_assert_uint_eq(lanes[3].room, 1);
	ck_assert_int_eq(memcmp(first, version_1[0], 9), 0);
	ck_assert_int_eq(memcmp(first + 9, version_1[2], 18), 0);
	ck_assert_ptr_eq(lanes[255].at, second + 18);
	ck_assert_int_eq(memcmp(second, version_1[1], 9), 0);
	ck_assert_int_eq(memcmp(second + 9, version_1[4], 9), 0);
}
END_TEST

START_TEST(stops_where_a_lane_has_no_room)
{
	struct dmt_deal to = { .lanes = lanes };

	lanes[3].room = 2;
	ck_assert_uint_eq(deal(&to, 5), 3);
	ck_assert_uint_eq(lanes[3].room, 0);
	lanes[3].room = 1;
	lanes[255].room = 0;
	ck_assert_uint_eq(dmt_records_deal(&to, dmtrace_layout_find(1,
	    DMTRACE_CLOCK_WALL), version_1[3], 2), 1);
}
END_TEST

static const struct {
	const char *label;
	bool timed;
	uint32_t rank_3, rank_255;
	size_t count;
	bool unsorted;
} sorted[] = {
	{ "times rise, and the first lane comes first", true, 0, 1, 4, false },
	{ "the same time, and the other lane first",    true, 1, 0, 2, true  },
	{ "times go back",                              true, 0, 1, 5, true  },
	{ "no times, one lane",                        false, 0, 1, 1, false },
	{ "no times, the second lane behind the first", false, 0, 1, 2, false },
	{ "no times, and back to the first",           false, 0, 1, 3, true  },
};

START_TEST(tells_whether_the_records_are_sorted)
{
	struct dmt_deal to = { .lanes = lanes, .timed = sorted[_i].timed };

	lanes[3].rank = sorted[_i].rank_3;
	lanes[255].rank = sorted[_i].rank_255;
	for (size_t i = 0; i < sorted[_i].count; i++)
		ck_assert_uint_eq(dmt_records_deal(&to, dmtrace_layout_find(1,
		    DMTRACE_CLOCK_WALL), version_1[i], 1), 1);
	ck_assert_int_eq(to.unsorted, sorted[_i].unsorted);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("record_deal");
	TCase *const tcase = unit_tcase(suite, "record_deal");

	tcase_add_checked_fixture(tcase, begin, NULL);
	tcase_add_test(tcase, each_lane_has_its_records_in_order);
	tcase_add_test(tcase, stops_where_a_lane_has_no_room);
	ADD_CASES(tcase, tells_whether_the_records_are_sorted, sorted);
	return unit_main(suite);
}
