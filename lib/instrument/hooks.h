/* hooks.h - the functions that instrumented code calls at enter and exit */
#ifndef DMT_INSTRUMENT_HOOKS_H
#define DMT_INSTRUMENT_HOOKS_H

#include <dmtrace/status.h>
#include <stdint.h>

/* Aligns a hook to a cache line: the program's code competes for the cache, so
 * a hook should occupy as few lines as possible. */
#define DMT_LINED __attribute__((aligned(64)))

/* function is its address, site the address that it will return to. */
DMTRACE_API void
__cyg_profile_func_enter(void *function, void *site) DMT_LINED;
DMTRACE_API void
__cyg_profile_func_exit(void *function, void *site) DMT_LINED;

/* The stack pointer of the caller when it called the current function. */
#define DMT_HOOKS_PLACE() ((uintptr_t)__builtin_dwarf_cfa())

/* Called when an exception has moved the thread's stack pointer to place: the
 * frames below it no longer exist. */
void
dmt_hooks_unwind_to(uintptr_t place);

/* Sets the address of the runtime's __cxa_get_globals, for threads that do not
 * count their exceptions yet; NULL: there is none. */
void
dmt_hooks_use_globals(void *symbol);

#endif
