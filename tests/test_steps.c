/* test_steps.c - ids at equal distances, and their places in a row */

#include "base/steps.h"
#include "unit.h"

enum { MANY = 1000 };

static const struct {
	const char *label;
	uint64_t first;
	uint64_t step;
} runs[] = {
	{ "one after the other", 0, 4 },
	{ "a power of two apart", 0x80000000, 64 },
	{ "structs of one size", 0x40001234, 52 },
	{ "wider than 32 bits", UINT64_C(0x7f0012345670), 40 },
	{ "over the end of 32 bits", 0xffffff00, 12 },
	{ "over the whole range", 0, UINT64_C(0x4189374bc6a7ec) },
	{ "up to the last one", UINT64_MAX - 3 - 999 * 100, 100 },
};

START_TEST(gives_each_id_its_place)
{
	struct dmt_steps steps = { 0 };
	unsigned wrong = 0;

	for (unsigned i = 0; i < MANY; i++)
		dmt_steps_add(&steps, runs[_i].first + runs[_i].step *
		    (i * 7 % MANY));
	ck_assert_uint_eq(dmt_steps_settle(&steps), MANY);
	ck_assert_uint_eq(steps.step, runs[_i].step);
	for (uint64_t i = 0; i < MANY; i++)
		wrong += dmt_steps_place(&steps,
		    runs[_i].first + i * runs[_i].step) != i;
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

START_TEST(gives_no_other_id_a_place)
{
	struct dmt_steps steps = { 0 };
	const uint64_t last = runs[_i].first + (MANY - 1) * runs[_i].step;
	unsigned wrong = 0;

	dmt_steps_add(&steps, last);
	for (unsigned i = 0; i < MANY; i++)
		dmt_steps_add(&steps, runs[_i].first + i * runs[_i].step);
	ck_assert_uint_eq(dmt_steps_settle(&steps), MANY);
	for (uint64_t beside = 1; beside < 4096; beside++)
		for (unsigned i = 0; i < MANY; i += MANY / 8)
			wrong += beside % runs[_i].step != 0 &&
			    dmt_steps_place(&steps, runs[_i].first +
			    i * runs[_i].step + beside) < MANY;
	wrong += dmt_steps_place(&steps, last + runs[_i].step) < MANY;
	wrong += dmt_steps_place(&steps, runs[_i].first - runs[_i].step) < MANY;
	ck_assert_uint_eq(wrong, 0);
}
END_TEST

static const struct {
	const char *label;
	size_t count;
	uint64_t ids[4];
	uint64_t step;
	uint64_t places;
} few[] = {
	{ "none", 0, { 0 }, 4, 0 },
	{ "one", 1, { 0x20 }, 4, 1 },
	{ "one, three times", 3, { 8, 8, 8 }, 4, 1 },
	{ "two far apart", 2, { 0, UINT64_C(1) << 63 }, UINT64_C(1) << 63, 2 },
	{ "the greatest first", 3, { 100, 60, 0 }, 20, 6 },
	{ "the least between", 4, { 60, 0, 36, 96 }, 12, 9 },
};

START_TEST(steps_are_as_long_as_they_can_be)
{
	struct dmt_steps steps = { 0 };

	for (size_t i = 0; i < few[_i].count; i++)
		dmt_steps_add(&steps, few[_i].ids[i]);
	ck_assert_uint_eq(dmt_steps_settle(&steps), few[_i].places);
	ck_assert_uint_eq(steps.step, few[_i].step);
	for (size_t i = 0; i < few[_i].count; i++)
		ck_assert_uint_eq(dmt_steps_place(&steps, few[_i].ids[i]),
		    (few[_i].ids[i] - steps.first) / few[_i].step);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("steps");
	TCase *tcase = unit_tcase(suite, "steps");

	ADD_CASES(tcase, gives_each_id_its_place, runs);
	ADD_CASES(tcase, gives_no_other_id_a_place, runs);
	ADD_CASES(tcase, steps_are_as_long_as_they_can_be, few);
	return unit_main(suite);
}
