/* arena.h - bytes that stay where they are until all of them go */
#ifndef DMT_BASE_ARENA_H
#define DMT_BASE_ARENA_H

#include <stddef.h>

struct dmt_arena {
	struct dmt_chunk *last;		/* NULL: empty; zero is a valid arena */
};

/* len bytes, neither aligned nor initialised, that live until fini; NULL: no
 * memory. */
void *
dmt_arena_alloc(struct dmt_arena *arena, size_t len);

void
dmt_arena_fini(struct dmt_arena *arena);

#endif
