/* escapes.c - names of any bytes, for terminals and for other programs */

#include "cli/escapes.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Well-formed UTF-8 beyond ASCII, as the Unicode standard lists it. */
static const struct {
	unsigned char first_min, first_max;
	unsigned char second_min, second_max;
	unsigned char size;
} sequences[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 },
	{ 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 },
	{ 0xee, 0xef, 0x80, 0xbf, 3 },
	{ 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 },
	{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

static bool
is_byte_within(char byte, unsigned char min, unsigned char max)
{
	return (unsigned char)byte >= min && (unsigned char)byte <= max;
}

/* Bytes of the character that comes first; 0: it is not valid UTF-8. */
static size_t
measure_character(const char *in, size_t len)
{
	if (is_byte_within(in[0], 0, 0x7f))
		return 1;
	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
		const size_t size = sequences[i].size;

		if (len >= size &&
		    is_byte_within(in[0], sequences[i].first_min,
		    sequences[i].first_max) &&
		    is_byte_within(in[1], sequences[i].second_min,
		    sequences[i].second_max) &&
		    (size < 3 || is_byte_within(in[2], 0x80, 0xbf)) &&
		    (size < 4 || is_byte_within(in[3], 0x80, 0xbf)))
			return size;
	}
	return 0;
}

/* The code of a valid character. */
static unsigned
decode_character(const char *in, size_t size)
{
	unsigned code = (unsigned char)in[0] & (size == 1 ? 0x7f :
	    0xff >> (size + 1));

	for (size_t i = 1; i < size; i++)
		code = code << 6 | ((unsigned char)in[i] & 0x3f);
	return code;
}

/* Characters that control a terminal, break the line or turn the direction
 * of writing. */
static bool
is_unsafe_character(unsigned code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) ||
	    code == 0x061c || code == 0x200e || code == 0x200f ||
	    (code >= 0x2028 && code <= 0x202e) ||
	    (code >= 0x2066 && code <= 0x2069);
}

static char *
append_bytes(char *out, const char *bytes, size_t len)
{
	memcpy(out, bytes, len);
	return out + len;
}

static char *
append_escaped(char *out, char byte)
{
	switch (byte) {
	case '\t': return append_bytes(out, "\\t", 2);
	case '\n': return append_bytes(out, "\\n", 2);
	case '\\': return append_bytes(out, "\\\\", 2);
	default: return out + sprintf(out, "\\x%02x", (unsigned char)byte);
	}
}

/* Copies what comes first that all forms but CSV keep: most of a name. */
static char *
append_simple(char *out, const char **bytes, const char *end)
{
	const char *at = *bytes;

	while (at < end && is_byte_within(*at, ' ', '~') && *at != '\\' &&
	    *at != '"')
		at++;
	out = append_bytes(out, *bytes, (size_t)(at - *bytes));
	*bytes = at;
	return out;
}

/* What follows an escaped first byte of a character is not valid by itself,
 * and escaped too. */
static char *
escape_bytes(char *out, const char *bytes, size_t len, bool backslash)
{
	const char *const end = bytes + len;

	while ((out = append_simple(out, &bytes, end), bytes < end)) {
		const size_t size = measure_character(bytes,
		    (size_t)(end - bytes));

		if (size == 0 || is_unsafe_character(decode_character(bytes,
		    size)) ||
		    (backslash && *bytes == '\\')) {
			out = append_escaped(out, *bytes++);
		} else {
			out = append_bytes(out, bytes, size);
			bytes += size;
		}
	}
	return out;
}

char *
escape_message(char *out, const char *bytes, size_t len)
{
	return escape_bytes(out, bytes, len, false);
}

char *
escape_plain(char *out, const char *bytes, size_t len)
{
	return escape_bytes(out, bytes, len, true);
}

char *
escape_csv(char *out, const char *bytes, size_t len)
{
	bool quoted = false;

	for (size_t i = 0; i < len; i++)
		quoted = quoted || memchr(",\"\r\n", bytes[i], 4) != NULL;
	if (!quoted)
		return append_bytes(out, bytes, len);
	*out++ = '"';
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '"')
			*out++ = '"';
		*out++ = bytes[i];
	}
	*out++ = '"';
	return out;
}

static char *
append_json(char *out, const char *in, size_t size)
{
	if (size == 0)
		return append_bytes(out, "\xef\xbf\xbd", 3);
	if (*in == '"' || *in == '\\')
		*out++ = '\\';
	else if (is_unsafe_character(decode_character(in, size)))
		return out + sprintf(out, "\\u%04x", decode_character(in,
		    size));
	return append_bytes(out, in, size);
}

char *
escape_json(char *out, const char *bytes, size_t len)
{
	const char *const end = bytes + len;

	*out++ = '"';
	while ((out = append_simple(out, &bytes, end), bytes < end)) {
		const size_t size = measure_character(bytes,
		    (size_t)(end - bytes));

		out = append_json(out, bytes, size);
		bytes += size == 0 ? 1 : size;
	}
	*out++ = '"';
	return out;
}
