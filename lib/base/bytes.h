/* bytes.h - little-endian numbers in byte arrays; the only access to them */
#ifndef DMT_BASE_BYTES_H
#define DMT_BASE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The loops over records need a single store per number. Compilers combine
 * byte stores into one, too, but not if other stores are next to them. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DMT_IS_LITTLE 1
#else
#define DMT_IS_LITTLE 0
#endif

static inline uint16_t
dmt_get_le16(const uint8_t *in)
{
	return (uint16_t)(in[0] | in[1] << 8);
}

static inline uint32_t
dmt_get_le32(const uint8_t *in)
{
	return (uint32_t)in[0] | (uint32_t)in[1] << 8 |
	    (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

static inline uint64_t
dmt_get_le64(const uint8_t *in)
{
	return dmt_get_le32(in) | (uint64_t)dmt_get_le32(in + 4) << 32;
}

/* width is 1, 2, 3, 4 or 8 bytes, or 0 for a missing field, which reads as
 * 0. */
static inline uint64_t
dmt_get_le(const uint8_t *in, unsigned width)
{
	switch (width) {
	case 1: return in[0];
	case 2: return dmt_get_le16(in);
	case 3: return dmt_get_le16(in) | (uint32_t)in[2] << 16;
	case 4: return dmt_get_le32(in);
	case 8: return dmt_get_le64(in);
	default: return 0;
	}
}

static inline void
dmt_put_le16(uint8_t *out, uint16_t value)
{
	if (DMT_IS_LITTLE) {
		memcpy(out, &value, sizeof(value));
		return;
	}
	out[0] = (uint8_t)value;
	out[1] = (uint8_t)(value >> 8);
}

static inline void
dmt_put_le32(uint8_t *out, uint32_t value)
{
	if (DMT_IS_LITTLE) {
		memcpy(out, &value, sizeof(value));
		return;
	}
	dmt_put_le16(out, (uint16_t)value);
	dmt_put_le16(out + 2, (uint16_t)(value >> 16));
}

static inline void
dmt_put_le64(uint8_t *out, uint64_t value)
{
	if (DMT_IS_LITTLE) {
		memcpy(out, &value, sizeof(value));
		return;
	}
	dmt_put_le32(out, (uint32_t)value);
	dmt_put_le32(out + 4, (uint32_t)(value >> 32));
}

/* The reverse of dmt_get_le: stores the low bytes of value, none if width is
 * 0. */
static inline void
dmt_put_le(uint8_t *out, unsigned width, uint64_t value)
{
	switch (width) {
	case 1: out[0] = (uint8_t)value; break;
	case 2: dmt_put_le16(out, (uint16_t)value); break;
	case 3:
		dmt_put_le16(out, (uint16_t)value);
		out[2] = (uint8_t)(value >> 16);
		break;
	case 4: dmt_put_le32(out, (uint32_t)value); break;
	case 8: dmt_put_le64(out, value); break;
	default: break;
	}
}

/* Returns true if value fits in width bytes. */
static inline bool
dmt_fits(unsigned width, uint64_t value)
{
	return width >= 8 || value >> (8 * width) == 0;
}

/* Returns the number of the lowest bit that is set in value, which is not 0. */
static inline int
dmt_first_bit(uint64_t value)
{
#if defined(__GNUC__)
	return __builtin_ctzll(value);
#else
	int bit = 0;

	while ((value >> bit & 1) == 0)
		bit++;
	return bit;
#endif
}

/* The same for the highest bit. */
static inline int
dmt_last_bit(uint64_t value)
{
#if defined(__GNUC__)
	return 63 - __builtin_clzll(value);
#else
	int bit = 63;

	while ((value >> bit & 1) == 0)
		bit--;
	return bit;
#endif
}

/* Copies len bytes; unlike for memcpy, bytes may be NULL if len is 0. Returns
 * the end of the copy. */
static inline uint8_t *
dmt_put_bytes(uint8_t *out, const void *bytes, size_t len)
{
	if (len > 0)
		memcpy(out, bytes, len);
	return out + len;
}

#endif
