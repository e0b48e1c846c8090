/* test_key_decode.c - complete keys, in every form that can be read */

#include "helpers/failing.h"
#include "helpers/keys.h"
#include "key/key.h"

#define TABLES "1 main; 0x4|A|m|()V|; "

/* Each is read to these rows with these findings, and written as it was. */
static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	const char *rows;
	const char *findings;
} keys[] = {
	{ "a plain one", BYTES(OPTIONS THREADS METHODS END),
	    "3 dual; clock=dual; " TABLES, "" },
	{ "a byte order mark",
	    BYTES("\xef\xbb\xbf" OPTIONS THREADS METHODS END),
	    "3 dual; clock=dual; " TABLES, "key-bom@1 " },
	{ "blank lines first", BYTES("\n \t\n" OPTIONS THREADS METHODS END),
	    "3 dual; clock=dual; " TABLES,
	    "key-leading-blank@1 key-leading-blank@2 " },
	{ "blanks first", BYTES(" \t" OPTIONS THREADS METHODS END),
	    "3 dual; clock=dual; " TABLES, "key-leading-blank@1 " },
	{ "a mark, CR LF and blanks first",
	    BYTES("\xef\xbb\xbf\r\n " OPTIONS THREADS METHODS END),
	    "3 dual; clock=dual; " TABLES,
	    "key-crlf@1 key-bom@1 key-leading-blank@1"
	    " key-leading-blank@2 " },
	{ "CR LF", BYTES("*version\r\n3\r\nclock=dual\r\n*threads\r\n"
	    "1\tmain\r\n*methods\r\n0x4\tA\tm\t()V\r\n*end\r\n"),
	    "3 dual; clock=dual; " TABLES,
	    "key-crlf@1 key-crlf@2 key-crlf@3 key-crlf@4 key-crlf@5"
	    " key-crlf@6 key-crlf@7 key-crlf@8 " },
	{ "one CR too many", BYTES(OPTIONS THREADS METHODS "*end\r\r\n"),
	    "3 dual; clock=dual; " TABLES, "key-crlf@8 key-end-extra@8 " },

	{ "no LF after the end", BYTES(OPTIONS THREADS METHODS "*end"),
	    "3 dual; clock=dual; " TABLES, "key-end-no-lf@8 " },
	{ "CR alone after the end",
	    BYTES(OPTIONS THREADS METHODS "*end\r"),
	    "3 dual; clock=dual; " TABLES,
	    "key-end-extra@8 key-end-no-lf@8 " },
	{ "an end with more", BYTES(OPTIONS THREADS METHODS "*endfoo\n"),
	    "3 dual; clock=dual; " TABLES, "key-end-extra@8 " },
	{ "an end with blanks", BYTES(OPTIONS THREADS METHODS "*end \n"),
	    "3 dual; clock=dual; " TABLES, "key-end-extra@8 " },

	{ "no number", BYTES("*version\n" THREADS METHODS END),
	    "0 ; " TABLES, "key-version-bad@2 clock-missing " },
	{ "options for a number",
	    BYTES("*version\nclock=wall\na=b\n" THREADS METHODS END),
	    "0 wall; clock=wall; a=b; " TABLES,
	    "key-version-bad@2 option-unknown@3 " },
	{ "a number after blank lines",
	    BYTES("*version\n\n2\nclock=wall\n" THREADS METHODS END),
	    "2 wall; clock=wall; " TABLES, "key-blank-line@2 " },
	{ "a number with blanks",
	    BYTES("*version\n 3 \nclock=dual\n" THREADS METHODS END),
	    "3 dual; clock=dual; " TABLES, "key-version-bad@2 " },
	{ "a hexadecimal number",
	    BYTES("*version\n0x03\nclock=dual\n" THREADS METHODS END),
	    "3 dual; clock=dual; " TABLES, "key-version-bad@2 " },
	{ "a number that is none",
	    BYTES("*version\nthree\nclock=dual\n" THREADS METHODS END),
	    "0 dual; clock=dual; " TABLES, "key-version-bad@2 " },
	{ "a number past 2^32",
	    BYTES("*version\n4294967299\nclock=dual\n" THREADS METHODS END),
	    "0 dual; clock=dual; " TABLES, "key-version-bad@2 " },
	{ "a version to come",
	    BYTES("*version\n77\nclock=dual\n" THREADS METHODS END),
	    "77 dual; clock=dual; " TABLES, "" },

	{ "no clock", BYTES("*version\n3\n" THREADS METHODS END),
	    "3 ; " TABLES, "clock-missing " },
	{ "an unknown clock",
	    BYTES("*version\n3\nclock=sun\n" THREADS METHODS END),
	    "3 ; clock=sun; " TABLES, "clock-unknown@3 " },
	{ "a clock without a word",
	    BYTES("*version\n3\nclock\n" THREADS METHODS END),
	    "3 ; clock; " TABLES, "option-malformed@3 clock-unknown@3 " },
	{ "two clocks", BYTES(OPTIONS "clock=wall\n" THREADS METHODS END),
	    "3 dual; clock=dual; clock=wall; " TABLES,
	    "option-repeated@4 " },
	{ "two clocks, the second a known one", BYTES("*version\n3\n"
	    "clock=sun\nclock=wall\n" THREADS METHODS END),
	    "3 ; clock=sun; clock=wall; " TABLES,
	    "clock-unknown@3 option-repeated@4 " },
	{ "every clock of old",
	    BYTES("*version\n1\nclock=global\n" THREADS METHODS END),
	    "1 global; clock=global; " TABLES, "" },
	{ "a full buffer", BYTES(OPTIONS
	    "data-file-overflow=true\n" THREADS METHODS END),
	    "3 dual; clock=dual; data-file-overflow=true; " TABLES,
	    "overflow@4 " },
	{ "a buffer that was not full", BYTES(OPTIONS
	    "data-file-overflow=false\n" THREADS METHODS END),
	    "3 dual; clock=dual; data-file-overflow=false; " TABLES, "" },
	{ "unknown and malformed options",
	    BYTES(OPTIONS "a=b=c\nplain\n=\na=\n" THREADS METHODS END),
	    "3 dual; clock=dual; a=b=c; plain; =; a=; " TABLES,
	    "option-unknown@4 option-malformed@5 option-malformed@6"
	    " option-unknown@7 option-repeated@7 " },

	{ "tables in another order", BYTES(OPTIONS METHODS THREADS END),
	    "3 dual; clock=dual; " TABLES, "key-section-order@6 " },
	{ "tables in pieces",
	    BYTES(OPTIONS THREADS METHODS "*threads\n2\tb\n" END),
	    "3 dual; clock=dual; 1 main; 2 b; 0x4|A|m|()V|; ",
	    "key-section-repeated@8 " },
	{ "options after the tables",
	    BYTES(OPTIONS THREADS METHODS "*version\n3\na=b\n" END),
	    "3 dual; clock=dual; 3; a=b; " TABLES,
	    "key-section-repeated@8 option-malformed@9 option-unknown@10 " },
	{ "an unknown section",
	    BYTES(OPTIONS "*foo\n7\tx\na=b\n" THREADS METHODS END),
	    "3 dual; clock=dual; " TABLES, "key-section-unknown@4 " },
	{ "a section with more than its name",
	    BYTES(OPTIONS "*threadsfoo\n7\tx\n" THREADS METHODS END),
	    "3 dual; clock=dual; " TABLES, "key-section-unknown@4 " },
	{ "blanks after the names of sections",
	    BYTES("*version \n3\nclock=dual\n*threads\t\n1\tmain\n"
	    "*methods  \n0x4\tA\tm\t()V\n" END),
	    "3 dual; clock=dual; " TABLES,
	    "key-section-blanks@1 key-section-blanks@4"
	    " key-section-blanks@6 " },
	{ "more after the name of the first",
	    BYTES("*version 3\n3\nclock=dual\n" THREADS METHODS END),
	    "3 dual; clock=dual; " TABLES, "key-section-blanks@1 " },
	{ "no threads section", BYTES(OPTIONS METHODS END),
	    "3 dual; clock=dual; 0x4|A|m|()V|; ",
	    "key-section-missing@6 thread-none@6 " },
	{ "no methods section", BYTES(OPTIONS THREADS END),
	    "3 dual; clock=dual; 1 main; ",
	    "key-section-missing@6 method-none@6 " },
	{ "no sections", BYTES("*version\n" END), "0 ; ",
	    "key-version-bad@2 key-section-missing@2"
	    " key-section-missing@2 thread-none@2 method-none@2"
	    " clock-missing " },
	{ "empty sections", BYTES(OPTIONS "*threads\n*methods\n" END),
	    "3 dual; clock=dual; ", "thread-none@6 method-none@6 " },
	{ "blank lines", BYTES(OPTIONS "\n*threads\n \n1\tmain\n"
	    "*methods\n\t\t\n0x4\tA\tm\t()V\n\n" END),
	    "3 dual; clock=dual; " TABLES,
	    "key-blank-line@4 key-blank-line@6 key-blank-line@9"
	    " key-blank-line@11 " },

	{ "threads that come again",
	    BYTES(OPTIONS "*threads\n1\tmain\n2\tb\n1\tc\n" METHODS END),
	    "3 dual; clock=dual; 1 main; 2 b; 1 c; 0x4|A|m|()V|; ",
	    "thread-repeated@7 " },
	{ "methods that come again, with low bits too",
	    BYTES(OPTIONS THREADS METHODS "4\tB\tm\t()V\n7\tC\tm\t()V\n"
	    END),
	    "3 dual; clock=dual; " TABLES
	    "0x4|B|m|()V|; 0x7|C|m|()V|; ",
	    "method-id-form@8 method-repeated@8 method-id-form@9"
	    " method-id-low-bits@9 method-repeated@9 " },
	{ "rows that are left out",
	    BYTES(OPTIONS "*threads\nx\ty\n1\tmain\n*methods\nx\ty\n"
	    "0x4\tA\tm\t()V\n" END),
	    "3 dual; clock=dual; " TABLES,
	    "thread-id-bad@5 method-id-bad@8 " },

	{ "names that are not UTF-8",
	    BYTES(OPTIONS "*threads\n1\t\xed\xa0\x80\n*methods\n"
	    "0x4\tA\t\xc0\x80\t()V\n" END),
	    "3 dual; clock=dual; 1 \xed\xa0\x80;"
	    " 0x4|A|\xc0\x80|()V|; ",
	    "key-not-utf8@5 key-not-utf8@7 " },
	{ "names that an editor destroyed",
	    BYTES(OPTIONS "*threads\n1\ta\xef\xef\xbf\xbd\n" METHODS
	    "0x8\tB\xef\xbf\xbd\tm\t()V\n" END),
	    "3 dual; clock=dual; 1 a\xef\xef\xbf\xbd; 0x4|A|m|()V|;"
	    " 0x8|B\xef\xbf\xbd|m|()V|; ",
	    "key-not-utf8@5 key-damaged@5 key-damaged@8 " },
	{ "four NULs in a line, and three", BYTES(OPTIONS
	    "*threads\n1\t\0m\0\0a\0\n2\t\0\0\0\n" METHODS END),
	    "3 dual; clock=dual; 1 0m00a0; 2 000; 0x4|A|m|()V|; ",
	    "key-line-zeroed@5 " },
	{ "NUL in names", BYTES(OPTIONS "*threads\n1\tma\0in\n" METHODS END),
	    "3 dual; clock=dual; 1 ma0in; 0x4|A|m|()V|; ", "" },
};

