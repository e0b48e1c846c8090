/* test_key_encode.c - rows added to keys, and their places in the text */

#include "helpers/faults.h"
#include "helpers/keys.h"
#include "key/key.h"

/* One call on a key. */
struct change {
	enum { NONE, VERSION_SET, OPTION, THREAD, METHOD } kind;
	uint64_t number;
	const char *name;
	const char *value;
};

static struct dmtrace_text
text_of(const char *string)
{
	return (struct dmtrace_text){ string, strlen(string) };
}

static enum dmtrace_status
add_thread(struct dmtrace_key *key, uint32_t id, const char *name)
{
	const struct dmtrace_thread thread = { id, text_of(name) };

	return dmtrace_key_thread_add(key, &thread);
}

static enum dmtrace_status
add_method(struct dmtrace_key *key, uint64_t id, const char *name)
{
	const struct dmtrace_method method = { id, text_of("C"),
	    text_of(name), text_of("()V"), { NULL, 0 }, DMTRACE_NO_LINE };

	return dmtrace_key_method_add(key, &method);
}

static enum dmtrace_status
make(struct dmtrace_key *key, const struct change *change)
{
	switch (change->kind) {
	case VERSION_SET:
		return dmt_key_set_version(key,
		    (unsigned)change->number);
	case OPTION:
		return dmtrace_key_option_set(key, change->name,
		    change->value);
	case THREAD:
		return add_thread(key, (uint32_t)change->number,
		    change->name);
	case METHOD:
		return add_method(key, change->number, change->name);
	default:
		return DMTRACE_OK;
	}
}

/* "" is a new key, which is not decoded. */
static struct dmtrace_key *
begin(const char *text)
{
	return text[0] == '\0' ? dmt_key_new() :
	    key_of(text, strlen(text));
}

#define NEW "*version\n2\n*threads\n*methods\n*end\n"
#define ALL { { OPTION, 0, "a", "b" }, { THREAD, 2, "two", NULL }, \
    { METHOD, 8, "n", NULL }, { VERSION_SET, 1, NULL, NULL } }

