/* edges.c - who called whom, how often and how long */

#include "profile/edges.h"

#include <stdlib.h>

#include "base/array.h"

#define FIRST_BITS 6

/* Two items lie in one line of the cache. */
static struct dmt_edge *
align(void *block)
{
	const uintptr_t size = 2 * sizeof(struct dmt_edge);
	const uintptr_t behind = (uintptr_t)block % size;

	return (struct dmt_edge *)(void *)((char *)block +
	    (behind == 0 ? 0 : size - behind));
}

static bool
make(struct dmt_edges *edges, unsigned bits)
{
	edges->capacity = (size_t)1 << bits;
	edges->shift = 64 - bits;
	edges->used = 0;
	edges->block = dmt_array_new(edges->capacity + 2,
	    sizeof(*edges->items));
	if (edges->block == NULL)
		return false;
	edges->items = align(edges->block);
	edges->factor = ((uintptr_t)edges->block ^
	    UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9) | 1;
	return true;
}

bool
dmt_edges_init(struct dmt_edges *edges)
{
	return edges->capacity != 0 || make(edges, FIRST_BITS);
}

size_t
dmt_edges_find(const struct dmt_edges *edges, uint64_t key)
{
	size_t at = dmt_edge_home(edges, key);

	while (edges->items[at].key != 0 && edges->items[at].key != key)
		at = (at + 1) & (edges->capacity - 1);
	return at;
}

static size_t
count_live(const struct dmt_edges *edges)
{
	size_t live = 0;

	for (size_t i = 0; i < edges->capacity; i++)
		live += edges->items[i].calls != 0;
	return live;
}

/* A new table without those that count nothing; twice as large unless these
 * were many. Half of the places stay free. */
static bool
rebuild(struct dmt_edges *edges)
{
	struct dmt_edges fresh = *edges;
	const bool is_full = count_live(edges) >= edges->capacity / 4;

	if (!make(&fresh, 64 - edges->shift + is_full))
		return false;
	for (size_t i = 0; i < edges->capacity; i++)
		if (edges->items[i].calls != 0) {
			fresh.items[dmt_edges_find(&fresh,
			    edges->items[i].key)] = edges->items[i];
			fresh.used++;
		}
	free(edges->block);
	*edges = fresh;
	return true;
}

size_t
dmt_edges_get(struct dmt_edges *edges, uint64_t key)
{
	size_t at = dmt_edges_find(edges, key);

	if (edges->items[at].key == key)
		return at;
	if (edges->used >= edges->capacity / 2) {
		if (!rebuild(edges))
			return SIZE_MAX;
		at = dmt_edges_find(edges, key);
	}
	edges->items[at].key = key;
	edges->used++;
	return at;
}

bool
dmt_edges_add(struct dmt_edges *edges, uint64_t key,
    const struct dmt_edge *from)
{
	const struct dmt_edge amount = *from;
	const size_t at = dmt_edges_get(edges, key);

	if (at == SIZE_MAX)
		return false;
	struct dmt_edge *edge = &edges->items[at];
	edge->calls += amount.calls;
	edge->inclusive[0] += amount.inclusive[0];
	edge->inclusive[1] += amount.inclusive[1];
	return true;
}

bool
dmt_edges_merge(struct dmt_edges *to, const struct dmt_edges *from)
{
	for (size_t i = 0; i < from->capacity; i++)
		if (from->items[i].calls != 0 && !dmt_edges_add(to,
		    from->items[i].key, &from->items[i]))
			return false;
	return true;
}

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
	const size_t live = count_live(edges);
	struct dmt_edge *sorted = dmt_array_new(live + 1, sizeof(*sorted));
	size_t count = 0;

	if (sorted == NULL)
		return false;
	for (size_t i = 0; i < edges->capacity; i++)
		if (edges->items[i].calls != 0)
			sorted[count++] = edges->items[i];
	qsort(sorted, count, sizeof(*sorted), compare);
	free(edges->sorted);
	edges->sorted = sorted;
	edges->sorted_count = count;
	return true;
}

void
dmt_edges_fini(struct dmt_edges *edges)
{
	free(edges->block);
	free(edges->sorted);
	*edges = (struct dmt_edges){ 0 };
}
