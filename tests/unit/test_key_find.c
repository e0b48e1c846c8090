/* test_key_find.c - the start and the end of a key, and the row of an id */

#include "helpers/keys.h"
#include "key/key.h"
#include "private/event.h"

#define BOM "\xef\xbb\xbf"
#define BLANKS "          "		/* 10 bytes */

static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	bool begins;
} beginnings[] = {
	{ "a key", BYTES("*version\n3\n"), true },
	{ "its first word alone", BYTES("*version"), true },
	{ "CR LF", BYTES("*version\r\n"), true },
	{ "a blank after it", BYTES("*version \n"), true },
	{ "blanks before it", BYTES(" \t\r\n\n*version\n"), true },
	{ "a byte order mark", BYTES(BOM "*version\n"), true },
	{ "a mark, then blanks", BYTES(BOM "\r\n *version\n"), true },
	{ "as many blanks as may be",
	    BYTES(BLANKS BLANKS BLANKS BLANKS BLANKS "      *version\n"),
	    true },
	{ "one too many",
	    BYTES(BLANKS BLANKS BLANKS BLANKS BLANKS "       *version\n"),
	    false },
	{ "nothing", BYTES(""), false },
	{ "blanks alone", BYTES("  \n"), false },
	{ "a mark alone", BYTES(BOM), false },
	{ "a mark after blanks", BYTES("\n" BOM "*version\n"), false },
	{ "two marks", BYTES(BOM BOM "*version\n"), false },
	{ "a part of the word", BYTES("*versio"), false },
	{ "a longer word", BYTES("*versions\n"), false },
	{ "another case", BYTES("*Version\n"), false },
	{ "data", BYTES("SLOW\x03\0\x20\0"), false },
};

START_TEST(recognises_the_beginning_of_a_key)
{
	ck_assert_int_eq(dmt_key_recognises(
	    (const uint8_t *)beginnings[_i].bytes, beginnings[_i].len),
	    beginnings[_i].begins);
}
END_TEST

/* Keys with something after them. */
static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	enum dmtrace_status status;
	size_t size;		/* of the key */
} files[] = {
	{ "a trace", BYTES(OPTIONS THREADS METHODS END "SLOW\x03\0\x20\0"),
	    DMTRACE_OK, 64 },
	{ "a key alone", BYTES(OPTIONS THREADS METHODS END), DMTRACE_OK,
	    64 },
	{ "a key without its last LF", BYTES(OPTIONS THREADS METHODS "*end"),
	    DMTRACE_OK, 63 },
	{ "the magic on the last line",
	    BYTES(OPTIONS THREADS METHODS "*endSLOW\x03\0\x20\0\n"),
	    DMTRACE_OK, 63 },
	{ "nearly the magic on the last line",
	    BYTES(OPTIONS THREADS METHODS "*endSLOV\n*end\n"), DMTRACE_OK,
	    68 },
	{ "a part of the magic on the last line",
	    BYTES(OPTIONS THREADS METHODS "*endSLO"), DMTRACE_OK, 66 },
	{ "the magic close to the end",
	    BYTES(OPTIONS THREADS METHODS "*end\r12345 7SLOW\x03\0\n"),
	    DMTRACE_OK, 63 },
	{ "the magic not as close",
	    BYTES(OPTIONS THREADS METHODS "*end123456789SLOW\x03\0\n"),
	    DMTRACE_OK, 79 },
	{ "more on the last line",
	    BYTES(OPTIONS THREADS METHODS "*endfoo\r\nSLOW"), DMTRACE_OK,
	    68 },
	{ "two keys", BYTES(OPTIONS END OPTIONS END), DMTRACE_OK, 27 },
	{ "an end that is a name",
	    BYTES(OPTIONS "*threads\n1\t*end\n 2\t*end\n" METHODS END),
	    DMTRACE_OK, 72 },
	{ "a key that is cut", BYTES(OPTIONS THREADS METHODS "*en"),
	    DMTRACE_ERR_TRUNCATED, 0 },
	{ "data", BYTES("SLOW\x03\0\x20\0" "0123456789012345678901234567"
	    "89012345678901234567890123456789"), DMTRACE_ERR_NOT_TRACE, 0 },
	{ "the word after too many blanks",
	    BYTES(BLANKS BLANKS BLANKS BLANKS BLANKS BLANKS OPTIONS END),
	    DMTRACE_ERR_NOT_TRACE, 0 },
};

/* Looks for the end of files[row] in pieces of step bytes. */
static enum dmtrace_status
find_in_pieces(struct dmtrace_key *key, size_t *size, size_t row, size_t step)
{
	const size_t whole = files[row].len;
	size_t scanned = 0;

	for (size_t len = step;; len += step) {
		const size_t given = len < whole ? len : whole;
		uint8_t *bytes = malloc(given);

		memcpy(bytes, files[row].bytes, given);
		const enum dmtrace_status status = dmt_key_find_end(key,
		    bytes, given, given == whole, &scanned, size);
		free(bytes);
		if (status != DMTRACE_END)
			return status;
		ck_assert_uint_lt(given, whole);
	}
}

