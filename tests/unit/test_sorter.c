/* test_sorter.c - items in order, through runs in a temporary file */

#include <dmtrace.h>

#include <stdlib.h>

#include "helpers/failing.h"
#include "helpers/random.h"
#include "helpers/unit.h"
#include "import/sorter.h"

struct item {
	uint64_t key, position;
};

static int
compare_items(const void *a, const void *b)
{
	const struct item *const one = a, *const other = b;

	if (one->key != other->key)
		return one->key < other->key ? -1 : 1;
	return (one->position > other->position) -
	    (one->position < other->position);
}

static const struct {
	const char *label;
	unsigned count, keys;
	bool rising;
	size_t memory;
	size_t runs;			/* in the spool */
} orders[] = {
	{ "no items", 0, 1, false, 1024, 0 },
	{ "one block", 64, 10, false, 1024, 0 },
	{ "one item more", 65, 10, false, 1024, 2 },
	{ "many equal keys", 5000, 3, false, 1024, 79 },
	{ "different keys", 5000, 1000000, false, 1024, 79 },
	{ "in order, one run", 5000, 1000000, true, 1024, 1 },
	{ "blocks of one item", 30, 1, true, 1, 1 },
};

/* Adds the items of a row. */
static bool
add_items(struct dmt_sorter *sorter, int row)
{
	uint64_t seed = 5;

	dmt_sorter_init(sorter, sizeof(struct item), compare_items,
	    orders[row].memory);
	for (unsigned i = 0; i < orders[row].count; i++) {
		const struct item item = {
			orders[row].rising ? i :
			    next_random(&seed) % orders[row].keys, i
		};

		if (!dmt_sorter_add(sorter, &item))
			return false;
	}
	return dmt_sorter_finish(sorter);
}

START_TEST(returns_all_items_in_order)
{
	struct dmt_sorter sorter;
	struct item last = { 0, 0 };
	const struct item *item;
	uint64_t positions = 0;
	unsigned count = 0;

	ck_assert(add_items(&sorter, _i));
	ck_assert_uint_eq(sorter.run_count, orders[_i].runs);
	for (; (item = dmt_sorter_next(&sorter)) != NULL; count++) {
		ck_assert(count == 0 || compare_items(&last, item) < 0);
		last = *item;
		positions += item->position;
	}
	ck_assert_uint_eq(count, orders[_i].count);
	ck_assert_uint_eq(sorter.total, count);
	ck_assert_uint_eq(positions,
	    count * (uint64_t)(count == 0 ? 0 : count - 1) / 2);
	ck_assert_int_eq(sorter.error.status, DMTRACE_OK);
	dmt_sorter_fini(&sorter);
}
END_TEST

START_TEST(a_failure_ends_it)
{
	struct failing failing = { .kind = all_faults[_i],
	    .harmless = FAULT_CLOSE };

	do {
		struct dmt_sorter sorter;

		failing_arm(&failing);
		add_items(&sorter, 3);
		while (dmt_sorter_next(&sorter) != NULL)
			;
		failing_reported(&failing, sorter.error.status);
		dmt_sorter_fini(&sorter);
	} while (failing.failed);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("sorter");
	TCase *const tcase = unit_tcase(suite, "sorter");

	ADD_CASES(tcase, returns_all_items_in_order, orders);
	ADD_CASES(tcase, a_failure_ends_it, all_faults);
	return unit_main(suite);
}
