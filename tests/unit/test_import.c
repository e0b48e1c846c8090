/* test_import.c - texts that import refuses, and failures on the way */

#include <dmtrace.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "helpers/cancel.h"
#include "helpers/failing.h"
#include "helpers/op.h"
#include "helpers/unit.h"

#define CHROME DMTRACE_IMPORT_CHROME
#define COLLAPSED DMTRACE_IMPORT_COLLAPSED

static enum dmtrace_status
import_file(enum dmtrace_import_format format, int per_thread)
{
	const struct dmtrace_import_options options = {
		.format = format, .per_thread = per_thread
	};

	return dmtrace_import(op, &(struct dmtrace_file){ .path = "in" },
	    &(struct dmtrace_file){ .path = "out" }, &options, NULL);
}

static const struct {
	const char *label;
	enum dmtrace_import_format format;
	const char *text;
	enum dmtrace_status status;
	uint64_t at;
	const char *message;
} refused[] = {
	{ "chrome: a value without its end", CHROME,
	    "{\"a\":[1", DMTRACE_ERR_TRUNCATED, 7,
	    "the text ends within a value" },
	{ "chrome: an object without its end", CHROME,
	    "[{\"args\":{", DMTRACE_ERR_TRUNCATED, 10,
	    "the text ends within a value" },
	{ "chrome: an event without its end", CHROME,
	    "[{", DMTRACE_ERR_TRUNCATED, 2, "the text ends within a value" },
	{ "chrome: a time of a century or more", CHROME,
	    "[{\"ts\":9e15}]", DMTRACE_ERR_CORRUPT, 7,
	    "a time that is not below 9e15 microseconds" },
	{ "chrome: a pid that is null", CHROME, "[{\"pid\":null}]",
	    DMTRACE_ERR_CORRUPT, 8,
	    "a pid or tid that is neither a number nor a string" },
	{ "chrome: a ph of two letters", CHROME, "[{\"ph\":\"BE\"}]",
	    DMTRACE_ERR_CORRUPT, 7, "a \"ph\" that is not one letter" },
	{ "chrome: no ph", CHROME, "[{\"ts\":1}]", DMTRACE_ERR_CORRUPT, 8,
	    "an event without \"ph\"" },
	{ "chrome: no name", CHROME, "[{\"ph\":\"B\",\"name\":1,\"ts\":1}]",
	    DMTRACE_ERR_CORRUPT, 26, "a call without \"name\"" },
	{ "chrome: a call with a negative duration", CHROME,
	    "[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":-1}]",
	    DMTRACE_ERR_CORRUPT, 37, "a call with a negative duration" },
	{ "chrome: an event that is a number", CHROME, "[1]",
	    DMTRACE_ERR_CORRUPT, 1, "an event that is not an object" },
	{ "chrome: a number", CHROME, "1", DMTRACE_ERR_CORRUPT, 0,
	    "neither an object nor an array" },
	{ "chrome: events that are no array", CHROME,
	    "{\"traceEvents\":1}", DMTRACE_ERR_CORRUPT, 15,
	    "\"traceEvents\" is not an array" },
	{ "collapsed: a value of 300 years", COLLAPSED,
	    "a 9000000000000000000\n", DMTRACE_ERR_CORRUPT, 1,
	    "the value is 9e18 ns or more" },
	{ "collapsed: 300 years in all", COLLAPSED,
	    "a 5000000000000000000\na 5000000000000000000\n",
	    DMTRACE_ERR_CORRUPT, 2, "values add up to 9e18 ns" },
	{ "collapsed: no frame", COLLAPSED, " 5\n", DMTRACE_ERR_CORRUPT, 1,
	    "a path without frames" },
};

START_TEST(refuses_what_is_no_such_text)
{
	file_put("in", refused[_i].text, strlen(refused[_i].text));
	ck_assert_int_eq(import_file(refused[_i].format, 0),
	    refused[_i].status);
	const struct dmtrace_error *const error = dmtrace_op_error(op);
	ck_assert_str_eq(error->message, refused[_i].message);
	ck_assert_uint_eq(error->at, refused[_i].at);
	ck_assert_uint_eq(file_count("."), 1);
}
END_TEST

