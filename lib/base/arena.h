/* arena.h - memory that grows by chunks and is freed all at once */
#ifndef DMT_BASE_ARENA_H
#define DMT_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/* A zeroed struct is a valid, empty arena. */
struct dmt_arena {
	struct dmt_arena_chunk *last;
	bool mapped;		/* chunks are mapped, not from malloc; set it
				   before the first use */
};

/* Returns len bytes, neither aligned nor initialised, that are valid until
 * fini; NULL: no memory. */
void *
dmt_arena_alloc(struct dmt_arena *arena, size_t len);

/* Returns a copy of len bytes with a NUL after it; NULL: no memory. */
char *
dmt_arena_copy(struct dmt_arena *arena, const char *bytes, size_t len);

void
dmt_arena_fini(struct dmt_arena *arena);

#endif