static const struct {
	const char *label;
	const char *before;
	struct change changes[6];
	const char *after;
} edits[] = {
	{ "nothing to a new key", "", { { NONE, 0, NULL, NULL } }, NEW },
	{ "all to a new key", "", ALL,
	    "*version\n1\na=b\n*threads\n2\ttwo\n"
	    "*methods\n0x8\tC\tn\t()V\n*end\n" },
	{ "all to a plain key", OPTIONS THREADS METHODS END, ALL,
	    "*version\n1\nclock=dual\na=b\n*threads\n1\tmain\n2\ttwo\n"
	    "*methods\n0x4\tA\tm\t()V\n0x8\tC\tn\t()V\n*end\n" },
	{ "all to a key of CR LF",
	    "*version\r\n3\r\n*threads\r\n1\tmain\r\n*methods\r\n*end\r\n",
	    ALL, "*version\r\n1\r\na=b\r\n*threads\r\n1\tmain\r\n2\ttwo\r\n"
	    "*methods\r\n0x8\tC\tn\t()V\r\n*end\r\n" },
	{ "all to a key without its last LF",
	    "*version\n3\n*threads\n*methods\n*end", ALL,
	    "*version\n1\na=b\n*threads\n2\ttwo\n"
	    "*methods\n0x8\tC\tn\t()V\n*end" },
	{ "all to a key with a byte order mark and blanks",
	    "\xef\xbb\xbf\n *version\n3\n*threads\n*methods\n*end\n", ALL,
	    "\xef\xbb\xbf\n *version\n1\na=b\n*threads\n2\ttwo\n"
	    "*methods\n0x8\tC\tn\t()V\n*end\n" },
	{ "all to a key of blank lines",
	    "*version\n\n3\n\n*threads\n\n*methods\n\n*end\n", ALL,
	    "*version\n\n1\na=b\n\n*threads\n2\ttwo\n\n"
	    "*methods\n0x8\tC\tn\t()V\n\n*end\n" },
	{ "all to a key of no sections", "*version\n*end\n", ALL,
	    "*version\n1\na=b\n*threads\n2\ttwo\n"
	    "*methods\n0x8\tC\tn\t()V\n*end\n" },
	{ "all to a key of no sections and CR LF",
	    "*version\r\n3\r\n*end\r\n", ALL,
	    "*version\r\n1\r\na=b\r\n*threads\r\n2\ttwo\r\n"
	    "*methods\r\n0x8\tC\tn\t()V\r\n*end\r\n" },
	{ "all to a key without threads", OPTIONS METHODS END, ALL,
	    "*version\n1\nclock=dual\na=b\n"
	    "*methods\n0x4\tA\tm\t()V\n0x8\tC\tn\t()V\n"
	    "*threads\n2\ttwo\n*end\n" },
	{ "all to a key without methods", OPTIONS THREADS END, ALL,
	    "*version\n1\nclock=dual\na=b\n*threads\n1\tmain\n2\ttwo\n"
	    "*methods\n0x8\tC\tn\t()V\n*end\n" },
	{ "all to a key in another order", OPTIONS METHODS THREADS END, ALL,
	    "*version\n1\nclock=dual\na=b\n"
	    "*methods\n0x4\tA\tm\t()V\n0x8\tC\tn\t()V\n"
	    "*threads\n1\tmain\n2\ttwo\n*end\n" },
	{ "all to a key in pieces", OPTIONS "*threads\n5\tx\n" METHODS
	    "*threads\n1\tmain\n*version\nc=d\n*foo\nx\n" END, ALL,
	    "*version\n1\nclock=dual\n*threads\n5\tx\n"
	    "*methods\n0x4\tA\tm\t()V\n0x8\tC\tn\t()V\n"
	    "*threads\n1\tmain\n2\ttwo\n*version\nc=d\na=b\n"
	    "*foo\nx\n*end\n" },
	{ "all to a key with an unknown section",
	    OPTIONS "*foo\nx\n" THREADS METHODS END, ALL,
	    "*version\n1\nclock=dual\na=b\n*foo\nx\n"
	    "*threads\n1\tmain\n2\ttwo\n"
	    "*methods\n0x4\tA\tm\t()V\n0x8\tC\tn\t()V\n*end\n" },
	{ "all to a key of rows that are left out",
	    OPTIONS "*threads\nx\ty\n*methods\nx\ty\n*end\n", ALL,
	    "*version\n1\nclock=dual\na=b\n*threads\nx\ty\n2\ttwo\n"
	    "*methods\nx\ty\n0x8\tC\tn\t()V\n*end\n" },
	{ "a thread to a key without sections", "*version\n3\n*end\n",
	    { { THREAD, 2, "two", NULL }, { THREAD, 3, "three", NULL } },
	    "*version\n3\n*threads\n2\ttwo\n3\tthree\n*end\n" },
	{ "a method to a key without sections", "*version\n3\n*end\n",
	    { { METHOD, 8, "n", NULL }, { METHOD, 12, "o", NULL } },
	    "*version\n3\n*methods\n0x8\tC\tn\t()V\n0xc\tC\to\t()V\n"
	    "*end\n" },
	{ "a method, then a thread", "*version\n3\n*end\n",
	    { { METHOD, 8, "n", NULL }, { THREAD, 2, "two", NULL } },
	    "*version\n3\n*threads\n2\ttwo\n*methods\n0x8\tC\tn\t()V\n"
	    "*end\n" },
	{ "a version, again and again", NEW,
	    { { VERSION_SET, 1, NULL, NULL }, { VERSION_SET, 3, NULL, NULL },
	    { VERSION_SET, 2, NULL, NULL } }, NEW },
	{ "a version for a word, ended as the first line is",
	    "*version\r\nthree\na=b\n*end\n",
	    { { VERSION_SET, 3, NULL, NULL } },
	    "*version\r\n3\r\na=b\n*end\n" },
	{ "a version where options are", "*version\na=b\n*end\n",
	    { { VERSION_SET, 3, NULL, NULL }, { VERSION_SET, 2, NULL, NULL },
	    { OPTION, 0, "a", "c" }, { OPTION, 0, "d", "e" } },
	    "*version\n2\na=c\nd=e\n*end\n" },
	{ "options, and a version later", "*version\n*end\n",
	    { { OPTION, 0, "a", "b" }, { VERSION_SET, 3, NULL, NULL } },
	    "*version\n3\na=b\n*end\n" },
	{ "an option again", OPTIONS "a=1\nb=2\n" THREADS METHODS END,
	    { { OPTION, 0, "b", "longer" }, { OPTION, 0, "a", "" },
	    { OPTION, 0, "b", "3" } },
	    OPTIONS "a=\nb=3\n" THREADS METHODS END },
	{ "an option that was added, again", OPTIONS THREADS METHODS END,
	    { { OPTION, 0, "a", "b" }, { OPTION, 0, "c", "d" },
	    { OPTION, 0, "a", "longer" }, { OPTION, 0, "c", "" } },
	    OPTIONS "a=longer\nc=\n" THREADS METHODS END },
	{ "an option that comes again", OPTIONS "a=1\na=2\n" END,
	    { { OPTION, 0, "a", "3" } }, OPTIONS "a=3\na=2\n" END },
	{ "an option without a value", OPTIONS "a\r\n" END,
	    { { OPTION, 0, "a", "3" } }, OPTIONS "a=3\n" END },
	{ "the clock", OPTIONS THREADS METHODS END,
	    { { OPTION, 0, "clock", "wall" } },
	    "*version\n3\nclock=wall\n" THREADS METHODS END },
	{ "a clock", NEW, { { OPTION, 0, "clock", "global" } },
	    "*version\n2\nclock=global\n*threads\n*methods\n*end\n" },
};

