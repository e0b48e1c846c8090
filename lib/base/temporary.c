/* temporary.c - files that have no name of their own yet */

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

#define TRIES 1000		/* names for a temporary */
#define NAME_SIZE 64

/* All of them. Whoever looks at them holds the lock, in which no signal comes:
 * so a handler that waits for it waits for another thread. */
static struct dmt_temporary *first_of_all;
static atomic_flag lock = ATOMIC_FLAG_INIT;

static void
begin(sigset_t *old)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, old);
	while (atomic_flag_test_and_set(&lock))
		;
}

static void
end(const sigset_t *old)
{
	const int saved = errno;

	atomic_flag_clear(&lock);
	pthread_sigmask(SIG_SETMASK, old, NULL);
	errno = saved;
}

static void
add(struct dmt_temporary *temporary)
{
	temporary->owner = getpid();
	temporary->next = first_of_all;
	temporary->link = &first_of_all;
	if (first_of_all != NULL)
		first_of_all->link = &temporary->next;
	first_of_all = temporary;
}

/* Room for a name in the folder that path is in; *at is where it goes. */
static struct dmt_temporary *
make(const char *path, char **at)
{
	const char *const slash = strrchr(path, '/');
	const size_t folder = slash == NULL ? 0 : (size_t)(slash - path) + 1;
	struct dmt_temporary *const temporary =
	    malloc(sizeof(*temporary) + folder + NAME_SIZE);

	if (temporary == NULL)
		return NULL;
	memcpy(temporary->path, path, folder);
	*at = temporary->path + folder;
	return temporary;
}

static int
open_new(const char *path, char *name, mode_t mode, unsigned first)
{
	int fd = -1;

	errno = EEXIST;
	for (unsigned try = first;
	    fd < 0 && errno == EEXIST && try - first < TRIES; try++) {
		snprintf(name, NAME_SIZE, ".dmtrace-%ld-%u.tmp",
		    (long)getpid(), try);
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	}
	return fd;
}

int
dmt_temporary_create(struct dmt_temporary **temporary, const char *path,
    mode_t mode, unsigned first)
{
	sigset_t old;
	char *name;
	struct dmt_temporary *const made = make(path, &name);

	if (made == NULL)
		return -1;
	begin(&old);
	const int fd = open_new(made->path, name, mode, first);
	if (fd >= 0)
		add(made);
	else
		free(made);
	end(&old);
	if (fd >= 0)
		*temporary = made;
	return fd;
}

void
dmt_temporary_free(struct dmt_temporary *temporary)
{
	sigset_t old;

	if (temporary == NULL)
		return;
	begin(&old);
	*temporary->link = temporary->next;
	if (temporary->next != NULL)
		temporary->next->link = temporary->link;
	end(&old);
	free(temporary);
}

void
dmtrace_temporaries_remove(void)
{
	const pid_t self = getpid();
	sigset_t old;

	begin(&old);
	for (const struct dmt_temporary *temporary = first_of_all;
	    temporary != NULL; temporary = temporary->next)
		if (temporary->owner == self)
			unlink(temporary->path);
	end(&old);
}
