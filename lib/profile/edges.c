/* edges.c - who called whom, how often and how long */

#include "profile/edges.h"

#include <stdlib.h>

#include "base/array.h"

#define FIRST_BITS 6

static uint32_t *
probe(const struct dmt_edges *edges, uint64_t key)
{
	size_t at = dmt_edge_home(edges, key);

	while (edges->slots[at] != 0 &&
	    edges->items[edges->slots[at]].key != key)
		at = (at + 1) & (edges->slot_count - 1);
	return &edges->slots[at];
}

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
	for (size_t i = 1; i < fresh.count; i++)
		if (fresh.items[i].key != UINT64_MAX) {
			*probe(&fresh, fresh.items[i].key) = (uint32_t)i;
			fresh.used++;
		}
	free(edges->slots);
	*edges = fresh;
	return true;
}

bool
dmt_edges_init(struct dmt_edges *edges)
{
	if (edges->slot_count != 0)
		return true;
	edges->items = dmt_array_grow(NULL, &edges->capacity, 1,
	    sizeof(*edges->items));
	if (edges->items == NULL)
		return false;
	edges->items[0] = (struct dmt_edge){ .key = UINT64_MAX };
	edges->count = 1;
	return hash_all(edges, FIRST_BITS);
}

/* The index of an item that is in no slot; 0: no memory. */
static uint32_t
take_item(struct dmt_edges *edges)
{
	const uint32_t removed = edges->removed;

	if (removed != 0) {
		edges->removed = (uint32_t)edges->items[removed].calls;
		return removed;
	}
	if (edges->count >= UINT32_MAX)
		return 0;
	struct dmt_edge *items = dmt_array_grow(edges->items,
	    &edges->capacity, edges->count + 1, sizeof(*items));
	if (items == NULL)
		return 0;
	edges->items = items;
	return (uint32_t)edges->count++;
}

/* Three quarters of the slots stay free: a search that has to go on beyond
 * the first one costs as much as all the rest of an event. */
uint32_t
dmt_edges_get(struct dmt_edges *edges, uint64_t key)
{
	uint32_t index = *probe(edges, key);

	if (index != 0)
		return index;
	if (edges->used >= edges->slot_count / 4 &&
	    !hash_all(edges, 65 - edges->shift))
		return 0;
	if ((index = take_item(edges)) == 0)
		return 0;
	edges->items[index] = (struct dmt_edge){ .key = key };
	*probe(edges, key) = index;
	edges->used++;
	return index;
}

/* Closes the gap at a slot: those behind it that a search would not find any
 * more move up. */
static void
close_gap(struct dmt_edges *edges, size_t gap)
{
	const size_t mask = edges->slot_count - 1;

	for (size_t at = (gap + 1) & mask; edges->slots[at] != 0;
	    at = (at + 1) & mask) {
		const size_t home = dmt_edge_home(edges,
		    edges->items[edges->slots[at]].key);

		if (((at - home) & mask) < ((at - gap) & mask))
			continue;
		edges->slots[gap] = edges->slots[at];
		gap = at;
	}
	edges->slots[gap] = 0;
}

void
dmt_edges_remove(struct dmt_edges *edges, uint32_t index)
{
	struct dmt_edge *const edge = &edges->items[index];

	close_gap(edges, (size_t)(probe(edges, edge->key) - edges->slots));
	edges->used--;
	*edge = (struct dmt_edge){ UINT64_MAX, edges->removed, { 0, 0 } };
	edges->removed = index;
}

bool
dmt_edges_add(struct dmt_edges *edges, uint64_t key,
    const struct dmt_edge *from)
{
	const struct dmt_edge amount = *from;
	const uint32_t index = dmt_edges_get(edges, key);

	if (index == 0)
		return false;
	struct dmt_edge *edge = &edges->items[index];
	edge->calls += amount.calls;
	edge->inclusive[0] += amount.inclusive[0];
	edge->inclusive[1] += amount.inclusive[1];
	return true;
}

bool
dmt_edges_merge(struct dmt_edges *to, const struct dmt_edges *from)
{
	for (size_t i = 1; i < from->count; i++)
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
	if (edges->count <= 1)
		return true;
	qsort(edges->items + 1, edges->count - 1, sizeof(*edges->items),
	    compare);
	while (edges->count > 1 &&
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