START_TEST(decodes)
{
	struct dmtrace_key *key = dmt_key_new();
	struct listing findings = { "", 0 };
	size_t used = 0;

	ck_assert_int_eq(dmt_key_decode_bytes(key, keys[_i].bytes,
	    keys[_i].len, &used, listing_add_finding, &findings), DMTRACE_OK);
	ck_assert_uint_eq(used, keys[_i].len);
	ck_assert_str_eq(findings.text, keys[_i].findings);
	assert_key(key, keys[_i].rows);
	ck_assert_int_eq(dmt_key_error(key)->status, DMTRACE_OK);
	dmt_key_free(key);
}
END_TEST

START_TEST(encodes_what_it_decoded)
{
	struct dmtrace_key *key = key_of(keys[_i].bytes, keys[_i].len);

	assert_encodes(key, keys[_i].bytes, keys[_i].len);
	dmt_key_free(key);
}
END_TEST

START_TEST(is_copied_as_it_is)
{
	struct dmtrace_key *key = key_of(keys[_i].bytes, keys[_i].len);
	struct dmtrace_key *copy = dmt_key_copy(key);

	dmt_key_free(key);
	assert_encodes(copy, keys[_i].bytes, keys[_i].len);
	assert_key(copy, keys[_i].rows);
	dmt_key_free(copy);
}
END_TEST

