/* arena.c - bytes that stay where they are until all of them go */

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/pages.h"

#define FIRST_SIZE 1024
#define PAGED_SIZE 65536	/* the first of pages, which come no smaller */
#define LAST_SIZE (1024 * 1024)

struct dmt_arena_chunk {
	struct dmt_arena_chunk *before;
	size_t used;
	size_t size;
	char bytes[];
};

/* Chunks double in size; one that is asked for more has just that. */
static size_t
next_size(const struct dmt_arena *arena, size_t len)
{
	size_t size = arena->paged ? PAGED_SIZE : FIRST_SIZE;

	if (arena->last != NULL)
		size = arena->last->size * 2;
	if (size > LAST_SIZE)
		size = LAST_SIZE;
	return size < len ? len : size;
}

static struct dmt_arena_chunk *
add_chunk(struct dmt_arena *arena, size_t len)
{
	const size_t size = next_size(arena, len);

	if (size > PTRDIFF_MAX - sizeof(struct dmt_arena_chunk))
		return NULL;
	struct dmt_arena_chunk *chunk = arena->paged ?
	    dmt_pages_new(sizeof(*chunk) + size) :
	    malloc(sizeof(*chunk) + size);
	if (chunk == NULL)
		return NULL;
	chunk->before = arena->last;
	chunk->used = 0;
	chunk->size = size;
	arena->last = chunk;
	return chunk;
}

void *
dmt_arena_alloc(struct dmt_arena *arena, size_t len)
{
	struct dmt_arena_chunk *chunk = arena->last;

	if (chunk == NULL || chunk->size - chunk->used < len)
		chunk = add_chunk(arena, len);
	if (chunk == NULL)
		return NULL;
	void *bytes = chunk->bytes + chunk->used;
	chunk->used += len;
	return bytes;
}

void
dmt_arena_fini(struct dmt_arena *arena)
{
	while (arena->last != NULL) {
		struct dmt_arena_chunk *chunk = arena->last;
		arena->last = chunk->before;
		if (arena->paged)
			dmt_pages_free(chunk, sizeof(*chunk) + chunk->size);
		else
			free(chunk);
	}
}
