/* arena.h - bytes that stay where they are until all of them go */
#ifndef DMT_BASE_ARENA_H
#define DMT_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/* Zero is a valid, empty arena. */
struct dmt_arena {
	struct dmt_arena_chunk *last;
	bool mapped;		/* not of malloc; set it at the start */
};

/* len bytes, neither aligned nor initialised, that live until fini; NULL: no
 * memory. */
void *
dmt_arena_alloc(struct dmt_arena *arena, size_t len);

/* A copy of len bytes, and a NUL after it; NULL: no memory. */
char *
dmt_arena_copy(struct dmt_arena *arena, const char *bytes, size_t len);

void
dmt_arena_fini(struct dmt_arena *arena);

#endif
