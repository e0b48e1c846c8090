/* duration_text.h - times as they are written on the command line */
#ifndef DURATION_TEXT_H
#define DURATION_TEXT_H

#include <dmtrace.h>
#include <stdbool.h>
#include <stdint.h>

/* The units, for messages. */
#define DURATION_UNITS "ns, us, ms, s, min or h"

#define DURATION_MAX 32

/* Writes a time, exactly, in the largest unit from ns to s that leaves a
 * number of at least 1: "1.5 ms". Returns out. */
char *
duration_format(char out[DURATION_MAX], uint64_t ns);

/* dmtrace_duration_parse; false: it is none, and *ns is as it was. */
static inline bool
duration_parse(const char *text, int64_t *ns)
{
	return dmtrace_duration_parse(text, ns) == DMTRACE_OK;
}

#endif
