/* names.h - the words for what is a number here */
#ifndef DMT_FORMAT_NAMES_H
#define DMT_FORMAT_NAMES_H

#include <dmtrace/event.h>

/* The clock whose word of a clock line this is, else DMTRACE_CLOCK_UNKNOWN. */
enum dmtrace_clock
dmt_clock_find(const char *bytes, size_t len);

#endif
