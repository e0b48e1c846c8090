/* test_error.c - the first failure of an object, in a message that fits */

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "helpers/unit.h"

#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN

START_TEST(keeps_the_first_failure)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };

	ck_assert_int_eq(dmt_error_at(&error, DMTRACE_ERR_CORRUPT,
	    DMTRACE_PLACE_LINE, 7, "a %s of %d", "line", 12),
	    DMTRACE_ERR_CORRUPT);
	ck_assert_int_eq(dmt_error_set(&error, DMTRACE_ERR_RANGE, "later"),
	    DMTRACE_ERR_CORRUPT);
	errno = ENOSPC;
	ck_assert_int_eq(dmt_error_system(&error, "cannot write"),
	    DMTRACE_ERR_CORRUPT);
	ck_assert_int_eq(dmt_error_memory(&error), DMTRACE_ERR_CORRUPT);
	ck_assert_int_eq(error.status, DMTRACE_ERR_CORRUPT);
	ck_assert_int_eq(error.place, DMTRACE_PLACE_LINE);
	ck_assert_uint_eq(error.at, 7);
	ck_assert_int_eq(error.sys_errno, 0);
	ck_assert_str_eq(error.message, "a line of 12");
}
END_TEST

START_TEST(is_set_again_when_cleared)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };

	dmt_error_at(&error, DMTRACE_ERR_CORRUPT, DMTRACE_PLACE_OFFSET, 7,
	    "first");
	dmt_error_clear(&error);
	ck_assert_int_eq(error.status, DMTRACE_OK);
	ck_assert_int_eq(dmt_error_set(&error, DMTRACE_ERR_RANGE, "second"),
	    DMTRACE_ERR_RANGE);
	ck_assert_int_eq(error.place, DMTRACE_PLACE_NONE);
	ck_assert_uint_eq(error.at, 0);
	ck_assert_str_eq(error.message, "second");
}
END_TEST

START_TEST(has_the_description_of_errno)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };

	errno = ENOENT;
	ck_assert_int_eq(dmt_error_system(&error, "cannot open"),
	    DMTRACE_ERR_IO);
	ck_assert_int_eq(error.sys_errno, ENOENT);
	ck_assert_str_eq(error.message,
	    "cannot open: No such file or directory");
}
END_TEST

START_TEST(has_a_message_for_no_memory)
{
	struct dmtrace_error error = { .status = DMTRACE_OK };

	ck_assert_int_eq(dmt_error_memory(&error), DMTRACE_ERR_MEMORY);
	ck_assert_str_eq(error.message, "out of memory");
}
END_TEST

START_TEST(describes_every_status)
{
	for (int i = DMTRACE_OK; i <= DMTRACE_ERR_EVENT; i++)
		ck_assert_str_ne(dmtrace_strerror((enum dmtrace_status)i),
		    "unknown status");
	ck_assert_str_eq(dmtrace_strerror(DMTRACE_ERR_CANCELLED),
	    "cancelled");
	ck_assert_str_eq(dmtrace_strerror((enum dmtrace_status)15),
	    "unknown status");
	ck_assert_str_eq(dmtrace_strerror((enum dmtrace_status)-1),
	    "unknown status");
}
END_TEST

static void DMT_PRINTF(2, 3)
add(char message[DMTRACE_MESSAGE_MAX], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	dmt_message_append(message, format, args);
	va_end(args);
}

static const struct {
	const char *label;
	const char *before;
	const char *added;
	const char *message;
} sentences[] = {
	{ "short words", "a: ", "b", "a: b" },
	{ "as many as there is room for",
	    FIFTY FIFTY FIFTY FIFTY FIFTY, "12345",
	    FIFTY FIFTY FIFTY FIFTY FIFTY "12345" },
	{ "one too many",
	    FIFTY FIFTY FIFTY FIFTY FIFTY, "123456",
	    FIFTY FIFTY FIFTY FIFTY FIFTY "12..." },
	{ "no room at all",
	    FIFTY FIFTY FIFTY FIFTY FIFTY "12345", "x",
	    FIFTY FIFTY FIFTY FIFTY FIFTY "12..." },
	{ "a character that is cut",
	    FIFTY FIFTY FIFTY FIFTY FIFTY, "1\xe2\x82\xac" "45678",
	    FIFTY FIFTY FIFTY FIFTY FIFTY "1..." },
	{ "a character before the cut",
	    FIFTY FIFTY FIFTY FIFTY FIFTY, "\xc3\xa9" "5678",
	    FIFTY FIFTY FIFTY FIFTY FIFTY "\xc3\xa9..." },
};

START_TEST(truncates_messages_to_their_buffer)
{
	char message[DMTRACE_MESSAGE_MAX] = "";

	strcpy(message, sentences[_i].before);
	add(message, "%s", sentences[_i].added);
	ck_assert_str_eq(message, sentences[_i].message);
}
END_TEST

/* Nothing before the message is looked at in search of a character's end. */
START_TEST(truncates_invalid_utf8)
{
	struct {
		char before[8];
		char message[DMTRACE_MESSAGE_MAX];
	} place = { .before = "\x80\x80\x80\x80\x80\x80\x80" };
	char added[300];

	memset(added, 0x80, sizeof(added));
	add(place.message, "%.*s", (int)sizeof(added), added);
	ck_assert_str_eq(place.message, "...");
	ck_assert_str_eq(place.before, "\x80\x80\x80\x80\x80\x80\x80");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("error");
	TCase *errors = unit_tcase(suite, "errors");
	TCase *message = unit_tcase(suite, "words");

	tcase_add_test(errors, keeps_the_first_failure);
	tcase_add_test(errors, is_set_again_when_cleared);
	tcase_add_test(errors, has_the_description_of_errno);
	tcase_add_test(errors, has_a_message_for_no_memory);
	tcase_add_test(errors, describes_every_status);
	ADD_CASES(message, truncates_messages_to_their_buffer, sentences);
	tcase_add_test(message, truncates_invalid_utf8);
	return unit_main(suite);
}
