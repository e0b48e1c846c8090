/* decimal.c - numbers, times and dates as text, independent of the locale */

#include "cli/decimal.h"

#include <inttypes.h>
#include <stdio.h>

#define DAY 86400		/* in seconds */
#define ERA 146097		/* days of 400 years */

char *
decimal_put_seconds(char *out, uint64_t ns)
{
	const uint64_t us = ns / 1000, seconds = us / 1000000;

	for (uint64_t limit = 10000; limit >= 10 && seconds < limit;
	    limit /= 10)
		*out++ = ' ';
	out = dmt_put_uint(out, seconds);

	/* Six digits after the point, which takes the place of a 1. */
	char *const end = dmt_put_uint(out, 1000000 + us % 1000000);
	*out = '.';
	return end;
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