static struct dmtrace_key *
changed(size_t row)
{
	struct dmtrace_key *key = begin(edits[row].before);
	const struct change *changes = edits[row].changes;

	for (size_t i = 0; i < ROWS(edits[row].changes); i++)
		ck_assert_int_eq(make(key, &changes[i]), DMTRACE_OK);
	return key;
}

START_TEST(encodes_the_change_in_its_place)
{
	struct dmtrace_key *key = changed((size_t)_i);

	assert_encodes(key, edits[_i].after, strlen(edits[_i].after));
	dmt_key_free(key);
}
END_TEST

/* The rows of a changed key are those of the bytes that it encodes to. */
START_TEST(decodes_to_the_same_rows)
{
	struct dmtrace_key *key = changed((size_t)_i);
	struct dmtrace_key *again = key_of(edits[_i].after,
	    strlen(edits[_i].after));
	struct listing rows = { "", 0 };

	listing_add_key(&rows, again);
	ck_assert_uint_eq(dmt_key_version(key),
	    dmt_key_version(again));
	ck_assert_int_eq(dmt_key_clock(key), dmt_key_clock(again));
	assert_key(key, rows.text);
	dmt_key_free(again);
	dmt_key_free(key);
}
END_TEST

START_TEST(is_copied_with_its_changes)
{
	struct dmtrace_key *key = changed((size_t)_i);
	struct dmtrace_key *copy = dmt_key_copy(key);

	dmt_key_free(key);
	assert_encodes(copy, edits[_i].after, strlen(edits[_i].after));
	ck_assert_int_eq(add_thread(copy, 77, "more"), DMTRACE_OK);
	dmt_key_free(copy);
}
END_TEST

/* A change that failed for want of memory changed nothing, and is made when
 * memory is back. */
START_TEST(changes_nothing_without_memory)
{
	bool failed = true;

	for (unsigned nth = 1; failed; nth++) {
		struct dmtrace_key *key = begin(edits[_i].before);

		failed = false;
		for (size_t i = 0; i < ROWS(edits[_i].changes); i++) {
			const struct change *change = &edits[_i].changes[i];
			struct listing before = { "", 0 };

			listing_add_key(&before, key);
			const size_t size = dmt_key_encoded_size(key);
			char *bytes = malloc(size);
			dmt_key_encode(key, bytes, size);
			fault_arm(FAULT_ALLOC, nth);
			const enum dmtrace_status status = make(key, change);
			const bool refused = fault_disarm();
			ck_assert_int_eq(status, refused ?
			    DMTRACE_ERR_MEMORY : DMTRACE_OK);
			if (refused) {
				failed = true;
				assert_key(key, before.text);
				assert_encodes(key, bytes, size);
				ck_assert_int_eq(make(key, change),
				    DMTRACE_OK);
			}
			free(bytes);
		}
		assert_encodes(key, edits[_i].after,
		    strlen(edits[_i].after));
		dmt_key_free(key);
	}
}
END_TEST

