/* test_reader_refuse.c - inputs that are not a whole trace are refused */

#include <dmtrace.h>
#include <stdbool.h>

#include "helpers/files.h"
#include "helpers/traces.h"
#include "helpers/unit.h"
#include "private/trace.h"

static struct dmtrace_reader *
new_reader(void)
{
	struct dmtrace_reader *reader = dmtrace_reader_new();

	ck_assert_ptr_nonnull(reader);
	return reader;
}

static bool
has_finding(struct dmtrace_reader *reader, const char *name)
{
	const size_t count = dmt_reader_finding_count(reader);

	for (size_t i = 0; i < count; i++)
		if (strcmp(dmtrace_reader_finding_get(reader, i)->name,
		    name) == 0)
			return true;
	return false;
}

#define REFUSED(label, bytes, status, container, has_key, message) \
	{ label, bytes, sizeof(bytes) - 1, status, container, has_key, message }

static const struct {
	const char *label;
	const char *bytes;
	size_t len;
	enum dmtrace_status status;
	enum dmtrace_container container;
	bool has_key;		/* it could be read */
	const char *message;
} refused[] = {
	REFUSED("empty", "", DMTRACE_ERR_NOT_TRACE, 0, false,
	    "*version"),
	REFUSED("text", "*versio", DMTRACE_ERR_NOT_TRACE, 0, false,
	    "begins with \"*versio\""),
	REFUSED("gzip", "\x1f\x8b\x08\0", DMTRACE_ERR_NOT_TRACE, 0, false,
	    "gzip -dc"),
	REFUSED("zip", "PK\3\4\x14\0", DMTRACE_ERR_NOT_TRACE, 0, false,
	    "unzip -p"),
	REFUSED("xz", "\xfd" "7zXZ\0", DMTRACE_ERR_NOT_TRACE, 0, false,
	    "xz -dc"),
	REFUSED("perf", "PERFILE2h\0\0\0", DMTRACE_ERR_NOT_TRACE, 0, false,
	    "simpleperf report"),
	REFUSED("simpleperf", "SIMPLEPERF\1\0", DMTRACE_ERR_NOT_TRACE, 0,
	    false, "dmtrace import\" makes"),
	REFUSED("Chrome JSON", "{\"traceEvents\":[]}", DMTRACE_ERR_NOT_TRACE,
	    0, false, "Perfetto's trace viewer"),
	REFUSED("Chrome JSON, a list", "[{\"name\":\"a\"}]",
	    DMTRACE_ERR_NOT_TRACE, 0, false, "Perfetto's trace viewer"),
	REFUSED("Chrome JSON, a list with white space", "[\n { \"name\"",
	    DMTRACE_ERR_NOT_TRACE, 0, false, "Perfetto's trace viewer"),
	REFUSED("Chrome JSON, as export writes it",
	    "{\"displayTimeUnit\":\"ns\",\"otherData\":{}",
	    DMTRACE_ERR_NOT_TRACE, 0, false, "dmtrace import\""),
	REFUSED("Chrome JSON, its events later",
	    "{ \"meta\": 1,\n\t\"traceEvents\": []}",
	    DMTRACE_ERR_NOT_TRACE, 0, false, "dmtrace import\""),
	REFUSED("other JSON", "{\"meta\":{}}", DMTRACE_ERR_NOT_TRACE, 0, false,
	    "begins with"),
	REFUSED("Perfetto, short packets", "\x0a\x04\x18\x01\x20\x02"
	    "\x0a\x02\x18\x01", DMTRACE_ERR_NOT_TRACE, 0, false,
	    "a Perfetto trace"),
	REFUSED("Perfetto, a long packet", "\x0a\xc8\x01\x18\x01",
	    DMTRACE_ERR_NOT_TRACE, 0, false, "a Perfetto trace"),
	REFUSED("a blank line and text", "\nAB\n", DMTRACE_ERR_NOT_TRACE, 0,
	    false, "begins with"),
	REFUSED("HTML", "<!DOCTYPE html>\n<html>", DMTRACE_ERR_NOT_TRACE, 0,
	    false, "systrace"),
	REFUSED("HTML, lower case", "<!doctype html>\n<html>",
	    DMTRACE_ERR_NOT_TRACE, 0, false, "systrace"),
	REFUSED("ftrace", "# tracer: nop\n#\n", DMTRACE_ERR_NOT_TRACE, 0,
	    false, "an ftrace or systrace log"),
	REFUSED("atrace", "TRACE:\n# tracer: nop\n", DMTRACE_ERR_NOT_TRACE,
	    0, false, "an ftrace or systrace log"),
	REFUSED("ANR", "----- pid 42 at 2026-01-31 -----\n",
	    DMTRACE_ERR_NOT_TRACE, 0, false, "an ANR"),
	REFUSED("ANR, blank lines", "\n\n----- pid 42 at 2026-01-31 -----\n",
	    DMTRACE_ERR_NOT_TRACE, 0, false, "an ANR"),
	REFUSED("ANR, its subject first", "Subject: Input dispatching\n",
	    DMTRACE_ERR_NOT_TRACE, 0, false, "an ANR"),
	REFUSED("heap dump", "JAVA PROFILE 1.0.3\0", DMTRACE_ERR_NOT_TRACE,
	    0, false, "a heap dump"),
	REFUSED("ELF", "\x7f" "ELF\2\1", DMTRACE_ERR_NOT_TRACE, 0, false,
	    "an ELF program"),
	REFUSED("pcap", "\xd4\xc3\xb2\xa1\2\0\4\0", DMTRACE_ERR_NOT_TRACE,
	    0, false, "Wireshark"),
	REFUSED("pcap, big endian", "\xa1\xb2\xc3\xd4\0\2\0\4",
	    DMTRACE_ERR_NOT_TRACE, 0, false, "Wireshark"),
	REFUSED("pcapng", "\x0a\x0d\x0d\x0a\x1c\0\0\0",
	    DMTRACE_ERR_NOT_TRACE, 0, false, "Wireshark"),
	REFUSED("UTF-16", "\xff\xfe*\0v\0", DMTRACE_ERR_NOT_TRACE, 0, false,
	    "UTF-16"),
	REFUSED("streaming, cut", "SLOW" "\xf3\0" "\x20\0" START "\x0e",
	    DMTRACE_ERR_TRUNCATED, DMTRACE_CONTAINER_STREAM, false,
	    "17 bytes"),
	REFUSED("packets, cut", "SLOW" "\5\0" START,
	    DMTRACE_ERR_TRUNCATED, DMTRACE_CONTAINER_PACKETS, false,
	    "14 bytes"),
	REFUSED("data", HEADER_2 RECORDS_2, DMTRACE_ERR_FOREIGN,
	    DMTRACE_CONTAINER_DATA, false, "without its key"),
	REFUSED("key without an end", "*version\n2\n*threads\n",
	    DMTRACE_ERR_TRUNCATED, DMTRACE_CONTAINER_JOINED, false, "*end"),
	REFUSED("key alone", KEY_2, DMTRACE_ERR_TRUNCATED,
	    DMTRACE_CONTAINER_KEY, true, "nothing follows the key"),
	REFUSED("no magic", KEY_2 "data section follows",
	    DMTRACE_ERR_CORRUPT, DMTRACE_CONTAINER_JOINED, true, "SLOW"),
	REFUSED("magic too far away", KEY_2 "123456789" HEADER_2,
	    DMTRACE_ERR_CORRUPT, DMTRACE_CONTAINER_JOINED, true, "SLOW"),
	REFUSED("header cut short", KEY_2 "SLOW\2\0\x20\0",
	    DMTRACE_ERR_TRUNCATED, DMTRACE_CONTAINER_JOINED, true,
	    "8 bytes"),
	REFUSED("padding cut short", KEY_2 "SLOW\2\0\x20\0" START "\0\0",
	    DMTRACE_ERR_TRUNCATED, DMTRACE_CONTAINER_JOINED, true,
	    "18 bytes"),
	REFUSED("data offset after the end",
	    KEY_2 "SLOW\2\0\xf0\xff" START "\0\0" ZEROS,
	    DMTRACE_ERR_CORRUPT, DMTRACE_CONTAINER_JOINED, true, "65520"),
	REFUSED("data offset in the header",
	    KEY_2 "SLOW\2\0\x0f\0" START "\0\0" ZEROS, DMTRACE_ERR_CORRUPT,
	    DMTRACE_CONTAINER_JOINED, true, "15"),
	REFUSED("record size too small", KEY_3 HEADER_3("\x09"),
	    DMTRACE_ERR_CORRUPT, DMTRACE_CONTAINER_JOINED, true, "9"),
	REFUSED("unknown version", KEY_3 HEADER("\x07", "\x0e"),
	    DMTRACE_ERR_VERSION, DMTRACE_CONTAINER_JOINED, true, "7"),
	REFUSED("streaming after a key", KEY_3 HEADER("\xf3", "\x0e"),
	    DMTRACE_ERR_UNSUPPORTED, DMTRACE_CONTAINER_JOINED, true,
	    "ART streaming"),
};

