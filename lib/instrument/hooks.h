/* hooks.h - what the compiler has each function call at its two ends */
#ifndef DMT_INSTRUMENT_HOOKS_H
#define DMT_INSTRUMENT_HOOKS_H

#include <dmtrace/status.h>

/* function is its address, site where it will return to. */
DMTRACE_API void
__cyg_profile_func_enter(void *function, void *site);
DMTRACE_API void
__cyg_profile_func_exit(void *function, void *site);

#endif
