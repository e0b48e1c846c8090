/* test_line_decode.c - lines of a key decoded to rows, leniently */

#include "helpers/keys.h"
#include "key/line_decode.h"

/* A row as text, "left out" if the line gives none. */
static void
option(struct listing *listing, const struct dmt_line *line)
{
	struct dmtrace_option row;

	if (dmt_option_decode(&row, line))
		listing_add_option(listing, &row);
	else
		listing_add(listing, "left out");
}

static void
thread(struct listing *listing, const struct dmt_line *line)
{
	struct dmtrace_thread row;

	if (dmt_thread_decode(&row, line))
		listing_add_thread(listing, &row);
	else
		listing_add(listing, "left out");
}

static void
method(struct listing *listing, const struct dmt_line *line)
{
	struct dmtrace_method row;

	if (dmt_method_decode(&row, line))
		listing_add_method(listing, &row);
	else
		listing_add(listing, "left out");
}

static const struct {
	void (*decode)(struct listing *listing, const struct dmt_line *line);
	const char *line;
	size_t len;
	const char *row;
	const char *findings;
} lines[] = {
	{ option, BYTES("clock=dual"), "clock=dual; ", "" },
	{ option, BYTES("clock="), "clock=; ", "" },
	{ option, BYTES("a=b=c"), "a=b=c; ", "option-unknown@7 " },
	{ option, BYTES(" a = b "), " a = b ; ", "option-unknown@7 " },
	{ option, BYTES("a=\0"), "a=0; ", "option-unknown@7 " },
	{ option, BYTES("data-file-overflow"), "data-file-overflow; ",
	    "option-malformed@7 " },
	{ option, BYTES("=b"), "=b; ", "option-malformed@7 " },
	{ option, BYTES("="), "=; ", "option-malformed@7 " },

	{ thread, BYTES("1\tmain"), "1 main; ", "" },
	{ thread, BYTES("0\tmain"), "0 main; ", "" },
	{ thread, BYTES("4294967295\tlast"), "4294967295 last; ", "" },
	{ thread, BYTES("4294967296\tpast"), "left out", "thread-id-bad@7 " },
	{ thread, BYTES("18446744073709551617\tpast"), "left out",
	    "thread-id-bad@7 " },
	{ thread, BYTES("-1\tmain"), "left out", "thread-id-bad@7 " },
	{ thread, BYTES("+1\tmain"), "left out", "thread-id-bad@7 " },
	{ thread, BYTES("1a\tmain"), "left out", "thread-id-bad@7 " },
	{ thread, BYTES("\tmain"), "left out", "thread-id-bad@7 " },
	{ thread, BYTES("0x\tmain"), "left out", "thread-id-bad@7 " },
	{ thread, BYTES("main"), "left out",
	    "thread-blanks@7 thread-id-bad@7 " },
	{ thread, BYTES("0x1F\tmain"), "31 main; ", "thread-id-form@7 " },
	{ thread, BYTES("007\tmain"), "7 main; ", "thread-id-form@7 " },
	{ thread, BYTES(" 7 \tmain"), "7 main; ", "thread-id-form@7 " },
	{ thread, BYTES("1\t"), "1 ; ", "thread-name-empty@7 " },
	{ thread, BYTES("1"), "1 ; ",
	    "thread-blanks@7 thread-name-empty@7 " },
	{ thread, BYTES("1\t\t"), "1 \t; ", "thread-name-tab@7 " },
	{ thread, BYTES("1\ta\tb"), "1 a\tb; ", "thread-name-tab@7 " },
	{ thread, BYTES("1\t a b "), "1  a b ; ", "" },
	{ thread, BYTES("1  a  b"), "1 a  b; ", "thread-blanks@7 " },
	{ thread, BYTES(" 1 main"), "1 main; ", "thread-blanks@7 " },
	{ thread, BYTES("1\t\xff\xc3"), "1 \xff\xc3; ", "" },
	{ thread, BYTES("1\ta\0b"), "1 a0b; ", "" },
	{ thread, BYTES("1\t*end"), "1 *end; ", "" },

	{ method, BYTES("0x4"), "0x4||||; ",
	    "method-columns@7 method-name-empty@7 " },
	{ method, BYTES("0x4\tm"), "0x4||m||; ", "method-columns@7 " },
	{ method, BYTES("0x4\tA\tm"), "0x4|A|m||; ", "method-columns@7 " },
	{ method, BYTES("0x4\tA\tm\t()V"), "0x4|A|m|()V|; ", "" },
	{ method, BYTES("0x4\tA\tm\t"), "0x4|A|m||; ", "" },
	{ method, BYTES("0x4\tA\tA.java\t12"), "0x4|A|||A.java|12; ",
	    "method-name-empty@7 " },
	{ method, BYTES("0x4\tA\tm\t12)"), "0x4|A|m|12)|; ", "" },
	{ method, BYTES("0x4\tA\tm\t()V\tA.java"), "0x4|A|m|()V|A.java; ",
	    "" },
	{ method, BYTES("0x4\tA\tm\t12\tA.java"), "0x4|A|m|12|A.java; ",
	    "" },
	{ method, BYTES("0x4\tA\tm\t()V\t"), "0x4|A|m|()V|; ", "" },
	{ method, BYTES("0x4\tA\tm\t()V\tA.java\t12"),
	    "0x4|A|m|()V|A.java|12; ", "" },
	{ method, BYTES("0x4\tA\tm\t()V\tA.java\t12\t"),
	    "0x4|A|m|()V|A.java|12; ", "method-columns@7 " },
	{ method, BYTES("0x4\tA\tm\t()V\tA.java\t12\tx\ty\tz"),
	    "0x4|A|m|()V|A.java|12; ", "method-columns@7 " },
	{ method, BYTES("0x4\t\tm\t()V"), "0x4||m|()V|; ",
	    "method-name-empty@7 " },
	{ method, BYTES("0x4\tA\t\t()V"), "0x4|A||()V|; ",
	    "method-name-empty@7 " },
	{ method, BYTES("0x4\t"), "0x4||||; ",
	    "method-columns@7 method-name-empty@7 " },
	{ method, BYTES("0x4\tA b\t<init>\t(La/B;[I)V"),
	    "0x4|A b|<init>|(La/B;[I)V|; ", "" },
	{ method, BYTES("0x4\t\xff\tm\0\t()V"), "0x4|\xff|m0|()V|; ", "" },

	{ method, BYTES("0x4 A m ()V"), "0x4|A|m|()V|; ",
	    "method-blanks@7 " },
	{ method, BYTES("  0x4  A  m  ()V  A.java  12 "), "0x4|A|m|()V|; ",
	    "method-blanks@7 " },
	{ method, BYTES("0x4 A m"), "0x4|A|m||; ",
	    "method-blanks@7 method-columns@7 " },
	{ method, BYTES("0x4 m"), "0x4||m||; ",
	    "method-blanks@7 method-columns@7 " },
	{ method, BYTES("0x4 A\tm\t()V"), "left out", "method-id-bad@7 " },

	{ method, BYTES("0x4\tA\tm\t()V\tA.java\t-1"),
	    "0x4|A|m|()V|A.java|-1; ", "" },
	{ method, BYTES("0x4\tA\tm\t()V\tA.java\t-2147483647"),
	    "0x4|A|m|()V|A.java|-2147483647; ", "" },
	{ method, BYTES("0x4\tA\tm\t()V\tA.java\t2147483647"),
	    "0x4|A|m|()V|A.java|2147483647; ", "" },
	{ method, BYTES("0x4\tA\tm\t()V\t\t0"), "0x4|A|m|()V||0; ", "" },
	{ method, BYTES("0x4\tA\tm\t()V\tA.java\t"),
	    "0x4|A|m|()V|A.java; ", "method-line-bad@7 " },
	{ method, BYTES("0x4\tA\tm\t()V\tA.java\t-"),
	    "0x4|A|m|()V|A.java; ", "method-line-bad@7 " },
	{ method, BYTES("0x4\tA\tm\t()V\tA.java\t0x12"),
	    "0x4|A|m|()V|A.java; ", "method-line-bad@7 " },
	{ method, BYTES("0x4\tA\tm\t()V\tA.java\t2147483648"),
	    "0x4|A|m|()V|A.java; ", "method-line-bad@7 " },
	{ method, BYTES("0x4\tA\tm\t()V\tA.java\t-2147483648"),
	    "0x4|A|m|()V|A.java; ", "method-line-bad@7 " },
};

