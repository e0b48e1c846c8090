/* system.c - system calls beyond POSIX that the recorder needs */

#define _GNU_SOURCE		/* syscall */

#include "record/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* From linux/membarrier.h, which old systems lack. */
enum {
	BARRIER = 1 << 3,		/* private expedited */
	BARRIER_REGISTER = 1 << 4
};

size_t
dmt_mapped_trim(void *pages, size_t len, size_t used)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const size_t left = (used + page - 1) / page * page;

	if (left >= len || munmap((char *)pages + left, len - left) != 0)
		return len;
	return left;
}

#ifdef SYS_membarrier
bool
dmt_barrier_init(void)
{
	return syscall(SYS_membarrier, BARRIER_REGISTER, 0) == 0;
}

void
dmt_barrier(void)
{
	syscall(SYS_membarrier, BARRIER, 0);
}
#else
bool
dmt_barrier_init(void)
{
	return false;
}

void
dmt_barrier(void)
{
}
#endif

#ifdef SYS_gettid
long
dmt_thread_id(void)
{
	return syscall(SYS_gettid);
}
#else
long
dmt_thread_id(void)
{
	return (long)(intptr_t)pthread_self();
}
#endif

/* Uses only open, read and close: a thread may end in a signal handler. */
void
dmt_thread_name(long id, char name[DMT_THREAD_NAME_MAX])
{
	char path[64];

	if (id == (long)getpid()) {
		strcpy(name, "main");
		return;
	}
	snprintf(path, sizeof(path), "/proc/self/task/%ld/comm", id);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	const ssize_t len = read(fd, name, DMT_THREAD_NAME_MAX - 1);
	close(fd);
	if (len > 0)
		name[name[len - 1] == '\n' ? len - 1 : len] = '\0';
}

#ifdef MADV_WIPEONFORK
/* On a page that the system clears in a copy of the process; NULL: the system
 * does not support such pages. */
static atomic_int *process_mark;

void
dmt_process_mark(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (process_mark == NULL && (process_mark = dmt_mapped_new(page)) !=
	    NULL && madvise(process_mark, page, MADV_WIPEONFORK) != 0) {
		dmt_mapped_free(process_mark, page);
		process_mark = NULL;
	}
	if (process_mark != NULL)
		atomic_store(process_mark, 1);
}

bool
dmt_process_is_copy(void)
{
	return process_mark != NULL && atomic_load(process_mark) == 0 &&
	    atomic_exchange(process_mark, 1) == 0;
}
#else
void
dmt_process_mark(void)
{
}

bool
dmt_process_is_copy(void)
{
	return false;
}
#endif

void
dmt_signal_take_back(int number)
{
	const struct timespec now = { 0, 0 };
	const int error = errno;
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, number);
	(void)sigtimedwait(&signals, NULL, &now);
	errno = error;
}

/* The locks of the calling thread, and its state before the first of them. */
static _Thread_local struct {
	unsigned count;
	int cancel;
	sigset_t signals;
} held_locks DMT_NEAR;

const sigset_t *
dmt_lock_signals(void)
{
	return held_locks.count > 0 ? &held_locks.signals : NULL;
}

void
dmt_lock(pthread_mutex_t *mutex, struct dmt_guard *guard)
{
	guard->error = errno;
	if (held_locks.count == 0) {
		sigset_t all, before;

		sigfillset(&all);
		pthread_sigmask(SIG_SETMASK, &all, &before);
		held_locks.signals = before;
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE,
		    &held_locks.cancel);
	}
	held_locks.count++;
	pthread_mutex_lock(mutex);
}

void
dmt_unlock(pthread_mutex_t *mutex, const struct dmt_guard *guard)
{
	pthread_mutex_unlock(mutex);
	held_locks.count--;
	if (held_locks.count == 0) {
		const sigset_t before = held_locks.signals;
		int ignored;

		pthread_setcancelstate(held_locks.cancel, &ignored);
		pthread_sigmask(SIG_SETMASK, &before, NULL);
	}
	errno = guard->error;
}
