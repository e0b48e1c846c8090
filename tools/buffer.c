/* buffer.c - text in memory that grows as it is put together */

#include "buffer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for len more bytes, NULL if there is none. */
static char *
reserve(struct buffer *buffer, size_t len)
{
	size_t capacity = buffer->capacity < 256 ? 256 : buffer->capacity;

	while (capacity - buffer->len < len && capacity <= SIZE_MAX / 2)
		capacity *= 2;
	if (capacity != buffer->capacity && !buffer->failed) {
		char *grown = capacity - buffer->len < len ? NULL :
		    realloc(buffer->bytes, capacity);

		buffer->failed = grown == NULL;
		if (grown != NULL) {
			buffer->bytes = grown;
			buffer->capacity = capacity;
		}
	}
	return buffer->failed ? NULL : buffer->bytes + buffer->len;
}

void
buffer_put(struct buffer *buffer, const char *bytes, size_t len)
{
	char *room = reserve(buffer, len);

	if (room == NULL)
		return;
	memcpy(room, bytes, len);
	buffer->len += len;
}

void
buffer_string(struct buffer *buffer, const char *string)
{
	buffer_put(buffer, string, strlen(string));
}

void
buffer_printf(struct buffer *buffer, const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	buffer_string(buffer, line);
}

void
buffer_text(struct buffer *buffer, text_fn *text, const char *bytes,
    size_t len)
{
	char *room = len > (SIZE_MAX - 2) / TEXT_GROWTH ? NULL :
	    reserve(buffer, len * TEXT_GROWTH + 2);

	if (room == NULL)
		buffer->failed = true;
	else
		buffer->len = (size_t)(text(room, len == 0 ? "" : bytes,
		    len) - buffer->bytes);
}

void
buffer_fini(struct buffer *buffer)
{
	free(buffer->bytes);
	*buffer = (struct buffer){ 0 };
}
