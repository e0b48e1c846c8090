/* test_key_wrap.c - a block of lines put into a key and taken out again */

#include <dmtrace.h>
#include <string.h>

#include "helpers/unit.h"
#include "key/key_wrap.h"
#include "private/key.h"

static const char *const names[] = { "was-", "block", "count=" };

/* The block is "block=1\n" here, and in its last line. */
static const struct {
	const char *label;
	const char *key;
	const char *wrapped;
} wrapped[] = {
	{ "no options", "*version\n2\n*threads\n*end\n",
	    "*version\n2\nblock=1\n*threads\n*end\n" },
	{ "an option of another name",
	    "*version\n2\nclock=wall\n*threads\n*end\n",
	    "*version\n2\nblock=1\nclock=wall\n*threads\n*end\n" },
	{ "options of these names",
	    "*version\n2\ncount=7\nclock=wall\ncounts=1\nblock\ncount=8\n"
	    "*threads\n*end\n",
	    "*version\n2\nblock=1\nwas-count=7\nclock=wall\ncounts=1\n"
	    "was-block\nwas-count=8\n*threads\n*end\n" },
	{ "a block that is there already",
	    "*version\n2\nblock=1\nwas-count=7\n*threads\n*end\n",
	    "*version\n2\nblock=1\nwas-block=1\nwas-was-count=7\n"
	    "*threads\n*end\n" },
	{ "no number", "*version\ncount=7\n*threads\n*end\n",
	    "*version\nblock=1\nwas-count=7\n*threads\n*end\n" },
	{ "nothing but the version", "*version\n*end",
	    "*version\nblock=1\n*end" },
	{ "options after the tables",
	    "*version\n2\n*threads\n1\tcount=7\n*version\ncount=7\n*end\n",
	    "*version\n2\nblock=1\n*threads\n1\tcount=7\n*version\n"
	    "was-count=7\n*end\n" },
	{ "CR LF, a mark and blank lines",
	    "\xef\xbb\xbf*version\r\n\r\n2\r\n\r\ncount=7\r\n*end\r\n",
	    "\xef\xbb\xbf*version\r\n\r\n2\r\nblock=1\n\r\nwas-count=7\r\n"
	    "*end\r\n" },
};

static struct dmtrace_key *
decode(const char *text)
{
	struct dmtrace_key *const key = dmt_key_new();
	size_t used;

	ck_assert_int_eq(dmt_key_decode_bytes(key, text, strlen(text), &used,
	    NULL, NULL), DMTRACE_OK);
	return key;
}

START_TEST(puts_a_block_below_the_version)
{
	const struct dmt_wrap wrap = { names, 3, 8 };
	struct dmtrace_key *const key = decode(wrapped[_i].key);
	const size_t size = dmt_key_wrapped_size(key, &wrap);
	uint8_t out[256];

	ck_assert_uint_eq(size, strlen(wrapped[_i].wrapped));
	const size_t at = dmt_key_wrap(out, key, &wrap);
	memcpy(out + at, "block=1\n", 8);
	ck_assert_int_eq(memcmp(out, wrapped[_i].wrapped, size), 0);
	dmt_key_free(key);
}
END_TEST

START_TEST(takes_it_out_again)
{
	struct dmtrace_key *const key = decode(wrapped[_i].wrapped);
	const struct dmtrace_text block = dmt_key_block(key, "block=1");
	const struct dmt_wrap wrap = { names, 3, block.len };
	uint8_t out[256];

	ck_assert_uint_eq(block.len, 8);
	ck_assert_int_eq(memcmp(block.bytes, "block=1\n", 8), 0);
	const size_t size = dmt_key_unwrap(out, key, &wrap);
	ck_assert_uint_eq(size, strlen(wrapped[_i].key));
	ck_assert_int_eq(memcmp(out, wrapped[_i].key, size), 0);
	dmt_key_free(key);
}
END_TEST

static const char *const without[] = {
	"*version\n2\n*threads\n*end\n",
	"*version\n2\nblock=2\nclock=wall\n*threads\n*end\n",
	"*version\n2\nclock=wall\n*threads\nblock=1\n*end\n",
	"*version\n*end",
};

START_TEST(finds_no_block_where_there_is_none)
{
	struct dmtrace_key *const key = decode(without[_i]);

	ck_assert_uint_eq(dmt_key_block(key, "block=1").len, 0);
	dmt_key_free(key);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("key_wrap");
	TCase *const tcase = unit_tcase(suite, "key_wrap");

	ADD_CASES(tcase, puts_a_block_below_the_version, wrapped);
	ADD_CASES(tcase, takes_it_out_again, wrapped);
	ADD_CASES(tcase, finds_no_block_where_there_is_none, without);
	return unit_main(suite);
}
