/* utf8.h - one character of strict UTF-8 at a time */
#ifndef DMT_PRIVATE_UTF8_H
#define DMT_PRIVATE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * How many of the len bytes are the first character, whose code is then in
 * *code; 0 if they begin with none: no overlong form, no surrogate (so not
 * the MUTF-8 of a dex file), nothing past U+10FFFF.
 */
size_t
dmt_utf8_decode(uint32_t *code, const char *bytes, size_t len);

/* Whether all of it is UTF-8. */
bool
dmt_utf8_valid(const char *bytes, size_t len);

/* Whether a character controls a terminal, ends the line or turns the direction
 * of writing: no name may send it to a terminal. */
bool
dmt_utf8_is_unsafe(uint32_t code);

#endif