static const struct {
	const char *label;
	struct change change;
	const char *message;
} refusals[] = {
	{ "version 0", { VERSION_SET, 0, NULL, NULL },
	    "version 0; there are versions 1 to 5" },
	{ "version 6", { VERSION_SET, 6, NULL, NULL },
	    "version 6; there are versions 1 to 5" },
	{ "an option without a name", { OPTION, 0, "", "b" },
	    "invalid option name: \"\"" },
	{ "an option with an odd name", { OPTION, 0, "*end", "b" },
	    "invalid option name: \"*end\"" },
	{ "a clock on two lines", { OPTION, 0, "clock", "wall\n*end" },
	    "CR, LF or NUL in the value of an option: \"wall\\n*end\"" },
	{ "a thread that is there", { THREAD, 1, "b", NULL },
	    "thread 1 is listed already" },
	{ "a thread with TAB", { THREAD, 2, "a\tb", NULL },
	    "TAB, CR, LF or NUL in the name of a thread: \"a\\tb\"" },
	{ "a method that is there", { METHOD, 4, "n", NULL },
	    "method 0x4 is listed already" },
	{ "a method that is there but for low bits",
	    { METHOD, 5, "n", NULL }, "method 0x5 is listed already" },
	{ "a method with low bits", { METHOD, 9, "n", NULL },
	    "method id 0x9 has one of its two low bits set" },
	{ "a method without a name", { METHOD, 8, "", NULL },
	    "method without a name: \"C\"" },
	{ "a method with LF", { METHOD, 8, "n\n*end", NULL },
	    "TAB, CR, LF or NUL in a column of a method: \"n\\n*end\"" },
};

static const char plain[] = OPTIONS THREADS METHODS END;
static const char plain_rows[] =
    "3 dual; clock=dual; 1 main; 0x4|A|m|()V|; ";

START_TEST(refuses)
{
	struct dmtrace_key *key = key_of(plain, strlen(plain));

	ck_assert_int_eq(make(key, &refusals[_i].change), DMTRACE_ERR_RANGE);
	ck_assert_int_eq(dmt_key_error(key)->status, DMTRACE_ERR_RANGE);
	ck_assert_str_eq(dmt_key_error(key)->message, refusals[_i].message);
	assert_key(key, plain_rows);
	assert_encodes(key, plain, strlen(plain));
	ck_assert_int_eq(add_thread(key, 7, ""), DMTRACE_OK);
	ck_assert_int_eq(dmt_key_error(key)->status, DMTRACE_OK);
	dmt_key_free(key);
}
END_TEST

#define KEY_LIMIT DMTRACE_LIMIT_KEY
#define LINE_LIMIT DMTRACE_LIMIT_LINE

/* Each is made within the limit, and refused within one byte less. */
static const struct {
	const char *label;
	const char *before;
	struct change change;
	enum dmtrace_limit limit;
	uint64_t value;
	const char *message;
} limits[] = {
	{ "a thread", plain, { THREAD, 2, "two", NULL }, KEY_LIMIT, 70,
	    "the key grows over its limit of 69 bytes" },
	{ "a method", plain, { METHOD, 8, "n", NULL }, KEY_LIMIT, 76,
	    "the key grows over its limit of 75 bytes" },
	{ "an option", plain, { OPTION, 0, "a", "b" }, KEY_LIMIT, 68,
	    "the key grows over its limit of 67 bytes" },
	{ "a longer option", plain, { OPTION, 0, "clock", "global" },
	    KEY_LIMIT, 66, "the key grows over its limit of 65 bytes" },
	{ "a thread with its section", "*version\n3\n*end\n",
	    { THREAD, 2, "two", NULL }, KEY_LIMIT, 31,
	    "the key grows over its limit of 30 bytes" },
	{ "a version where none is", "*version\n*end\n",
	    { VERSION_SET, 3, NULL, NULL }, KEY_LIMIT, 16,
	    "the key grows over its limit of 15 bytes" },
	{ "a thread's line", plain, { THREAD, 2, "0123456789", NULL },
	    LINE_LIMIT, 13,
	    "a line of 13 bytes; the limit of a line is 12" },
	{ "a thread's line with its section", "*version\n3\n*end\n",
	    { THREAD, 2, "0123456789", NULL }, LINE_LIMIT, 13,
	    "a line of 13 bytes; the limit of a line is 12" },
	{ "a longer line", plain, { OPTION, 0, "clock", "global" },
	    LINE_LIMIT, 13,
	    "a line of 13 bytes; the limit of a line is 12" },
};

