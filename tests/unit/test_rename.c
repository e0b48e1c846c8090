/* test_rename.c - lines of mappings, the hash, and new names of a trace */

#include "helpers/changes.h"

#include "helpers/failing.h"
#include "helpers/op.h"
#include "helpers/unit.h"
#include "ops/rename/mapping_line.h"
#include "ops/rename/siphash.h"
#include "private/text.h"

/* The vectors of the authors' program: the key is 00 to 0f, and the text of a
 * length is 00 01 02 ... */
static const struct {
	size_t len;
	uint8_t hash[8];
} vectors[] = {
	{ 0, { 0x31, 0x0e, 0x0e, 0xdd, 0x47, 0xdb, 0x6f, 0x72 } },
	{ 1, { 0xfd, 0x67, 0xdc, 0x93, 0xc5, 0x39, 0xf8, 0x74 } },
	{ 2, { 0x5a, 0x4f, 0xa9, 0xd9, 0x09, 0x80, 0x6c, 0x0d } },
	{ 3, { 0x2d, 0x7e, 0xfb, 0xd7, 0x96, 0x66, 0x67, 0x85 } },
	{ 4, { 0xb7, 0x87, 0x71, 0x27, 0xe0, 0x94, 0x27, 0xcf } },
	{ 5, { 0x8d, 0xa6, 0x99, 0xcd, 0x64, 0x55, 0x76, 0x18 } },
	{ 6, { 0xce, 0xe3, 0xfe, 0x58, 0x6e, 0x46, 0xc9, 0xcb } },
	{ 7, { 0x37, 0xd1, 0x01, 0x8b, 0xf5, 0x00, 0x02, 0xab } },
	{ 8, { 0x62, 0x24, 0x93, 0x9a, 0x79, 0xf5, 0xf5, 0x93 } },
	{ 15, { 0xe5, 0x45, 0xbe, 0x49, 0x61, 0xca, 0x29, 0xa1 } },
};

START_TEST(hashes_as_the_authors_do)
{
	uint8_t key[DMT_SIPHASH_KEY], text[16];

	for (uint8_t i = 0; i < 16; i++)
		key[i] = text[i] = i;
	for (size_t cut = 0; cut <= vectors[_i].len; cut++) {
		const uint64_t hash = dmt_siphash(key, text, cut, text + cut,
		    vectors[_i].len - cut);

		for (int i = 0; i < 8; i++)
			ck_assert_uint_eq(hash >> 8 * i & 0xff,
			    vectors[_i].hash[i]);
	}
}
END_TEST

#define NONE DMT_MAPPING_NO_LINE

