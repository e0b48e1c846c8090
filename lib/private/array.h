/* array.h - growing arrays, with every product checked */
#ifndef DMT_PRIVATE_ARRAY_H
#define DMT_PRIVATE_ARRAY_H

#include <stddef.h>

/*
 * Makes room for at least need items of item_size bytes, which is not 0, at
 * items, doubling. *capacity is in items. Returns the array, moved or not, or
 * NULL when there is no memory or the size overflows: then the old one is as it
 * was.
 */
void *
dmt_array_grow(void *items, size_t *capacity, size_t need, size_t item_size);

/* The same; the items that are new are zero. */
void *
dmt_array_grow_zero(void *items, size_t *capacity, size_t need,
    size_t item_size);

#endif
