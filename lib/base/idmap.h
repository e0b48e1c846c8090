/* idmap.h - from 64-bit ids to small numbers */
#ifndef DMT_BASE_IDMAP_H
#define DMT_BASE_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open addressing; zero is a valid, empty map. Hostile ids cost no more than
 * a hash seeded per map allows. */
struct dmt_idmap_slot {
	uint64_t id;
	uint32_t value;
	bool used;
};

struct dmt_idmap {
	struct dmt_idmap_slot *slots;
	size_t capacity;		/* a power of two, or 0 */
	size_t count;
	bool mapped;			/* not of malloc; set it at the start */
};

/*
 * The finalizer of SplitMix64, seeded by where the slots are: nobody can
 * know beforehand which ids will share a slot.
 */
static inline uint64_t
dmt_idmap_hash(const struct dmt_idmap *map, uint64_t id)
{
	uint64_t hash =
	    id ^ (uintptr_t)map->slots * UINT64_C(0x9e3779b97f4a7c15);

	hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
	return hash ^ hash >> 31;
}

/* The slot of id, or the free one where it belongs; there are slots. */
static inline struct dmt_idmap_slot *
dmt_idmap_probe(const struct dmt_idmap *map, uint64_t id)
{
	const size_t mask = map->capacity - 1;
	size_t at = (size_t)dmt_idmap_hash(map, id) & mask;

	while (map->slots[at].used && map->slots[at].id != id)
		at = (at + 1) & mask;
	return &map->slots[at];
}

/* The value of id, to be changed in place; NULL if it is not there. Lives
 * until the next add. Inline, since sources look an id up per event. */
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

/* Adds id, which must not be there. false: no memory. */
bool
dmt_idmap_add(struct dmt_idmap *map, uint64_t id, uint32_t value);

/* Adds id unless it is there, by one search. dmt_idmap_reserve has made room
 * for it. Whether it was added. */
bool
dmt_idmap_put(struct dmt_idmap *map, uint64_t id, uint32_t value);

void
dmt_idmap_fini(struct dmt_idmap *map);

#endif
