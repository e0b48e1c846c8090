/* foreign_number.h - the numbers of a key, as other programs read them */
#ifndef DMT_KEY_FOREIGN_NUMBER_H
#define DMT_KEY_FOREIGN_NUMBER_H

#include "key/text.h"

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
