/* number.h - the numbers of a key, as leniently as they can be read */
#ifndef DMT_KEY_NUMBER_H
#define DMT_KEY_NUMBER_H

#include "key/text.h"

/*
 * The number below "*version" and thread ids: decimal. *odd tells that there
 * are blanks around it, 0x or needless zeros before it. false: no number
 * below 2^32.
 */
bool
dmt_number_decode(uint32_t *value, bool *odd, struct dmtrace_text text);

/*
 * Method ids: hexadecimal with 0x, or 0. *odd tells that there are blanks
 * around it or that it is another form: decimal, octal (a 0 first),
 * hexadecimal without 0x (a letter in it), or "(nil)". false: none of them,
 * or not below 2^64.
 */
bool
dmt_method_id_decode(uint64_t *id, bool *odd, struct dmtrace_text text);

/* Line numbers, which may be negative; never DMTRACE_NO_LINE. false: no such
 * number. */
bool
dmt_line_number_decode(int32_t *line, struct dmtrace_text text);

#endif