static const struct {
	const char *line;
	enum dmt_mapping_kind kind;
	const char *original, *renamed, *holder, *result, *parameters;
	uint32_t from, to, original_from, original_to;
} lines[] = {
	{ "com.app.Main -> a.b:", DMT_MAPPING_CLASS, "com.app.Main", "a.b",
	    "", "", "", NONE, NONE, NONE, NONE },
	{ "com.app.Main -> a.b:\r", DMT_MAPPING_CLASS, "com.app.Main", "a.b",
	    "", "", "", NONE, NONE, NONE, NONE },
	{ "    void run() -> a", DMT_MAPPING_METHOD, "run", "a", "", "void",
	    "", NONE, NONE, NONE, NONE },
	{ "    1:2:int[] run(int,com.app.Item[]) -> a\r", DMT_MAPPING_METHOD,
	    "run", "a", "", "int[]", "int,com.app.Item[]", 1, 2, NONE, NONE },
	{ "    1001:1005:void com.app.Other.stop():40:44 -> a",
	    DMT_MAPPING_METHOD, "stop", "a", "com.app.Other", "void", "", 1001,
	    1005, 40, 44 },
	{ "    3:3:void <init>(int):15 -> <init>", DMT_MAPPING_METHOD,
	    "<init>", "<init>", "", "void", "int", 3, 3, 15, NONE },
	{ "\tvoid caf\xc3\xa9() -> \xc3\xa9", DMT_MAPPING_METHOD,
	    "caf\xc3\xa9", "\xc3\xa9", "", "void", "", NONE, NONE, NONE,
	    NONE },
	{ "    com.app.Item item -> b", DMT_MAPPING_FIELD, NULL, NULL, NULL,
	    NULL, NULL, NONE, NONE, NONE, NONE },
	{ "# compiler: R8", DMT_MAPPING_EMPTY, "", "", "", "", "", NONE, NONE,
	    NONE, NONE },
	{ "", DMT_MAPPING_EMPTY, "", "", "", "", "", NONE, NONE, NONE, NONE },
	{ "# {\"id\":\"sourceFile\",\"fileName\":\"Main.kt\"}",
	    DMT_MAPPING_FILE, "Main.kt", "", "", "", "", NONE, NONE, NONE,
	    NONE },
	{ "  # { 'id' : 'com.android.tools.r8.residualsignature', "
	    "'signature' : '(I)V' }", DMT_MAPPING_RESIDUAL, "", "(I)V", "", "",
	    "", NONE, NONE, NONE, NONE },
	{ "    # {\"id\":\"com.android.tools.r8.synthesized\"}",
	    DMT_MAPPING_EMPTY, "", "", "", "", "", NONE, NONE, NONE, NONE },
	{ "com.app.Main", DMT_MAPPING_OTHER, NULL, NULL, NULL, NULL, NULL, 0,
	    0, 0, 0 },
	{ "com.app.Main -> a.b", DMT_MAPPING_OTHER, NULL, NULL, NULL, NULL,
	    NULL, 0, 0, 0, 0 },
	{ "    void run( -> a", DMT_MAPPING_OTHER, NULL, NULL, NULL, NULL,
	    NULL, 0, 0, 0, 0 },
	{ "    1:void run() -> a", DMT_MAPPING_OTHER, NULL, NULL, NULL, NULL,
	    NULL, 0, 0, 0, 0 },
	{ "    1:99999999999:void run() -> a", DMT_MAPPING_OTHER, NULL, NULL,
	    NULL, NULL, NULL, 0, 0, 0, 0 },
	{ "    :::void z() -> c", DMT_MAPPING_OTHER, NULL, NULL,
	    NULL, NULL, NULL, 0, 0, 0, 0 },
	{ "    99999999999999999999:3:void q() -> d", DMT_MAPPING_OTHER, NULL,
	    NULL, NULL, NULL, NULL, 0, 0, 0, 0 },
	{ "    3:1:void q2() -> e", DMT_MAPPING_OTHER, NULL, NULL,
	    NULL, NULL, NULL, 0, 0, 0, 0 },
	{ "    void:x run() -> a", DMT_MAPPING_OTHER, NULL, NULL,
	    NULL, NULL, NULL, 0, 0, 0, 0 },
	{ "    3 run() -> a", DMT_MAPPING_OTHER, NULL, NULL,
	    NULL, NULL, NULL, 0, 0, 0, 0 },
	{ "    1:2:int:3 count -> a", DMT_MAPPING_OTHER, NULL, NULL,
	    NULL, NULL, NULL, 0, 0, 0, 0 },
	{ "    void run():x -> a", DMT_MAPPING_OTHER, NULL, NULL, NULL, NULL,
	    NULL, 0, 0, 0, 0 },
	{ "    run() -> a", DMT_MAPPING_OTHER, NULL, NULL, NULL, NULL, NULL, 0,
	    0, 0, 0 },
	{ "    void ru\tn() -> a", DMT_MAPPING_OTHER, NULL, NULL, NULL, NULL,
	    NULL, 0, 0, 0, 0 },
	{ "com.app.Ma\1in -> a.b:", DMT_MAPPING_OTHER, NULL, NULL, NULL, NULL,
	    NULL, 0, 0, 0, 0 },
	{ " -> a:", DMT_MAPPING_OTHER, NULL, NULL, NULL, NULL, NULL, 0, 0, 0,
	    0 },
};

static void
assert_text(struct dmtrace_text text, const char *expected)
{
	ck_assert_msg(dmt_text_is(text, expected), "\"%.*s\", not \"%s\"",
	    (int)text.len, text.bytes == NULL ? "" : text.bytes, expected);
}

