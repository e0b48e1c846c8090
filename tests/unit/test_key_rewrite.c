/* test_key_rewrite.c - keys made of the changed rows of other keys */

#include "helpers/faults.h"
#include "helpers/keys.h"
#include "key/key.h"

/* What changes: nothing where a member is 0. */
struct rewrite {
	enum dmt_key_form form;
	bool cuts;
	uint64_t drop;			/* thread or method of this id */
	uint64_t id;			/* thread or method of this id */
	uint64_t new_id;
	const char *class_name;
	const char *name;		/* of the thread or method; without id,
					   the value of options named "a" */
	const char *signature;
	const char *file;
};

static struct dmtrace_text
text_of(const char *string)
{
	return (struct dmtrace_text){ string, strlen(string) };
}

static void
set_text(struct dmtrace_text *text, const char *string)
{
	if (string != NULL)
		*text = text_of(string);
}

static bool
change_option(void *context, size_t index, struct dmtrace_option *row)
{
	const struct rewrite *const rewrite = context;

	(void)index;
	if (rewrite->id == 0 && row->name.len == 1 &&
	    row->name.bytes[0] == 'a')
		set_text(&row->value, rewrite->name);
	return row->name.bytes[0] != 'x';
}

static bool
change_thread(void *context, size_t index, struct dmtrace_thread *row)
{
	const struct rewrite *const rewrite = context;

	(void)index;
	if (row->id == rewrite->drop)
		return false;
	if (row->id != rewrite->id)
		return true;
	if (rewrite->new_id != 0)
		row->id = (uint32_t)rewrite->new_id;
	set_text(&row->name, rewrite->name);
	return true;
}

static bool
change_method(void *context, size_t index, struct dmtrace_method *row)
{
	const struct rewrite *const rewrite = context;

	(void)index;
	if (row->id == rewrite->drop)
		return false;
	if (row->id != rewrite->id)
		return true;
	if (rewrite->new_id != 0)
		row->id = rewrite->new_id;
	set_text(&row->class_name, rewrite->class_name);
	set_text(&row->name, rewrite->name);
	set_text(&row->signature, rewrite->signature);
	set_text(&row->file, rewrite->file);
	return true;
}

static enum dmtrace_status
rewrite_key(struct dmtrace_key **to, const struct dmtrace_key *from,
    const struct rewrite *rewrite, uint64_t *cut, struct dmtrace_error *error)
{
	struct rewrite copy = *rewrite;
	struct dmt_key_rules rules = {
		.option = change_option,
		.thread = change_thread,
		.method = change_method,
		.context = &copy,
		.form = rewrite->form,
		.cuts = rewrite->cuts
	};
	const enum dmtrace_status status =
	    dmt_key_rewrite(to, from, &rules, error);

	if (cut != NULL)
		*cut = rules.cut;
	return status;
}

/* Line ends, order, repeated rows, odd columns, what is no row. */
#define ODD "\xef\xbb\xbf\n *version\r\n\r\n03 \na=1\r\n\nb\nx=y\na=2\n" \
    "*foo\nbar\n*threads\r\n 1\tmain\t \r\n2  two words\nx\ty\n1\tagain\n" \
    "*methods\n0x4\tA\tm\t()V\tA.java\t7\tmore\r\n8 B n ()I\n" \
    "0X04\tC\n0xc\tD\to\tsig\tD.java\n0x10\tE\tE.java\t12\n\n*threads\n" \
    "3\t\n*end of it"

