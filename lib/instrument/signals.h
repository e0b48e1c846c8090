/* signals.h - the trace of a process that a signal ends */
#ifndef DMT_INSTRUMENT_SIGNALS_H
#define DMT_INSTRUMENT_SIGNALS_H

/* Catches those deadly signals that nobody handles or ignores. What handles
 * them ends the trace, and has the process die of them as before. */
void
dmt_signals_catch(void);

/*
 * A signal handler may end the trace where malloc is not to be called. The
 * process is killed if that takes longer than a few seconds; unless disarmed.
 */
void
dmt_signals_arm(void);
void
dmt_signals_disarm(void);

/* Whether the calling code may be that of a signal handler: it has a signal
 * blocked for which there is one. */
int
dmt_signals_may_handle(void);

#endif
