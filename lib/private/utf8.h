/* utf8.h - strict UTF-8, one character at a time */
/* layer: base */
#ifndef DMT_PRIVATE_UTF8_H
#define DMT_PRIVATE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Returns the length in bytes of the first character of len bytes, and sets
 * *code; 0 if it is invalid: an overlong form, a surrogate (so the MUTF-8 of
 * dex files is not accepted), or above U+10FFFF.
 */
size_t
dmt_utf8_decode(uint32_t *code, const char *bytes, size_t len);

/* Returns true if all len bytes are UTF-8. */
bool
dmt_utf8_valid(const char *bytes, size_t len);

/* Returns true for a character that controls a terminal, ends a line or
 * changes the direction of writing: such characters in names are never
 * printed. */
bool
dmt_utf8_is_unsafe(uint32_t code);

#endif
