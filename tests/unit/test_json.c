/* test_json.c - JSON read token by token, and JSON that is refused */

#include <inttypes.h>

#include "base/json.h"
#include "helpers/failing.h"
#include "helpers/keys.h"

/* Each is read to these tokens; then comes the end, or this failure. */
static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	const char *tokens;
	enum dmtrace_status status;
} texts[] = {
	{ "nothing", BYTES(""), "", DMTRACE_OK },
	{ "blanks", BYTES(" \t\r\n"), "", DMTRACE_OK },
	{ "words", BYTES("true false null"), "true false null ",
	    DMTRACE_OK },
	{ "integers", BYTES("0 -0 12 -12"), "0 0 12 -12 ", DMTRACE_OK },
	{ "the limits of 64 bits",
	    BYTES("9223372036854775807 -9223372036854775808"),
	    "9223372036854775807 -9223372036854775808 ", DMTRACE_OK },
	{ "more than 64 bits", BYTES("9223372036854775808 "
	    "-9223372036854775809 99999999999999999999"),
	    "r9.22337e+18 r-9.22337e+18 r1e+20 ", DMTRACE_OK },
	{ "reals", BYTES("1.5 -0.25 1e3 1E-2 2.5e+1"),
	    "r1.5 r-0.25 r1000 r0.01 r25 ", DMTRACE_OK },
	{ "a string", BYTES("\"abc\""), "\"abc\" ", DMTRACE_OK },
	{ "escapes", BYTES("\"\\\"\\\\\\/\\n\\u0041\\u00e9\\u20ac\""),
	    "\"\"\\/\nA\xc3\xa9\xe2\x82\xac\" ", DMTRACE_OK },
	{ "a pair of surrogates", BYTES("\"\\ud83d\\uDE00\""),
	    "\"\xf0\x9f\x98\x80\" ", DMTRACE_OK },
	{ "half a pair", BYTES("\"a\\ud83db\""), "\"a\xef\xbf\xbd" "b\" ",
	    DMTRACE_OK },
	{ "the other half", BYTES("\"\\ude00\""), "\"\xef\xbf\xbd\" ",
	    DMTRACE_OK },
	{ "two first halves and a second", BYTES("\"\\ud83d\\ud83d\\ude00\""),
	    "\"\xef\xbf\xbd\xf0\x9f\x98\x80\" ", DMTRACE_OK },
	{ "half a pair and another escape", BYTES("\"\\ud83d\\u0041\\n\""),
	    "\"\xef\xbf\xbd" "A\n\" ", DMTRACE_OK },
	{ "a NUL", BYTES("\"a\\u0000b\""), "\"a0b\" ", DMTRACE_OK },
	{ "any bytes", BYTES("\"\xff\x80\""), "\"\xff\x80\" ", DMTRACE_OK },
	{ "an empty array and object", BYTES("[] {}"), "[ ] { } ",
	    DMTRACE_OK },
	{ "nested values", BYTES("{\"a\":[1,{\"b\":[]}],\"c\" : null}"),
	    "{ a: [ 1 { b: [ ] } ] c: null } ", DMTRACE_OK },

	{ "a word that is none", BYTES("nul "), "", DMTRACE_ERR_CORRUPT },
	{ "a longer word", BYTES("nullnullnull "), "", DMTRACE_ERR_CORRUPT },
	{ "a comma alone", BYTES(","), "", DMTRACE_ERR_CORRUPT },
	{ "a number with a zero first", BYTES("01 "), "",
	    DMTRACE_ERR_CORRUPT },
	{ "a number without digits", BYTES("- "), "", DMTRACE_ERR_CORRUPT },
	{ "a point without digits", BYTES("1. "), "", DMTRACE_ERR_CORRUPT },
	{ "an exponent without digits", BYTES("1e+ "), "",
	    DMTRACE_ERR_CORRUPT },
	{ "a plus", BYTES("+1"), "", DMTRACE_ERR_CORRUPT },
	{ "a string without an end", BYTES("\"a"), "",
	    DMTRACE_ERR_TRUNCATED },
	{ "a line feed in a string", BYTES("\"a\n\""), "",
	    DMTRACE_ERR_CORRUPT },
	{ "an unknown escape", BYTES("\"\\x\""), "", DMTRACE_ERR_CORRUPT },
	{ "an escape without digits", BYTES("\"\\u12g4\""), "",
	    DMTRACE_ERR_CORRUPT },
	{ "a comma at the end of an array", BYTES("[1,]"), "[ 1 ",
	    DMTRACE_ERR_CORRUPT },
	{ "a comma at the end of an object", BYTES("{\"a\":1,}"),
	    "{ a: 1 ", DMTRACE_ERR_CORRUPT },
	{ "no comma", BYTES("[1 2]"), "[ 1 ", DMTRACE_ERR_CORRUPT },
	{ "no colon", BYTES("{\"a\" 1}"), "{ ", DMTRACE_ERR_CORRUPT },
	{ "no value", BYTES("{\"a\":}"), "{ a: ", DMTRACE_ERR_CORRUPT },
	{ "a name without quotes", BYTES("{a:1}"), "{ ",
	    DMTRACE_ERR_CORRUPT },
	{ "brackets of another kind", BYTES("[}"), "[ ",
	    DMTRACE_ERR_CORRUPT },
	{ "a bracket alone", BYTES("]"), "", DMTRACE_ERR_CORRUPT },
	{ "an array without an end", BYTES("[1"), "[ 1 ",
	    DMTRACE_ERR_TRUNCATED },
	{ "an object without an end", BYTES("{"), "{ ",
	    DMTRACE_ERR_TRUNCATED },
	{ "a part of a word", BYTES("[nul"), "[ ", DMTRACE_ERR_TRUNCATED },
	{ "a part of a number", BYTES("[1e"), "[ ", DMTRACE_ERR_TRUNCATED },
	{ "a part of an escape", BYTES("[\"\\"), "[ ",
	    DMTRACE_ERR_TRUNCATED },
	{ "a part of a code", BYTES("[\"\\ud8"), "[ ",
	    DMTRACE_ERR_TRUNCATED },
	{ "a name without its value", BYTES("{\"a\" "), "{ ",
	    DMTRACE_ERR_TRUNCATED },
	{ "a comma at the end of the text", BYTES("[1, "), "[ 1 ",
	    DMTRACE_ERR_TRUNCATED },
};

