/* leb128.h - numbers of seven bits per byte, as in ART's packets */
#ifndef DMT_BASE_LEB128_H
#define DMT_BASE_LEB128_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/*
 * The low seven bits come first; the top bit of a byte says that another one
 * follows. A signed number ends with a byte whose bit 6 is its sign. Signed
 * numbers are two's complement in a uint64_t here, since they are differences
 * modulo 2^64. Zero bytes at the end of a number ("80 00") are allowed, up to
 * the length of the longest one.
 */

#define DMT_LEB_MAX 10		/* bytes of the longest number */
#define DMT_LEB_BAD (-1)	/* it has more than 10 bytes, or does not fit
				   in 64 bits */

/*
 * Decode the number at in, of which len bytes are readable. Return its length
 * in bytes, 0 if it does not end within len, or DMT_LEB_BAD; in the last two
 * cases *value is unchanged.
 */
static inline int
dmt_uleb_get(const uint8_t *in, size_t len, uint64_t *value)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < len && i < DMT_LEB_MAX; i++) {
		bits |= (uint64_t)(in[i] & 0x7f) << 7 * i;
		if (in[i] >= 0x80)
			continue;
		if (i == DMT_LEB_MAX - 1 && in[i] > 1)
			return DMT_LEB_BAD;
		*value = bits;
		return (int)i + 1;
	}
	return len < DMT_LEB_MAX ? 0 : DMT_LEB_BAD;
}

static inline int
dmt_sleb_get(const uint8_t *in, size_t len, uint64_t *value)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < len && i < DMT_LEB_MAX; i++) {
		bits |= (uint64_t)(in[i] & 0x7f) << 7 * i;
		if (in[i] >= 0x80)
			continue;
		if (i == DMT_LEB_MAX - 1 && in[i] != 0 && in[i] != 0x7f)
			return DMT_LEB_BAD;
		if (i < DMT_LEB_MAX - 1 && (in[i] & 0x40))
			bits |= UINT64_MAX << 7 * (i + 1);
		*value = bits;
		return (int)i + 1;
	}
	return len < DMT_LEB_MAX ? 0 : DMT_LEB_BAD;
}

/*
 * Decode a number whose length is known: size bytes, at most 4, or at most 8.
 * So many bytes must be readable, even if the number is shorter. Lengths vary
 * from number to number, so a branch for each byte would be mispredicted: these
 * handle all bytes at once. They join the seven bits of neighbouring bytes,
 * then pairs of these, then pairs of pairs. The first byte is the lowest one.
 */
static inline uint64_t
dmt_leb_get_4(const uint8_t *in, unsigned size, bool is_signed)
{
	static const uint32_t kept[] = {
		0, 0x7f, 0x7f7f, 0x7f7f7f, 0x7f7f7f7f
	};
	static const uint32_t signs[] = {
		0, 1 << 6, 1 << 13, 1 << 20, 1 << 27
	};
	uint32_t bits = dmt_get_le32(in) & kept[size];

	bits -= (bits & 0x7f007f00) >> 1;
	bits = (bits & 0x3fff) | bits >> 16 << 14;
	return !is_signed ? bits :
	    (uint64_t)(int64_t)(int32_t)((bits ^ signs[size]) - signs[size]);
}

static inline uint64_t
dmt_leb_get_8(const uint8_t *in, unsigned size, bool is_signed)
{
	const uint64_t sign = is_signed ? UINT64_C(1) << (7 * size - 1) : 0;
	uint64_t bits = dmt_get_le64(in) & UINT64_MAX >> (64 - 8 * size);

	bits = (bits & UINT64_C(0x007f007f007f007f)) |
	    (bits & UINT64_C(0x7f007f007f007f00)) >> 1;
	bits = (bits & UINT64_C(0x00003fff00003fff)) |
	    (bits & UINT64_C(0x3fff00003fff0000)) >> 2;
	bits = (bits & UINT64_C(0x000000000fffffff)) |
	    (bits & UINT64_C(0x0fffffff00000000)) >> 4;
	return (bits ^ sign) - sign;
}

/* Encode value in as few bytes as possible. At out is room for DMT_LEB_MAX.
 * Return the end of the bytes. */
static inline uint8_t *
dmt_uleb_put(uint8_t *out, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*out++ = (uint8_t)(value | 0x80);
	*out++ = (uint8_t)value;
	return out;
}

/* As for decoding, with no branch for each byte: 8 bytes are written, those
 * after the end with zeros, unless there are more. */
static inline uint8_t *
dmt_sleb_put(uint8_t *out, uint64_t value)
{
	const uint64_t sign = value >> 63 != 0 ? UINT64_MAX : 0;
	const unsigned size =
	    ((unsigned)dmt_last_bit((value ^ sign) | 1) + 8) / 7;

	if (size > 8) {
		/* -64 to 63 fit in one byte. */
		for (; value + 64 >= 128; value = value >> 7 | sign << 57)
			*out++ = (uint8_t)(value | 0x80);
		*out++ = (uint8_t)(value & 0x7f);
		return out;
	}
	const uint64_t kept = UINT64_MAX >> (64 - 8 * size);
	uint64_t bytes = (value & UINT64_C(0x000000000fffffff)) |
	    (value & UINT64_C(0x00fffffff0000000)) << 4;
	bytes = (bytes & UINT64_C(0x00003fff00003fff)) |
	    (bytes & UINT64_C(0x0fffc0000fffc000)) << 2;
	bytes = (bytes & UINT64_C(0x007f007f007f007f)) |
	    (bytes & UINT64_C(0x3f803f803f803f80)) << 1;
	dmt_put_le64(out, (bytes & kept) |
	    (kept >> 8 & UINT64_C(0x8080808080808080)));
	return out + size;
}

#endif
