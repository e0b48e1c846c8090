/* array.h - growing arrays; sizes cannot overflow */
/* layer: base */
#ifndef DMT_PRIVATE_ARRAY_H
#define DMT_PRIVATE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Makes the array at least need items large, and half larger. item_size is in
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

/*
 * Appends an item to a list and returns it, for the caller to fill. Without
 * memory it sets *no_memory, a bool, and returns an item that is not in the
 * list: so the caller fills many lists, and looks at the flag once, for
 * example after each batch. A list of a type has these members, zero if it is
 * empty, and may have others; its owner frees items:
 *
 *	TYPE *items;
 *	size_t count;
 *	size_t capacity;
 *	TYPE spare;
 */
#define dmt_push(list, no_memory) \
	(((list)->count < (list)->capacity || \
	    ((list)->items = dmt_list_grow((list)->items, &(list)->capacity, \
	    sizeof(*(list)->items), (no_memory)), \
	    (list)->count < (list)->capacity)) ? \
	    &(list)->items[(list)->count++] : &(list)->spare)

/* For dmt_push: makes the array larger by at least one item, or returns it as
 * it is and sets *no_memory. */
void *
dmt_list_grow(void *items, size_t *capacity, size_t item_size,
    bool *no_memory);

#endif
