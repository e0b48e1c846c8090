/* system.h - what the recorder asks of the system beyond POSIX */
#ifndef DMT_RECORD_SYSTEM_H
#define DMT_RECORD_SYSTEM_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

#define DMT_THREAD_NAME_MAX 64

/* Thread-local variables that are accessed without a call and exist from the
 * thread's start, even in a shared library: the dynamic linker reserves room
 * for those of libraries that are loaded later. */
#if defined(__GLIBC__) && defined(__GNUC__)
#define DMT_NEAR __attribute__((tls_model("initial-exec")))
#else
#define DMT_NEAR
#endif

/* Unmaps the pages after the first used bytes. Returns the length that is
 * left. */
size_t
dmt_mapped_trim(void *pages, size_t len, size_t used);

/*
 * Prepares dmt_barrier. false: the system has none, and each thread must
 * fence for itself.
 */
bool
dmt_barrier_init(void);

/* Every running thread of the process passes a full fence. */
void
dmt_barrier(void);

/* The system's number of the calling thread. */
long
dmt_thread_id(void);

/* Sets name to "main" or the system's name of a thread of this process;
 * leaves it alone if there is no such thread any more. */
void
dmt_thread_name(long id, char name[DMT_THREAD_NAME_MAX]);

/*
 * Marks this process, once, and again its child after a fork. A copy that was
 * made without the handlers of forks, by clone or _Fork, lacks the mark; one
 * that shares the memory, by vfork, has it.
 */
void
dmt_process_mark(void);

/* Whether the mark is missing, which it then is not any more. */
bool
dmt_process_is_copy(void);

/* Takes back a signal that the calling thread, which has it blocked, has
 * brought on itself. */
void
dmt_signal_take_back(int number);

/*
 * A lock that a signal handler may take, too: whoever holds it gets no
 * signals, and is not cancelled. A lock within another costs nothing for that.
 */
struct dmt_guard {
	int error;		/* errno, which an event leaves alone */
};

void
dmt_lock(pthread_mutex_t *mutex, struct dmt_guard *guard);

void
dmt_unlock(pthread_mutex_t *mutex, const struct dmt_guard *guard);

/* The signals that were blocked before the first of the locks that the calling
 * thread holds; NULL: it holds none. */
const sigset_t *
dmt_lock_signals(void);

#endif
