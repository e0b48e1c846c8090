/* signals.h - handlers of signals that end the program */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <sys/types.h>

/* Installs handlers, so that such a signal leaves no temporary file, and a
 * write beyond the file size limit fails as on a full disk. */
void
signals_catch(void);

/* Where the process id of a program is set that a signal ends, too, as it may
 * compute for long before it notices that nobody reads what it writes; 0: none.
 * If posix_spawn sets it, it is known before a signal comes: C libraries block
 * signals until then. */
pid_t *
signals_helper(void);

/* Called in a child before it runs another program: restores which signals are
 * ignored. */
void
signals_hand_on(void);

#endif
