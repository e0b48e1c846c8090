/* temporary.c - temporaries of outputs, removed on signals; preallocation */

/*
 * Output is written to a temporary file in the same directory as its final
 * name. All temporaries of the process are in a list, so that the program can
 * remove them when a signal ends it; a child after fork removes none of its
 * parent's. A signal handler may need the list, so its lock is a spin lock,
 * which is held only while all signals are blocked: a handler that waits for
 * it never waits for the code that it interrupted, only for another thread.
 */

#define _GNU_SOURCE		/* fallocate */

#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef FALLOC_FL_KEEP_SIZE
#include <sys/vfs.h>
#endif

#include "private/status.h"

#define MEMORY_SYSTEM 0x01021994	/* TMPFS_MAGIC */
#define TRIES 1000		/* attempts to find an unused name */
#define NAME_SIZE 64

/* All temporaries of the process. The lock is held only while all signals are
 * blocked. */
static struct dmt_temporary *first_temporary;
static atomic_flag temporaries_lock = ATOMIC_FLAG_INIT;

static void
lock_temporaries(sigset_t *old)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, old);
	while (atomic_flag_test_and_set(&temporaries_lock))
		;
}

static void
unlock_temporaries(const sigset_t *old)
{
	const int saved = errno;

	atomic_flag_clear(&temporaries_lock);
	pthread_sigmask(SIG_SETMASK, old, NULL);
	errno = saved;
}

int
dmt_temporary_create(struct dmt_temporary **temporary, const char *path,
    mode_t mode, unsigned first)
{
	const char *const slash = strrchr(path, '/');
	const size_t folder = slash == NULL ? 0 : (size_t)(slash - path) + 1;
	struct dmt_temporary *const made =
	    malloc(sizeof(*made) + folder + NAME_SIZE);
	sigset_t old;
	int fd = -1;

	if (made == NULL)
		return -1;
	memcpy(made->path, path, folder);
	lock_temporaries(&old);
	errno = EEXIST;
	for (unsigned try = first;
	    fd < 0 && errno == EEXIST && try - first < TRIES; try++) {
		snprintf(made->path + folder, NAME_SIZE,
		    ".dmtrace-%ld-%u.tmp", (long)getpid(), try);
		fd = open(made->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
		    mode);
	}
	if (fd >= 0) {
		made->owner = getpid();
		made->next = first_temporary;
		made->link = &first_temporary;
		if (first_temporary != NULL)
			first_temporary->link = &made->next;
		first_temporary = made;
		*temporary = made;
	} else {
		free(made);
	}
	unlock_temporaries(&old);
	return fd;
}

void
dmt_temporary_free(struct dmt_temporary *temporary)
{
	sigset_t old;

	if (temporary == NULL)
		return;
	lock_temporaries(&old);
	*temporary->link = temporary->next;
	if (temporary->next != NULL)
		temporary->next->link = temporary->link;
	unlock_temporaries(&old);
	free(temporary);
}

void
dmt_temporaries_remove(void)
{
	const pid_t self = getpid();
	sigset_t old;

	lock_temporaries(&old);
	for (const struct dmt_temporary *temporary = first_temporary;
	    temporary != NULL; temporary = temporary->next)
		if (temporary->owner == self)
			unlink(temporary->path);
	unlock_temporaries(&old);
}

bool
dmt_file_preallocate(int fd, uint64_t offset, uint64_t len)
{
#ifdef FALLOC_FL_KEEP_SIZE
	struct statfs system;

	/* A file system in memory allocates page by page in any case. */
	return fstatfs(fd, &system) == 0 && system.f_type != MEMORY_SYSTEM &&
	    fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)offset,
	    (off_t)len) == 0;
#else
	(void)fd, (void)offset, (void)len;
	return false;
#endif
}