START_TEST(finds_the_end_in_pieces)
{
	static const size_t steps[] = { 1, 2, 3, 7, 64, 1000 };

	for (size_t i = 0; i < ROWS(steps); i++) {
		struct dmtrace_key *key = dmt_key_new();
		size_t size = 0;

		ck_assert_int_eq(find_in_pieces(key, &size, (size_t)_i,
		    steps[i]), files[_i].status);
		ck_assert_uint_eq(size, files[_i].size);
		ck_assert_int_eq(dmt_key_error(key)->status,
		    files[_i].status);
		dmt_key_free(key);
	}
}
END_TEST

#define LONG "*version\n3\n*threads\n1\t0123456789\n*end\n"

static const struct {
	const char *label;
	enum dmtrace_limit limit;
	uint64_t value;
	const char *bytes;
	uint64_t at;
	const char *message;	/* NULL: no failure */
} limits[] = {
	{ "a key of as many bytes", DMTRACE_LIMIT_KEY, 38, LONG, 0, NULL },
	{ "a key of one too many", DMTRACE_LIMIT_KEY, 37, LONG, 37,
	    "a key of more than 37 bytes, the limit of a key" },
	{ "a key with the magic on the last line", DMTRACE_LIMIT_KEY, 15,
	    "*version\n3\n*endSLOW", 0, NULL },
	{ "the same with one too many", DMTRACE_LIMIT_KEY, 14,
	    "*version\n3\n*endSLOW", 14,
	    "a key of more than 14 bytes, the limit of a key" },
	{ "a key that does not end", DMTRACE_LIMIT_KEY, 20,
	    "*version\n3\na=b\nc=d\nbcde\n", 20,
	    "a key of more than 20 bytes, the limit of a key" },
	{ "a line of as many bytes", DMTRACE_LIMIT_LINE, 13, LONG, 0, NULL },
	{ "a line of one too many", DMTRACE_LIMIT_LINE, 12, LONG, 20,
	    "a line of more than 12 bytes, the limit of a line" },
	{ "a line that does not end", DMTRACE_LIMIT_LINE, 9,
	    "*version\n0123456789", 9,
	    "a line of more than 9 bytes, the limit of a line" },
	{ "a limit of nothing", DMTRACE_LIMIT_KEY, 0, LONG, 0,
	    "a key of more than 0 bytes, the limit of a key" },
};

START_TEST(names_the_limit_that_a_key_is_over)
{
	struct dmtrace_key *key = dmt_key_new();
	const struct dmtrace_error *error = dmt_key_error(key);
	size_t used;

	ck_assert_int_eq(dmt_key_set_limit(key, limits[_i].limit,
	    limits[_i].value), DMTRACE_OK);
	ck_assert_int_eq(dmt_key_decode_bytes(key, limits[_i].bytes,
	    strlen(limits[_i].bytes), &used, NULL, NULL),
	    limits[_i].message == NULL ? DMTRACE_OK : DMTRACE_ERR_LIMIT);
	if (limits[_i].message != NULL)
		ck_assert_str_eq(error->message, limits[_i].message);
	ck_assert_uint_eq(error->at, limits[_i].at);
	dmt_key_free(key);
}
END_TEST

START_TEST(has_limits_by_default)
{
	struct dmtrace_key *key = dmt_key_new();
	const size_t len = (16 << 20) + 20;
	char *bytes = malloc(len);
	size_t used;

	memset(bytes, 'a', len);
	memcpy(bytes, "*version\n", 9);
	memcpy(bytes + 9 + (16 << 20), "\n*end\n", 6);
	ck_assert_int_eq(dmt_key_decode_bytes(key, bytes, len, &used, NULL,
	    NULL), DMTRACE_ERR_LIMIT);
	ck_assert_str_eq(dmt_key_error(key)->message,
	    "a line of more than 16777216 bytes, the limit of a line");
	memcpy(bytes + 9 + (16 << 20) - 1, "\n*end\n", 6);
	ck_assert_int_eq(dmt_key_decode_bytes(key, bytes, len, &used, NULL,
	    NULL), DMTRACE_OK);
	free(bytes);
	dmt_key_free(key);
}
END_TEST

START_TEST(has_no_limit_of_depth)
{
	struct dmtrace_key *key = dmt_key_new();

	ck_assert_int_eq(dmt_key_set_limit(key, DMTRACE_LIMIT_DEPTH, 1),
	    DMTRACE_ERR_RANGE);
	ck_assert_str_eq(dmt_key_error(key)->message,
	    "a key has no limit 2");
	dmt_key_free(key);
}
END_TEST

