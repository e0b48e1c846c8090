/* number.h - the numbers of a key, as they are read leniently, and elsewhere */
#ifndef DMT_KEY_NUMBER_H
#define DMT_KEY_NUMBER_H

#include "key/line_text.h"

/* Decimal digits and nothing else. false: something else, or not below
 * 2^64. */
bool
dmt_count_decode(uint64_t *value, struct dmtrace_text text);

/*
 * The number below "*version" and thread ids: decimal. *unusual: there are
 * blanks around it, or 0x or needless zeros before it. false: no number below
 * 2^32.
 */
bool
dmt_number_decode(uint32_t *value, bool *unusual, struct dmtrace_text text);

/*
 * Method ids: hexadecimal with 0x, or 0. *unusual: there are blanks around it,
 * or it has another form: decimal, octal (a 0 first), hexadecimal without 0x
 * (a letter in it), or "(nil)". false: none of them, or not below 2^64.
 */
bool
dmt_method_id_decode(uint64_t *id, bool *unusual, struct dmtrace_text text);

/* Line numbers, which may be negative; never DMTRACE_NO_LINE. false: no such
 * number. */
bool
dmt_line_number_decode(int32_t *line, struct dmtrace_text text);

/* strtoul() of C, in base 0, 10 or 16, where it leaves nothing of the text
 * (an empty one is 0). false: it leaves something. */
bool
dmt_number_of_c(uint64_t *value, struct dmtrace_text text, unsigned base);

/* Long.decode() of Java; false: a NumberFormatException. */
bool
dmt_number_of_java(int64_t *value, struct dmtrace_text text);

/* Number() of JavaScript, as far as it is a whole number below 2^64. false:
 * NaN, or another number. */
bool
dmt_number_of_js(uint64_t *value, bool *negative, struct dmtrace_text text);

#endif
