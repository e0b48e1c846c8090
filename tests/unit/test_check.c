/* test_check.c - the assertions of dmtrace/check.h on samples */

#include <dmtrace/check.h>
#include <string.h>

#include "helpers/unit.h"

static const char *
sample(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/tests/data/%s", getenv("srcdir"),
	    name);
	return path;
}

static const struct {
	const char *sample;
	enum dmtrace_severity fail_on;
	const char *message;		/* that begin with the file's name */
} rows[] = {
	{ "good-v2-wall.trace", DMTRACE_NOTE, "" },
	{ "good-crlf.trace", DMTRACE_ERROR, "" },
	{ "good-crlf.trace", DMTRACE_WARNING,
	    "good-crlf.trace: line 1: key-crlf: " },
	{ "bad-time-back.trace", DMTRACE_ERROR,
	    "bad-time-back.trace: byte 219: time-back: " },
	{ "bad-key-only.trace", DMTRACE_ERROR,
	    "bad-key-only.trace: byte 167: data-missing: " },
	{ "good-clock-missing.trace", DMTRACE_WARNING,
	    "good-clock-missing.trace: clock-missing: " },
	{ "bad-text.trace", DMTRACE_ERROR, "bad-text.trace: begins with " },
	{ "no-such.trace", DMTRACE_ERROR, "cannot open " },
};

START_TEST(says_what_is_wrong)
{
	const struct dmtrace_check check =
	    dmtrace_check_file(sample(rows[_i].sample), rows[_i].fail_on);
	const char *const name = strstr(check.message, rows[_i].sample);
	const char *const from = name == NULL ? check.message :
	    strncmp(check.message, "cannot", 6) == 0 ? check.message : name;

	ck_assert_int_eq(strncmp(from, rows[_i].message,
	    strlen(rows[_i].message)), 0);
	ck_assert_int_eq(check.message[0] == '\0', rows[_i].message[0] == '\0');
}
END_TEST

START_TEST(passes_what_is_right)
{
	ck_assert_trace_valid(sample("good-crlf.trace"));
	ck_assert_trace_strict(sample("good-deep-513.trace"));
	ck_assert_trace_opens(sample("good-v2-wall.trace"),
	    DMTRACE_READER_STUDIO);
}
END_TEST

START_TEST(says_why_a_reader_does_not)
{
	const struct dmtrace_check check = dmtrace_check_reader(
	    sample("good-clock-missing.trace"), DMTRACE_READER_STUDIO);

	ck_assert_ptr_nonnull(strstr(check.message, "good-clock-missing.trace: "
	    "studio refuses: clock-missing: no clock line"));
}
END_TEST

START_TEST(takes_bytes)
{
	static char bytes[4096];
	FILE *in = fopen(sample("good-v2-wall.trace"), "rb");

	ck_assert_ptr_nonnull(in);
	const size_t len = fread(bytes, 1, sizeof(bytes), in);
	fclose(in);
	ck_assert_trace_bytes_valid(bytes, len);
	const struct dmtrace_check check =
	    dmtrace_check_bytes(bytes, len - 1);
	ck_assert_int_eq(strncmp(check.message, "byte ", 5), 0);
	ck_assert_ptr_nonnull(strstr(check.message, ": record-partial: "));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("check");
	TCase *tcase = unit_tcase(suite, "check");

	ADD_CASES(tcase, says_what_is_wrong, rows);
	tcase_add_test(tcase, passes_what_is_right);
	tcase_add_test(tcase, says_why_a_reader_does_not);
	tcase_add_test(tcase, takes_bytes);
	return unit_main(suite);
}
