/* decimal.h - numbers as text, fast, whatever the locale */
#ifndef DECIMAL_H
#define DECIMAL_H

#include <stddef.h>
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

#endif
