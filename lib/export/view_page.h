/* view_page.h - the parts of a page around its traces; encoded numbers */
#ifndef DMT_EXPORT_VIEW_PAGE_H
#define DMT_EXPORT_VIEW_PAGE_H

#include <dmtrace/trace.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "private/output.h"

/*
 * A page consists of a head, with the style and a title; a script element of
 * type application/json and class "trace" for each trace; elements of type
 * text/plain with its numbers, as described in export_view.c; and the script,
 * which reads all of these.
 */

/* Style and script, generated from lib/export/view/: lines, ended by NULL. */
extern const char *const dmt_view_style[];
extern const char *const dmt_view_script[];

void
dmt_view_put_begin(struct dmt_output *out, const char *title);

void
dmt_view_put_end(struct dmt_output *out);

/* Writes a JSON string with its quotes. */
void
dmt_view_put_string(struct dmt_output *out, struct dmtrace_text string);

/* Begins the element of a text of a trace; </script> ends it. If threads have
 * texts, they are lines of it. */
void
dmt_view_put_text(struct dmt_output *out, const char *what, uint64_t trace);

/* Numbers are digits of base 92, from ' ' to '|' without '<'. One of the lower
 * 60 digits ends a number; each digit before it has one of 32 values. */
#define DMT_VIEW_NUMBER_MAX 14		/* characters */

static inline char
dmt_view_digit(unsigned digit)
{
	return (char)(' ' + digit + (digit >= '<' - ' '));
}

static inline char *
dmt_view_code(char *at, uint64_t number)
{
	uint64_t rest = number / 60;
	size_t more = 0;

	for (uint64_t left = rest; left > 0; left /= 32)
		more++;
	for (size_t i = more; i > 0; i--, rest /= 32)
		at[i - 1] = dmt_view_digit(60 + (unsigned)(rest % 32));
	at[more] = dmt_view_digit((unsigned)(number % 60));
	return at + more + 1;
}

/* Encodes a signed number, modulo 2^64, as unsigned for dmt_view_code. */
static inline uint64_t
dmt_view_fold(uint64_t number)
{
	return number << 1 ^ (number >> 63 ? UINT64_MAX : 0);
}

/* Writes one of the sums: calls of a path. parent is the number of sums from
 * that of its caller to this one; word is the method's index + 1, or 0 for
 * the sum of several paths. In the first sum, which is the top, both are 0. */
void
dmt_view_put_sum(struct dmt_output *out, uint64_t parent, uint64_t word,
    uint64_t calls, const uint64_t exclusive[2], bool partial);

#endif
