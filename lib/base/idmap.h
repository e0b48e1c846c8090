/* idmap.h - from 64-bit ids to small numbers */
#ifndef DMT_BASE_IDMAP_H
#define DMT_BASE_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Open addressing; zero is a valid, empty map. Hostile ids cost no more than
 * a hash seeded per map allows. */
struct dmt_idmap {
	struct dmt_idmap_slot *slots;
	size_t capacity;		/* a power of two, or 0 */
	size_t count;
	bool paged;			/* in pages, not by malloc; from the
					   start */
};

/* The value of id, to be changed in place; NULL if it is not there. Lives
 * until the next add. */
uint32_t *
dmt_idmap_find(const struct dmt_idmap *map, uint64_t id);

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
