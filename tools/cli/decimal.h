/* decimal.h - numbers, times and dates as text, independent of the locale */
#ifndef DECIMAL_H
#define DECIMAL_H

#include <dmtrace.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "private/put.h"
#include "private/status.h"

/* The bytes of a number, or of seconds. */
#define DECIMAL_ROOM 24

/* Writes nanoseconds as seconds, truncated to microseconds: 12 columns, more
 * from 100,000 seconds on. Returns the end. */
char *
decimal_put_seconds(char *out, uint64_t ns);

/* The units, as listed in messages. */
#define DURATION_UNITS "ns, us, ms, s, min or h"

#define DURATION_MAX DMT_DURATION_MAX

/* Calls dmt_duration_exact, for figures that are compared. */
static inline char *
duration_format(char out[DURATION_MAX], uint64_t ns)
{
	return dmt_duration_exact(out, ns);
}

/* Calls dmt_duration_format: three significant digits, for people. */
static inline const char *
duration_round(char out[DURATION_MAX], int64_t ns)
{
	return dmt_duration_format(out, ns);
}

#define COUNT_MAX DMT_FIGURE_MAX

/* Calls dmt_count_format: "26,875". */
static inline char *
count_format(char out[COUNT_MAX], uint64_t number)
{
	return dmt_count_format(out, number);
}

/* Calls dmt_duration_parse. false: not a duration, and *ns is unchanged. */
static inline bool
duration_parse(const char *text, int64_t *ns)
{
	return dmt_duration_parse(text, ns) == DMTRACE_OK;
}

#define DATE_MAX 48		/* bytes of a date with its NUL */

/* Writes microseconds since 1970 as "2011-11-23T20:12:41.000123Z", even if the
 * system's time_t cannot hold it. Returns out. */
const char *
date_format(char out[DATE_MAX], uint64_t epoch_us);

/* Parses such a date from 1970 to 9999; the fraction may be missing. false:
 * not a date, and *epoch_us is unchanged. */
bool
date_parse(const char *text, uint64_t *epoch_us);

#endif
