/* added.h - records that an operation added to a trace */
#ifndef DMT_KEY_ADDED_H
#define DMT_KEY_ADDED_H

#include <dmtrace/key.h>
#include <stdbool.h>

/*
 * How many records at an edge the option line of that name, dmtrace-opened or
 * dmtrace-closed, calls added; 0: there is none. false: it is no number, and
 * *number is 0.
 */
bool
dmt_added_get(uint64_t *number, const struct dmtrace_key *key,
    const char *name);

/* The same where what is no number does not matter. */
uint64_t
dmt_added(const struct dmtrace_key *key, const char *name);

#endif
