/* escapes.h - escapes names for terminals and for other programs */
#ifndef ESCAPES_H
#define ESCAPES_H

#include <stddef.h>

#include "private/put.h"

/* The most bytes that one byte can become: "\u001b" in JSON. */
#define ESCAPE_GROWTH 6

/*
 * Each writes len bytes to out, which has space for ESCAPE_GROWTH times as
 * many plus 2, and returns the end. There is no NUL.
 *
 *   message  bytes of invalid UTF-8, and of characters that control a
 *            terminal, end a line or change the direction of writing, are
 *            written as \t \n \xNN
 *   plain    the same, and \ as \\: for text and TSV
 *   csv      quoted if necessary (RFC 4180)
 *   json     a string with its quotes; bytes of invalid UTF-8 become U+FFFD
 */
typedef char *
escape_fn(char *out, const char *bytes, size_t len);

escape_fn escape_message;
escape_fn escape_plain;
escape_fn escape_csv;
escape_fn escape_json;

/* Writes len bytes, escaped by escape, to an output to memory. */
void
escape_put(struct dmt_output *output, escape_fn *escape, const char *bytes,
    size_t len);

#endif
