/* test_name_table.c - tables that keep each name once */

#include <string.h>

#include "base/name_table.h"
#include "helpers/faults.h"
#include "helpers/unit.h"
#include "private/text.h"

/* The first one is the one that the others are compared with. */
static const struct {
	const char *label, *class_name, *name, *signature;
	bool listed;
	bool same, same_with_dots;
} names[] = {
	{ "the same", "p/q/K", "f", "()V", true, true, true },
	{ "dots in the class", "p.q.K", "f", "()V", true, false, true },
	{ "a dot in one place", "p/q.K", "f", "()V", true, false, true },
	{ "another class", "p/q,K", "f", "()V", true, false, false },
	{ "a shorter class", "p/q/", "f", "()V", true, false, false },
	{ "another name", "p/q/K", "g", "()V", true, false, false },
	{ "no name", "p/q/K", "", "()V", true, false, false },
	{ "another signature", "p/q/K", "f", "(.)V", true, false, false },
	{ "an id", "p/q/K", "f", "()V", false, false, false },
	{ "the same bytes in other texts", "p/q/", "Kf", "()V", true, false,
	    false },
};

static struct dmt_name
name_of(size_t row)
{
	return (struct dmt_name){
		.class_name = dmt_text_of(names[row].class_name),
		.name = dmt_text_of(names[row].name),
		.signature = dmt_text_of(names[row].signature),
		.listed = names[row].listed
	};
}

START_TEST(finds_a_name_that_is_the_same)
{
	const struct dmt_name first = name_of(0), other = name_of((size_t)_i);

	for (int dots = 0; dots < 2; dots++) {
		struct dmt_name_table table = { .dots = dots };
		const bool same = dots ? names[_i].same_with_dots :
		    names[_i].same;

		ck_assert_uint_eq(dmt_name_table_intern(&table, &first), 0);
		ck_assert_msg(dmt_name_table_intern(&table, &other) ==
		    (same ? 0 : 1), "%s", names[_i].label);
		ck_assert_uint_eq(table.count, same ? 1 : 2);
		ck_assert(dmt_text_is(table.items[0].class_name, "p/q/K"));
		dmt_name_table_fini(&table);
	}
}
END_TEST

/* A name that is added in any case is another one, and is not found. */
START_TEST(appends_names_that_are_not_found)
{
	const struct dmt_name name = name_of(0);
	struct dmt_name_table table = { .count = 0 };

	ck_assert_uint_eq(dmt_name_table_append(&table, &name), 0);
	ck_assert_uint_eq(dmt_name_table_append(&table, &name), 1);
	ck_assert_uint_eq(dmt_name_table_intern(&table, &name), 2);
	ck_assert_uint_eq(dmt_name_table_append(&table, &name), 3);
	ck_assert_uint_eq(dmt_name_table_intern(&table, &name), 2);
	dmt_name_table_fini(&table);
}
END_TEST

/* Names of more and more bytes, all of them zero: callers' memory is not
 * kept. */
START_TEST(finds_each_of_many_names)
{
	static char bytes[1000];
	struct dmt_name_table table = { .count = 0 };

	for (int times = 0; times < 2; times++) {
		for (uint32_t i = 0; i < sizeof(bytes); i++) {
			char *const copy = calloc(i + 1, 1);
			const struct dmt_name name = {
				.name = { copy, i }
			};

			ck_assert_uint_eq(dmt_name_table_intern(&table,
			    &name), i);
			memset(copy, 'x', i + 1);
			free(copy);
		}
		ck_assert_uint_eq(table.count, sizeof(bytes));
	}
	ck_assert_mem_eq(table.items[999].name.bytes, bytes, 999);
	dmt_name_table_fini(&table);
}
END_TEST

START_TEST(adds_nothing_without_memory)
{
	const struct dmt_name name = name_of(0);

	for (unsigned nth = 1, failed = 1; failed > 0; nth++) {
		struct dmt_name_table table = { .count = 0 };
		uint32_t index;

		fault_arm(FAULT_ALLOC, nth);
		index = dmt_name_table_intern(&table, &name);
		failed = fault_disarm();
		ck_assert_uint_eq(index, failed > 0 ? DMT_NO_NAME : 0);
		ck_assert_uint_eq(table.count, failed == 0);
		ck_assert_uint_eq(dmt_name_table_intern(&table, &name), 0);
		dmt_name_table_fini(&table);
		ck_assert_uint_lt(nth, 10);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("name_table");
	TCase *tcase = unit_tcase(suite, "name_table");

	ADD_CASES(tcase, finds_a_name_that_is_the_same, names);
	tcase_add_test(tcase, appends_names_that_are_not_found);
	tcase_add_test(tcase, finds_each_of_many_names);
	tcase_add_test(tcase, adds_nothing_without_memory);
	return unit_main(suite);
}
