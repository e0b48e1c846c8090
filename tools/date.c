/* date.c - points in time, in UTC */

#include "date.h"

#include <inttypes.h>
#include <stdio.h>

#define DAY 86400		/* in seconds */
#define ERA 146097		/* days of 400 years */

struct day {
	uint64_t year;
	unsigned month;
	unsigned day;
};

/* Years that begin in March have their odd day at the end. */
static struct day
find_day(uint64_t days_since_1970)
{
	const uint64_t days = days_since_1970 + 719468;	/* since March 0 */
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
