/* dmtrace/duration.h - times as people write them */
#ifndef DMTRACE_DURATION_H
#define DMTRACE_DURATION_H

#include <dmtrace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A number and its unit (ns, us, ms, s, min or h), "1.5ms", as nanoseconds; a
 * sign may precede it. Only 0 needs no unit. On failure *ns is unchanged.
 * Thread-safe.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_RANGE  not a time, no unit, not a whole number of
 *                      nanoseconds, or too large
 */
DMTRACE_API enum dmtrace_status
dmtrace_duration_parse(const char *text, int64_t *ns);

#ifdef __cplusplus
}
#endif

#endif
