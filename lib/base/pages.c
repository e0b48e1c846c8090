/* pages.c - memory from the system itself, where malloc may not be called */

#define _GNU_SOURCE		/* MAP_ANONYMOUS */

#include "base/pages.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST_LEN 65536

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

void *
dmt_pages_new(size_t len)
{
	void *pages = mmap(NULL, len, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

void
dmt_pages_free(void *pages, size_t len)
{
	if (pages != NULL)
		munmap(pages, len);
}

void *
dmt_pages_grow(void *pages, size_t *len, size_t need)
{
	size_t size = *len == 0 ? FIRST_LEN : *len;

	if (need <= *len)
		return pages;
	while (size < need) {
		if (size > PTRDIFF_MAX / 2)
			return NULL;
		size *= 2;
	}
	void *moved = dmt_pages_new(size);
	if (moved == NULL)
		return NULL;
	if (*len > 0)
		memcpy(moved, pages, *len);
	dmt_pages_free(pages, *len);
	*len = size;
	return moved;
}
