/* no_memory.c - preloaded: lets one allocation of a program fail
 *
 * NO_MEMORY is its number, from 1; a line is added to the file NO_MEMORY_NOTE
 * when it has failed.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char early[4096];	/* for what dlsym itself asks for */
static size_t early_used;
static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);
static unsigned long left;

static void
find(void *function, const char *name)
{
	void *const found = dlsym(RTLD_NEXT, name);

	memcpy(function, &found, sizeof(found));
}

static void __attribute__((constructor))
find_all(void)
{
	const char *const number = getenv("NO_MEMORY");

	if (real_free != NULL)
		return;
	find(&real_malloc, "malloc");
	find(&real_calloc, "calloc");
	find(&real_realloc, "realloc");
	find(&real_free, "free");
	left = number == NULL ? 0 : strtoul(number, NULL, 10);
}

static int
fails(void)
{
	if (left == 0 || --left > 0)
		return 0;
	const char *const note = getenv("NO_MEMORY_NOTE");
	const int fd = note == NULL ? -1 :
	    open(note, O_WRONLY | O_CREAT | O_APPEND, 0666);
	if (fd >= 0 && write(fd, "failed\n", 7) != 7)
		abort();
	close(fd);
	errno = ENOMEM;
	return 1;
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

void *
malloc(size_t size)
{
	if (real_malloc == NULL)
		return take_early(size);
	return fails() ? NULL : real_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	if (real_calloc == NULL)
		return take_early(count * size);
	return fails() ? NULL : real_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
	find_all();
	return fails() ? NULL : real_realloc(old, size);
}

void
free(void *old)
{
	if ((char *)old >= early && (char *)old < early + sizeof(early))
		return;
	find_all();
	real_free(old);
}
