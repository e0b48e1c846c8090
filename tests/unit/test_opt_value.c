/* test_opt_value.c - the values of options */

#include "cli/opt.h"

#include "helpers/unit.h"

static uint64_t number;
static struct opt_list list;

static const struct opt size_option = OPT_SIZE(0, "memory", "N", &number, "");
static const struct opt time_option = OPT_TIME(0, "from", "TIME", &number, "");
static const struct opt count_option =
    OPT_RANGE(0, "records", "N", &number, 1, 5000000, "");
static const struct opt top_option = OPT_TOP(&number, "");
static double percent;
static const struct opt percent_option =
    OPT_PERCENT(0, "threshold", "PERCENT", &percent, "");
static const struct opt list_option = OPT_LIST(0, "thread", "T", &list, "");

static const struct {
	const struct opt *opt;
	const char *value;
	uint64_t number;
} good[] = {
	{ &size_option, "0", 0 },
	{ &size_option, "4097", 4097 },
	{ &size_option, "3K", 3072 },
	{ &size_option, "3k", 3072 },
	{ &size_option, "3M", 3145728 },
	{ &size_option, "1.5M", 1572864 },
	{ &size_option, "1G", 1073741824 },
	{ &size_option, "16777215T", UINT64_C(18446742974197923840) },
	{ &time_option, "1.5ms", 1500000 },
	{ &count_option, "1", 1 },
	{ &count_option, "5M", 5000000 },
	{ &count_option, "2k", 2000 },
	{ &count_option, "10K", 10000 },
	{ &count_option, "20K", 20000 },
	{ &count_option, "1.5M", 1500000 },
	{ &count_option, "0.001k", 1 },
	{ &size_option, "1.1K", 1126 },
	{ &count_option, "1e6", 1000000 },
	{ &top_option, "all", 0 },
	{ &top_option, "2K", 2000 },
};

START_TEST(sets_numbers)
{
	ck_assert_int_eq(opt_set_value(good[_i].opt, "-x", good[_i].value),
	    OPT_GO);
	ck_assert_uint_eq(number, good[_i].number);
}
END_TEST

static const struct {
	const struct opt *opt;
	const char *value;
} bad[] = {
	{ &size_option, "" },
	{ &size_option, "K" },
	{ &size_option, "3m" },
	{ &size_option, "3KB" },
	{ &size_option, "-1" },
	{ &size_option, "16777216T" },
	{ &time_option, "-1us" },
	{ &time_option, "soon" },
	{ &time_option, "5" },
	{ &count_option, "0" },
	{ &count_option, "6M" },
	{ &count_option, "1.0005k" },
	{ &count_option, "18446744073709552K" },
	{ &top_option, "" },
	{ &top_option, "none" },
	{ &percent_option, "" },
	{ &percent_option, "%" },
	{ &percent_option, ".5" },
	{ &percent_option, "5." },
	{ &percent_option, "100.1" },
	{ &percent_option, "0.1234567" },
	{ &percent_option, "-1" },
	{ &percent_option, "5%%" },
	{ &percent_option, "1e1" },
};

static const struct {
	const char *value;
	double percent;
} shares[] = {
	{ "0", 0 },
	{ "0.5", 0.5 },
	{ "12.25%", 12.25 },
	{ "100", 100 },
};

START_TEST(sets_percentages)
{
	ck_assert_int_eq(opt_set_value(&percent_option, "-x",
	    shares[_i].value), OPT_GO);
	ck_assert(percent == shares[_i].percent);
}
END_TEST

START_TEST(refuses)
{
	number = 42;
	ck_assert_int_eq(opt_set_value(bad[_i].opt, "-x", bad[_i].value),
	    CMD_TROUBLE);
	ck_assert_uint_eq(number, 42);
}
END_TEST

START_TEST(keeps_each_value_of_a_list)
{
	static const char *const values[] = { "main", "", "main" };

	for (size_t i = 0; i < ROWS(values); i++)
		ck_assert_int_eq(opt_set_value(&list_option, "-t", values[i]),
		    OPT_GO);
	ck_assert_uint_eq(list.count, ROWS(values));
	for (size_t i = 0; i < ROWS(values); i++)
		ck_assert_ptr_eq(list.items[i], values[i]);
	opt_list_fini(&list);
	ck_assert_uint_eq(list.count, 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("opt_value");
	TCase *tcase = unit_tcase(suite, "opt_value");

	ADD_CASES(tcase, sets_numbers, good);
	ADD_CASES(tcase, refuses, bad);
	ADD_CASES(tcase, sets_percentages, shares);
	tcase_add_test(tcase, keeps_each_value_of_a_list);
	return unit_main(suite);
}
