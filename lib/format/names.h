/* names.h - the names of what is a number here */
#ifndef DMT_FORMAT_NAMES_H
#define DMT_FORMAT_NAMES_H

#include <dmtrace/event.h>
#include <stdbool.h>

/* The clock whose word of a clock line this is, else DMTRACE_CLOCK_UNKNOWN. */
enum dmtrace_clock
dmt_clock_find(const char *bytes, size_t len);

/* Whether an option is one that virtual machines write, or ours
 * (dmtrace.5, OPTIONS). */
bool
dmt_option_is_known(const char *name, size_t len);

#endif
