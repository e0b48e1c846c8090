/* program_hooks.c - whether a program has hooks, from its file */

#include "record/program.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOOK "__cyg_profile_func_enter"
#define BLOCK (256 * 1024)

static int
open_executable(const char *path)
{
	struct stat about;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode) ||
	    access(path, X_OK) != 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* As execvp looks for it. */
static int
open_program(const char *name)
{
	const char *folders = getenv("PATH");
	char path[4096];
	int fd = -1;

	if (strchr(name, '/') != NULL)
		return open_executable(name);
	while (fd < 0 && folders != NULL) {
		const size_t len = strcspn(folders, ":");
		snprintf(path, sizeof(path), "%.*s%s%s", (int)len, folders,
		    len > 0 ? "/" : "", name);
		fd = open_executable(path);
		folders = folders[len] == ':' ? folders + len + 1 : NULL;
	}
	return fd;
}

/* The end of a block is looked at again, before the next one. */
static bool
find_hook(int fd, char *block)
{
	const size_t overlap = strlen(HOOK) - 1;
	size_t kept = 0;
	ssize_t n;

	while ((n = read(fd, block + kept, BLOCK - kept)) > 0) {
		const size_t len = kept + (size_t)n;
		const char *at = block;

		while ((size_t)(block + len - at) > overlap &&
		    (at = memchr(at, '_', (size_t)(block + len - at) -
		    overlap)) != NULL)
			if (memcmp(at++, HOOK, overlap + 1) == 0)
				return true;
		kept = len < overlap ? len : overlap;
		memmove(block, block + len - kept, kept);
	}
	return false;
}

/* Whether it names an interpreter, which loads what it is linked to. The
 * program headers of both classes begin with the type. */
static bool
is_dynamic(int fd, const unsigned char *head)
{
	const bool wide = head[EI_CLASS] == ELFCLASS64;
	Elf64_Ehdr large;
	Elf32_Ehdr small;
	uint32_t type;

	memcpy(&large, head, sizeof(large));
	memcpy(&small, head, sizeof(small));
	const uint64_t at = wide ? large.e_phoff : small.e_phoff;
	const unsigned count = wide ? large.e_phnum : small.e_phnum;
	const unsigned size = wide ? large.e_phentsize : small.e_phentsize;
	for (unsigned i = 0; i < count; i++)
		if (pread(fd, &type, sizeof(type),
		    (off_t)(at + (uint64_t)i * size)) != sizeof(type) ||
		    type == PT_INTERP)
			return true;
	return false;
}

enum program_hooks
program_hooks(const char *name)
{
	unsigned char head[sizeof(Elf64_Ehdr)];
	char *const block = malloc(BLOCK);
	enum program_hooks hooks = PROGRAM_UNKNOWN;
	const int fd = open_program(name);

	if (block != NULL && fd >= 0 &&
	    pread(fd, head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
	    memcmp(head, ELFMAG, SELFMAG) == 0)
		hooks = !find_hook(fd, block) ? PROGRAM_BARE :
		    is_dynamic(fd, head) ? PROGRAM_HOOKED : PROGRAM_STATIC;
	if (fd >= 0)
		close(fd);
	free(block);
	return hooks;
}
