/* escape.h - names of arbitrary bytes as text that is safe to print */
#ifndef DMT_BASE_ESCAPE_H
#define DMT_BASE_ESCAPE_H

#include <stddef.h>

/* A buffer for dmt_escape that is enough for most names; longer ones end in
 * "...". */
#define DMT_ESCAPED_MAX 64

/*
 * Writes len bytes to out as text with a NUL: control bytes, '\' and bytes of
 * invalid UTF-8 become \t \n \r \\ \xNN. size is the size of out; a text that
 * does not fit ends in "...". Returns out.
 */
const char *
dmt_escape(char *out, size_t size, const char *bytes, size_t len);

/*
 * Writes to out, where len bytes fit, what a text was before it was escaped
 * for an export: "\\\\" and "\xNN" become one byte. A text with another '\'
 * was not escaped and is copied. Returns the length.
 */
size_t
dmt_unescape(char *out, const char *bytes, size_t len);

/* The size of a buffer for dmt_escape_front. */
#define DMT_FRONT_MAX 33

/* Escapes the first 8 bytes, or all if there are fewer, for messages about
 * malformed input. Returns out. */
const char *
dmt_escape_front(char out[DMT_FRONT_MAX], const void *bytes, size_t len);

/* The longest result of dmt_escape_first: a byte as "\xNN", or one UTF-8
 * character. */
#define DMT_UNIT_MAX 4

/* Escapes the first character, or the first byte if it is invalid, of len
 * bytes. Writes the result to unit without a NUL and its length to *used.
 * Returns how many bytes of the input it stands for. */
size_t
dmt_escape_first(char unit[DMT_UNIT_MAX + 1], size_t *used,
    const char *bytes, size_t len);

#endif
