/* strbuf.h - text in memory that grows as it is put together */
#ifndef STRBUF_H
#define STRBUF_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/escapes.h"
#include "cli/msg.h"

/* Zero is a valid, empty buffer. Once there is no memory, failed stays true
 * and nothing more is put. */
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

/* Puts len bytes as text makes them. */
void
strbuf_text(struct strbuf *buffer, escape_fn *text, const char *bytes,
    size_t len);

/* Cuts the text from begin on, which is the end of a line without its line
 * end, to so many columns of a terminal: first its signature, from "(" on,
 * which then ends with "..." or is missing, then its beginning, which becomes
 * "...".
 * 0 columns: it stays whole. */
void
strbuf_cut(struct strbuf *buffer, size_t begin, size_t columns);

void
strbuf_fini(struct strbuf *buffer);

#endif
