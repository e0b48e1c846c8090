/* escape.h - names of any bytes, as text that is safe to print */
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

/* Enough for the first bytes of something malformed. */
#define DMT_FRONT_MAX 33

/* The first 8 of len bytes, or all, as dmt_escape writes them. */
const char *
dmt_escape_front(char out[DMT_FRONT_MAX], const void *bytes, size_t len);

/* A byte as "\xNN", or a character. */
#define DMT_UNIT_MAX 4

/* Writes the first character, or byte, of len as *used bytes to unit, which
 * gets no NUL. Returns how many of them it is. */
size_t
dmt_escape_first(char unit[DMT_UNIT_MAX + 1], size_t *used,
    const char *bytes, size_t len);

#endif