/* Bytes that end where they are readable. */
static char *
copy_of(const char *bytes, size_t len)
{
	char *copy = malloc(len);

	memcpy(copy, bytes, len);
	return copy;
}

START_TEST(ends_in_a_status_at_every_prefix)
{
	for (size_t len = 1; len < keys[_i].len; len++) {
		char *bytes = copy_of(keys[_i].bytes, len);
		struct dmtrace_key *key = dmt_key_new();
		size_t used = 77;
		const enum dmtrace_status status = dmt_key_decode_bytes(key,
		    bytes, len, &used, NULL, NULL);

		ck_assert_int_eq(dmt_key_error(key)->status, status);
		if (status == DMTRACE_OK)
			assert_encodes(key, bytes, used);
		else
			ck_assert_uint_eq(used, 77);
		dmt_key_free(key);
		free(bytes);
	}
}
END_TEST

/* A key that was changed is odd, or none. */
START_TEST(ends_in_a_status_whatever_byte_changes)
{
	static const char bytes[] = { '\0', '\n', '*', '=', '\t', '\xff' };

	for (size_t i = 0; i < keys[_i].len; i++) {
		char *copy = copy_of(keys[_i].bytes, keys[_i].len);
		struct dmtrace_key *key = dmt_key_new();
		size_t used;

		copy[i] = bytes[i % sizeof(bytes)];
		if (dmt_key_decode_bytes(key, copy, keys[_i].len, &used, NULL,
		    NULL) == DMTRACE_OK)
			assert_encodes(key, copy, used);
		dmt_key_free(key);
		free(copy);
	}
}
END_TEST

