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

/* Items stay where they are. The first one is none: its key is no edge's. */
struct dmt_edges {
	struct dmt_edge *items;
	size_t count;		/* with the first and the removed ones */
	size_t capacity;
	uint32_t removed;	/* the last removed item, whose calls is the
				   one before it; 0: none */
	uint32_t *slots;	/* indexes; 0: free */
	size_t slot_count;	/* a power of two */
	size_t used;		/* slots that are not free */
	unsigned shift;
	uint64_t factor;
};

/* false: no memory. Before it zero is valid, too, for all but a search. */
bool
dmt_edges_init(struct dmt_edges *edges);

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

/* Where a search for it begins. */
DMT_INLINE size_t
dmt_edge_home(const struct dmt_edges *edges, uint64_t key)
{
	return (size_t)((key ^ key >> 29) * edges->factor >> edges->shift);
}

/* The index of an edge, which is added if need be; 0: no memory. */
uint32_t
dmt_edges_get(struct dmt_edges *edges, uint64_t key);

void
dmt_edges_remove(struct dmt_edges *edges, uint32_t index);

/* Adds what from came to to the edge of key. false: no memory. */
bool
dmt_edges_add(struct dmt_edges *edges, uint64_t key,
    const struct dmt_edge *from);

/* Adds all of them. false: no memory. */
bool
dmt_edges_merge(struct dmt_edges *to, const struct dmt_edges *from);

/* Puts them in order from index 1 on, without the removed ones. false: no
 * memory. */
bool
dmt_edges_sort(struct dmt_edges *edges);

void
dmt_edges_fini(struct dmt_edges *edges);

#endif