START_TEST(understands_this_line)
{
	struct dmt_mapping_line line;

	dmt_mapping_parse(&line, dmt_text_of(lines[_i].line));
	ck_assert_int_eq(line.kind, lines[_i].kind);
	if (lines[_i].original == NULL)
		return;
	assert_text(line.original, lines[_i].original);
	assert_text(line.renamed, lines[_i].renamed);
	assert_text(line.holder, lines[_i].holder);
	assert_text(line.result, lines[_i].result);
	assert_text(line.parameters, lines[_i].parameters);
	ck_assert_uint_eq(line.from, lines[_i].from);
	ck_assert_uint_eq(line.to, lines[_i].to);
	ck_assert_uint_eq(line.original_from, lines[_i].original_from);
	ck_assert_uint_eq(line.original_to, lines[_i].original_to);
}
END_TEST

#define MAPPING "com.app.Main -> a.b:\n    1:2:void run(com.app.Item) -> a\n" \
	"    3:3:void stop() -> a\ncom.app.Item -> a.c:\n"
#define TABLE "kind\tname\toriginal\nclass\ta.b\tcom.app.Main\n" \
	"method\ta\trun\nfile\tX\tMain.java\nthread\tmain\tjoe\n"
#define RECORDS "SLOW\2\0\x20\0\1\2\3\4\5\6\7\0\0\0\0\0\0\0\0\0\0\0\0\0" \
	"\0\0\0\0\0\0\0\0\1\0\4\0\0\0\1\2\3\4"
#define TRACE(name, method) "*version\n2\nclock=wall\n*threads\n1\t" name \
	"\n*methods\n0x4\t" method "\n*end\n" RECORDS

static const char renamed_trace[] = TRACE("main", "a.b\ta\t(La/c;)V\tX");

static const struct dmtrace_file mapping_file = { "mapping", -1 };
static const struct dmtrace_file table_file = { "table", -1 };
static const uint8_t hash_key[DMTRACE_RENAME_KEY_SIZE] = "0123456789abcdef";

static const struct {
	const char *label;
	const struct dmtrace_file *mapping;
	const uint8_t *hash_key;
	const struct dmtrace_file *table;
	const char *out;
	size_t len;
} ways[] = {
#define OUT(bytes) bytes, sizeof(bytes) - 1
	{ "a mapping", &mapping_file, NULL, NULL, OUT(TRACE("main",
	    "com.app.Main\trun\t(Lcom/app/Item;)V\tX")) },
	{ "a table", NULL, NULL, &table_file, OUT(TRACE("joe",
	    "com.app.Main\trun\t(La/c;)V\tMain.java")) },
	{ "a hash", NULL, hash_key, NULL, NULL, 0 },
};

static enum dmtrace_status
rename_file(int way)
{
	const struct dmtrace_rename_options options = {
		.mapping = ways[way].mapping, .hash_key = ways[way].hash_key,
		.table = ways[way].table
	};
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_writer *const writer = dmtrace_writer_new();
	enum dmtrace_status status = DMTRACE_ERR_MEMORY;

	if (reader != NULL && writer != NULL)
		status = dmtrace_reader_open_path(reader, "in");
	if (status == DMTRACE_OK)
		status = dmtrace_writer_set_like(writer, reader);
	if (status == DMTRACE_OK)
		status = dmtrace_writer_open_path(writer, "out");
	if (status == DMTRACE_OK)
		status = dmtrace_rename(op, reader, writer, &options, NULL);
	if (status == DMTRACE_OK)
		status = dmtrace_writer_close(writer);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	return status;
}

static void
put_inputs(void)
{
	file_put("in", renamed_trace, sizeof(renamed_trace) - 1);
	file_put("mapping", MAPPING, sizeof(MAPPING) - 1);
	file_put("table", TABLE, sizeof(TABLE) - 1);
}

START_TEST(changes_names_and_nothing_else)
{
	put_inputs();
	ck_assert_int_eq(rename_file(_i), DMTRACE_OK);
	if (ways[_i].out == NULL)
		return;
	size_t len;
	char *const bytes = file_get("out", &len);

	ck_assert_uint_eq(len, ways[_i].len);
	ck_assert_int_eq(memcmp(bytes, ways[_i].out, len), 0);
	free(bytes);
}
END_TEST

START_TEST(whatever_fails_leaves_all_or_nothing)
{
	put_inputs();
	for (size_t i = 0; i < ROWS(all_faults); i++) {
		struct failing failing = {
			.kind = all_faults[i], .harmless = FAULT_CLOSE
		};

		do {
			failing_arm(&failing);
			if (failing_reported(&failing, rename_file(_i)))
				ck_assert_uint_eq(file_count("."), 3);
			else
				unlink("out");
		} while (failing.failed);
	}
}
END_TEST

