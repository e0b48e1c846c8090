/* test_header_decode.c - data headers: of VMs, of other tools, malformed */

#include <dmtrace.h>
#include <stdbool.h>
#include <string.h>

#include "data/header_decode.h"
#include "helpers/unit.h"

#define AT 1000			/* where the header stands in its file */

/* Bytes 8 to 15, the start time, are these in all of them. */
#define START 0xf8, 0xe7, 0xd6, 0xc5, 0xb4, 0xa3, 0x92, 0x81
#define START_VALUE UINT64_C(0x8192a3b4c5d6e7f8)

static struct dmt_findings findings;
static struct dmtrace_error error;

static void
setup(void)
{
	findings = (struct dmt_findings){ 0 };
	error = (struct dmtrace_error){ 0 };
}

static void
teardown(void)
{
}

static enum dmtrace_status
decode(struct dmt_header *header, const uint8_t *in, size_t len)
{
	return dmt_header_decode(header, in, len, AT, &findings, &error);
}

static const struct {
	const char *label;
	uint8_t bytes[32];		/* 0 up to the data offset */
	struct dmt_header header;
	const char *finding;		/* NULL: none */
	uint64_t at;			/* in the header */
} good[] = {
	{ "version 1",
	    { 'S', 'L', 'O', 'W', 1, 0, 32, 0, START },
	    { 1, 32, 9, START_VALUE }, NULL, 0 },
	{ "version 1, as the test generator writes it",
	    { 'S', 'L', 'O', 'W', 1, 0, 16, 0, START },
	    { 1, 16, 9, START_VALUE }, NULL, 0 },
	{ "version 1 with bytes where version 3 has the record size",
	    { 'S', 'L', 'O', 'W', 1, 0, 32, 0, START, 0, 14 },
	    { 1, 32, 9, START_VALUE }, "header-padding", 17 },
	{ "version 2",
	    { 'S', 'L', 'O', 'W', 2, 0, 32, 0, START },
	    { 2, 32, 10, START_VALUE }, NULL, 0 },
	{ "version 2 of 18 bytes, not all of them 0",
	    { 'S', 'L', 'O', 'W', 2, 0, 18, 0, START, 10 },
	    { 2, 18, 10, START_VALUE }, "header-padding", 16 },
	{ "version 3",
	    { 'S', 'L', 'O', 'W', 3, 0, 32, 0, START, 14 },
	    { 3, 32, 14, START_VALUE }, NULL, 0 },
	{ "version 3, no longer than it must be",
	    { 'S', 'L', 'O', 'W', 3, 0, 18, 0, START, 14 },
	    { 3, 18, 14, START_VALUE }, NULL, 0 },
	{ "version 3 with a byte after the record size",
	    { 'S', 'L', 'O', 'W', 3, 0, 32, 0, START, 14, 0, 1 },
	    { 3, 32, 14, START_VALUE }, "header-padding", 18 },
	{ "version 3 with a byte at its end",
	    { 'S', 'L', 'O', 'W', 3, 0, 32, 0, START, 14, 0, [31] = 255 },
	    { 3, 32, 14, START_VALUE }, "header-padding", 31 },
	{ "version 3 with one time",
	    { 'S', 'L', 'O', 'W', 3, 0, 32, 0, START, 10 },
	    { 3, 32, 10, START_VALUE }, NULL, 0 },
	{ "version 3 with one time and a rest",
	    { 'S', 'L', 'O', 'W', 3, 0, 32, 0, START, 13 },
	    { 3, 32, 13, START_VALUE }, "record-size-large", 16 },
	{ "version 3 with two times and a rest",
	    { 'S', 'L', 'O', 'W', 3, 0, 32, 0, START, 15 },
	    { 3, 32, 15, START_VALUE }, "record-size-large", 16 },
	{ "version 3 with records of 1,186 bytes",
	    { 'S', 'L', 'O', 'W', 3, 0, 32, 0, START, 0xa2, 0x04 },
	    { 3, 32, 1186, START_VALUE }, "record-size-large", 16 },
	{ "version 3 with the largest records",
	    { 'S', 'L', 'O', 'W', 3, 0, 32, 0, START, 0xff, 0xff },
	    { 3, 32, 65535, START_VALUE }, "record-size-large", 16 },
	{ "version 3 of 16 bytes",
	    { 'S', 'L', 'O', 'W', 3, 0, 16, 0, START },
	    { 3, 16, 14, START_VALUE }, "record-size-missing", 6 },
	{ "version 3 of 17 bytes",
	    { 'S', 'L', 'O', 'W', 3, 0, 17, 0, START },
	    { 3, 17, 14, START_VALUE }, "record-size-missing", 6 },
	{ "streaming version 2, a size that is too small",
	    { 'S', 'L', 'O', 'W', 0xf2, 0, 32, 0, START, 9 },
	    { 0xf2, 32, 10, START_VALUE }, NULL, 0 },
	{ "streaming version 3, the size of one time",
	    { 'S', 'L', 'O', 'W', 0xf3, 0, 32, 0, START, 10 },
	    { 0xf3, 32, 14, START_VALUE }, NULL, 0 },
};

