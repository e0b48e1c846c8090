/* pages.h - memory from the system itself, where malloc may not be called */
#ifndef DMT_BASE_PAGES_H
#define DMT_BASE_PAGES_H

#include <stddef.h>

/* Zeroed pages, taken only as they are touched; safe in signal handlers.
 * NULL: no memory. */
void *
dmt_pages_new(size_t len);

/* NULL is allowed. */
void
dmt_pages_free(void *pages, size_t len);

/*
 * Room for at least need bytes at pages, doubling; *len is what there is, 0
 * with NULL. What is new is zero. Returns the pages, moved or not, or NULL:
 * no memory, and the old ones are as they were.
 */
void *
dmt_pages_grow(void *pages, size_t *len, size_t need);

#endif
