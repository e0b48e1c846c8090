/* test_leb128.c - numbers of seven bits per byte */

#include "base/leb128.h"

#include <string.h>

#include "helpers/random.h"
#include "helpers/unit.h"

#define MINUS(value) (0 - UINT64_C(value))

static const struct {
	uint64_t value;
	size_t len;
	uint8_t bytes[DMT_LEB_MAX];
} numbers[] = {
	{ 0, 1, { 0x00 } },
	{ 1, 1, { 0x01 } },
	{ 127, 1, { 0x7f } },
	{ 128, 2, { 0x80, 0x01 } },
	{ 1000, 2, { 0xe8, 0x07 } },
	{ 16383, 2, { 0xff, 0x7f } },
	{ 16384, 3, { 0x80, 0x80, 0x01 } },
	{ 0xffffffff, 5, { 0xff, 0xff, 0xff, 0xff, 0x0f } },
	{ UINT64_C(1) << 63, 10, { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
	    0x80, 0x80, 0x01 } },
	{ UINT64_MAX, 10, { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	    0xff, 0x01 } },
}, signed_numbers[] = {
	{ 0, 1, { 0x00 } },
	{ 63, 1, { 0x3f } },
	{ 64, 2, { 0xc0, 0x00 } },
	{ MINUS(1), 1, { 0x7f } },
	{ MINUS(40), 1, { 0x58 } },
	{ MINUS(64), 1, { 0x40 } },
	{ MINUS(65), 2, { 0xbf, 0x7f } },
	{ MINUS(128), 2, { 0x80, 0x7f } },
	{ 0x7001000, 4, { 0x80, 0xa0, 0x80, 0x38 } },
	{ UINT64_C(0x7fffffffffffffff), 10, { 0xff, 0xff, 0xff, 0xff, 0xff,
	    0xff, 0xff, 0xff, 0xff, 0x00 } },
	{ UINT64_C(1) << 63, 10, { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
	    0x80, 0x80, 0x7f } },
};

START_TEST(decodes_and_encodes_unsigned)
{
	uint8_t out[DMT_LEB_MAX];
	uint64_t value = 77;

	ck_assert_int_eq(dmt_uleb_get(numbers[_i].bytes, DMT_LEB_MAX, &value),
	    (int)numbers[_i].len);
	ck_assert_uint_eq(value, numbers[_i].value);
	ck_assert_uint_eq(dmt_uleb_put(out, value) - out, numbers[_i].len);
	ck_assert_mem_eq(out, numbers[_i].bytes, numbers[_i].len);
}
END_TEST

START_TEST(decodes_and_encodes_signed)
{
	uint8_t out[DMT_LEB_MAX];
	uint64_t value = 77;

	ck_assert_int_eq(dmt_sleb_get(signed_numbers[_i].bytes, DMT_LEB_MAX,
	    &value), (int)signed_numbers[_i].len);
	ck_assert_uint_eq(value, signed_numbers[_i].value);
	ck_assert_uint_eq(dmt_sleb_put(out, value) - out,
	    signed_numbers[_i].len);
	ck_assert_mem_eq(out, signed_numbers[_i].bytes,
	    signed_numbers[_i].len);
}
END_TEST

START_TEST(knows_every_short_input)
{
	uint64_t value = 77;

	for (size_t len = 0; len < numbers[_i].len; len++) {
		/* a copy, so that a tool sees a read past its end */
		uint8_t *in = malloc(len + 1);

		memcpy(in, numbers[_i].bytes, len);
		ck_assert_int_eq(dmt_uleb_get(in, len, &value), 0);
		ck_assert_int_eq(dmt_sleb_get(in, len, &value), 0);
		free(in);
	}
	ck_assert_uint_eq(value, 77);
}
END_TEST

