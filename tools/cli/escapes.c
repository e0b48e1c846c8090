/* escapes.c - escapes names for terminals and for other programs */

#include "cli/escapes.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "private/utf8.h"

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

/* Copies the leading bytes that all forms but CSV leave unchanged: most of a
 * name. */
static char *
append_simple(char *out, const char **bytes, const char *end)
{
	const char *at = *bytes;

	while (at < end && *at >= ' ' && *at <= '~' && *at != '\\' &&
	    *at != '"')
		at++;
	out = append_bytes(out, *bytes, (size_t)(at - *bytes));
	*bytes = at;
	return out;
}

/* Escapes bytes that are invalid, or belong to an unsafe character. The bytes
 * of such a character after the first one are invalid by themselves, so they
 * are escaped, too. */
static char *
escape_bytes(char *out, const char *bytes, size_t len, bool backslash)
{
	const char *const end = bytes + len;

	while ((out = append_simple(out, &bytes, end), bytes < end)) {
		uint32_t code;
		const size_t size = dmt_utf8_decode(&code, bytes,
		    (size_t)(end - bytes));

		if (size == 0 || dmt_utf8_is_unsafe(code) ||
		    (backslash && code == '\\')) {
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

char *
escape_json(char *out, const char *bytes, size_t len)
{
	const char *const end = bytes + len;

	*out++ = '"';
	while ((out = append_simple(out, &bytes, end), bytes < end)) {
		uint32_t code;
		const size_t size = dmt_utf8_decode(&code, bytes,
		    (size_t)(end - bytes));

		if (size == 0) {
			out = append_bytes(out, "\xef\xbf\xbd", 3);
			bytes++;
			continue;
		}
		if (code == '"' || code == '\\')
			*out++ = '\\';
		if (dmt_utf8_is_unsafe(code))
			out += sprintf(out, "\\u%04x", (unsigned)code);
		else
			out = append_bytes(out, bytes, size);
		bytes += size;
	}
	*out++ = '"';
	return out;
}

void
escape_put(struct dmt_output *output, escape_fn *escape, const char *bytes,
    size_t len)
{
	char *const room = len > (SIZE_MAX - 2) / ESCAPE_GROWTH ? NULL :
	    dmt_output_reserve(output, len * ESCAPE_GROWTH + 2);

	if (room == NULL)
		dmt_output_fail_memory(output);
	else
		dmt_output_advance(output, (size_t)(escape(room,
		    len == 0 ? "" : bytes, len) - room));
}