static const struct {
	const char *label;
	const char *before;
	struct rewrite rewrite;
	const char *after;
} rows[] = {
	{ "nothing, to the byte but for a row", ODD, { .drop = 2 },
	    "\xef\xbb\xbf\n *version\r\n\r\n03 \na=1\r\n\nb\na=2\n"
	    "*foo\nbar\n*threads\r\n 1\tmain\t \r\nx\ty\n1\tagain\n"
	    "*methods\n0x4\tA\tm\t()V\tA.java\t7\tmore\r\n8 B n ()I\n"
	    "0X04\tC\n0xc\tD\to\tsig\tD.java\n0x10\tE\tE.java\t12\n\n*threads\n"
	    "3\t\n*end of it" },
	{ "all rows of an id", ODD, { .drop = 4 },
	    "\xef\xbb\xbf\n *version\r\n\r\n03 \na=1\r\n\nb\na=2\n"
	    "*foo\nbar\n*threads\r\n 1\tmain\t \r\n2  two words\nx\ty\n"
	    "1\tagain\n*methods\n8 B n ()I\n"
	    "0xc\tD\to\tsig\tD.java\n0x10\tE\tE.java\t12\n\n*threads\n"
	    "3\t\n*end of it" },
	{ "a number, in its column", "*version\n3\n*threads\n 1\tmain\t \r\n"
	    "1\tb\n*methods\n0X01\tA\tm\t()V\tA.java\t7\tmore\r\n*end\n",
	    { .id = 1, .new_id = 300 },
	    "*version\n3\n*threads\n300\tmain\t \r\n"
	    "300\tb\n*methods\n0x12c\tA\tm\t()V\tA.java\t7\tmore\r\n*end\n" },
	{ "names, in their columns", "*version\n3\n*methods\n"
	    "0x4\ta.b\tc\t()V\tx.java\t7\tmore\r\n*end\n",
	    { .id = 4, .class_name = "com.Main", .name = "run",
	    .signature = "(I)V", .file = "Main.java" },
	    "*version\n3\n*methods\n"
	    "0x4\tcom.Main\trun\t(I)V\tMain.java\t7\tmore\r\n*end\n" },
	{ "empty columns", "*version\n3\n*methods\n0x4\tA\tm\t\t\n*end\n",
	    { .id = 4, .signature = "()V", .file = "f" },
	    "*version\n3\n*methods\n0x4\tA\tm\t()V\tf\n*end\n" },
	{ "a column that the line lacks",
	    "*version\n3\n*methods\n 4\tA\tm\t()V\r\n*end\n",
	    { .id = 4, .file = "f" },
	    "*version\n3\n*methods\n0x4\tA\tm\t()V\tf\r\n*end\n" },
	{ "a line of blanks", "*version\n3\n*threads\n8   a b\n*methods\n"
	    "8  A  m  ()V\n*end\n",
	    { .id = 8, .name = "new" },
	    "*version\n3\n*threads\n8   new\n*methods\n"
	    "8  A  new  ()V\n*end\n" },
	{ "a name with blanks in a line of blanks",
	    "*version\n3\n*methods\n8 A m ()V\n*end\n",
	    { .id = 8, .name = "a b" },
	    "*version\n3\n*methods\n0x8\tA\ta b\t()V\n*end\n" },
	{ "two columns", "*version\n3\n*methods\n0x8\tf\n*end\n",
	    { .id = 8, .new_id = 12, .name = "g" },
	    "*version\n3\n*methods\n0xc\tg\n*end\n" },
	{ "two columns that become more",
	    "*version\n3\n*methods\n0x8\tf\n*end\n",
	    { .id = 8, .class_name = "A" },
	    "*version\n3\n*methods\n0x8\tA\tf\t\n*end\n" },
	{ "a file that becomes a signature",
	    "*version\n3\n*methods\n0x8\tA\tA.java\t12\n*end\n",
	    { .id = 8, .file = "B.java" },
	    "*version\n3\n*methods\n0x8\tA\tB.java\t12\n*end\n" },
	{ "options", "*version\r\n3\r\na=1\r\na\nb=1\n*end\n",
	    { .name = "long" },
	    "*version\r\n3\r\na=long\r\na=long\nb=1\n*end\n" },
	{ "what is known", ODD, { .form = DMT_KEY_KNOWN },
	    "\xef\xbb\xbf\n *version\r\n\r\n03 \na=1\r\n\nb\na=2\n"
	    "*threads\r\n 1\tmain\t \r\n2  two words\n1\tagain\n"
	    "*methods\n0x4\tA\tm\t()V\tA.java\t7\r\n8 B n ()I\n"
	    "0X04\tC\n0xc\tD\to\tsig\tD.java\n0x10\tE\tE.java\t12\n\n"
	    "*threads\n3\t\n*end" },
	{ "what is known of columns", "*version more\r\ntwo\n=\n*methods\n"
	    "8 B n ()I and more\n0xc\tD\to\ts\tf\t7\t\t\n"
	    "0x10\tD\to\ts\tf\t7b\n0x14\tD\to\ts\tf\t\t\n*end\n",
	    { .form = DMT_KEY_KNOWN },
	    "*version\r\n\n=\n*methods\n"
	    "8 B n ()I\n0xc\tD\to\ts\tf\t7\t\t\n"
	    "0x10\tD\to\ts\tf\n0x14\tD\to\ts\tf\t\t\n*end\n" },
	{ "TABs in the name of a thread", "*version\n3\n*threads\n1\tm\n"
	    "2 two words\n*end\n", { .id = 1, .name = "a\tb" },
	    "*version\n3\n*threads\n1\ta\tb\n2 two words\n*end\n" },
	{ "blanks in the name of a thread in a line of blanks",
	    "*version\n3\n*threads\n1  m\n*end\n",
	    { .id = 1, .name = "a b" },
	    "*version\n3\n*threads\n1  a b\n*end\n" },
	{ "rows alone", ODD, { .form = DMT_KEY_ROWS },
	    "*version\n03 \na=1\nb\na=2\n*threads\n 1\tmain\t \n"
	    "2  two words\n1\tagain\n3\t\n*methods\n"
	    "0x4\tA\tm\t()V\tA.java\t7\tmore\n8 B n ()I\n0X04\tC\n"
	    "0xc\tD\to\tsig\tD.java\n0x10\tE\tE.java\t12\n*end\n" },
	{ "rows alone, of nothing", "*version\n*end",
	    { .form = DMT_KEY_ROWS },
	    "*version\n*threads\n*methods\n*end\n" },
	{ "rows encoded anew", "*version\r\n3\r\na=1\r\n*methods\r\n"
	    "8 B n ()I\r\n0xC\tD\to\ts\tf\t1\tmore\n*threads\n1  main\n"
	    "*end\n", { .form = DMT_KEY_ENCODED },
	    "*version\n3\na=1\n*threads\n1\tmain\n*methods\n"
	    "0x8\tB\tn\t()I\n0xc\tD\to\ts\tf\t1\n*end\n" },
	{ "five columns", "*version\n3\n*methods\n0x4\tA\tm\ts\tf\t7\n"
	    "0x8\tA\tm\ts\tf\tno\tmore\r\n0xc\tA\tm\ts\tf\n*end\n",
	    { .cuts = true, .id = 12, .name = "n" },
	    "*version\n3\n*methods\n0x4\tA\tm\ts\tf\n"
	    "0x8\tA\tm\ts\tf\r\n0xc\tA\tn\ts\tf\n*end\n" },
};

