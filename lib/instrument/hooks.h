/* hooks.h - what the compiler has each function call at its two ends */
#ifndef DMT_INSTRUMENT_HOOKS_H
#define DMT_INSTRUMENT_HOOKS_H

#include <dmtrace/status.h>

/* Begins a line of the cache: the program's code has filled the nearest one,
 * and each line of a hook that stays there counts. */
#define DMT_LINED __attribute__((aligned(64)))

/* function is its address, site where it will return to. */
DMTRACE_API void
__cyg_profile_func_enter(void *function, void *site) DMT_LINED;
DMTRACE_API void
__cyg_profile_func_exit(void *function, void *site) DMT_LINED;

#endif
