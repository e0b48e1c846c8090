/* escape.c - names of arbitrary bytes as text that is safe to print */

#include "base/escape.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "private/utf8.h"

static size_t
escape_byte(char unit[DMT_UNIT_MAX + 1], unsigned char byte)
{
	static const char plain[] = "\t\n\r\\", letters[] = "tnr\\";
	const char *found = memchr(plain, byte, sizeof(plain) - 1);

	if (found == NULL)
		return (size_t)snprintf(unit, DMT_UNIT_MAX + 1, "\\x%02x",
		    byte);
	unit[0] = '\\';
	unit[1] = letters[found - plain];
	return 2;
}

size_t
dmt_escape_first(char unit[DMT_UNIT_MAX + 1], size_t *used,
    const char *bytes, size_t len)
{
	uint32_t code;
	const size_t size = dmt_utf8_decode(&code, bytes, len);

	if (size == 0 || code == '\\' ||
	    dmt_utf8_is_unsafe(code)) {
		*used = escape_byte(unit, (unsigned char)bytes[0]);
		return 1;
	}
	memcpy(unit, bytes, size);
	*used = size;
	return size;
}

const char *
dmt_escape(char *out, size_t size, const char *bytes, size_t len)
{
	static const char cut[] = "...";
	size_t end = 0, cut_at = 0;

	assert(size >= sizeof(cut));
	for (size_t i = 0; i < len;) {
		char unit[DMT_UNIT_MAX + 1];
		size_t used;
		i += dmt_escape_first(unit, &used, bytes + i, len - i);
		if (end + used >= size) {
			memcpy(out + cut_at, cut, sizeof(cut));
			return out;
		}
		memcpy(out + end, unit, used);
		end += used;
		if (end + sizeof(cut) <= size)
			cut_at = end;
	}
	out[end] = '\0';
	return out;
}

/* Returns the length of the escape at bytes, and sets *byte to what it stands
 * for; 0: none. */
static size_t
unescape_first(char *byte, const char *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	unsigned value = 0;

	if (len < 2 || bytes[0] != '\\')
		return 0;
	*byte = '\\';
	if (bytes[1] == '\\')
		return 2;
	if (len < 4 || bytes[1] != 'x')
		return 0;
	for (size_t i = 2; i < 4; i++) {
		const char *const digit =
		    memchr(digits, bytes[i], sizeof(digits) - 1);

		if (digit == NULL)
			return 0;
		value = value * 16 + (unsigned)(digit - digits);
	}
	*byte = (char)value;
	return 4;
}

size_t
dmt_unescape(char *out, const char *bytes, size_t len)
{
	size_t end = 0;

	for (size_t i = 0, used; i < len; i += used) {
		used = 1;
		out[end] = bytes[i];
		if (bytes[i] == '\\')
			used = unescape_first(&out[end], bytes + i, len - i);
		if (used == 0) {
			memcpy(out, bytes, len);
			return len;
		}
		end++;
	}
	return end;
}

const char *
dmt_escape_front(char out[DMT_FRONT_MAX], const void *bytes, size_t len)
{
	const size_t most = (DMT_FRONT_MAX - 1) / DMT_UNIT_MAX;

	return dmt_escape(out, DMT_FRONT_MAX, bytes, len < most ? len : most);
}