/* A failed decode leaves a new key, which can be decoded to. */
START_TEST(stays_new_without_memory)
{
	struct failing failing = { .kind = FAULT_ALLOC };
	struct listing rows = { "", 0 };

	do {
		struct dmtrace_key *key = dmt_key_new();
		size_t used = 77;

		failing_arm(&failing);
		if (failing_reported(&failing, dmt_key_decode_bytes(key,
		    keys[_i].bytes, keys[_i].len, &used, NULL, NULL))) {
			ck_assert_uint_eq(used, 77);
			assert_key(key, "2 ; ");
			assert_encodes(key, BYTES("*version\n2\n*threads\n"
			    "*methods\n*end\n"));
			ck_assert_int_eq(dmt_key_decode_bytes(key,
			    keys[_i].bytes, keys[_i].len, &used, NULL, NULL),
			    DMTRACE_OK);
		}
		assert_encodes(key, keys[_i].bytes, keys[_i].len);
		listing_add_key(&rows, key);
		ck_assert_str_eq(rows.text, keys[_i].rows);
		rows = (struct listing){ "", 0 };
		dmt_key_free(key);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 1);
}
END_TEST

START_TEST(is_not_made_without_memory)
{
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		failing_arm(&failing);
		struct dmtrace_key *key = dmt_key_new();
		failing_reported(&failing, status_of_new(key));
		dmt_key_free(key);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 1);
}
END_TEST

START_TEST(is_not_copied_without_memory)
{
	struct dmtrace_key *key = key_of(keys[_i].bytes, keys[_i].len);
	struct failing failing = { .kind = FAULT_ALLOC };

	do {
		failing_arm(&failing);
		struct dmtrace_key *copy = dmt_key_copy(key);
		if (!failing_reported(&failing, status_of_new(copy)))
			assert_encodes(copy, keys[_i].bytes, keys[_i].len);
		dmt_key_free(copy);
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 3);
	dmt_key_free(key);
}
END_TEST

