/* array.h - growing arrays, of malloc or mapped, with every product checked */
#ifndef DMT_BASE_ARRAY_H
#define DMT_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "private/array.h"

/* count items of zeros. NULL: no memory, or the product overflows; an array of
 * no bytes is not NULL. */
void *
dmt_array_new(size_t count, size_t item_size);

/*
 * Memory mapped from the system, for where malloc may not be called: signal
 * handlers, and hooks that malloc itself may run. It is zero, and taken only as
 * it is touched. NULL: no memory.
 */
void *
dmt_mapped_new(size_t len);

/* memory, which may be NULL, has len bytes. */
void
dmt_mapped_free(void *memory, size_t len);

/*
 * Makes room for at least need bytes at memory, doubling; *len is its size, 0
 * with NULL. New bytes are zero. Returns the memory, moved or not. NULL: out of
 * memory; the old memory stays as it was.
 */
void *
dmt_mapped_grow(void *memory, size_t *len, size_t need);

#endif
