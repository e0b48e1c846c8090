/* clock_option.c - the option --clock of commands that make profiles */

#include "cli/clock_option.h"

#include <stddef.h>

#include "cli/msg.h"

const char *const clock_names[] = {
	[DMTRACE_PROFILE_CPU] = "CPU",
	[DMTRACE_PROFILE_WALL] = "wall"
};

const char *const clock_shown_words[] = {
	"cpu", "wall", "thread-cpu", "global", NULL
};

const unsigned clock_shown_meanings[] = {
	DMTRACE_PROFILE_CPU, DMTRACE_PROFILE_WALL, DMTRACE_PROFILE_CPU,
	DMTRACE_PROFILE_WALL
};

const char *const clock_written_words[] = {
	"cpu", "wall", "dual", "thread-cpu", "global", NULL
};

const char *const clock_recorded_words[] = {
	"cpu", "wall", "dual", "thread-cpu", NULL
};

const unsigned clock_written_meanings[] = {
	DMTRACE_CLOCK_THREAD_CPU, DMTRACE_CLOCK_WALL, DMTRACE_CLOCK_DUAL,
	DMTRACE_CLOCK_THREAD_CPU, DMTRACE_CLOCK_GLOBAL
};

const char *const weight_words[] = { "time", "calls", NULL };

enum dmtrace_export_weight
weight_of(unsigned weight, unsigned clock)
{
	return weight != 0 ? DMTRACE_EXPORT_CALLS :
	    clock == CLOCK_ANY ? (enum dmtrace_export_weight)0 :
	    clock == DMTRACE_PROFILE_CPU ? DMTRACE_EXPORT_CPU :
	    DMTRACE_EXPORT_WALL;
}

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
