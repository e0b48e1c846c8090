/* call_trees.h - trees of calls, of which equal ones are kept once */
#ifndef DMT_EXPECT_CALL_TREES_H
#define DMT_EXPECT_CALL_TREES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"

/* Calls in a row that are the same, with all that they call. */
struct dmt_calls_run {
	uint32_t tree;
	uint64_t count;
};

/* A call and what it calls. */
struct dmt_tree_of {
	uint32_t name;
	uint32_t next;			/* another one of that hash, + 1 */
	size_t first;			/* of its runs */
	size_t count;
};

/* Zero is a valid, empty one. */
struct dmt_forest {
	struct dmt_tree_of *trees;
	size_t count;
	size_t capacity;
	struct dmt_calls_run *runs;
	size_t run_count;
	size_t run_capacity;
	struct dmt_idmap by_hash;	/* the last tree of a hash */
};

void
dmt_forest_fini(struct dmt_forest *forest);

/* The calls of a thread as they come. Zero is a valid one. */
struct dmt_grown {
	struct dmt_calls_run *runs;	/* of all calls that are open */
	size_t count;
	size_t capacity;
	size_t *begins;			/* by depth: where its runs begin */
	size_t depth;
	size_t begin_capacity;
};

/* Each returns false if there is no memory. */
bool
dmt_grown_enter(struct dmt_grown *grown);
bool
dmt_grown_leave(struct dmt_grown *grown, struct dmt_forest *forest,
    uint32_t name);

void
dmt_grown_fini(struct dmt_grown *grown);

#endif
