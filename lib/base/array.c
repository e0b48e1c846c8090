/* array.c - growing arrays, with every product checked */

#include "base/array.h"

#include <stdint.h>
#include <stdlib.h>

#define FIRST_CAPACITY 8

/* At least need: twice the old capacity, as long as that can be. */
static size_t
grown(size_t capacity, size_t need)
{
	if (capacity < FIRST_CAPACITY)
		capacity = FIRST_CAPACITY / 2;
	if (capacity > SIZE_MAX / 2 || capacity * 2 < need)
		return need;
	return capacity * 2;
}

void *
dmt_array_grow(void *items, size_t *capacity, size_t need, size_t item_size)
{
	if (items != NULL && need <= *capacity)
		return items;
	const size_t count = grown(*capacity, need);
	if (count > PTRDIFF_MAX / item_size)
		return NULL;
	void *moved = realloc(items, count * item_size);
	if (moved != NULL)
		*capacity = count;
	return moved;
}

void *
dmt_array_new(size_t count, size_t item_size)
{
	if (count > PTRDIFF_MAX / item_size)
		return NULL;
	return calloc(count == 0 ? 1 : count, item_size);
}
