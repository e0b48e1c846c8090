/* idmap.h - a hash map from 64-bit ids to 32-bit numbers */
#ifndef DMT_BASE_IDMAP_H
#define DMT_BASE_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A map with open addressing; a zeroed struct is a valid, empty map. The hash
 * is seeded, so that a hostile file cannot choose ids that collide. */
struct dmt_idmap_slot {
	uint64_t id;
	uint32_t value;
	bool used;
};

struct dmt_idmap {
	struct dmt_idmap_slot *slots;
	size_t capacity;		/* a power of two, or 0 */
	size_t count;
	bool mapped;			/* slots are mapped, not from malloc;
					   set it before the first use */
};

/*
 * The finalizer of SplitMix64, seeded with the address of the slots: the
 * author of a file cannot predict which ids share a slot.
 */
static inline uint64_t
dmt_idmap_hash(const void *slots, uint64_t id)
{
	uint64_t hash = id ^ (uintptr_t)slots * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
	return hash ^ hash >> 31;
}

/* Returns the slot of id, or the free slot where it belongs. capacity is not
 * 0. */
static inline struct dmt_idmap_slot *
dmt_idmap_probe(const struct dmt_idmap *map, uint64_t id)
{
	const size_t mask = map->capacity - 1;
	size_t at = (size_t)dmt_idmap_hash(map->slots, id) & mask;

	while (map->slots[at].used && map->slots[at].id != id)
		at = (at + 1) & mask;
	return &map->slots[at];
}

/* Returns the value of id, which the caller may change; NULL if id is not in
 * the map. The pointer is valid until the next add. It is inline because
 * sources look up an id for each event. */
static inline uint32_t *
dmt_idmap_find(const struct dmt_idmap *map, uint64_t id)
{
	if (map->count == 0)
		return NULL;
	struct dmt_idmap_slot *const slot = dmt_idmap_probe(map, id);
	return slot->used ? &slot->value : NULL;
}

/* Makes sure that the next add will not fail. false: no memory. */
bool
dmt_idmap_reserve(struct dmt_idmap *map);

/* Adds id, which must not be in the map yet. false: no memory. */
bool
dmt_idmap_add(struct dmt_idmap *map, uint64_t id, uint32_t value);

/* Returns the value of id, which is added with the value 0 if it is not in the
 * map; valid until the next add. NULL: no memory. */
uint32_t *
dmt_idmap_at(struct dmt_idmap *map, uint64_t id);

/* Adds id unless it is in the map already, with a single search. The caller
 * has called dmt_idmap_reserve. Returns true if id was added. */
bool
dmt_idmap_put(struct dmt_idmap *map, uint64_t id, uint32_t value);

void
dmt_idmap_fini(struct dmt_idmap *map);

#endif
