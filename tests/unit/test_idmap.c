/* test_idmap.c - maps from ids to small numbers */

#include "base/idmap.h"
#include "helpers/faults.h"
#include "helpers/unit.h"

enum { MANY = 100000 };

/* Ids that a careless hash would put in one slot. */
static const struct {
	const char *label;
	uint64_t first;
	uint64_t step;
} runs[] = {
	{ "one after the other", 0, 1 },
	{ "methods of a VM", 0x80000000, 4 },
	{ "the same low 32 bits", 12, UINT64_C(1) << 32 },
	{ "the same low 47 bits", 0, UINT64_C(1) << 47 },
	{ "down from the largest", UINT64_MAX, UINT64_MAX },
};

START_TEST(finds_what_was_added)
{
	struct dmt_idmap map = { 0 };
	uint64_t id = runs[_i].first;
	unsigned wrong = 0;

	for (uint32_t i = 0; i < MANY; i++, id += runs[_i].step)
		wrong += dmt_idmap_find(&map, id) != NULL ||
		    !dmt_idmap_add(&map, id, i);
	id = runs[_i].first;
	for (uint32_t i = 0; i < MANY; i++, id += runs[_i].step) {
		const uint32_t *value = dmt_idmap_find(&map, id);
		wrong += value == NULL || *value != i;
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_eq(map.count, MANY);
	ck_assert_ptr_null(dmt_idmap_find(&map, id));
	dmt_idmap_fini(&map);
}
END_TEST

START_TEST(finds_nothing_in_an_empty_map)
{
	struct dmt_idmap map = { 0 };

	ck_assert_ptr_null(dmt_idmap_find(&map, 0));
	ck_assert(dmt_idmap_reserve(&map));
	ck_assert_ptr_null(dmt_idmap_find(&map, 0));
	dmt_idmap_fini(&map);
	ck_assert_ptr_null(dmt_idmap_find(&map, 0));
}
END_TEST

START_TEST(changes_a_value_in_place)
{
	struct dmt_idmap map = { 0 };

	ck_assert(dmt_idmap_add(&map, 0, 1));
	*dmt_idmap_find(&map, 0) = UINT32_MAX;
	ck_assert_uint_eq(*dmt_idmap_find(&map, 0), UINT32_MAX);
	ck_assert_uint_eq(map.count, 1);
	dmt_idmap_fini(&map);
}
END_TEST

START_TEST(puts_an_id_once)
{
	struct dmt_idmap map = { 0 };

	ck_assert(dmt_idmap_reserve(&map));
	ck_assert(dmt_idmap_put(&map, 0, 7));
	ck_assert(!dmt_idmap_put(&map, 0, 8));
	ck_assert_uint_eq(*dmt_idmap_find(&map, 0), 7);
	ck_assert_uint_eq(map.count, 1);
	dmt_idmap_fini(&map);
}
END_TEST

START_TEST(gets_a_value_that_is_added_if_it_is_new)
{
	struct dmt_idmap map = { 0 };

	fault_arm(FAULT_ALLOC, 1);
	ck_assert_ptr_null(dmt_idmap_at(&map, 9));
	fault_disarm();
	ck_assert_uint_eq(map.count, 0);
	*dmt_idmap_at(&map, 9) += 7;
	ck_assert_uint_eq(*dmt_idmap_at(&map, 9), 7);
	ck_assert_uint_eq(*dmt_idmap_find(&map, 9), 7);
	ck_assert_uint_eq(map.count, 1);
	dmt_idmap_fini(&map);
}
END_TEST

START_TEST(adds_without_memory_what_was_reserved)
{
	struct dmt_idmap map = { 0 };
	unsigned failed = 0, refused = 0;

	for (uint32_t i = 0; i < 100; i++) {
		failed += !dmt_idmap_reserve(&map);
		fault_arm(FAULT_ALLOC, 1);
		failed += !dmt_idmap_add(&map, i, i);
		refused += fault_disarm();
	}
	ck_assert_uint_eq(failed, 0);
	ck_assert_uint_eq(refused, 0);
	dmt_idmap_fini(&map);
}
END_TEST

START_TEST(is_unchanged_without_memory)
{
	struct dmt_idmap map = { 0 };
	unsigned refusals = 0;

	for (uint32_t i = 0; i < 100; i++) {
		fault_arm(FAULT_ALLOC, 1);
		const bool added = dmt_idmap_add(&map, i, i);
		ck_assert_int_eq(added, !fault_disarm());
		refusals += !added;
		ck_assert_uint_eq(map.count, i + added);
		if (!added)
			ck_assert(dmt_idmap_add(&map, i, i));
	}
	ck_assert_uint_gt(refusals, 2);
	for (uint32_t i = 0; i < 100; i++)
		ck_assert_uint_eq(*dmt_idmap_find(&map, i), i);
	dmt_idmap_fini(&map);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("idmap");
	TCase *tcase = unit_tcase(suite, "idmap");

	ADD_CASES(tcase, finds_what_was_added, runs);
	tcase_add_test(tcase, finds_nothing_in_an_empty_map);
	tcase_add_test(tcase, changes_a_value_in_place);
	tcase_add_test(tcase, puts_an_id_once);
	tcase_add_test(tcase, gets_a_value_that_is_added_if_it_is_new);
	tcase_add_test(tcase, adds_without_memory_what_was_reserved);
	tcase_add_test(tcase, is_unchanged_without_memory);
	return unit_main(suite);
}
