/* arena.c - memory that grows by chunks and is freed all at once */

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define FIRST_SIZE 1024
#define MAPPED_SIZE 65536	/* bytes of the first mapped chunk */
#define LAST_SIZE (1024 * 1024)

struct dmt_arena_chunk {
	struct dmt_arena_chunk *before;
	size_t used;
	size_t size;
	char bytes[];
};

/* A new chunk is twice as large as the previous one, up to a limit, or as
 * large as the request if that is more. */
static struct dmt_arena_chunk *
add_chunk(struct dmt_arena *arena, size_t len)
{
	struct dmt_arena_chunk *chunk;
	size_t size = arena->last != NULL ? arena->last->size * 2 :
	    arena->mapped ? MAPPED_SIZE : FIRST_SIZE;

	if (size > LAST_SIZE)
		size = LAST_SIZE;
	if (size < len)
		size = len;
	if (size > PTRDIFF_MAX - sizeof(*chunk))
		return NULL;
	chunk = arena->mapped ? dmt_mapped_new(sizeof(*chunk) + size) :
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

char *
dmt_arena_copy(struct dmt_arena *arena, const char *bytes, size_t len)
{
	char *const copy = dmt_arena_alloc(arena, len + 1);

	if (copy == NULL)
		return NULL;
	if (len > 0)
		memcpy(copy, bytes, len);
	copy[len] = '\0';
	return copy;
}

void
dmt_arena_fini(struct dmt_arena *arena)
{
	while (arena->last != NULL) {
		struct dmt_arena_chunk *chunk = arena->last;
		arena->last = chunk->before;
		if (arena->mapped)
			dmt_mapped_free(chunk, sizeof(*chunk) + chunk->size);
		else
			free(chunk);
	}
}
