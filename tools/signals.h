/* signals.h - signals that end the program */
#ifndef SIGNALS_H
#define SIGNALS_H

/* From here on, such a signal leaves no temporary behind. */
void
signals_catch(void);

#endif
