/* nodes.c - the tree of calls: one node for each path */

#include "profile/nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define FIRST_BITS 6

static size_t
hash(const struct dmt_nodes *nodes, uint32_t parent, uint32_t method)
{
	const uint64_t key = (uint64_t)parent << 32 | method;

	return (size_t)((key ^ key >> 29) * nodes->factor >> nodes->shift);
}

/* The slot of the child, or the free one where it belongs. */
static uint32_t *
probe(const struct dmt_nodes *nodes, uint32_t parent, uint32_t method)
{
	size_t at = hash(nodes, parent, method);

	for (; nodes->slots[at] != 0; at = (at + 1) & (nodes->slot_count - 1)) {
		const struct dmt_node *node =
		    &nodes->items[nodes->slots[at] - 1];

		if (node->parent == parent && node->method == method)
			break;
	}
	return &nodes->slots[at];
}

/* The root is in no slot. */
static bool
hash_all(struct dmt_nodes *nodes, unsigned bits)
{
	struct dmt_nodes fresh = *nodes;

	fresh.slot_count = (size_t)1 << bits;
	fresh.shift = 64 - bits;
	fresh.slots = dmt_array_new(fresh.slot_count, sizeof(*fresh.slots));
	fresh.factor = ((uintptr_t)fresh.slots ^
	    UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9) | 1;
	if (fresh.slots == NULL)
		return false;
	for (size_t i = 0; i < fresh.count; i++)
		if (i != fresh.root)
			*probe(&fresh, fresh.items[i].parent,
			    fresh.items[i].method) = (uint32_t)i + 1;
	free(nodes->slots);
	*nodes = fresh;
	return true;
}

/* Three quarters of the slots are used at most. */
static bool
reserve_slots(struct dmt_nodes *nodes)
{
	unsigned bits = FIRST_BITS;

	if (nodes->count < nodes->slot_count / 4 * 3)
		return true;
	while (nodes->count >= ((size_t)1 << bits) / 4 * 3)
		bits++;
	return hash_all(nodes, bits);
}

static bool
reserve_times(struct dmt_nodes *nodes, int clock)
{
	uint64_t *times = dmt_array_grow(nodes->exclusive[clock],
	    &nodes->capacities[clock], nodes->count + 1, sizeof(*times));

	if (times != NULL)
		nodes->exclusive[clock] = times;
	return times != NULL;
}

static bool
reserve(struct dmt_nodes *nodes)
{
	if (nodes->count >= UINT32_MAX - 1 || !reserve_slots(nodes))
		return false;
	for (int clock = 0; clock < 2; clock++)
		if (nodes->has_clock[clock] && !reserve_times(nodes, clock))
			return false;
	struct dmt_node *items = dmt_array_grow(nodes->items,
	    &nodes->capacity, nodes->count + 1, sizeof(*items));
	if (items == NULL)
		return false;
	nodes->items = items;
	return true;
}

/* There is room. */
static uint32_t
append(struct dmt_nodes *nodes, uint32_t parent, uint32_t method)
{
	const uint32_t index = (uint32_t)nodes->count++;

	nodes->items[index] = (struct dmt_node){
		.parent = parent, .method = method
	};
	for (int clock = 0; clock < 2; clock++)
		if (nodes->has_clock[clock])
			nodes->exclusive[clock][index] = 0;
	return index;
}

bool
dmt_nodes_begin(struct dmt_nodes *nodes)
{
	if (!reserve(nodes))
		return false;
	nodes->root = append(nodes, (uint32_t)nodes->count, 0);
	return true;
}

uint32_t
dmt_nodes_child(struct dmt_nodes *nodes, uint32_t parent, uint32_t method)
{
	uint32_t *slot = probe(nodes, parent, method);

	if (*slot != 0)
		return *slot - 1;
	if (!reserve(nodes))
		return UINT32_MAX;
	const uint32_t index = append(nodes, parent, method);
	*probe(nodes, parent, method) = index + 1;
	return index;
}

bool
dmt_nodes_raise(struct dmt_nodes *nodes, uint32_t method)
{
	const uint32_t lower = nodes->root;

	if (!dmt_nodes_begin(nodes))
		return false;
	nodes->items[lower].parent = nodes->root;
	nodes->items[lower].method = method;
	nodes->items[lower].calls = 1;
	*probe(nodes, nodes->root, method) = lower + 1;
	return true;
}

