/* date.h - points in time, in UTC */
#ifndef DATE_H
#define DATE_H

#include <stdint.h>

#define DATE_MAX 48		/* bytes of a date with its NUL */

/* Microseconds since 1970 as "2011-11-23T20:12:41.000123Z", whatever the
 * system's time_t can hold. Returns out. */
const char *
date_format(char out[DATE_MAX], uint64_t epoch_us);

#endif
