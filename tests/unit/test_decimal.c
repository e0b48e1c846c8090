/* test_decimal.c - numbers and dates as text */

#include "cli/decimal.h"

#include <string.h>

#include "helpers/unit.h"
#include "private/put.h"

static const struct {
	uint64_t number;
	const char *digits;
	const char *seconds;
} numbers[] = {
	{ 0, "0", "    0.000000" },
	{ 9, "9", "    0.000000" },
	{ 10, "10", "    0.000000" },
	{ 99, "99", "    0.000000" },
	{ 105, "105", "    0.000000" },
	{ 1000, "1000", "    0.000001" },
	{ 54321, "54321", "    0.000054" },
	{ 999999, "999999", "    0.000999" },
	{ 1000000, "1000000", "    0.001000" },
	{ 20000003, "20000003", "    0.020000" },
	{ UINT64_C(999999999999), "999999999999", "  999.999999" },
	{ UINT64_C(1000000000000), "1000000000000", " 1000.000000" },
	{ UINT64_C(4294967295000), "4294967295000", " 4294.967295" },
	{ UINT64_C(99999000001000), "99999000001000", "99999.000001" },
	{ UINT64_C(100000000000000), "100000000000000", "100000.000000" },
	{ UINT64_MAX, "18446744073709551615", "18446744073.709551" },
};

START_TEST(has_all_digits)
{
	char out[DECIMAL_ROOM + 1];

	*dmt_put_uint(out, numbers[_i].number) = '\0';
	ck_assert_str_eq(out, numbers[_i].digits);
}
END_TEST

START_TEST(has_seconds_in_columns)
{
	char out[DECIMAL_ROOM + 1];

	*decimal_put_seconds(out, numbers[_i].number) = '\0';
	ck_assert_str_eq(out, numbers[_i].seconds);
}
END_TEST

static const struct {
	uint64_t epoch_us;
	const char *date;
} dates[] = {
	{ 0, "1970-01-01T00:00:00.000000Z" },
	{ UINT64_C(951782399999999), "2000-02-28T23:59:59.999999Z" },
	{ UINT64_C(951782400000000), "2000-02-29T00:00:00.000000Z" },
	{ UINT64_C(951868800000001), "2000-03-01T00:00:00.000001Z" },
	{ UINT64_C(1322079161000123), "2011-11-23T20:12:41.000123Z" },
	{ UINT64_C(4107542400000000), "2100-03-01T00:00:00.000000Z" },
	{ UINT64_C(4102444799000000), "2099-12-31T23:59:59.000000Z" },
	{ UINT64_MAX, "586524-01-19T08:01:49.551615Z" },
};

START_TEST(is_a_date)
{
	char out[DATE_MAX];

	ck_assert_str_eq(date_format(out, dates[_i].epoch_us),
	    dates[_i].date);
}
END_TEST

static const struct {
	uint64_t number;
	const char *text;
} counts[] = {
	{ 0, "0" },
	{ 999, "999" },
	{ 1000, "1,000" },
	{ 26875, "26,875" },
	{ 123456, "123,456" },
	{ 1234567, "1,234,567" },
	{ UINT64_MAX, "18,446,744,073,709,551,615" },
};

START_TEST(separates_thousands)
{
	char out[COUNT_MAX];

	ck_assert_str_eq(count_format(out, counts[_i].number),
	    counts[_i].text);
}
END_TEST

static const struct {
	int64_t part, whole;
	const char *text;
} shares[] = {
	{ 0, 7, "0.0 %" },
	{ 7, 7, "100.0 %" },
	{ 1, 3, "33.3 %" },
	{ 2, 3, "66.7 %" },
	{ 1, 80, "1.3 %" },		/* 1.25: a half goes up */
	{ -1, 80, "-1.3 %" },
	{ -1, 1000000, "0.0 %" },	/* no minus before nothing */
	{ 5, 0, "0.0 %" },
	{ INT64_MAX, 1, "100000000000000.0 %" },
};

START_TEST(rounds_shares)
{
	char out[DMT_FIGURE_MAX];

	ck_assert_str_eq(dmt_share_format(out, shares[_i].part,
	    shares[_i].whole), shares[_i].text);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("decimal");
	TCase *tcase = unit_tcase(suite, "decimal");

	ADD_CASES(tcase, has_all_digits, numbers);
	ADD_CASES(tcase, has_seconds_in_columns, numbers);
	ADD_CASES(tcase, is_a_date, dates);
	ADD_CASES(tcase, separates_thousands, counts);
	ADD_CASES(tcase, rounds_shares, shares);
	return unit_main(suite);
}
