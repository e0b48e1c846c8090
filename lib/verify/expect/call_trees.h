/* call_trees.h - trees of calls, of which equal ones are kept once */
#ifndef DMT_EXPECT_CALL_TREES_H
#define DMT_EXPECT_CALL_TREES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"

/* Calls in a row that are the same, with all that they call. */
struct dmt_call_run {
	uint32_t tree;
	uint64_t count;
};

/* A call and what it calls. */
struct dmt_call_tree {
	uint32_t name;
	uint32_t same_hash;		/* another tree, + 1; 0: none */
	size_t first;			/* of its runs */
	size_t count;
};

/* Zero is valid, and empty. */
struct dmt_call_trees {
	struct dmt_call_tree *items;
	size_t count;
	size_t capacity;
	struct dmt_call_run *runs;
	size_t run_count;
	size_t run_capacity;
	struct dmt_idmap by_hash;	/* the last tree of a hash */
};

void
dmt_call_trees_fini(struct dmt_call_trees *trees);

/* The calls of a thread as they come. Zero is valid. */
struct dmt_tree_builder {
	struct dmt_call_run *runs;	/* of all calls that are open */
	size_t count;
	size_t capacity;
	size_t *begins;			/* by depth: where its runs begin */
	size_t depth;
	size_t begin_capacity;
};

/* A call begins; the innermost open call ends, and has this name. false: no
 * memory. */
bool
dmt_tree_builder_enter(struct dmt_tree_builder *builder);
bool
dmt_tree_builder_leave(struct dmt_tree_builder *builder,
    struct dmt_call_trees *trees, uint32_t name);

void
dmt_tree_builder_fini(struct dmt_tree_builder *builder);

#endif
