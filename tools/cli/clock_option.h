/* clock_option.h - the option --clock of commands that make profiles */
#ifndef CLOCK_OPTION_H
#define CLOCK_OPTION_H

#include <dmtrace.h>

#include "cli/opt.h"

/* Names for sentences, by enum dmtrace_profile_clock. */
extern const char *const clock_names[];

/* The values of --clock, ended by NULL. */
extern const char *const clock_options[];

/* Values of --clock in commands that write a trace, ended by NULL, and their
 * meaning. The last ones are names in keys, of which converted has no
 * "global". */
extern const char *const clock_written_names[];
extern const char *const clock_converted_names[];
extern const enum dmtrace_clock clock_written[];

/* No --clock in these commands. */
#define CLOCK_UNSET 5

/* No --clock: use the clock that the traces have. */
#define CLOCK_ANY DMTRACE_PROFILE_CLOCKS

#define OPT_CLOCK(v) \
	OPT_CHOICE(0, "clock", "CLOCK", v, clock_options, \
	    "show cpu or wall time [wall if available]")

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
