/* utf8.c - strict UTF-8, one character at a time */

#include "private/utf8.h"

#include <string.h>

/* One row per length: the fixed bits of the first byte, and the smallest
 * character of that length. */
static const struct form {
	uint8_t mask;
	uint8_t lead;
	uint32_t smallest;
} forms[] = {
	{ 0x80, 0x00, 0x0 },
	{ 0xe0, 0xc0, 0x80 },
	{ 0xf0, 0xe0, 0x800 },
	{ 0xf8, 0xf0, 0x10000 },
};

#define FORMS (sizeof(forms) / sizeof(forms[0]))

size_t
dmt_utf8_decode(uint32_t *code, const char *bytes, size_t len)
{
	const uint8_t *const in = (const uint8_t *)bytes;
	size_t size = 1;

	while (size <= FORMS && size <= len &&
	    (in[0] & forms[size - 1].mask) != forms[size - 1].lead)
		size++;
	if (size > FORMS || size > len)
		return 0;
	uint32_t found = in[0] & (uint8_t)~forms[size - 1].mask;
	for (size_t i = 1; i < size; i++) {
		if ((in[i] & 0xc0) != 0x80)
			return 0;
		found = found << 6 | (in[i] & 0x3f);
	}
	if (found < forms[size - 1].smallest || found > 0x10ffff ||
	    (found >= 0xd800 && found <= 0xdfff))
		return 0;
	*code = found;
	return size;
}

/* Skips leading ASCII bytes, eight at a time. */
static size_t
skip_ascii(const char *bytes, size_t len)
{
	size_t i = 0;

	for (uint64_t eight; i + sizeof(eight) <= len; i += sizeof(eight)) {
		memcpy(&eight, bytes + i, sizeof(eight));
		if ((eight & UINT64_C(0x8080808080808080)) != 0)
			break;
	}
	return i;
}

bool
dmt_utf8_valid(const char *bytes, size_t len)
{
	for (size_t i = skip_ascii(bytes, len); i < len;) {
		uint32_t code;
		const size_t size = dmt_utf8_decode(&code, bytes + i, len - i);
		if (size == 0)
			return false;
		i += size;
	}
	return true;
}

bool
dmt_utf8_is_unsafe(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x0000, 0x001f },
		{ 0x007f, 0x009f },
		{ 0x061c, 0x061c },
		{ 0x200e, 0x200f },
		{ 0x2028, 0x202e },
		{ 0x2066, 0x2069 },
	};

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	return false;
}
