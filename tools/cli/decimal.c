/* decimal.c - numbers as text, fast, whatever the locale */

#include "cli/decimal.h"

#include <string.h>

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324"
    "25262728293031323334353637383940414243444546474849"
    "50515253545556575859606162636465666768697071727374"
    "75767778798081828384858687888990919293949596979899";

/* The digits are stored where they stay: reading back what was stored in
 * pieces would stall the processor. */
static void
put_pair(char *out, uint32_t number)
{
	memcpy(out, pairs + number * 2, 2);
}

static inline char *
put_six(char *out, uint32_t number)
{
	put_pair(out, number / 10000);
	put_pair(out + 2, number / 100 % 100);
	put_pair(out + 4, number % 100);
	return out + 6;
}

/* How many digits a number below 1,000,000 has. */
static inline unsigned
count_digits(uint32_t number)
{
	return 1u + (number >= 10) + (number >= 100) + (number >= 1000) +
	    (number >= 10000) + (number >= 100000);
}

static inline char *
put_short(char *out, uint32_t number)
{
	char *const end = out + count_digits(number);
	char *at = end;

	for (; number >= 10; number /= 100)
		put_pair(at -= 2, number % 100);
	if (at > out)
		*out = (char)('0' + number);
	return end;
}

char *
decimal_put(char *out, uint64_t number)
{
	if (number < 1000000)
		return put_short(out, (uint32_t)number);
	return put_six(decimal_put(out, number / 1000000),
	    (uint32_t)(number % 1000000));
}

char *
decimal_put_seconds(char *out, uint64_t ns)
{
	const uint64_t us = ns / 1000, seconds = us / 1000000;

	memset(out, ' ', 5);
	out = seconds >= 100000 ? decimal_put(out, seconds) :
	    put_short(out + 5 - count_digits((uint32_t)seconds),
	    (uint32_t)seconds);
	*out++ = '.';
	return put_six(out, (uint32_t)(us % 1000000));
}

char *
decimal_put_seconds_again(char *out, uint64_t ns,
    struct decimal_seconds *recent)
{
	const uint64_t us = ns / 1000, seconds = us / 1000000;

	if (seconds != recent->seconds || recent->len == 0) {
		recent->seconds = seconds;
		recent->len = (size_t)(decimal_put_seconds(recent->text, ns) -
		    recent->text) - 6;
	}
	memcpy(out, recent->text, DECIMAL_ROOM - 6);
	return put_six(out + recent->len, (uint32_t)(us - seconds * 1000000));
}
