/* interpose.h - replacements of functions of other libraries */
#ifndef DMT_INSTRUMENT_INTERPOSE_H
#define DMT_INSTRUMENT_INTERPOSE_H

#include <dmtrace/status.h>

DMTRACE_API _Noreturn void
_exit(int status);
DMTRACE_API _Noreturn void
_Exit(int status);
DMTRACE_API int
dlclose(void *object);

/* Functions of the C++ runtime: an exception is caught, or rethrown. */
DMTRACE_API void *
__cxa_begin_catch(void *exception);
DMTRACE_API _Noreturn void
__cxa_throw(void *exception, void *type, void (*destroy)(void *));

#endif
