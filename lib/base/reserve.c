/* reserve.c - room in a file system for what a file will hold */

#define _GNU_SOURCE		/* fallocate */

#include "base/reserve.h"

#include <fcntl.h>
#ifdef FALLOC_FL_KEEP_SIZE
#include <sys/vfs.h>
#endif

#ifdef FALLOC_FL_KEEP_SIZE
#define MEMORY 0x01021994	/* TMPFS_MAGIC: its pages come one by one */

bool
dmt_file_reserve(int fd, uint64_t offset, uint64_t len)
{
	struct statfs system;

	return fstatfs(fd, &system) == 0 && system.f_type != MEMORY &&
	    fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)offset,
	    (off_t)len) == 0;
}
#else
bool
dmt_file_reserve(int fd, uint64_t offset, uint64_t len)
{
	(void)fd, (void)offset, (void)len;
	return false;
}
#endif
