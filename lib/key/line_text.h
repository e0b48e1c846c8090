/* line_text.h - pieces of a line: words, fields, blanks */
#ifndef DMT_KEY_LINE_TEXT_H
#define DMT_KEY_LINE_TEXT_H

#include <dmtrace/key.h>
#include <stdbool.h>

#include "private/text.h"

/* Whether the byte separates words where TABs should be. */
static inline bool
dmt_is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

/* Returns the text without the blanks before and after it. */
struct dmtrace_text
dmt_text_trim(struct dmtrace_text text);

/*
 * Cuts *rest at the first separator: returns what is before it and leaves
 * what follows it. Without one all of it is returned and rest->bytes is NULL.
 */
struct dmtrace_text
dmt_text_cut(struct dmtrace_text *rest, char separator);

/* The first word of *rest, empty if it has none; leaves what follows the word
 * and the blanks around it. */
struct dmtrace_text
dmt_text_word(struct dmtrace_text *rest);

#endif
