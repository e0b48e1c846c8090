/* clock_option.h - the clocks of a profile, in words */
#ifndef CLOCK_OPTION_H
#define CLOCK_OPTION_H

#include "cli/opt.h"

/* In a sentence; by enum dmtrace_profile_clock. */
extern const char *const clock_names[];

/* For --clock, and NULL behind the last. */
extern const char *const clock_options[];

#define OPT_CLOCK(v) \
	OPT_CHOICE(0, "clock", "CLOCK", v, clock_options, \
	    "cpu or wall [wall, if there is]")

#endif
