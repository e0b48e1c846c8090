/* signals.h - the trace of a process that a signal ends */
#ifndef DMT_INSTRUMENT_SIGNALS_H
#define DMT_INSTRUMENT_SIGNALS_H

#include <signal.h>

/* Catches those deadly signals that nobody handles or ignores. What handles
 * them ends the trace, and has the process die of them as before. */
void
dmt_signals_catch(void);

/* Whether code that has these signals blocked may be that of a handler of the
 * program: there is one for one of them. NULL: the calling code. */
int
dmt_signals_may_handle(const sigset_t *blocked);

#endif
