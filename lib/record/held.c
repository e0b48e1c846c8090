/* held.c - descriptors of files, in a program that may close them all */

#include "record/held.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

int
dmt_held_take(struct dmt_held *held, int fd)
{
	struct stat about = { .st_ino = 0 };

	if (fd >= 0)
		(void)fstat(fd, &about);
	*held = (struct dmt_held){ fd, about.st_dev, about.st_ino };
	return fd;
}

static bool
is_own(const struct dmt_held *held, int fd)
{
	struct stat about;

	return fd >= 0 && fstat(fd, &about) == 0 &&
	    about.st_dev == held->device && about.st_ino == held->inode;
}

int
dmt_held_get(struct dmt_held *held, const char *path)
{
	if (is_own(held, held->fd))
		return held->fd;
	held->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (held->fd < 0 || is_own(held, held->fd))
		return held->fd;
	close(held->fd);
	held->fd = -1;
	errno = EBADF;
	return -1;
}

int
dmt_held_close(struct dmt_held *held)
{
	const int fd = held->fd;

	held->fd = -1;
	return is_own(held, fd) ? close(fd) : 0;
}
