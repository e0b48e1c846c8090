/* test_text_damage.c - damage by text conversions is found and undone */

#include <string.h>

#include "data/text_damage.h"
#include "helpers/unit.h"

static const struct {
	const char *label;
	enum dmt_text_damage damage;
	size_t len;
	const char *in;
	size_t out_len;			/* 0: it is not undone */
	const char *out;
} undone[] = {
	{ "LF", DMT_TEXT_CRLF, 5, "a\r\nb\n", 4, "a\nb\n" },
	{ "CR alone", DMT_TEXT_CRLF, 6, "\r\r\n\rx\r", 5, "\r\n\rx\r" },
	{ "no LF", DMT_TEXT_CRLF, 3, "a\rb", 0, NULL },
	{ "Latin-1", DMT_TEXT_CHARACTERS, 5, "\xc2\x80\xc3\xbf" "a", 3,
	    "\x80\xff" "a" },
	{ "Windows-1252", DMT_TEXT_CHARACTERS, 6,
	    "\xe2\x82\xac\xe2\x80\xa0", 2, "\x80\x86" },
	{ "a byte that is lost", DMT_TEXT_CHARACTERS, 5,
	    "\xef\xbf\xbd\xc2\x81", 2, "\0\x81" },
	{ "the last is cut", DMT_TEXT_CHARACTERS, 4, "\xc2\x81" "a\xe2", 2,
	    "\x81" "a" },
	{ "of no byte", DMT_TEXT_CHARACTERS, 9,
	    "\xc2\x81\xc4\x80" "abcde", 0, NULL },
	{ "not UTF-8", DMT_TEXT_CHARACTERS, 7, "\xc2\x81\x81" "abcd", 0,
	    NULL },
	{ "ASCII", DMT_TEXT_CHARACTERS, 3, "abc", 0, NULL },
	{ "replaced", DMT_TEXT_LOSSY, 5, "a\xef\xbf\xbd" "b", 3, "a\0b" },
	{ "other characters stay", DMT_TEXT_LOSSY, 5,
	    "\xc2\x81\xef\xbf\xbd", 3, "\xc2\x81\0" },
	{ "nothing replaced", DMT_TEXT_LOSSY, 3, "\xc2\x81" "a", 0, NULL },
};

START_TEST(undoes)
{
	uint8_t out[16];
	size_t len;

	ck_assert_int_eq(dmt_text_undo(undone[_i].damage,
	    (const uint8_t *)undone[_i].in, undone[_i].len, out, &len),
	    undone[_i].out_len > 0);
	if (undone[_i].out_len == 0)
		return;
	ck_assert_uint_eq(len, undone[_i].out_len);
	ck_assert_mem_eq(out, undone[_i].out, len);
}
END_TEST

/* Eight of a kind, or sixteen, are no accident. */
#define FOUR(x) x x x x
#define EIGHT(x) FOUR(x) FOUR(x)

static const struct {
	const char *label;
	const char *in;
	enum dmt_text_damage damage;
} found[] = {
	{ "CR LF", EIGHT("ab\r\n"), DMT_TEXT_CRLF },
	{ "seven CR LF", "ab" FOUR("\r\n") "\r\n\r\n\r\n",
	    DMT_TEXT_DAMAGES },
	{ "one LF without CR", EIGHT("ab\r\n") "a\n", DMT_TEXT_DAMAGES },
	{ "replaced", EIGHT("a\xef\xbf\xbd"), DMT_TEXT_LOSSY },
	{ "the last is cut", EIGHT("a\xef\xbf\xbd") "\xef\xbf",
	    DMT_TEXT_LOSSY },
	{ "seven replaced", "a" FOUR("\xef\xbf\xbd")
	    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", DMT_TEXT_DAMAGES },
	{ "a byte that was not replaced", EIGHT("a\xef\xbf\xbd") "\x81" "abc",
	    DMT_TEXT_DAMAGES },
	{ "characters", FOUR("\xc2\x81\xc2\x82\xe2\x82\xac\xc3\xbf"),
	    DMT_TEXT_CHARACTERS },
	{ "of another character set",
	    FOUR("\xc4\x80\xc4\x81\xd0\x90\xe2\x94\x80"),
	    DMT_TEXT_CHARACTERS },
	{ "the last character is cut",
	    FOUR("\xc2\x81\xc2\x82\xe2\x82\xac\xc3\xbf") "\xe2\x82",
	    DMT_TEXT_CHARACTERS },
	{ "fifteen characters", "\xc2\x81\xc2\x82\xc2\x83"
	    "\xc2\x81\xc2\x82\xc2\x83\xc2\x84\xc2\x81\xc2\x82\xc2\x83\xc2\x84"
	    "\xc2\x81\xc2\x82\xc2\x83\xc2\x84", DMT_TEXT_DAMAGES },
	{ "always the same three, as an id has",
	    EIGHT("\xc2\x81\xc2\x82\xc2\x83"), DMT_TEXT_DAMAGES },
	{ "a byte of no character",
	    FOUR("\xc2\x81\xc2\x82\xe2\x82\xac\xc3\xbf") "\x81" "abc",
	    DMT_TEXT_DAMAGES },
	{ "ASCII", EIGHT("abcd"), DMT_TEXT_DAMAGES },
	{ "nothing", "", DMT_TEXT_DAMAGES },
};

START_TEST(finds)
{
	ck_assert_int_eq(dmt_text_damage_find(
	    (const uint8_t *)found[_i].in, strlen(found[_i].in)),
	    found[_i].damage);
}
END_TEST

static const char *const descriptions[DMT_TEXT_DAMAGES] = {
	[DMT_TEXT_CRLF] = "every LF has become CR LF",
	[DMT_TEXT_CHARACTERS] =
	    "every byte of 80 or more has become a character",
	[DMT_TEXT_LOSSY] = "every byte of 80 or more has become EF BF BD",
};

START_TEST(describes)
{
	ck_assert_str_eq(dmt_text_damage_description(
	    (enum dmt_text_damage)_i), descriptions[_i]);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("text_damage");
	TCase *tcase = unit_tcase(suite, "text_damage");

	ADD_CASES(tcase, undoes, undone);
	ADD_CASES(tcase, finds, found);
	ADD_CASES(tcase, describes, descriptions);
	return unit_main(suite);
}
