/* line_text.h - parts of a line: trimming and splitting */
#ifndef DMT_KEY_LINE_TEXT_H
#define DMT_KEY_LINE_TEXT_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "private/text.h"

/* Returns true for the bytes that may be used in place of TABs. */
static inline bool
dmt_is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

/* Returns true if the text has no control characters, except TABs. */
bool
dmt_text_is_plain(struct dmtrace_text text);

/* Returns the text without leading and trailing blanks. */
struct dmtrace_text
dmt_text_trim(struct dmtrace_text text);

/* Returns the text without the bytes that String.trim() of Java removes. */
struct dmtrace_text
dmt_text_trim_java(struct dmtrace_text text);

/*
 * Splits *rest at the first separator: returns the text before it, and sets
 * *rest to the text after it. Without a separator, all of it is returned and
 * rest->bytes is NULL.
 */
struct dmtrace_text
dmt_text_cut(struct dmtrace_text *rest, char separator);

/* Returns the first word of *rest, empty if there is none, and sets *rest to
 * the text after that word and the blanks that follow it. */
struct dmtrace_text
dmt_text_word(struct dmtrace_text *rest);

#endif
