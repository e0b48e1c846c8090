/* signals.h - handlers of signals that end the program */
#ifndef SIGNALS_H
#define SIGNALS_H

/* Installs handlers, so that such a signal leaves no temporary file, and a
 * write beyond the file size limit fails as on a full disk. */
void
signals_catch(void);

/* Called in a child before it runs another program: restores which signals are
 * ignored. */
void
signals_hand_on(void);

#endif
