/* added.h - records that an operation added to a trace */
#ifndef DMT_OPS_ADDED_H
#define DMT_OPS_ADDED_H

#include <dmtrace/key.h>

/* How many records at an edge the option line of that name, dmtrace-opened or
 * dmtrace-closed, calls added; 0: none, or it is no number. */
uint64_t
dmt_added(const struct dmtrace_key *key, const char *name);

#endif
