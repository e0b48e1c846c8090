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

/* The root is in no slot. The old slots go first: all is in the items. After
 * a failure there are none. */
static bool
hash_all(struct dmt_nodes *nodes, unsigned bits)
{
	free(nodes->slots);
	nodes->slot_count = (size_t)1 << bits;
	nodes->shift = 64 - bits;
	nodes->slots = dmt_array_new(nodes->slot_count,
	    sizeof(*nodes->slots));
	nodes->factor = ((uintptr_t)nodes->slots ^
	    UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9) | 1;
	if (nodes->slots == NULL)
		return false;
	for (size_t i = 0; i < nodes->count; i++)
		if (i != nodes->root)
			*probe(nodes, nodes->items[i].parent,
			    nodes->items[i].method) = (uint32_t)i + 1;
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
	uint64_t *times = dmt_array_grow(nodes->times[clock],
	    &nodes->capacities[clock], nodes->count + 1, sizeof(*times));

	if (times != NULL)
		nodes->times[clock] = times;
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
			nodes->times[clock][index] = 0;
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

/* The times become exclusive again. What comes before its children, which are
 * subtracted after it was, is still inclusive when its turn comes. */
static void
part(struct dmt_nodes *nodes)
{
	if (nodes->kin == NULL)
		return;
	free(nodes->kin);
	nodes->kin = NULL;
	for (int clock = 0; clock < 2; clock++)
		for (size_t i = 1; i < nodes->count &&
		    nodes->has_clock[clock]; i++)
			nodes->times[clock][nodes->items[i].parent] -=
			    nodes->times[clock][i];
}

/* A clock that one of them does not have is none of both. */
static void
add(struct dmt_nodes *to, uint32_t index, const struct dmt_nodes *from,
    size_t node)
{
	to->items[index].calls += from->items[node].calls;
	for (int clock = 0; clock < 2; clock++)
		if (to->has_clock[clock] && from->has_clock[clock])
			to->times[clock][index] += from->times[clock][node];
}

/* Those that were the root, and the root: they alone stand before their
 * parents. */
static bool
was_root(const struct dmt_nodes *nodes, size_t index)
{
	return index == nodes->root || nodes->items[index].parent > index;
}

/* Adds a node whose parent's place is known; places are indexes of to. */
static bool
add_node(struct dmt_nodes *to, const struct dmt_nodes *from, size_t node,
    uint32_t *places)
{
	const struct dmt_node *item = &from->items[node];

	places[node] = node == from->root ? to->root :
	    dmt_nodes_child(to, places[item->parent], item->method);
	if (places[node] == UINT32_MAX)
		return false;
	add(to, places[node], from, node);
	return true;
}

static bool
add_nodes(struct dmt_nodes *to, const struct dmt_nodes *from,
    uint32_t *places)
{
	for (size_t i = from->count; i-- > 0; )
		if (was_root(from, i) && !add_node(to, from, i, places))
			return false;
	for (size_t i = 0; i < from->count; i++)
		if (!was_root(from, i) && !add_node(to, from, i, places))
			return false;
	return true;
}

/* Ready for more. */
static bool
prepare(struct dmt_nodes *to, const struct dmt_nodes *from)
{
	part(to);
	if (to->count > 0)
		return reserve_slots(to);
	memcpy(to->has_clock, from->has_clock, sizeof(to->has_clock));
	return dmt_nodes_begin(to);
}

bool
dmt_nodes_add(struct dmt_nodes *to, struct dmt_nodes *from)
{
	if (from->count == 0)
		return true;
	uint32_t *places = dmt_array_new(from->count, sizeof(*places));
	part(from);
	const bool added = places != NULL && prepare(to, from) &&
	    add_nodes(to, from, places);
	free(places);
	return added;
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

/* From the last one on: children before their parents. */
static void
sum(struct dmt_nodes *nodes)
{
	for (size_t i = nodes->count; i-- > 1; ) {
		const uint32_t parent = nodes->items[i].parent;

		nodes->kin[i].next = nodes->kin[parent].first;
		nodes->kin[parent].first = (uint32_t)i;
		for (int clock = 0; clock < 2; clock++)
			if (nodes->has_clock[clock])
				nodes->times[clock][parent] +=
				    nodes->times[clock][i];
	}
}

bool
dmt_nodes_sum(struct dmt_nodes *nodes)
{
	if (nodes->kin != NULL)
		return true;
	free(nodes->slots);
	nodes->slots = NULL;
	nodes->slot_count = 0;
	nodes->kin = dmt_array_new(nodes->count, sizeof(*nodes->kin));
	if (nodes->kin == NULL)
		return false;
	sum(nodes);
	return true;
}

uint64_t
dmt_nodes_exclusive(const struct dmt_nodes *nodes, int clock, size_t index)
{
	const uint64_t *times = nodes->times[clock];
	uint64_t exclusive = times[index];

	for (uint32_t child = nodes->kin[index].first; child != 0;
	    child = nodes->kin[child].next)
		exclusive -= times[child];
	return exclusive;
}

void
dmt_nodes_fini(struct dmt_nodes *nodes)
{
	free(nodes->items);
	free(nodes->times[0]);
	free(nodes->times[1]);
	free(nodes->slots);
	free(nodes->kin);
	*nodes = (struct dmt_nodes){ 0 };
}
