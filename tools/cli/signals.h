/* signals.h - signals that end the program */
#ifndef SIGNALS_H
#define SIGNALS_H

/* From here on, such a signal leaves no temporary file, and a write that is
 * too long fails as on a full disk. */
void
signals_catch(void);

/* In a child that becomes another program: what is ignored is as it was. */
void
signals_hand_on(void);

#endif
