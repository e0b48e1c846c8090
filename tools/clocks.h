/* clocks.h - the clocks of a profile, in words */
#ifndef TOOLS_CLOCKS_H
#define TOOLS_CLOCKS_H

/* In a sentence; by enum dmtrace_profile_clock. */
extern const char *const clock_names[];

/* For --clock, and NULL behind the last. */
extern const char *const clock_options[];

#endif
