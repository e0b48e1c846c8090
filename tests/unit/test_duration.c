/* test_duration.c - durations as on the command line, parsed and printed */

#include "cli/decimal.h"

#include "helpers/unit.h"

static const struct {
	const char *text;
	int64_t ns;
} good[] = {
	{ "0", 0 },
	{ "-0", 0 },
	{ "0.000", 0 },
	{ "0us", 0 },
	{ "7us", 7000 },
	{ "0.25us", 250 },
	{ "3ns", 3 },
	{ "10us", 10000 },
	{ "1.5ms", 1500000 },
	{ "2s", 2000000000 },
	{ "0.000000001s", 1 },
	{ "1.0000000010s", 1000000001 },
	{ ".5s", 500000000 },
	{ "5.s", 5000000000 },
	{ "70min", 4200000000000 },
	{ "1h", 3600000000000 },
	{ "-3us", -3000 },
	{ "+3us", 3000 },
	{ "9223372036854775807ns", INT64_MAX },
	{ "2562047h", 9223369200000000000 },
};

START_TEST(parses)
{
	int64_t ns = 42;

	ck_assert(duration_parse(good[_i].text, &ns));
	ck_assert_int_eq(ns, good[_i].ns);
}
END_TEST

static const char *const bad[] = {
	"", "-", "+", ".", "us", ".us", "1 s", " 1s", "1sec", "1S", "1ss",
	"--1s", "1e3", "0x10", "1,5s", "1.5.5s", "0.5ns", "0.0005us",
	"9223372036854775808ns", "9223372036854775.808", "2562048h",
	"99999999999999999999", "7", "-7", "0.25", "1.2", "0.0000000001",
	"1.00000000001s",
};

START_TEST(refuses)
{
	int64_t ns = 42;

	ck_assert(!duration_parse(bad[_i], &ns));
	ck_assert_int_eq(ns, 42);
}
END_TEST

static const struct {
	uint64_t ns;
	const char *text;
} shown[] = {
	{ 0, "0 s" },
	{ 1, "1 ns" },
	{ 999, "999 ns" },
	{ 1000, "1 us" },
	{ 12050, "12.05 us" },
	{ 1500000, "1.5 ms" },
	{ 1402334000, "1.402334 s" },
	{ 60000000000, "60 s" },
	{ UINT64_MAX, "18446744073.709551615 s" },
};

START_TEST(formats)
{
	char text[DURATION_MAX];

	ck_assert_str_eq(duration_format(text, shown[_i].ns), shown[_i].text);
}
END_TEST

static const struct {
	int64_t ns;
	const char *text;
} rounded[] = {
	{ 0, "0 s" },
	{ 7, "7 ns" },
	{ 999, "999 ns" },
	{ 1000, "1.00 us" },
	{ 1234, "1.23 us" },
	{ 1235, "1.24 us" },		/* a half goes up */
	{ 9994, "9.99 us" },
	{ 9995, "10.0 us" },
	{ 12649, "12.6 us" },
	{ 99950, "100 us" },
	{ 310499, "310 us" },
	{ 999499, "999 us" },
	{ 999500, "1.00 ms" },
	{ 12600000, "12.6 ms" },
	{ 1209600000, "1.21 s" },
	{ 52800000000, "52.8 s" },
	{ 999499999999, "999 s" },
	{ 999500000000, "16.7 min" },
	{ 59969999999999, "999 min" },	/* 999.499... */
	{ 59970000000000, "16.7 h" },
	{ 3600000000000000, "1000 h" },
	{ -12600000, "-12.6 ms" },
	{ -7, "-7 ns" },
	{ INT64_MAX, "2562048 h" },
	{ INT64_MIN, "-2562048 h" },
};

START_TEST(rounds_to_three_digits)
{
	char text[DURATION_MAX];

	ck_assert_str_eq(duration_round(text, rounded[_i].ns),
	    rounded[_i].text);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("duration");
	TCase *tcase = unit_tcase(suite, "duration");

	ADD_CASES(tcase, parses, good);
	ADD_CASES(tcase, refuses, bad);
	ADD_CASES(tcase, formats, shown);
	ADD_CASES(tcase, rounds_to_three_digits, rounded);
	return unit_main(suite);
}
