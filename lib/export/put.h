/* put.h - words, numbers and names of any bytes, to a sink */
#ifndef DMT_EXPORT_PUT_H
#define DMT_EXPORT_PUT_H

#include <dmtrace/profile.h>
#include <dmtrace/trace.h>
#include <string.h>

#include "base/error.h"
#include "private/sink.h"

/* The text around a name. */
enum dmt_put_form {
	DMT_PUT_DOT,			/* a label between quotes */
	DMT_PUT_DOT_CLASS,		/* the same; of a class: p.A for p/A */
	DMT_PUT_HTML,			/* text */
	DMT_PUT_JSON,			/* a string between quotes, in HTML */
	DMT_PUT_TEXT,			/* the rest of a line */
	DMT_PUT_FRAME			/* one of a path, with ; between them */
};

void
dmt_put(struct dmt_sink *sink, const char *string);

/* Puts each of the strings up to NULL, with a line end. */
void
dmt_put_lines(struct dmt_sink *sink, const char *const *lines);

/* Puts what printf would, 127 bytes at most; no floating point, which depends
 * on the locale. */
void
dmt_put_format(struct dmt_sink *sink, const char *format, ...)
    DMT_PRINTF(2, 3);

/* Puts as many characters as max bytes hold, then "..." if these are not all.
 * */
void
dmt_put_name(struct dmt_sink *sink, enum dmt_put_form form,
    struct dmtrace_text name, size_t max);

/* class.name, each of at most max bytes. */
void
dmt_put_method(struct dmt_sink *sink, enum dmt_put_form form,
    const struct dmtrace_profile_method *method, size_t max);

/* So many tenths or hundredths as a number with decimals, rounded: a half goes
 * away from zero. in_one is 10 or 100. */
void
dmt_put_parts(struct dmt_sink *sink, double parts, unsigned in_one);

/* Writes a number to at, where 20 bytes fit; returns where it ends. Digits are
 * stored two at a time, and where they stay: a copy of what was just stored in
 * pieces stalls the processor. Formats are numbers for the most part. */
static inline char *
dmt_put_uint(char *at, uint64_t number)
{
	static const char pairs[] =
	    "00010203040506070809101112131415161718192021222324"
	    "25262728293031323334353637383940414243444546474849"
	    "50515253545556575859606162636465666768697071727374"
	    "75767778798081828384858687888990919293949596979899";
	unsigned digits = 1;

	for (uint64_t limit = 10; number >= limit && digits < 20; limit *= 10)
		digits++;
	char *const end = at + digits;
	for (at = end; number >= 100; number /= 100)
		memcpy(at -= 2, pairs + number % 100 * 2, 2);
	if (number >= 10)
		memcpy(at - 2, pairs + number * 2, 2);
	else
		at[-1] = (char)('0' + number);
	return end;
}

/* A number of parts, of which in_one, a power of ten, are 1: 1500 of 1000 as
 * 1.5, 2000 as 2. 24 bytes fit. */
static inline char *
dmt_put_decimal(char *at, uint64_t number, uint64_t in_one)
{
	uint64_t rest = number % in_one;

	at = dmt_put_uint(at, number / in_one);
	if (rest > 0)
		*at++ = '.';
	while (rest > 0) {
		in_one /= 10;
		*at++ = (char)('0' + rest / in_one);
		rest %= in_one;
	}
	return at;
}

/* "1 thread", "2 threads". */
void
dmt_put_count(struct dmt_sink *sink, uint64_t count, const char *what);

/* Puts a duration as dmt_duration_format has it: "987 ms". */
void
dmt_put_duration(struct dmt_sink *sink, int64_t ns);

/* "66.7 %", rounded; of nothing, 0. */
void
dmt_put_share(struct dmt_sink *sink, int64_t part, int64_t whole);

#endif
