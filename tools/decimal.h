/* decimal.h - numbers as text, fast, whatever the locale */
#ifndef DECIMAL_H
#define DECIMAL_H

#include <stdint.h>

/* Bytes that a call may touch at out. */
#define DECIMAL_ROOM 24

/* The number in as many digits as it has. Returns the end of them. */
char *
decimal_put(char *out, uint64_t number);

/* Nanoseconds as seconds, cut to the microsecond: 12 columns, more from
 * 100,000 seconds on. Returns the end of them. */
char *
decimal_put_seconds(char *out, uint64_t ns);

#endif
