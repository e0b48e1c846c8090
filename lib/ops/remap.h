/* remap.h - from the method ids of one trace to those of another */
#ifndef DMT_OPS_REMAP_H
#define DMT_OPS_REMAP_H

#include "base/idmap.h"

/* No method has it, with or without an action: ids end in two bits of 0. */
#define DMT_REMAP_NONE 3

/*
 * Ids are few and near each other, as numbers or as addresses of structs of
 * one size: then a table by (id - base) / step has them all. Others are
 * searched. Zero is a valid, empty map.
 */
struct dmt_remap {
	uint64_t base;
	uint64_t step;
	unsigned shift;			/* step is an odd number << shift */
	uint64_t inverse;		/* of the odd one, modulo 2^64 */
	size_t len;
	uint32_t *table;
	bool borrowed;			/* the table is another map's */
	struct dmt_idmap others;
	struct dmt_remap_row {
		uint64_t id;
		uint32_t to;
	} *rows;			/* until dmt_remap_settle */
	size_t count;
	size_t capacity;
};

/* Of several rows of one id the first counts. false: no memory. */
bool
dmt_remap_add(struct dmt_remap *map, uint64_t id, uint32_t to);

/* All rows are there: from here on they can be found. false: no memory. */
bool
dmt_remap_settle(struct dmt_remap *map);

/* Once both are settled: has the other's table for its own if it is the same,
 * for there are few in a cache. The other stays as long. */
void
dmt_remap_share(struct dmt_remap *map, const struct dmt_remap *other);

/* Is what the other is, once that is settled, and has its table, which stays
 * as long. false: the other has none, and the map is as it was. */
bool
dmt_remap_repeat(struct dmt_remap *map, const struct dmt_remap *other);

/* Adds one that is not there, once the map is settled. false: no memory. */
bool
dmt_remap_extend(struct dmt_remap *map, uint64_t id, uint32_t to);

void
dmt_remap_fini(struct dmt_remap *map);

/* What id leads to, or DMT_REMAP_NONE: not by the table. */
uint32_t
dmt_remap_search(const struct dmt_remap *map, uint64_t id);

/*
 * What id, whose two low bits are 0, leads to, or DMT_REMAP_NONE: then
 * dmt_remap_search may know. To multiply by the inverse divides what is a
 * multiple; of another number it makes one that is no place of the table, and
 * so do bits below shift that come out on top.
 */
static inline uint32_t
dmt_remap_look_up(const struct dmt_remap *map, uint64_t id)
{
	const uint64_t distance = id - map->base;
	const uint64_t at = (distance >> map->shift |
	    distance << (64 - map->shift) % 64) * map->inverse;

	return at < map->len ? map->table[at] : DMT_REMAP_NONE;
}

static inline uint32_t
dmt_remap_find(const struct dmt_remap *map, uint64_t id)
{
	const uint32_t to = dmt_remap_look_up(map, id);

	return to != DMT_REMAP_NONE ? to : dmt_remap_search(map, id);
}

#endif
