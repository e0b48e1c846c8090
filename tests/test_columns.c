/* test_columns.c - numbers in columns, and how they are rounded */

#include "../tools/cli/text_cells.h"

#include <string.h>

#include "unit.h"

static void
assert_is(struct strbuf *buffer, const char *text)
{
	strbuf_put(buffer, "", 1);
	ck_assert_str_eq(buffer->bytes, text);
	strbuf_fini(buffer);
}

static const struct {
	int64_t part, whole;
	const char *text;
} shares[] = {
	{ 0, 7, "   0.00" },
	{ 7, 7, " 100.00" },
	{ 1, 3, "  33.33" },
	{ 2, 3, "  66.67" },
	{ 1, 800, "   0.13" },		/* 0.125: a half goes up, */
	{ 3, 800, "   0.38" },		/* 0.375: always */
	{ -1, 800, "  -0.13" },
	{ -1, 1000000, "   0.00" },	/* no minus before nothing */
	{ 5, 0, "   0.00" },
	{ 12345678, 1, " 1234567800.00" },
	{ INT64_MAX, 1, " 10000000000000.00" },
};

START_TEST(rounds_percent)
{
	struct strbuf buffer = { 0 };

	column_percent(&buffer, 7, shares[_i].part, shares[_i].whole);
	assert_is(&buffer, shares[_i].text);
}
END_TEST

static const struct {
	double ns;
	const char *text;
} means[] = {
	{ 0, "   0.0" },
	{ 49, "   0.0" },
	{ 50, "   0.1" },
	{ 1049.9, "   1.0" },
	{ 1050, "   1.1" },
	{ 999950, " 1000.0" },
	{ -50, "  -0.1" },
	{ -49, "   0.0" },
};

START_TEST(rounds_means)
{
	struct strbuf buffer = { 0 };

	column_mean_us(&buffer, 6, means[_i].ns);
	assert_is(&buffer, means[_i].text);
}
END_TEST

static const struct {
	int64_t ns;
	const char *text;
	const char *bracketed;
} times[] = {
	{ 0, "    0", "  (0)" },
	{ 999, "    0", "  (0)" },
	{ 1999, "    1", "  (1)" },
	{ -1999, "   -1", " (-1)" },
	{ 9999000, " 9999", " (9999)" },
	{ 12345678000, " 12345678", " (12345678)" },
	{ INT64_MIN, " -9223372036854775", " (-9223372036854775)" },
};

START_TEST(cuts_times)
{
	struct strbuf buffer = { 0 }, bracketed = { 0 };

	column_us(&buffer, 5, times[_i].ns);
	assert_is(&buffer, times[_i].text);
	column_bracketed_us(&bracketed, 5, times[_i].ns);
	assert_is(&bracketed, times[_i].bracketed);
}
END_TEST

START_TEST(leaves_a_blank_before_each)
{
	struct strbuf buffer = { 0 };

	column_count(&buffer, 3, 12);
	column_count(&buffer, 3, 123);
	column_count(&buffer, 0, UINT64_MAX);
	assert_is(&buffer, " 12 123 18446744073709551615");
}
END_TEST

START_TEST(puts_blanks)
{
	struct strbuf buffer = { 0 };
	char blanks[101];

	memset(blanks, ' ', 100);
	blanks[100] = '\0';
	column_blank(&buffer, 0);
	column_blank(&buffer, 32);
	column_blank(&buffer, 68);
	assert_is(&buffer, blanks);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("columns");
	TCase *tcase = unit_tcase(suite, "columns");

	ADD_CASES(tcase, rounds_percent, shares);
	ADD_CASES(tcase, rounds_means, means);
	ADD_CASES(tcase, cuts_times, times);
	tcase_add_test(tcase, leaves_a_blank_before_each);
	tcase_add_test(tcase, puts_blanks);
	return unit_main(suite);
}
