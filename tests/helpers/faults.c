/* faults.c - functions of the C library that fail when a test asks for it */

/*
 * Allocations are also counted: what a test allocates after fault_arm, it must
 * free before it ends. Check runs each test in a process, so this is judged
 * when a process exits. Memory that the C library allocates for itself is not
 * counted, so a pointer that is freed may be unknown.
 */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "helpers/faults.h"

/* The linker puts __wrap_x in the place of x, and x in that of __real_x. */
#if defined(__GLIBC__) && __WORDSIZE == 32 && _FILE_OFFSET_BITS == 64
/* These have other names where a file of 2 GiB needs them. */
#define __real_ftruncate __real_ftruncate64
#define __real_open __real_open64
#define __real_mmap __real_mmap64
#define __wrap_ftruncate __wrap_ftruncate64
#define __wrap_open __wrap_open64
#define __wrap_mmap __wrap_mmap64
#endif
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
ssize_t __real_read(int fd, void *out, size_t len);
ssize_t __real_write(int fd, const void *bytes, size_t len);
ssize_t __real_writev(int fd, const struct iovec *parts, int count);
int __real_ftruncate(int fd, off_t len);
int __real_open(const char *path, int flags, ...);
void *__real_mmap(void *at, size_t len, int access, int flags, int fd,
    off_t offset);
int __real_fsync(int fd);
int __real_close(int fd);
int __real_rename(const char *from, const char *to);
int __real_link(const char *from, const char *to);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);
ssize_t __wrap_read(int fd, void *out, size_t len);
ssize_t __wrap_write(int fd, const void *bytes, size_t len);
ssize_t __wrap_writev(int fd, const struct iovec *parts, int count);
int __wrap_ftruncate(int fd, off_t len);
int __wrap_open(const char *path, int flags, ...);
void *__wrap_mmap(void *at, size_t len, int access, int flags, int fd,
    off_t offset);
int __wrap_fsync(int fd);
int __wrap_close(int fd);
int __wrap_rename(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);

/* Volatile, as a compiler that optimizes the whole program may rely on malloc
 * to change no variable. */
static volatile struct {
	enum fault kind;
	unsigned left;		/* calls up to and with the failing one */
	bool interrupt;
	size_t len;
	int number;		/* of the signal to raise */
} armed;

static volatile size_t largest;

/* A hash table with open addressing; address 0 is a free place, 1 one that was
 * used. */
static struct {
	atomic_flag busy;
	bool counts;
	struct allocation {
		uintptr_t address;
		size_t size;
		unsigned left;	/* armed.left when it was made */
	} *items;
	size_t capacity;	/* a power of two, or 0 */
	size_t used;		/* places that are not free */
} live = { .busy = ATOMIC_FLAG_INIT };

/* The place of an address; or the first one that is at most unused: 0 to look
 * an address up, 1 to add it. */
static struct allocation *
find_allocation(uintptr_t address, uintptr_t unused)
{
	size_t at = (size_t)((uint64_t)address *
	    UINT64_C(0x9e3779b97f4a7c15) >> 32);

	for (;; at++) {
		struct allocation *const item =
		    &live.items[at & (live.capacity - 1)];

		if (item->address == address || item->address <= unused)
			return item;
	}
}

static void
grow_live(void)
{
	struct allocation *const old = live.items;
	const size_t count = live.capacity;

	live.capacity = count == 0 ? 1024 : 2 * count;
	live.items = __real_calloc(live.capacity, sizeof(*live.items));
	live.used = 0;
	if (live.items == NULL)
		abort();
	for (size_t i = 0; i < count; i++)
		if (old[i].address > 1) {
			*find_allocation(old[i].address, 1) = old[i];
			live.used++;
		}
	__real_free(old);
}

/* Replaces an allocation by another one; NULL: there is none. */
static void
count_allocation(const void *old, const void *made, size_t size)
{
	if (!live.counts)
		return;
	while (atomic_flag_test_and_set(&live.busy))
		;
	if (old != NULL && live.capacity > 0) {
		struct allocation *const item =
		    find_allocation((uintptr_t)old, 0);

		if (item->address != 0)
			item->address = 1;
	}
	if (made != NULL) {
		if (live.used >= live.capacity / 2)
			grow_live();
		struct allocation *const item =
		    find_allocation((uintptr_t)made, 1);
		live.used += item->address == 0;
		*item = (struct allocation){ (uintptr_t)made, size,
		    armed.left };
	}
	atomic_flag_clear(&live.busy);
}

__attribute__((destructor))
static void
judge_live(void)
{
	size_t count = 0;

	for (size_t i = 0; i < live.capacity; i++) {
		if (live.items[i].address <= 1)
			continue;
		if (count++ == 0)
			fprintf(stderr, "not freed: %zu bytes, allocated when "
			    "%u more calls were to succeed\n",
			    live.items[i].size, live.items[i].left);
	}
	if (count > 0) {
		fprintf(stderr, "%zu allocations were not freed\n", count);
		fflush(NULL);
		_exit(1);
	}
}

void
fault_arm(enum fault kind, unsigned nth)
{
	armed.kind = kind;
	armed.left = nth;
	live.counts = true;
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
	void *const made = fails_to_allocate(1, size) ? NULL :
	    __real_malloc(size);

	count_allocation(NULL, made, size);
	return made;
}

void *
__wrap_calloc(size_t count, size_t size)
{
	void *const made = fails_to_allocate(count, size) ? NULL :
	    __real_calloc(count, size);

	count_allocation(NULL, made, count * size);
	return made;
}

void *
__wrap_realloc(void *old, size_t size)
{
	const uintptr_t before = (uintptr_t)old;
	void *const made = fails_to_allocate(1, size) ? NULL :
	    __real_realloc(old, size);

	if (made != NULL)
		count_allocation((const void *)before, made, size);
	return made;
}

void
__wrap_free(void *old)
{
	count_allocation(old, NULL, 0);
	__real_free(old);
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
__wrap_ftruncate(int fd, off_t len)
{
	return fails(FAULT_WRITE, EIO) ? -1 : __real_ftruncate(fd, len);
}

int
__wrap_open(const char *path, int flags, ...)
{
	va_list more;

	va_start(more, flags);
	const int mode = (flags & O_CREAT) != 0 ? va_arg(more, int) : 0;
	va_end(more);
	return fails(FAULT_OPEN, EMFILE) ? -1 :
	    __real_open(path, flags, mode);
}

void *
__wrap_mmap(void *at, size_t len, int access, int flags, int fd, off_t offset)
{
	return fails(FAULT_MAP, ENOMEM) ? MAP_FAILED :
	    __real_mmap(at, len, access, flags, fd, offset);
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
