/* test_tags.c - event-log-tags files: read, searched and malformed */

#include <inttypes.h>

#include "helpers/failing.h"
#include "helpers/files.h"
#include "helpers/keys.h"
#include "private/eventlog.h"

/* Each is read to these tags with these findings. */
static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	const char *rows;
	const char *findings;
} files[] = {
	{ "none", BYTES(""), "", "" },
	{ "blank lines and comments",
	    BYTES("\n# a comment\n \t# another\n\n"), "", "" },
	{ "a name alone", BYTES("42 answer\n"), "42 answer; ", "" },
	{ "more blanks", BYTES(" \t42 \t answer \t\n"), "42 answer; ", "" },
	{ "CR LF", BYTES("42 answer\r\n43 a (x|1)\r\n"),
	    "42 answer; 43 a x int; ", "" },
	{ "one of each type",
	    BYTES("1 t (a|1),(b|2),(c|3),(d|4),(e|5)\n"),
	    "1 t a int b long c string d list e float; ", "" },
	{ "one of each unit", BYTES("1 u (a|1|1),(b|1|2),(c|1|3),(d|1|4),"
	    "(e|1|5),(f|1|6),(g|1|s)\n"),
	    "1 u a int objects b int bytes c int ms d int allocations"
	    " e int id f int % g int s; ", "" },
	{ "a field of two words and blanks between fields",
	    BYTES("1 u (Process Name|3) , (#2|1|5) \n"),
	    "1 u Process Name string #2 int id; ", "" },
	{ "a comment after a description",
	    BYTES("1 u (a|1) # uid=1000,1001\n2 v # uid=0\n"),
	    "1 u a int; 2 v; ", "" },
	{ "the greatest number", BYTES("2147483647 u\n0 v\n"),
	    "2147483647 u; 0 v; ", "" },
	{ "no LF at the end", BYTES("1 u (a|1)"), "1 u a int; ",
	    "tags-no-lf@1 " },
	{ "no LF after a comment", BYTES("1 u\n#"), "1 u; ",
	    "tags-no-lf@2 " },
	{ "a number twice", BYTES("1 u\n2 v\n1 w\n"), "1 u; 2 v; 1 w; ",
	    "tags-number-repeated@3 " },
	{ "lines that are none", BYTES("u 1\n1\n1 \n1u\n1 u-v\n-1 u\n"
	    "2147483648 u\n99999999999999999999999 u\n1 (a|1)\n2 v\n"),
	    "2 v; ", "tags-line-malformed@1 tags-line-malformed@2 "
	    "tags-line-malformed@3 tags-line-malformed@4 "
	    "tags-line-malformed@5 tags-line-malformed@6 "
	    "tags-line-malformed@7 tags-line-malformed@8 "
	    "tags-line-malformed@9 " },
	{ "NUL and other bytes", BYTES("1 u\0\n\xff\n"), "",
	    "tags-line-malformed@1 tags-line-malformed@2 " },
	{ "descriptions that are none", BYTES("1 a text\n2 b (a|1\n"
	    "3 c (a|0)\n4 d (a|6)\n5 e (a|1|7)\n6 f (|1)\n7 g (a)\n"
	    "8 h (a|1)(b|1)\n9 i (a|1),\n10 j (a|1|)\n11 k (a|1|1|1)\n"
	    "12 l (a(b|1)\n13 m (a|1) text\n14 n (a\tb|1)\n15 o (a|1|1\n"),
	    "1 a; 2 b; 3 c; 4 d; 5 e; 6 f; 7 g; 8 h; 9 i; 10 j; 11 k; "
	    "12 l; 13 m; 14 n; 15 o; ",
	    "tags-description-malformed@1 tags-description-malformed@2 "
	    "tags-description-malformed@3 tags-description-malformed@4 "
	    "tags-description-malformed@5 tags-description-malformed@6 "
	    "tags-description-malformed@7 tags-description-malformed@8 "
	    "tags-description-malformed@9 tags-description-malformed@10 "
	    "tags-description-malformed@11 tags-description-malformed@12 "
	    "tags-description-malformed@13 tags-description-malformed@14 "
	    "tags-description-malformed@15 " },
};

static void
assert_rows(const struct dmtrace_tags *tags, const char *expected)
{
	struct listing listing = { "", 0 };

	for (size_t i = 0; i < dmt_tags_count(tags); i++) {
		const struct dmtrace_tag *const tag =
		    dmt_tags_get(tags, i);

		listing_add(&listing, "%" PRIu32 " %s", tag->number, tag->name);
		for (size_t j = 0; j < tag->field_count; j++) {
			const struct dmtrace_tag_field *const field =
			    &tag->fields[j];

			listing_add(&listing, " %s %s", field->name,
			    dmt_value_type_name(field->type));
			if (field->unit != DMTRACE_UNIT_NONE)
				listing_add(&listing, " %s",
				    dmt_unit_name(field->unit));
		}
		listing_add(&listing, "; ");
	}
	ck_assert_str_eq(listing.text, expected);
}

