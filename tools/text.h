/* text.h - names of any bytes, for terminals and for other programs */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>

/* What a form makes of one byte at most: a JSON "\u001b". */
#define TEXT_GROWTH 6

/*
 * Each writes len bytes to out, which has room for TEXT_GROWTH times as many
 * and 2 more, and returns the end of what it wrote. There is no NUL.
 *
 * message  bytes of invalid UTF-8, and of characters that control a terminal,
 *          break the line or turn the direction of writing, as \t \n \xNN
 * plain    the same, and \ as \\: text and TSV
 * csv      quoted as RFC 4180 says, if need be
 * json     a string with its quotes; bytes of invalid UTF-8 become U+FFFD
 */
typedef char *
text_fn(char *out, const char *bytes, size_t len);

text_fn text_message;
text_fn text_plain;
text_fn text_csv;
text_fn text_json;

#endif