START_TEST(decodes)
{
	const size_t len = good[_i].header.data_offset;
	struct dmt_header header;

	ck_assert_int_eq(decode(&header, good[_i].bytes, len), DMTRACE_OK);
	ck_assert_uint_eq(header.version, good[_i].header.version);
	ck_assert_uint_eq(header.data_offset, len);
	ck_assert_uint_eq(header.record_size, good[_i].header.record_size);
	ck_assert_uint_eq(header.start, START_VALUE);
}
END_TEST

START_TEST(reports_what_is_odd)
{
	const bool is_odd = good[_i].finding != NULL;
	struct dmt_header header;

	decode(&header, good[_i].bytes, sizeof(good[_i].bytes));
	ck_assert_uint_eq(findings.used, is_odd ? 1 : 0);
	if (!is_odd)
		return;
	const struct dmtrace_finding *finding =
	    dmt_finding_get(&findings, 0);
	ck_assert_str_eq(finding->name, good[_i].finding);
	ck_assert_uint_eq(finding->count, 1);
	ck_assert_int_eq(finding->place, DMTRACE_PLACE_OFFSET);
	ck_assert_uint_eq(finding->at, AT + good[_i].at);
}
END_TEST

START_TEST(refuses_every_short_input)
{
	struct dmt_header header = { .version = 77 };

	for (size_t len = 0; len < good[_i].header.data_offset; len++) {
		uint8_t *in = malloc(len + 1);

		memcpy(in, good[_i].bytes, len);
		error = (struct dmtrace_error){ 0 };
		ck_assert_int_eq(decode(&header, in, len),
		    DMTRACE_ERR_TRUNCATED);
		ck_assert_int_eq(error.status, DMTRACE_ERR_TRUNCATED);
		ck_assert_uint_eq(error.at, AT + len);
		free(in);
	}
	ck_assert_uint_eq(header.version, 77);
	ck_assert_uint_eq(findings.used, 0);
}
END_TEST

static bool
is_status_of_a_decode(enum dmtrace_status status)
{
	return status == DMTRACE_OK || status == DMTRACE_ERR_TRUNCATED ||
	    status == DMTRACE_ERR_CORRUPT || status == DMTRACE_ERR_VERSION ||
	    status == DMTRACE_ERR_UNSUPPORTED;
}

START_TEST(ends_in_a_status_whatever_byte_changes)
{
	struct dmt_header header;
	uint8_t bytes[32];

	memcpy(bytes, good[_i].bytes, sizeof(bytes));
	for (size_t i = 0; i < sizeof(bytes); i++) {
		for (unsigned byte = 0; byte < 256; byte++) {
			bytes[i] = (uint8_t)byte;
			ck_assert(is_status_of_a_decode(
			    decode(&header, bytes, sizeof(bytes))));
		}
		bytes[i] = good[_i].bytes[i];
	}
}
END_TEST

START_TEST(decodes_the_longest_header)
{
	uint8_t bytes[65535] = { 'S', 'L', 'O', 'W', 1, 0, 255, 255, START };
	struct dmt_header header;

	bytes[65534] = 1;
	ck_assert_int_eq(decode(&header, bytes, 65534), DMTRACE_ERR_CORRUPT);
	ck_assert_int_eq(decode(&header, bytes, 65535), DMTRACE_OK);
	ck_assert_uint_eq(header.data_offset, 65535);
	ck_assert_uint_eq(dmt_finding_get(&findings, 0)->at, AT + 65534);
}
END_TEST

