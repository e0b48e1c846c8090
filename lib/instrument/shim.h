/* shim.h - the trace of a process with hooks, from its start to its end */
#ifndef DMT_INSTRUMENT_SHIM_H
#define DMT_INSTRUMENT_SHIM_H

#include <signal.h>

#include "record/recorder.h"

/*
 * The shim records to its own copy of the default recorder, which no other
 * user of the library in the process sees.
 */
#define DMT_SHIM_RECORDER (&dmt_recorder_default)

/* At the first event of the process, for which its threads race: starts a
 * trace, if the settings say so. Returns whether this call has done it. */
bool
dmt_shim_start(void);

/* Whether this process, not one that shares its memory, is recorded. */
bool
dmt_shim_is_on(void);

/*
 * Ends the trace. amid_malloc: it may be that malloc was interrupted, so that
 * names of C++ are left as they are in the file. DMTRACE_ERR_STATE: there is
 * none to end.
 */
enum dmtrace_status
dmt_shim_stop(bool amid_malloc);

/* Has the next event begin another trace, in a file of its own. */
void
dmt_shim_rearm(void);

/* Whether code that has these signals blocked may be that of a signal handler
 * of the program: there is one for one of them. NULL: the calling code. */
bool
dmt_shim_may_be_in_handler(const sigset_t *blocked);

#endif
