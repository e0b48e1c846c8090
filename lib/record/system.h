/* system.h - system calls beyond POSIX that the recorder needs */
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
 * thread's start, even in a shared library: the dynamic linker reserves space
 * for variables of libraries that are loaded later. */
#if defined(__GLIBC__) && defined(__GNUC__)
#define DMT_NEAR __attribute__((tls_model("initial-exec")))
#else
#define DMT_NEAR
#endif

/* Unmaps the pages after the first used bytes. Returns the remaining length. */
size_t
dmt_mapped_trim(void *pages, size_t len, size_t used);

/*
 * Prepares dmt_barrier. false: the system does not support it, and each thread
 * must execute fences itself.
 */
bool
dmt_barrier_init(void);

/* Makes every running thread of the process execute a full fence. */
void
dmt_barrier(void);

/* Returns the system's number of the calling thread. */
long
dmt_thread_id(void);

/* Sets name to "main" or the system's name of a thread of this process; does
 * nothing if that thread does not exist any more. */
void
dmt_thread_name(long id, char name[DMT_THREAD_NAME_MAX]);

/*
 * Marks this process once, and its child again after a fork. A copy that was
 * made without fork handlers, by clone or _Fork, lacks the mark; a process
 * that shares the memory, by vfork, has it.
 */
void
dmt_process_mark(void);

/* Returns true if the mark is missing, and sets it. */
bool
dmt_process_is_copy(void);

/* Removes a pending signal that the calling thread, which blocks it, has
 * caused. */
void
dmt_signal_take_back(int number);

/*
 * A lock that a signal handler may take, too: while it is held, the thread
 * blocks signals and cannot be cancelled. Taking another lock inside it costs
 * nothing extra.
 */
struct dmt_guard {
	int error;		/* errno, which an event must not change */
};

void
dmt_lock(pthread_mutex_t *mutex, struct dmt_guard *guard);

void
dmt_unlock(pthread_mutex_t *mutex, const struct dmt_guard *guard);

/* Returns the signals that were blocked before the calling thread took the
 * first of the locks that it holds; NULL: it holds none. */
const sigset_t *
dmt_lock_signals(void);

#endif
