/* view_page.h - what pages consist of beside their traces, and their numbers */
#ifndef DMT_EXPORT_VIEW_PAGE_H
#define DMT_EXPORT_VIEW_PAGE_H

#include <dmtrace/trace.h>
#include <stdint.h>
#include <stdlib.h>

#include "private/sink.h"

/*
 * A page is a head, with the style and a title; a script element of type
 * application/json and class "trace" for each trace; elements of type
 * text/plain with its numbers, as export_view.c has them; and the script,
 * which reads them all.
 */

/* Style and script, made of lib/export/view/: lines, up to NULL. */
extern const char *const dmt_view_style[];
extern const char *const dmt_view_script[];

void
dmt_view_put_begin(struct dmt_sink *sink, const char *title);

void
dmt_view_put_end(struct dmt_sink *sink);

/* Puts a string of JSON, with its quotes. */
void
dmt_view_put_string(struct dmt_sink *sink, struct dmtrace_text string);

/* Begins the element with a thread's steps or sums; </script> ends it. */
void
dmt_view_put_text(struct dmt_sink *sink, const char *what,
    uint64_t trace, size_t thread);

/* Numbers are digits of base 92, from ' ' to '|' without '<'. One of the lower
 * 60 ends a number; those before it stand for 32 values each. */
#define DMT_VIEW_NUMBER_MAX 14		/* characters */

static inline char *
dmt_view_code(char *at, uint64_t number)
{
	unsigned digits[DMT_VIEW_NUMBER_MAX];
	size_t count = 0;

	digits[count++] = (unsigned)(number % 60);
	for (number /= 60; number > 0; number /= 32)
		digits[count++] = 60 + (unsigned)(number % 32);
	while (count > 0) {
		const unsigned digit = digits[--count];

		*at++ = (char)(' ' + digit + (digit >= '<' - ' '));
	}
	return at;
}

/* A signed number, modulo 2^64, for dmt_view_code. */
static inline uint64_t
dmt_view_fold(uint64_t number)
{
	return number << 1 ^ (number >> 63 ? UINT64_MAX : 0);
}

/* One of the sums: calls of a path, whose parent is a sum before it; word is
 * the method's index + 1, 0 of the first sum, which is the top. */
void
dmt_view_put_sum(struct dmt_sink *sink, uint64_t parent, uint64_t word,
    uint64_t calls, const uint64_t exclusive[2]);

#endif
