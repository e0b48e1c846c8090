/* status.h - durations, changes and temporaries of our own program */
#ifndef DMT_PRIVATE_STATUS_H
#define DMT_PRIVATE_STATUS_H

#include <dmtrace/status.h>

/* "fixed", "added", "dropped", "lost" or "kept"; "" for another number.
 * Thread-safe. */
const char *
dmt_change_kind_name(enum dmtrace_change_kind kind);

/*
 * A number and its unit (ns, us, ms, s, min or h), "1.5ms", as nanoseconds; a
 * sign may precede it. Only 0 needs no unit. On failure *ns is unchanged.
 * Thread-safe.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_RANGE  not a time, no unit, not a whole number of
 *                      nanoseconds, or too large
 */
enum dmtrace_status
dmt_duration_parse(const char *text, int64_t *ns);

#define DMT_DURATION_MAX 32

/* Writes nanoseconds for people: three significant digits, rounded, in the
 * unit that suits them: "1.21 s", "987 ms", "16.7 min". Whole nanoseconds have
 * no fraction, and 0 is "0 s". Returns out,
 * which has room for DMT_DURATION_MAX bytes. Thread-safe. */
const char *
dmt_duration_format(char *out, int64_t ns);

/*
 * Removes the files that this process is writing and that have no name of
 * their own yet: they get none any more. For the handler of a signal that
 * ends the program; the library catches none. It can be called at any moment,
 * by any thread and in any handler.
 */
void
dmt_temporaries_remove(void);

#endif
