/* depths.h - an array of items by thread and depth of call */
#ifndef DMT_EXPORT_DEPTHS_H
#define DMT_EXPORT_DEPTHS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/*
 * Items of one size by thread and depth, for formats that store something for
 * each open call, whose depth is in the steps of calls.h. Depth 0 is for the
 * thread itself, and initially zero. With size set and the rest zero, the
 * struct is valid and empty.
 */
struct dmt_depths {
	size_t size;
	struct dmt_depths_thread {
		uint8_t *items;
		size_t capacity;
	} *threads;
	size_t count;
	size_t capacity;
};

static inline bool
dmt_depths_reserve(struct dmt_depths *depths, size_t threads)
{
	struct dmt_depths_thread *const grown = dmt_array_grow(
	    depths->threads, &depths->capacity, threads, sizeof(*grown));

	if (grown == NULL)
		return false;
	depths->threads = grown;
	for (; depths->count < threads; depths->count++)
		grown[depths->count] = (struct dmt_depths_thread){ NULL, 0 };
	return true;
}

/* Returns an item, which is valid until the next call; NULL: no memory. */
static inline void *
dmt_depths_at(struct dmt_depths *depths, uint32_t thread, uint32_t depth)
{
	struct dmt_depths_thread *const own = &depths->threads[thread];
	const bool first = own->items == NULL;

	if (depth >= own->capacity) {
		uint8_t *const items = dmt_array_grow(own->items,
		    &own->capacity, depth + (size_t)1, depths->size);

		if (items == NULL)
			return NULL;
		own->items = items;
		if (first)
			memset(items, 0, depths->size);
	}
	return own->items + depth * depths->size;
}

static inline void
dmt_depths_fini(struct dmt_depths *depths)
{
	for (size_t i = 0; i < depths->count; i++)
		free(depths->threads[i].items);
	free(depths->threads);
	*depths = (struct dmt_depths){ .size = depths->size };
}

#endif