/* In memory, with a file as mapping or table. */
static enum dmtrace_status
rename_with(const struct dmtrace_rename_options *options)
{
	struct dmtrace_reader *const reader =
	    made_open(renamed_trace, sizeof(renamed_trace) - 1);
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	ck_assert_int_eq(dmtrace_writer_set_like(writer, reader), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_open_memory(writer), DMTRACE_OK);
	const enum dmtrace_status status =
	    dmtrace_rename(op, reader, writer, options, NULL);
	dmtrace_writer_free(writer);
	dmtrace_reader_free(reader);
	return status;
}

static const struct {
	const char *label;
	const char *bytes;
	bool table;
	enum dmtrace_status status;
	const char *message;
} refused[] = {
	{ "no mapping", "*version\n3\n", false, DMTRACE_ERR_CORRUPT,
	    "is no mapping" },
	{ "an empty mapping", "", false, DMTRACE_ERR_CORRUPT,
	    "is no mapping" },
	{ "no table", "class\ta\tb\n", true, DMTRACE_ERR_CORRUPT,
	    "begins with \"kind\"" },
	{ "an empty table", "", true, DMTRACE_ERR_CORRUPT,
	    "begins with \"kind\"" },
	{ "a line of two columns", "kind\tname\toriginal\nclass\ta\n", true,
	    DMTRACE_ERR_CORRUPT, "two names" },
	{ "a table that ends in its first line", "kind\tname\toriginal", true,
	    DMTRACE_ERR_CORRUPT, "begins with \"kind\"" },
	{ "a table that ends in its last line", "kind\tname\toriginal\n"
	    "method\ta\tlam", true, DMTRACE_ERR_TRUNCATED,
	    "ends within this line" },
	{ "an unknown kind", "kind\tname\toriginal\nfoo\ta\tb\n", true,
	    DMTRACE_ERR_CORRUPT, "two names" },
};

START_TEST(refuses_other_files)
{
	const struct dmtrace_file file = { "file", -1 };
	const struct dmtrace_rename_options options = {
		.mapping = refused[_i].table ? NULL : &file,
		.table = refused[_i].table ? &file : NULL
	};

	file_put("file", refused[_i].bytes, strlen(refused[_i].bytes));
	ck_assert_int_eq(rename_with(&options), refused[_i].status);
	ck_assert_msg(strstr(dmtrace_op_error(op)->message,
	    refused[_i].message) != NULL, "%s",
	    dmtrace_op_error(op)->message);
	ck_assert_str_eq(dmtrace_op_error_file(op)->path, "file");
}
END_TEST

START_TEST(refuses_a_line_without_end)
{
	const struct dmtrace_file file = { "file", -1 };
	const struct dmtrace_rename_options options = { .mapping = &file };
	const size_t len = 3 * 1024 * 1024;
	char *const bytes = malloc(len);

	memset(bytes, 'x', len);
	file_put("file", bytes, len);
	free(bytes);
	ck_assert_int_eq(rename_with(&options), DMTRACE_ERR_LIMIT);
}
END_TEST

START_TEST(refuses_options_that_contradict)
{
	const struct dmtrace_rename_options none = { .all = 0 };
	const struct dmtrace_rename_options two =
	    { .mapping = &mapping_file, .hash_key = hash_key };
	const struct dmtrace_rename_options three =
	    { .mapping = &mapping_file, .table = &table_file };

	put_inputs();
	ck_assert_int_eq(rename_with(&none), DMTRACE_ERR_STATE);
	ck_assert_int_eq(rename_with(&two), DMTRACE_ERR_STATE);
	ck_assert_int_eq(rename_with(&three), DMTRACE_ERR_STATE);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("rename");
	TCase *const tcase = unit_tcase(suite, "rename");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, op_begin, op_end);
	ADD_CASES(tcase, hashes_as_the_authors_do, vectors);
	ADD_CASES(tcase, understands_this_line, lines);
	ADD_CASES(tcase, changes_names_and_nothing_else, ways);
	ADD_CASES(tcase, whatever_fails_leaves_all_or_nothing, ways);
	ADD_CASES(tcase, refuses_other_files, refused);
	tcase_add_test(tcase, refuses_a_line_without_end);
	tcase_add_test(tcase, refuses_options_that_contradict);
	return unit_main(suite);
}
