/* test_key_earlier.c - a key that follows another says what it says alone */

#include "key/key.h"
#include "keys.h"

#define ROW_A "0x4\tA\tm\t()V\n"
#define ROW_B "0x8\tB\tn\t()V\tB.java\t7\n"
#define ROW_C "0xc\tC\to\t()V\n"
#define BAD "none\tA\tm\t()V\n"
#define HEAD OPTIONS THREADS "*methods\n"

static const struct {
	const char *label;
	const char *first;
	const char *second;
	bool repeats;
} pairs[] = {
	{ "the same", HEAD ROW_A ROW_B END, HEAD ROW_A ROW_B END, true },
	{ "other options", HEAD ROW_A ROW_B END,
	    "*version\n2\nvm=art\n" THREADS "*methods\n" ROW_A ROW_B END,
	    true },
	{ "other threads", HEAD ROW_A END,
	    OPTIONS "*threads\n5\tx\n6\ty\n*methods\n" ROW_A END, true },
	{ "more methods", HEAD ROW_A END, HEAD ROW_A ROW_B END, false },
	{ "fewer methods", HEAD ROW_A ROW_B END, HEAD ROW_A END, false },
	{ "no methods", HEAD ROW_A END, HEAD END, false },
	{ "none, then some", HEAD END, HEAD ROW_A END, false },
	{ "none twice", HEAD END, HEAD END, false },
	{ "another method", HEAD ROW_A ROW_B END, HEAD ROW_A ROW_C END,
	    false },
	{ "another last byte", HEAD ROW_B END,
	    HEAD "0x8\tB\tn\t()V\tB.java\t8\n" END, false },
	{ "one below more", HEAD ROW_A END, HEAD ROW_A BAD ROW_C END, false },
	{ "the same id again", HEAD ROW_A END, HEAD ROW_A ROW_A END, false },
	{ "an id twice in both", HEAD ROW_A ROW_A END,
	    HEAD ROW_A ROW_A END, false },
	{ "an odd line in both", HEAD ROW_A BAD END, HEAD ROW_A BAD END,
	    false },
	{ "a blank line in both", HEAD ROW_A "\n" END, HEAD ROW_A "\n" END,
	    false },
	{ "an unknown section behind them", HEAD ROW_A "*x\n1\n" END,
	    HEAD ROW_A "*x\n1\n" END, true },
	{ "two sections in both", HEAD ROW_A "*methods\n" ROW_B END,
	    HEAD ROW_A "*methods\n" ROW_B END, false },
	{ "two sections in the second", HEAD ROW_B END,
	    HEAD ROW_A "*methods\n" ROW_B END, false },
	{ "the second of two", HEAD ROW_A END,
	    HEAD "*threads\n" "*methods\n" ROW_A END, false },
	{ "the threads last", HEAD ROW_A END,
	    "*version\n3\nclock=dual\n*methods\n" ROW_A THREADS END, true },
	{ "CR LF", "*version\r\n3\r\n*threads\r\n*methods\r\n0x4\tA\tm\t()V\r\n"
	    "*end\r\n",
	    "*version\r\n3\r\n*threads\r\n*methods\r\n0x4\tA\tm\t()V\r\n"
	    "*end\r\n", false },
	{ "empty columns", HEAD "0x4\tA\tm\t\t\t\n" END,
	    HEAD "0x4\tA\tm\t\t\t\n" END, false },
	{ "no LF at the end", HEAD ROW_A "*end", HEAD ROW_A "*end", true },
};

static void
decode(struct dmtrace_key *key, const char *bytes, struct words *words)
{
	struct dmt_findings findings = {
		.report = words_add_finding, .context = words
	};

	ck_assert_int_eq(dmt_key_decode(key, (const uint8_t *)bytes,
	    strlen(bytes), &findings), DMTRACE_OK);
}

/* What is found and said, and the bytes. */
static void
check(struct words *words, struct dmtrace_key *key, const char *bytes)
{
	decode(key, bytes, words);
	words_add_key(words, key);
	for (size_t i = 0; i < dmtrace_key_method_count(key); i++) {
		const struct dmtrace_method *const method =
		    dmtrace_key_method_get(key, i);

		words_add(words, "%d ",
		    dmtrace_key_method_find(key, method->id) == method);
	}
	assert_encodes(key, bytes, strlen(bytes));
}

START_TEST(says_the_same_behind_another)
{
	struct dmtrace_key *const alone = dmtrace_key_new();
	struct dmtrace_key *const first = dmtrace_key_new();
	struct dmtrace_key *const second = dmtrace_key_new();
	struct words expected = { .used = 0 }, found = { .used = 0 };
	struct words unheard = { .used = 0 };

	check(&expected, alone, pairs[_i].second);
	decode(first, pairs[_i].first, &unheard);
	dmt_key_follow(second, first);
	check(&found, second, pairs[_i].second);
	dmtrace_key_free(first);
	words_add_key(&unheard, second);	/* has nothing of the first */
	ck_assert_str_eq(found.text, expected.text);
	ck_assert_int_eq(dmt_key_repeats(second), pairs[_i].repeats);
	dmtrace_key_free(second);
	dmtrace_key_free(alone);
}
END_TEST

/* One behind the other: each has the rows of the one before. */
START_TEST(many_follow_each_other)
{
	static const char *const keys[] = { HEAD ROW_A ROW_B END,
	    HEAD ROW_A ROW_B ROW_C END, HEAD ROW_A ROW_B ROW_C END,
	    OPTIONS "a=1\n" THREADS "*methods\n" ROW_A ROW_B ROW_C END };
	static const size_t counts[] = { 2, 3, 3, 3 };
	struct dmtrace_key *earlier = NULL;

	for (size_t i = 0; i < ROWS(keys); i++) {
		struct dmtrace_key *const key = dmtrace_key_new();
		struct words words = { .used = 0 };

		dmt_key_follow(key, earlier);
		check(&words, key, keys[i]);
		ck_assert_int_eq(dmt_key_repeats(key), i >= 2);
		ck_assert_uint_eq(dmtrace_key_method_count(key), counts[i]);
		ck_assert_int_eq(dmtrace_key_method_find(key, 8)->line, 7);
		dmtrace_key_free(earlier);
		earlier = key;
	}
	dmtrace_key_free(earlier);
}
END_TEST

/* Rows that a caller added are not in the lines. */
START_TEST(takes_nothing_of_a_key_that_grew)
{
	const struct dmtrace_method added = { 0xc, TEXT("C"), TEXT("o"),
	    TEXT("()V"), TEXT(""), DMTRACE_NO_LINE };
	struct dmtrace_key *const first = dmtrace_key_new();
	struct dmtrace_key *const second = dmtrace_key_new();
	struct words words = { .used = 0 };

	decode(first, HEAD ROW_A END, &words);
	ck_assert_int_eq(dmtrace_key_method_add(first, &added), DMTRACE_OK);
	dmt_key_follow(second, first);
	check(&words, second, HEAD ROW_A END);
	ck_assert_int_eq(dmt_key_repeats(second), false);
	ck_assert_uint_eq(dmtrace_key_method_count(second), 1);
	ck_assert_uint_eq(dmtrace_key_method_count(first), 2);
	dmtrace_key_free(first);
	dmtrace_key_free(second);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("key_earlier");
	TCase *tcase = unit_tcase(suite, "methods");

	ADD_CASES(tcase, says_the_same_behind_another, pairs);
	tcase_add_test(tcase, many_follow_each_other);
	tcase_add_test(tcase, takes_nothing_of_a_key_that_grew);
	return unit_main(suite);
}
