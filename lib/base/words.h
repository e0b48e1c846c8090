/* words.h - sentences of errors and findings, in the room they have */
#ifndef DMT_BASE_WORDS_H
#define DMT_BASE_WORDS_H

#include <stdarg.h>

#include "base/error.h"

/*
 * Appends to words, a string of fewer than DMTRACE_WORDS_MAX bytes. What is
 * too long is cut where a character ends, and ends in "...".
 */
void
dmt_words_add(char words[DMTRACE_WORDS_MAX], const char *format,
    va_list args) DMT_PRINTF(2, 0);

#endif