START_TEST(refuses)
{
	struct dmtrace_reader *reader = new_reader();
	struct dmtrace_event event;
	size_t count;

	ck_assert_int_eq(dmtrace_reader_open_memory(reader,
	    refused[_i].bytes, refused[_i].len), refused[_i].status);
	const struct dmtrace_error *error = dmtrace_reader_error(reader);
	ck_assert_int_eq(error->status, refused[_i].status);
	ck_assert_msg(strstr(error->message, refused[_i].message) != NULL, "%s",
	    error->message);
	ck_assert_int_eq(dmt_reader_container(reader),
	    refused[_i].container);
	ck_assert_int_eq(dmtrace_reader_key(reader) != NULL,
	    refused[_i].has_key);
	ck_assert_ptr_null(dmt_reader_header(reader));
	ck_assert_ptr_null(dmt_reader_layout(reader));
	ck_assert_int_eq(dmtrace_reader_read(reader, &event, 1, &count),
	    refused[_i].status);
	ck_assert_int_eq(has_finding(reader, "data-missing"),
	    refused[_i].container == DMTRACE_CONTAINER_KEY);
	ck_assert_int_eq(has_finding(reader, "data-unreadable"),
	    refused[_i].has_key &&
	    refused[_i].container == DMTRACE_CONTAINER_JOINED);
	dmtrace_reader_free(reader);
}
END_TEST

