/* signals.h - handlers of signals that end the program */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <sys/types.h>

/* Installs handlers, so that such a signal leaves no temporary file, and a
 * write beyond the file size limit fails as on a full disk. */
void
signals_catch(void);

/* Names a program that a signal ends, too; 0: none. It may compute for long
 * before it notices that nobody reads what it writes. */
void
signals_set_helper(pid_t pid);

/* Called in a child before it runs another program: restores which signals are
 * ignored. */
void
signals_hand_on(void);

#endif
