/* dmtrace/duration.h - times as people write them */
#ifndef DMTRACE_DURATION_H
#define DMTRACE_DURATION_H

#include <dmtrace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A number and its unit (ns, us, ms, s, min or h), "1.5ms", or microseconds
 * without one, as nanoseconds; a sign may stand before it. On failure *ns is
 * as it was. Thread-safe.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_RANGE  it is none, not a whole number of nanoseconds, or does
 *                      not fit
 */
DMTRACE_API enum dmtrace_status
dmtrace_duration_parse(const char *text, int64_t *ns);

#ifdef __cplusplus
}
#endif

#endif
