/* idmap.c - from 64-bit ids to small numbers */

#include "base/idmap.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/pages.h"

#define FIRST_CAPACITY 16

struct dmt_idmap_slot {
	uint64_t id;
	uint32_t value;
	bool used;
};

/*
 * The finalizer of SplitMix64, seeded by where the slots are: nobody can
 * know beforehand which ids will share a slot.
 */
static uint64_t
mix(const struct dmt_idmap_slot *slots, uint64_t id)
{
	uint64_t hash = id ^ (uintptr_t)slots * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
	return hash ^ hash >> 31;
}

/* The slot of id, or the free one where it belongs. */
static struct dmt_idmap_slot *
probe(const struct dmt_idmap *map, uint64_t id)
{
	const size_t mask = map->capacity - 1;
	size_t at = (size_t)mix(map->slots, id) & mask;

	while (map->slots[at].used && map->slots[at].id != id)
		at = (at + 1) & mask;
	return &map->slots[at];
}

static void
free_slots(struct dmt_idmap *map)
{
	if (map->paged)
		dmt_pages_free(map->slots,
		    map->capacity * sizeof(*map->slots));
	else
		free(map->slots);
}

static bool
grow(struct dmt_idmap *map)
{
	struct dmt_idmap grown = {
		.capacity = map->capacity == 0 ?
		    FIRST_CAPACITY : map->capacity * 2,
		.count = map->count,
		.paged = map->paged
	};

	if (grown.capacity > PTRDIFF_MAX / sizeof(*grown.slots))
		return false;
	grown.slots = map->paged ?
	    dmt_pages_new(grown.capacity * sizeof(*grown.slots)) :
	    dmt_array_new(grown.capacity, sizeof(*grown.slots));
	if (grown.slots == NULL)
		return false;
	for (size_t i = 0; i < map->capacity; i++)
		if (map->slots[i].used)
			*probe(&grown, map->slots[i].id) = map->slots[i];
	free_slots(map);
	*map = grown;
	return true;
}

uint32_t *
dmt_idmap_find(const struct dmt_idmap *map, uint64_t id)
{
	if (map->count == 0)
		return NULL;
	struct dmt_idmap_slot *slot = probe(map, id);
	return slot->used ? &slot->value : NULL;
}

/* Half of the slots stay free, so that a search soon meets one. */
bool
dmt_idmap_reserve(struct dmt_idmap *map)
{
	return map->count < map->capacity / 2 || grow(map);
}

bool
dmt_idmap_add(struct dmt_idmap *map, uint64_t id, uint32_t value)
{
	if (!dmt_idmap_reserve(map))
		return false;
	*probe(map, id) = (struct dmt_idmap_slot){ id, value, true };
	map->count++;
	return true;
}

bool
dmt_idmap_put(struct dmt_idmap *map, uint64_t id, uint32_t value)
{
	struct dmt_idmap_slot *const slot = probe(map, id);

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
	*map = (struct dmt_idmap){ .paged = map->paged };
}
