/* put.h - writes text, numbers and escaped names to an output */
/* layer: base */
#ifndef DMT_PRIVATE_PUT_H
#define DMT_PRIVATE_PUT_H

#include <stdint.h>
#include <string.h>

#include "private/output.h"
#include "private/status.h"

/* Where a name is written, which determines how it is escaped. */
enum dmt_put_form {
	DMT_PUT_DOT,			/* in quotes, in Graphviz */
	DMT_PUT_DOT_CLASS,		/* the same for a class: p/A as p.A */
	DMT_PUT_HTML,			/* text of HTML */
	DMT_PUT_JSON,			/* in quotes, in JSON inside HTML */
	DMT_PUT_TEXT,			/* up to the end of a line */
	DMT_PUT_FRAME			/* a frame of a path, separated by ; */
};

void
dmt_put(struct dmt_output *out, const char *string);

/* Writes what the other output, to memory, holds; its failure is a failure of
 * this one. */
void
dmt_put_output(struct dmt_output *out, const struct dmt_output *other);

/* Writes each string up to NULL, with a line end. */
void
dmt_put_lines(struct dmt_output *out, const char *const *lines);

/* Writes what printf would, at most 1,023 bytes. Floating point must not be
 * used, as it depends on the locale. */
void
dmt_put_format(struct dmt_output *out, const char *format, ...)
    DMT_PRINTF(2, 3);

/* Writes as many characters as fit in max bytes, and "..." if that is not
 * all. */
void
dmt_put_name(struct dmt_output *out, enum dmt_put_form form,
    struct dmtrace_text name, size_t max);

/* Writes tenths or hundredths as a number with decimals, rounded half away
 * from zero. in_one is 10 or 100. */
void
dmt_put_parts(struct dmt_output *out, double parts, unsigned in_one);

/* Writes a number to at, where 20 bytes fit; returns its end. Two digits at a
 * time are stored at their final place, as copying bytes that were just stored
 * in pieces stalls the processor. Most of the output is numbers. */
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

/* Writes number / in_one, where in_one is a power of ten: 1500 and 1000 give
 * 1.5, 2000 and 1000 give 2. 24 bytes must fit. */
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

#define DMT_FIGURE_MAX 32

/* Writes a number with thousands separators: "26,875". Returns out. */
char *
dmt_count_format(char out[DMT_FIGURE_MAX], uint64_t number);

/* Writes a share in percent with one decimal: "66.7 %"; 0 if whole is 0. Halves
 * are rounded away from zero. Returns out. */
char *
dmt_share_format(char out[DMT_FIGURE_MAX], int64_t part, int64_t whole);

/* Writes "1 thread", "26,875 threads". */
void
dmt_put_count(struct dmt_output *out, uint64_t count, const char *what);

/* Writes a duration like dmt_duration_format: "987 ms". */
void
dmt_put_duration(struct dmt_output *out, int64_t ns);

/* Writes a share like dmt_share_format. */
void
dmt_put_share(struct dmt_output *out, int64_t part, int64_t whole);

#endif
