/* escape.h - names of any bytes, in words that are safe to print */
#ifndef DMT_BASE_ESCAPE_H
#define DMT_BASE_ESCAPE_H

#include <stddef.h>

/* Enough for most names; a longer one is cut and ends in "...". */
#define DMT_ESCAPED_MAX 64

/*
 * Writes len bytes as text to out, of which size are writable, with a NUL:
 * control bytes, '\' and bytes of invalid UTF-8 as \t \n \r \\ \xNN. Returns
 * out.
 */
const char *
dmt_escape(char *out, size_t size, const char *bytes, size_t len);

#endif
