/* remap.c - from the method ids of one trace to those of another */

#include "ops/remap.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
	SPARSE_MAX = 16,		/* places of the table for one row, */
	PLACES_MIN = 16384		/* or as many as cost nothing */
};

bool
dmt_remap_add(struct dmt_remap *map, uint64_t id, uint32_t to)
{
	struct dmt_remap_row *rows = dmt_array_grow(map->rows, &map->capacity,
	    map->count + 1, sizeof(*rows));

	if (rows == NULL)
		return false;
	map->rows = rows;
	map->rows[map->count++] = (struct dmt_remap_row){ id, to };
	return true;
}

/* How long the table is; 0: it would be too large. */
static void
measure(struct dmt_remap *map)
{
	for (size_t i = 0; i < map->count; i++)
		dmt_steps_add(&map->steps, map->rows[i].id);
	const uint64_t places = dmt_steps_settle(&map->steps);

	map->len = places <= PLACES_MIN + (uint64_t)SPARSE_MAX * map->count ?
	    (size_t)places : 0;
}

static bool
fill_table(struct dmt_remap *map)
{
	map->table = dmt_array_new(map->len, sizeof(*map->table));
	if (map->table == NULL)
		return false;
	for (size_t i = 0; i < map->len; i++)
		map->table[i] = DMT_REMAP_NONE;
	for (size_t i = 0; i < map->count; i++) {
		const struct dmt_remap_row *row = &map->rows[i];
		uint32_t *to =
		    &map->table[dmt_steps_place(&map->steps, row->id)];

		if (*to == DMT_REMAP_NONE)
			*to = row->to;
	}
	return true;
}

static bool
fill_others(struct dmt_remap *map)
{
	for (size_t i = 0; i < map->count; i++)
		if (dmt_idmap_find(&map->others, map->rows[i].id) == NULL &&
		    !dmt_idmap_add(&map->others, map->rows[i].id,
		    map->rows[i].to))
			return false;
	return true;
}

bool
dmt_remap_settle(struct dmt_remap *map)
{
	measure(map);
	const bool filled = map->len > 0 ? fill_table(map) : fill_others(map);

	free(map->rows);
	map->rows = NULL;
	map->count = 0;
	map->capacity = 0;
	return filled;
}

void
dmt_remap_share(struct dmt_remap *map, const struct dmt_remap *other)
{
	if (map->len == 0 || map->len != other->len ||
	    map->steps.first != other->steps.first ||
	    map->steps.step != other->steps.step ||
	    memcmp(map->table, other->table,
	    map->len * sizeof(*map->table)) != 0)
		return;
	free(map->table);
	map->table = other->table;
	map->borrowed = true;
}

bool
dmt_remap_repeat(struct dmt_remap *map, const struct dmt_remap *other)
{
	if (other->len == 0 || other->others.count > 0)
		return false;
	*map = *other;
	map->borrowed = true;
	return true;
}

bool
dmt_remap_extend(struct dmt_remap *map, uint64_t id, uint32_t to)
{
	return dmt_idmap_add(&map->others, id, to);
}

uint32_t
dmt_remap_search(const struct dmt_remap *map, uint64_t id)
{
	const uint32_t *to = dmt_idmap_find(&map->others, id);

	return to == NULL ? DMT_REMAP_NONE : *to;
}

void
dmt_remap_fini(struct dmt_remap *map)
{
	free(map->rows);
	if (!map->borrowed)
		free(map->table);
	dmt_idmap_fini(&map->others);
	*map = (struct dmt_remap){ 0 };
}
