/* faults.c - functions of the C library that fail when a test asks for it */

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "helpers/faults.h"

/* The linker puts __wrap_x in the place of x, and x in that of __real_x. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
ssize_t __real_read(int fd, void *out, size_t len);
ssize_t __real_write(int fd, const void *bytes, size_t len);
ssize_t __real_writev(int fd, const struct iovec *parts, int count);
int __real_fsync(int fd);
int __real_close(int fd);
int __real_rename(const char *from, const char *to);
int __real_link(const char *from, const char *to);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
ssize_t __wrap_read(int fd, void *out, size_t len);
ssize_t __wrap_write(int fd, const void *bytes, size_t len);
ssize_t __wrap_writev(int fd, const struct iovec *parts, int count);
int __wrap_fsync(int fd);
int __wrap_close(int fd);
int __wrap_rename(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);

static struct {
	enum fault kind;
	unsigned left;		/* calls up to and with the failing one */
	bool interrupt;
	size_t len;
	int number;		/* of the signal to raise */
} armed;

static size_t largest;

void
fault_arm(enum fault kind, unsigned nth)
{
	armed.kind = kind;
	armed.left = nth;
}

bool
fault_disarm(void)
{
	const bool failed = armed.kind != FAULT_NONE && armed.left == 0;

	armed.kind = FAULT_NONE;
	armed.interrupt = false;
	armed.len = 0;
	return failed;
}

void
fault_interrupt(size_t len)
{
	armed.interrupt = true;
	armed.len = len;
}

void
fault_raise(int number)
{
	armed.number = number;
}

static bool
fails(enum fault kind, int code)
{
	if (kind != armed.kind || armed.left == 0 || --armed.left > 0)
		return false;
	errno = code;
	return true;
}

static bool
interrupted(void)
{
	if (!armed.interrupt)
		return false;
	armed.interrupt = false;
	errno = EINTR;
	return true;
}

size_t
fault_largest(void)
{
	const size_t size = largest;

	largest = 0;
	return size;
}

static bool
fails_to_allocate(size_t count, size_t size)
{
	if (size > 0 && count > largest / size)
		largest = count > SIZE_MAX / size ? SIZE_MAX : count * size;
	return fails(FAULT_ALLOC, ENOMEM);
}

static size_t
piece(size_t len)
{
	return armed.len > 0 && armed.len < len ? armed.len : len;
}

void *
__wrap_malloc(size_t size)
{
	return fails_to_allocate(1, size) ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t count, size_t size)
{
	return fails_to_allocate(count, size) ? NULL :
	    __real_calloc(count, size);
}

void *
__wrap_realloc(void *old, size_t size)
{
	return fails_to_allocate(1, size) ? NULL : __real_realloc(old, size);
}

ssize_t
__wrap_read(int fd, void *out, size_t len)
{
	return fails(FAULT_READ, EIO) || interrupted() ? -1 :
	    __real_read(fd, out, piece(len));
}

/* Before a write; false: it fails. */
static bool
begin_write(void)
{
	const int number = armed.number;

	armed.number = 0;
	if (number != 0)
		raise(number);
	return !fails(FAULT_WRITE, ENOSPC) && !interrupted();
}

ssize_t
__wrap_write(int fd, const void *bytes, size_t len)
{
	return begin_write() ? __real_write(fd, bytes, piece(len)) : -1;
}

/* One that is cut ends in its first part. */
ssize_t
__wrap_writev(int fd, const struct iovec *parts, int count)
{
	if (!begin_write())
		return -1;
	return armed.len == 0 ? __real_writev(fd, parts, count) :
	    __real_write(fd, parts[0].iov_base, piece(parts[0].iov_len));
}

int
__wrap_fsync(int fd)
{
	return fails(FAULT_SYNC, EIO) ? -1 : __real_fsync(fd);
}

int
__wrap_close(int fd)
{
	const int result = __real_close(fd);

	return fails(FAULT_CLOSE, EIO) ? -1 : result;
}

int
__wrap_rename(const char *from, const char *to)
{
	return fails(FAULT_NAME, EACCES) ? -1 : __real_rename(from, to);
}

int
__wrap_link(const char *from, const char *to)
{
	return fails(FAULT_NAME, EACCES) ? -1 : __real_link(from, to);
}
