/* test_parquet.c - encodings of Parquet */

#include "export/parquet_encode.h"
#include "helpers/unit.h"

enum { VALUES_MAX = 300 };

/* Values as runs: count times a value, then more by step each. */
struct run {
	unsigned count;
	uint64_t value;
	uint64_t step;
};

static size_t
expand(uint64_t values[VALUES_MAX], const struct run *runs)
{
	size_t count = 0;

	for (; runs->count > 0; runs++)
		for (unsigned i = 0; i < runs->count; i++)
			values[count++] = runs->value + i * runs->step;
	return count;
}

static const struct {
	const char *label;
	unsigned bits;
	struct run runs[4];
	size_t len;
	uint8_t bytes[32];
} hybrids[] = {
	{ "eight values in three bits, from the specification", 3,
	  { { 8, 0, 1 } }, 4, { 3, 0x88, 0xc6, 0xfa } },
	{ "a run", 1, { { 100, 1, 0 } }, 3, { 200, 1, 1 } },
	{ "a run of two bytes", 9, { { 8, 0x123, 0 } }, 3,
	  { 16, 0x23, 0x01 } },
	{ "a run without bits", 0, { { 5, 0, 0 } }, 1, { 10 } },
	{ "groups and a run", 4, { { 8, 1, 1 }, { 9, 5, 0 } }, 7,
	  { 3, 0x21, 0x43, 0x65, 0x87, 18, 5 } },
	{ "the last group is filled with zeros", 2, { { 3, 1, 1 } }, 3,
	  { 3, 0x39, 0x00 } },
	{ "seven equal values before another one are no run", 1,
	  { { 7, 1, 0 }, { 1, 0, 0 } }, 2, { 3, 0x7f } },
	{ "32 bits", 32, { { 1, 0x01020304, 0 }, { 1, 0x05060708, 0 } }, 33,
	  { 3, 4, 3, 2, 1, 8, 7, 6, 5 } },
};

START_TEST(encodes_runs_and_groups)
{
	struct dmt_output output;
	uint64_t values[VALUES_MAX];
	uint32_t narrow[VALUES_MAX];
	const size_t count = expand(values, hybrids[_i].runs);

	for (size_t i = 0; i < count; i++)
		narrow[i] = (uint32_t)values[i];
	dmt_output_open_memory(&output);
	dmt_parquet_put_hybrid(&output, narrow, count, hybrids[_i].bits);
	ck_assert_uint_eq(output.len, hybrids[_i].len);
	ck_assert_mem_eq(output.bytes, hybrids[_i].bytes,
	    output.len < 32 ? output.len : 32);
	dmt_output_fini(&output);
}
END_TEST

static const struct {
	const char *label;
	struct run runs[4];
	size_t len;
	uint8_t bytes[32];
} deltas[] = {
	{ "one value", { { 1, 7, 0 } }, 5, { 0x80, 1, 4, 1, 14 } },
	{ "a rising one", { { 5, 1, 1 } }, 10,
	  { 0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0 } },
	{ "two differences, from the specification", { { 4, 7, -2 },
	    { 4, 2, 1 } }, 18,
	  { 0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0xc0, 0x3f } },
	{ "two blocks", { { 129, 0, 0 }, { 1, 1, 0 } }, 16,
	  { 0x80, 1, 4, 0x82, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0 } },
	{ "a difference modulo 2^64", { { 1, INT64_MAX, 0 },
	    { 1, (uint64_t)INT64_MIN, 0 } }, 19,
	  { 0x80, 1, 4, 2, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	    0xff, 1, 2, 0, 0, 0, 0 } },
};

START_TEST(encodes_differences)
{
	struct dmt_output output;
	uint64_t values[VALUES_MAX];
	const size_t count = expand(values, deltas[_i].runs);

	dmt_output_open_memory(&output);
	ck_assert_uint_eq(dmt_parquet_put_delta(&output, values, count),
	    deltas[_i].len);
	ck_assert_uint_eq(output.len, deltas[_i].len);
	ck_assert_mem_eq(output.bytes, deltas[_i].bytes, output.len);
	ck_assert_uint_eq(dmt_parquet_put_delta(NULL, values, count),
	    deltas[_i].len);
	dmt_output_fini(&output);
}
END_TEST

/* A block of differences that need 64 bits is no larger than that. */
START_TEST(encodes_differences_of_64_bits)
{
	struct dmt_output output;
	uint64_t values[33];

	for (size_t i = 0; i < 33; i++)
		values[i] = i % 2 == 0 ? 0 : UINT64_MAX / 3;
	dmt_output_open_memory(&output);
	ck_assert_uint_eq(dmt_parquet_put_delta(&output, values, 33),
	    5 + 10 + 4 + 32 * 8);
	dmt_output_fini(&output);
}
END_TEST

/* A struct with a number, true, a text, a list of two, one of 15 structs, and a
 * struct within it. */
START_TEST(encodes_structs)
{
	static const uint8_t bytes[] = {
		0x15, 0x05, 0x21, 0x18, 2, 'a', 'b', 0x19, 0x25, 0x02, 0x04,
		0x19, 0xfc, 15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
		0x1c, 0x26, 0xff, 0x01, 0, 0
	};
	struct dmt_output output;
	struct dmt_thrift thrift = { .output = &output };

	dmt_output_open_memory(&output);
	dmt_thrift_number(&thrift, 1, DMT_THRIFT_I32, -3);
	dmt_thrift_true(&thrift, 3);
	dmt_thrift_bytes(&thrift, 4, "ab", 2);
	dmt_thrift_list(&thrift, 5, DMT_THRIFT_I32, 2);
	dmt_thrift_element(&thrift, 1);
	dmt_thrift_element(&thrift, 2);
	dmt_thrift_list(&thrift, 6, DMT_THRIFT_STRUCT, 15);
	for (int i = 0; i < 15; i++)
		dmt_thrift_end(&thrift, dmt_thrift_begin(&thrift, 0));
	const unsigned outer = dmt_thrift_begin(&thrift, 7);
	dmt_thrift_number(&thrift, 2, DMT_THRIFT_I64, -128);
	dmt_thrift_end(&thrift, outer);
	dmt_thrift_end(&thrift, 0);
	ck_assert_uint_eq(output.len, sizeof(bytes));
	ck_assert_mem_eq(output.bytes, bytes, sizeof(bytes));
	dmt_output_fini(&output);
}
END_TEST

START_TEST(counts_bits)
{
	ck_assert_uint_eq(dmt_parquet_bits(0), 0);
	ck_assert_uint_eq(dmt_parquet_bits(1), 1);
	ck_assert_uint_eq(dmt_parquet_bits(255), 8);
	ck_assert_uint_eq(dmt_parquet_bits(256), 9);
	ck_assert_uint_eq(dmt_parquet_bits(UINT64_MAX), 64);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("parquet");
	TCase *tcase = unit_tcase(suite, "encodings");

	ADD_CASES(tcase, encodes_runs_and_groups, hybrids);
	ADD_CASES(tcase, encodes_differences, deltas);
	tcase_add_test(tcase, encodes_differences_of_64_bits);
	tcase_add_test(tcase, encodes_structs);
	tcase_add_test(tcase, counts_bits);
	return unit_main(suite);
}
