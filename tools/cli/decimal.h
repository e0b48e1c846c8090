/* decimal.h - numbers, times and dates as text, whatever the locale */
#ifndef DECIMAL_H
#define DECIMAL_H

#include <dmtrace.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "private/status.h"

/* Bytes that a call may touch at out. */
#define DECIMAL_ROOM 24

/* The number in as many digits as it has. Returns the end of them. */
char *
decimal_put(char *out, uint64_t number);

/* Nanoseconds as seconds, truncated to the microsecond: 12 columns, more from
 * 100,000 seconds on. Returns the end of them. */
char *
decimal_put_seconds(char *out, uint64_t ns);

/* The whole seconds that were put last, as text; zero is valid. */
struct decimal_seconds {
	uint64_t seconds;
	size_t len;			/* 0: none */
	char text[DECIMAL_ROOM];
};

/* The same, in less time where most times share their whole seconds. */
char *
decimal_put_seconds_again(char *out, uint64_t ns,
    struct decimal_seconds *recent);

/* The units, for messages. */
#define DURATION_UNITS "ns, us, ms, s, min or h"

#define DURATION_MAX DMT_DURATION_MAX

/* Writes a point in time, exactly, in the largest unit from ns to s that leaves
 * a number of at least 1: "1.5 ms". Returns out. */
char *
duration_format(char out[DURATION_MAX], uint64_t ns);

/* dmt_duration_format: for people, with three significant digits. */
static inline const char *
duration_round(char out[DURATION_MAX], int64_t ns)
{
	return dmt_duration_format(out, ns);
}

#define COUNT_MAX 32

/* Writes a number with thousands separators: "26,875". Returns out. */
char *
count_format(char out[COUNT_MAX], uint64_t number);

#define SHARE_MAX 32

/* Writes a share as percent with one decimal: "11.7 %"; of nothing, 0. A half
 * is rounded away from zero. Returns out. */
char *
share_format(char out[SHARE_MAX], int64_t part, int64_t whole);

/* dmt_duration_parse; false: it is none, and *ns is as it was. */
static inline bool
duration_parse(const char *text, int64_t *ns)
{
	return dmt_duration_parse(text, ns) == DMTRACE_OK;
}

#define DATE_MAX 48		/* bytes of a date with its NUL */

/* Microseconds since 1970 as "2011-11-23T20:12:41.000123Z", whatever the
 * system's time_t can hold. Returns out. */
const char *
date_format(char out[DATE_MAX], uint64_t epoch_us);

/* The reverse, from 1970 to 9999; the point and the digits after it may be
 * missing. False: it is no date; *epoch_us is as it was. */
bool
date_parse(const char *text, uint64_t *epoch_us);

#endif
