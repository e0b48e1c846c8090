/* array.c - growing arrays, from malloc or mapped; sizes cannot overflow */

#define _GNU_SOURCE		/* MAP_ANONYMOUS */

#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST_CAPACITY 8
#define FIRST_MAPPED 65536	/* bytes */

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

void *
dmt_array_grow(void *items, size_t *capacity, size_t need, size_t item_size)
{
	if (items != NULL && need <= *capacity)
		return items;
	size_t count = *capacity + *capacity / 2;
	if (count < FIRST_CAPACITY)
		count = FIRST_CAPACITY;
	if (count < need)
		count = need;
	if (count > PTRDIFF_MAX / item_size)
		return NULL;
	void *moved = realloc(items, count * item_size);
	if (moved != NULL)
		*capacity = count;
	return moved;
}

void *
dmt_array_grow_zero(void *items, size_t *capacity, size_t need,
    size_t item_size)
{
	const size_t before = items == NULL ? 0 : *capacity;
	char *const moved = dmt_array_grow(items, capacity, need, item_size);

	if (moved != NULL)
		memset(moved + before * item_size, 0,
		    (*capacity - before) * item_size);
	return moved;
}

void *
dmt_list_grow(void *items, size_t *capacity, size_t item_size,
    bool *no_memory)
{
	void *const moved = dmt_array_grow(items, capacity, *capacity + 1,
	    item_size);

	if (moved == NULL)
		*no_memory = true;
	return moved != NULL ? moved : items;
}

void *
dmt_array_new(size_t count, size_t item_size)
{
	if (count == 0 || item_size == 0)
		return calloc(1, 1);
	return count > PTRDIFF_MAX / item_size ? NULL :
	    calloc(count, item_size);
}

void *
dmt_mapped_new(size_t len)
{
	void *memory = mmap(NULL, len, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

void
dmt_mapped_free(void *memory, size_t len)
{
	if (memory != NULL)
		munmap(memory, len);
}

void *
dmt_mapped_grow(void *memory, size_t *len, size_t need)
{
	size_t size = *len == 0 ? FIRST_MAPPED : *len;

	if (need <= *len)
		return memory;
	while (size < need) {
		if (size > PTRDIFF_MAX / 2)
			return NULL;
		size *= 2;
	}
	void *moved = dmt_mapped_new(size);
	if (moved == NULL)
		return NULL;
	if (*len > 0)
		memcpy(moved, memory, *len);
	dmt_mapped_free(memory, *len);
	*len = size;
	return moved;
}
