/* test_validate.c - whole traces checked against every rule */

#include <dmtrace.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "format/finding.h"
#include "helpers/cancel.h"
#include "helpers/failing.h"
#include "helpers/unit.h"
#include "private/verify.h"

/* "NAME SEVERITY @PLACE" for each finding, in the order that it is made. */
static const struct {
	const char *sample;
	const char *findings;
	unsigned records;
} samples[] = {
	{ "good-v1-cpu.trace", "", 4 },
	{ "good-v2-wall.trace", "", 4 },
	{ "good-v2-global.trace", "", 4 },
	{ "good-thread-40000.trace", "thread-high note 2 @205\n", 4 },
	{ "good-open-end.trace", "call-open note 3\n", 3 },
	{ "good-v3-dual.trace", "cpu-ahead warning 2 @338\n", 4 },
	{ "good-time-wrap.trace",
	    "time-wrapped note 1 @209\n"
	    "time-high note 1 @199\n", 2 },
	{ "good-exit-first.trace", "exit-before note 2 @199\n", 4 },
	{ "good-unroll.trace", "", 4 },
	{ "bad-exit-other.trace",
	    "exit-mismatch error 1 @219\nexit-before note 1 @229\n", 4 },
	{ "bad-exit-stray.trace",
	    "exit-stray error 1 @209\nmethod-unlisted warning 1 @209\n", 3 },
	{ "good-method-unlisted.trace", "method-unlisted warning 1 @166\n", 4 },
	{ "good-thread-unlisted.trace", "thread-unlisted warning 1 @198\n", 4 },
	{ "bad-size-9.trace", "data-unreadable error 1 @183\n", 0 },
	{ "bad-key-only.trace", "data-missing error 1 @167\n", 0 },
	{ "good-deep-513.trace",
	    "call-deep note 1 @5431\ncall-open note 513\n", 513 },
	{ "bad-data-crlf.trace", "key-crlf warning 15 @1\n"
	    "data-text error 1 @324\n"
	    "time-across note 1 @334\n"
	    "exit-before note 2 @334\nmethod-unlisted warning 3 @334\n"
	    "thread-unlisted warning 3 @334\n"
	    "record-partial error 1 @364\ncall-open note 2\n", 4 },
};

struct reported {
	struct dmtrace_finding first[64];
	unsigned counts[64];
	unsigned used;
	unsigned severity[3];
};

static void
note(void *context, const struct dmtrace_finding *finding)
{
	struct reported *const reported = context;
	unsigned i = 0;

	ck_assert_uint_eq(finding->count, 1);
	while (i < reported->used && strcmp(reported->first[i].name,
	    finding->name) != 0)
		i++;
	if (i == reported->used)
		reported->first[reported->used++] = *finding;
	reported->counts[i]++;
	reported->severity[finding->severity]++;
}

static void
list(char *out, const struct reported *reported)
{
	for (unsigned i = 0; i < reported->used; i++) {
		const struct dmtrace_finding *const first = &reported->first[i];

		out += sprintf(out, "%s %s %u", first->name,
		    dmtrace_severity_name(first->severity),
		    reported->counts[i]);
		if (first->place != DMTRACE_PLACE_NONE)
			out += sprintf(out, " @%u", (unsigned)first->at);
		out += sprintf(out, "\n");
	}
}

static char path[4096];

static struct dmtrace_file
sample(const char *name)
{
	snprintf(path, sizeof(path), "%s/tests/data/%s", getenv("srcdir"),
	    name);
	return (struct dmtrace_file){ path, -1 };
}

static size_t
load(const char *name, unsigned char *bytes, size_t size)
{
	FILE *in = fopen(sample(name).path, "rb");

	ck_assert_ptr_nonnull(in);
	const size_t len = fread(bytes, 1, size, in);
	fclose(in);
	return len;
}

START_TEST(finds_what_samples_hold)
{
	const struct dmtrace_file file = sample(samples[_i].sample);
	struct dmtrace_op *op = dmtrace_op_new();
	struct dmtrace_validity validity;
	struct reported reported = { .used = 0 };
	char found[4096] = "";

	dmtrace_op_set_report(op, note, &reported);
	ck_assert_int_eq(dmtrace_validate(op, &file, &validity), DMTRACE_OK);
	list(found, &reported);
	ck_assert_str_eq(found, samples[_i].findings);
	ck_assert_uint_eq(validity.records, samples[_i].records);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(validity.findings[i], reported.severity[i]);
	dmtrace_op_free(op);
}
END_TEST