START_TEST(names_the_limit_it_would_pass)
{
	struct dmtrace_key *key = begin(limits[_i].before);

	dmt_key_set_limit(key, limits[_i].limit, limits[_i].value - 1);
	ck_assert_int_eq(make(key, &limits[_i].change), DMTRACE_ERR_LIMIT);
	ck_assert_str_eq(dmt_key_error(key)->message, limits[_i].message);
	assert_encodes(key, limits[_i].before, strlen(limits[_i].before));
	dmt_key_set_limit(key, limits[_i].limit, limits[_i].value);
	ck_assert_int_eq(make(key, &limits[_i].change), DMTRACE_OK);
	dmt_key_free(key);
}
END_TEST

START_TEST(writes_nothing_if_the_buffer_is_too_small)
{
	struct dmtrace_key *key = dmt_key_new();
	char out[40] = "##";

	for (size_t len = 0; len < strlen(NEW); len++)
		ck_assert_int_eq(dmt_key_encode(key, out, len),
		    DMTRACE_ERR_RANGE);
	ck_assert_str_eq(out, "##");
	ck_assert_int_eq(dmt_key_encode(key, out, sizeof(out)),
	    DMTRACE_OK);
	ck_assert_mem_eq(out, NEW, strlen(NEW));
	ck_assert_int_eq(out[strlen(NEW)], '\0');
	dmt_key_free(key);
}
END_TEST

START_TEST(keeps_no_memory_of_the_caller)
{
	struct dmtrace_key *key = dmt_key_new();
	char name[] = "abc", value[] = "def";

	ck_assert_int_eq(dmtrace_key_option_set(key, name, value),
	    DMTRACE_OK);
	ck_assert_int_eq(add_thread(key, 1, name), DMTRACE_OK);
	ck_assert_int_eq(add_method(key, 4, name), DMTRACE_OK);
	memset(name, '#', 3);
	memset(value, '#', 3);
	assert_key(key, "2 ; abc=def; 1 abc; 0x4|C|abc|()V|; ");
	dmt_key_free(key);
}
END_TEST

/* Added and changed one by one, in the order that costs most. */
START_TEST(takes_a_flood_of_changes)
{
	struct dmtrace_key *key = dmt_key_new();
	unsigned failed = 0;

	for (uint32_t i = 0; i < 100000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "o%u", i);
		failed += dmtrace_key_option_set(key, name, "a") != DMTRACE_OK;
		failed += dmtrace_key_option_set(key, name, "b") != DMTRACE_OK;
		failed += add_thread(key, i, name) != DMTRACE_OK;
		failed += add_method(key, (uint64_t)i << 32, name) !=
		    DMTRACE_OK;
	}
	ck_assert_uint_eq(failed, 0);
	struct dmtrace_key *copy = dmt_key_copy(key);
	for (uint32_t i = 0; i < 100000; i++) {
		char name[16];

		snprintf(name, sizeof(name), "o%u", i);
		failed += dmtrace_key_option_set(copy, name, "c") !=
		    DMTRACE_OK;
	}
	ck_assert_uint_eq(failed, 0);
	ck_assert_uint_eq(dmt_key_encoded_size(copy),
	    dmt_key_encoded_size(key));
	dmt_key_free(copy);
	dmt_key_free(key);
}
END_TEST

START_TEST(freeing_null_does_nothing)
{
	dmt_key_free(NULL);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("key_encode");
	TCase *tcase = unit_tcase(suite, "key_encode");

	ADD_CASES(tcase, encodes_the_change_in_its_place, edits);
	ADD_CASES(tcase, decodes_to_the_same_rows, edits);
	ADD_CASES(tcase, is_copied_with_its_changes, edits);
	ADD_CASES(tcase, changes_nothing_without_memory, edits);
	ADD_CASES(tcase, refuses, refusals);
	ADD_CASES(tcase, names_the_limit_it_would_pass, limits);
	tcase_add_test(tcase, writes_nothing_if_the_buffer_is_too_small);
	tcase_add_test(tcase, keeps_no_memory_of_the_caller);
	tcase_add_test(tcase, takes_a_flood_of_changes);
	tcase_add_test(tcase, freeing_null_does_nothing);
	return unit_main(suite);
}