static struct dmtrace_key *
key_before(size_t row)
{
	return key_of(rows[row].before, strlen(rows[row].before));
}

START_TEST(changes_rows_and_no_other_byte)
{
	struct dmtrace_key *const key = key_before((size_t)_i);
	struct dmtrace_error error;
	struct dmtrace_key *changed;

	ck_assert_int_eq(rewrite_key(&changed, key, &rows[_i].rewrite, NULL,
	    &error), DMTRACE_OK);
	assert_encodes(key, rows[_i].before, strlen(rows[_i].before));
	dmt_key_free(key);
	assert_encodes(changed, rows[_i].after, strlen(rows[_i].after));

	/* Its rows are those of the bytes that it encodes to. */
	struct dmtrace_key *const again =
	    key_of(rows[_i].after, strlen(rows[_i].after));
	struct listing listing = { "", 0 };
	listing_add_key(&listing, again);
	assert_key(changed, listing.text);
	dmt_key_free(again);
	dmt_key_free(changed);
}
END_TEST

START_TEST(can_be_changed_again_and_again)
{
	static const struct rewrite twice[] = {
		{ .id = 77, .name = "more" }, { .id = 88, .name = "fun" }
	};
	struct dmtrace_key *key = key_before((size_t)_i);
	struct dmtrace_error error;
	struct dmtrace_key *changed;

	dmtrace_key_option_set(key, "c", "d");
	dmtrace_key_thread_add(key,
	    &(struct dmtrace_thread){ 77, text_of("added") });
	dmtrace_key_method_add(key,
	    &(struct dmtrace_method){ .id = 88, .name = text_of("added") });
	for (size_t i = 0; i < 2; i++) {
		ck_assert_int_eq(rewrite_key(&changed, key, &twice[i], NULL,
		    &error), DMTRACE_OK);
		dmt_key_free(key);
		key = changed;
		ck_assert_int_eq(dmtrace_key_option_set(key, "c", "e"),
		    DMTRACE_OK);
		ck_assert_int_eq(dmt_key_set_version(key, 1), DMTRACE_OK);
		ck_assert_int_eq(dmtrace_key_thread_add(key,
		    &(struct dmtrace_thread){ 100 + (uint32_t)i,
		    text_of("later") }), DMTRACE_OK);
	}
	ck_assert_mem_eq(dmtrace_key_thread_find(key, 77)->name.bytes, "more",
	    4);
	ck_assert_mem_eq(dmtrace_key_method_find(key, 88)->name.bytes, "fun",
	    3);
	ck_assert_uint_eq(dmt_key_version(key), 1);
	ck_assert_ptr_nonnull(dmtrace_key_thread_find(key, 100));
	ck_assert_ptr_nonnull(dmtrace_key_thread_find(key, 101));
	dmt_key_free(key);
}
END_TEST