START_TEST(finds_the_same_in_memory_and_by_descriptor)
{
	static unsigned char bytes[8192];
	const size_t len = load(samples[_i].sample, bytes, sizeof(bytes));
	const struct dmtrace_file file = { NULL, open(path, O_RDONLY) };
	struct dmtrace_op *op = dmtrace_op_new();
	struct dmtrace_validity first, second;

	ck_assert_int_eq(dmtrace_validate_memory(op, bytes, len, &first),
	    DMTRACE_OK);
	ck_assert_int_eq(dmtrace_validate(op, &file, &second), DMTRACE_OK);
	ck_assert_uint_eq(first.records, samples[_i].records);
	ck_assert_uint_eq(second.records, samples[_i].records);
	for (int i = 0; i < 3; i++)
		ck_assert_uint_eq(first.findings[i], second.findings[i]);
	close(file.fd);
	dmtrace_op_free(op);
}
END_TEST

/* After the key: with its header, which may be gone, too. */
static const struct {
	const char *data;
	size_t len;
	bool text;
} copied[] = {
#define COPIED(data, text) { data, sizeof(data) - 1, text }
#define BAD "\xef\xbf\xbd"
#define VALID_HEADER "SLOW\3\0\x20\0\0\0\0\0\0\0\0\0\x0e\0" \
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define CALL(from, to) \
    "\1\0\4\0\0\0" from from "\1\0\5\0\0\0" to to
	/* the header's time makes the record size 0 */
	COPIED("SLOW\3\0\x20\0" BAD BAD "\0\0\0\0\0\0\0\0\0\0" BAD BAD
	    BAD BAD BAD BAD BAD BAD BAD, true),
	/* from ISO 8859-1 or Windows code page 1252 */
	COPIED("SLOW\3\0\x20\0\xc2\xa7\xc3\xa0\0\0\0\0\0\0\0\0\0\0\0\0"
	    "\1\0\xc3\xa0\xe2\x80\xa1\xc3\xa9\0\xc5\xa0\xc2\xae\0"
	    "\1\0\xc3\xa1\xe2\x80\xa1\xc3\xab\0\xc5\xa0\xc2\xa4\0"
	    "\1\0\xc3\xa2\xe2\x80\xa1\xc3\xad\0\xc5\xa0\xc2\xa5\0"
	    "\1\0\xc3\xa3\xe2\x80\xa1\xc3\xae\0\xc5\xa0\xc2\xa6\0",
	    true),
	/* the same character all the time may be an id */
	COPIED("SLOW\3\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
	    "\1\0\xc3\xa0\1\xc3\xa0\2\xc3\xa0\3\xc3\xa0\4\xc3\xa0\5"
	    "\1\0\xc3\xa0\1\xc3\xa0\2\xc3\xa0\3\xc3\xa0\4\xc3\xa0\5"
	    "\1\0\xc3\xa0\1\xc3\xa0\2\xc3\xa0\3\xc3\xa0\4\xc3\xa0\5"
	    "\1\0\xc3\xa0\1\xc3\xa0\2\xc3\xa0\3\xc3\xa0\4\xc3\xa0\5",
	    false),
	COPIED("SLOW\3\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", false),
	/* times whose bytes happen to be characters */
	COPIED(VALID_HEADER
	    CALL("\xc3\xa0\1\0", "\xc3\xa1\1\0")
	    CALL("\xc3\xa2\1\0", "\xc3\xa3\1\0")
	    CALL("\xc3\xa4\1\0", "\xc3\xa5\1\0")
	    CALL("\xc3\xa6\1\0", "\xc3\xa7\1\0")
	    CALL("\xc3\xa8\1\0", "\xc3\xa9\1\0"), false),
};

static void
count_text(void *context, const struct dmtrace_finding *finding)
{
	unsigned *const count = context;

	*count += strcmp(finding->name, "data-text") == 0;
}

START_TEST(finds_that_data_was_taken_for_text)
{
	static const char key[] = "*version\n3\nclock=dual\n*threads\n"
	    "1\tmain\n*methods\n0x4\tA\tm\t()V\n*end\n";
	struct dmtrace_op *const op = dmtrace_op_new();
	struct dmtrace_validity validity;
	unsigned char bytes[512];
	unsigned count = 0;

	memcpy(bytes, key, sizeof(key) - 1);
	memcpy(bytes + sizeof(key) - 1, copied[_i].data, copied[_i].len);
	dmtrace_op_set_report(op, count_text, &count);
	ck_assert_int_eq(dmtrace_validate_memory(op, bytes, sizeof(key) - 1 +
	    copied[_i].len, &validity), DMTRACE_OK);
	ck_assert_uint_eq(count, copied[_i].text);
	dmtrace_op_free(op);
}
END_TEST

