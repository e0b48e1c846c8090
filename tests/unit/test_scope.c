/* test_scope.c - DMTRACE_SCOPE and DMTRACE_FUNCTION, and what they record */

#include <dmtrace.h>
#include <string.h>

#include "helpers/unit.h"

/* "+outer +inner -inner": the events of a trace, by method name. */
static void
assert_calls(const char *path, const char *calls)
{
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	struct dmtrace_event event;
	char text[512] = "";

	ck_assert_int_eq(dmtrace_reader_open_path(reader, path), DMTRACE_OK);
	while (dmtrace_reader_next(reader, &event) == DMTRACE_OK) {
		const struct dmtrace_method *const method =
		    dmtrace_key_method_find(dmtrace_reader_key(reader),
		    event.method);
		const size_t used = strlen(text);

		ck_assert_ptr_nonnull(method);
		snprintf(text + used, sizeof(text) - used, "%s%c%.*s",
		    used == 0 ? "" : " ",
		    event.action == DMTRACE_ENTER ? '+' : '-',
		    (int)method->name.len, method->name.bytes);
	}
	ck_assert_str_eq(text, calls);
	dmtrace_reader_free(reader);
}

static int
leave_early(int number)
{
	DMTRACE_FUNCTION();
	for (int i = 0; i < 3; i++) {
		DMTRACE_SCOPE("round");
		if (i == 0)
			continue;
		if (number == 1)
			break;
		if (number == 2)
			return 2;
	}
	return 0;
}

START_TEST(a_scope_ends_however_its_block_is_left)
{
	ck_assert_int_eq(dmtrace_start("x.trace", NULL), DMTRACE_OK);
	leave_early(1);
	leave_early(2);
	ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_OK);
	assert_calls("x.trace", "+leave_early +round -round +round -round "
	    "-leave_early +leave_early +round -round +round -round "
	    "-leave_early");
}
END_TEST

START_TEST(scopes_of_a_block_end_in_reverse)
{
	ck_assert_int_eq(dmtrace_start("x.trace", NULL), DMTRACE_OK);
	{
		DMTRACE_SCOPE("a");
		DMTRACE_SCOPE("b");
	}
	ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_OK);
	assert_calls("x.trace", "+a +b -b -a");
}
END_TEST

/* The first name of the place stays. */
static void
enter_place(const char *name)
{
	DMTRACE_SCOPE(name);
}

START_TEST(a_name_is_interned_once_for_each_place)
{
	enter_place("off");
	ck_assert_int_eq(dmtrace_start("x.trace", NULL), DMTRACE_OK);
	enter_place("first");
	enter_place("second");
	ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_OK);
	assert_calls("x.trace", "+first -first +first -first");
	ck_assert_int_eq(dmtrace_start("y.trace", NULL), DMTRACE_OK);
	enter_place("third");
	ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_OK);
	assert_calls("y.trace", "+first -first");
}
END_TEST

START_TEST(a_scope_that_began_before_the_start_records_nothing)
{
	struct dmtrace_recorder_result result;

	{
		DMTRACE_SCOPE("before");
		ck_assert_int_eq(dmtrace_start("x.trace", NULL), DMTRACE_OK);
		DMTRACE_SCOPE("within");
	}
	ck_assert_int_eq(dmtrace_stop(&result), DMTRACE_OK);
	ck_assert_uint_eq(result.mismatched, 0);
	assert_calls("x.trace", "+within -within");
}
END_TEST

START_TEST(a_scope_that_is_open_at_the_stop_ends_there)
{
	{
		DMTRACE_SCOPE("open");
		ck_assert_int_eq(dmtrace_start("x.trace", NULL), DMTRACE_OK);
		DMTRACE_SCOPE("cut");
		ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_OK);
	}
	assert_calls("x.trace", "+cut -cut");
}
END_TEST

START_TEST(a_line_may_have_several_scopes)
{
	ck_assert_int_eq(dmtrace_start("x.trace", NULL), DMTRACE_OK);
	{ DMTRACE_SCOPE("a"); DMTRACE_SCOPE("b"); DMTRACE_FUNCTION(); }
	ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_OK);
	assert_calls("x.trace", "+a +b +a_line_may_have_several_scopes_fn "
	    "-a_line_may_have_several_scopes_fn -b -a");
}
END_TEST

START_TEST(the_short_forms_are_of_the_default_recorder)
{
	const uint32_t method = dmtrace_intern("a.B", "c");

	ck_assert_int_eq(dmtrace_start("x.trace", NULL), DMTRACE_OK);
	dmtrace_name_thread("named");
	dmtrace_enter_at(method, 5000);
	dmtrace_exit_at(method, 9000);
	ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_OK);
	assert_calls("x.trace", "+c -c");
	struct dmtrace_reader *const reader = dmtrace_reader_new();
	ck_assert_int_eq(dmtrace_reader_open_path(reader, "x.trace"),
	    DMTRACE_OK);
	const struct dmtrace_thread *const thread =
	    dmtrace_key_thread_get(dmtrace_reader_key(reader), 0);
	ck_assert_uint_eq(thread->name.len, 5);
	ck_assert_int_eq(memcmp(thread->name.bytes, "named", 5), 0);
	dmtrace_reader_free(reader);
	ck_assert_int_eq(dmtrace_last_error()->status, DMTRACE_OK);
	ck_assert_int_eq(dmtrace_stop(NULL), DMTRACE_ERR_STATE);
	ck_assert_int_eq(dmtrace_last_error()->status, DMTRACE_ERR_STATE);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("scope");
	TCase *const tcase = unit_tcase(suite, "scope");

	tcase_add_test(tcase, a_scope_ends_however_its_block_is_left);
	tcase_add_test(tcase, scopes_of_a_block_end_in_reverse);
	tcase_add_test(tcase, a_name_is_interned_once_for_each_place);
	tcase_add_test(tcase,
	    a_scope_that_began_before_the_start_records_nothing);
	tcase_add_test(tcase, a_scope_that_is_open_at_the_stop_ends_there);
	tcase_add_test(tcase, a_line_may_have_several_scopes);
	tcase_add_test(tcase, the_short_forms_are_of_the_default_recorder);
	return unit_main(suite);
}
