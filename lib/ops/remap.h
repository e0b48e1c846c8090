/* remap.h - from the method ids of one trace to those of another */
#ifndef DMT_OPS_REMAP_H
#define DMT_OPS_REMAP_H

#include "base/idmap.h"
#include "base/steps.h"

/* No method has it, with or without an action: ids end in two bits of 0. */
#define DMT_REMAP_NONE 3

/* Ids at equal distances have places in a table; others are searched. Zero is
 * a valid, empty map. */
struct dmt_remap {
	struct dmt_steps steps;
	size_t len;			/* of the table */
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

/* What id, whose two low bits are 0, leads to, or DMT_REMAP_NONE: then
 * dmt_remap_search may know. */
static inline uint32_t
dmt_remap_look_up(const struct dmt_remap *map, uint64_t id)
{
	const uint64_t place = dmt_steps_place(&map->steps, id);

	return place < map->len ? map->table[place] : DMT_REMAP_NONE;
}

static inline uint32_t
dmt_remap_find(const struct dmt_remap *map, uint64_t id)
{
	const uint32_t to = dmt_remap_look_up(map, id);

	return to != DMT_REMAP_NONE ? to : dmt_remap_search(map, id);
}

#endif
