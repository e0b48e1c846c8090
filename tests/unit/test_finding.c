/* test_finding.c - findings are reported at once, and counted */

#include <string.h>

#include "format/finding.h"
#include "helpers/unit.h"

static const struct {
	enum dmt_finding which;
	const char *name;
	enum dmtrace_severity severity;
	const char *message;
} rows[] = {
	{ DMT_KEY_BOM, "key-bom", DMTRACE_WARNING,
	    "the key begins with a byte order mark" },
	{ DMT_COUNT_DIFFERS, "count-differs", DMTRACE_NOTE,
	    "num-method-calls is not the number of records" },
	{ DMT_THREAD_ID_BAD, "thread-id-bad", DMTRACE_ERROR,
	    "thread id is not a number below 2^32; its line is ignored" },
	{ DMT_TIME_WRAPPED, "time-wrapped", DMTRACE_NOTE,
	    "a thread's time passed 2^32 microseconds" },
};

START_TEST(every_name_has_a_row)
{
	const struct dmt_finding_row *const row =
	    &dmt_finding_rows[rows[_i].which];

	ck_assert_str_eq(row->name, rows[_i].name);
	ck_assert_int_eq(row->severity, rows[_i].severity);
	ck_assert_str_eq(row->message, rows[_i].message);
}
END_TEST

START_TEST(has_a_complete_row_for_each)
{
	struct dmtrace_finding row = { .name = "none" };

	size_t count = 0;

	while (dmt_finding_row_get(count, &row) == 0)
		count++;
	ck_assert_uint_eq(count, 97);
	for (size_t i = 0; i < DMT_ROW_COUNT; i++) {
		const struct dmt_finding_row *const known =
		    &dmt_finding_rows[i];

		ck_assert_ptr_nonnull(known->name);
		ck_assert_uint_lt(strlen(known->message), 100);
		ck_assert_uint_eq(strspn(known->readers, ".dmrc"), 6);
		if (known->cures != 0)		/* that a reader needs */
			ck_assert_uint_lt(strspn(known->readers, "."), 6);
	}
	row.name = "none";
	ck_assert_int_eq(dmt_finding_row_get(count, &row), 1);
	ck_assert_str_eq(row.name, "none");
}
END_TEST

START_TEST(names_severities)
{
	ck_assert_str_eq(dmtrace_severity_name(DMTRACE_NOTE), "note");
	ck_assert_str_eq(dmtrace_severity_name(DMTRACE_WARNING), "warning");
	ck_assert_str_eq(dmtrace_severity_name(DMTRACE_ERROR), "error");
	ck_assert_str_eq(
	    dmtrace_severity_name((enum dmtrace_severity)3), "");
	ck_assert_str_eq(
	    dmtrace_severity_name((enum dmtrace_severity)-1), "");
}
END_TEST

/* What was reported, one finding a line. */
struct reported {
	char text[1024];
};

static void
tell(void *context, const struct dmtrace_finding *finding)
{
	struct reported *reported = context;
	const size_t used = strlen(reported->text);

	snprintf(reported->text + used, sizeof(reported->text) - used,
	    "%s %s %d:%u x%u %s\n", finding->name,
	    dmtrace_severity_name(finding->severity), finding->place,
	    (unsigned)finding->at, (unsigned)finding->count, finding->message);
}

static void
add_some(struct dmt_findings *findings)
{
	dmt_finding_add(findings, DMT_THREAD_NONE, DMTRACE_PLACE_LINE, 9,
	    NULL);
	dmt_finding_add(findings, DMT_KEY_CRLF, DMTRACE_PLACE_LINE, 1,
	    "\"%s\"", "*version");
	dmt_finding_add(findings, DMT_RECORD_RESERVED, DMTRACE_PLACE_OFFSET,
	    41, "thread %d", 5);
	dmt_finding_add(findings, DMT_KEY_CRLF, DMTRACE_PLACE_LINE, 2,
	    "\"%s\"", "3");
	dmt_finding_add(findings, DMT_CLOCK_MISSING, DMTRACE_PLACE_NONE, 0,
	    NULL);
}

static const char each[] =
    "thread-none warning 1:9 x1 no thread is listed\n"
    "key-crlf warning 1:1 x1 lines of the key end in CR LF:"
    " \"*version\"\n"
    "record-reserved error 2:41 x1 record with the reserved action 3:"
    " thread 5\n"
    "key-crlf warning 1:2 x1 lines of the key end in CR LF: \"3\"\n"
    "clock-missing warning 0:0 x1 no clock line\n";

START_TEST(reports_each_as_it_comes)
{
	struct reported reported = { "" };
	struct dmt_findings findings =
	    { .report = tell, .context = &reported };

	add_some(&findings);
	ck_assert_str_eq(reported.text, each);
}
END_TEST

START_TEST(tallies_by_name_with_the_first_of_each)
{
	struct dmt_findings findings = { 0 };
	struct reported reported = { "" };

	add_some(&findings);
	for (size_t i = 0; i < findings.used; i++)
		tell(&reported, dmt_finding_get(&findings, i));
	ck_assert_str_eq(reported.text,
	    "thread-none warning 1:9 x1 no thread is listed\n"
	    "key-crlf warning 1:1 x2 lines of the key end in CR LF:"
	    " \"*version\"\n"
	    "record-reserved error 2:41 x1 record with the reserved action"
	    " 3: thread 5\n"
	    "clock-missing warning 0:0 x1 no clock line\n");
}
END_TEST

START_TEST(truncates_long_messages)
{
	struct dmt_findings findings = { 0 };

	dmt_finding_add(&findings, DMT_THREAD_NONE, DMTRACE_PLACE_NONE, 0,
	    "%0300d", 0);
	const char *message = dmt_finding_get(&findings, 0)->message;
	ck_assert_uint_eq(strlen(message), DMTRACE_MESSAGE_MAX - 1);
	ck_assert_str_eq(message + DMTRACE_MESSAGE_MAX - 5, "0...");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("finding");
	TCase *tcase = unit_tcase(suite, "finding");

	ADD_CASES(tcase, every_name_has_a_row, rows);
	tcase_add_test(tcase, has_a_complete_row_for_each);
	tcase_add_test(tcase, names_severities);
	tcase_add_test(tcase, reports_each_as_it_comes);
	tcase_add_test(tcase, tallies_by_name_with_the_first_of_each);
	tcase_add_test(tcase, truncates_long_messages);
	return unit_main(suite);
}
