/* test_header_encode.c - data headers that are written, and that are refused */

#include <dmtrace.h>
#include <string.h>

#include "data/header_decode.h"
#include "data/header_encode.h"
#include "helpers/unit.h"

static const struct {
	struct dmt_header header;
	uint8_t bytes[40];
} good[] = {
	{ { 1, 32, 9, UINT64_C(0x8192a3b4c5d6e7f8) },
	    { 'S', 'L', 'O', 'W', 1, 0, 32, 0,
	    0xf8, 0xe7, 0xd6, 0xc5, 0xb4, 0xa3, 0x92, 0x81 } },
	{ { 1, 16, 9, UINT64_C(0x0102030405060708) },
	    { 'S', 'L', 'O', 'W', 1, 0, 16, 0, 8, 7, 6, 5, 4, 3, 2, 1 } },
	{ { 2, 40, 10, 1 },
	    { 'S', 'L', 'O', 'W', 2, 0, 40, 0, 1 } },
	{ { 3, 32, 14, 0 },
	    { 'S', 'L', 'O', 'W', 3, 0, 32, 0, [16] = 14 } },
	{ { 0xf2, 32, 10, 1 },
	    { 'S', 'L', 'O', 'W', 0xf2, 0, 32, 0, 1, [16] = 10 } },
	{ { 3, 18, 10, 0 },
	    { 'S', 'L', 'O', 'W', 3, 0, 18, 0, [16] = 10 } },
	{ { 3, 32, 1186, 0 },
	    { 'S', 'L', 'O', 'W', 3, 0, 32, 0, [16] = 0xa2, [17] = 0x04 } },
	{ { 3, 32, 65535, UINT64_MAX },
	    { 'S', 'L', 'O', 'W', 3, 0, 32, 0,
	    255, 255, 255, 255, 255, 255, 255, 255, 255, 255 } },
};

START_TEST(encodes)
{
	const size_t len = good[_i].header.data_offset;
	uint8_t out[41];

	memset(out, 0xaa, sizeof(out));
	ck_assert_int_eq(dmt_header_encode(out, len, &good[_i].header),
	    DMTRACE_OK);
	ck_assert_mem_eq(out, good[_i].bytes, len);
	ck_assert_uint_eq(out[len], 0xaa);
}
END_TEST

static const struct {
	const char *label;
	struct dmt_header header;
	size_t len;
} unfit[] = {
	{ "version 0", { 0, 32, 9, 0 }, 32 },
	{ "version 4", { 4, 32, 14, 0 }, 32 },
	{ "ART streaming, no record size", { 0xf3, 32, 0, 0 }, 32 },
	{ "data offset 0", { 1, 0, 9, 0 }, 32 },
	{ "data offset 15", { 2, 15, 10, 0 }, 32 },
	{ "data offset after the end", { 1, 32, 9, 0 }, 31 },
	{ "no room for the record size", { 3, 16, 14, 0 }, 32 },
	{ "half the room for it", { 3, 17, 14, 0 }, 32 },
	{ "no record size", { 3, 32, 0, 0 }, 32 },
	{ "record size 9 in version 3", { 3, 32, 9, 0 }, 32 },
	{ "record size 0 in version 1", { 1, 32, 0, 0 }, 32 },
	{ "record size 10 in version 1", { 1, 32, 10, 0 }, 32 },
	{ "record size 14 in version 2", { 2, 32, 14, 0 }, 32 },
};

START_TEST(refuses)
{
	uint8_t out[32], untouched[32];

	memset(out, 0xaa, sizeof(out));
	memset(untouched, 0xaa, sizeof(untouched));
	ck_assert_int_eq(dmt_header_encode(out, unfit[_i].len,
	    &unfit[_i].header), DMTRACE_ERR_RANGE);
	ck_assert_mem_eq(out, untouched, sizeof(out));
}
END_TEST

START_TEST(comes_back_from_a_decode)
{
	struct dmt_findings findings = { 0 };
	struct dmtrace_error error = { 0 };
	struct dmt_header header;
	uint8_t out[40];

	ck_assert_int_eq(dmt_header_decode(&header, good[_i].bytes,
	    sizeof(good[_i].bytes), 0, &findings, &error), DMTRACE_OK);
	ck_assert_int_eq(dmt_header_encode(out, sizeof(out), &header),
	    DMTRACE_OK);
	ck_assert_mem_eq(out, good[_i].bytes, header.data_offset);
}
END_TEST

START_TEST(makes_a_header_as_the_vms_do)
{
	const struct dmt_header header = dmt_header_of(
	    dmt_layout_find(3, DMTRACE_CLOCK_DUAL), UINT64_C(1) << 40);

	ck_assert_uint_eq(header.version, 3);
	ck_assert_uint_eq(header.data_offset, 32);
	ck_assert_uint_eq(header.record_size, 14);
	ck_assert_uint_eq(header.start, UINT64_C(1) << 40);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("header_encode");
	TCase *tcase = unit_tcase(suite, "header_encode");

	ADD_CASES(tcase, encodes, good);
	tcase_add_test(tcase, makes_a_header_as_the_vms_do);
	ADD_CASES(tcase, refuses, unfit);
	ADD_CASES(tcase, comes_back_from_a_decode, good);
	return unit_main(suite);
}
