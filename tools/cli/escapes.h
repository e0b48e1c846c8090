/* escapes.h - names of any bytes, for terminals and for other programs */
#ifndef ESCAPES_H
#define ESCAPES_H

#include <stddef.h>

/* What a form makes of one byte at most: a JSON "\u001b". */
#define ESCAPE_GROWTH 6

/*
 * Each writes len bytes to out, which has room for ESCAPE_GROWTH times as many
 * and 2 more, and returns the end of what it wrote. There is no NUL.
 *
 * message  bytes of invalid UTF-8, and of characters that control a terminal,
 *          break the line or turn the direction of writing, as \t \n \xNN
 * plain    the same, and \ as \\: text and TSV
 * csv      quoted as RFC 4180 says, if need be
 * json     a string with its quotes; bytes of invalid UTF-8 become U+FFFD
 */
typedef char *
escape_fn(char *out, const char *bytes, size_t len);

escape_fn escape_message;
escape_fn escape_plain;
escape_fn escape_csv;
escape_fn escape_json;

#endif
