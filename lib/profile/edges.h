/* edges.h - who called whom, how often and how long */
#ifndef DMT_PROFILE_EDGES_H
#define DMT_PROFILE_EDGES_H

#include "data/record.h"

#include <stddef.h>

/* Its callers above this are the tops of single threads. */
#define DMT_CALLER_TOP (UINT32_C(1) << 31)

struct dmt_edge {
	uint64_t key;		/* see dmt_edge_key; UINT64_MAX: removed */
	uint64_t calls;
	uint64_t inclusive[2];	/* by clock, in ns */
};

/* Zero is a valid, empty table. Items stay where they are in it. */
struct dmt_edges {
	struct dmt_edge *items;
	size_t count;		/* with the removed ones */
	size_t capacity;
	size_t removed;		/* the last removed item + 1, whose calls is
				   the one before it; 0: none */
	uint32_t *slots;	/* index + 1 */
	size_t slot_count;	/* a power of two, or 0 */
	size_t used;		/* slots that are not 0 */
	unsigned shift;
	uint64_t factor;
};

/* callee is below 2^30. */
DMT_INLINE uint64_t
dmt_edge_key(uint32_t caller, uint32_t callee, uint32_t caller_recursive,
    uint32_t callee_recursive)
{
	return (uint64_t)caller << 32 | callee << 2 | caller_recursive << 1 |
	    callee_recursive;
}

DMT_INLINE uint32_t
dmt_edge_caller(uint64_t key)
{
	return (uint32_t)(key >> 32);
}

DMT_INLINE uint32_t
dmt_edge_callee(uint64_t key)
{
	return (uint32_t)key >> 2;
}

DMT_INLINE size_t
dmt_edge_hash(const struct dmt_edges *edges, uint64_t key)
{
	return (size_t)((key ^ key >> 29) * edges->factor >> edges->shift);
}

/* NULL: there is none. */
DMT_INLINE struct dmt_edge *
dmt_edges_find(const struct dmt_edges *edges, uint64_t key)
{
	if (edges->slot_count == 0)
		return NULL;
	for (size_t at = dmt_edge_hash(edges, key); edges->slots[at] != 0;
	    at = (at + 1) & (edges->slot_count - 1)) {
		struct dmt_edge *edge = &edges->items[edges->slots[at] - 1];

		if (edge->key == key)
			return edge;
	}
	return NULL;
}

/* Finds or adds; until the next add. NULL: no memory. */
struct dmt_edge *
dmt_edges_get(struct dmt_edges *edges, uint64_t key);

void
dmt_edges_remove(struct dmt_edges *edges, struct dmt_edge *edge);

/* Adds what from came to to the edge of key. false: no memory. */
bool
dmt_edges_add(struct dmt_edges *edges, uint64_t key,
    const struct dmt_edge *from);

/* Adds all of them. false: no memory. */
bool
dmt_edges_merge(struct dmt_edges *to, const struct dmt_edges *from);

/* Puts them in order, without the removed. false: no memory. */
bool
dmt_edges_sort(struct dmt_edges *edges);

void
dmt_edges_fini(struct dmt_edges *edges);

#endif