static const char tables[] =
    "*version\n3\nclock=dual\na=1\nclock=wall\na=2\nb\n"
    "*threads\n70000\tfar\n5\tfive\n65541\tfive too\n257\tone\n5\tsix\n"
    "4464\tnear\n4294967295\tlast\n"
    "*methods\n0x4\tA\ta\t()V\n0x7\tB\tb\t()V\n0x80000000\tC\tc\t()V\n"
    "0xfffffffffffffffe\tD\td\t()V\n"
    "*end\n";

/* What is found by a number, "" if nothing. Layouts: the field's width. */
static const struct {
	unsigned version;
	uint32_t number;
	const char *name;
} numbers[] = {
	{ 3, 5, "five" },
	{ 3, 70000, "far" },
	{ 3, 4464, "near" },	/* rather than 70000 modulo 2^16 */
	{ 3, 257, "one" },
	{ 3, 65535, "last" },
	{ 3, 1, "" },
	{ 2, 65535, "last" },
	{ 2, 5, "five" },
	{ 1, 5, "five" },
	{ 1, 1, "one" },
	{ 1, 112, "far" },	/* the first of 70000 and 4464 */
	{ 1, 255, "last" },
	{ 1, 6, "" },
};

START_TEST(matches_the_number_of_a_record)
{
	struct dmtrace_key *key = key_of(tables, sizeof(tables) - 1);
	const struct dmtrace_thread *thread = dmt_key_thread_match(key,
	    dmt_layout_find(numbers[_i].version, DMTRACE_CLOCK_WALL),
	    numbers[_i].number);
	struct listing name = { "", 0 };

	if (thread != NULL)
		listing_add_text(&name, thread->name);
	ck_assert_str_eq(name.text, numbers[_i].name);
	dmt_key_free(key);
}
END_TEST

START_TEST(finds_the_first_thread_of_an_id)
{
	struct dmtrace_key *key = key_of(tables, sizeof(tables) - 1);

	ck_assert_ptr_eq(dmtrace_key_thread_find(key, 5),
	    dmtrace_key_thread_get(key, 1));
	ck_assert_ptr_eq(dmtrace_key_thread_find(key, UINT32_MAX),
	    dmtrace_key_thread_get(key, 6));
	ck_assert_ptr_null(dmtrace_key_thread_find(key, 1));
	ck_assert_ptr_null(dmtrace_key_thread_find(key, 65535));
	dmt_key_free(key);
}
END_TEST

static const struct {
	uint64_t id;
	int row;		/* -1: none */
} ids[] = {
	{ 4, 0 }, { 5, 0 }, { 7, 0 },
	{ 0x80000000, 2 }, { 0x80000003, 2 },
	{ UINT64_C(0xfffffffffffffffc), 3 },
	{ 0, -1 }, { 8, -1 }, { 0xfffffffc, -1 },
	{ UINT64_C(0x100000004), -1 }, { UINT64_C(0xffffffff80000000), -1 },
};

START_TEST(finds_the_first_method_of_an_id)
{
	struct dmtrace_key *key = key_of(tables, sizeof(tables) - 1);

	ck_assert_ptr_eq(dmtrace_key_method_find(key, ids[_i].id),
	    ids[_i].row < 0 ? NULL :
	    dmtrace_key_method_get(key, (size_t)ids[_i].row));
	dmt_key_free(key);
}
END_TEST

START_TEST(finds_the_first_option_of_a_name)
{
	struct dmtrace_key *key = key_of(tables, sizeof(tables) - 1);

	ck_assert_ptr_eq(dmtrace_key_option_find(key, "a"),
	    dmtrace_key_option_get(key, 1));
	ck_assert_ptr_eq(dmtrace_key_option_find(key, "b"),
	    dmtrace_key_option_get(key, 4));
	ck_assert_ptr_null(dmtrace_key_option_find(key, "c"));
	ck_assert_ptr_null(dmtrace_key_option_find(key, ""));
	ck_assert_ptr_null(dmtrace_key_option_find(key, "clock="));
	dmt_key_free(key);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("key_find");
	TCase *ends = unit_tcase(suite, "ends");
	TCase *rows = unit_tcase(suite, "rows");

	ADD_CASES(ends, recognises_the_beginning_of_a_key, beginnings);
	ADD_CASES(ends, finds_the_end_in_pieces, files);
	ADD_CASES(ends, names_the_limit_that_a_key_is_over, limits);
	tcase_add_test(ends, has_limits_by_default);
	tcase_add_test(ends, has_no_limit_of_depth);
	ADD_CASES(rows, matches_the_number_of_a_record, numbers);
	tcase_add_test(rows, finds_the_first_thread_of_an_id);
	ADD_CASES(rows, finds_the_first_method_of_an_id, ids);
	tcase_add_test(rows, finds_the_first_option_of_a_name);
	return unit_main(suite);
}
