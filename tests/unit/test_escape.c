/* test_escape.c - names of arbitrary bytes: valid UTF-8, and escapes */

#include <stdint.h>
#include <string.h>

#include "base/escape.h"
#include "helpers/unit.h"
#include "private/utf8.h"

/* Bytes of a string literal and their number. */
#define BYTES(literal) literal, sizeof(literal) - 1

static const struct {
	const char *bytes;
	size_t len;
	const char *shown;
} names[] = {
	{ BYTES(""), "" },
	{ BYTES("main"), "main" },
	{ BYTES("a\tb\nc\rd\\e"), "a\\tb\\nc\\rd\\\\e" },
	{ BYTES("\0\x01\x1f\x20\x7e\x7f"), "\\x00\\x01\\x1f ~\\x7f" },
	{ BYTES("\x1b[31m"), "\\x1b[31m" },
	{ BYTES("\"quoted\""), "\"quoted\"" },
	{ BYTES("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
	    "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
	{ BYTES("\xc2\x80\xc2\x9f\xc2\xa0"), "\\xc2\\x80\\xc2\\x9f\xc2\xa0" },
	{ BYTES("\xff" "a\xc3"), "\\xffa\\xc3" },
	{ BYTES("\xc3\x28"), "\\xc3(" },
	{ BYTES("\xe2\x80\xae" "evil"), "\\xe2\\x80\\xaeevil" },
	{ BYTES("\xe2\x80\xa8"), "\\xe2\\x80\\xa8" },
	{ BYTES("\xe2\x81\xa6\xd8\x9c\xe2\x80\x8f"),
	    "\\xe2\\x81\\xa6\\xd8\\x9c\\xe2\\x80\\x8f" },
	{ BYTES("\xe2\x80\x8e\xe2\x81\xa9"),
	    "\\xe2\\x80\\x8e\\xe2\\x81\\xa9" },
	/* those next to them */
	{ BYTES("\xd8\x9b\xd8\x9d\xe2\x80\x8d\xe2\x80\x90"),
	    "\xd8\x9b\xd8\x9d\xe2\x80\x8d\xe2\x80\x90" },
	{ BYTES("\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa"),
	    "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa" },
	{ BYTES("\xed\xa0\x80"), "\\xed\\xa0\\x80" },
	{ BYTES("\xef\xbf\xbd"), "\xef\xbf\xbd" },
};

START_TEST(escapes_what_is_unsafe_to_print)
{
	char out[DMT_ESCAPED_MAX];

	ck_assert_str_eq(dmt_escape(out, sizeof(out), names[_i].bytes,
	    names[_i].len), names[_i].shown);
}
END_TEST

/* What exports write is undone; other texts with a '\\' stay. */
static const struct {
	const char *shown;
	const char *bytes;
	size_t len;
} escaped[] = {
	{ "", BYTES("") },
	{ "main", BYTES("main") },
	{ "a\\\\b\\\\", BYTES("a\\b\\") },
	{ "\\x3b\\x00\\xff", BYTES(";\0\xff") },
	{ "C:\\temp\\\\a", BYTES("C:\\temp\\\\a") },
	{ "\\x3", BYTES("\\x3") },
	{ "\\x3B", BYTES("\\x3B") },
	{ "a\\", BYTES("a\\") },
};

START_TEST(undoes_escapes)
{
	char out[32];
	const size_t len = dmt_unescape(out, escaped[_i].shown,
	    strlen(escaped[_i].shown));

	ck_assert_uint_eq(len, escaped[_i].len);
	ck_assert_int_eq(memcmp(out, escaped[_i].bytes, len), 0);
}
END_TEST

static const struct {
	const char *bytes;
	size_t size;
	const char *shown;
} cuts[] = {
	{ "abcdefg", 8, "abcdefg" },
	{ "abcdefgh", 8, "abcd..." },
	{ "abc", 4, "abc" },
	{ "abcd", 4, "..." },
	{ "abc\xc3\xa9" "efgh", 8, "abc..." },
	{ "ab\xc3\xa9" "efgh", 8, "ab\xc3\xa9..." },
	{ "abc\n", 6, "abc\\n" },
	{ "abc\n", 5, "a..." },
	{ "\x01\x01\x01", 8, "\\x01..." },
	{ "\x01\x01", 7, "..." },
};

START_TEST(truncates_between_characters)
{
	char out[16];

	memset(out, '#', sizeof(out));
	ck_assert_str_eq(dmt_escape(out, cuts[_i].size, cuts[_i].bytes,
	    strlen(cuts[_i].bytes)), cuts[_i].shown);
	for (size_t i = cuts[_i].size; i < sizeof(out); i++)
		ck_assert_int_eq(out[i], '#');
}
END_TEST

static const struct {
	const char *bytes;
	size_t len;
	size_t size;		/* 0: no character */
	uint32_t code;
} characters[] = {
	{ BYTES(""), 0, 0 },
	{ BYTES("\0"), 1, 0 },
	{ BYTES("A\xc3"), 1, 'A' },
	{ BYTES("\x7f"), 1, 0x7f },
	{ BYTES("\xc2\x80"), 2, 0x80 },
	{ BYTES("\xdf\xbf"), 2, 0x7ff },
	{ BYTES("\xe0\xa0\x80"), 3, 0x800 },
	{ BYTES("\xed\x9f\xbf"), 3, 0xd7ff },
	{ BYTES("\xee\x80\x80"), 3, 0xe000 },
	{ BYTES("\xef\xbf\xbf"), 3, 0xffff },
	{ BYTES("\xf0\x90\x80\x80"), 4, 0x10000 },
	{ BYTES("\xf4\x8f\xbf\xbf"), 4, 0x10ffff },
	{ BYTES("\x80"), 0, 0 },		/* not a first byte */
	{ BYTES("\xbf"), 0, 0 },
	{ BYTES("\xc0\x80"), 0, 0 },		/* overlong, as in MUTF-8 */
	{ BYTES("\xc1\xbf"), 0, 0 },
	{ BYTES("\xe0\x9f\xbf"), 0, 0 },
	{ BYTES("\xf0\x8f\xbf\xbf"), 0, 0 },
	{ BYTES("\xed\xa0\x80"), 0, 0 },	/* surrogates */
	{ BYTES("\xed\xbf\xbf"), 0, 0 },
	{ BYTES("\xf4\x90\x80\x80"), 0, 0 },	/* past the last */
	{ BYTES("\xf7\xbf\xbf\xbf"), 0, 0 },
	{ BYTES("\xf8\x88\x80\x80\x80"), 0, 0 },
	{ BYTES("\xff"), 0, 0 },
	{ BYTES("\xc3"), 0, 0 },		/* cut short */
	{ BYTES("\xe2\x82"), 0, 0 },
	{ BYTES("\xf0\x9f\x98"), 0, 0 },
	{ BYTES("\xc3\xc3"), 0, 0 },		/* broken off */
	{ BYTES("\xe2\x82\x2c"), 0, 0 },
};

START_TEST(decodes_strict_utf8)
{
	char *bytes = malloc(characters[_i].len + 1);
	uint32_t code = 0;

	memcpy(bytes, characters[_i].bytes, characters[_i].len);
	ck_assert_uint_eq(dmt_utf8_decode(&code, bytes, characters[_i].len),
	    characters[_i].size);
	ck_assert_uint_eq(code, characters[_i].code);
	free(bytes);
}
END_TEST

START_TEST(decodes_utf8_at_any_offset)
{
	const size_t len = characters[_i].len;

	for (size_t before = 0; before < 20; before++) {
		char bytes[32] = "abcdefghijklmnopqrstuvwxyz";

		memcpy(bytes + before, characters[_i].bytes, len);
		ck_assert_int_eq(dmt_utf8_valid(bytes, before + len),
		    characters[_i].size == len);
		ck_assert_int_eq(dmt_utf8_valid(bytes, 26),
		    characters[_i].size == len);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("escape");
	TCase *escapes = unit_tcase(suite, "escapes");
	TCase *utf8 = unit_tcase(suite, "utf8");

	ADD_CASES(escapes, escapes_what_is_unsafe_to_print, names);
	ADD_CASES(escapes, undoes_escapes, escaped);
	ADD_CASES(escapes, truncates_between_characters, cuts);
	ADD_CASES(utf8, decodes_strict_utf8, characters);
	ADD_CASES(utf8, decodes_utf8_at_any_offset, characters);
	return unit_main(suite);
}
