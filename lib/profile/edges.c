/* edges.c - who called whom, how often and how long */

#include "profile/edges.h"

#include <stdlib.h>

#include "base/array.h"

#define FIRST_BITS 6

/* A new table of slots for all items. false: no memory. */
static bool
hash_all(struct dmt_edges *edges, unsigned bits)
{
	struct dmt_edges fresh = *edges;

	fresh.slot_count = (size_t)1 << bits;
	fresh.shift = 64 - bits;
	fresh.slots = dmt_array_new(fresh.slot_count, sizeof(*fresh.slots));
	fresh.factor = ((uintptr_t)fresh.slots ^
	    UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9) | 1;
	if (fresh.slots == NULL)
		return false;
	fresh.used = 0;
	for (size_t i = 0; i < fresh.count; i++) {
		if (fresh.items[i].key == UINT64_MAX)
			continue;
		size_t at = dmt_edge_hash(&fresh, fresh.items[i].key);
		while (fresh.slots[at] != 0)
			at = (at + 1) & (fresh.slot_count - 1);
		fresh.slots[at] = (uint32_t)i + 1;
		fresh.used++;
	}
	free(edges->slots);
	*edges = fresh;
	return true;
}

/* Half of the slots stay free. */
static bool
reserve(struct dmt_edges *edges)
{
	if (edges->slot_count == 0)
		return hash_all(edges, FIRST_BITS);
	return edges->used < edges->slot_count / 2 ||
	    hash_all(edges, 65 - edges->shift);
}

/* An item that is not in the slots. */
static struct dmt_edge *
take_item(struct dmt_edges *edges)
{
	if (edges->removed != 0) {
		struct dmt_edge *edge = &edges->items[edges->removed - 1];

		edges->removed = (size_t)edge->calls;
		return edge;
	}
	if (edges->count >= UINT32_MAX - 1)
		return NULL;
	struct dmt_edge *items = dmt_array_grow(edges->items,
	    &edges->capacity, edges->count + 1, sizeof(*items));
	if (items == NULL)
		return NULL;
	edges->items = items;
	return &items[edges->count++];
}

struct dmt_edge *
dmt_edges_get(struct dmt_edges *edges, uint64_t key)
{
	struct dmt_edge *edge = dmt_edges_find(edges, key);

	if (edge != NULL)
		return edge;
	if (!reserve(edges) || (edge = take_item(edges)) == NULL)
		return NULL;
	*edge = (struct dmt_edge){ .key = key };
	size_t at = dmt_edge_hash(edges, key);
	while (edges->slots[at] != 0)
		at = (at + 1) & (edges->slot_count - 1);
	edges->slots[at] = (uint32_t)(edge - edges->items) + 1;
	edges->used++;
	return edge;
}

/* Closes the gap at a slot: those behind it that a search would not find any
 * more move up. */
static void
close_gap(struct dmt_edges *edges, size_t gap)
{
	const size_t mask = edges->slot_count - 1;

	for (size_t at = (gap + 1) & mask; edges->slots[at] != 0;
	    at = (at + 1) & mask) {
		const size_t home = dmt_edge_hash(edges,
		    edges->items[edges->slots[at] - 1].key);

		if (((at - home) & mask) < ((at - gap) & mask))
			continue;
		edges->slots[gap] = edges->slots[at];
		gap = at;
	}
	edges->slots[gap] = 0;
}

void
dmt_edges_remove(struct dmt_edges *edges, struct dmt_edge *edge)
{
	const size_t item = (size_t)(edge - edges->items) + 1;
	size_t at = dmt_edge_hash(edges, edge->key);

	while (edges->slots[at] != item)
		at = (at + 1) & (edges->slot_count - 1);
	close_gap(edges, at);
	edges->used--;
	*edge = (struct dmt_edge){ UINT64_MAX, edges->removed, { 0, 0 } };
	edges->removed = item;
}

bool
dmt_edges_add(struct dmt_edges *edges, uint64_t key,
    const struct dmt_edge *from)
{
	const struct dmt_edge amount = *from;
	struct dmt_edge *edge = dmt_edges_get(edges, key);

	if (edge == NULL)
		return false;
	edge->calls += amount.calls;
	edge->inclusive[0] += amount.inclusive[0];
	edge->inclusive[1] += amount.inclusive[1];
	return true;
}

bool
dmt_edges_merge(struct dmt_edges *to, const struct dmt_edges *from)
{
	for (size_t i = 0; i < from->count; i++)
		if (from->items[i].key != UINT64_MAX &&
		    !dmt_edges_add(to, from->items[i].key, &from->items[i]))
			return false;
	return true;
}

/* The removed ones last. */
static int
compare(const void *a, const void *b)
{
	const uint64_t left = ((const struct dmt_edge *)a)->key;
	const uint64_t right = ((const struct dmt_edge *)b)->key;

	return (left > right) - (left < right);
}

bool
dmt_edges_sort(struct dmt_edges *edges)
{
	if (edges->count == 0)
		return true;
	qsort(edges->items, edges->count, sizeof(*edges->items), compare);
	while (edges->count > 0 &&
	    edges->items[edges->count - 1].key == UINT64_MAX)
		edges->count--;
	edges->removed = 0;
	return hash_all(edges, 64 - edges->shift);
}

void
dmt_edges_fini(struct dmt_edges *edges)
{
	free(edges->items);
	free(edges->slots);
	*edges = (struct dmt_edges){ 0 };
}
