/* nodes.h - the tree of calls: one node for each path */
#ifndef DMT_PROFILE_NODES_H
#define DMT_PROFILE_NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dmt_node {
	uint32_t parent;	/* of the root: itself */
	uint32_t method;
	uint64_t calls;
};

/* Indexes; 0: none. */
struct dmt_kin {
	uint32_t first;		/* child */
	uint32_t next;		/* child of the same parent */
};

/* Zero is a valid table without a root, and without clocks. */
struct dmt_nodes {
	struct dmt_node *items;
	size_t count;
	size_t capacity;
	uint32_t root;
	bool has_clock[2];
	uint64_t *times[2];	/* of the items, in ns: exclusive, or after a
				   sum inclusive; NULL: no such clock */
	size_t capacities[2];
	uint32_t *slots;	/* index + 1; NULL: after a sum */
	size_t slot_count;	/* a power of two, or 0 */
	unsigned shift;
	uint64_t factor;
	struct dmt_kin *kin;	/* of the items; NULL: before a sum */
};

/* Adds the root. false: no memory. */
bool
dmt_nodes_begin(struct dmt_nodes *nodes);

/* The index of the parent's child for method, which is added if need be;
 * UINT32_MAX: no memory. */
uint32_t
dmt_nodes_child(struct dmt_nodes *nodes, uint32_t parent, uint32_t method);

/* The root becomes a node of method below a new root. false: no memory. */
bool
dmt_nodes_raise(struct dmt_nodes *nodes, uint32_t method);

/* Adds the tree of from, which is no sum then, to that of to, whose parents
 * stay before their children. false: no memory. */
bool
dmt_nodes_add(struct dmt_nodes *to, struct dmt_nodes *from);

/* The same, and from is of no use then. */
bool
dmt_nodes_merge(struct dmt_nodes *to, struct dmt_nodes *from);

/* Makes the times of a tree with parents first inclusive, until the next
 * addition. false: no memory. */
bool
dmt_nodes_sum(struct dmt_nodes *nodes);

/* The exclusive time of an item after a sum. */
uint64_t
dmt_nodes_exclusive(const struct dmt_nodes *nodes, int clock, size_t index);

void
dmt_nodes_fini(struct dmt_nodes *nodes);

#endif
