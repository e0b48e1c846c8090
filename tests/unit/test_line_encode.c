/* test_line_encode.c - rows encoded to lines of a key, strictly */

#include "helpers/keys.h"
#include "key/line_encode.h"

#define NO_LINE DMTRACE_NO_LINE

static const struct {
	struct dmtrace_option row;
	const char *line;
	const char *message;	/* of the refusal; NULL: none */
} options[] = {
	{ { TEXT("clock"), TEXT("dual") }, "clock=dual\r\n", NULL },
	{ { TEXT("a"), TEXT("") }, "a=\r\n", NULL },
	{ { TEXT("!~"), TEXT(" =\t\xff*") }, "!~= =\t\xff*\r\n", NULL },
	{ { TEXT(""), TEXT("b") }, NULL, "invalid option name: \"\"" },
	{ { TEXT("*a"), TEXT("b") }, NULL,
	    "invalid option name: \"*a\"" },
	{ { TEXT("a b"), TEXT("b") }, NULL,
	    "invalid option name: \"a b\"" },
	{ { TEXT("a=b"), TEXT("b") }, NULL,
	    "invalid option name: \"a=b\"" },
	{ { TEXT("a\n"), TEXT("b") }, NULL,
	    "invalid option name: \"a\\n\"" },
	{ { TEXT("\x7f"), TEXT("b") }, NULL,
	    "invalid option name: \"\\x7f\"" },
	{ { TEXT("\xc3\xa9"), TEXT("b") }, NULL,
	    "invalid option name: \"\xc3\xa9\"" },
	{ { TEXT("a"), TEXT("b\n") }, NULL,
	    "CR, LF or NUL in the value of an option: \"b\\n\"" },
	{ { TEXT("a"), TEXT("\r") }, NULL,
	    "CR, LF or NUL in the value of an option: \"\\r\"" },
	{ { TEXT("a"), TEXT("b\0") }, NULL,
	    "CR, LF or NUL in the value of an option: \"b\\x00\"" },
};

static const struct {
	struct dmtrace_thread row;
	const char *line;
	const char *message;
} threads[] = {
	{ { 1, TEXT("main") }, "1\tmain\r\n", NULL },
	{ { 0, { NULL, 0 } }, "0\t\r\n", NULL },
	{ { UINT32_MAX, TEXT(" *a\xff ") }, "4294967295\t *a\xff \r\n",
	    NULL },
	{ { 1, TEXT("a\tb") }, NULL,
	    "TAB, CR, LF or NUL in the name of a thread: \"a\\tb\"" },
	{ { 1, TEXT("a\n") }, NULL,
	    "TAB, CR, LF or NUL in the name of a thread: \"a\\n\"" },
	{ { 1, TEXT("\ra") }, NULL,
	    "TAB, CR, LF or NUL in the name of a thread: \"\\ra\"" },
	{ { 1, TEXT("\0") }, NULL,
	    "TAB, CR, LF or NUL in the name of a thread: \"\\x00\"" },
};

static const struct {
	struct dmtrace_method row;
	const char *line;
	const char *message;
} methods[] = {
	{ { 4, TEXT("A"), TEXT("m"), TEXT("()V"), TEXT("A.java"), 12 },
	    "0x4\tA\tm\t()V\tA.java\t12\r\n", NULL },
	{ { 4, TEXT("A"), TEXT("m"), TEXT("()V"), TEXT("A.java"), -2 },
	    "0x4\tA\tm\t()V\tA.java\t-2\r\n", NULL },
	{ { 4, TEXT("A"), TEXT("m"), TEXT("()V"), TEXT("A.java"), NO_LINE },
	    "0x4\tA\tm\t()V\tA.java\r\n", NULL },
	{ { 4, TEXT("A"), TEXT("m"), TEXT(""), TEXT("A.java"), NO_LINE },
	    "0x4\tA\tm\t\tA.java\r\n", NULL },
	{ { 4, TEXT("A"), TEXT("m"), TEXT("()V"), TEXT(""), NO_LINE },
	    "0x4\tA\tm\t()V\r\n", NULL },
	{ { 4, TEXT("A"), TEXT("m"), TEXT(""), TEXT(""), NO_LINE },
	    "0x4\tA\tm\t\r\n", NULL },
	{ { .id = 4, .name = TEXT("m") }, "0x4\tm\r\n", NULL },
	{ { .id = 4, .class_name = TEXT("A"), .name = TEXT("m") },
	    "0x4\tA\tm\t\r\n", NULL },
	{ { .id = 4, .class_name = TEXT("A"), .name = TEXT("m"),
	    .signature = TEXT("()V") }, "0x4\tA\tm\t()V\r\n", NULL },
	{ { .id = 4, .class_name = TEXT("A"), .name = TEXT("m"),
	    .signature = TEXT("()V"), .file = TEXT("A.java") },
	    "0x4\tA\tm\t()V\tA.java\t0\r\n", NULL },
	{ { 4, { NULL, 0 }, TEXT("m"), { NULL, 0 }, { NULL, 0 }, NO_LINE },
	    "0x4\tm\r\n", NULL },
	{ { 0, TEXT("A"), TEXT("m"), TEXT("()V"), TEXT(""), NO_LINE },
	    "0x0\tA\tm\t()V\r\n", NULL },
	{ { UINT64_C(0xabcdef0123456788), TEXT("A"), TEXT("<init>"),
	    TEXT("(I)V"), TEXT(""), NO_LINE },
	    "0xabcdef0123456788\tA\t<init>\t(I)V\r\n", NULL },
	{ { 4, TEXT("A"), TEXT("m"), TEXT("12"), TEXT("A.java"), NO_LINE },
	    "0x4\tA\tm\t12\tA.java\r\n", NULL },
	{ { 5, TEXT("A"), TEXT("m"), TEXT("()V"), TEXT(""), NO_LINE },
	    NULL, "method id 0x5 has one of its two low bits set" },
	{ { 6, TEXT("A"), TEXT("m"), TEXT("()V"), TEXT(""), NO_LINE },
	    NULL, "method id 0x6 has one of its two low bits set" },
	{ { 4, TEXT("A"), TEXT(""), TEXT("()V"), TEXT(""), NO_LINE },
	    NULL, "method without a name: \"A\"" },
	{ { 4, TEXT(""), TEXT("m"), TEXT("()V"), TEXT(""), NO_LINE },
	    NULL, "method with other columns but no class: \"m\"" },
	{ { 4, TEXT(""), TEXT("m"), TEXT(""), TEXT("A.java"), NO_LINE },
	    NULL, "method with other columns but no class: \"m\"" },
	{ { 4, TEXT("A"), TEXT("m"), TEXT("()V"), TEXT(""), 12 },
	    NULL, "method with a line but no file: \"m\"" },
	{ { 4, TEXT("A"), TEXT("m"), TEXT("-12"), TEXT(""), NO_LINE },
	    NULL, "signature that is a number: \"-12\"" },
	{ { 4, TEXT("A\t"), TEXT("m"), TEXT("()V"), TEXT(""), NO_LINE },
	    NULL, "TAB, CR, LF or NUL in a column of a method: \"A\\t\"" },
	{ { 4, TEXT("A"), TEXT("m\n"), TEXT("()V"), TEXT(""), NO_LINE },
	    NULL, "TAB, CR, LF or NUL in a column of a method: \"m\\n\"" },
	{ { 4, TEXT("A"), TEXT("m"), TEXT("\r"), TEXT(""), NO_LINE },
	    NULL, "TAB, CR, LF or NUL in a column of a method: \"\\r\"" },
	{ { 4, TEXT("A"), TEXT("m"), TEXT("()V"), TEXT("\0"), NO_LINE },
	    NULL, "TAB, CR, LF or NUL in a column of a method: \"\\x00\"" },
};

