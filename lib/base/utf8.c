/* utf8.c - one character of strict UTF-8 at a time */

#include "base/utf8.h"

#include <string.h>

/* By the number of bytes: the leading byte's fixed bits, and the smallest
 * code that needs so many. */
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

static bool
is_character(uint32_t code)
{
	return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/* The code of the size bytes at in; UINT32_MAX if they are not of the form. */
static uint32_t
assemble(const uint8_t *in, size_t size)
{
	uint32_t code = in[0] & (uint8_t)~forms[size - 1].mask;

	for (size_t i = 1; i < size; i++) {
		if ((in[i] & 0xc0) != 0x80)
			return UINT32_MAX;
		code = code << 6 | (in[i] & 0x3f);
	}
	return code < forms[size - 1].smallest ? UINT32_MAX : code;
}

size_t
dmt_utf8_decode(uint32_t *code, const char *bytes, size_t len)
{
	const uint8_t *in = (const uint8_t *)bytes;

	for (size_t size = 1; size <= FORMS && size <= len; size++) {
		if ((in[0] & forms[size - 1].mask) != forms[size - 1].lead)
			continue;
		const uint32_t found = assemble(in, size);
		if (!is_character(found))
			return 0;
		*code = found;
		return size;
	}
	return 0;
}

/* Bytes of ASCII at the beginning, eight at a time. */
static size_t
ascii(const char *bytes, size_t len)
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
	for (size_t i = ascii(bytes, len); i < len;) {
		uint32_t code;
		const size_t size = dmt_utf8_decode(&code, bytes + i, len - i);
		if (size == 0)
			return false;
		i += size;
	}
	return true;
}
