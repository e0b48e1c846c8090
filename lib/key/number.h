/* number.h - parses numbers: leniently as in a key, and as other readers do */
#ifndef DMT_KEY_NUMBER_H
#define DMT_KEY_NUMBER_H

#include "key/line_text.h"

/* Parses a text of decimal digits only. false: it has other bytes, is empty,
 * or is 2^64 or more. */
bool
dmt_count_decode(uint64_t *value, struct dmtrace_text text);

/*
 * Parses a version number or a thread id, in decimal. *unusual: it has blanks
 * around it, or a leading 0x or zeros. false: not a number below 2^32.
 */
bool
dmt_number_decode(uint32_t *value, bool *unusual, struct dmtrace_text text);

/*
 * Parses a method id: hexadecimal with 0x, or 0. *unusual: it has blanks
 * around it, or another form: decimal, octal (with a leading 0), hexadecimal
 * without 0x (with a letter in it), or "(nil)". false: none of these, or 2^64
 * or more.
 */
bool
dmt_method_id_decode(uint64_t *id, bool *unusual, struct dmtrace_text text);

/* Parses a line number, which may be negative; it is never DMTRACE_NO_LINE.
 * false: not a line number. */
bool
dmt_line_number_decode(int32_t *line, struct dmtrace_text text);

/* Does what strtoul() of C does in base 0, 10 or 16; an empty text is 0.
 * false: strtoul would stop before the end of the text. */
bool
dmt_number_of_c(uint64_t *value, struct dmtrace_text text, unsigned base);

/* Does what Long.decode() of Java does. false: it would throw. */
bool
dmt_number_of_java(int64_t *value, struct dmtrace_text text);

/* Does what Number() of JavaScript does, for whole numbers below 2^64. false:
 * the result is NaN or another number. */
bool
dmt_number_of_js(uint64_t *value, bool *negative, struct dmtrace_text text);

#endif
