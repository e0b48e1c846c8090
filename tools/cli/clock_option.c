/* clock_option.c - the clocks of a profile, in words */

#include "cli/clock_option.h"

#include <dmtrace.h>
#include <stddef.h>

const char *const clock_names[] = {
	[DMTRACE_PROFILE_CPU] = "CPU",
	[DMTRACE_PROFILE_WALL] = "wall"
};

const char *const clock_options[] = {
	[DMTRACE_PROFILE_CPU] = "cpu",
	[DMTRACE_PROFILE_WALL] = "wall",
	[DMTRACE_PROFILE_CLOCKS] = NULL
};
