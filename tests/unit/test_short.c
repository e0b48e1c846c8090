/* test_short.c - functions that take strings and files instead of structs */

#include <dmtrace.h>
#include <string.h>
#include <unistd.h>

#include "helpers/files.h"
#include "helpers/unit.h"
#include "private/trace.h"

#define KEY "*version\n3\nclock=dual\n*threads\n1\tmain\n*methods\n"
#define HEADER "SLOW\3\0\x20\0\0\0\0\0\0\0\0\0\x0e\0\0\0\0\0\0\0" \
	"\0\0\0\0\0\0\0\0"

static struct dmtrace_writer *
open_writer(void)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	unlink("x.trace");
	ck_assert_int_eq(dmtrace_writer_open_path(writer, "x.trace"),
	    DMTRACE_OK);
	return writer;
}

START_TEST(strings_and_numbers_make_a_trace)
{
	static const char expected[] = KEY "0x4\ta/B\tc\t\n0x8\td\n*end\n"
	    HEADER "\1\0\4\0\0\0\x07\0\0\0\x07\0\0\0"
	    "\1\0\5\0\0\0\x2c\1\0\0\x2c\1\0\0";
	struct dmtrace_writer *const writer = open_writer();
	size_t len;

	ck_assert_int_eq(dmtrace_writer_add_thread(writer, 1, "main"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_add_method(writer, 4, "a/B", "c"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_add_method(writer, 8, NULL, "d"),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_enter(writer, 1, 4, 7000),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_exit(writer, 1, 4, 300000),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	char *const bytes = file_get("x.trace", &len);
	ck_assert_uint_eq(len, sizeof(expected) - 1);
	ck_assert_int_eq(memcmp(bytes, expected, len), 0);
	free(bytes);
	dmtrace_writer_free(writer);
}
END_TEST

START_TEST(close_returns_a_row_that_was_refused)
{
	struct dmtrace_writer *const writer = open_writer();

	ck_assert_int_eq(dmtrace_writer_add_method(writer, 5, "a", "b"),
	    DMTRACE_ERR_RANGE);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_ERR_RANGE);
	ck_assert_int_eq(access("x.trace", F_OK), -1);
	dmtrace_writer_free(writer);
}
END_TEST

START_TEST(no_row_is_added_to_a_complete_key)
{
	struct dmtrace_writer *const writer = open_writer();

	ck_assert_int_eq(dmtrace_writer_complete(writer), DMTRACE_OK);
	ck_assert_int_eq(dmtrace_writer_add_thread(writer, 1, "main"),
	    DMTRACE_ERR_STATE);
	ck_assert_ptr_nonnull(strstr(dmtrace_writer_error(writer)->message,
	    "dmtrace_writer_add_thread"));
	ck_assert_int_eq(dmtrace_writer_add_method(writer, 4, "a", "b"),
	    DMTRACE_ERR_STATE);
	dmtrace_writer_free(writer);
}
END_TEST

START_TEST(names_are_strings)
{
	static const char trace[] = KEY "0x4\ta/b/C\td\t()V\n0x8\te\n"
	    "0xc\ta\0/b/C\td/e\t()V\n*end\n" HEADER;
	struct dmtrace_reader *const reader = dmtrace_reader_new();

	ck_assert_str_eq(dmtrace_reader_method_name(reader, 4), "0x4");
	ck_assert_int_eq(dmtrace_reader_open_memory(reader, trace,
	    sizeof(trace) - 1), DMTRACE_OK);
	ck_assert_str_eq(dmtrace_reader_method_name(reader, 4), "a.b.C.d");
	ck_assert_str_eq(dmtrace_reader_method_name(reader, 8), "e");
	ck_assert_str_eq(dmtrace_reader_method_name(reader, 12), "a.d/e");
	ck_assert_str_eq(dmtrace_reader_method_name(reader, 0x12345678c),
	    "0x12345678c");
	ck_assert_str_eq(dmtrace_reader_thread_name(reader, 1), "main");
	ck_assert_str_eq(dmtrace_reader_thread_name(reader, 77), "77");

	/* Both can be asked for in one statement. */
	const char *const thread = dmtrace_reader_thread_name(reader, 1);
	const char *const method = dmtrace_reader_method_name(reader, 8);
	ck_assert_str_eq(thread, "main");
	ck_assert_str_eq(method, "e");
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(null_is_no_object)
{
	struct dmtrace_event event;
	size_t count = 7;

	ck_assert_int_eq(dmtrace_writer_open_path(NULL, "x.trace"),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_writer_enter(NULL, 1, 4, 0),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_writer_close(NULL), DMTRACE_ERR_STATE);
	ck_assert_ptr_null(dmtrace_writer_key(NULL));
	ck_assert_ptr_null(dmtrace_writer_memory(NULL, &count));
	ck_assert_uint_eq(count, 0);
	ck_assert_str_eq(dmtrace_writer_error(NULL)->message,
	    "NULL was given in place of an object");
	ck_assert_int_eq(dmtrace_reader_open_path(NULL, "x.trace"),
	    DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_reader_next(NULL, &event),
	    DMTRACE_ERR_STATE);
	ck_assert_ptr_null(dmt_reader_layout(NULL));
	ck_assert_int_eq(dmtrace_reader_error(NULL)->status,
	    DMTRACE_ERR_STATE);
}
END_TEST

/* The first of them is what close returns. */
static const struct {
	const char *call;
	enum { PATH, OUTPUT, LIKE, EVENTS } which;
} nulls[] = {
	{ "dmtrace_writer_open_path", PATH },
	{ "dmtrace_writer_open_output", OUTPUT },
	{ "dmtrace_writer_set_like", LIKE },
	{ "dmtrace_writer_write", EVENTS },
};

static enum dmtrace_status
give_null(struct dmtrace_writer *writer, int which)
{
	switch (which) {
	case PATH: return dmtrace_writer_open_path(writer, NULL);
	case OUTPUT: return dmtrace_writer_open_output(writer, NULL);
	case LIKE: return dmtrace_writer_set_like(writer, NULL);
	default: return dmtrace_writer_write(writer, NULL, 1);
	}
}

START_TEST(the_message_names_the_call_with_null)
{
	struct dmtrace_writer *const writer = dmtrace_writer_new();

	ck_assert_int_eq(give_null(writer, nulls[_i].which),
	    DMTRACE_ERR_STATE);
	ck_assert_ptr_nonnull(strstr(dmtrace_writer_error(writer)->message,
	    nulls[_i].call));
	dmtrace_writer_free(writer);
}
END_TEST

static struct dmtrace_op *op;
static struct dmtrace_select_options chosen;
static struct dmtrace_filter_options options;
static const struct dmtrace_file in = { .path = "x.trace" };
static const struct dmtrace_file out = { .path = "y.trace" };

static void
filter_begin(void)
{
	struct dmtrace_writer *const writer = open_writer();

	dmtrace_writer_add_thread(writer, 1, "main");
	dmtrace_writer_add_method(writer, 4, NULL, "outer");
	dmtrace_writer_add_method(writer, 8, NULL, "inner");
	dmtrace_writer_enter(writer, 1, 4, 1000);
	dmtrace_writer_enter(writer, 1, 8, 2000);
	dmtrace_writer_exit(writer, 1, 8, 3000);
	dmtrace_writer_exit(writer, 1, 4, 4000);
	ck_assert_int_eq(dmtrace_writer_close(writer), DMTRACE_OK);
	dmtrace_writer_free(writer);
	unlink("y.trace");
	op = dmtrace_op_new();
	chosen = (struct dmtrace_select_options){ 0 };
	options.select = &chosen;
	options.allow_empty = 0;
}

static void
filter_end(void)
{
	dmtrace_op_free(op);
}

START_TEST(filters_from_file_to_file)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;

	chosen.methods = (const char *[]){ "inner", NULL };
	ck_assert_int_eq(dmtrace_filter(op, &in, &out, &options),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_reader_open_path(reader, "y.trace"),
	    DMTRACE_OK);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(dmtrace_reader_next(reader, &event),
		    DMTRACE_OK);
		ck_assert_uint_eq(event.method, 8);
	}
	ck_assert_int_eq(dmtrace_reader_next(reader, &event), DMTRACE_END);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(nothing_selected_leaves_no_output_unless_allowed)
{
	chosen.first_depth = 9;
	ck_assert_int_eq(dmtrace_filter(op, &in, &out, &options),
	    DMTRACE_END);
	ck_assert_int_eq(access("y.trace", F_OK), -1);
	options.allow_empty = 1;
	ck_assert_int_eq(dmtrace_filter(op, &in, &out, &options),
	    DMTRACE_END);
	ck_assert_int_eq(access("y.trace", F_OK), 0);
}
END_TEST

START_TEST(a_failure_names_its_file)
{
	const struct dmtrace_file none = { .path = "none.trace" };
	const struct dmtrace_file nowhere = { .path = "no/y.trace" };

	ck_assert_int_eq(dmtrace_filter(op, &none, &out, NULL),
	    DMTRACE_ERR_IO);
	ck_assert_str_eq(dmtrace_op_error_file(op)->path, "none.trace");
	ck_assert_int_eq(dmtrace_filter(op, &in, &nowhere, NULL),
	    DMTRACE_ERR_IO);
	ck_assert_str_eq(dmtrace_op_error_file(op)->path, "no/y.trace");
	ck_assert_int_eq(dmtrace_filter(op, &in, &out, NULL),
	    DMTRACE_OK);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("short");
	TCase *const tcase = unit_tcase(suite, "short");
	TCase *const filter = unit_tcase(suite, "filter");

	tcase_add_test(tcase, strings_and_numbers_make_a_trace);
	tcase_add_test(tcase, close_returns_a_row_that_was_refused);
	tcase_add_test(tcase, no_row_is_added_to_a_complete_key);
	tcase_add_test(tcase, names_are_strings);
	tcase_add_test(tcase, null_is_no_object);
	ADD_CASES(tcase, the_message_names_the_call_with_null, nulls);
	tcase_add_checked_fixture(filter, filter_begin, filter_end);
	tcase_add_test(filter, filters_from_file_to_file);
	tcase_add_test(filter,
	    nothing_selected_leaves_no_output_unless_allowed);
	tcase_add_test(filter, a_failure_names_its_file);
	return unit_main(suite);
}
