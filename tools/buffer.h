/* buffer.h - text in memory that grows as it is put together */
#ifndef BUFFER_H
#define BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "msg.h"
#include "text.h"

/* Zero is a valid, empty buffer. Once there is no memory, failed stays true
 * and nothing more is put. */
struct buffer {
	char *bytes;
	size_t len;
	size_t capacity;
	bool failed;
};

void
buffer_put(struct buffer *buffer, const char *bytes, size_t len);

void
buffer_string(struct buffer *buffer, const char *string);

void
buffer_printf(struct buffer *buffer, const char *format, ...)
    MSG_PRINTF(2, 3);

/* Puts len bytes as text makes them. */
void
buffer_text(struct buffer *buffer, text_fn *text, const char *bytes,
    size_t len);

void
buffer_fini(struct buffer *buffer);

#endif
