/* test_text.c - names of arbitrary bytes, for terminals and for programs */

#include "cli/escapes.h"

#include <string.h>

#include "helpers/unit.h"

static const struct {
	const char *bytes;
	const char *message, *plain, *csv, *json;
} names[] = {
	{ "", "", "", "", "\"\"" },
	{ "com/a/B$1.<init>", "com/a/B$1.<init>", "com/a/B$1.<init>",
	    "com/a/B$1.<init>", "\"com/a/B$1.<init>\"" },
	{ "a\tb\nc\rd", "a\\tb\\nc\\x0dd", "a\\tb\\nc\\x0dd",
	    "\"a\tb\nc\rd\"", "\"a\\u0009b\\u000ac\\u000dd\"" },
	{ "a\\b", "a\\b", "a\\\\b", "a\\b", "\"a\\\\b\"" },
	{ "\x1b[31m\x7f", "\\x1b[31m\\x7f", "\\x1b[31m\\x7f",
	    "\x1b[31m\x7f", "\"\\u001b[31m\\u007f\"" },
	{ "a,b", "a,b", "a,b", "\"a,b\"", "\"a,b\"" },
	{ "say \"a\"", "say \"a\"", "say \"a\"", "\"say \"\"a\"\"\"",
	    "\"say \\\"a\\\"\"" },
	/* U+00FC, U+4E2D, U+1F600 */
	{ "\xc3\xbc\xe4\xb8\xad\xf0\x9f\x98\x80",
	    "\xc3\xbc\xe4\xb8\xad\xf0\x9f\x98\x80",
	    "\xc3\xbc\xe4\xb8\xad\xf0\x9f\x98\x80",
	    "\xc3\xbc\xe4\xb8\xad\xf0\x9f\x98\x80",
	    "\"\xc3\xbc\xe4\xb8\xad\xf0\x9f\x98\x80\"" },
	/* U+009B, which some terminals obey */
	{ "\xc2\x9b" "1m", "\\xc2\\x9b1m", "\\xc2\\x9b1m", "\xc2\x9b" "1m",
	    "\"\\u009b1m\"" },
	/* U+202E and U+2066, which turn the direction of writing */
	{ "\xe2\x80\xae" "a\xe2\x81\xa6", "\\xe2\\x80\\xaea\\xe2\\x81\\xa6",
	    "\\xe2\\x80\\xaea\\xe2\\x81\\xa6",
	    "\xe2\x80\xae" "a\xe2\x81\xa6", "\"\\u202ea\\u2066\"" },
	/* the first and the last of them */
	{ "\xe2\x80\xaa\xe2\x81\xa9", "\\xe2\\x80\\xaa\\xe2\\x81\\xa9",
	    "\\xe2\\x80\\xaa\\xe2\\x81\\xa9",
	    "\xe2\x80\xaa\xe2\x81\xa9", "\"\\u202a\\u2069\"" },
	/* U+061C and U+200F do so, U+2028 and U+2029 break the line */
	{ "\xd8\x9c\xe2\x80\x8f", "\\xd8\\x9c\\xe2\\x80\\x8f",
	    "\\xd8\\x9c\\xe2\\x80\\x8f", "\xd8\x9c\xe2\x80\x8f",
	    "\"\\u061c\\u200f\"" },
	{ "\xe2\x80\xa8\xe2\x80\xa9", "\\xe2\\x80\\xa8\\xe2\\x80\\xa9",
	    "\\xe2\\x80\\xa8\\xe2\\x80\\xa9", "\xe2\x80\xa8\xe2\x80\xa9",
	    "\"\\u2028\\u2029\"" },
	/* what stands around them: U+2027, U+202F, U+2065, U+206A */
	{ "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
	    "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
	    "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
	    "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
	    "\"\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa\"" },
	/* Latin-1 */
	{ "B\xfcro", "B\\xfcro", "B\\xfcro", "B\xfcro",
	    "\"B\xef\xbf\xbdro\"" },
	/* MUTF-8: U+0000, and half of a pair */
	{ "\xc0\x80\xed\xa0\x80", "\\xc0\\x80\\xed\\xa0\\x80",
	    "\\xc0\\x80\\xed\\xa0\\x80", "\xc0\x80\xed\xa0\x80",
	    "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
	    "\"" },
	/* too long, too large, cut short */
	{ "\xe0\x80\xaf", "\\xe0\\x80\\xaf", "\\xe0\\x80\\xaf",
	    "\xe0\x80\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
	{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80",
	    "\\xf4\\x90\\x80\\x80", "\xf4\x90\x80\x80",
	    "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" },
	{ "\xe4\xb8", "\\xe4\\xb8", "\\xe4\\xb8", "\xe4\xb8",
	    "\"\xef\xbf\xbd\xef\xbf\xbd\"" },
	{ "\xe4\xb8" "A", "\\xe4\\xb8A", "\\xe4\\xb8A", "\xe4\xb8" "A",
	    "\"\xef\xbf\xbd\xef\xbf\xbd" "A\"" },
};

static void
check(escape_fn *text, const char *bytes, const char *expected)
{
	char out[128];

	memset(out, '~', sizeof(out));
	char *end = text(out, bytes, strlen(bytes));
	ck_assert_uint_le((size_t)(end - out),
	    strlen(bytes) * ESCAPE_GROWTH + 2);
	*end = '\0';
	ck_assert_str_eq(out, expected);
}

START_TEST(is_safe_in_messages)
{
	check(escape_message, names[_i].bytes, names[_i].message);
}
END_TEST

START_TEST(is_plain)
{
	check(escape_plain, names[_i].bytes, names[_i].plain);
}
END_TEST

START_TEST(is_csv)
{
	check(escape_csv, names[_i].bytes, names[_i].csv);
}
END_TEST

START_TEST(is_json)
{
	check(escape_json, names[_i].bytes, names[_i].json);
}
END_TEST

START_TEST(takes_a_nul_for_a_byte)
{
	char out[32];

	*escape_plain(out, "a\0b", 3) = '\0';
	ck_assert_str_eq(out, "a\\x00b");
	*escape_json(out, "a\0b", 3) = '\0';
	ck_assert_str_eq(out, "\"a\\u0000b\"");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("text");
	TCase *tcase = unit_tcase(suite, "text");

	ADD_CASES(tcase, is_safe_in_messages, names);
	ADD_CASES(tcase, is_plain, names);
	ADD_CASES(tcase, is_csv, names);
	ADD_CASES(tcase, is_json, names);
	tcase_add_test(tcase, takes_a_nul_for_a_byte);
	return unit_main(suite);
}