static void
add_token(struct listing *listing, const struct dmt_json *json,
    enum dmt_json_token token)
{
	static const char *const plain[] = {
		[DMT_JSON_OBJECT] = "{", [DMT_JSON_OBJECT_END] = "}",
		[DMT_JSON_ARRAY] = "[", [DMT_JSON_ARRAY_END] = "]",
		[DMT_JSON_TRUE] = "true", [DMT_JSON_FALSE] = "false",
		[DMT_JSON_NULL] = "null",
	};
	const struct dmtrace_text text = { json->text, json->len };

	if (token == DMT_JSON_STRING)
		listing_add(listing, "\"");
	if (token == DMT_JSON_STRING || token == DMT_JSON_NAME) {
		listing_add_text(listing, text);
		listing_add(listing, token == DMT_JSON_NAME ? ": " : "\" ");
	} else if (token == DMT_JSON_INTEGER) {
		listing_add(listing, "%" PRId64 " ", json->integer);
	} else if (token == DMT_JSON_REAL) {
		listing_add(listing, "r%g ", json->real);
	} else {
		listing_add(listing, "%s ", plain[token]);
	}
}

static enum dmtrace_status
read_all(const char *bytes, size_t len, struct listing *listing)
{
	struct dmt_input input;
	struct dmt_json json = { .input = &input };
	enum dmt_json_token token;

	dmt_input_open_memory(&input, bytes, len);
	while ((token = dmt_json_next(&json)) != DMT_JSON_END)
		if (listing != NULL)
			add_token(listing, &json, token);
	dmt_json_fini(&json);
	return json.error.status;
}

START_TEST(reads)
{
	struct listing listing = { "", 0 };

	ck_assert_int_eq(read_all(texts[_i].bytes, texts[_i].len, &listing),
	    texts[_i].status);
	ck_assert_str_eq(listing.text, texts[_i].tokens);
}
END_TEST

START_TEST(has_limits)
{
	const size_t room = 16 * 1024 * 1024 + 3;
	char *const bytes = malloc(room);

	memset(bytes, '[', 65537);
	ck_assert_int_eq(read_all(bytes, 65536, NULL),
	    DMTRACE_ERR_TRUNCATED);
	ck_assert_int_eq(read_all(bytes, 65537, NULL), DMTRACE_ERR_LIMIT);
	memset(bytes, 'a', room);
	bytes[0] = bytes[room - 1] = '"';
	ck_assert_int_eq(read_all(bytes, room, NULL), DMTRACE_ERR_LIMIT);
	bytes[room - 2] = '"';
	ck_assert_int_eq(read_all(bytes, room - 1, NULL), DMTRACE_OK);
	free(bytes);
}
END_TEST

START_TEST(reports_when_memory_runs_out)
{
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		failing_arm(&failing);
		failing_reported(&failing,
		    read_all(BYTES("{\"a\":[1.5,\"b\"]}"), NULL));
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 1);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("json");
	TCase *tcase = unit_tcase(suite, "json");

	ADD_CASES(tcase, reads, texts);
	tcase_add_test(tcase, has_limits);
	tcase_add_test(tcase, reports_when_memory_runs_out);
	return unit_main(suite);
}