/* The last byte of ten, and what becomes of the number. */
static const struct {
	uint8_t last;
	int unsigned_len;
	int signed_len;
} tenth[] = {
	{ 0x00, 10, 10 },
	{ 0x01, 10, DMT_LEB_BAD },
	{ 0x02, DMT_LEB_BAD, DMT_LEB_BAD },
	{ 0x7e, DMT_LEB_BAD, DMT_LEB_BAD },
	{ 0x7f, DMT_LEB_BAD, 10 },
	{ 0x80, DMT_LEB_BAD, DMT_LEB_BAD },
	{ 0xff, DMT_LEB_BAD, DMT_LEB_BAD },
};

START_TEST(refuses_more_than_64_bits)
{
	uint8_t in[11] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
	    0x80, tenth[_i].last, 0 };
	uint64_t value;

	ck_assert_int_eq(dmt_uleb_get(in, sizeof(in), &value),
	    tenth[_i].unsigned_len);
	ck_assert_int_eq(dmt_sleb_get(in, sizeof(in), &value),
	    tenth[_i].signed_len);
}
END_TEST

START_TEST(takes_zeros_at_the_end_of_a_number)
{
	static const uint8_t in[] = { 0xff, 0x80, 0x80, 0x00 };
	uint64_t value;

	ck_assert_int_eq(dmt_uleb_get(in, sizeof(in), &value), 4);
	ck_assert_uint_eq(value, 127);
	ck_assert_int_eq(dmt_sleb_get(in, sizeof(in), &value), 4);
	ck_assert_uint_eq(value, 127);
}
END_TEST

START_TEST(keeps_every_random_number)
{
	uint64_t seed = 18, value;
	uint8_t out[DMT_LEB_MAX];

	for (int i = 0; i < 20000; i++) {
		const uint64_t number = next_random(&seed) >> i % 64;
		const uint64_t negative = 0 - number;

		ck_assert_int_eq(dmt_uleb_get(out, (size_t)(dmt_uleb_put(out,
		    number) - out), &value) > 0, 1);
		ck_assert_uint_eq(value, number);
		ck_assert_int_eq(dmt_sleb_get(out, (size_t)(dmt_sleb_put(out,
		    negative) - out), &value) > 0, 1);
		ck_assert_uint_eq(value, negative);
	}
}
END_TEST

/* The quick ways, whatever bytes follow. */
START_TEST(takes_all_bytes_of_a_short_number_at_once)
{
	uint64_t seed = 19;
	unsigned sizes[9] = { 0 };

	for (int i = 0; i < 20000; i++) {
		const uint64_t number = next_random(&seed) >> i % 64;
		uint8_t in[2 * DMT_LEB_MAX];

		const uint64_t value = i % 2 == 0 ? number : 0 - number;
		const unsigned size =
		    (unsigned)(dmt_sleb_put(in, value) - in);
		memset(in + size, i / 64 % 2 == 0 ? 0xff : 0,
		    sizeof(in) - size);
		if (size <= 8)
			ck_assert_uint_eq(dmt_leb_get_8(in, size, true), value);
		if (size <= 4)
			ck_assert_uint_eq(dmt_leb_get_4(in, size, true), value);
		sizes[size <= 8 ? size : 0]++;
		const unsigned len = (unsigned)(dmt_uleb_put(in, number) - in);
		if (len <= 8)
			ck_assert_uint_eq(dmt_leb_get_8(in, len, false),
			    number);
		if (len <= 4)
			ck_assert_uint_eq(dmt_leb_get_4(in, len, false),
			    number);
	}
	for (unsigned size = 1; size <= 8; size++)
		ck_assert_uint_gt(sizes[size], 100);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("leb128");
	TCase *tcase = unit_tcase(suite, "leb128");

	ADD_CASES(tcase, decodes_and_encodes_unsigned, numbers);
	ADD_CASES(tcase, decodes_and_encodes_signed, signed_numbers);
	ADD_CASES(tcase, knows_every_short_input, numbers);
	ADD_CASES(tcase, refuses_more_than_64_bits, tenth);
	tcase_add_test(tcase, takes_zeros_at_the_end_of_a_number);
	tcase_add_test(tcase, keeps_every_random_number);
	tcase_add_test(tcase, takes_all_bytes_of_a_short_number_at_once);
	return unit_main(suite);
}
