/* array.h - growing arrays, from malloc or mapped; sizes cannot overflow */
#ifndef DMT_BASE_ARRAY_H
#define DMT_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "private/array.h"

/* Returns count zeroed items. NULL: no memory, or the size in bytes overflows.
 * An array of 0 bytes is not NULL. */
void *
dmt_array_new(size_t count, size_t item_size);

/*
 * Memory mapped from the system, for code that may not call malloc: signal
 * handlers, and hooks that malloc itself may call. It is zeroed; a page uses
 * memory once it is touched. NULL: no memory.
 */
void *
dmt_mapped_new(size_t len);

/* len is the size of memory in bytes. memory may be NULL. */
void
dmt_mapped_free(void *memory, size_t len);

/*
 * Makes the mapped memory at least need bytes large, by doubling. *len is its
 * size, 0 if memory is NULL; it is updated. New bytes are zero. Returns the
 * memory, which may have moved. NULL: out of memory; the old memory is
 * unchanged.
 */
void *
dmt_mapped_grow(void *memory, size_t *len, size_t need);

#endif