static const struct {
	const char *sample;
	enum dmtrace_status status;
} refused[] = {
	{ "bad-empty.trace", DMTRACE_ERR_NOT_TRACE },
	{ "bad-text.trace", DMTRACE_ERR_NOT_TRACE },
	{ "bad-no-end.trace", DMTRACE_ERR_TRUNCATED },
	{ "bad-data-only.trace", DMTRACE_ERR_FOREIGN },
	{ "unsupported-gzip.trace", DMTRACE_ERR_NOT_TRACE },
	{ "no-such.trace", DMTRACE_ERR_IO },
};

START_TEST(refuses_what_has_no_key)
{
	const struct dmtrace_file file = sample(refused[_i].sample);
	struct dmtrace_op *op = dmtrace_op_new();
	struct dmtrace_validity validity = { .records = 77 };

	ck_assert_int_eq(dmtrace_validate(op, &file, &validity),
	    refused[_i].status);
	ck_assert_uint_eq(validity.records, 77);
	ck_assert_int_eq(dmtrace_op_error(op)->status, refused[_i].status);
	dmtrace_op_free(op);
}
END_TEST

/* Every prefix, and every byte changed. */
START_TEST(survives_damage)
{
	static unsigned char bytes[8192];
	const size_t len = load("good-v3-dual.trace", bytes, sizeof(bytes));
	struct dmtrace_op *op = dmtrace_op_new();
	struct dmtrace_validity validity;

	for (size_t i = 0; i < len; i++)
		dmtrace_validate_memory(op, bytes, i, &validity);
	for (size_t i = 0; i < len; i++) {
		bytes[i] ^= 0xff;
		dmtrace_validate_memory(op, bytes, len, &validity);
		bytes[i] ^= 0xff;
	}
	dmtrace_op_free(op);
}
END_TEST

static const enum fault faults[] = { FAULT_ALLOC, FAULT_READ };

START_TEST(fails_with_every_allocation_and_read)
{
	const struct dmtrace_file file = sample("good-v3-dual.trace");
	struct dmtrace_op *op = dmtrace_op_new();
	struct failing failing = { .kind = faults[_i] };
	struct dmtrace_validity validity;

	do {
		failing_arm(&failing);
		failing_reported(&failing,
		    dmtrace_validate(op, &file, &validity));
	} while (failing.failed);
	ck_assert_uint_gt(failing.reported, 0);
	dmtrace_op_free(op);
}
END_TEST

START_TEST(can_be_cancelled)
{
	const struct dmtrace_file file = sample("good-v3-dual.trace");
	struct dmtrace_op *op = dmtrace_op_new();
	struct dmtrace_validity validity;
	unsigned calls = 1;

	dmtrace_op_set_progress(op, cancel_after, &calls);
	ck_assert_int_eq(dmtrace_validate(op, &file, &validity),
	    DMTRACE_ERR_CANCELLED);
	dmtrace_op_free(op);
}
END_TEST

/* Rules are findings, but for those of joins, splits and event logs. */
START_TEST(rules_are_findings)
{
	struct dmtrace_finding row;
	struct dmt_rule_info rule;
	size_t rules = 0, others = 0;

	for (size_t i = 0; dmt_finding_row_get(i, &row) == 0; i++) {
		if (strncmp(row.name, "log-tag-", 8) == 0 ||
		    strncmp(row.name, "tags-", 5) == 0)
			continue;
		if (strcmp(row.name, "pair-foreign") == 0 ||
		    strcmp(row.name, "version-unknown") == 0) {
			others++;
			continue;
		}
		ck_assert_int_eq(dmt_rule_get(rules++, &rule), 0);
		ck_assert_str_eq(rule.name, row.name);
		ck_assert_str_eq(rule.description, row.message);
		ck_assert_int_eq(rule.severity, row.severity);
	}
	ck_assert_str_eq(rule.part, "entries");
	ck_assert_uint_eq(others, 2);
	rule.name = "none";
	ck_assert_int_eq(dmt_rule_get(rules, &rule), 1);
	ck_assert_str_eq(rule.name, "none");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("validate");
	TCase *tcase = unit_tcase(suite, "validate");

	ADD_CASES(tcase, finds_what_samples_hold, samples);
	ADD_CASES(tcase, finds_that_data_was_taken_for_text, copied);
	ADD_CASES(tcase, finds_the_same_in_memory_and_by_descriptor, samples);
	ADD_CASES(tcase, refuses_what_has_no_key, refused);
	tcase_add_test(tcase, survives_damage);
	ADD_CASES(tcase, fails_with_every_allocation_and_read, faults);
	tcase_add_test(tcase, can_be_cancelled);
	tcase_add_test(tcase, rules_are_findings);
	return unit_main(suite);
}
