/* imported_names.c - names of any bytes, each once, by index */

#include "import/imported_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "private/text.h"

static uint64_t
hash_imported(struct dmtrace_text name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < name.len; i++)
		hash = (hash ^ (uint8_t)name.bytes[i]) *
		    UINT64_C(0x100000001b3);
	return hash;
}

static bool
make_name_room(struct dmt_imported_names *names)
{
	struct dmtrace_text *const items = dmt_array_grow(names->items,
	    &names->capacity, names->count + 1, sizeof(*items));

	if (items == NULL)
		return false;
	names->items = items;
	uint32_t *const same = dmt_array_grow(names->same_hash,
	    &names->same_capacity, names->count + 1, sizeof(*same));
	if (same == NULL)
		return false;
	names->same_hash = same;
	return names->count < DMT_NO_NAME;
}

uint32_t
dmt_imported_intern(struct dmt_imported_names *names, struct dmtrace_text name)
{
	const uint64_t hash = hash_imported(name);
	uint32_t *const last = dmt_idmap_find(&names->by_hash, hash);

	for (uint32_t next = last == NULL ? 0 : *last + 1; next != 0;
	    next = names->same_hash[next - 1]) {
		const struct dmtrace_text *const old = &names->items[next - 1];

		if (dmt_text_equal(*old, name))
			return next - 1;
	}
	char *const copy = dmt_arena_alloc(&names->arena, name.len);
	const uint32_t index = (uint32_t)names->count;
	if (copy == NULL || !make_name_room(names))
		return DMT_NO_NAME;
	if (name.len > 0)
		memcpy(copy, name.bytes, name.len);
	names->same_hash[index] = last == NULL ? 0 : *last + 1;
	if (last != NULL)
		*last = index;
	else if (!dmt_idmap_add(&names->by_hash, hash, index))
		return DMT_NO_NAME;
	names->items[index] = (struct dmtrace_text){ copy, name.len };
	names->count++;
	return index;
}

void
dmt_imported_fini(struct dmt_imported_names *names)
{
	free(names->items);
	free(names->same_hash);
	dmt_idmap_fini(&names->by_hash);
	dmt_arena_fini(&names->arena);
}
