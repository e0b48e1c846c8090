/* names.h - the names of numbered things: actions, clocks, containers... */
#ifndef DMT_FORMAT_NAMES_H
#define DMT_FORMAT_NAMES_H

#include <dmtrace/event.h>
#include <stdbool.h>

/* Returns the clock that this value of a clock line names, or
 * DMTRACE_CLOCK_UNKNOWN. */
enum dmtrace_clock
dmt_clock_find(const char *bytes, size_t len);

/* Returns true for an option that virtual machines or dmtrace write
 * (dmtrace.5, OPTIONS). */
bool
dmt_option_is_known(const char *name, size_t len);

/* The same, but of dmtrace's options only for those of this version. */
bool
dmt_option_is_listed(const char *name, size_t len);

#endif
