/* dmtrace/temporaries.h - what a program leaves that a signal ends */
#ifndef DMTRACE_TEMPORARIES_H
#define DMTRACE_TEMPORARIES_H

#include <dmtrace/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Removes the files that this process is writing and that have no name of
 * their own yet: they get none any more. For the handler of a signal that
 * ends the program; the library catches none. It can be called at any moment,
 * by any thread and in any handler.
 */
DMTRACE_API void
dmtrace_temporaries_remove(void);

#ifdef __cplusplus
}
#endif

#endif