static const struct {
	const char *label;
	uint8_t bytes[32];
	enum dmtrace_status status;
	uint64_t at;			/* in the header */
	const char *message;
} bad[] = {
	{ "no magic", { 'S', 'L', 'O', 'V', 3, 0, 32, 0, START, 14 },
	    DMTRACE_ERR_CORRUPT, 0, "\"SLOW\"" },
	{ "nothing", { 0 }, DMTRACE_ERR_CORRUPT, 0, "\"SLOW\"" },
	{ "version 0", { 'S', 'L', 'O', 'W', 0, 0, 32, 0, START },
	    DMTRACE_ERR_VERSION, 4, "version 0 is unknown;" },
	{ "version 6", { 'S', 'L', 'O', 'W', 6, 0, 32, 0, START },
	    DMTRACE_ERR_VERSION, 4, "version 6 is unknown;" },
	{ "version 240", { 'S', 'L', 'O', 'W', 0xf0, 0, 32, 0, START },
	    DMTRACE_ERR_VERSION, 4, "version 240 is unknown;" },
	{ "version 246", { 'S', 'L', 'O', 'W', 0xf6, 0, 32, 0, START },
	    DMTRACE_ERR_VERSION, 4, "version 246 is unknown;" },
	{ "version 3, bytes swapped",
	    { 'S', 'L', 'O', 'W', 0, 3, 32, 0, START, 14 },
	    DMTRACE_ERR_VERSION, 4, "version 768 is unknown;" },
	{ "streaming version 0", { 'S', 'L', 'O', 'W', 0xf0, 0, 32, 0 },
	    DMTRACE_ERR_VERSION, 4, "version 240" },
	{ "streaming version 3, cut",
	    { 'S', 'L', 'O', 'W', 0xf3, 0, 33, 0, START, 14 },
	    DMTRACE_ERR_CORRUPT, 32, "data offset 33" },
	{ "packets", { 'S', 'L', 'O', 'W', 4, 0, 1, 2, 3, 4, 5, 6, 7, 8 },
	    DMTRACE_ERR_UNSUPPORTED, 4, "0x4 is ART trace format V2" },
	{ "packets with two times", { 'S', 'L', 'O', 'W', 5, 0 },
	    DMTRACE_ERR_UNSUPPORTED, 4, "0x5 is ART trace format V2" },
	{ "streamed packets", { 'S', 'L', 'O', 'W', 0xf4, 0 },
	    DMTRACE_ERR_UNSUPPORTED, 4, "0xF4 is ART trace format V2" },
	{ "streamed packets with two times", { 'S', 'L', 'O', 'W', 0xf5, 0 },
	    DMTRACE_ERR_UNSUPPORTED, 4, "0xF5 is ART trace format V2" },
	{ "data offset 0", { 'S', 'L', 'O', 'W', 1, 0, 0, 0, START },
	    DMTRACE_ERR_CORRUPT, 6, "offset is 0," },
	{ "data offset 15", { 'S', 'L', 'O', 'W', 1, 0, 15, 0, START },
	    DMTRACE_ERR_CORRUPT, 6, "offset is 15," },
	{ "data offset after the end",
	    { 'S', 'L', 'O', 'W', 1, 0, 33, 0, START },
	    DMTRACE_ERR_CORRUPT, 32, "offset 33" },
	{ "record size 0", { 'S', 'L', 'O', 'W', 3, 0, 32, 0, START, 0 },
	    DMTRACE_ERR_CORRUPT, 16, "record size is 0," },
	{ "record size 9", { 'S', 'L', 'O', 'W', 3, 0, 32, 0, START, 9 },
	    DMTRACE_ERR_CORRUPT, 16, "record size is 9," },
};

START_TEST(refuses)
{
	struct dmt_header header = { .version = 77 };

	ck_assert_int_eq(decode(&header, bad[_i].bytes, 32), bad[_i].status);
	ck_assert_int_eq(error.status, bad[_i].status);
	ck_assert_int_eq(error.place, DMTRACE_PLACE_OFFSET);
	ck_assert_uint_eq(error.at, AT + bad[_i].at);
	ck_assert_ptr_nonnull(strstr(error.message, bad[_i].message));
	ck_assert_uint_eq(header.version, 77);
	ck_assert_uint_eq(findings.used, 0);
}
END_TEST

START_TEST(says_no_magic_of_a_short_input)
{
	struct dmt_header header;

	ck_assert_int_eq(decode(&header, (const uint8_t *)"SLx", 3),
	    DMTRACE_ERR_CORRUPT);
}
END_TEST

static const struct {
	unsigned version;
	enum dmtrace_container container;
} containers[] = {
	{ 0, DMTRACE_CONTAINER_DATA },
	{ 1, DMTRACE_CONTAINER_DATA },
	{ 3, DMTRACE_CONTAINER_DATA },
	{ 4, DMTRACE_CONTAINER_PACKETS },
	{ 5, DMTRACE_CONTAINER_PACKETS },
	{ 6, DMTRACE_CONTAINER_DATA },
	{ 0xf0, DMTRACE_CONTAINER_DATA },
	{ 0xf1, DMTRACE_CONTAINER_STREAM },
	{ 0xf3, DMTRACE_CONTAINER_STREAM },
	{ 0xf4, DMTRACE_CONTAINER_PACKETS },
	{ 0xf5, DMTRACE_CONTAINER_PACKETS },
	{ 0xf6, DMTRACE_CONTAINER_DATA },
	{ 0x1f3, DMTRACE_CONTAINER_DATA },
};