static void
decode_line(struct listing *row, struct listing *findings, size_t i)
{
	struct dmt_findings tally = { .report = listing_add_finding,
	    .context = findings };
	char *copy = malloc(lines[i].len);
	const struct dmt_line line =
	    { { copy, lines[i].len }, 7, &tally, NULL };

	memcpy(copy, lines[i].line, lines[i].len);
	lines[i].decode(row, &line);
	free(copy);
}

START_TEST(decodes_a_line)
{
	struct listing row = { "", 0 }, findings = { "", 0 };

	decode_line(&row, &findings, (size_t)_i);
	ck_assert_str_eq(row.text, lines[_i].row);
	ck_assert_str_eq(findings.text, lines[_i].findings);
}
END_TEST

static const struct {
	const char *text;
	const char *id;
	const char *findings;
} ids[] = {
	{ "0x4", "0x4", "" },
	{ "0X4", "0x4", "" },
	{ "0xabCDef0", "0xabcdef0", "" },
	{ "0x00000004", "0x4", "" },
	{ "0x7ffffffc", "0x7ffffffc", "" },
	{ "0x80000000", "0x80000000", "method-id-high@7 " },
	{ "0xfffffffffffffffc", "0xfffffffffffffffc",
	    "method-id-high@7 " },
	{ "0x0fffffffffffffffc", "0xfffffffffffffffc",
	    "method-id-high@7 " },
	{ "0", "0x0", "" },
	{ "0x0", "0x0", "" },
	{ "(nil)", "0x0", "method-id-form@7 " },
	{ "8", "0x8", "method-id-form@7 " },
	{ "18446744073709551612", "0xfffffffffffffffc",
	    "method-id-form@7 method-id-high@7 " },
	{ "010", "0x8", "method-id-form@7 " },
	{ "00", "0x0", "method-id-form@7 " },
	{ "a4", "0xa4", "method-id-form@7 " },
	{ "4a", "0x4a", "method-id-form@7 method-id-low-bits@7 " },
	{ "0a4", "0xa4", "method-id-form@7 " },
	{ "FFFFFFFFFFFFFFFC", "0xfffffffffffffffc",
	    "method-id-form@7 method-id-high@7 " },
	{ " 0x4 ", "0x4", "method-id-form@7 " },
	{ "0x5", "0x5", "method-id-low-bits@7 " },
	{ "0x6", "0x6", "method-id-low-bits@7 " },
	{ "7", "0x7", "method-id-form@7 method-id-low-bits@7 " },
	{ "", NULL, "method-id-bad@7 " },
	{ "0x", NULL, "method-id-bad@7 " },
	{ "0x4g", NULL, "method-id-bad@7 " },
	{ "-4", NULL, "method-id-bad@7 " },
	{ "+4", NULL, "method-id-bad@7 " },
	{ "nil", NULL, "method-id-bad@7 " },
	{ "(nil", NULL, "method-id-bad@7 " },
	{ "08", NULL, "method-id-bad@7 " },
	{ "0x10000000000000000", NULL, "method-id-bad@7 " },
	{ "18446744073709551616", NULL, "method-id-bad@7 " },
	{ "10000000000000000a", NULL, "method-id-bad@7 " },
};

START_TEST(decodes_an_id)
{
	struct listing text = { "", 0 }, row = { "", 0 }, expected = { "", 0 };
	struct listing findings = { "", 0 };
	struct dmt_findings tally = { .report = listing_add_finding,
	    .context = &findings };

	listing_add(&text, "%s\tA\tm\t()V", ids[_i].text);
	const struct dmt_line line =
	    { { text.text, text.used }, 7, &tally, NULL };
	method(&row, &line);
	if (ids[_i].id == NULL)
		listing_add(&expected, "left out");
	else
		listing_add(&expected, "%s|A|m|()V|; ", ids[_i].id);
	ck_assert_str_eq(row.text, expected.text);
	ck_assert_str_eq(findings.text, ids[_i].findings);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("line_decode");
	TCase *tcase = unit_tcase(suite, "line_decode");

	ADD_CASES(tcase, decodes_a_line, lines);
	ADD_CASES(tcase, decodes_an_id, ids);
	return unit_main(suite);
}
