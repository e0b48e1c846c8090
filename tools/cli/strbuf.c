/* strbuf.c - a growing text */

#include "cli/strbuf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
grow_strbuf(struct strbuf *buffer, size_t need)
{
	size_t capacity = buffer->capacity < 256 ? 256 : buffer->capacity;

	while (capacity < need) {
		if (capacity > SIZE_MAX / 2)
			return false;
		capacity *= 2;
	}
	char *grown = realloc(buffer->bytes, capacity);
	if (grown == NULL)
		return false;
	buffer->bytes = grown;
	buffer->capacity = capacity;
	return true;
}

/* Returns space for len more bytes; NULL: no memory. */
static char *
reserve_strbuf(struct strbuf *buffer, size_t len)
{
	if (len > SIZE_MAX - buffer->len ||
	    (buffer->len + len > buffer->capacity &&
	    !grow_strbuf(buffer, buffer->len + len)))
		buffer->failed = true;
	return buffer->failed ? NULL : buffer->bytes + buffer->len;
}

void
strbuf_put(struct strbuf *buffer, const char *bytes, size_t len)
{
	char *room = len == 0 ? NULL : reserve_strbuf(buffer, len);

	if (room == NULL)
		return;
	memcpy(room, bytes, len);
	buffer->len += len;
}

void
strbuf_string(struct strbuf *buffer, const char *string)
{
	strbuf_put(buffer, string, strlen(string));
}

void
strbuf_printf(struct strbuf *buffer, const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	strbuf_string(buffer, line);
}

void
strbuf_text(struct strbuf *buffer, escape_fn *text, const char *bytes,
    size_t len)
{
	char *room = len > (SIZE_MAX - 2) / ESCAPE_GROWTH ? NULL :
	    reserve_strbuf(buffer, len * ESCAPE_GROWTH + 2);

	if (room == NULL)
		buffer->failed = true;
	else
		buffer->len = (size_t)(text(room, len == 0 ? "" : bytes,
		    len) - buffer->bytes);
}

/* Returns true for the first byte of a UTF-8 character, which takes a
 * column. */
static bool
begins_column(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

static size_t
count_columns(const struct strbuf *buffer, size_t begin, size_t end)
{
	size_t columns = 0;

	for (size_t i = begin; i < end; i++)
		columns += begins_column(buffer->bytes[i]);
	return columns;
}

/* The end of a name is more informative than its beginning, and both more than
 * the signature. */
void
strbuf_cut(struct strbuf *buffer, size_t begin, size_t columns)
{
	static const char dots[] = "...";
	const size_t dots_len = sizeof(dots) - 1;

	if (columns <= dots_len || buffer->failed ||
	    count_columns(buffer, begin, buffer->len) <= columns)
		return;
	const char *const signature = memchr(buffer->bytes + begin, '(',
	    buffer->len - begin);
	if (signature != NULL && signature > buffer->bytes + begin) {
		const size_t end = (size_t)(signature - buffer->bytes);
		size_t used = count_columns(buffer, begin, end);

		buffer->len = end;
		if (used + dots_len <= columns) {
			size_t kept = end;

			while (used < columns - dots_len)
				used += begins_column(buffer->bytes[++kept]);
			memcpy(buffer->bytes + kept, dots, dots_len);
			buffer->len = kept + dots_len;
		}
		if (used <= columns)
			return;
	}
	size_t kept = buffer->len;
	for (size_t left = columns - dots_len; left > 0; )
		left -= begins_column(buffer->bytes[--kept]);
	memcpy(buffer->bytes + begin, dots, dots_len);
	memmove(buffer->bytes + begin + dots_len, buffer->bytes + kept,
	    buffer->len - kept);
	buffer->len -= kept - begin - dots_len;
}

void
strbuf_fini(struct strbuf *buffer)
{
	free(buffer->bytes);
	*buffer = (struct strbuf){ 0 };
}
