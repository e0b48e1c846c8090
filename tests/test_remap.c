/* test_remap.c - ids to other ids, near each other or not */

#include <stdlib.h>

#include "ops/remap.h"
#include "unit.h"

#define MANY 300

static const struct {
	const char *label;
	uint64_t first, step;
	size_t count;
} families[] = {
	{ "none", 0, 4, 0 },
	{ "zero alone", 0, 4, 1 },
	{ "one", 0x80000004, 4, 1 },
	{ "numbers", 4, 4, MANY },
	{ "addresses of 52-byte structs", 0x20008104, 52, MANY },
	{ "addresses of 64-byte structs", 0x20008100, 64, MANY },
	{ "up to 2^32", 0xffffffff - 3 - 4 * (MANY - 1), 4, MANY },
	{ "64 bits", UINT64_C(0x7122334455667788), 24, MANY },
	{ "far apart", 8, UINT64_C(0x10000000000004), MANY },
	{ "two, as far apart as can be", 0, UINT64_MAX - 3, 2 },
};

/* Filled from the last to the first. */
static struct dmt_remap
filled(int row)
{
	struct dmt_remap map = { 0 };

	for (size_t i = families[row].count; i-- > 0;)
		ck_assert(dmt_remap_add(&map, families[row].first +
		    i * families[row].step, (uint32_t)(4 * i)));
	ck_assert(dmt_remap_settle(&map));
	return map;
}

START_TEST(finds_every_id_and_none_between)
{
	struct dmt_remap map = filled(_i);
	const uint64_t step = families[_i].step;
	uint64_t id = families[_i].first;

	for (size_t i = 0; i < families[_i].count; i++, id += step) {
		ck_assert_uint_eq(dmt_remap_find(&map, id), 4 * i);
		for (uint64_t gap = 4; gap < step && gap < 64 &&
		    id + gap > id; gap += 4)
			ck_assert_uint_eq(dmt_remap_find(&map, id + gap),
			    DMT_REMAP_NONE);
	}
	ck_assert_uint_eq(dmt_remap_find(&map, families[_i].first - 4),
	    families[_i].first - 4 == families[_i].first + step &&
	    families[_i].count > 1 ? 4 : DMT_REMAP_NONE);
	dmt_remap_fini(&map);
}
END_TEST

START_TEST(takes_another_id_later)
{
	struct dmt_remap map = filled(_i);
	const uint64_t between = families[_i].first + 8 *
	    (families[_i].step + 4) + 0x1000000004;

	ck_assert_uint_eq(dmt_remap_find(&map, between), DMT_REMAP_NONE);
	ck_assert(dmt_remap_extend(&map, between, 0xfffffffc));
	ck_assert_uint_eq(dmt_remap_find(&map, between), 0xfffffffc);
	dmt_remap_fini(&map);
}
END_TEST

/* With a hole in the table, and without a table. */
START_TEST(of_one_id_the_first_row_counts)
{
	const uint64_t far = _i == 0 ? 16 : UINT64_C(1) << 60;
	struct dmt_remap map = { 0 };

	ck_assert(dmt_remap_add(&map, 4, 8));
	ck_assert(dmt_remap_add(&map, far, 12));
	ck_assert(dmt_remap_add(&map, 4, 16));
	ck_assert(dmt_remap_add(&map, 8, 20));
	ck_assert(dmt_remap_settle(&map));
	ck_assert_int_eq(map.len > 0, _i == 0);
	ck_assert_uint_eq(dmt_remap_find(&map, 4), 8);
	ck_assert_uint_eq(dmt_remap_find(&map, far), 12);
	ck_assert_uint_eq(dmt_remap_find(&map, 12), DMT_REMAP_NONE);
	dmt_remap_fini(&map);
}
END_TEST

/* The rows of two maps, and whether the second has the first one's table. */
static const struct {
	const char *label;
	uint64_t id;
	uint32_t to;
	bool shares;
} others[] = {
	{ "the same", 8, 20, true },
	{ "another method", 8, 24, false },
	{ "another id", 12, 20, false },
	{ "too far for a table", UINT64_C(1) << 60, 20, false },
};

START_TEST(shares_a_table_that_is_the_same)
{
	struct dmt_remap first = { 0 }, second = { 0 };

	ck_assert(dmt_remap_add(&first, 4, 16));
	ck_assert(dmt_remap_add(&first, 8, 20));
	ck_assert(dmt_remap_settle(&first));
	ck_assert(dmt_remap_add(&second, 4, 16));
	ck_assert(dmt_remap_add(&second, others[_i].id, others[_i].to));
	ck_assert(dmt_remap_settle(&second));
	dmt_remap_share(&second, &first);
	ck_assert_int_eq(second.table == first.table, others[_i].shares);
	ck_assert_uint_eq(dmt_remap_find(&second, 4), 16);
	ck_assert_uint_eq(dmt_remap_find(&second, others[_i].id),
	    others[_i].to);
	dmt_remap_fini(&second);
	ck_assert_uint_eq(dmt_remap_find(&first, 8), 20);
	dmt_remap_fini(&first);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("remap");
	TCase *const tcase = unit_tcase(suite, "remap");

	ADD_CASES(tcase, finds_every_id_and_none_between, families);
	ADD_CASES(tcase, takes_another_id_later, families);
	tcase_add_loop_test(tcase, of_one_id_the_first_row_counts, 0, 2);
	ADD_CASES(tcase, shares_a_table_that_is_the_same, others);
	return unit_main(suite);
}