#define HALF(bytes) bytes, sizeof(bytes) - 1

/* What x.key and x.data hold, NULL for no file, and what is opened. */
static const struct {
	const char *label;
	const char *key;
	size_t key_len;
	const char *data;
	size_t data_len;
	const char *opened;
	enum dmtrace_status status;
	const char *message;
} halves[] = {
	{ "key without data", HALF(KEY_2), NULL, 0, "x.key",
	    DMTRACE_ERR_TRUNCATED, "nothing follows the key" },
	{ "data without key", NULL, 0, HALF(HEADER_2), "x.data",
	    DMTRACE_ERR_FOREIGN, "without its key" },
	{ "base of data alone", NULL, 0, HALF(HEADER_2), "x",
	    DMTRACE_ERR_FOREIGN, "without its key" },
	{ "swapped, by the key", HALF(HEADER_2), HALF(KEY_2), "x.key",
	    DMTRACE_ERR_FOREIGN, "swapped" },
	{ "swapped, by the data", HALF(HEADER_2), HALF(KEY_2), "x.data",
	    DMTRACE_ERR_FOREIGN, "swapped" },
	{ "swapped, both", HALF(HEADER_2), HALF(KEY_2), NULL,
	    DMTRACE_ERR_FOREIGN, "swapped" },
	{ "two keys", HALF(KEY_2), HALF(KEY_2), "x.key",
	    DMTRACE_ERR_FOREIGN, "the data begins with \"*version\"" },
	{ "two keys, by the data", HALF(KEY_2), HALF(KEY_2), "x.data",
	    DMTRACE_ERR_FOREIGN, "the data begins with \"*version\"" },
	{ "two keys, both", HALF(KEY_2), HALF(KEY_2), NULL,
	    DMTRACE_ERR_FOREIGN, "the data begins with \"*version\"" },
	{ "data twice", HALF(HEADER_2), HALF(HEADER_2), "x.data",
	    DMTRACE_ERR_FOREIGN, "the key begins with \"SLOW\"" },
	{ "data twice, both", HALF(HEADER_2), HALF(HEADER_2), NULL,
	    DMTRACE_ERR_FOREIGN, "the key begins with \"SLOW\"" },
	{ "a key with data of its own", HALF(KEY_2 HEADER_2), HALF(HEADER_2),
	    NULL, DMTRACE_ERR_FOREIGN, "data of its own" },
	{ "text for a key", HALF("hello"), HALF(HEADER_2), "x.data",
	    DMTRACE_ERR_NOT_TRACE, "hello" },
	{ "text for data", HALF(KEY_2), HALF("hello"), "x.key",
	    DMTRACE_ERR_CORRUPT, "SLOW" },
	{ "empty key", HALF(""), HALF(HEADER_2), "x.data",
	    DMTRACE_ERR_NOT_TRACE, "empty" },
	{ "empty data", HALF(KEY_2), HALF(""), "x.key",
	    DMTRACE_ERR_TRUNCATED, "0 bytes" },
};

