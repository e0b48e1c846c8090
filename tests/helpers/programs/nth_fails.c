/* nth_fails.c - preloaded: lets one call of the C library fail in a program
 *
 * FAIL_CALL is the kind of call (a row of kinds), FAIL_NUMBER its number, from
 * 1; a line is added to the file FAIL_NOTE when it has failed: "output" if it
 * closes or syncs a file that has a name and was open for writing, else
 * "failed". What the program starts is left alone; or only what has the name
 * FAIL_IN is not. A program that has not ended after a minute is ended by
 * SIGALRM, as it may wait for what never comes.
 *
 * What the program itself allocates, and not the C library for it, it must free
 * before it exits: else the exit status is 99.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static const struct {
	const char *name;
	int code;
} kinds[] = {
	{ "memory", ENOMEM }, { "read", EIO }, { "write", ENOSPC },
	{ "open", EMFILE }, { "rename", EACCES }, { "fork", EAGAIN },
	{ "pipe", EMFILE }, { "close", EIO }, { "sync", EIO }
};

enum kind {
	MEMORY, READ, WRITE, OPEN, RENAME, FORK, PIPE, CLOSE, SYNC, KINDS
};

enum { SECONDS_MAX = 60 };	/* of a program */

static char early[4096];	/* for what dlsym itself asks for */
static size_t early_used;
static void *(*real_malloc)(size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);
static void *(*real_mmap)(void *, size_t, int, int, int, off_t);
static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_pread)(int, void *, size_t, off_t);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static int (*real_ftruncate)(int, off_t);
static int (*real_fallocate)(int, int, off_t, off_t);
static int (*real_open)(const char *, int, ...);
static int (*real_mkstemp)(char *);
static char *(*real_mkdtemp)(char *);
static int (*real_mkdir)(const char *, mode_t);
static FILE *(*real_fopen)(const char *, const char *);
static FILE *(*real_tmpfile)(void);
static int (*real_rename)(const char *, const char *);
static int (*real_link)(const char *, const char *);
static pid_t (*real_fork)(void);
static int (*real_spawnp)(pid_t *, const char *,
    const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
    char *const *, char *const *);
static int (*real_pipe)(int *);
static int (*real_close)(int);
static int (*real_fsync)(int);
static enum kind failing = KINDS;
static unsigned long left;

/* The head of an allocated block; the caller gets what follows it. */
struct block {
	uint64_t magic;
	uint64_t own;		/* 1: allocated by code of the program */
};

static const uint64_t magic = UINT64_C(0x5fd1a40c96b82e73);
static uintptr_t code_begin, code_end;	/* of the program */
static atomic_long live;		/* blocks of its own */

static void
find(void *function, const char *name)
{
	void *const found = dlsym(RTLD_NEXT, name);

	memcpy(function, &found, sizeof(found));
}

/* The program is the first object. */
static int
find_code(struct dl_phdr_info *object, size_t size, void *unused)
{
	(void)size;
	(void)unused;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *const part = &object->dlpi_phdr[i];

		if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0) {
			code_begin = object->dlpi_addr + part->p_vaddr;
			code_end = code_begin + part->p_memsz;
		}
	}
	return 1;
}

static void __attribute__((constructor))
find_all(void)
{
	const char *const only = getenv("FAIL_IN");
	const char *const number = getenv("FAIL_NUMBER");
	const char *const name = getenv("FAIL_CALL");

	if (real_free != NULL)
		return;
	find(&real_malloc, "malloc");
	find(&real_realloc, "realloc");
	find(&real_read, "read");
	find(&real_pread, "pread");
	find(&real_write, "write");
	find(&real_writev, "writev");
	find(&real_mmap, "mmap");
	find(&real_ftruncate, "ftruncate");
	find(&real_fallocate, "fallocate");
	find(&real_open, "open");
	find(&real_mkstemp, "mkstemp");
	find(&real_mkdtemp, "mkdtemp");
	find(&real_mkdir, "mkdir");
	find(&real_fopen, "fopen");
	find(&real_tmpfile, "tmpfile");
	find(&real_rename, "rename");
	find(&real_link, "link");
	find(&real_fork, "fork");
	find(&real_spawnp, "posix_spawnp");
	find(&real_pipe, "pipe");
	find(&real_close, "close");
	find(&real_fsync, "fsync");
	find(&real_free, "free");
	if (only != NULL && strcmp(only, program_invocation_short_name) != 0)
		return;
	dl_iterate_phdr(find_code, NULL);
	left = number == NULL ? 0 : strtoul(number, NULL, 10);
	for (int kind = 0; name != NULL && kind < KINDS; kind++)
		if (strcmp(kinds[kind].name, name) == 0)
			failing = (enum kind)kind;
	alarm(SECONDS_MAX);
	unsetenv("LD_PRELOAD");
}

