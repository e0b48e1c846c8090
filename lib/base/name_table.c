/* name_table.c - a table of names without repetitions, by index */

#include "base/name_table.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/hash.h"
#include "private/text.h"

#define NAMES_MAX (UINT32_C(1) << 30)

/* FNV-1a; a byte that few texts contain is hashed as the end of the text. */
static uint64_t
hash_name_text(uint64_t hash, struct dmtrace_text text, bool dots)
{
	return dmt_hash_byte(dots ? dmt_hash_class(hash, text.bytes, text.len) :
	    dmt_hash_bytes(hash, text.bytes, text.len), '\n');
}

static bool
same_name(const struct dmt_name *a, const struct dmt_name *b, bool dots)
{
	return a->listed == b->listed && dmt_text_equal(a->name, b->name) &&
	    dmt_text_equal(a->signature, b->signature) &&
	    (dmt_text_equal(a->class_name, b->class_name) ||
	    (dots && dmt_class_compare(a->class_name, b->class_name) == 0));
}

static bool
copy_text(struct dmt_arena *arena, struct dmtrace_text *text)
{
	text->bytes = dmt_arena_copy(arena, text->bytes, text->len);
	return text->bytes != NULL;
}

uint32_t
dmt_name_table_append(struct dmt_name_table *names,
    const struct dmt_name *name)
{
	struct dmt_name *const items = names->count >= NAMES_MAX ? NULL :
	    dmt_array_grow(names->items, &names->capacity, names->count + 1,
	    sizeof(*items));

	if (items == NULL)
		return DMT_NO_NAME;
	names->items = items;
	struct dmt_name *const row = &items[names->count];
	*row = *name;
	row->next = 0;
	if (!copy_text(&names->arena, &row->class_name) ||
	    !copy_text(&names->arena, &row->name) ||
	    !copy_text(&names->arena, &row->signature))
		return DMT_NO_NAME;
	return (uint32_t)names->count++;
}

static uint64_t
hash_whole_name(const struct dmt_name_table *names, const struct dmt_name *name)
{
	uint64_t hash = DMT_HASH ^ (uintptr_t)names ^ name->listed;

	hash = hash_name_text(hash, name->class_name, names->dots);
	hash = hash_name_text(hash, name->name, false);
	return hash_name_text(hash, name->signature, false);
}

/* Returns the index of a name among those with its hash, of which last is the
 * last one; NULL: there are none. */
static uint32_t
find_hashed(const struct dmt_name_table *names, const struct dmt_name *name,
    const uint32_t *last)
{
	for (uint32_t next = last == NULL ? 0 : *last + 1; next != 0;
	    next = names->items[next - 1].next)
		if (same_name(&names->items[next - 1], name, names->dots))
			return next - 1;
	return DMT_NO_NAME;
}

uint32_t
dmt_name_table_find(const struct dmt_name_table *names,
    const struct dmt_name *name)
{
	return find_hashed(names, name, dmt_idmap_find(&names->by_hash,
	    hash_whole_name(names, name)));
}

uint32_t
dmt_name_table_intern(struct dmt_name_table *names,
    const struct dmt_name *name)
{
	const uint64_t hash = hash_whole_name(names, name);

	if (!dmt_idmap_reserve(&names->by_hash))
		return DMT_NO_NAME;
	uint32_t *const last = dmt_idmap_find(&names->by_hash, hash);
	const uint32_t same = last == NULL ? 0 : *last + 1;
	const uint32_t known = find_hashed(names, name, last);
	if (known != DMT_NO_NAME)
		return known;

	const uint32_t index = dmt_name_table_append(names, name);
	if (index == DMT_NO_NAME)
		return DMT_NO_NAME;
	names->items[index].next = same;
	if (last != NULL)
		*last = index;
	else
		dmt_idmap_put(&names->by_hash, hash, index);
	return index;
}

void
dmt_name_table_fini(struct dmt_name_table *names)
{
	free(names->items);
	dmt_idmap_fini(&names->by_hash);
	dmt_arena_fini(&names->arena);
}
