/* clock_option.h - the clock of a profile that --clock asks for */
#ifndef CLOCK_OPTION_H
#define CLOCK_OPTION_H

#include <dmtrace.h>

#include "cli/opt.h"

/* In a sentence; by enum dmtrace_profile_clock. */
extern const char *const clock_names[];

/* For --clock, and NULL after the last. */
extern const char *const clock_options[];

/* --clock: one of the profile's, or what there is. */
#define CLOCK_ANY DMTRACE_PROFILE_CLOCKS

#define OPT_CLOCK(v) \
	OPT_CHOICE(0, "clock", "CLOCK", v, clock_options, \
	    "show cpu or wall time [wall if available]")

/*
 * Sets the clock that is wanted, or for CLOCK_ANY wall, else CPU. where says
 * what has to have it: "all traces". False, which is reported: there is no
 * such time.
 */
bool
clock_choose(enum dmtrace_profile_clock *clock, unsigned wanted,
    const int *has_clock, const char *where);

/* The same as options of the library name it. */
enum dmtrace_clock
clock_of_profile(enum dmtrace_profile_clock clock);

#endif