/* The children of each node, chained. */
struct lists {
	uint32_t *first;	/* UINT32_MAX ends a list */
	uint32_t *next;
	uint32_t *queue;	/* nodes, parents first */
	uint32_t *index;	/* where they are in the other tree */
};

static bool
make_lists(struct lists *lists, const struct dmt_nodes *nodes)
{
	uint32_t *all = dmt_array_new(nodes->count, 4 * sizeof(*all));

	if (all == NULL)
		return false;
	*lists = (struct lists){ all, all + nodes->count,
	    all + 2 * nodes->count, all + 3 * nodes->count };
	memset(lists->first, 0xff, nodes->count * sizeof(*all));
	for (size_t i = nodes->count; i-- > 0; ) {
		const uint32_t parent = nodes->items[i].parent;

		if (i == nodes->root)
			continue;
		lists->next[i] = lists->first[parent];
		lists->first[parent] = (uint32_t)i;
	}
	return true;
}

/* A clock that one of them does not have is none of both. */
static void
add(struct dmt_nodes *to, uint32_t index, const struct dmt_nodes *from,
    uint32_t node)
{
	to->items[index].calls += from->items[node].calls;
	for (int clock = 0; clock < 2; clock++)
		if (to->has_clock[clock] && from->has_clock[clock])
			to->exclusive[clock][index] +=
			    from->exclusive[clock][node];
}

static bool
merge_lists(struct dmt_nodes *to, const struct dmt_nodes *from,
    const struct lists *lists)
{
	size_t queued = 0;

	lists->index[from->root] = to->root;
	lists->queue[queued++] = from->root;
	for (size_t i = 0; i < queued; i++) {
		const uint32_t node = lists->queue[i];
		const uint32_t index = lists->index[node];

		add(to, index, from, node);
		for (uint32_t child = lists->first[node];
		    child != UINT32_MAX; child = lists->next[child]) {
			const uint32_t place = dmt_nodes_child(to, index,
			    from->items[child].method);

			if (place == UINT32_MAX)
				return false;
			lists->index[child] = place;
			lists->queue[queued++] = child;
		}
	}
	return true;
}

static void
drop_sums(struct dmt_nodes *nodes)
{
	for (int clock = 0; clock < 2; clock++) {
		free(nodes->inclusive[clock]);
		nodes->inclusive[clock] = NULL;
	}
}

/* Ready for more, after a sum as well. */
static bool
prepare(struct dmt_nodes *to, const struct dmt_nodes *from)
{
	drop_sums(to);
	if (to->count > 0)
		return reserve_slots(to);
	memcpy(to->has_clock, from->has_clock, sizeof(to->has_clock));
	return dmt_nodes_begin(to);
}

bool
dmt_nodes_add(struct dmt_nodes *to, const struct dmt_nodes *from)
{
	struct lists lists;

	if (from->count == 0)
		return true;
	if (!prepare(to, from) || !make_lists(&lists, from))
		return false;
	const bool merged = merge_lists(to, from, &lists);
	free(lists.first);
	return merged;
}

bool
dmt_nodes_merge(struct dmt_nodes *to, struct dmt_nodes *from)
{
	if (to->count > 0 || from->root != 0)
		return dmt_nodes_add(to, from);
	*to = *from;
	*from = (struct dmt_nodes){ 0 };
	return true;
}

static void
sum(struct dmt_nodes *nodes, int clock)
{
	uint64_t *inclusive = nodes->inclusive[clock];

	for (size_t i = nodes->count; i-- > 0; ) {
		inclusive[i] += nodes->exclusive[clock][i];
		if (i != nodes->root)
			inclusive[nodes->items[i].parent] += inclusive[i];
	}
}

bool
dmt_nodes_sum(struct dmt_nodes *nodes)
{
	drop_sums(nodes);
	free(nodes->slots);
	nodes->slots = NULL;
	nodes->slot_count = 0;
	for (int clock = 0; clock < 2; clock++) {
		if (!nodes->has_clock[clock])
			continue;
		nodes->inclusive[clock] = dmt_array_new(nodes->count,
		    sizeof(*nodes->inclusive[clock]));
		if (nodes->inclusive[clock] == NULL)
			return false;
		sum(nodes, clock);
	}
	return true;
}

void
dmt_nodes_fini(struct dmt_nodes *nodes)
{
	drop_sums(nodes);
	free(nodes->items);
	free(nodes->exclusive[0]);
	free(nodes->exclusive[1]);
	free(nodes->slots);
	*nodes = (struct dmt_nodes){ 0 };
}
