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

static const struct dmt_wrap wrap = { names, 3 };

static void
assert_encoded(const struct dmtrace_key *key, const char *expected)
{
	const size_t size = dmt_key_encoded_size(key);
	char out[256];

	ck_assert_uint_eq(size, strlen(expected));
	ck_assert_int_eq(dmt_key_encode(key, out, sizeof(out)), DMTRACE_OK);
	ck_assert_mem_eq(out, expected, size);
}

START_TEST(puts_a_block_below_the_version)
{
	const struct dmtrace_text block = { "block=1\n", 8 };
	struct dmtrace_key *const key = decode(wrapped[_i].key);
	struct dmtrace_key *made;
	struct dmtrace_error error;

	ck_assert_int_eq(dmt_key_wrap(&made, key, &wrap, block, &error),
	    DMTRACE_OK);
	assert_encoded(made, wrapped[_i].wrapped);
	ck_assert_mem_eq(wrapped[_i].wrapped + dmt_key_block_at(made),
	    "block=1\n", 8);
	ck_assert_uint_eq(dmtrace_key_option_count(made),
	    dmtrace_key_option_count(key) + 1);
	dmt_key_free(made);
	dmt_key_free(key);
}
END_TEST

START_TEST(takes_it_out_again)
{
	struct dmtrace_key *const key = decode(wrapped[_i].wrapped);
	const struct dmtrace_text block = dmt_key_block(key, "block=1");
	struct dmtrace_key *made;
	struct dmtrace_error error;

	ck_assert_uint_eq(block.len, 8);
	ck_assert_mem_eq(block.bytes, "block=1\n", 8);
	ck_assert_int_eq(dmt_key_unwrap(&made, key, &wrap, block, UINT64_MAX,
	    &error), DMTRACE_OK);
	assert_encoded(made, wrapped[_i].key);
	dmt_key_free(made);
	dmt_key_free(key);
}
END_TEST

START_TEST(takes_out_the_methods_of_a_piece)
{
	struct dmtrace_key *const key = decode("*version\n2\nblock=1\n"
	    "*methods\n0x4\tA\ta\t()V\n0x8\tA\tb\t()V\n*end\n");
	struct dmtrace_key *made;
	struct dmtrace_error error;

	ck_assert_int_eq(dmt_key_unwrap(&made, key, &wrap,
	    dmt_key_block(key, "block=1"), 1, &error), DMTRACE_OK);
	assert_encoded(made,
	    "*version\n2\n*methods\n0x4\tA\ta\t()V\n*end\n");
	dmt_key_free(made);
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
	tcase_add_test(tcase, takes_out_the_methods_of_a_piece);
	ADD_CASES(tcase, finds_no_block_where_there_is_none, without);
	return unit_main(suite);
}
