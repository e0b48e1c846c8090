/* decimal.c - numbers, times and dates as text, independent of the locale */

#include "cli/decimal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NS_PER_S 1000000000
#define DAY 86400		/* in seconds */
#define ERA 146097		/* days of 400 years */
#define SHARE_TENTHS_MAX 1e15	/* a larger share makes no sense */

static const char pairs[] =
    "00010203040506070809101112131415161718192021222324"
    "25262728293031323334353637383940414243444546474849"
    "50515253545556575859606162636465666768697071727374"
    "75767778798081828384858687888990919293949596979899";

/* Both digits are stored at their final place: copying bytes that were just
 * stored in pieces would stall the processor. */
static void
put_two_digits(char *out, uint32_t number)
{
	memcpy(out, pairs + number * 2, 2);
}

static inline char *
put_six(char *out, uint32_t number)
{
	const uint32_t high = number / 10000, low = number - high * 10000;
	const uint32_t middle = low / 100;

	put_two_digits(out, high);
	put_two_digits(out + 2, middle);
	put_two_digits(out + 4, low - middle * 100);
	return out + 6;
}

/* Returns how many digits a number below 1,000,000 has. */
static inline unsigned
count_six_digits(uint32_t number)
{
	return 1u + (number >= 10) + (number >= 100) + (number >= 1000) +
	    (number >= 10000) + (number >= 100000);
}

static inline char *
put_short(char *out, uint32_t number)
{
	char *const end = out + count_six_digits(number);
	char *at = end;

	for (; number >= 10; number /= 100)
		put_two_digits(at -= 2, number % 100);
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
	    put_short(out + 5 - count_six_digits((uint32_t)seconds),
	    (uint32_t)seconds);
	*out++ = '.';
	return put_six(out, (uint32_t)(us % 1000000));
}

/* Makes these the recent seconds, and writes them. A separate function, so that
 * the usual case saves no registers. */
static __attribute__((noinline)) char *
put_new_seconds(char *out, uint64_t ns, struct decimal_seconds *recent)
{
	recent->begin_ns = ns - ns % NS_PER_S;
	recent->len = (size_t)(decimal_put_seconds(recent->text, ns) -
	    recent->text) - 6;
	return decimal_put_seconds(out, ns);
}

char *
decimal_put_seconds_again(char *out, uint64_t ns,
    struct decimal_seconds *recent)
{
	if (ns - recent->begin_ns >= NS_PER_S || recent->len == 0)
		return put_new_seconds(out, ns, recent);
	memcpy(out, recent->text, DECIMAL_ROOM - 6);
	return put_six(out + recent->len,
	    (uint32_t)(ns - recent->begin_ns) / 1000);
}

char *
count_format(char out[COUNT_MAX], uint64_t number)
{
	char digits[DECIMAL_ROOM];
	const size_t len = (size_t)(decimal_put(digits, number) - digits);
	char *at = out;

	for (size_t i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			*at++ = ',';
		*at++ = digits[i];
	}
	*at = '\0';
	return out;
}

char *
share_format(char out[SHARE_MAX], int64_t part, int64_t whole)
{
	const double tenths = whole == 0 ? 0 :
	    1000.0 * (double)part / (double)whole;
	const double size = tenths < 0 ? -tenths : tenths;
	const uint64_t rounded =
	    (uint64_t)((size < SHARE_TENTHS_MAX ? size : SHARE_TENTHS_MAX) +
	    0.5);

	snprintf(out, SHARE_MAX, "%s%" PRIu64 ".%u %%",
	    tenths < 0 && rounded > 0 ? "-" : "", rounded / 10,
	    (unsigned)(rounded % 10));
	return out;
}

struct day {
	uint64_t year;
	unsigned month;
	unsigned day;
};

/* In years that begin in March, the leap day is the last day. */
static struct day
find_day(uint64_t days_since_1970)
{
	const uint64_t days = days_since_1970 + 719468;	/* since 1 March of
							   year 0 */
	const unsigned of_era = (unsigned)(days % ERA);
	const unsigned year = (of_era - of_era / 1460 + of_era / 36524 -
	    of_era / 146096) / 365;
	const unsigned of_year = of_era -
	    (365 * year + year / 4 - year / 100);
	const unsigned month = (5 * of_year + 2) / 153;

	return (struct day){
		.year = days / ERA * 400 + year + (month >= 10),
		.month = month < 10 ? month + 3 : month - 9,
		.day = of_year - (153 * month + 2) / 5 + 1
	};
}

/* Returns the days from 1970 to the first of a month, in years that begin in
 * March. */
static int64_t
days_before(unsigned year, unsigned month)
{
	const int64_t march_year = (int64_t)year - (month < 3);
	const int64_t of_year = (153 * (month + (month < 3 ? 9 : -3)) + 2) / 5;

	return march_year * 365 + march_year / 4 - march_year / 100 +
	    march_year / 400 + of_year - 719468;
}

/* Reads count digits, a number of at most most. false: there is no such
 * number. */
static bool
read_date_digits(const char **at, unsigned count, unsigned most, unsigned *out)
{
	*out = 0;
	for (unsigned i = 0; i < count; i++, (*at)++) {
		if (**at < '0' || **at > '9')
			return false;
		*out = *out * 10 + (unsigned)(**at - '0');
	}
	return *out <= most;
}

static bool
read_mark(const char **at, char mark)
{
	return *(*at)++ == mark;
}

/* Reads up to six digits after a decimal point, if there is one. */
static bool
read_fraction(const char **at, uint64_t *us)
{
	uint64_t digit_us = 100000;

	*us = 0;
	if (**at != '.')
		return true;
	for ((*at)++; **at >= '0' && **at <= '9' && digit_us > 0; (*at)++) {
		*us += digit_us * (unsigned)(**at - '0');
		digit_us /= 10;
	}
	return digit_us < 100000;
}

bool
date_parse(const char *text, uint64_t *epoch_us)
{
	unsigned year, month, day, hour, minute, second;
	uint64_t us;

	if (!read_date_digits(&text, 4, 9999, &year) || !read_mark(&text,
	    '-') ||
	    !read_date_digits(&text, 2, 12, &month) || !read_mark(&text, '-') ||
	    !read_date_digits(&text, 2, 31, &day) || !read_mark(&text, 'T') ||
	    !read_date_digits(&text, 2, 23, &hour) || !read_mark(&text, ':') ||
	    !read_date_digits(&text, 2, 59, &minute) || !read_mark(&text,
	    ':') ||
	    !read_date_digits(&text, 2, 59, &second) ||
	    !read_fraction(&text, &us) || !read_mark(&text, 'Z') ||
	    *text != '\0' || year < 1970 || month == 0 || day == 0)
		return false;
	const uint64_t days =
	    (uint64_t)days_before(year, month) + day - 1;
	if (days >= (uint64_t)days_before(year + month / 12, month % 12 + 1))
		return false;
	*epoch_us = (((days * 24 + hour) * 60 + minute) * 60 + second) *
	    1000000 + us;
	return true;
}

const char *
date_format(char out[DATE_MAX], uint64_t epoch_us)
{
	const uint64_t seconds = epoch_us / 1000000;
	const struct day day = find_day(seconds / DAY);
	const unsigned second = (unsigned)(seconds % DAY);

	snprintf(out, DATE_MAX,
	    "%04" PRIu64 "-%02u-%02uT%02u:%02u:%02u.%06uZ",
	    day.year, day.month, day.day, second / 3600, second / 60 % 60,
	    second % 60, (unsigned)(epoch_us % 1000000));
	return out;
}