struct bench {
	struct dmt_arena arena;
	struct dmtrace_error error;
	struct dmtrace_text line;
};

static struct dmt_encoder
encoder(struct bench *bench)
{
	return (struct dmt_encoder){ &bench->arena, "\r\n", &bench->error };
}

/* What became of an encode: its line, or its message and nothing else. */
static void
assert_outcome(struct bench *bench, enum dmtrace_status status,
    const char *line, const char *message)
{
	if (message != NULL) {
		ck_assert_int_eq(status, DMTRACE_ERR_RANGE);
		ck_assert_str_eq(bench->error.message, message);
		ck_assert_ptr_null(bench->line.bytes);
	} else {
		ck_assert_int_eq(status, DMTRACE_OK);
		ck_assert_uint_eq(bench->line.len, strlen(line));
		ck_assert_mem_eq(bench->line.bytes, line, strlen(line));
	}
}

/* The row is the same, but its texts stand in the line. */
static void
assert_moved(const struct bench *bench, struct dmtrace_text moved,
    struct dmtrace_text text)
{
	ck_assert_uint_eq(moved.len, text.len);
	if (text.len == 0)
		return;
	ck_assert_mem_eq(moved.bytes, text.bytes, text.len);
	ck_assert(moved.bytes >= bench->line.bytes &&
	    moved.bytes < bench->line.bytes + bench->line.len);
}

START_TEST(encodes_an_option)
{
	struct bench bench = { .line = { NULL, 0 } };
	const struct dmt_encoder to = encoder(&bench);
	struct dmtrace_option row = options[_i].row;

	assert_outcome(&bench, dmt_option_encode(&bench.line, &row, &to),
	    options[_i].line, options[_i].message);
	if (options[_i].message == NULL) {
		assert_moved(&bench, row.name, options[_i].row.name);
		assert_moved(&bench, row.value, options[_i].row.value);
	}
	dmt_arena_fini(&bench.arena);
}
END_TEST

START_TEST(encodes_a_thread)
{
	struct bench bench = { .line = { NULL, 0 } };
	const struct dmt_encoder to = encoder(&bench);
	struct dmtrace_thread row = threads[_i].row;

	assert_outcome(&bench, dmt_thread_encode(&bench.line, &row, &to),
	    threads[_i].line, threads[_i].message);
	if (threads[_i].message == NULL)
		assert_moved(&bench, row.name, threads[_i].row.name);
	dmt_arena_fini(&bench.arena);
}
END_TEST

START_TEST(encodes_a_method)
{
	struct bench bench = { .line = { NULL, 0 } };
	const struct dmt_encoder to = encoder(&bench);
	const struct dmtrace_method *old = &methods[_i].row;
	struct dmtrace_method row = *old;

	assert_outcome(&bench, dmt_method_encode(&bench.line, &row, &to),
	    methods[_i].line, methods[_i].message);
	if (methods[_i].message == NULL) {
		assert_moved(&bench, row.class_name, old->class_name);
		assert_moved(&bench, row.name, old->name);
		assert_moved(&bench, row.signature, old->signature);
		assert_moved(&bench, row.file, old->file);
	}
	dmt_arena_fini(&bench.arena);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("line_encode");
	TCase *tcase = unit_tcase(suite, "line_encode");

	ADD_CASES(tcase, encodes_an_option, options);
	ADD_CASES(tcase, encodes_a_thread, threads);
	ADD_CASES(tcase, encodes_a_method, methods);
	return unit_main(suite);
}