static int
fails_with(enum kind kind, const char *line)
{
	if (kind != failing || left == 0 || --left > 0)
		return 0;
	const char *const note = getenv("FAIL_NOTE");
	const int fd = note == NULL ? -1 :
	    real_open(note, O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (fd >= 0 && real_write(fd, line, strlen(line)) < 0)
		abort();
	if (fd >= 0)
		real_close(fd);
	errno = kinds[kind].code;
	return 1;
}

static int
fails(enum kind kind)
{
	return fails_with(kind, "failed\n");
}

static int
is_output(int fd)
{
	struct stat about;

	return fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
	    about.st_nlink > 0 &&
	    (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

static void *
take_early(size_t size)
{
	void *const taken = early + early_used;

	early_used += (size + 15) / 16 * 16;
	if (early_used > sizeof(early))
		abort();
	return taken;
}

static size_t
with_block(size_t size)
{
	return size > PTRDIFF_MAX ? size : sizeof(struct block) + size;
}

/* Gives out a block that was allocated for a caller. */
static void *
give(struct block *made, const void *caller)
{
	const uintptr_t at = (uintptr_t)caller;

	if (made == NULL)
		return NULL;
	made->magic = magic;
	made->own = at >= code_begin && at < code_end;
	live += (long)made->own;
	return made + 1;
}

/* The block as it was allocated, which is not live now. */
static void *
take(void *given)
{
	struct block *const made = (struct block *)given - 1;

	if (given == NULL || made->magic != magic)
		return given;
	made->magic = 0;
	live -= (long)made->own;
	return made;
}

void *
malloc(size_t size)
{
	if (real_malloc == NULL)
		return take_early(size);
	return fails(MEMORY) ? NULL :
	    give(real_malloc(with_block(size)),
	    __builtin_return_address(0));
}

/* By malloc, as calloc of musl calls the malloc above: two heads. */
void *
calloc(size_t count, size_t size)
{
	if (real_malloc == NULL)
		return take_early(count * size);
	const size_t len = size > 0 && count > SIZE_MAX / size ? SIZE_MAX :
	    count * size;
	struct block *const made =
	    fails(MEMORY) ? NULL : real_malloc(with_block(len));

	if (made != NULL)
		memset(made, 0, with_block(len));
	return give(made, __builtin_return_address(0));
}

void *
realloc(void *old, size_t size)
{
	const void *const caller = __builtin_return_address(0);

	find_all();
	if (fails(MEMORY))
		return NULL;
	struct block *const before = take(old);
	struct block *const made = before == NULL ?
	    real_malloc(with_block(size)) :
	    real_realloc(before, with_block(size));

	if (made == NULL)	/* the old one stays */
		give(before, caller);
	return give(made, caller);
}

void
free(void *old)
{
	if ((char *)old >= early && (char *)old < early + sizeof(early))
		return;
	find_all();
	real_free(take(old));
}

void *
mmap(void *at, size_t len, int access, int flags, int fd, off_t offset)
{
	find_all();
	return fails(MEMORY) ? MAP_FAILED :
	    real_mmap(at, len, access, flags, fd, offset);
}

static void __attribute__((destructor))
judge_live(void)
{
	if (live == 0)
		return;
	fprintf(stderr, "%ld allocations were not freed\n", live);
	fflush(NULL);
	_exit(99);
}

ssize_t
read(int fd, void *out, size_t len)
{
	return fails(READ) ? -1 : real_read(fd, out, len);
}

ssize_t
pread(int fd, void *out, size_t len, off_t at)
{
	return fails(READ) ? -1 : real_pread(fd, out, len, at);
}

ssize_t
write(int fd, const void *bytes, size_t len)
{
	return fails(WRITE) ? -1 : real_write(fd, bytes, len);
}

ssize_t
writev(int fd, const struct iovec *parts, int count)
{
	return fails(WRITE) ? -1 : real_writev(fd, parts, count);
}

int
ftruncate(int fd, off_t len)
{
	return fails(WRITE) ? -1 : real_ftruncate(fd, len);
}

int
fallocate(int fd, int mode, off_t offset, off_t len)
{
	return fails(WRITE) ? -1 : real_fallocate(fd, mode, offset, len);
}

int
open(const char *path, int flags, ...)
{
	va_list more;

	va_start(more, flags);
	const int mode = (flags & O_CREAT) != 0 ? va_arg(more, int) : 0;
	va_end(more);
	find_all();
	return fails(OPEN) ? -1 : real_open(path, flags, mode);
}

int
mkstemp(char *path)
{
	return fails(OPEN) ? -1 : real_mkstemp(path);
}

char *
mkdtemp(char *path)
{
	return fails(OPEN) ? NULL : real_mkdtemp(path);
}

int
mkdir(const char *path, mode_t mode)
{
	return fails(OPEN) ? -1 : real_mkdir(path, mode);
}

FILE *
fopen(const char *path, const char *mode)
{
	find_all();
	return fails(OPEN) ? NULL : real_fopen(path, mode);
}

FILE *
tmpfile(void)
{
	return fails(OPEN) ? NULL : real_tmpfile();
}

int
rename(const char *from, const char *to)
{
	return fails(RENAME) ? -1 : real_rename(from, to);
}

int
link(const char *from, const char *to)
{
	return fails(RENAME) ? -1 : real_link(from, to);
}

pid_t
fork(void)
{
	return fails(FORK) ? -1 : real_fork();
}

int
posix_spawnp(pid_t *id, const char *file,
    const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *attributes, char *const *arguments,
    char *const *environment)
{
	return fails(FORK) ? EAGAIN : real_spawnp(id, file, actions,
	    attributes, arguments, environment);
}

int
pipe(int *fds)
{
	return fails(PIPE) ? -1 : real_pipe(fds);
}

/* It is closed all the same. */
int
close(int fd)
{
	const char *const line = is_output(fd) ? "output\n" : "failed\n";
	const int result = real_close(fd);

	return fails_with(CLOSE, line) ? -1 : result;
}

int
fsync(int fd)
{
	return fails_with(SYNC, is_output(fd) ? "output\n" : "failed\n") ?
	    -1 : real_fsync(fd);
}
