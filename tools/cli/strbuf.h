/* strbuf.h - a growing text */
#ifndef STRBUF_H
#define STRBUF_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/escapes.h"
#include "cli/msg.h"

/* A zeroed struct is a valid, empty buffer. If memory runs out, failed is set,
 * and nothing more is added. */
struct strbuf {
	char *bytes;
	size_t len;
	size_t capacity;
	bool failed;
};

void
strbuf_put(struct strbuf *buffer, const char *bytes, size_t len);

void
strbuf_string(struct strbuf *buffer, const char *string);

void
strbuf_printf(struct strbuf *buffer, const char *format, ...)
    MSG_PRINTF(2, 3);

/* Adds len bytes, escaped by text. */
void
strbuf_text(struct strbuf *buffer, escape_fn *text, const char *bytes,
    size_t len);

/*
 * Shortens the text from begin on, a line without its line end, to that many
 * columns of a terminal: first its signature, from "(" on, which then ends
 * with "..." or is removed, then its beginning, which becomes "...". 0
 * columns: it is not shortened.
 */
void
strbuf_cut(struct strbuf *buffer, size_t begin, size_t columns);

void
strbuf_fini(struct strbuf *buffer);

#endif