START_TEST(names_the_half_that_is_wrong)
{
	struct dmtrace_reader *reader = new_reader();

	if (halves[_i].key != NULL)
		file_put("x.key", halves[_i].key, halves[_i].key_len);
	if (halves[_i].data != NULL)
		file_put("x.data", halves[_i].data, halves[_i].data_len);
	ck_assert_int_eq(halves[_i].opened == NULL ?
	    dmtrace_reader_open_pair(reader, "x.key", "x.data") :
	    dmtrace_reader_open_path(reader, halves[_i].opened),
	    halves[_i].status);
	const struct dmtrace_error *error = dmtrace_reader_error(reader);
	ck_assert_msg(strstr(error->message, halves[_i].message) != NULL, "%s",
	    error->message);
	dmtrace_reader_free(reader);
}
END_TEST

static const struct {
	const char *path;
	const char *message;
} missing[] = {
	{ "y", "cannot open y: " },
	{ "y.key", "cannot open y.key: " },
	{ ".", "cannot read ." },
	{ "x.key/y", "cannot open x.key/y: " },
};

START_TEST(names_the_file_that_cannot_be_opened)
{
	struct dmtrace_reader *reader = new_reader();

	file_put("x.key", KEY_2, sizeof(KEY_2) - 1);
	ck_assert_int_eq(dmtrace_reader_open_path(reader, missing[_i].path),
	    DMTRACE_ERR_IO);
	const struct dmtrace_error *error = dmtrace_reader_error(reader);
	ck_assert_int_ne(error->sys_errno, 0);
	ck_assert_msg(strstr(error->message, missing[_i].message) != NULL, "%s",
	    error->message);
	dmtrace_reader_free(reader);
}
END_TEST

START_TEST(keeps_to_its_limits)
{
	static const enum dmtrace_limit limits[] = { DMTRACE_LIMIT_KEY,
	    DMTRACE_LIMIT_LINE };

	for (size_t i = 0; i < ROWS(limits); i++) {
		struct dmtrace_reader *reader = new_reader();
		ck_assert_int_eq(dmtrace_reader_set_limit(reader, limits[i],
		    9), DMTRACE_OK);
		ck_assert_int_eq(dmtrace_reader_open_memory(reader, KEY_2
		    HEADER_2, sizeof(KEY_2 HEADER_2) - 1), DMTRACE_ERR_LIMIT);
		ck_assert_ptr_null(dmtrace_reader_key(reader));
		dmtrace_reader_free(reader);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("reader_refuse");
	TCase *tcase = unit_tcase(suite, "reader_refuse");

	tcase_add_checked_fixture(tcase, folder_enter, folder_leave);
	ADD_CASES(tcase, refuses, refused);
	ADD_CASES(tcase, names_the_half_that_is_wrong, halves);
	ADD_CASES(tcase, names_the_file_that_cannot_be_opened, missing);
	tcase_add_test(tcase, keeps_to_its_limits);
	return unit_main(suite);
}
