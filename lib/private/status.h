/* status.h - names of changes, numbers, durations, removal of temporaries */
/* layer: base */
#ifndef DMT_PRIVATE_STATUS_H
#define DMT_PRIVATE_STATUS_H

#include <dmtrace/status.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#define DMT_PRINTF(string, first) \
	__attribute__((format(printf, string, first)))
#else
#define DMT_PRINTF(string, first)
#endif

/* Returns "fixed", "added", "dropped", "lost" or "kept"; "" for another
 * number. Thread-safe. */
const char *
dmt_change_kind_name(enum dmtrace_change_kind kind);

/*
 * Parses a number with its unit (ns, us, ms, s, min or h), such as "1.5ms", as
 * nanoseconds; a sign may precede it. Only 0 needs no unit. On failure *ns is
 * unchanged. Thread-safe.
 *
 * Returns DMTRACE_OK, or
 *   DMTRACE_ERR_RANGE  not a time, no unit, not a whole number of
 *                      nanoseconds, or too large
 */
enum dmtrace_status
dmt_duration_parse(const char *text, int64_t *ns);

/*
 * Parses a number as in "500", "1e6", "2k" or "1.5M". A unit (k or K, M, G, T)
 * is a power of base, 1000 or 1024. Powers of 1024 cut what is left of a
 * fraction, as in "1.1M"; otherwise the number must be whole. false: it is
 * malformed or too large. Thread-safe.
 */
bool
dmt_count_parse(const char *text, uint64_t base, uint64_t *number);

/* Parses a decimal fraction without a sign, of at most 15 digits, such as
 * "0.05". false: it is something else. Thread-safe. */
bool
dmt_decimal_parse(const char *text, double *number);

#define DMT_DURATION_MAX 32

/*
 * Write a time or a duration for people: three significant digits, rounded, in
 * the unit that suits it: "1.21 s", "987 ms", "16.7 min". Whole nanoseconds
 * have no fraction, and 0 is "0 s". Both return out, which has
 * DMT_DURATION_MAX bytes. Thread-safe.
 */
const char *
dmt_time_format(char *out, uint64_t ns);
const char *
dmt_duration_format(char *out, int64_t ns);

/* Writes a time exactly, in the largest unit from ns to s in which the number
 * is at least 1: "1.5 ms", "13.847316 s". Returns out, which has
 * DMT_DURATION_MAX bytes. Thread-safe. */
char *
dmt_duration_exact(char *out, uint64_t ns);

/*
 * Removes the temporary files that this process is writing, so that they never
 * get their final names. It is for the handler of a signal that ends the
 * program; the library catches no signals. It may be called at any time, by
 * any thread and in any handler.
 */
void
dmt_temporaries_remove(void);

#endif