START_TEST(reports_the_container_of_a_version)
{
	ck_assert_int_eq(dmt_version_container(containers[_i].version),
	    containers[_i].container);
}
END_TEST

static const struct {
	const char *label;
	uint64_t start;
	enum dmtrace_start_kind kind;
} starts[] = {
	{ "nothing", 0, DMTRACE_START_BOOT },
	{ "71 minutes", UINT64_C(0x100000000), DMTRACE_START_BOOT },
	{ "a phone's", UINT64_C(0x9a2c9e91c4), DMTRACE_START_BOOT },
	{ "31 years", UINT64_C(1000000000000000), DMTRACE_START_BOOT },
	{ "one more", UINT64_C(1000000000000001), DMTRACE_START_EPOCH },
	{ "2011", UINT64_C(1308900000000000), DMTRACE_START_EPOCH },
	{ "2100", UINT64_C(4102444800000000), DMTRACE_START_EPOCH },
	{ "2011, a multiple of 2^32",
	    UINT64_C(302000) << 32, DMTRACE_START_EPOCH },
	{ "the test generator's",
	    UINT64_C(0x6b0093b70007ac6c), DMTRACE_START_SEC_USEC },
	{ "its earliest",
	    UINT64_C(1000000000) << 32, DMTRACE_START_SEC_USEC },
	{ "its last microsecond",
	    UINT64_C(1225000000) << 32 | 999999, DMTRACE_START_SEC_USEC },
	{ "one too many",
	    UINT64_C(1225000000) << 32 | 1000000, DMTRACE_START_EPOCH },
	{ "a second too early",
	    UINT64_C(999999999) << 32 | 1, DMTRACE_START_EPOCH },
	{ "all ones", UINT64_MAX, DMTRACE_START_EPOCH },
};

START_TEST(guesses_what_the_start_time_counts)
{
	const struct dmt_header header = { .start = starts[_i].start };

	ck_assert_int_eq(dmt_header_start_kind(&header), starts[_i].kind);
}
END_TEST

/* 3, 32, the start, 14: as far as the bytes go. */
START_TEST(looks_at_the_fields_that_are_there)
{
	static const uint8_t bytes[] = { 'S', 'L', 'O', 'W', 3, 0, 32, 0,
	    START, 14, 0 };
	const struct dmt_header_fields fields =
	    dmt_header_look(bytes, (size_t)_i);

	ck_assert_int_eq(fields.has_magic, _i >= 4);
	ck_assert_uint_eq(fields.version, _i >= 6 ? 3 : 0);
	ck_assert_uint_eq(fields.data_offset, _i >= 8 ? 32 : 0);
	ck_assert_uint_eq(fields.start, _i >= 16 ? START_VALUE : 0);
	ck_assert_uint_eq(fields.record_size, _i >= 18 ? 14 : 0);
}
END_TEST

static const struct {
	const char *label;
	uint8_t bytes[18];
	bool has_magic;
	unsigned record_size;
} looks[] = {
	{ "another magic", { 'S', 'L', 'O', 'V', 3, 0, 32, 0, START, 14 },
	    false, 14 },
	{ "version 2 has no record size",
	    { 'S', 'L', 'O', 'W', 2, 0, 32, 0, START, 14 }, true, 0 },
	{ "nor has a short header",
	    { 'S', 'L', 'O', 'W', 3, 0, 17, 0, START, 14 }, true, 0 },
};

START_TEST(looks_at_headers_that_make_no_sense)
{
	const struct dmt_header_fields fields =
	    dmt_header_look(looks[_i].bytes, sizeof(looks[_i].bytes));

	ck_assert_int_eq(fields.has_magic, looks[_i].has_magic);
	ck_assert_uint_eq(fields.record_size, looks[_i].record_size);
	ck_assert_uint_eq(fields.start, START_VALUE);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("header_decode");
	TCase *tcase = unit_tcase(suite, "header_decode");

	tcase_add_checked_fixture(tcase, setup, teardown);
	ADD_CASES(tcase, decodes, good);
	ADD_CASES(tcase, reports_what_is_odd, good);
	ADD_CASES(tcase, refuses_every_short_input, good);
	ADD_CASES(tcase, ends_in_a_status_whatever_byte_changes, good);
	tcase_add_test(tcase, decodes_the_longest_header);
	ADD_CASES(tcase, refuses, bad);
	tcase_add_test(tcase, says_no_magic_of_a_short_input);
	ADD_CASES(tcase, reports_the_container_of_a_version, containers);
	tcase_add_loop_test(tcase, looks_at_the_fields_that_are_there, 0, 19);
	ADD_CASES(tcase, looks_at_headers_that_make_no_sense, looks);
	ADD_CASES(tcase, guesses_what_the_start_time_counts, starts);
	return unit_main(suite);
}
