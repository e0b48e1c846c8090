/* clock_option.c - the option --clock of commands that make profiles */

#include "cli/clock_option.h"

#include <stddef.h>

#include "cli/msg.h"

const char *const clock_names[] = {
	[DMTRACE_PROFILE_CPU] = "CPU",
	[DMTRACE_PROFILE_WALL] = "wall"
};

const char *const clock_options[] = {
	[DMTRACE_PROFILE_CPU] = "cpu",
	[DMTRACE_PROFILE_WALL] = "wall",
	[DMTRACE_PROFILE_CLOCKS] = NULL
};

bool
clock_choose(enum dmtrace_profile_clock *clock, unsigned wanted,
    const int *has_clock, const char *where)
{
	*clock = wanted != CLOCK_ANY ? (enum dmtrace_profile_clock)wanted :
	    has_clock[DMTRACE_PROFILE_WALL] ? DMTRACE_PROFILE_WALL :
	    DMTRACE_PROFILE_CPU;
	if (has_clock[*clock])
		return true;
	if (wanted == CLOCK_ANY)
		msg_error("the traces have no clock in common");
	else
		msg_error("--clock: there is no %s time in %s",
		    clock_names[wanted], where);
	return false;
}

enum dmtrace_clock
clock_of_profile(enum dmtrace_profile_clock clock)
{
	return clock == DMTRACE_PROFILE_CPU ? DMTRACE_CLOCK_THREAD_CPU :
	    DMTRACE_CLOCK_WALL;
}