static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	enum dmtrace_status status;
	uint64_t at;
	const char *message;
} refusals[] = {
	{ "nothing", BYTES(""), DMTRACE_ERR_NOT_TRACE, 0,
	    "a key begins with \"*version\"" },
	{ "text", BYTES("hello\n*end\n"), DMTRACE_ERR_NOT_TRACE, 0,
	    "a key begins with \"*version\"" },
	{ "another word", BYTES("*versions\n3\n*end\n"),
	    DMTRACE_ERR_NOT_TRACE, 0, "a key begins with \"*version\"" },
	{ "another section first", BYTES(THREADS OPTIONS METHODS END),
	    DMTRACE_ERR_NOT_TRACE, 0, "a key begins with \"*version\"" },
	{ "half a mark", BYTES("\xef\xbb" OPTIONS END),
	    DMTRACE_ERR_NOT_TRACE, 0, "a key begins with \"*version\"" },
	{ "no end", BYTES(OPTIONS THREADS METHODS), DMTRACE_ERR_TRUNCATED,
	    59, "the key ends after 59 bytes without \"*end\"" },
	{ "a part of the end", BYTES(OPTIONS "*en"), DMTRACE_ERR_TRUNCATED,
	    25, "the key ends after 25 bytes without \"*end\"" },
	{ "an end that does not begin its line", BYTES(OPTIONS " *end\n"),
	    DMTRACE_ERR_TRUNCATED, 28,
	    "the key ends after 28 bytes without \"*end\"" },
};

START_TEST(refuses)
{
	struct dmtrace_key *key = dmt_key_new();
	const struct dmtrace_error *error = dmt_key_error(key);
	size_t used = 77;

	ck_assert_int_eq(dmt_key_decode_bytes(key, refusals[_i].bytes,
	    refusals[_i].len, &used, NULL, NULL), refusals[_i].status);
	ck_assert_int_eq(error->status, refusals[_i].status);
	ck_assert_int_eq(error->place, DMTRACE_PLACE_OFFSET);
	ck_assert_uint_eq(error->at, refusals[_i].at);
	ck_assert_str_eq(error->message, refusals[_i].message);
	ck_assert_uint_eq(used, 77);
	ck_assert_int_eq(dmt_key_decode_bytes(key, keys[0].bytes, keys[0].len,
	    &used, NULL, NULL), DMTRACE_OK);
	ck_assert_int_eq(error->status, DMTRACE_OK);
	dmt_key_free(key);
}
END_TEST

START_TEST(refuses_a_key_that_is_not_new)
{
	struct dmtrace_key *key = key_of(keys[0].bytes, keys[0].len);
	size_t used = 77;

	ck_assert_int_eq(dmt_key_decode_bytes(key, "x", 1, &used, NULL, NULL),
	    DMTRACE_ERR_STATE);
	ck_assert_str_eq(dmt_key_error(key)->message,
	    "a key can only be decoded into a new one");
	ck_assert_uint_eq(used, 77);
	assert_encodes(key, keys[0].bytes, keys[0].len);
	dmt_key_free(key);
	key = dmt_key_new();
	ck_assert_int_eq(dmtrace_key_option_set(key, "a", "b"), DMTRACE_OK);
	ck_assert_int_eq(dmt_key_decode_bytes(key, keys[0].bytes, keys[0].len,
	    &used, NULL, NULL), DMTRACE_ERR_STATE);
	dmt_key_free(key);
}
END_TEST

/* Lines that would cost too much if each were compared to all others, or if
 * all of them were to share a place in a table. */
static const struct {
	const char *label;
	const char *before;
	const char *line;	/* '#' is its number */
	const char *after;
} floods[] = {
	{ "options", OPTIONS, "option#=b\n", THREADS METHODS END },
	{ "the same option", OPTIONS, "a=#\n", THREADS METHODS END },
	{ "options without a name", OPTIONS, "=#\n", THREADS METHODS END },
	{ "threads", OPTIONS "*threads\n", "#\tt\n", METHODS END },
	{ "the same thread", OPTIONS "*threads\n", "1\t#\n", METHODS END },
	{ "threads that are equal modulo 2^8", OPTIONS "*threads\n",
	    "0x#00\tt\n", METHODS END },
	{ "threads that are none", OPTIONS "*threads\n", "x#\n",
	    METHODS END },
	{ "methods", OPTIONS THREADS "*methods\n", "0x#0\tA\tm\t()V\n",
	    END },
	{ "the same method", OPTIONS THREADS "*methods\n", "0x4\tA\t#\n",
	    END },
	{ "methods that are equal modulo 2^32", OPTIONS THREADS
	    "*methods\n", "0x#00000000\tA\tm\n", END },
	{ "methods that are none", OPTIONS THREADS "*methods\n", "x#\n",
	    END },
	{ "sections", OPTIONS, "*threads\n#\tt\n*methods\n", END },
	{ "unknown sections", OPTIONS, "*#\n", THREADS METHODS END },
	{ "blank lines", OPTIONS, "\n", THREADS METHODS END },
};

