/* array.h - growing arrays; sizes cannot overflow */
#ifndef DMT_PRIVATE_ARRAY_H
#define DMT_PRIVATE_ARRAY_H

#include <stddef.h>

/*
 * Makes the array at least need items large, by doubling. item_size is in
 * bytes and not 0; *capacity is in items, and is updated. Returns the array,
 * which may have moved. NULL: out of memory, or the size overflows; then the
 * old array is unchanged.
 */
void *
dmt_array_grow(void *items, size_t *capacity, size_t need, size_t item_size);

/* The same, but the new items are zeroed. */
void *
dmt_array_grow_zero(void *items, size_t *capacity, size_t need,
    size_t item_size);

#endif
