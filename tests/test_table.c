/* test_table.c - rows in each form, and numbers in columns of text */

#include "../tools/cli/table.h"

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

static const char *const columns[] =
    { "name", "count", "first", "items", "real", "true", NULL };
static const char *const item_columns[] = { "a", "b", NULL };

/* Two rows: the second has nothing but its name. */
static void
fill_table(struct table *table)
{
	struct table items = table_nested(item_columns);

	table_set_columns(table, columns);
	table_text(table, "a,\"b\"\t\xff", 7);
	table_number(table, UINT64_MAX);
	table_place(table, DMTRACE_PLACE_LINE, 12);
	for (int i = 0; i < 2; i++) {
		table_signed(&items, -i - 1);
		table_number_if(&items, i == 0, 7);
		table_end_row(&items);
	}
	table_array(table, &items);
	table_printf(table, "%.2f", 0.5);
	table_truth(table, true);
	table_end_row(table);
	table_string(table, "x");
	table_string(table, NULL);
	table_place(table, DMTRACE_PLACE_NONE, 12);
	table_absent(table, 3);
	table_end_row(table);
}

static const struct {
	enum form form;
	const char *text;
} forms[] = {
	{ FORM_TSV, "name\tcount\tfirst\titems\treal\ttrue\n"
	    "a,\"b\"\\t\\xff\t18446744073709551615\tline 12\t"
	    "[{\"a\":-1,\"b\":7},{\"a\":-2,\"b\":null}]\t0.50\ttrue\n"
	    "x\t\t\t\t\t\n" },
	{ FORM_CSV, "name,count,first,items,real,true\r\n"
	    "\"a,\"\"b\"\"\t\xff\",18446744073709551615,line 12,"
	    "\"[{\"\"a\"\":-1,\"\"b\"\":7},{\"\"a\"\":-2,\"\"b\"\":null}]\","
	    "0.50,true\r\n"
	    "x,,,,,\r\n" },
	{ FORM_JSON, "{\"name\":\"a,\\\"b\\\"\\u0009\xef\xbf\xbd\","
	    "\"count\":18446744073709551615,\"first\":\"line 12\","
	    "\"items\":[{\"a\":-1,\"b\":7},{\"a\":-2,\"b\":null}],"
	    "\"real\":0.50,\"true\":true}\n"
	    "{\"name\":\"x\",\"count\":null,\"first\":null,"
	    "\"items\":null,\"real\":null,\"true\":null}\n" },
};

START_TEST(prints_rows_in_each_form)
{
	struct table table = { .form = forms[_i].form };

	fill_table(&table);
	assert_is(&table.buffer, forms[_i].text);
}
END_TEST

START_TEST(has_no_columns_in_text)
{
	struct table table = { .form = FORM_TEXT };

	table_set_columns(&table, columns);
	ck_assert_uint_eq(table.buffer.len, 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("table");
	TCase *tcase = unit_tcase(suite, "table");

	ADD_CASES(tcase, rounds_percent, shares);
	ADD_CASES(tcase, rounds_means, means);
	ADD_CASES(tcase, cuts_times, times);
	tcase_add_test(tcase, leaves_a_blank_before_each);
	tcase_add_test(tcase, puts_blanks);
	ADD_CASES(tcase, prints_rows_in_each_form, forms);
	tcase_add_test(tcase, has_no_columns_in_text);
	return unit_main(suite);
}
