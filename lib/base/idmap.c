/* idmap.c - a hash map from 64-bit ids to 32-bit numbers */

#include "base/idmap.h"

#include <stdlib.h>

#include "base/array.h"

#define FIRST_CAPACITY 16

static void
free_slots(struct dmt_idmap *map)
{
	if (map->mapped)
		dmt_mapped_free(map->slots,
		    map->capacity * sizeof(*map->slots));
	else
		free(map->slots);
}

static bool
grow_idmap(struct dmt_idmap *map)
{
	struct dmt_idmap grown = {
		.capacity = map->capacity == 0 ?
		    FIRST_CAPACITY : map->capacity * 2,
		.count = map->count,
		.mapped = map->mapped
	};

	if (grown.capacity > PTRDIFF_MAX / sizeof(*grown.slots))
		return false;
	grown.slots = map->mapped ?
	    dmt_mapped_new(grown.capacity * sizeof(*grown.slots)) :
	    dmt_array_new(grown.capacity, sizeof(*grown.slots));
	if (grown.slots == NULL)
		return false;
	for (size_t i = 0; i < map->capacity; i++)
		if (map->slots[i].used)
			*dmt_idmap_probe(&grown, map->slots[i].id) =
			    map->slots[i];
	free_slots(map);
	*map = grown;
	return true;
}

/* At most half of the slots are used, so that searches are short. */
bool
dmt_idmap_reserve(struct dmt_idmap *map)
{
	return map->count < map->capacity / 2 || grow_idmap(map);
}

bool
dmt_idmap_add(struct dmt_idmap *map, uint64_t id, uint32_t value)
{
	if (!dmt_idmap_reserve(map))
		return false;
	*dmt_idmap_probe(map, id) = (struct dmt_idmap_slot){ id, value, true };
	map->count++;
	return true;
}

uint32_t *
dmt_idmap_at(struct dmt_idmap *map, uint64_t id)
{
	if (!dmt_idmap_reserve(map))
		return NULL;
	struct dmt_idmap_slot *const slot = dmt_idmap_probe(map, id);
	if (!slot->used) {
		*slot = (struct dmt_idmap_slot){ id, 0, true };
		map->count++;
	}
	return &slot->value;
}

bool
dmt_idmap_put(struct dmt_idmap *map, uint64_t id, uint32_t value)
{
	struct dmt_idmap_slot *const slot = dmt_idmap_probe(map, id);

	if (slot->used)
		return false;
	*slot = (struct dmt_idmap_slot){ id, value, true };
	map->count++;
	return true;
}

void
dmt_idmap_fini(struct dmt_idmap *map)
{
	free_slots(map);
	*map = (struct dmt_idmap){ .mapped = map->mapped };
}
