/* name_table.c - names of any bytes, each once, by index */

#include "base/name_table.h"

#include <stdlib.h>

#include "base/array.h"
#include "private/text.h"

/* The hash is FNV-1a, begun with a number that nobody can know beforehand. */
uint32_t
dmt_name_table_intern(struct dmt_name_table *names, struct dmtrace_text name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uintptr_t)names;

	for (size_t i = 0; i < name.len; i++)
		hash = (hash ^ (uint8_t)name.bytes[i]) *
		    UINT64_C(0x100000001b3);
	uint32_t *const last = dmt_idmap_find(&names->by_hash, hash);
	for (uint32_t next = last == NULL ? 0 : *last + 1; next != 0;
	    next = names->items[next - 1].next)
		if (dmt_text_equal(names->items[next - 1].text, name))
			return next - 1;

	const uint32_t index = (uint32_t)names->count;
	struct dmt_name_row *const items = names->count >= DMT_NO_NAME ? NULL :
	    dmt_array_grow(names->items, &names->capacity, names->count + 1,
	    sizeof(*items));
	if (items == NULL)
		return DMT_NO_NAME;
	names->items = items;
	char *const copy = dmt_arena_copy(&names->arena, name.bytes,
	    name.len);
	if (copy == NULL)
		return DMT_NO_NAME;
	items[index] = (struct dmt_name_row){
		.text = { copy, name.len }, .next = last == NULL ? 0 : *last + 1
	};
	if (last != NULL)
		*last = index;
	else if (!dmt_idmap_add(&names->by_hash, hash, index))
		return DMT_NO_NAME;
	names->count++;
	return index;
}

void
dmt_name_table_fini(struct dmt_name_table *names)
{
	free(names->items);
	dmt_idmap_fini(&names->by_hash);
	dmt_arena_fini(&names->arena);
}
