/* test_rank.c - the rank test, against published tables and by counting */

#include <dmtrace/verify.h>
#include <string.h>

#include "helpers/unit.h"
#include "private/verify.h"
#include "verify/diff/rank.h"

/*
 * How often U is so small or smaller, for two sets of n: H. B. Mann and D. R.
 * Whitney, On a test of whether one of two random variables is stochastically
 * larger than the other, Annals of Mathematical Statistics 18 (1947), table I.
 */
static const struct {
	size_t n;
	double below[33];
	size_t count;
} tables[] = {
	{ 3, { .050, .100, .200, .350, .500 }, 5 },
	{ 4, { .014, .029, .057, .100, .171, .243, .343, .443 }, 8 },
	{ 5, { .004, .008, .016, .028, .048, .075, .111, .155, .210, .274,
	    .345, .421, .500 }, 13 },
	{ 6, { .001, .002, .004, .008, .013, .021, .032, .047, .066, .090,
	    .120, .155, .197, .242, .294, .350, .409, .469 }, 18 },
	{ 7, { .000, .001, .001, .002, .003, .006, .009, .013, .019, .027,
	    .036, .049, .064, .082, .104, .130, .159, .191, .228, .267, .310,
	    .355, .402, .451, .500 }, 25 },
	{ 8, { .000, .000, .000, .001, .001, .001, .002, .003, .005, .007,
	    .010, .014, .019, .025, .032, .041, .052, .065, .080, .097, .117,
	    .139, .164, .191, .221, .253, .287, .323, .360, .399, .439,
	    .480 }, 32 },
};

START_TEST(agrees_with_published_tables)
{
	struct dmt_rank_plan plan;

	dmt_rank_plan_init(&plan, tables[_i].n, tables[_i].n, 0.05);
	for (size_t u = 0; u < tables[_i].count; u++)
		ck_assert_double_eq_tol(plan.p[u] / 2, tables[_i].below[u],
		    0.000501);
}
END_TEST

#define MANY 26

/* Counted by hand, or as the references have it. */
static const struct {
	const char *label;
	size_t a_count, b_count;
	int64_t a[MANY], b[MANY];
	double p, shift, delta, detectable;
	double tolerance;
} sets[] = {
	{ "three and three, apart: 2 of 20", 3, 3, { 1, 2, 3 }, { 4, 5, 6 },
	    0.1, 3, 1, -1, 1e-12 },
	{ "the other way round", 3, 3, { 4, 5, 6 }, { 1, 2, 3 },
	    0.1, -3, -1, -1, 1e-12 },
	{ "in any order, two across: 4 of 20", 3, 3, { 4, 1, 2 },
	    { 6, 3, 5 }, 0.2, 2, 7.0 / 9, -1, 1e-12 },
	{ "four and four, apart: 2 of 70", 4, 4, { 1, 2, 3, 4 },
	    { 11, 12, 13, 14 }, 2.0 / 70, 10, 1, 3, 1e-12 },
	{ "five and five, apart: 2 of 252", 5, 5, { 10, 11, 12, 13, 14 },
	    { 20, 21, 22, 23, 24 }, 2.0 / 252, 10, 1, 3, 1e-12 },
	{ "all the same", 4, 3, { 7, 7, 7, 7 }, { 7, 7, 7 }, 1, 0, 0, -1,
	    1e-12 },
	{ "one that is far off does not matter", 4, 4, { 1, 2, 3, 4 },
	    { 11, 12, 13, INT64_MAX }, 2.0 / 70, 10, 1,
	    (double)(INT64_C(1) << 60) - 11, 1000 },
	/* U is 4, and the variance 2 * 2 / 12 * (5 - 12 / 12): z is
	 * (2 - 0.5) / sqrt(4 / 3). */
	{ "ties", 2, 2, { 1, 1 }, { 2, 2 }, 0.193930852, 1, 1, -1, 1e-9 },
	{ "one and one", 1, 1, { 5 }, { 9 }, 1, 4, 1, -1, 1e-12 },
	/* M. Hollander and D. A. Wolfe, Nonparametric Statistical Methods
	 * (1973), page 69: W = 35, one way p is 0.1272. */
	{ "Hollander and Wolfe", 5, 10, { 115, 88, 90, 74, 121 },
	    { 80, 83, 189, 104, 145, 138, 191, 164, 73, 146 },
	    0.2544, 30.5, 0.4, 45.5, 0.0001 },
	/* Ozone in New York, May and August 1973, the example of R's
	 * wilcox.test: W = 127.5, p is 0.0001208, with ties. */
	{ "Chambers and others", 26, 26,
	    { 41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30,
	    11, 1, 11, 4, 32, 23, 45, 115, 37 },
	    { 39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31,
	    44, 21, 9, 45, 168, 73, 76, 118, 84, 85 },
	    0.0001208, 32, 1 - 2 * 127.5 / 676, 21, 0.0000001 },
};

/* Compares two sets in any order. */
static struct dmt_rank_test
compare_sets(const int64_t *a, size_t a_count, const int64_t *b,
    size_t b_count, double alpha)
{
	struct dmt_rank_plan plan;
	struct dmt_rank_test test;
	int64_t low[MANY], high[MANY];

	memcpy(low, a, a_count * sizeof(*a));
	memcpy(high, b, b_count * sizeof(*b));
	dmt_rank_sort(low, a_count);
	dmt_rank_sort(high, b_count);
	dmt_rank_plan_init(&plan, a_count, b_count, alpha);
	dmt_rank_compare(&test, &plan, low, high);
	return test;
}

