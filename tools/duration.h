/* duration.h - times as they are written on the command line */
#ifndef DURATION_H
#define DURATION_H

#include <stdbool.h>
#include <stdint.h>

/* The units, for messages. */
#define DURATION_UNITS "ns, us, ms, s, min or h"

/*
 * A number and its unit, "1.5ms", or microseconds without one, as
 * nanoseconds; a sign may stand before it. False: it is none, or not a whole
 * number of nanoseconds, or does not fit; *ns is as it was.
 */
bool
duration_parse(const char *text, int64_t *ns);

#endif
