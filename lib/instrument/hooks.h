/* hooks.h - what the compiler has each function call at its two ends */
#ifndef DMT_INSTRUMENT_HOOKS_H
#define DMT_INSTRUMENT_HOOKS_H

#include <dmtrace/status.h>
#include <stdint.h>

/* Begins a line of the cache: the program's code has filled the nearest one,
 * and each line of a hook that stays there counts. */
#define DMT_LINED __attribute__((aligned(64)))

/* function is its address, site where it will return to. */
DMTRACE_API void
__cyg_profile_func_enter(void *function, void *site) DMT_LINED;
DMTRACE_API void
__cyg_profile_func_exit(void *function, void *site) DMT_LINED;

/* The caller's stack pointer at its call of the function that asks. */
#define DMT_HOOKS_PLACE() ((uintptr_t)__builtin_dwarf_cfa())

/* The thread's stack pointer has come to place, by an exception: the frames
 * below it have gone. */
void
dmt_hooks_unwind_to(uintptr_t place);

/* Makes known, for threads that have not counted their exceptions yet, where
 * the runtime's __cxa_get_globals is; NULL: there is none. */
void
dmt_hooks_use_globals(void *symbol);

#endif
