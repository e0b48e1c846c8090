/* faults.h - calls of the C library that fail when a test says so */

#ifndef FAULTS_H
#define FAULTS_H

#include <stdbool.h>
#include <stddef.h>

/* A program that links this is linked with $(faults_ldflags). */
enum fault {
	FAULT_NONE,
	FAULT_ALLOC,		/* malloc, calloc, realloc: ENOMEM */
	FAULT_MAP,		/* mmap: ENOMEM */
	FAULT_OPEN,		/* open: EMFILE */
	FAULT_READ,		/* read: EIO */
	FAULT_WRITE,		/* write, writev: ENOSPC; ftruncate: EIO */
	FAULT_SYNC,		/* fsync: EIO */
	FAULT_CLOSE,		/* close: EIO, and it is closed */
	FAULT_NAME		/* rename, link: EACCES */
};

/* From here on the nth call of that kind, from 1, fails: it alone. What is
 * allocated from here on must be freed when the process exits, else that
 * fails. */
void
fault_arm(enum fault kind, unsigned nth);

/* Nothing fails any more. Returns whether the armed one did. */
bool
fault_disarm(void);

/* The next read (write) stops for a signal, and all of them take at most
 * len bytes; 0: as many as there are. Until fault_disarm. */
void
fault_interrupt(size_t len);

/* The most bytes that were asked for at once since the call before this one. */
size_t
fault_largest(void);

/* The next write raises the signal, in the thread that writes. */
void
fault_raise(int number);

#endif
