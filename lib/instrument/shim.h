/* shim.h - starts and ends the trace of a process with hooks */
#ifndef DMT_INSTRUMENT_SHIM_H
#define DMT_INSTRUMENT_SHIM_H

#include <signal.h>

#include "record/recorder.h"

/*
 * The shim has its own copy of the default recorder, which other users of the
 * library in the process do not see.
 */
#define DMT_SHIM_RECORDER (&dmt_recorder_default)

/* Called at the first event of the process, perhaps by several threads: starts
 * a trace, if the settings ask for one. Returns true if this call has started
 * it; otherwise the event is lost, which is counted if another call is starting
 * the trace, or has just done so. */
bool
dmt_shim_start(void);

/* Returns true if this process is recorded; false for one that only shares its
 * memory. */
bool
dmt_shim_is_on(void);

/*
 * Ends the trace. amid_malloc: malloc may have been interrupted, so C++ names
 * are not demangled. DMTRACE_ERR_STATE: there is no trace to end.
 */
enum dmtrace_status
dmt_shim_stop(bool amid_malloc);

/* Makes the next event start another trace, in a new file. */
void
dmt_shim_rearm(void);

/* Returns true if code that has these signals blocked may be a signal handler
 * of the program: it has a handler for one of them. NULL stands for the
 * signals that the caller has blocked. */
bool
dmt_shim_may_be_in_handler(const sigset_t *blocked);

#endif
