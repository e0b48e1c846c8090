/* date.h - points in time, in UTC */
#ifndef DATE_H
#define DATE_H

#include <stdbool.h>
#include <stdint.h>

#define DATE_MAX 48		/* bytes of a date with its NUL */

/* Microseconds since 1970 as "2011-11-23T20:12:41.000123Z", whatever the
 * system's time_t can hold. Returns out. */
const char *
date_format(char out[DATE_MAX], uint64_t epoch_us);

/* The mirror, from 1970 to 9999; the point and digits behind it may be missing.
 * False: it is no date; *epoch_us is as it was. */
bool
date_parse(const char *text, uint64_t *epoch_us);

#endif