START_TEST(decodes_lines)
{
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		struct dmtrace_tags *const tags = dmtrace_tags_new();

		failing_arm(&failing);
		if (failing_reported(&failing, dmt_tags_decode(tags,
		    files[_i].bytes, files[_i].len, NULL, NULL))) {
			assert_rows(tags, "");
			ck_assert_int_eq(dmt_tags_decode(tags,
			    files[_i].bytes, files[_i].len, NULL, NULL),
			    DMTRACE_OK);
		}
		assert_rows(tags, files[_i].rows);
		dmtrace_tags_free(tags);
	} while (failing.failed);
}
END_TEST

START_TEST(has_findings)
{
	struct listing findings = { "", 0 };
	struct dmtrace_tags *const tags = dmtrace_tags_new();

	ck_assert_int_eq(dmt_tags_decode(tags, files[_i].bytes,
	    files[_i].len, listing_add_finding, &findings), DMTRACE_OK);
	ck_assert_str_eq(findings.text, files[_i].findings);
	dmtrace_tags_free(tags);
}
END_TEST

START_TEST(finds_the_first_of_a_number)
{
	struct dmtrace_tags *const tags = dmtrace_tags_new();

	ck_assert_ptr_null(dmtrace_tags_find(tags, 1));
	ck_assert_int_eq(dmt_tags_decode(tags,
	    BYTES("1 u\n2 v\n1 w\n"), NULL, NULL), DMTRACE_OK);
	ck_assert_str_eq(dmtrace_tags_find(tags, 1)->name, "u");
	ck_assert_str_eq(dmtrace_tags_find(tags, 2)->name, "v");
	ck_assert_ptr_null(dmtrace_tags_find(tags, 3));
	dmtrace_tags_free(tags);
}
END_TEST

START_TEST(loads_a_file)
{
	struct dmtrace_tags *const tags = dmtrace_tags_new();

	file_put("tags", "1 u\n", 4);
	ck_assert_int_eq(dmtrace_tags_load(tags, "none", NULL, NULL),
	    DMTRACE_ERR_IO);
	ck_assert_str_ne(dmtrace_tags_error(tags)->message, "");
	ck_assert_int_eq(dmtrace_tags_load(tags, "tags", NULL, NULL),
	    DMTRACE_OK);
	assert_rows(tags, "1 u; ");
	ck_assert_int_eq(dmtrace_tags_load(tags, "tags", NULL, NULL),
	    DMTRACE_ERR_STATE);
	assert_rows(tags, "1 u; ");
	dmtrace_tags_free(tags);
}
END_TEST

START_TEST(reports_failures_of_a_load)
{
	static const enum fault kinds[] = { FAULT_ALLOC, FAULT_READ };

	file_put("tags", "1 u\n", 4);
	for (size_t i = 0; i < ROWS(kinds); i++) {
		struct failing failing = { .kind = kinds[i] };

		do {
			struct dmtrace_tags *const tags = dmtrace_tags_new();

			failing_arm(&failing);
			failing_reported(&failing, dmtrace_tags_load(tags,
			    "tags", NULL, NULL));
			dmtrace_tags_free(tags);
		} while (failing.failed);
		ck_assert_uint_gt(failing.reported, 0);
	}
}
END_TEST

START_TEST(has_a_limit)
{
	const size_t limit = 16 * 1024 * 1024;
	struct dmtrace_tags *tags = dmtrace_tags_new();
	char *const bytes = malloc(limit + 1);

	memset(bytes, '#', limit + 1);
	ck_assert_int_eq(dmt_tags_decode(tags, bytes, limit + 1, NULL,
	    NULL), DMTRACE_ERR_LIMIT);
	ck_assert_int_eq(dmt_tags_decode(tags, bytes, limit, NULL,
	    NULL), DMTRACE_OK);
	free(bytes);
	dmtrace_tags_free(tags);
}
END_TEST

START_TEST(is_not_made_without_memory)
{
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		failing_arm(&failing);
		struct dmtrace_tags *const tags = dmtrace_tags_new();
		failing_reported(&failing, status_of_new(tags));
		dmtrace_tags_free(tags);
	} while (failing.failed);
}
END_TEST

START_TEST(names_types_and_units)
{
	ck_assert_str_eq(dmt_value_type_name(DMTRACE_VALUE_LIST),
	    "list");
	ck_assert_str_eq(dmt_value_type_name(
	    (enum dmtrace_value_type)5), "");
	ck_assert_str_eq(dmt_unit_name(DMTRACE_UNIT_NONE), "");
	ck_assert_str_eq(dmt_unit_name((enum dmtrace_unit)8), "");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("tags");
	TCase *tcase = unit_tcase(suite, "tags");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	ADD_CASES(tcase, decodes_lines, files);
	ADD_CASES(tcase, has_findings, files);
	tcase_add_test(tcase, finds_the_first_of_a_number);
	tcase_add_test(tcase, loads_a_file);
	tcase_add_test(tcase, reports_failures_of_a_load);
	tcase_add_test(tcase, has_a_limit);
	tcase_add_test(tcase, is_not_made_without_memory);
	tcase_add_test(tcase, names_types_and_units);
	return unit_main(suite);
}
