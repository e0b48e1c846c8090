/* edges.h - who called whom, how often and how long */
#ifndef DMT_PROFILE_EDGES_H
#define DMT_PROFILE_EDGES_H

#include "data/record.h"

#include <stddef.h>

/* Callers from this on are the tops of single threads. */
#define DMT_CALLER_TOP (UINT32_C(1) << 31)

struct dmt_edge {
	uint64_t key;		/* see dmt_edge_key; 0: a free place */
	uint64_t calls;		/* 0: nothing that counts */
	uint64_t inclusive[2];	/* by clock, in ns */
};

/* With open addressing, from the first place of a line of the cache on: nearly
 * all searches end there. Zero is valid for all but a search. */
struct dmt_edges {
	struct dmt_edge *items;	/* capacity of them, in block */
	size_t capacity;	/* a power of two, or 0 */
	size_t used;		/* places that are not free */
	unsigned shift;
	uint64_t factor;
	void *block;
	struct dmt_edge *sorted;	/* those that count, once they are */
	size_t sorted_count;
};

/* callee is 1 to 2^30 - 1. */
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

/* Where a search for it begins: an even place. */
DMT_INLINE size_t
dmt_edge_home(const struct dmt_edges *edges, uint64_t key)
{
	return (size_t)((key ^ key >> 29) * edges->factor >> edges->shift) &
	    ~(size_t)1;
}

/* Where it is, mostly: one of two places. */
DMT_INLINE size_t
dmt_edges_guess(const struct dmt_edges *edges, size_t home, uint64_t key)
{
	return home | (edges->items[home].key != key);
}

/* false: no memory. */
bool
dmt_edges_init(struct dmt_edges *edges);

/* The place of an edge, or the free one where it belongs. */
size_t
dmt_edges_find(const struct dmt_edges *edges, uint64_t key);

/* The place of an edge, which is added if need be; SIZE_MAX: no memory. Others
 * may have other places then. */
size_t
dmt_edges_get(struct dmt_edges *edges, uint64_t key);

/* Adds what from came to to the edge of key. false: no memory. */
bool
dmt_edges_add(struct dmt_edges *edges, uint64_t key,
    const struct dmt_edge *from);

/* Adds all of them. false: no memory. */
bool
dmt_edges_merge(struct dmt_edges *to, const struct dmt_edges *from);

/* Makes the sorted ones. false: no memory. */
bool
dmt_edges_sort(struct dmt_edges *edges);

void
dmt_edges_fini(struct dmt_edges *edges);

#endif