START_TEST(reports_missing_memory)
{
	struct dmtrace_key *const key = key_before((size_t)_i);
	bool failed = true;

	for (unsigned nth = 1; failed; nth++) {
		struct dmtrace_error error;
		struct dmtrace_key *changed = NULL;

		fault_arm(FAULT_ALLOC, nth);
		const enum dmtrace_status status = rewrite_key(&changed, key,
		    &rows[_i].rewrite, NULL, &error);
		failed = fault_disarm();
		ck_assert_int_eq(status, failed ? DMTRACE_ERR_MEMORY :
		    DMTRACE_OK);
		ck_assert_int_eq(changed == NULL, failed);
		dmt_key_free(changed);
	}
	dmt_key_free(key);
}
END_TEST

START_TEST(counts_lines_that_are_cut)
{
	static const char before[] = "*version\n3\n*methods\n"
	    "0x4\tA\tm\ts\tf\t7\n0x8\tA\tm\ts\tf\n0xc\tA\tm\ts\tf\t\n*end\n";
	const struct rewrite rewrite = { .cuts = true };
	struct dmtrace_key *const key = key_of(before, strlen(before));
	struct dmtrace_error error;
	struct dmtrace_key *changed;
	uint64_t cut;

	ck_assert_int_eq(rewrite_key(&changed, key, &rewrite, &cut, &error),
	    DMTRACE_OK);
	ck_assert_uint_eq(cut, 2);
	ck_assert_int_eq(dmtrace_key_method_get(changed, 0)->line,
	    DMTRACE_NO_LINE);
	dmt_key_free(changed);
	dmt_key_free(key);
}
END_TEST

static const struct {
	const char *label;
	struct rewrite rewrite;
	enum dmtrace_status status;
	const char *message;
} refusals[] = {
	{ "a name with LF", { .id = 4, .name = "a\nb" }, DMTRACE_ERR_RANGE,
	    "TAB, CR, LF or NUL in a column of a method: \"a\\nb\"" },
	{ "a class with TAB", { .id = 4, .class_name = "a\tb" },
	    DMTRACE_ERR_RANGE,
	    "TAB, CR, LF or NUL in a column of a method: \"a\\tb\"" },
	{ "a signature that is a number", { .id = 4, .signature = "12" },
	    DMTRACE_ERR_RANGE, "signature that is a number: \"12\"" },
	{ "no name", { .id = 4, .name = "" }, DMTRACE_ERR_RANGE,
	    "method without a name: \"A\"" },
	{ "a name of a thread that ends in CR", { .id = 1, .name = "ab\r" },
	    DMTRACE_ERR_RANGE,
	    "TAB, CR, LF or NUL in the name of a thread: \"ab\\r\"" },
	{ "a value with LF", { .name = "a\nb" }, DMTRACE_ERR_RANGE,
	    "CR, LF or NUL in the value of an option: \"a\\nb\"" },
	{ "a line over its limit", { .id = 4, .class_name =
	    "0123456789012345678901" }, DMTRACE_ERR_LIMIT,
	    "a line of 33 bytes; the limit of a line is 32" },
	{ "a key over its limit", { .id = 4, .class_name = "012345678901234" },
	    DMTRACE_ERR_LIMIT, "the key grows over its limit of 60 bytes" },
};

START_TEST(refuses)
{
	static const char before[] = "*version\n3\na=b\n*threads\n1\tmain\n"
	    "*methods\n0x4\tA\tm\t()V\n*end\n";
	struct dmtrace_key *const key = key_of(before, strlen(before));
	struct dmtrace_error error;
	struct dmtrace_key *changed = NULL;

	dmt_key_set_limit(key, DMTRACE_LIMIT_LINE, 32);
	dmt_key_set_limit(key, DMTRACE_LIMIT_KEY, 60);
	ck_assert_int_eq(rewrite_key(&changed, key, &refusals[_i].rewrite,
	    NULL, &error), refusals[_i].status);
	ck_assert_str_eq(error.message, refusals[_i].message);
	ck_assert_ptr_null(changed);
	dmt_key_free(key);
}
END_TEST