START_TEST(agrees_with_what_was_counted_by_hand)
{
	const struct dmt_rank_test test = compare_sets(sets[_i].a,
	    sets[_i].a_count, sets[_i].b, sets[_i].b_count, 0.05);
	const double tolerance = sets[_i].tolerance;
	ck_assert_msg(test.p - sets[_i].p < tolerance &&
	    sets[_i].p - test.p < tolerance, "%s: p %.9f", sets[_i].label,
	    test.p);
	ck_assert_double_eq_tol(test.delta, sets[_i].delta, 1e-12);
	ck_assert_msg(test.shift - sets[_i].shift < 1e-9 &&
	    sets[_i].shift - test.shift < 1e-9, "%s: shift %g",
	    sets[_i].label, test.shift);
	ck_assert_msg(test.detectable - sets[_i].detectable < 1000 *
	    tolerance + 1e-9 && sets[_i].detectable - test.detectable < 1000 *
	    tolerance + 1e-9, "%s: detectable %g", sets[_i].label,
	    test.detectable);
}
END_TEST

/* Returns twice the number of pairs in which the figure of the second set is
 * greater. Bit i of chosen is set if figure i is in the first set. */
static int
twice_u(const int *figures, unsigned count, unsigned chosen)
{
	int sum = 0;

	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; j < count; j++)
			if ((chosen >> i & 1) && !(chosen >> j & 1))
				sum += figures[j] > figures[i] ? 2 :
				    figures[j] == figures[i];
	return sum;
}

static unsigned
bits_of(unsigned word)
{
	unsigned bits = 0;

	for (; word != 0; word &= word - 1)
		bits++;
	return bits;
}

/* All choices of the first set, one by one. */
static double
count_all(const int *figures, unsigned count, unsigned a_count)
{
	const int middle = (int)(a_count * (count - a_count));
	const int far =
	    abs(twice_u(figures, count, (1u << a_count) - 1) - middle);
	unsigned found = 0, all = 0;

	for (unsigned chosen = 0; chosen < 1u << count; chosen++) {
		if (bits_of(chosen) != a_count)
			continue;
		all++;
		found += abs(twice_u(figures, count, chosen) - middle) >= far;
	}
	return (double)found / all;
}

/* Figures that all differ, as each has its position in its last bits. */
START_TEST(agrees_with_all_permutations)
{
	unsigned seed = (unsigned)_i * 2654435761u + 1;
	int figures[10];
	int64_t wide[10];

	for (unsigned count = 2; count <= 10; count++) {
		for (unsigned i = 0; i < count; i++) {
			seed = seed * 1103515245u + 12345;
			figures[i] = (int)(seed >> 16) % (2 + _i % 9) * 16 +
			    (int)i;
			wide[i] = figures[i];
		}
		for (unsigned a = 1; a < count; a++)
			ck_assert_double_eq_tol(compare_sets(wide, a, wide + a,
			    count - a, 0.05).p, count_all(figures, count, a),
			    1e-12);
	}
}
END_TEST

/* A shift of more than what can be detected is, and of less is not. */
START_TEST(detects_what_it_says)
{
	int64_t a[8], b[8];
	unsigned seed = (unsigned)_i * 747796405u + 1;

	for (int i = 0; i < 8; i++) {
		seed = seed * 1103515245u + 12345;
		a[i] = 16 * (int)(seed >> 16 & 1023) + 2 * i;
		seed = seed * 1103515245u + 12345;
		b[i] = 16 * (int)(seed >> 16 & 1023) + 2 * i;
	}
	const struct dmt_rank_test test = compare_sets(a, 8, b, 8, 0.05);
	const int64_t none = -(int64_t)test.shift;
	for (int way = -1; way <= 1; way += 2) {
		/* odd, so that there are no ties */
		const int64_t move =
		    (none + way * ((int64_t)test.detectable + 2)) | 1;

		for (int i = 0; i < 8; i++)
			b[i] += move;
		ck_assert_double_le(compare_sets(a, 8, b, 8, 0.05).p, 0.05);
		for (int i = 0; i < 8; i++)
			b[i] -= move;
	}
	for (int i = 0; i < 8; i++)
		b[i] += none;
	ck_assert_double_gt(compare_sets(a, 8, b, 8, 0.05).p, 0.05);
}
END_TEST

START_TEST(knows_the_least_p)
{
	ck_assert_double_eq_tol(dmt_diff_least_p(0, 5), 1, 1e-15);
	ck_assert_double_eq_tol(dmt_diff_least_p(1, 1), 1, 1e-15);
	ck_assert_double_eq_tol(dmt_diff_least_p(3, 3), 0.1, 1e-15);
	ck_assert_double_eq_tol(dmt_diff_least_p(4, 4), 2.0 / 70, 1e-15);
	ck_assert_double_eq_tol(dmt_diff_least_p(12, 12), 2.0 / 2704156,
	    1e-15);
	/* of 26 runs z is (84.5 - 0.5) / sqrt(13 * 13 / 12 * 27) = 84 / 19.5 */
	ck_assert_double_eq_tol(dmt_diff_least_p(13, 13), 1.64967e-5,
	    1e-10);
	ck_assert_double_lt(dmt_diff_least_p(1000, 1000), 1e-300);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("rank");
	TCase *tcase = unit_tcase(suite, "rank");

	ADD_CASES(tcase, agrees_with_published_tables, tables);
	ADD_CASES(tcase, agrees_with_what_was_counted_by_hand, sets);
	tcase_add_loop_test(tcase, agrees_with_all_permutations, 0, 20);
	tcase_add_loop_test(tcase, detects_what_it_says, 0, 20);
	tcase_add_test(tcase, knows_the_least_p);
	return unit_main(suite);
}
