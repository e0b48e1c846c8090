/* test_table.c - rows in each output form, and columns of numbers in text */

#include "cli/table.h"

#include <string.h>

#include "helpers/unit.h"

static void
assert_is(struct dmt_output *buffer, const char *text)
{
	dmt_output_write(buffer, "", 1);
	ck_assert_str_eq(buffer->bytes, text);
	dmt_output_fini(buffer);
}

static const struct {
	const char *text;
	size_t begin, columns;
	const char *cut;
} cuts[] = {
	{ "12 a.b.Class.name", 3, 0, "12 a.b.Class.name" },
	{ "12 a.b.Class.name", 3, 14, "12 a.b.Class.name" },
	{ "12 a.b.Class.name", 3, 13, "12 ...Class.name" },
	{ "12 a.b.Class.name", 3, 4, "12 ...e" },
	{ "12 a.b.Class.name", 3, 3, "12 a.b.Class.name" },
	{ "12 (toplevel)", 3, 8, "12 ...evel)" },
	{ "12 \xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f.", 3, 5,
	    "12 \xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f." },
	{ "12 \xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f.b", 3, 5,
	    "12 ....b" },
	{ "12 Class.name(int, int)", 3, 16, "12 Class.name(in..." },
	{ "12 Class.name(int, int)", 3, 13, "12 Class.name..." },
	{ "12 Class.name(int, int)", 3, 12, "12 Class.name" },
	{ "12 Class.name(int, int)", 3, 9, "12 ...s.name" },
	{ "12 ab\xc3\xbc\xc3\x9f\xc3\x9f", 3, 4, "12 ...\xc3\x9f" },
};

START_TEST(cuts_text_to_columns)
{
	struct dmt_output buffer = { 0 };

	dmt_put(&buffer, cuts[_i].text);
	column_shorten(&buffer, cuts[_i].begin, cuts[_i].columns);
	assert_is(&buffer, cuts[_i].cut);
}
END_TEST

START_TEST(aligns_figures)
{
	struct dmt_output buffer = { 0 };

	column_duration(&buffer, 10, 1209600000);
	column_share(&buffer, 8, 1, 3);
	column_duration(&buffer, 4, -12600000);
	assert_is(&buffer, "    1.21 s  33.3 % -12.6 ms");
}
END_TEST

START_TEST(leaves_a_blank_before_each)
{
	struct dmt_output buffer = { 0 };

	column_count(&buffer, 3, 12);
	column_count(&buffer, 3, 123);
	column_count(&buffer, 0, UINT64_MAX);
	assert_is(&buffer, " 12 123 18,446,744,073,709,551,615");
}
END_TEST

START_TEST(puts_blanks)
{
	struct dmt_output buffer = { 0 };
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
    { "name", "count", "line", "byte", "items", "real", "true", NULL };
static const char *const item_columns[] = { "a", "b", NULL };

/* Two rows: the second has nothing but its name. */
static void
fill_table(struct table *table)
{
	struct table items = table_nested(item_columns);

	table_set_columns(table, columns);
	table_text(table, "a,\"b\"\t\xff", 7);
	table_number(table, UINT64_MAX);
	table_place_cells(table, DMTRACE_PLACE_LINE, 12);
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
	table_place_cells(table, DMTRACE_PLACE_NONE, 12);
	table_absent(table, 3);
	table_end_row(table);
}

static const struct {
	enum form form;
	const char *text;
} forms[] = {
	{ FORM_TSV, "name\tcount\tline\tbyte\titems\treal\ttrue\n"
	    "a,\"b\"\\t\\xff\t18446744073709551615\t12\t\t"
	    "[{\"a\":-1,\"b\":7},{\"a\":-2,\"b\":null}]\t0.50\ttrue\n"
	    "x\t\t\t\t\t\t\n" },
	{ FORM_CSV, "name,count,line,byte,items,real,true\r\n"
	    "\"a,\"\"b\"\"\t\xff\",18446744073709551615,12,,"
	    "\"[{\"\"a\"\":-1,\"\"b\"\":7},{\"\"a\"\":-2,\"\"b\"\":null}]\","
	    "0.50,true\r\n"
	    "x,,,,,,\r\n" },
	{ FORM_JSONL, "{\"name\":\"a,\\\"b\\\"\\u0009\xef\xbf\xbd\","
	    "\"count\":18446744073709551615,\"line\":12,\"byte\":null,"
	    "\"items\":[{\"a\":-1,\"b\":7},{\"a\":-2,\"b\":null}],"
	    "\"real\":0.50,\"true\":true}\n"
	    "{\"name\":\"x\",\"count\":null,\"line\":null,\"byte\":null,"
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

	ADD_CASES(tcase, cuts_text_to_columns, cuts);
	tcase_add_test(tcase, aligns_figures);
	tcase_add_test(tcase, leaves_a_blank_before_each);
	tcase_add_test(tcase, puts_blanks);
	ADD_CASES(tcase, prints_rows_in_each_form, forms);
	tcase_add_test(tcase, has_no_columns_in_text);
	return unit_main(suite);
}