/* 100,000 such lines in one key; the caller frees it. */
static char *
flood_of(size_t *len, size_t row)
{
	char *text = malloc(100000 * 40);
	char *out = text + sprintf(text, "%s", floods[row].before);

	for (unsigned i = 0; i < 100000; i++)
		for (const char *in = floods[row].line; *in != '\0'; in++)
			if (*in == '#')
				out += sprintf(out, "%u", i);
			else
				*out++ = *in;
	out += sprintf(out, "%s", floods[row].after);
	*len = (size_t)(out - text);
	return text;
}

START_TEST(decodes_a_flood_of_lines)
{
	size_t len;
	char *text = flood_of(&len, (size_t)_i);
	struct dmtrace_key *key = key_of(text, len);

	assert_encodes(key, text, len);
	dmt_key_free(key);
	free(text);
}
END_TEST

/* The line of the first row; NULL: none. */
static const struct {
	const char *label;
	const char *methods;
	const char *line;
} method_lines[] = {
	{ "all columns", "0x4\tA\tm\t()V\tA.java\t7\n",
	    "0x4\tA\tm\t()V\tA.java\t7" },
	{ "more columns than a row has", "0x4\tA\tm\t()V\ta\t7\tb\n",
	    "0x4\tA\tm\t()V\ta\t7\tb" },
	{ "a CR is of the line", "0x4\tA\tm\t()V\r\n", "0x4\tA\tm\t()V\r" },
	{ "no class", "0x4\t\tm\n", "0x4\t\tm" },
	{ "blanks for TABs", "0x4  A m ()V\n", "0x4  A m ()V" },
	{ "an id alone", "0x4\n", NULL },
};

START_TEST(has_the_lines_of_methods)
{
	char text[256];
	const int len = snprintf(text, sizeof(text), "%s%s*methods\n%s%s",
	    OPTIONS, THREADS, method_lines[_i].methods, END);
	struct dmtrace_key *const key = key_of(text, (size_t)len);
	const struct dmtrace_method added = { 8, { "B", 1 }, { "n", 1 },
	    { "", 0 }, { "", 0 }, DMTRACE_NO_LINE };
	const struct dmtrace_text line = dmt_key_method_line(key, 0);

	if (method_lines[_i].line == NULL) {
		ck_assert_ptr_null(line.bytes);
	} else {
		ck_assert_uint_eq(line.len, strlen(method_lines[_i].line));
		ck_assert_mem_eq(line.bytes, method_lines[_i].line, line.len);
	}
	ck_assert_int_eq(dmtrace_key_method_add(key, &added), DMTRACE_OK);
	ck_assert_ptr_null(dmt_key_method_line(key, 1).bytes);
	dmt_key_free(key);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("key_decode");
	TCase *tcase = unit_tcase(suite, "key_decode");
	TCase *floods_case = unit_tcase(suite, "floods");

	ADD_CASES(tcase, decodes, keys);
	ADD_CASES(tcase, encodes_what_it_decoded, keys);
	ADD_CASES(tcase, is_copied_as_it_is, keys);
	ADD_CASES(tcase, ends_in_a_status_at_every_prefix, keys);
	ADD_CASES(tcase, ends_in_a_status_whatever_byte_changes, keys);
	ADD_CASES(tcase, stays_new_without_memory, keys);
	tcase_add_test(tcase, is_not_made_without_memory);
	ADD_CASES(tcase, is_not_copied_without_memory, keys);
	ADD_CASES(tcase, refuses, refusals);
	tcase_add_test(tcase, refuses_a_key_that_is_not_new);
	ADD_CASES(tcase, has_the_lines_of_methods, method_lines);
	tcase_set_timeout(floods_case, 5);
	ADD_CASES(floods_case, decodes_a_flood_of_lines, floods);
	return unit_main(suite);
}