/* Names of threads and processes, a second method of one name, an id that is
 * text, calls of both kinds, and CPU times. */
static const char chrome[] = "[{\"ph\":\"M\",\"name\":\"thread_name\","
    "\"pid\":\"app\",\"tid\":5,\"args\":{\"name\":\"main\"}},"
    "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":\"app\","
    "\"args\":{\"name\":\"the app\"}},"
    "{\"ph\":\"B\",\"name\":\"a.b\",\"ts\":1,\"pid\":\"app\",\"tid\":5},"
    "{\"ph\":\"X\",\"name\":\"c\",\"ts\":2,\"dur\":3,\"pid\":\"app\","
    "\"tid\":5,\"args\":{\"x\":[1]}},"
    "{\"ph\":\"E\",\"ts\":9,\"pid\":\"app\",\"tid\":5},"
    "{\"ph\":\"X\",\"name\":\"a.b\",\"ts\":4,\"dur\":1,\"pid\":2,"
    "\"tts\":1,\"tdur\":1}]";
static const char collapsed[] = "main (1);a;b 2000\nmain (1);a 1000\n"
    "io;c 5\nio;(toplevel) 7000\r\n\n";

static const struct {
	const char *label;
	enum dmtrace_import_format format;
	const char *text;
} texts[] = {
	{ "chrome", CHROME, chrome },
	{ "collapsed", COLLAPSED, collapsed },
};

START_TEST(whatever_fails_leaves_all_or_nothing)
{
	for (size_t i = 0; i < ROWS(all_faults); i++) {
		struct failing failing = {
			.kind = all_faults[i], .harmless = FAULT_CLOSE
		};

		file_put("in", texts[_i].text, strlen(texts[_i].text));
		do {
			failing_arm(&failing);
			if (failing_reported(&failing,
			    import_file(texts[_i].format, 1)))
				ck_assert_uint_eq(file_count("."), 1);
			else
				unlink("out");
		} while (failing.failed);
		ck_assert(failing.reported > 0 ||
		    all_faults[i] == FAULT_SYNC);
	}
}
END_TEST

/* Longer than 1,024 events or lines. */
START_TEST(progress_can_cancel_anywhere)
{
	enum dmtrace_status status = DMTRACE_ERR_CANCELLED;
	FILE *const out = fopen("in", "w");
	unsigned first;

	ck_assert_ptr_nonnull(out);
	for (int i = 0; i < 2500; i++)
		fprintf(out, texts[_i].format == COLLAPSED ? "a;b%d %d\n" :
		    i == 0 ? "[{\"ph\":\"X\",\"name\":\"a%d\",\"ts\":%d,"
		    "\"dur\":0}" : ",{\"ph\":\"X\",\"name\":\"a%d\",\"ts\":%d,"
		    "\"dur\":0}", i, i);
	ck_assert_int_eq(fputs(texts[_i].format == COLLAPSED ? "" : "]",
	    out) < 0 || fclose(out) != 0, 0);
	for (first = 1; status != DMTRACE_OK; first++) {
		unsigned calls = first;

		dmtrace_op_set_progress(op, cancel_after, &calls);
		status = import_file(texts[_i].format, 0);
		if (status != DMTRACE_OK) {
			ck_assert_int_eq(status, DMTRACE_ERR_CANCELLED);
			ck_assert_uint_eq(file_count("."), 1);
		}
	}
	ck_assert_uint_gt(first, 3);
}
END_TEST

int
main(void)
{
	Suite *const suite = suite_create("import");
	TCase *const tcase = unit_tcase(suite, "import");

	tcase_add_checked_fixture(tcase, op_begin, op_end);
	ADD_CASES(tcase, refuses_what_is_no_such_text, refused);
	ADD_CASES(tcase, whatever_fails_leaves_all_or_nothing, texts);
	ADD_CASES(tcase, progress_can_cancel_anywhere, texts);
	return unit_main(suite);
}
