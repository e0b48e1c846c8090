/* clock_option.h - the option --clock of commands that make profiles */
#ifndef CLOCK_OPTION_H
#define CLOCK_OPTION_H

#include <dmtrace.h>

#include "cli/opt.h"

/* Names for sentences, by enum dmtrace_profile_clock. */
extern const char *const clock_names[];

/*
 * The words of --clock, ended by NULL, and their meanings: cpu, wall, and
 * where there is both, dual. Keys call the clocks thread-cpu, wall, global
 * (wall times that begin anew in each thread) and dual: these names mean the
 * same.
 */

/* Of commands that show one clock; enum dmtrace_profile_clock. */
extern const char *const clock_shown_words[];
extern const unsigned clock_shown_meanings[];

/* Of commands that write a trace, and of those that record one, which have no
 * global; enum dmtrace_clock. */
extern const char *const clock_written_words[];
extern const char *const clock_recorded_words[];
extern const unsigned clock_written_meanings[];

/* No --clock: use the clock that the traces have. */
#define CLOCK_ANY DMTRACE_PROFILE_CLOCKS

#define OPT_CLOCK(v) \
	OPT_MEANING(0, "clock", "CLOCK", v, clock_shown_words, \
	    clock_shown_meanings, "show cpu or wall time [wall if available]")

/* What the width of a frame, or the value of a path, is. */
extern const char *const weight_words[];

#define OPT_WEIGHT(v) \
	OPT_CHOICE(0, "weight", "WHAT", v, weight_words, \
	    "value of call paths: time or calls [time]")

/* Returns the weight for these two options; 0: any time. */
enum dmtrace_export_weight
weight_of(unsigned weight, unsigned clock);

/*
 * Sets the clock: the wanted one or, for CLOCK_ANY, wall if there is one, else
 * CPU. where names the traces that must have it, as in "all traces". false:
 * they lack it, which was reported.
 */
bool
clock_choose(enum dmtrace_profile_clock *clock, unsigned wanted,
    const int *has_clock, const char *where);

/* Returns the clock as options of the library name it. */
enum dmtrace_clock
clock_of_profile(enum dmtrace_profile_clock clock);

#endif