static const struct {
	const char *label;
	const char *before;
	struct dmt_key_counts counts;
	const char *after;
} counted[] = {
	{ "none of them", "*version\n3\n*end\n", { 7, 0, 0 },
	    "*version\n3\n*end\n" },
	{ "those that are not 0", "*version\n3\n*end\n", { 7, 2, 1 },
	    "*version\n3\ndmtrace-opened=2\ndmtrace-closed=1\n*end\n" },
	{ "all that are there",
	    "*version\n3\nnum-method-calls=9\ndmtrace-closed=1\n"
	    "dmtrace-opened=2\n*end\n", { 7, 0, 0 },
	    "*version\n3\nnum-method-calls=7\ndmtrace-closed=0\n"
	    "dmtrace-opened=0\n*end\n" },
	{ "no line with that number", "*version\n3\nnum-method-calls=007\r\n"
	    "dmtrace-opened=x\n*end\n", { 7, 0, 0 },
	    "*version\n3\nnum-method-calls=007\r\ndmtrace-opened=0\n*end\n" },
};

START_TEST(sets_the_options_that_count_events)
{
	struct dmtrace_key *const key =
	    key_of(counted[_i].before, strlen(counted[_i].before));

	ck_assert_int_eq(dmt_key_set_counts(key, &counted[_i].counts),
	    DMTRACE_OK);
	assert_encodes(key, counted[_i].after, strlen(counted[_i].after));
	dmt_key_free(key);
}
END_TEST

START_TEST(gets_what_the_options_count)
{
	static const char text[] = "*version\n3\nnum-method-calls=12\n"
	    "dmtrace-opened=x\ndmtrace-closed=3\nnum-method-calls=4\n*end\n";
	struct dmtrace_key *const key = key_of(text, strlen(text));
	struct dmtrace_key *const empty = dmt_key_new();
	struct dmt_key_counts counts = dmt_key_counts(key);

	ck_assert_uint_eq(counts.calls, 12);
	ck_assert_uint_eq(counts.opened, 0);
	ck_assert_uint_eq(counts.closed, 3);
	counts = dmt_key_counts(empty);
	ck_assert_uint_eq(counts.calls, UINT64_MAX);
	ck_assert_uint_eq(counts.closed, 0);
	dmt_key_free(empty);
	dmt_key_free(key);
}
END_TEST

static char borrowed[8];

/* The same text, in memory of the caller. */
static struct dmtrace_text
borrow_text(const char *string)
{
	strcpy(borrowed, string);
	return (struct dmtrace_text){ borrowed, strlen(string) };
}

static bool
borrow_option(void *context, size_t index, struct dmtrace_option *row)
{
	(void)context;
	(void)index;
	row->value = borrow_text("wall");
	return true;
}

static bool
borrow_thread(void *context, size_t index, struct dmtrace_thread *row)
{
	(void)context;
	(void)index;
	row->name = borrow_text("main");
	return true;
}

static bool
borrow_method(void *context, size_t index, struct dmtrace_method *row)
{
	(void)context;
	(void)index;
	row->signature = borrow_text("()V");
	return true;
}

START_TEST(keeps_no_text_of_the_caller)
{
	static const char bytes[] = "*version\n2\nclock=wall\n*threads\n"
	    "1\tmain\n*methods\n4\tA\tm\t()V\tA.java\n*end\n";
	struct dmtrace_key *const key = key_of(bytes, strlen(bytes));
	struct dmt_key_rules rules = {
		.option = borrow_option, .thread = borrow_thread,
		.method = borrow_method
	};
	struct dmtrace_error error;
	struct dmtrace_key *changed;
	struct listing listing = { "", 0 };

	ck_assert_int_eq(dmt_key_rewrite(&changed, key, &rules, &error),
	    DMTRACE_OK);
	memset(borrowed, 'x', sizeof(borrowed));
	listing_add_key(&listing, key);
	assert_key(changed, listing.text);
	dmt_key_free(changed);
	dmt_key_free(key);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("key_rewrite");
	TCase *tcase = unit_tcase(suite, "key_rewrite");

	ADD_CASES(tcase, changes_rows_and_no_other_byte, rows);
	ADD_CASES(tcase, can_be_changed_again_and_again, rows);
	ADD_CASES(tcase, reports_missing_memory, rows);
	tcase_add_test(tcase, counts_lines_that_are_cut);
	tcase_add_test(tcase, keeps_no_text_of_the_caller);
	ADD_CASES(tcase, refuses, refusals);
	ADD_CASES(tcase, sets_the_options_that_count_events, counted);
	tcase_add_test(tcase, gets_what_the_options_count);
	return unit_main(suite);
}
